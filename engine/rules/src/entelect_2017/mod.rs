//! The Entelect Challenge 2017 "Battleships", engine version 1.2.2.
//!
//! Two players place five ships each (phase 1), then fire at each other in simultaneous rounds (phase 2). The published
//! text is the README of the challenge; "the original" is the engine of 2017. Where the two differ, `docs/rulings.md`
//! says what we do. [`files`] is the dialect: the files that bots and replays of 2017 consist of.
//!
//! # Speed
//!
//! The state is one piece of some hundred bytes (a byte for each cell, one for each cell of a ship), and a round needs no
//! memory: orders are borrowed, the events of the last round lie in the state, and the effects of a shot are bits of one
//! number. Before, `rules_speed` spent about half of its time where orders and events of some hundred bytes were moved.
//!
//! JSON for bots is written by `files/json.rs`, with a list of keys and fields beside each derived struct. serde_json writes
//! the same bytes from the derived structs alone, but takes 3.8 times as long for the state.json of a large map in mid-game
//! (median of 1,001 paired runs: 22.9 instead of 6.0 µs), and 4.5 times with a `serde_json::ser::Formatter` that also escapes
//! the line breaks which the original escaped.

mod board;
mod event;
pub mod files;
mod kill_off;
mod order;
mod pair;
mod placing;
mod round;
mod scenery;
mod score;
mod shield;
mod ship;
mod size;
mod state;
mod view;
mod weapon;

pub use board::{Board, CellState, ShipState};
use event::EventLog;
pub use event::{Event, Impact, ImpactResult, Impacts, KillOff};
pub use order::{Order, OrderKind, Placement, Refusal, ShipPlacement};
use pair::Pair;
pub use score::{MOST_POINTS, POINTS_HIT, POINTS_KILL, POINTS_SINK};
pub use shield::Shield;
pub use ship::Ship;
pub use size::MapSize;
pub use state::{Entelect2017, LastCommand, Phase, PlayerState, Settings};
pub use view::{OpponentCell, OpponentView, View};
pub use weapon::Weapon;
