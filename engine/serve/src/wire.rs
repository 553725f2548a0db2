//! What the API and the stream of events say, as JSON.
//!
//! # Events
//!
//! `GET /api/events` is a stream of server-sent events. The first one is `state`, or, for a browser that comes back with
//! `Last-Event-ID`, the one after that. A listener who is too slow is told a `state` again, and goes on from there.
//!
//! | event | data | when |
//! | --- | --- | --- |
//! | `state` | `{tournament, leaderboard, bots, settings, matches: [{begun, turns}]}` | at the beginning |
//! | `tournament` | [`TournamentView`] | tournaments start, pause, go on, end; a match begins or ends |
//! | `match-begun` | [`MatchBegun`] | a match begins |
//! | `turn` | [`Turn`] | a turn of a match was played; turn 0 is the placement of both |
//! | `match-over` | [`MatchOver`] | a match is over, or was broken off |
//! | `leaderboard` | [`Leaderboards`] | the results have changed |
//! | `bots` | array of [`BotView`] | a bot joined, left, got another URL, was parked or came back |
//! | `settings` | [`Settings`] | the administrator changed them; `pace` is for the big screen |
//!
//! Matches do not wait for anyone: a screen that shows them slower has to keep their turns for itself, and may skip to
//! a later match. `GET /api/matches/{id}` gives the same pieces of a match that is over, with both fleets.

use super::Settings;
use super::index::PastTournament;
use super::leaderboard::{Row, Tally, results};
use super::line::{MatchLine, Mode};
use rules::Seat;
use serde::{Deserialize, Serialize};
use tournament::GameResult;
use utoipa::ToSchema;

/// Why something was not done.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct Problem {
    /// For people.
    pub(super) error: String,
}

/// That something was done.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct Done {
    /// Always true.
    pub(super) ok: bool,
}

/// How a bot is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum BotState {
    /// Nobody knows where it is.
    NoUrl,
    /// It was not asked yet.
    Unknown,
    /// It answered when it was asked last.
    Reachable,
    /// It did not answer when it was asked last.
    Unreachable,
    /// It failed to place its fleet in several matches in a row. It does not play until it can.
    Parked,
}

/// A bot as everyone may see it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BotView {
    /// Its number.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Where it is; told to its owner and the administrator only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bot_url: Option<String>,
    /// Whether it has a URL, and so takes part.
    pub has_url: bool,
    /// When it joined.
    pub created_at: String,
    /// When its URL was set last.
    pub last_update_at: String,
    /// Its results in all matches.
    pub stats: Tally,
    /// How it is doing.
    pub state: BotState,
    /// How long its last answer took.
    pub latency_ms: Option<f64>,
    /// What went wrong last, in words.
    pub last_fault: Option<String>,
    /// In how many seconds a parked bot is asked again.
    pub asked_again_in_s: Option<u64>,
}

/// The present tournament, or the last one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TournamentView {
    /// Whether tournaments are played.
    pub mode: Mode,
    /// Whether they were started.
    pub running: bool,
    /// Whether they are paused.
    pub paused: bool,
    /// The number of the tournament; 0 before the first.
    pub number: u32,
    /// Whether it is over.
    pub over: bool,
    /// How many of its matches were played.
    pub played: u32,
    /// How many it has.
    pub planned: u32,
    /// The matches that are being played.
    pub now: Vec<u64>,
    /// Who meets next, by names.
    pub next: Vec<[String; 2]>,
    /// How things are, in words.
    pub words: String,
    /// Why nothing is being played though it should, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting: Option<String>,
}

/// Both leaderboards, best first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct Leaderboards {
    /// Of all matches.
    pub all: Vec<Row>,
    /// Of the present tournament.
    pub tournament: Vec<Row>,
}

/// A match begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct MatchBegun {
    /// Its number.
    pub r#match: u64,
    /// The number of its tournament.
    pub tournament: u32,
    /// The names of both bots; the first has seat A.
    pub names: [String; 2],
    /// Their numbers.
    pub bots: [String; 2],
    /// Moves of both together, after which hits are compared.
    pub max_moves: u32,
}

/// A turn of a match: the placement of both fleets (turn 0), or a move.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(super) struct Turn {
    /// The number of the match.
    pub r#match: u64,
    /// The number of the turn; that of the move from 1 on.
    pub turn: u32,
    /// What was done, and by whom.
    pub deeds: Vec<Deed>,
}

/// What a player did.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(super) struct Deed {
    /// `A` or `B`.
    #[schema(value_type = String)]
    pub seat: char,
    /// What it did.
    #[serde(flatten)]
    pub what: What,
    /// How long its answer took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

/// What was done. Cells are `[x, y]`, x the column from the left, y the row from the top.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum What {
    /// The fleet was placed.
    Placed {
        /// The ships; only where they may be known already.
        #[serde(skip_serializing_if = "Option::is_none")]
        ships: Option<Vec<ShipView>>,
    },
    /// A shot at the opponent's board.
    Shot {
        /// The column.
        x: i32,
        /// The row.
        y: i32,
        /// `miss`, `hit` or `sunk`.
        #[schema(value_type = String)]
        result: &'static str,
    },
    /// A look at nine cells of the opponent's board.
    Radar {
        /// The column of the cell in the middle.
        x: i32,
        /// Its row.
        y: i32,
        /// Where ships were seen.
        seen: Vec<[i32; 2]>,
    },
    /// The match was lost at once.
    Lost {
        /// Why, in words that follow a name.
        why: String,
    },
}

