//! Matches in the browser: a page to keep, a live view, and the report of a tournament.
//!
//! [`page()`] makes one HTML file of a whole match, [`picture()`] a PNG file of a moment and [`animation()`] a GIF file.
//! [`Live`] shows the same page while the match is played. All know a match only by its scenes, so they serve every game;
//! [`wire`] is the JSON that they give the page. [`report`] makes a page of a tournament, [`site`] the pages of a tournament
//! and all its matches.
//!
//! The page of a match that is played and recorded in memory:
//!
//! ```
//! # fn main() -> Result<(), arena::ArenaError> {
//! use arena::{GameHistory, Players, Sequence, play};
//! use players::BuiltIn;
//! use rules::sea_battle::{SeaBattle, Settings};
//! use rules::{Game, Seat};
//!
//! let game = SeaBattle::start(&Settings::default(), 2, 7).expect("two players can play");
//! let mut history = GameHistory::new(game.clone(), 2);
//! let mut players: Players<SeaBattle> =
//!     [1, 2].into_iter().map(|seed| BuiltIn::Hunter.player(seed)).collect();
//! play(game, &mut players, Sequence::Together, &mut history)?;
//!
//! let about = web::About {
//!     names: ["Ann", "Bob"].into_iter().map(str::to_owned).collect(),
//!     title: "Sea Battle".to_owned(),
//!     played: "today".to_owned(),
//!     seed: Some(7),
//!     engine: "my program 1.0".to_owned(),
//!     note: None,
//! };
//! let page = web::page(&history, &about);
//! assert!(page.starts_with("<!doctype html>") && page.contains("Ann"));
//! # Ok(())
//! # }
//! ```

mod about;
mod assets;
mod frame_encoder;
mod frame_log;
mod http_connection;
pub mod http_server;
mod live;
mod notes;
mod page;
mod person;
mod picture;
mod report;
pub mod site;
pub mod wire;

pub use about::About;
pub use assets::SIGNS;
pub use frame_encoder::ship_name;
pub use live::{Live, LiveError, LiveTable};
pub use page::{page, page_of_site};
pub use person::{PersonSeat, PersonSeats, PersonWatch, WebPerson, WebTable};
pub use picture::{animation, picture};
pub use report::{MatchList, ReportAbout, TournamentHistory, report, site_index};
