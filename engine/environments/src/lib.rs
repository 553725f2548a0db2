//! The games as environments for learning: actions and observations are numbers, one match or many at once.
//!
//! [`ActionMatch`] is one match, whose agents give numbers instead of orders. [`Batch`] is many of them, which one call moves on.
//! [`Layout`] says what the numbers mean; [`Encoded`] is what a game adds. The Python package is made of these.

mod action_match;
mod action_record;
mod batch;
mod battleship;
mod bots_arena;
mod encoding;
mod entelect_2017;
mod layout;
mod options;
mod picture;
mod salvo;
mod sea_battle;

pub use action_match::{ActionMatch, MakeRival};
pub use batch::{AutoReset, Batch, BatchError, BatchOptions, Buffers, Learner, MOST_MATCHES, Rivals};
pub use encoding::{COMMON_SCALARS, Encoded, MOST_SCALAR, MaskKind, ObservedSeat, Sight};
pub use entelect_2017::encode_state_file;
pub use layout::{Action, Layout, PLACE_KINDS, Ship, ShipAt};
pub use options::{ActionMatchError, Options, Placement, Reward, WrongAction};
pub use picture::{Pixels, pixels, text};