/// A ship and where it lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct ShipView {
    /// `fourdeck`, `battleship`, `threeship`, `submarine`, `twoship` or `oneship`.
    #[schema(value_type = String)]
    pub r#type: &'static str,
    /// Its cells.
    pub cells: Vec<[i32; 2]>,
}

/// A result for one bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum ResultView {
    /// It won.
    Win,
    /// Nobody won.
    Draw,
    /// It lost; both may.
    Loss,
}

impl ResultView {
    /// The word for it.
    pub(super) fn name(self) -> &'static str {
        match self {
            ResultView::Win => "win",
            ResultView::Draw => "draw",
            ResultView::Loss => "loss",
        }
    }
}

impl From<GameResult> for ResultView {
    fn from(result: GameResult) -> ResultView {
        match result {
            GameResult::Win => ResultView::Win,
            GameResult::Draw => ResultView::Draw,
            GameResult::Loss => ResultView::Loss,
        }
    }
}

/// A match is over, or was broken off.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct MatchOver {
    /// Its number.
    pub r#match: u64,
    /// How it ended; nothing if it was broken off, which gives no result.
    pub result: Option<MatchView>,
    /// Why it was broken off, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken_off: Option<String>,
    /// Both fleets, as far as they were placed; the first is A's.
    pub fleets: [Option<Vec<ShipView>>; 2],
}

/// A match that was played to its end.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct MatchView {
    /// Its number.
    pub id: u64,
    /// The number of its tournament.
    pub tournament: u32,
    /// The names of both bots; the first has seat A.
    pub names: [String; 2],
    /// Their numbers.
    pub bots: [String; 2],
    /// How it ended for each.
    pub results: [ResultView; 2],
    /// Who won, `A` or `B`; nobody in a draw, or if both lost.
    #[schema(value_type = Option<String>)]
    pub winner: Option<char>,
    /// Why it ended, in words.
    pub why: String,
    /// How often each hit.
    pub hits: [u32; 2],
    /// How many moves were made.
    pub moves: u32,
    /// What went wrong with each.
    pub faults: [Option<String>; 2],
    /// How long each took for half of its answers at most.
    pub median_ms: [Option<f64>; 2],
    /// How long it took.
    pub took_ms: u64,
    /// When it ended.
    pub ended: String,
}

impl From<&MatchLine> for MatchView {
    fn from(line: &MatchLine) -> MatchView {
        let both = [Seat::A, Seat::B];
        let names = both.map(|seat| line.names[seat].to_string());
        let outcome = &line.outcome;
        MatchView {
            id: line.id,
            tournament: line.tournament,
            bots: both.map(|seat| line.bots[seat].to_string()),
            results: results(outcome).map(ResultView::from),
            winner: outcome.winner.map(Seat::letter),
            why: outcome.ending.told(|seat| names[seat.index().min(1)].clone()),
            names,
            hits: both.map(|seat| outcome.points[seat]),
            moves: outcome.turns.saturating_sub(1),
            faults: both.map(|seat| line.faults[seat].clone()),
            median_ms: both.map(|seat| line.median_ms[seat]),
            took_ms: line.took_ms,
            ended: line.at.clone(),
        }
    }
}

/// A match that is over with all its turns.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(super) struct WholeMatch {
    /// How it began.
    pub begun: MatchBegun,
    /// Its turns.
    pub turns: Vec<Turn>,
    /// How it ended.
    pub over: MatchOver,
}

/// A tournament that was begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PastTournamentView {
    /// Its number.
    pub id: u32,
    /// How many took part.
    pub bots: u32,
    /// How many matches were played.
    pub matches: u32,
    /// When it began.
    pub started_at: String,
    /// When it ended.
    pub finished_at: Option<String>,
    /// How many matches were left out, because a bot could not be reached.
    pub unplayed: Option<u32>,
}

impl From<PastTournament> for PastTournamentView {
    fn from(past: PastTournament) -> PastTournamentView {
        PastTournamentView {
            id: past.number,
            bots: past.bots,
            matches: past.matches,
            started_at: past.begun,
            finished_at: past.ended,
            unplayed: past.unplayed,
        }
    }
}

/// The history.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(super) struct History {
    /// Tournaments, the newest first.
    pub tournaments: Vec<PastTournamentView>,
    /// Matches, the newest first.
    pub matches: Vec<MatchView>,
}

/// What only the administrator may see.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Status {
    /// The tournament.
    #[serde(flatten)]
    pub tournament: TournamentView,
    /// The settings.
    pub settings: Settings,
    /// The bots, with their URLs.
    pub bots: Vec<BotView>,
    /// How many listen to the events.
    pub listeners: usize,
    /// What the server could not do last, in words.
    pub trouble: Option<String>,
}
