//! Matches in the browser: a page to keep, a live view, and the report of a tournament.
//!
//! [`page()`] makes one HTML file of a whole match; with the feature `pictures`, `picture` makes a PNG file of a moment and
//! `animation` a GIF file. With the feature `servers`, `Live` shows the same page while the match is played. All know a match
//! only by its scenes, so they serve every game; [`wire`] is the JSON that they give the page. [`report`] makes a page of a
//! tournament, [`site`] the pages of a tournament and all its matches.
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

#![cfg_attr(
    not(feature = "servers"),
    expect(dead_code, reason = "live pages use these functions, and only the feature `servers` has live pages")
)]

mod about;
mod assets;
mod frame_encoder;
mod frame_log;
#[cfg(feature = "servers")]
mod http_connection;
#[cfg(feature = "servers")]
pub mod http_server;
#[cfg(feature = "servers")]
mod live;
mod notes;
mod page;
#[cfg(feature = "servers")]
mod person;
#[cfg(feature = "pictures")]
mod picture;
mod report;
pub mod site;
pub mod wire;

pub use about::About;
pub use assets::SIGNS;
pub use frame_encoder::ship_name;
#[cfg(feature = "servers")]
pub use live::{Live, LiveError, LiveTable};
pub use page::{page, page_of_site};
#[cfg(feature = "servers")]
pub use person::{PersonSeat, PersonSeats, PersonWatch, WebPerson, WebTable};
#[cfg(feature = "pictures")]
pub use picture::{animation, picture};
pub use report::{MatchList, ReportAbout, TournamentHistory, report, site_index};
