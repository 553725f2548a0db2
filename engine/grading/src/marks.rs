//! The marks of a class: what all results are made of.

use rules::GameKind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The marks of a class by a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Marks {
    /// The title of the plan.
    pub title: String,
    /// The game.
    pub game: GameKind,
    /// The seed of all games.
    pub seed: u64,
    /// The probability that no decision of a test is wrong, over all students and criteria.
    pub confidence: f64,
    /// The criteria in the order of the plan.
    pub criteria: Vec<CriterionHead>,
    /// The students, by name.
    pub students: Vec<StudentMarks>,
}

/// A criterion as results name it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CriterionHead {
    /// The name.
    pub name: String,
    /// The points for who meets it.
    pub points: f64,
    /// The condition in words, such as `at least 60 % of the points against target`. It names no hidden baseline.
    pub condition: String,
    /// True if students see neither its mark nor its condition before the marks are given out.
    pub is_hidden: bool,
}

/// The marks of a student.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StudentMarks {
    /// The name under which the submission was found.
    pub student: String,
    /// A name that tells others nothing, the same for the same student and seed.
    pub pseudonym: String,
    /// The path of the submission, in the folder of all.
    pub submission: String,
    /// The author that bot.json names; empty without one.
    pub author: String,
    /// The name that the bot gives itself; empty if it could not be read.
    pub bot: String,
    /// The time at which it was handed in (RFC 3339); `None` if nothing tells.
    pub submitted: Option<String>,
    /// True if that was after the deadline, or if the system says so.
    pub is_late: bool,
    /// The paths of earlier submissions of the student, which do not count.
    pub earlier: Vec<String>,
    /// The reason why the bot does not play; `None` if it plays.
    pub failing: Option<Failing>,
    /// The mark for each criterion, in their order.
    pub marks: Vec<CriterionMark>,
    /// The number of games.
    pub games: u64,
    /// The number of turns without an order that was obeyed, by the kind of fault.
    pub faults: BTreeMap<String, u64>,
}

/// The reason why a bot does not play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failing {
    /// The step in which it failed: `unpacking`, `build`, `trial`.
    pub step: String,
    /// The reason, in words.
    pub reason: String,
    /// The last lines of the log, with the words of a compiler.
    pub log: Vec<String>,
}

/// The mark for a criterion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CriterionMark {
    /// The judgement.
    pub judgement: Judgement,
    /// The points.
    pub points: f64,
    /// The reason, in words, such as `72.5 % of the points in 40 games`.
    pub reason: String,
    /// The mean that was measured; `None` without games, and for conditions that are no mean.
    pub measured: Option<Measured>,
    /// The command that repeats the games of the criterion, with `BOT` for the folder of the bot, so that students can use it and
    /// their page does not tell the path of the submission; `None` for a hidden baseline.
    pub command: Option<String>,
    /// The record of a lost game or its page, in the folder of the results, under a name that tells no student; `None` without one, and
    /// for a hidden baseline.
    pub lost: Option<PathBuf>,
}

/// The judgement on a criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    /// Met, with the confidence of the plan.
    Met,
    /// Not met, with the confidence of the plan.
    NotMet,
    /// Met by the mean alone: the test did not decide in the games of the plan.
    NearlyMet,
    /// Not met by the mean alone: the test did not decide in the games of the plan.
    NearlyNotMet,
    /// Not judged, because the bot does not play, or its games are not over.
    Open,
}

impl Judgement {
    /// True if the points are given.
    pub fn is_met(self) -> bool {
        matches!(self, Judgement::Met | Judgement::NearlyMet)
    }

    /// True if the test did not decide.
    pub fn is_near(self) -> bool {
        matches!(self, Judgement::NearlyMet | Judgement::NearlyNotMet)
    }
}

/// The unit of a mean and of its bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// A share, from 0 to 1, such as that of the points.
    Share,
    /// A number of shots.
    Shots,
}

/// A mean that was measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The unit of the mean, its error and the bound.
    pub unit: Unit,
    /// The mean.
    pub mean: f64,
    /// Half the width of its 95 % interval; `None` with one value.
    pub error: Option<f64>,
    /// The bound of the criterion.
    pub bound: f64,
    /// The number of games.
    pub games: u64,
}

impl StudentMarks {
    /// The points of all criteria.
    pub fn points(&self) -> f64 {
        self.marks.iter().map(|mark| mark.points).sum()
    }
}

impl Marks {
    /// The points for who meets all criteria.
    pub fn most(&self) -> f64 {
        self.criteria.iter().map(|criterion| criterion.points).sum()
    }
}
