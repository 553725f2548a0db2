//! The JSON of the API and of the event stream.
//!
//! # Events
//!
//! `GET /api/events` is a stream of server-sent events. The first event is `state`; for a browser that comes back with
//! `Last-Event-ID`, it is the one after that. A listener that falls behind gets a `state` again, and continues from
//! there. These are the events of version 1 (`?version=1`). With `?turns=no`, they come without the turns of matches. Pages follow
//! each match by a stream of its own instead; its form may change with the pages.
//!
//! | event | data | when |
//! | --- | --- | --- |
//! | `state` | `{now, tournament, leaderboard, bots, settings, final, matches: [{begun, turns}]}` | at the beginning |
//! | `tournament` | [`TournamentView`] | tournaments start, pause, go on, end; a match begins or ends |
//! | `match-begun` | [`MatchBegun`] | a match begins |
//! | `turn` | [`MatchTurn`] | a turn of a match was played; turn 0 is the placement of both |
//! | `match-over` | [`MatchOver`] | a match is over, or was broken off |
//! | `leaderboard` | [`Leaderboards`] | the results have changed |
//! | `bots` | array of [`BotView`] | a bot joined, left, got another URL, was parked or came back |
//! | `final` | [`FinalView`](crate::matches::finals::view::FinalView) | a final is planned, begins, has shown a game, ends or is called off |
//! | `settings` | [`ServerSettings`] | the administrator changed them; `pace` is for the big screen |
//!
//! During a match, events and requests tell what both bots know: shots, their results, and that a radar was used. Ships, and what
//! a radar has seen, follow with the end, unless the setting `revealFleets` is on.
//!
//! A game of a final (`match-begun` has `final`) is published once it is over, one turn after the other at the times in
//! `screening`, with everything in it; no request tells a turn before. Other matches do not wait for a screen: a screen that shows
//! them more slowly has to store their turns, and may skip to a later match. `GET /api/matches/{id}` returns the same pieces of a
//! match that is over, with both fleets.

use crate::state::finals::screening::Screening;
use crate::state::journal_line::{FinalGameLine, MatchLine, TournamentMode};
use crate::state::leaderboard::{BotStats, LeaderboardRow, ResultView, results};
use crate::state::settings::ServerSettings;
use rules::{Seat, printable_prefix};
use serde::Serialize;
use utoipa::ToSchema;

/// The longest text of a bot that is passed on, in characters.
const LONGEST_TEXT: usize = 400;

/// A text that may come from a bot, as one line that may be shown.
pub(crate) fn bot_text(text: &str) -> String {
    printable_prefix(text, LONGEST_TEXT)
}

/// The reason why a request failed.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// The message, for people.
    pub(crate) error: String,
}

/// The answer to a change that was made.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Done {
    /// Always true.
    pub(crate) ok: bool,
}

/// The state of a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum BotState {
    /// The bot has no URL.
    NoUrl,
    /// The bot was not called yet.
    Unknown,
    /// The bot answered the last call.
    Reachable,
    /// The bot did not answer the last call.
    Unreachable,
    /// The bot failed to place its fleet in three matches in a row. It does not play until it can.
    Parked,
}

/// A bot as everyone may see it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BotView {
    /// The number of the bot.
    pub id: String,
    /// The name of the bot.
    pub name: String,
    /// The URL, for the owner and the administrator only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bot_url: Option<String>,
    /// True if the bot has a URL, and so takes part.
    pub has_url: bool,
    /// The time of the registration.
    pub created_at: String,
    /// The time when the URL was last set.
    pub last_update_at: String,
    /// The results of all matches.
    pub stats: BotStats,
    /// The state of the bot.
    pub state: BotState,
    /// True if the bot takes much longer for a match than others: its matches are played beside those of others.
    pub slow: bool,
    /// The duration of the last answer, in milliseconds.
    pub latency_ms: Option<f64>,
    /// The last fault, in words.
    pub last_fault: Option<String>,
    /// The time until a parked bot is probed again, in seconds.
    pub asked_again_in_s: Option<u64>,
}

/// The current tournament, or the last one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TournamentView {
    /// The mode of the server.
    pub mode: TournamentMode,
    /// True if tournaments were started.
    pub running: bool,
    /// True if tournaments are paused.
    pub paused: bool,
    /// The number of the tournament; 0 before the first.
    pub number: u32,
    /// True if the tournament is over.
    pub over: bool,
    /// The number of its matches that were played.
    pub played: u32,
    /// The number of its matches.
    pub planned: u32,
    /// The numbers of the matches that are being played.
    pub now: Vec<u64>,
    /// The next pairings, by names. Those of parked bots are left out, as the scheduler leaves them out.
    pub next: Vec<[String; 2]>,
    /// The number of pairings of parked bots, which are left out until the bots answer again.
    pub left_out: u32,
    /// The tournament before, if matches are left in it because bots are slow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous: Option<OpenTournamentView>,
    /// The time since which the mode of the server is what it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// The state of the tournament, in words.
    pub words: String,
    /// The reason why no match is being played, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting: Option<String>,
}

