//! The rules of five Battleship games, and the text their players read and write.
//!
//! A match is a value of a type that is a [`Game`]: [`Entelect2017`](entelect_2017::Entelect2017),
//! [`SeaBattle`](sea_battle::SeaBattle), [`BotsArena`](bots_arena::BotsArena), [`Salvo`](salvo::Salvo), or [`Battleship`](battleship::Battleship) by rules
//! that are data. It takes orders and
//! gives events, views and an [`Outcome`]. Everything here is pure: no clock, disk, network, threads or environment, and
//! randomness only from a given seed. The same settings, seats, seed and answers always give the same match.
//!
//! The README of the crate has a table of the games and what is stable from version to version; `examples/` has three programs.
//! This page is by task:
//!
//! - [Play a match between two functions](#play-a-match-between-two-functions)
//! - [Check an order before giving it](#check-an-order-before-giving-it)
//! - [Search: clone the state and try moves](#search-clone-the-state-and-try-moves)
//! - [Show only what one seat may know](#show-only-what-one-seat-may-know)
//! - [Write a new game](#write-a-new-game)
//! - [Read and write what bots of 2017 exchange](#read-and-write-what-bots-of-2017-exchange)
//! - [Do something with every game](#do-something-with-every-game)
//!
//! # Play a match between two functions
//!
//! [`Game::start`] makes the state before the first turn. Until there is an [`outcome`](Game::outcome), ask the seats that are
//! [awaited](Game::awaited) for an order, each for its [`view`](Game::view), and [`advance`](Game::advance). A player that has no
//! order gives a [`Fault`], and the rules say what that costs. [`Game::step`] does the same with borrowed orders, and is faster.
//!
//! ```
//! use rules::bots_arena::{BotsArena, Order, Settings, View, place_at_random};
//! use rules::{Game, Seat};
//!
//! fn columns(view: &View) -> Order {
//!     order(view, 1, view.own_strikes.len())
//! }
//! fn columns_from_the_end(view: &View) -> Order {
//!     order(view, 2, 99 - view.own_strikes.len())
//! }
//! fn order(view: &View, seed: u64, target: usize) -> Order {
//!     match view.placing {
//!         true => Order::Place(place_at_random(&view.settings, &mut rules::random(seed)).expect("there is room")),
//!         false => Order::Strike(view.settings.grid().points().nth(target).expect("the board has 100 cells")),
//!     }
//! }
//!
//! let players: [fn(&View) -> Order; 2] = [columns, columns_from_the_end];
//! let mut game = BotsArena::start(&Settings::default(), 2, 7)?;
//! while game.outcome().is_none() {
//!     let order = |seat: Seat| players[seat.index()](&game.view(seat));
//!     let answers = game.awaited().iter().map(|seat| (seat, Ok(order(seat)))).collect();
//!     game.advance(answers);
//! }
//! assert!(game.outcome().is_some_and(|outcome| outcome.winner.is_some()));
//! # Ok::<(), rules::SetupError>(())
//! ```
//!
//! In Entelect Challenge 2017 a round may await nobody although the match goes on: then there are no answers, and the
//! loop above is still right. Give each player a generator of its own ([`random`] of [`seat_seed`]), so that none can guess what the
//! other draws.
//!
//! # Check an order before giving it
//!
//! [`Game::check`] tells whether an order would be obeyed, as far as its seat can know, and why not. It changes nothing.
//!
//! ```
//! use rules::bots_arena::{BotsArena, Order};
//! use rules::{Game, Point, Seat};
//!
//! let game = BotsArena::start(&Default::default(), 2, 7)?;
//! let too_early = Order::Strike(Point::new(3, 4));
//! assert_eq!(game.check(Seat::A, &too_early).unwrap_err().to_string(), "the ships must be placed first");
//! # Ok::<(), rules::SetupError>(())
//! ```
//!
//! # Search: clone the state and try moves
//!
//! The state is a value: a clone is a snapshot, and what happens to it leaves the match alone.
//!
//! ```
//! use rules::bots_arena::{BotsArena, Order, place_at_random};
//! use rules::{Game, Seat};
//!
//! let mut game = BotsArena::start(&Default::default(), 2, 7)?;
//! let fleets = [1, 2].map(|seed| place_at_random(game.settings(), &mut rules::random(seed)).map(Order::Place));
//! let [Some(a), Some(b)] = fleets else { unreachable!("there is room for the usual ships") };
//! game.step(|seat| Ok(if seat == Seat::A { &a } else { &b }));
//!
//! let points = |order: &Order| {
//!     let mut trial = game.clone();
//!     trial.step(|_| Ok(order));
//!     trial.points(Seat::A)
//! };
//! let strikes = game.settings().grid().points().map(Order::Strike);
//! let best = strikes.max_by_key(points).expect("the board has cells");
//! assert_eq!((points(&best), game.points(Seat::A)), (1, 0));
//! # Ok::<(), rules::SetupError>(())
//! ```
//!
//! A clone of the true state knows the opponent's ships, so this player cheats. One that does not is in `examples/search.rs`: from
//! its view it draws fleets that the opponent may have, and tries its moves in matches with those.
//!
//! # Show only what one seat may know
//!
//! Three things are for one seat: its [`view`](Game::view), the events that are [told](Told) to it, and the scene for its
//! [`Eye`]. An event's [`Audience`] is the one definition of what is secret.
//!
//! ```
//! use rules::sea_battle::{Event, Order, SeaBattle, random_fleet};
//! use rules::{Eye, Game, Mark, Point, Seat};
//!
//! let mut game = SeaBattle::start(&Default::default(), 2, 7)?;
//! let place = |seat: Seat| Ok(Order::Place(random_fleet(&mut rules::random(seat.index() as u64))));
//! game.advance(game.awaited().iter().map(|seat| (seat, place(seat))).collect());
//!
//! let first = game.awaited().iter().next().expect("one player moves");
//! let events = game.advance([(first, Ok(Order::Radar(Point::new(4, 4))))].into_iter().collect());
//! let seen = |seat: Seat| events.iter().filter(|told| told.to.includes(seat)).map(|told| &told.event).collect::<Vec<_>>();
//! assert!(matches!(seen(first)[..], [Event::UsedRadar { .. }, Event::Scanned { .. }]));
//! assert!(matches!(seen(first.opponent())[..], [Event::UsedRadar { .. }]));
//!
//! // No ship of the opponent is on the board that the seat is shown.
//! let scene = game.scene(Eye::Seat(first));
//! let other = &scene.boards[first.opponent().index()];
//! assert!(other.cells.iter().all(|cell| !matches!(cell.mark, Mark::Ship('A'..='Z'))));
//! # Ok::<(), rules::SetupError>(())
//! ```
//!
//! # Write a new game
//!
//! A game is a type that is a [`Game`]. [`GameKind`] lists the games of this crate, so another one is added here:
//! `docs/adding/a-game.md` of the project has the steps, [`Listed`] what else such a game has. A variant of one of them can be in
//! your own program, where it has the kind of that game; it needs `serde` with `derive`. This is Sea Battle without radar:
//!
//! ```
//! use rules::sea_battle::{Event, Order, SeaBattle, Settings, View};
//! use rules::{AnswerRef, Eye, Fault, Game, GameKind, Illegal, Outcome, Scene, Seat, Seats, SetupError, Told};
//!
//! #[derive(Clone, serde::Serialize)]
//! struct NoRadar(SeaBattle);
//!
//! impl Game for NoRadar {
//!     type Settings = Settings;
//!     type View = View;
//!     type Order = Order;
//!     type Event = Event;
//!     const KIND: GameKind = SeaBattle::KIND;
//!     const SEATS: std::ops::RangeInclusive<u8> = SeaBattle::SEATS;
//!
//!     fn start(settings: &Settings, seats: u8, seed: u64) -> Result<NoRadar, SetupError> {
//!         SeaBattle::start(settings, seats, seed).map(NoRadar)
//!     }
//!     fn check(&self, seat: Seat, order: &Order) -> Result<(), Illegal> {
//!         match order {
//!             Order::Radar(_) => Err(Illegal("there is no radar".to_owned())),
//!             _ => self.0.check(seat, order),
//!         }
//!     }
//!     fn step<'a>(&mut self, answer: impl Fn(Seat) -> AnswerRef<'a, Order>) -> &[Told<Event>] {
//!         let fault = Fault::unreadable("there is no radar");
//!         self.0.step(|seat| match answer(seat) {
//!             Ok(Order::Radar(_)) => Err(&fault),
//!             other => other,
//!         })
//!     }
//!     fn awaited(&self) -> Seats { self.0.awaited() }
//!     fn view(&self, seat: Seat) -> View { self.0.view(seat) }
//!     fn outcome(&self) -> Option<Outcome> { self.0.outcome() }
//!     fn scene(&self, eye: Eye) -> Scene { self.0.scene(eye) }
//! }
//!
//! let mut game = NoRadar::start(&Settings::default(), 2, 7)?;
//! let place = |seed| Ok(Order::Place(rules::sea_battle::random_fleet(&mut rules::random(seed))));
//! game.advance([(Seat::A, place(1)), (Seat::B, place(2))].into_iter().collect());
//! let next = game.awaited().iter().next().expect("one player moves");
//! game.advance([(next, Ok(Order::Radar(Default::default())))].into_iter().collect());
//! assert_eq!(game.outcome().and_then(|outcome| outcome.winner), Some(next.opponent()));
//! # Ok::<(), SetupError>(())
//! ```
//!
//! # Read and write what bots of 2017 exchange
//!
//! [`entelect_2017::files`] has the files: [`Files`](entelect_2017::files::Files) is the [`Dialect`] that makes `state.json` and
//! `map.txt` of a view, [`Listed::read`] reads `place.txt` and `command.txt`, and [`Listed::write`] writes them.
//!
//! ```
//! use rules::entelect_2017::files::{COMMAND_TXT, Files, STATE_JSON};
//! use rules::entelect_2017::{Entelect2017, Order, Weapon};
//! use rules::{BySeat, Dialect, Game, Listed, Part, PlayerInfo, Point, Seat};
//!
//! let game = Entelect2017::start(&Default::default(), 2, 7)?;
//! let files = Files::new(BySeat::from_iter(["Hunter", "Kraken"].map(PlayerInfo::named)));
//! let question = files.ask(Seat::A, &game.view(Seat::A));
//! assert_eq!(question.folder, "Phase 1 - Round 0/A");
//! assert_eq!(question.files[0].name, STATE_JSON);
//!
//! let order = Order::Fire { weapon: Weapon::SingleShot, centre: Point::new(3, 4) };
//! let answer = Part { name: COMMAND_TXT, bytes: b"1,3,4".to_vec() };
//! assert_eq!(game.read(&[answer]), Ok(order.clone()));
//! assert_eq!(Entelect2017::write(&order)[0].name, COMMAND_TXT);
//! # Ok::<(), rules::SetupError>(())
//! ```
//!
//! The dialects of Sea Battle and botsArena are [`sea_battle::Json`] and [`bots_arena::Requests`]. Salvo asks nobody, so it has no
//! dialect: [`salvo::body`] has its messages and [`salvo::Topics`] where they go.
//!
//! # Do something with every game
//!
//! [`GameKind::ALL`] lists the games, [`GameKind::from_name`] finds one, and [`GameKind::with`] calls a function that is
//! generic over [`Listed`] games ([`WithGame`]).

