//! Facts about a match that its scenes do not show.

use rules::BySeat;

/// Facts about a match that its scenes do not show. All texts may come from strangers; the page shows them as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// The names of the players.
    pub names: BySeat<String>,
    /// The game and its map, in one line.
    pub title: String,
    /// The time when the match was played, for people; empty if it is not known.
    pub played: String,
    /// The seed of the match; `None` if it is not known.
    pub seed: Option<u64>,
    /// The version of the engine that played it.
    pub engine: String,
    /// A note, e.g. `unfinished`.
    pub note: Option<String>,
    /// The number of turns after which the match ends at the latest, if it is known.
    pub most_turns: Option<u32>,
}
