//! The JSON of the API about contests, and what pages show besides.

use crate::state::contests::contest_settings::ContestSettings;
use serde::Serialize;
use tournament::WinDrawLoss;
use utoipa::ToSchema;

/// A contest in a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContestSummary {
    /// The name in addresses.
    pub name: String,
    /// The title, for people.
    pub title: String,
    /// The name of the game.
    pub game: String,
    /// The number of teams with a bot that plays.
    pub bots: usize,
    /// The number of ranked games so far.
    pub games: u64,
}

/// A contest.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContestView {
    /// The name in addresses.
    pub name: String,
    /// All settings.
    pub settings: ContestSettings,
    /// What the organiser announces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub announcement: Option<String>,
    /// True if ranked games are played.
    pub is_ranked: bool,
    /// The reason why not, if the server itself has stopped them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranked_why: Option<String>,
    /// The reason why no bots can be handed in, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// The number of ranked games so far.
    pub games: u64,
    /// Who plays, best first.
    pub ladder: Vec<LadderRow>,
    /// The names of the bots whose versions are parked.
    pub parked: Vec<String>,
    /// The games that are being played, by the names of both.
    pub playing: Vec<[String; 2]>,
    /// The versions that wait for a verdict, in their order.
    pub queue: Vec<WaitingView>,
}

/// A bot of a contest, for administrators.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContestBotView {
    /// The number of the bot.
    pub bot: String,
    /// The name of the bot.
    pub name: String,
    /// The version that plays, or would.
    pub version: Option<u32>,
    /// True if it plays no games until one of its versions is activated.
    pub is_retired: bool,
    /// True if only its team and administrators see it.
    pub is_hidden: bool,
    /// The reason why its version is parked, if it is.
    pub parked: Option<String>,
}

/// One that plays on the ladder.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LadderRow {
    /// The place; those that cannot be told apart from the one before have the same.
    pub place: usize,
    /// True if it shares its place.
    pub is_tied: bool,
    /// True if its rating is not sure enough to be a place.
    pub is_provisional: bool,
    /// The name of the bot, or `builtin:NAME`.
    pub name: String,
    /// The number of the bot; absent for a built-in player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bot: Option<String>,
    /// The version that plays; absent for a built-in player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// The language; empty for a built-in player.
    pub language: String,
    /// The rating in Elo; the mean of all is 0.
    pub elo: f64,
    /// Half the width of its 95 % interval; absent without games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// The games of this version.
    #[serde(flatten)]
    pub games: GamesView,
    /// The games in which it had turns without an order that was obeyed.
    pub faulty: u64,
}

/// The results of games.
#[derive(Debug, Clone, Copy, Default, Serialize, ToSchema)]
pub(crate) struct GamesView {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl From<WinDrawLoss> for GamesView {
    fn from(games: WinDrawLoss) -> GamesView {
        GamesView { wins: games.wins, draws: games.draws, losses: games.losses }
    }
}

/// A version that waits for a verdict.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WaitingView {
    /// The name of the bot.
    pub name: String,
    /// The number of the version.
    pub version: u32,
    /// Its state.
    pub state: VersionState,
}

/// A turn without an order that was obeyed, of which a bundle is kept.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct FaultRow {
    /// The name of the game; `trial-1` for the first trial game.
    pub game: String,
    /// The round.
    pub round: u32,
}

/// All that is kept of a turn without an order that was obeyed.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct FaultBundle {
    /// What happened, in words.
    pub report: String,
    /// What the bot got, wrote and said.
    pub files: Vec<FaultFile>,
}

/// A file of a bundle.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct FaultFile {
    /// Its path in the bundle.
    pub name: String,
    /// Its text, or the beginning of it.
    pub text: String,
}

/// The change of a ladder if games were void.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct VoidPreview {
    /// The number of the games.
    pub games: usize,
    /// The entrants whose places change.
    pub changes: Vec<VoidChange>,
}

/// The place of an entrant with games and without them.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct VoidChange {
    /// The name of the entrant: that of a bot with its version, or `builtin:NAME`.
    pub name: String,
    /// The place now; `null` without games.
    pub before: Option<usize>,
    /// The place without the games.
    pub after: Option<usize>,
}

/// A game that was played, in the events of a contest.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct GameEvent {
    /// The name of the game, as in addresses.
    pub id: String,
    /// The names of the entrants, the one in seat A first.
    pub names: [String; 2],
    /// The name of the winner.
    pub winner: Option<String>,
}

/// One that plays on the ladder from now on, or not, in the events of a contest.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct EntrantEvent {
    /// The name of the entrant: that of a bot with its version, or `builtin:NAME`.
    pub name: String,
}

/// The state of a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum VersionState {
    /// It waits for its turn.
    Queued,
    /// Its archive is unpacked.
    Unpacking,
    /// It is built.
    Building,
    /// It plays games against a player of the engine.
    Probing,
    /// It may play.
    Accepted,
    /// It does not play.
    Rejected,
    /// The state of one that was accepted, and whose archive and folder were removed.
    Removed,
}