mod cells;
mod dialect;
mod fleet;
mod game;
mod games;
mod grid;
mod input_text;
mod kind;
mod listed_game;
mod log;
mod look;
mod milliseconds;
mod player_info;
mod printable;
mod scene;
mod seat;
mod shape;
mod team_name;

pub mod battleship;
pub mod bots_arena;
pub mod entelect_2017;
pub mod salvo;
pub mod sea_battle;

pub use cells::Cells;
pub use dialect::{BOUNDARY, ContentType, Dialect, FolderMessage, HttpRequest, Part};
pub use fleet::{place_shapes, random_fleet, straight};
pub use game::{
    Answer, AnswerRef, Answers, Audience, Ending, Fault, Game, Illegal, MatchBounds, Outcome, Scoring, SetupError, Told,
};
pub use grid::{Direction, Grid, Point};
pub use input_text::{EncodingError, InputError, input_json, input_text, json_hint, json_mistake, without_mark};
pub use kind::{GameKind, counted};
pub use listed_game::{Listed, Reach, WithGame, settings_with};
pub use log::Log;
pub use look::{FirstRow, Hue, Look, ShipLook};
pub use milliseconds::{from_milliseconds, milliseconds};
pub use player_info::PlayerInfo;
pub use printable::{csv_field, printable, printable_line, printable_prefix, printable_text};
pub use scene::{
    BoardScene, CellScene, Eye, Highlight, HighlightKind, Mark, Mover, SalvoTotal, Scene, ShipScene, Sinking,
};
pub use seat::{BySeat, NoSuchSeat, Seat, Seats, TooManySeats};
pub use shape::Shape;
pub use team_name::{TeamNameError, check_team_name, look_alike};

/// The methods that draw from [`Random`].
pub use rand::RngExt;

/// The code of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The generator behind everything random: its sequence for a seed is the same on every machine and in every version.
pub type Random = rand_chacha::ChaCha8Rng;

/// A generator for `seed`.
pub fn random(seed: u64) -> Random {
    rand::SeedableRng::seed_from_u64(seed)
}

/// The seed that the player in `seat` is given in a match with this seed. The seed of another seat cannot be computed from
/// it.
pub fn seat_seed(seed: u64, seat: Seat) -> u64 {
    use rand::{Rng, SeedableRng};
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8] = seat.index() as u8;
    Random::from_seed(key).next_u64()
}
