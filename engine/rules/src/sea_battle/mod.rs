//! Sea Battle: two players, ships with armour, ships that radar does not see, one use of radar each.
//!
//! Both players place their fleets at the same time (turn 0), then they move by turns, one shot or one use of radar at a
//! time (turn n is move n). A player that gives no usable order, or one that the rules do not allow, loses at once.
//!
//! The published text is the team guide of the hackathon, of which there are two versions; "the original" is its public
//! server. Where they differ, `docs/rulings.md` says what we do. [`Json`] is the dialect: the bodies of the requests to
//! bots and of their answers.
//!
//! Coordinates are those of the protocol: x is the column from the left, y the row from the top, both from 0. Directions are those of
//! the rest of the project, for which row 0 is in the south.

mod event;
mod fleet_state;
mod json;
mod order;
mod placing;
mod radar;
mod scenery;
mod settings;
mod ship;
mod state;
mod view;

pub use event::{Event, Loss};
pub use json::{Json, MOST_OF_BODY, MOVE, PLACEMENT};
pub use order::{Order, Refusal};
pub use placing::random_fleet;
pub use settings::{MoveLimit, Profile, Settings};
pub use ship::{BOARD, FLEET, HITS, Ship, ShipKind};
pub use state::SeaBattle;
pub use view::{Scan, Shot, ShotResult, View};
