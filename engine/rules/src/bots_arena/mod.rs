//! botsArena's "Battleship": two bots behind URLs, an HTTP POST for every move.
//!
//! Both players place their ships, then they strike in turn, one cell each. A player that breaks a rule loses at once. "The
//! text" is the page of botsArena about the game; where it is silent, `docs/rulings.md` says what we do. [`Requests`] is
//! the dialect: the bodies of the requests, as a form or as JSON, and of the answers.

mod event;
mod form;
mod json;
mod order;
mod placing;
mod reading;
mod requests;
mod settings;
mod state;
mod strike;
mod view;

pub use event::Event;
pub use order::{Order, Refusal};
pub use placing::place_at_random;
pub use reading::MOST_OF_BODY;
pub use requests::{Body, FIGHT, INIT, INIT_JSON, PLAY_TURN, Requests};
pub use settings::{LONGEST, MOST_OF_A_LENGTH, MOST_OF_A_SIDE, Settings};
pub use state::BotsArena;
pub use strike::{Strike, StrikeResult};
pub use view::View;
