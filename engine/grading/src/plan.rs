//! Plans: the baselines, the criteria and the terms by which a class is graded.

use crate::error::GradingError;
use rules::{Game, GameKind, input_text, json_mistake};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The plan by which a class is graded. docs/grading.md explains its file.
///
/// ```
/// let plan = grading::Plan::from_toml(
///     r#"
///     title = "Assignment 2"
///     game = "sea-battle"
///     seed = 2017
///
///     [[baseline]]
///     name = "target"
///     bot = "builtin:hunt-and-target"
///
///     [[criterion]]
///     name = "Beats the target"
///     points = 10
///     against = "target"
///     score = 0.6
///     "#,
///     std::path::Path::new("plan.toml"),
/// )?;
/// assert_eq!(plan.criteria[0].condition(&plan), "at least 60 % of the points against target");
/// # Ok::<(), grading::GradingError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Plan {
    /// The title, for people.
    pub title: String,
    /// The game: a name that `--game` takes. With `rules` it may be left out.
    #[serde(default)]
    pub game: Option<GameKind>,
    /// The rules of any Battleship: the name of a preset, or a file beside the plan.
    #[serde(default)]
    pub rules: Option<String>,
    /// The settings of the game that are not the usual ones, as records have them.
    #[serde(default = "no_settings")]
    pub settings: Value,
    /// The seed of all games.
    pub seed: u64,
    /// The probability that no test of the class decides wrongly.
    #[serde(default = "usual_confidence")]
    pub confidence: f64,
    /// The number of students that share the rest, if not those who have handed in, rounded up to a power of two.
    #[serde(default)]
    pub students: Option<u32>,
    /// The games.
    #[serde(default)]
    pub games: GameCounts,
    /// The limits of bots.
    #[serde(default)]
    pub limits: PlanLimits,
    /// The last time for handing in (RFC 3339).
    #[serde(default, deserialize_with = "deadline")]
    pub deadline: Option<chrono::DateTime<chrono::Utc>>,
    /// The share of the points that late submissions keep.
    #[serde(default = "all")]
    pub late_share: f64,
    /// The players that all meet.
    #[serde(default, rename = "baseline")]
    pub baselines: Vec<Baseline>,
    /// The criteria.
    #[serde(default, rename = "criterion")]
    pub criteria: Vec<Criterion>,
    /// The folder of the plan, in which relative paths begin. No file of a plan has it.
    #[serde(default, skip_serializing_if = "no_path")]
    pub folder: PathBuf,
}

/// The numbers of games of each student with each baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct GameCounts {
    /// The games that all play, whatever their results. Lost turns are counted in these.
    pub at_least: u32,
    /// The games after which the mean counts if a test has not decided.
    pub at_most: u32,
}

impl Default for GameCounts {
    fn default() -> GameCounts {
        GameCounts { at_least: 20, at_most: 1000 }
    }
}

/// The limits of bots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct PlanLimits {
    /// The memory of a bot, in MiB.
    pub memory: u64,
    /// The time for a build, in seconds.
    pub build_time: u64,
    /// True if builds may use networks.
    pub build_network: bool,
    /// The time of an answer, in milliseconds; the usual one of the game without it. In the Entelect Challenge it is fixed.
    pub answer: Option<u64>,
}

impl Default for PlanLimits {
    fn default() -> PlanLimits {
        PlanLimits { memory: 1024, build_time: 120, build_network: false, answer: None }
    }
}

/// A player that all students meet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Baseline {
    /// The name.
    pub name: String,
    /// The player: `builtin:NAME`, or a folder beside the plan.
    pub bot: String,
    /// True if no report to students names it.
    #[serde(default)]
    pub hidden: bool,
}

/// A condition that is worth points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Criterion {
    /// The name.
    pub name: String,
    /// The points for who meets it.
    pub points: f64,
    /// The name of a baseline; all for `lost-turns` without one, and the only one for other conditions.
    #[serde(default)]
    pub against: Option<String>,
    /// The share of the points that is enough, 0 to 1: a win is one, a draw is half.
    #[serde(default)]
    score: Option<f64>,
    /// The shots on average that are few enough.
    #[serde(default)]
    shots: Option<f64>,
    /// The turns without an order that was obeyed that are allowed, in the games that all play.
    #[serde(default)]
    lost_turns: Option<u32>,
    /// True if students learn neither the condition nor the mark before the marks are given out.
    #[serde(default)]
    pub hidden: bool,
}

