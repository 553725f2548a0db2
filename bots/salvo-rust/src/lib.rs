//! A player of Salvo, without its connection: what it hears goes in, what it wants done comes out.
//!
//! [`Player`] is the way in. It knows topics and messages, keeps what the team knows in a [`Battle`], which has a [`Chart`] of
//! each opponent's board, and places a [`Fleet`]. [`cipher`] encrypts and signs.

mod battle;
mod chart;
pub mod cipher;
mod fleet;
mod player;

pub use battle::Battle;
pub use chart::Chart;
pub use fleet::{Cell, Fleet, SHIPS, SIZE};
pub use player::{Action, Player};
