//! Matches in the browser: a page to keep, a live view, and the report of a tournament.
//!
//! [`page()`] makes one HTML file of a whole match; with the feature `pictures`, `picture` makes a PNG file of a moment and
//! `animation` a GIF file. With the feature `servers`, `Live` shows the same page while the match is played. All know a match
//! only by its scenes, so they serve every game; [`wire`] is the JSON that they give the page. [`report`] makes a page of a
//! tournament, [`site`] the pages of a tournament and all its matches, [`profile_page`] one of the habits of a bot over many games.
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
//!     most_turns: None,
//! };
//! let page = web::page(&history, &about);
//! assert!(page.starts_with("<!doctype html>") && page.contains("Ann"));
//! # Ok(())
//! # }
//! ```
//!
//! # How it works
//!
//! - **A page knows scenes, not games.** It is told a setup, then a frame for every scene, then the end (`wire.rs`). What
//!   turns and ships are called, the colours of ships and where row 0 is come with the setup (`rules::Look`). A frame holds
//!   what is different from the scene before, for all eyes at once: eyes that see the same share one entry. The first frame
//!   differs from boards of plain water. A round of Entelect 2017 is about 500 bytes for all three eyes; a page of 100 rounds
//!   is about 175 KB, of which 95 KB are the page itself and 30 KB the analysis.
//! - **One page, two sources.** The page that one keeps has the pieces in a script element; the live page gets the same
//!   pieces as server-sent events. The JavaScript does not differ, and a live page whose server has ended keeps what it received.
//! - **One log for all streams** (`event_log.rs`): live pages, tables, people who play, and the screens and the API of `serve`. An
//!   event is current until another one of its kind takes its place, or until the match that it belongs to is over. A viewer who begins gets the current events; one that comes
//!   back (`Last-Event-ID`) gets what it missed, by numbers that have a mark of the log. A viewer costs the match nothing: it goes
//!   through the log at its own pace, and there are no queues, so memory is bounded by the match. A
//!   connection begins with the time of the server, by which pages run clocks.
//! - **Nothing is trusted.** Names, deeds and facts reach the page as JSON without `<`, and the screen as text nodes, each
//!   isolated so that it cannot turn round the text beside it. The page's own policy allows its one script and its one style
//!   by their hashes, no connection (the live page: its server), and forbids to turn text into elements
//!   (`require-trusted-types-for`). The live server listens on 127.0.0.1 and answers to local names only, so that a foreign
//!   site cannot have its own name lead to it.
//! - **Spectators** (`live/spectators.rs`) may sit among the players, so they see what `Eye::Everyone` sees. When the match is over,
//!   it is published once more, as the referee sees it. So do the live page of a table (`LiveTable`: lobby, match, result, lobby
//!   again) and the screens of `serve`. In place of boards on which nothing can be seen, the page of a table shows whose turn it is,
//!   totals of salvos and sinkings (`table/main.js`). The rules have no clock, so the program that knows the time limit starts one.
//! - **JavaScript in modules.** A page of one file has the modules of `assets/` joined in the order of `assets.rs`; other servers serve
//!   [`SCRIPTS`] as they are. `match.js`
//!   knows what was told and makes scenes of it (every 32nd is stored, for steps back), `board.js`, `charts.js`,
//!   `timeline.js` and `log.js` each draw one thing, `stream.js` follows a log, `playback.js` knows the moment that is shown, `page.js`
//!   shows it everywhere, `controls.js` is the table of buttons and keys. `.ci/check-scripts` checks the types;
//!   `types.d.ts` has those of the data.
//! - **The page does not tell the end before it comes.** The JSON is taken out of the document once it is read. `page.js`
//!   keeps the last moment that was shown (`seen`); the log and the marks of the timeline go as far, the charts to the moment
//!   that is shown, and the buttons that lead on to a hit lead to the end where none comes. Everything that appears later has
//!   its place from the start, so nothing moves while a match is played.
//! - **Analysis** (`analysis_encoder.rs`, `page/win.js`, `page/chances.js`): pieces of their own, one for a moment, so that a log can send
//!   them after the frame of that moment. The probability to win and the words are what all players know together, and go to all eyes; the
//!   truth goes to the referee, the chances of cells to those who may know all of the seat that fires. The page finds the turning points itself
//!   (`graph.js`), among the moments so far. Of a match that is played, a thread makes the pieces (`live/live_analysis.rs`); the last event of its
//!   log, `end`, comes when all are there. An analysed round of Entelect 2017 has about 300 bytes more.
//! - **People who play** (`web/src/person/`) have a page each, with a token of 128 bits in its address. `PersonWatch` makes
//!   the pieces for one eye, that of the seat, and leaves out the seed, from which built-in players draw their ships; the
//!   referee's pieces are made beside them and shown at the end. `WebPerson` publishes a question and waits for requests of
//!   the page in the thread that asked it, because only there the rules can check an order (`Ask::check`): the page gets the
//!   reason, and the turn goes on. A question has a number, so that a second page cannot answer one that is over.
//!   `players::PersonGame` is what a game tells about its fleet and orders; `ConsoleGame` adds what only the terminal needs.
//!   The grids for pointers and keys lie over the drawings of the boards (`person/grid.js`), so the board is drawn as
//!   everywhere. `getrandom` gives the tokens.
//! - **Pictures** (`web/src/picture/`) are drawn from scenes, too: `layout.rs` has the places of all parts, `board.rs` a
//!   board, `cell.rs` the signs of a cell with tiny-skia, `canvas.rs` pixels in 255 colours, which a PNG and a GIF file can
//!   have. The colours are read from `colours.css`. A frame of an animation has only the pixels that changed: 106 rounds are
//!   330 KB.
//! - **Tests** open the page in a real Chromium, found on the PATH: Debian's `chromium-headless-shell` will do.
//!   `tests/web/quality.rs` runs the rules of axe-core and measures layout shifts and frames per second.
//!   `tests/web/devtools.rs` is a client of the Chrome DevTools Protocol of our own, because the generated code of
//!   chromiumoxide was 12 % of the build of all tests, and the tests use ten of its commands. `cargo run -p web --example
//!   screenshots -- FOLDER` takes pictures to look at.

#![cfg_attr(
    not(feature = "servers"),
    expect(dead_code, reason = "live pages use these functions, and only the feature `servers` has live pages")
)]

mod about;
mod analysis_encoder;
mod assets;
#[cfg(feature = "servers")]
mod event_log;
mod frame_encoder;
mod history_encoder;
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
mod piece;
mod profile;
mod report;
pub mod site;
pub mod wire;

pub use about::About;
pub use assets::{PageParts, SIGNS};
#[cfg(feature = "servers")]
pub use assets::{SCRIPTS, STYLES};
#[cfg(feature = "servers")]
pub use event_log::{Beginning, CurrentEvent, EventLog, EventScope};
#[cfg(feature = "servers")]
pub use live::{Live, LiveError, LiveTable, Spectators};
#[cfg(feature = "servers")]
pub use page::{Showing, finished_log};
pub use page::{analysed_page, page, page_of_site};
#[cfg(feature = "servers")]
pub use person::{PersonSeat, PersonSeats, PersonServer, PersonWatch, WebPerson};
#[cfg(feature = "pictures")]
pub use picture::{animation, picture};
pub use profile::{PROFILE_ROWS, ProfileAbout, ProfiledBot, TOO_LARGE, profile_page};
pub use report::{MatchList, ReportAbout, TournamentHistory, relative_link, report, site_index};
