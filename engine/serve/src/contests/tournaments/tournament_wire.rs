//! The JSON of the API about tournaments within a contest.

use crate::contests::wire::GamesView;
use serde::Serialize;
use utoipa::ToSchema;

/// A tournament within a contest.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContestTournamentView {
    /// Its number, counted from 1.
    pub number: u32,
    /// The format, such as `round-robin`.
    pub format: &'static str,
    /// The games of a meeting.
    pub games_of_meeting: u32,
    /// The two differences in Elo of the sequential test that ends it, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<[f64; 2]>,
    /// The names of the entrants, the strongest first.
    pub entrants: Vec<String>,
    /// The time when it began.
    pub began: String,
    /// True if it is over.
    pub is_over: bool,
    /// The number of games so far, while it is being played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// The result in words, once it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
}

/// A tournament within a contest, with its table and its last games.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TournamentResults {
    /// The tournament.
    pub tournament: ContestTournamentView,
    /// Its entrants, best first.
    pub rows: Vec<TournamentRow>,
    /// Its last games, the newest first.
    pub games: Vec<TournamentGameRow>,
}

/// The row of an entrant in the table of a tournament.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TournamentRow {
    /// The place; equal entrants share one.
    pub place: usize,
    /// The name.
    pub name: String,
    /// The games.
    #[serde(flatten)]
    pub games: GamesView,
    /// The rating in Elo; the mean of all is 0.
    pub elo: f64,
    /// Half the width of its 95 % interval; absent without games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// The games in which it had turns without an order that was obeyed.
    pub faulty: u64,
}

/// A game of a tournament.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TournamentGameRow {
    /// Its name in addresses.
    pub id: String,
    /// The names of the entrants, the one in seat A first.
    pub names: [String; 2],
    /// The name of the winner; `null` for a draw.
    pub winner: Option<String>,
    /// The rounds or moves.
    pub turns: u32,
    /// The time of its end.
    pub ended: String,
}

/// A tournament that begins, or is over, in the events of a contest.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContestTournamentEvent {
    /// Its number.
    pub number: u32,
    /// True if it is over.
    pub is_over: bool,
}