/// A tournament of which matches are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct OpenTournamentView {
    /// The number of the tournament.
    pub number: u32,
    /// The number of matches that are left.
    pub left: u32,
}

impl TournamentView {
    /// The part of the state that the name of a match does not tell, in words: no match follows for now, and why.
    pub(crate) fn remark(&self) -> String {
        let over =
            if self.over && self.number > 0 { format!("Tournament {} is over.", self.number) } else { String::new() };
        let paused = if self.paused { "Paused." } else { "" };
        let waiting = self.waiting.as_ref().map(|why| format!("Waiting: {why}.")).unwrap_or_default();
        [over.as_str(), paused, &waiting].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// The state of the tournament, in words.
    pub(crate) fn describe(&self) -> String {
        let state = match (self.mode, self.number) {
            (TournamentMode::Stopped, _) => return "No tournament was started yet.".to_owned(),
            (_, 0) => String::new(),
            (_, _) if self.over => String::new(),
            (_, number) => format!("Tournament {number}: {} of {} matches were played.", self.played, self.planned),
        };
        let previous = self.previous.map(|OpenTournamentView { number, left }| match left {
            1 => format!("Of tournament {number}, a match is left."),
            _ => format!("Of tournament {number}, {left} matches are left."),
        });
        [state, previous.unwrap_or_default(), self.remark()]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// Both leaderboards, best first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Leaderboards {
    /// The leaderboard of all matches.
    pub all: Vec<LeaderboardRow>,
    /// The leaderboard of the current tournament.
    pub tournament: Vec<LeaderboardRow>,
}

/// The beginning of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MatchBegun {
    /// The number of the match.
    pub r#match: u64,
    /// The number of its tournament; 0 for a game of a final, as are the two below.
    pub tournament: u32,
    /// The place of the match in its tournament, counted from 1.
    pub nth: u32,
    /// The number of matches of the tournament.
    pub of: u32,
    /// The names of both bots; the first has seat A.
    pub names: [String; 2],
    /// The numbers of both bots.
    pub bots: [String; 2],
    /// The number of moves of each bot after which hits are compared.
    pub max_moves: u32,
    /// True if `maxMoves` is the number of moves of both bots together, as in matches of version 0.1.0.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub together: bool,
    /// The place in a final, if it is a game of one.
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    pub final_game: Option<FinalGameLine>,
    /// The times at which screens show the turns of a game of a final.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screening: Option<Screening>,
}

/// A turn of a match: the placement of both fleets (turn 0), or a move.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct MatchTurn {
    /// The number of the match.
    pub r#match: u64,
    /// The number of the turn; for moves, the number of the move.
    pub turn: u32,
    /// The actions of the players.
    pub deeds: Vec<PlayerAction>,
}

/// An action of a player.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct PlayerAction {
    /// The seat: `A` or `B`.
    #[schema(value_type = String)]
    pub seat: char,
    /// The action.
    #[serde(flatten)]
    pub what: ActionKind,
    /// The duration of the answer, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

/// A kind of action. Cells are `[x, y]`: x is the column from the left, y the row from the top.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum ActionKind {
    /// The player placed its fleet.
    Placed {
        /// The ships, if everyone may see them already.
        #[serde(skip_serializing_if = "Option::is_none")]
        ships: Option<Vec<ShipView>>,
    },
    /// The player shot at the opponent's board.
    Shot {
        /// The column.
        x: i32,
        /// The row.
        y: i32,
        /// `miss`, `hit` or `sunk`.
        #[schema(value_type = String)]
        result: &'static str,
    },
    /// The player scanned nine cells of the opponent's board: which ones, and the cells with ships, if everyone may know it already.
    Radar {
        /// The column of the middle cell.
        #[serde(skip_serializing_if = "Option::is_none")]
        x: Option<i32>,
        /// The row of the middle cell.
        #[serde(skip_serializing_if = "Option::is_none")]
        y: Option<i32>,
        /// The cells with ships.
        #[serde(skip_serializing_if = "Option::is_none")]
        seen: Option<Vec<[i32; 2]>>,
    },
    /// The player lost the match at once.
    Lost {
        /// The reason, in words that follow a name.
        why: String,
    },
}

