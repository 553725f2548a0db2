//! Everything that can sit in a seat: bots as child processes and as servers, people at the console, built-in players.
//!
//! ```
//! use arena::{Observers, Players, Sequence, play};
//! use players::BuiltIn;
//! use rules::sea_battle::{SeaBattle, Settings};
//! use rules::{Game, Seat};
//!
//! let mut players: Players<SeaBattle> =
//!     [BuiltIn::Hunter, BuiltIn::Random].into_iter().map(|built_in| built_in.player(1)).collect();
//! let game = SeaBattle::start(&Settings::default(), 2, 7)?;
//! let outcome = play(game, &mut players, Sequence::InTurn, &mut Observers::new())?;
//! assert_eq!(outcome.winner, Some(Seat::A));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bot;
mod builtin;
mod console;
mod content_hash;
mod dialect_search;
pub mod http;
mod manifest;
mod over_http;
pub mod process;
mod shell;
mod tool;
mod transport;

pub use bot::Bot;
pub use builtin::{BuiltIn, WithBuiltIns};
pub use console::{
    Aim, Console, ConsoleGame, ConsoleOptions, FleetEntry, FleetPlan, FleetShip, Keyboard, OrderHint, PersonGame,
    PlacedShip, SalvoConsole, SalvoScreen, ShipWay,
};
pub use content_hash::{LEFT_OUT, content_hash};
pub use dialect_search::{FoundDialects, OnDialectFound};
pub use manifest::{Manifest, ManifestError};
pub use over_http::{HttpPlayerFactory, OverHttp, Recipient};
pub use process::BuildError;
pub use shell::shell_word;
pub use tool::{Tools, is_executable};
pub use transport::{Delivery, Transport};
