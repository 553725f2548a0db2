//! Tournaments within a contest: those that the administrator begins, the games that teams ask for, and finals.

use crate::state::finals::final_plan::planned_start;
use crate::state::name::BotId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use tournament::Format;

/// The result of a tournament that was called off.
pub(crate) const CALLED_OFF: &str = "called off";
/// The most entrants of a tournament.
pub(crate) const MOST_ENTRANTS: usize = 500;
/// The most games of a meeting.
const MOST_GAMES: u32 = 1000;

/// A tournament within a contest.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ContestTournament {
    pub(crate) plan: TournamentPlan,
    /// The time when it began.
    pub(crate) began: String,
    /// The result in words, once it is over.
    pub(crate) result: Option<String>,
}

impl ContestTournament {
    /// True if it was called off before its last game.
    pub(crate) fn is_called_off(&self) -> bool {
        self.result.as_deref() == Some(CALLED_OFF)
    }

    /// True until it is over.
    pub(crate) fn is_open(&self) -> bool {
        self.result.is_none()
    }
}

/// A final of a contest that is planned: then the best bots play a knockout, for everyone to watch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlannedFinal {
    /// The time when it begins.
    pub start: String,
    /// The most bots that take part.
    pub entrants: u32,
    /// The most games of a meeting; odd.
    pub best_of: u32,
}

impl PlannedFinal {
    /// Checks that it can be played; else returns the reason.
    pub(crate) fn check(&self) -> Result<(), String> {
        planned_start(&self.start, self.entrants, self.best_of).map(drop)
    }
}

/// The plan of a tournament within a contest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TournamentPlan {
    /// The team that asked for the games, of which only it is told; `None` for a tournament of the administrator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<BotId>,
    /// Which entrants meet.
    pub format: Format,
    /// The games of a meeting.
    pub games: u32,
    /// The time for which screens show a turn of a final, in milliseconds; `None` in other tournaments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pace: Option<u64>,
    /// Two differences in Elo: the games end as soon as a sequential test accepts one of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<[f64; 2]>,
    /// The versions that play, as `versions/BOT-NUMBER`, and built-in players, the strongest first.
    pub entrants: Vec<String>,
}

impl TournamentPlan {
    /// Checks that it can be played; else returns the reason.
    pub(crate) fn check(&self) -> Result<(), String> {
        let different: BTreeSet<&String> = self.entrants.iter().collect();
        if different.len() < self.entrants.len() {
            return Err("a version plays in a tournament once".to_owned());
        }
        if !(2..=MOST_ENTRANTS).contains(&self.entrants.len()) {
            let count = self.entrants.len();
            return Err(format!("a tournament has 2 to {MOST_ENTRANTS} entrants, not {count}"));
        }
        if !(1..=MOST_GAMES).contains(&self.games) {
            return Err(format!("a meeting has 1 to {MOST_GAMES} games, not {}", self.games));
        }
        if (self.format == Format::Final) != self.pace.is_some() {
            return Err("a final is planned, and no other tournament has a pace".to_owned());
        }
        if matches!(self.format, Format::Ladder | Format::Grading) {
            return Err(format!("a contest has no tournament of the format {}", self.format.name()));
        }
        match self.sprt {
            Some([low, high]) if !(low.is_finite() && high.is_finite() && low < high) => {
                Err("a sequential test lies between two differences in Elo, the smaller one first".to_owned())
            }
            Some(_) if self.entrants.len() != 2 => Err("a sequential test is one of two bots".to_owned()),
            _ => Ok(()),
        }
    }
}
