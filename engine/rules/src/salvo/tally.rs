//! What a player has done so far, for `/game/stats/*`.

use serde::{Deserialize, Serialize};

/// What a player has done in the salvos that are over. The time it took for them is not for the rules to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tally {
    /// How many shots it fired.
    pub shots: u32,
    /// How many of them hit a part of a ship for the first time.
    pub hits: u32,
    /// How many ships it sank.
    pub sinkings: u32,
    /// How many salvos it had, with those that lapsed.
    pub turns: u32,
}

/// A value that is published at the end of a match, under this name below `/game/stats/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statistic {
    /// [`Tally::shots`].
    Shots,
    /// [`Tally::hits`].
    Hits,
    /// [`Tally::accuracy`].
    Accuracy,
    /// [`Tally::sinkings`].
    Sinkings,
    /// [`Tally::turns`].
    Turns,
    /// How long a salvo took on average, in milliseconds. The rules have no clock, so it is not in a [`Tally`].
    TimePerTurn,
}

impl Statistic {
    /// All there are.
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

impl Tally {
    /// How many of the shots hit, from 0 to 1; 0 without shots.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_is_a_part_of_the_shots() {
        assert_eq!(Tally::default().accuracy(), 0.0);
        let tally = Tally { shots: 8, hits: 2, sinkings: 1, turns: 3 };
        let values = Statistic::ALL.map(|statistic| tally.value(statistic));
        assert_eq!(values, [Some(8.0), Some(2.0), Some(0.25), Some(1.0), Some(3.0), None]);
    }

    #[test]
    fn statistics_are_found_by_their_names() {
        assert!(Statistic::ALL.into_iter().all(|one| Statistic::from_name(one.name()) == Some(one)));
        assert_eq!(Statistic::from_name("Shots"), None);
    }
}