impl VersionState {
    /// True if it will not change by itself any more.
    pub(crate) fn is_verdict(self) -> bool {
        matches!(self, VersionState::Accepted | VersionState::Rejected | VersionState::Removed)
    }

    /// True if everyone sees it.
    pub(crate) fn is_public(self) -> bool {
        matches!(self, VersionState::Accepted | VersionState::Removed)
    }

    /// The state in words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            VersionState::Queued => "queued",
            VersionState::Unpacking => "being unpacked",
            VersionState::Building => "being built",
            VersionState::Probing => "plays its trial games",
            VersionState::Accepted => "accepted",
            VersionState::Rejected => "rejected",
            VersionState::Removed => "removed from the disk",
        }
    }
}

/// A version, for its team.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VersionView {
    /// Its number, counted from 1 for each bot.
    pub version: u32,
    /// Its state.
    pub state: VersionState,
    /// Its place in the queue of the server, counted from 1, while it waits.
    pub place: Option<usize>,
    /// True if it plays.
    pub is_active: bool,
    /// The reason why it was rejected, or plays no games for the time being.
    pub reason: Option<String>,
    /// The time when it was handed in.
    pub submitted: String,
    /// The SHA-256 of its archive; absent for a web service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archive: Option<String>,
    /// The size of its archive, in bytes; absent for a web service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The address of a web service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The language in its bot.json, once it is accepted.
    pub language: Option<String>,
    /// The longest answer when it was tried, in milliseconds, beside the limit.
    pub slowest: Option<[u64; 2]>,
    /// The rating in Elo and half the width of its 95 % interval, if it has played enough to be rated.
    pub rating: Option<[f64; 2]>,
    /// Its games.
    #[serde(flatten)]
    pub games: GamesView,
}

/// A bot in a contest, for everyone.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PublicBot {
    /// Its name.
    pub name: String,
    /// The versions that were accepted, the newest first.
    pub versions: Vec<PublicVersion>,
    /// The number of the version whose games are told: the one that was asked for, or that plays, or the newest.
    pub shown: Option<u32>,
    /// The games of that version.
    #[serde(flatten)]
    pub games: VersionGames,
}

/// An accepted version, for everyone.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PublicVersion {
    /// Its number.
    pub version: u32,
    /// True if it plays.
    pub is_active: bool,
    /// The reason why it plays no games for the time being.
    pub reason: Option<String>,
    /// The time when it was handed in.
    pub submitted: String,
    /// The language in its bot.json.
    pub language: Option<String>,
    /// The rating in Elo and half the width of its 95 % interval, if it has played enough to be rated.
    pub rating: Option<[f64; 2]>,
    /// Its games.
    #[serde(flatten)]
    pub games: GamesView,
}

impl From<VersionView> for PublicVersion {
    fn from(view: VersionView) -> PublicVersion {
        let VersionView { version, is_active, reason, submitted, language, rating, games, .. } = view;
        PublicVersion { version, is_active, reason, submitted, language, rating, games }
    }
}

/// The games of a version against one opponent.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct OpponentRow {
    /// The name of the opponent: that of a bot with its version, or `builtin:NAME`.
    pub name: String,
    /// The results.
    #[serde(flatten)]
    pub games: GamesView,
    /// The difference in Elo with half the width of its 95 % interval; `null` before the first pair.
    pub lead: Option<[f64; 2]>,
}

/// The games of a version that ended in one way.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct EndingRow {
    /// The way in which they ended, in words.
    pub ending: String,
    /// The results.
    #[serde(flatten)]
    pub games: GamesView,
}

/// The lengths of games, in rounds or moves.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub(crate) struct LengthsView {
    /// The shortest.
    pub shortest: u32,
    /// The length that half of the games do not exceed.
    pub median: u32,
    /// The longest.
    pub longest: u32,
}

/// A game of a version.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct GameRow {
    /// Its name in addresses.
    pub id: String,
    /// The name of the opponent.
    pub opponent: String,
    /// `win`, `draw` or `loss`.
    pub result: &'static str,
    /// The reason for its end.
    pub why: String,
    /// The rounds or moves.
    pub turns: u32,
    /// The turns without an order that was obeyed.
    pub lost: u32,
    /// The time of its end.
    pub ended: String,
}

/// The turns without an order that was obeyed, of one kind.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct FaultCount {
    /// The kind.
    pub kind: String,
    /// The number of the turns.
    pub turns: u64,
}

/// What is known of the games of a version.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VersionGames {
    /// The results by opponent.
    pub opponents: Vec<OpponentRow>,
    /// All games by how they ended.
    pub endings: Vec<EndingRow>,
    /// The lengths of all games; `null` without games.
    pub lengths: Option<LengthsView>,
    /// The turns without an order that was obeyed, by the kind of fault.
    pub faults: Vec<FaultCount>,
    /// The time that half, and 95 % and 99 % of its answers took at most, in milliseconds.
    pub latency: [Option<f64>; 3],
    /// The last games, the newest first.
    pub last_games: Vec<GameRow>,
}
