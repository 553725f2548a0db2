//! What a page tells of a match beside its scenes.

use rules::BySeat;

/// What a page tells of a match beside its scenes. All texts are shown as they are; none is trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// The names of the players.
    pub names: BySeat<String>,
    /// Which game it is, on what map, as one line.
    pub title: String,
    /// When it was played, as people write it.
    pub played: String,
    /// The seed of the match.
    pub seed: u64,
    /// The version of the engine that played it.
    pub engine: String,
    /// What else is to be known, such as `unfinished`.
    pub note: Option<String>,
}
