//! The statistics of a player, for `/game/stats/*`.

use serde::{Deserialize, Serialize};

/// The statistics of a player in the salvos that are over. Times are not in them: the rules have no clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PlayerStats {
    /// The number of shots fired.
    pub shots: u32,
    /// The number of shots that hit a part of a ship for the first time.
    pub hits: u32,
    /// The number of ships sunk.
    pub sinkings: u32,
    /// The number of salvos, those that lapsed included.
    pub turns: u32,
}

/// A value that is published at the end of a match, under this name below `/game/stats/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statistic {
    /// [`PlayerStats::shots`].
    Shots,
    /// [`PlayerStats::hits`].
    Hits,
    /// [`PlayerStats::accuracy`].
    Accuracy,
    /// [`PlayerStats::sinkings`].
    Sinkings,
    /// [`PlayerStats::turns`].
    Turns,
    /// The average time of a salvo, in milliseconds. The rules have no clock, so [`PlayerStats`] does not have it.
    TimePerTurn,
}

impl Statistic {
    /// All statistics.
    pub const ALL: [Statistic; 6] = [
        Statistic::Shots,
        Statistic::Hits,
        Statistic::Accuracy,
        Statistic::Sinkings,
        Statistic::Turns,
        Statistic::TimePerTurn,
    ];

    /// The name in the topic.
    pub fn name(self) -> &'static str {
        match self {
            Statistic::Shots => "shots",
            Statistic::Hits => "hits",
            Statistic::Accuracy => "accuracy",
            Statistic::Sinkings => "sinkings",
            Statistic::Turns => "turns",
            Statistic::TimePerTurn => "time_per_turn",
        }
    }

    /// The one with this name.
    pub fn from_name(name: &str) -> Option<Statistic> {
        Statistic::ALL.into_iter().find(|statistic| statistic.name() == name)
    }
}

impl PlayerStats {
    /// The share of shots that hit, 0 to 1; 0 without shots.
    pub fn accuracy(self) -> f64 {
        if self.shots == 0 { 0.0 } else { f64::from(self.hits) / f64::from(self.shots) }
    }

    /// A value of it; `None` for the time.
    pub fn value(self, statistic: Statistic) -> Option<f64> {
        match statistic {
            Statistic::Shots => Some(self.shots.into()),
            Statistic::Hits => Some(self.hits.into()),
            Statistic::Accuracy => Some(self.accuracy()),
            Statistic::Sinkings => Some(self.sinkings.into()),
            Statistic::Turns => Some(self.turns.into()),
            Statistic::TimePerTurn => None,
        }
    }
}
