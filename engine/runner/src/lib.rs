//! The runner: sets up and plays matches and tournaments from a description, and reports by events.
//!
//! This is the one way a match is made: single matches, checks, tournaments and servers use it. It prints nothing,
//! reads no command line and installs no signal handler. A match between two folders:
//!
//! ```
//! # let bots = runner::doctest::bots(2);
//! # let (my_bot, other) = (bots.path().join("0"), bots.path().join("1"));
//! use runner::{BotOptions, Context, GameSetup, MatchOptions, PreparedMatch, ProgramSetup};
//!
//! let setup = ProgramSetup::new(Default::default(), BotOptions::default(), Context::silent()?);
//! let contestants = setup.find_all([my_bot.to_str().unwrap(), other.to_str().unwrap()])?;
//! let options = MatchOptions { folder: Some(bots.path().join("match")), ..MatchOptions::default() };
//! let played = PreparedMatch::new(setup, contestants, options)?.play(&mut ())?;
//! println!("the winner is {}", played.winner().unwrap_or("nobody"));
//! # assert!(played.result.is_ok() && bots.path().join("match/match.jsonl").is_file());
//! # Ok::<(), runner::RunnerError>(())
//! ```
//!
//! A round robin of three bots, with its journal in a folder; the same program again goes on with it:
//!
//! ```
//! # let bots = runner::doctest::bots(2);
//! # let folders = ["0", "1"].map(|name| bots.path().join(name).display().to_string());
//! # let [my_bot, other] = &folders;
//! use runner::{BotOptions, Context, GameSetup, PreparedTournament, ProgramSetup, TournamentOptions};
//! use std::ops::ControlFlow;
//! use tournament::Standings;
//!
//! let setup = ProgramSetup::new(Default::default(), BotOptions::default(), Context::silent()?);
//! let contestants = setup.find_all([my_bot, other, "builtin:random"])?;
//! let folder = bots.path().join("round robin");
//! let options = TournamentOptions { games: 2, folder: Some(folder.clone()), ..TournamentOptions::default() };
//! let tournament = PreparedTournament::new(setup, contestants, options)?;
//! let played = tournament.play(&mut |_, _| ControlFlow::Continue(()))?;
//! for standing in Standings::new(&played.table, None).all() {
//!     println!("{}. {}", standing.place, standing.entrant.name);
//! }
//! # assert_eq!(played.table.results().games(), 6);
//! # assert!(folder.join("games.jsonl").is_file());
//! # Ok::<(), runner::RunnerError>(())
//! ```
//!
//! # Where to look
//!
//! - [`GameSetup`] finds contestants; [`MatchFactory`] seats them. There are [`ProgramSetup`] for the Entelect Challenge 2017,
//!   [`ServiceSetup`] for games over HTTP and [`BuiltInSetup`] for all others.
//! - [`PreparedMatch`] is a single match, [`PreparedTournament`] many games.
//! - [`Report`] is what is told of builds, time limits, the sandbox and folders.
//!
//! # How it works
//!
//! - A `GameSetup` is a game with its settings, before it is known who plays: `ProgramSetup` (Entelect, bots are folders),
//!   `ServiceSetup` (bots are URLs, or folders whose programs are asked by lines), `BuiltInSetup` (Salvo, whose teams
//!   connect to a server). It finds **contestants** by name. A player of the calling program, such as a person at the
//!   console, is a contestant, too (`Contestant::own`).
//! - `open` makes it a `MatchFactory`: folders are copied where that is wanted, languages are measured, the sandbox is made.
//!   The factory seats the players of any number of matches between its contestants. It knows whether its game has files
//!   beside the record (`SideFiles`).
//! - `PreparedMatch` plays one match; nothing on the disk changes before `play`, so that a taken port or a wrong setting
//!   leaves no folder. `PreparedTournament` opens the journal, matches its entrants with those that were named, and gives
//!   the games to `tournament::run`. `check_program` and `check_service` play matches and look at the turns of one bot.
//! - The runner prints nothing. It sends `Report`s (a build begins, a language gets more time, the sandbox has gaps) to the
//!   `Reporter` of its `Context`, which also has the `Interrupt`. The terminal program turns reports into lines, and signals
//!   into the interrupt, but not before bots are built: Ctrl-C ends a build at once.
//! - The guardian is a second process of the same program. A program that embeds the library calls `guardian::enable`,
//!   `watch` and `dismiss`, or goes without. It is started before the first process of a bot, be it a build, a calibration
//!   or a turn.

mod bots;
mod check;
mod contestant;
#[doc(hidden)]
pub mod doctest;
mod entrants;
mod error;
mod factory;
mod folders;
mod game_report;
mod late_players;
mod names;
mod options;
mod report;
mod seed;
mod setups;
mod single;
mod solo_score;
mod tournament_game;
mod tournaments;

pub use bots::advice::{Advice, BuildFlags};
pub use bots::http_bot::{HttpBot, Service, split_name};
pub use bots::line_bots::LineBots;
pub use bots::program::{Program, is_pattern};
pub use bots::sandbox::SandboxLevel;
pub use check::{CheckedGame, CheckedTurns, TurnFault, WatchGame, check_program, check_service};
pub use contestant::{Contestant, ContestantKind, MakePlayer};
pub use error::{BotChange, RunnerError};
pub use factory::{ContestantOf, Contestants, GameSetup, LeftOut, MatchFactory, Opening, Seating, SideFileOptions};
pub use folders::{FOLDER_NAME, LATEST, REPLAYS, ScratchFolder, TOURNAMENTS, state_folder};
pub use game_report::is_kind_of_fault;
pub use options::{BotOptions, CpuLimit, TimeLimit};
pub use report::{Context, Report, Reporter, Silent, with_causes};
pub use seed::fresh_seed;
pub use setups::built_in_setup::BuiltInSetup;
pub use setups::program_setup::{ProgramMatches, ProgramSetup, first_question};
pub use setups::service_setup::{ServiceMatches, ServiceSetup};
pub use single::{MatchOptions, MatchOutput, PlayedMatch, PreparedMatch, start};
pub use solo_score::{SoloScore, solo_scores};
pub use tournament_game::{
    FAULTS, FIRST_KEPT, FactoryGames, KeptGames, LostGames, game_name, kept_record, record_path,
};
pub use tournaments::{PlayedTournament, PreparedTournament, TEMPLATES, TournamentDescription, TournamentOptions};
