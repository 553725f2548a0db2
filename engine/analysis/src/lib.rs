//! Analysis of matches: skill, luck, and the probability to win.
//!
//! [`Analysed`] is a game whose fleets can be reasoned about: what a seat knows of its opponents' ships as the [`Facts`] of the crate
//! `chances`. [`Knowledge`] is that of one seat at one moment, with the chance of a hit in each cell. [`Analyst`] follows a match: for each turn it
//! gives what the shots were worth, and the probability of each seat to win. [`profile`] adds up what a player does in many matches.

mod game;
mod games;
mod knowledge;
mod outlook;
mod position;
pub mod profile;
mod race;
mod record;
mod report;
mod shots;
mod words;

pub use chances::{Chances, Effort, Facts, Layout, Method};
pub use game::{Analysed, Calibration, Deeds, Fired, Pace, TargetBoard};
pub use games::battleship;
pub use knowledge::Knowledge;
pub use outlook::Outlook;
pub use position::{Analyst, Position, Turn};
pub use record::{RecordAnalysis, analyse_record, analyse_record_as};
pub use report::{
    BoardChances, MatchAnalysis, MatchAnalyst, Moment, SeatSummary, ShotReport, TurningPoint, Win, turning_points,
};
pub use shots::{Shots, Totals};