/// A ship and its cells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ShipView {
    /// The kind: `fourdeck`, `battleship`, `threeship`, `submarine`, `twoship` or `oneship`.
    #[schema(value_type = String)]
    pub r#type: &'static str,
    /// The cells.
    pub cells: Vec<[i32; 2]>,
}

/// The end of a match, played to its end or broken off.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MatchOver {
    /// The number of the match.
    pub r#match: u64,
    /// The result; none for a match that was broken off.
    pub result: Option<MatchView>,
    /// The reason why the match was broken off, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken_off: Option<String>,
    /// Both fleets, if they were placed and the match is not played again. A's is the first.
    pub fleets: [Option<Vec<ShipView>>; 2],
}

/// A match that was played to its end.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MatchView {
    /// The number of the match.
    pub id: u64,
    /// The number of its tournament; 0 for a game of a final.
    pub tournament: u32,
    /// The place in a final, if it is a game of one.
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    pub final_game: Option<FinalGameLine>,
    /// The names of both bots; the first has seat A.
    pub names: [String; 2],
    /// The numbers of both bots.
    pub bots: [String; 2],
    /// The results of both bots.
    pub results: [ResultView; 2],
    /// The winner's seat, `A` or `B`. None in a draw, or if both lost.
    #[schema(value_type = Option<String>)]
    pub winner: Option<char>,
    /// The reason for the end, in words.
    pub why: String,
    /// The numbers of hits of both bots.
    pub hits: [u32; 2],
    /// The number of moves.
    pub moves: u32,
    /// The faults of both bots.
    pub faults: [Option<String>; 2],
    /// The median durations of both bots' answers, in milliseconds.
    pub median_ms: [Option<f64>; 2],
    /// The duration of the match, in milliseconds.
    pub took_ms: u64,
    /// The time of the end.
    pub ended: String,
    /// True if the administrator has declared the match void: it does not count.
    #[serde(rename = "void", skip_serializing_if = "std::ops::Not::not")]
    pub is_void: bool,
}

impl From<&MatchLine> for MatchView {
    fn from(line: &MatchLine) -> MatchView {
        let both = [Seat::A, Seat::B];
        let names = both.map(|seat| line.names[seat].to_string());
        let outcome = &line.outcome;
        MatchView {
            id: line.id,
            tournament: line.tournament,
            final_game: line.final_game.clone(),
            bots: both.map(|seat| line.bots[seat].to_string()),
            results: results(outcome),
            winner: outcome.winner.map(Seat::letter),
            why: bot_text(&outcome.ending.told(|seat| names[seat.index().min(1)].clone())),
            names,
            hits: both.map(|seat| outcome.points[seat]),
            moves: outcome.turns.saturating_sub(1),
            faults: both.map(|seat| line.faults[seat].clone()),
            median_ms: both.map(|seat| line.median_ms[seat]),
            took_ms: line.took_ms,
            ended: line.at.clone(),
            is_void: line.is_void,
        }
    }
}

/// A match that is over, with all its turns.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct WholeMatch {
    /// The beginning.
    pub begun: MatchBegun,
    /// The turns.
    pub turns: Vec<MatchTurn>,
    /// The end.
    pub over: MatchOver,
}

/// A tournament of the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PastTournamentView {
    /// The number of the tournament.
    pub id: u32,
    /// The number of bots.
    pub bots: u32,
    /// The number of matches that were played.
    pub matches: u32,
    /// The time of the beginning.
    pub started_at: String,
    /// The time of the end.
    pub finished_at: Option<String>,
    /// The number of matches that were left out, because a bot could not be reached.
    pub unplayed: Option<u32>,
}

/// The history of tournaments and matches.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct History {
    /// Tournaments, the newest first.
    pub tournaments: Vec<PastTournamentView>,
    /// Matches, the newest first.
    pub matches: Vec<MatchView>,
}

/// The status for the administrator.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Status {
    /// The tournament.
    #[serde(flatten)]
    pub tournament: TournamentView,
    /// The settings.
    pub settings: ServerSettings,
    /// The bots, with their URLs.
    pub bots: Vec<BotView>,
    /// The number of listeners to the events.
    pub listeners: usize,
    /// The matches of tournaments that are being played.
    pub matches: Vec<RunningMatchView>,
    /// The failure of the server that lasts, or the reason why it has paused tournaments, in words.
    pub trouble: Option<String>,
    /// The time since which it is so.
    pub trouble_since: Option<String>,
}

/// A match that is being played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct RunningMatchView {
    /// The number of the match.
    pub id: u64,
    /// The number of its tournament.
    pub tournament: u32,
    /// The names of both bots; the first has seat A.
    pub names: [String; 2],
}

/// The answer to a change that declares matches void.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Voided {
    /// The number of matches that count no more.
    pub matches: usize,
}
