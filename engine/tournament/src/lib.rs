//! Tournaments: which games are played, the scheduler, the journal, and the strength of the bots.
//!
//! A [`Plan`] gives the games, [`run`] has them played by a [`GamePool`] and writes them to the journal, a [`ScoreTable`] adds them up, and
//! [`Standings`] order the entrants. The statistics ([`Ratings`], [`Estimate`], [`Sprt`]) are arithmetic on counts: bots
//! are indexes, results are seen from the first bot, and all randomness comes from a seed. `docs/statistics.md` explains
//! them to organisers. Where bots come and go and play without end, [`LadderRules`] choose who plays next.
//!
//! ```
//! use arena::{ArenaError, Interrupt};
//! use rules::{Ending, GameKind, Outcome, PlayerInfo, Seat};
//! use std::ops::ControlFlow;
//! use tournament::{
//!     Entrant, Fixture, Format, GameLine, GameRunner, JournalLine, Plan, PlayerLine, RunSettings, ScoreTable, Standings,
//!     StopReason, TournamentHeader, run, with_threads,
//! };
//!
//! /// Lets the entrant win that was named first. A real one plays a match.
//! struct FirstWins;
//!
//! impl GameRunner for FirstWins {
//!     fn play(&self, fixture: Fixture) -> Result<GameLine, ArenaError> {
//!         let winner = fixture.seat_of_first();
//!         Ok(GameLine {
//!             fixture,
//!             seed: fixture.seed(1, ["one", "two"]).to_string(),
//!             outcome: Outcome {
//!                 winner: Some(winner),
//!                 ranking: vec![winner, winner.opponent()],
//!                 points: [0, 0].into_iter().collect(),
//!                 scoring: Default::default(),
//!                 ending: Ending::FleetSunk { seats: vec![winner.opponent()] },
//!                 turns: 9,
//!             },
//!             players: [PlayerLine::default(), PlayerLine::default()].into_iter().collect(),
//!             suspect: None,
//!             repeats: 0,
//!             record: None,
//!             machine: None,
//!             took_ms: 1,
//!             ended: "2026-11-21T12:00:00Z".to_owned(),
//!         })
//!     }
//! }
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join(tournament::GAMES_JSONL);
//! let header = TournamentHeader::new(GameKind::SeaBattle, serde_json::json!({}), Format::RoundRobin, None, 1);
//! let (mut journal, mut table) = ScoreTable::open(&path, &header)?;
//! for name in ["one", "two"] {
//!     let details = PlayerInfo::named(name);
//!     let entrant = Entrant::new(name.to_owned(), format!("bots/{name}"), details);
//!     journal.append(&JournalLine::Entrant(entrant.clone()))?;
//!     table.enter(entrant);
//! }
//! let mut plan = Plan::new(Format::RoundRobin, 2, 10, None);
//! let interrupt = Interrupt::new()?;
//! let settings = RunSettings { repeat_suspect: true, is_needed: &|_| true, interrupt: &interrupt };
//! let mut watch = |_: tournament::SchedulerEvent<'_>, _: &ScoreTable| ControlFlow::Continue(());
//! let (reason, failed) = with_threads(2, &FirstWins, |threads| {
//!     run(&mut plan, &mut table, &mut journal, threads, settings, &mut watch)
//! })?;
//! assert_eq!((reason, failed.len(), table.results().games()), (StopReason::Complete, 0, 10));
//! assert_eq!(Standings::new(&table, None).all()[0].entrant.name, "one");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it works
//!
//! A plan is an iterator over games: it stores a position, not the list, and asks only for results. So a tournament that goes
//! on after a stop, with more games or with more bots, is the same as one that begins. The scheduler is one thread; workers
//! only play. It alone writes the journal, so lines never mix. The score table owns the results; plan, standings and tests
//! read them there. Games are played in a `GamePool`. The pool of this process has threads and a `GameRunner`, which seats
//! players with a `MatchFactory` and plays with the same loop and observers as any match. The other pool is the head of a
//! cluster, which makes jobs of games and waits for answers; a worker plays them by the same `GameRunner`. The scheduler
//! knows no difference: a pool says what playing alone means, and is told when the games that it returned are on the disk.
//!
//! The kernel tells whether a time-out is the bot's fault: before a late process is reaped, `/proc/PID/task/*/schedstat` has
//! the time that its threads were ready to run and had no processor.

mod board_names;
mod columns;
mod fixture;
mod formats;
mod headline;
mod journal;
mod ladder;
mod ladder_ratings;
mod opponents;
mod pairs;
mod pool;
mod results;
mod scheduler;
mod score_table;
mod shots;
mod standings;
mod strength;
mod times;
mod void_games;
mod worker_names;

pub use arena::GAMES_JSONL;
pub use board_names::{BOARDS_OF_DAY, board_name, board_of_day, day_of};
pub use columns::{Column, ColumnGroup, columns};
pub use fixture::{Fixture, NextGame, SeedScope};
pub use formats::final_bracket::{FinalBracket, FinalMeetings};
pub use formats::format::Format;
pub use formats::knockout_tree::{KnockoutMeeting, KnockoutRound, KnockoutSeeds, KnockoutTree};
pub use formats::plan::Plan;
pub use formats::swiss_table::{SwissMeeting, SwissRound, SwissTable};
pub use headline::{Headline, HeadlinePart};
pub use journal::{
    Entrant, FailedGame, GameLine, JOURNAL_VERSION, JournalLine, LeftOutBot, PlayerLine, Retirement, TournamentHeader,
    VoidGames,
};
pub use ladder::{LadderBot, LadderRules};
pub use ladder_ratings::{LadderPlace, LadderRatings};
pub use opponents::OpponentResults;
pub use pairs::{GameResult, PairingResult, Pentanomial, WinDrawLoss};
pub use pool::{EndedGame, GamePool, GameRunner, with_threads};
pub use results::Results;
pub use scheduler::{IN_A_ROW, RunSettings, SchedulerEvent, StopReason, run};
pub use score_table::{EntrantRow, MachineRow, PairingRow, ScoreTable};
pub use shots::{BoardShots, MeanShots, ShotBins};
pub use standings::{Standing, Standings};
pub use strength::elo::{Estimate, elo_of_score, score_of_elo};
pub use strength::mean_test::{MeanTest, MeanVerdict};
pub use strength::rating::{Rating, Ratings};
pub use strength::sprt::{EloModel, Sprt, SprtError, Verdict};
pub use times::Times;
pub use worker_names::{ForgetError, WorkerNames, forget_worker};
