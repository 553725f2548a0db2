//! Salvo: 2 to 16 players, every one with a board of its own, and as many shots in a salvo as the shooter has ships afloat.
//! Each shot of a salvo may have another target. The last player afloat wins.
//!
//! All place their fleets at the same time (turn 0). From then on a turn is one shot. Only the target and the shooter
//! learn where a shot fell, and only the target learns whether it hit: the number of hits of a salvo is told when it is
//! over, and sinkings are told at once, both to everyone.
//!
//! The published text is the page of the game that the user gave; "the original" is its public server. Where they differ or
//! say nothing, `docs/rulings.md` says what we do. [`Topics`] has the names of the MQTT topics, [`body`] what is written in
//! messages. The game has no [`Dialect`](crate::Dialect), because no message asks a player for its order.
//!
//! Coordinates are those of the protocol: x is the column from the left, y the row from the top, both from 0.

mod answer_parts;
pub mod body;
mod event;
mod fleet;
mod order;
mod player;
mod scenery;
mod settings;
mod ship;
mod spelled_topics;
mod state;
mod stats;
mod topics;
mod turn;
mod view;

pub use answer_parts::{FIRE, TARGET};
pub use event::{Event, NoOrder};
pub use fleet::{Fleet, random_fleet};
pub use order::{Order, Refusal};
pub use player::{Elimination, PlayerState, ShotResult};
pub use settings::Settings;
pub use ship::{BOARD, CELLS, Orientation, Placement, ShipKind};
pub use state::{Salvo, Shot};
pub use stats::{PlayerStats, Statistic};
pub use topics::{BadLevel, Readers, ShipTopic, Topic, Topics};
pub use view::{OwnSalvo, OwnShot, PlayerView, ReceivedShot, View};
