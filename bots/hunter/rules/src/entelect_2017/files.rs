//! The files of a turn.

pub mod wire;

/// The state of a game as a player may know it.
pub const STATE_JSON: &str = "state.json";
/// The order of phase 1.
pub const PLACE_TXT: &str = "place.txt";
/// The order of phase 2.
pub const COMMAND_TXT: &str = "command.txt";