/// The condition of a criterion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Condition {
    /// At least this share of the points.
    Score(f64),
    /// At most so many shots on average until all ships are sunk.
    Shots(f64),
    /// At most so many lost turns in the games that all play.
    LostTurns(u32),
}

fn no_settings() -> Value {
    Value::Object(serde_json::Map::new())
}

/// Reads a time as TOML has it, or as a text.
fn deadline<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<chrono::DateTime<chrono::Utc>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Time {
        Toml(toml::value::Datetime),
        Text(String),
    }
    let text = match Option::<Time>::deserialize(deserializer)? {
        None => return Ok(None),
        Some(Time::Toml(time)) => time.to_string(),
        Some(Time::Text(text)) => text,
    };
    let wrong = |_| serde::de::Error::custom(format!("deadline is like 2026-10-30T23:59:00+01:00, not {text}"));
    chrono::DateTime::parse_from_rfc3339(&text).map(|time| Some(time.to_utc())).map_err(wrong)
}

fn no_path(path: &Path) -> bool {
    path.as_os_str().is_empty()
}

fn usual_confidence() -> f64 {
    0.99
}

fn all() -> f64 {
    1.0
}

/// The longest file, in bytes.
const MOST_OF_FILE: u64 = 1 << 20;

impl Plan {
    /// Reads the file at this path.
    ///
    /// # Errors
    /// The file cannot be read, or the plan has a mistake.
    pub fn read(path: &Path) -> Result<Plan, GradingError> {
        let unreadable = |source| GradingError::Unreadable { path: path.to_owned(), source };
        let mut bytes = Vec::new();
        let file = platform::files::open_input(path).map_err(unreadable)?;
        file.take(MOST_OF_FILE).read_to_end(&mut bytes).map_err(unreadable)?;
        let text = input_text(&bytes).map_err(|e| unreadable(io::Error::new(io::ErrorKind::InvalidData, e)))?;
        Plan::from_toml(text, path)
    }

    /// Reads the text of the file at this path.
    ///
    /// # Errors
    /// The plan has a mistake.
    pub fn from_toml(text: &str, path: &Path) -> Result<Plan, GradingError> {
        let mistake = |line, why| GradingError::Plan { path: path.to_owned(), line, why };
        let mut plan: Plan = toml::from_str(text).map_err(|error| {
            let before = error.span().map(|span| &text.as_bytes()[..span.start.min(text.len())]);
            let line = before.map(|before| before.iter().filter(|byte| **byte == b'\n').count() + 1);
            mistake(line, error.message().to_owned())
        })?;
        if !no_path(&plan.folder) {
            return Err(mistake(None, "the folder is that of the file, and not a key in it".to_owned()));
        }
        plan.folder = path.parent().map(Path::to_owned).unwrap_or_default();
        if let Some(rules) = plan.rules.clone() {
            if plan.game.is_some_and(|game| game != GameKind::Battleship) {
                return Err(mistake(
                    None,
                    "rules are those of the game battleship, and the plan has another game".to_owned(),
                ));
            }
            let rules = rule_files::find_from(&plan.folder, &rules)?;
            plan.settings = serde_json::to_value(rules).map_err(|e| mistake(None, json_mistake(&e)))?;
            plan.game = Some(GameKind::Battleship);
        }
        plan.check().map_err(|why| mistake(None, why))?;
        Ok(plan)
    }

    /// The game.
    pub fn game(&self) -> GameKind {
        self.game.unwrap_or(GameKind::Entelect2017)
    }

    /// The time for a build.
    pub fn build_time(&self) -> Duration {
        Duration::from_secs(self.limits.build_time)
    }

