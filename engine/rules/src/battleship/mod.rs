//! Any Battleship: a game whose rules are a file of about fifteen choices.
//!
//! [`Choices`] are the keys of the file with their values, [`Rules`] are choices that can be played, and [`Battleship`] is a match by
//! them. `docs/rules-file.md` of the project has a table of all choices; where they leave something open, `docs/rulings.md` says what
//! we do. [`Json`] is the dialect: one JSON object for each question, by line or over HTTP.

mod alone;
mod board;
mod choices;
mod ending;
mod event;
mod json;
mod moves;
mod order;
mod placing;
mod reading;
mod rules;
mod scenery;
mod state;
mod verdict;
mod view;

pub use board::{Board, Ship};
pub use choices::{
    Again, BoardSize, Choices, Consequence, First, FleetConsequence, FleetEntry, Fleets, Limit, ShotCount, Shots,
    Special, SpecialKind, Then, ToldHits, ToldResults, ToldSunk, Touching, Turns,
};
pub use event::{Event, Finding, Hits, Shot, ShotResult, Sinking};
pub use json::{FIRE, Json, PLACE};
pub use order::{Order, Placed, Refusal, Target};
pub use placing::{Fleet, place_at_random, placed};
pub use reading::MOST_OF_BODY;
pub use rules::{MOST_ARMOUR, MOST_OF_A_SIDE, MOST_SHIPS, MOST_SPECIALS, MOST_TURNS, Rules, ShipType, WrongChoice};
pub use state::{Battleship, Exit, PlayerState};
pub use view::{BoardView, Known, View};