    /// Checks that all keys are in their ranges, and that each criterion has its baseline.
    ///
    /// # Errors
    /// The mistake in words.
    pub fn check(&self) -> Result<(), String> {
        let ranges = [
            ("confidence", self.confidence, 0.5, 0.999_999),
            ("late-share", self.late_share, 0.0, 1.0),
            ("games.at-least", f64::from(self.games.at_least), 2.0, 10_000.0),
            ("games.at-most", f64::from(self.games.at_most), f64::from(self.games.at_least), 100_000.0),
            ("limits.memory", self.limits.memory as f64, 64.0, 16_384.0),
            ("limits.build-time", self.limits.build_time as f64, 1.0, 3600.0),
            ("limits.answer", self.limits.answer.unwrap_or(1) as f64, 1.0, 600_000.0),
            ("students", f64::from(self.students.unwrap_or(1)), 1.0, 100_000.0),
        ];
        for (key, value, least, most) in ranges {
            in_range(key, value, least, most)?;
        }
        if self.game() == GameKind::Entelect2017 && self.limits.answer.is_some() {
            return Err("limits.answer is not for entelect-2017, in which the time of an answer is fixed".to_owned());
        }
        rules::for_game!(self.game(), G => {
            if !G::seats(&rules::settings_with::<G>(&self.settings)?).contains(&2) {
                return Err("the rules are not for two players, as games with baselines are".to_owned());
            }
        });
        if self.game() == GameKind::Salvo {
            return Err("the bots of salvo are clients of a server, and are not handed in".to_owned());
        }
        for (what, names) in [
            ("baseline", self.baselines.iter().map(|baseline| baseline.name.as_str()).collect::<Vec<_>>()),
            ("criterion", self.criteria.iter().map(|criterion| criterion.name.as_str()).collect()),
        ] {
            let different: BTreeSet<&str> = names.iter().copied().collect();
            match names.len() {
                0 => return Err(format!("there is no [[{what}]]")),
                count if count != different.len() => return Err(format!("each [[{what}]] has a name of its own")),
                _ if different.contains("") => return Err(format!("each [[{what}]] has a name, which is not empty")),
                _ => {}
            }
        }
        for criterion in &self.criteria {
            criterion.checked(self).map_err(|why| format!("[[criterion]] {:?}: {why}", criterion.name))?;
        }
        Ok(())
    }
}

fn in_range(key: &str, value: f64, least: f64, most: f64) -> Result<(), String> {
    let is_in = value >= least && value <= most;
    if is_in { Ok(()) } else { Err(format!("{key} is {least} to {most}, not {value}")) }
}

impl Criterion {
    fn checked(&self, plan: &Plan) -> Result<(), String> {
        in_range("points", self.points, 0.0, 1e6)?;
        match (self.score, self.shots, self.lost_turns) {
            (Some(score), None, None) => in_range("score", score, 0.01, 1.0)?,
            (None, Some(shots), None) => in_range("shots", shots, 1.0, 10_000.0)?,
            (None, None, Some(_)) => {}
            _ => return Err("it has one of score, shots and lost-turns".to_owned()),
        }
        let names: Vec<&str> = plan.baselines.iter().map(|baseline| baseline.name.as_str()).collect();
        match &self.against {
            Some(name) if !names.contains(&name.as_str()) => {
                Err(format!("there is no baseline {name:?}, only {}", names.join(", ")))
            }
            None if names.len() > 1 && self.lost_turns.is_none() => {
                Err(format!("against is one of {}", names.join(", ")))
            }
            _ => Ok(()),
        }
    }

    /// The condition.
    pub fn kind(&self) -> Condition {
        match (self.score, self.shots) {
            (Some(score), _) => Condition::Score(score),
            (_, Some(shots)) => Condition::Shots(shots),
            _ => Condition::LostTurns(self.lost_turns.unwrap_or_default()),
        }
    }

    /// The numbers of its baselines.
    pub fn baselines(&self, plan: &Plan) -> Vec<usize> {
        let is_of = |baseline: &Baseline| self.against.as_ref().is_none_or(|name| *name == baseline.name);
        let all = plan.baselines.iter().enumerate();
        all.filter(|(_, baseline)| is_of(baseline)).map(|(number, _)| number).collect()
    }

    /// True if students learn neither the condition nor the mark before the marks are given out: it says so, or one of its baselines does.
    pub fn is_hidden(&self, plan: &Plan) -> bool {
        self.hidden
            || self.against.is_some() && self.baselines(plan).iter().any(|number| plan.baselines[*number].hidden)
    }

    /// The condition in words.
    pub fn condition(&self, plan: &Plan) -> String {
        let against = match (&self.against, self.baselines(plan)[..] == [0] && plan.baselines.len() == 1) {
            _ if self.is_hidden(plan) => " against a hidden baseline".to_owned(),
            (Some(name), _) => format!(" against {name}"),
            (None, true) => format!(" against {}", plan.baselines[0].name),
            (None, false) => String::new(),
        };
        match self.kind() {
            Condition::Score(score) => format!("at least {} % of the points{against}", (score * 1000.0).round() / 10.0),
            Condition::Shots(shots) => format!("at most {shots} shots on average{against}"),
            Condition::LostTurns(0) => format!("no lost turns{against}"),
            Condition::LostTurns(most) => format!("at most {}{against}", rules::counted(most, "lost turn")),
        }
    }
}

#[cfg(test)]
mod tests;
