//! The settings of a contest.

pub(crate) mod plan;

use crate::state::contests::registration::Registration;
use crate::state::contests::version::VersionSource;
use chrono::{DateTime, Utc};
use grading::Plan;
use players::BuiltIn;
use rules::battleship::{Battleship, Rules};
use rules::{Game, GameKind, Listed};
use runner::{BotOptions, SandboxLevel, for_setup};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;
use std::path::Path;
use std::time::Duration;
use submissions::JudgeSettings;
use utoipa::ToSchema;

/// The name of a contest, which is a part of the addresses of its pages: lower-case letters, digits and hyphens.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
pub struct ContestName(String);

impl ContestName {
    /// The longest name, in characters.
    pub const MOST: usize = 32;

    /// The name in the form in which it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for ContestName {
    type Error = String;

    fn try_from(text: String) -> Result<ContestName, String> {
        let is_letter = |letter: u8| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'-';
        let is_name = (1..=ContestName::MOST).contains(&text.len())
            && text.bytes().all(is_letter)
            && !text.starts_with('-')
            && !text.ends_with('-');
        if is_name {
            return Ok(ContestName(text));
        }
        Err(format!(
            "the name of a contest has 1 to {} lower-case letters, digits and hyphens within it, as in autumn-2026, not {:?}",
            ContestName::MOST,
            rules::printable(&text)
        ))
    }
}

impl fmt::Display for ContestName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The settings of a contest. Times are in milliseconds, sizes in MiB.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ContestSettings {
    /// The title, for people.
    pub title: String,
    /// The game: a name that `--game` takes.
    #[schema(value_type = String)]
    pub game: GameKind,
    /// The settings of the game, as records have them.
    #[serde(default = "none")]
    #[schema(value_type = Object)]
    pub settings: Value,
    /// The forms in which bots are handed in.
    #[serde(default)]
    pub entries: Entries,
    /// The games.
    #[serde(default)]
    pub play: Play,
    /// Players of the engine that play along, such as `builtin:hunter`.
    #[serde(default)]
    pub baselines: Vec<String>,
    /// The teams that may hand bots in.
    #[serde(default)]
    pub registration: Registration,
    /// The code that a team gives with its first version. No public answer has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The names of the teams that may hand bots in. No public answer has them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<String>,
    /// The memory of a bot.
    #[serde(default = "usual_memory")]
    #[schema(minimum = 64, maximum = 16384)]
    pub memory: u64,
    /// The longest time for a build.
    #[serde(default = "usual_build_time")]
    #[schema(minimum = 1000, maximum = 3_600_000)]
    pub build_time: u64,
    /// True if builds may use networks, to fetch packages.
    #[serde(default)]
    pub build_network: bool,
    /// The time from which bots are taken (RFC 3339); at once without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opens: Option<String>,
    /// The time from which no bots are taken any more (RFC 3339). Games are played on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closes: Option<String>,
    /// The games of each version on average, after which the ladder waits for changes.
    #[serde(default = "usual_games")]
    #[schema(minimum = 2, maximum = 1_000_000)]
    pub games: u32,
    /// The number of the last games whose records are kept.
    #[serde(default = "usual_records")]
    #[schema(minimum = 0, maximum = 10_000_000)]
    pub keep_records: u32,
    /// The disk for the archives and built folders of a team's versions. The oldest versions that do not play are removed from it.
    #[serde(default = "usual_team_disk")]
    #[schema(minimum = 64, maximum = 1_048_576)]
    pub team_disk: u64,
    /// The number of games at the same time.
    #[serde(default = "usual_parallel")]
    #[schema(minimum = 1, maximum = 64)]
    pub parallel: u32,
    /// True if people may play against the baselines and the versions on the ladder, in their browsers.
    #[serde(default)]
    pub people: bool,
    /// The plan by which bots are marked: in a contest file the path of its file, else the plan itself. No public answer has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub plan: Option<Box<Plan>>,
}

/// The forms in which bots are handed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Entries {
    /// As code.
    #[default]
    Upload,
    /// As web services, by their URLs.
    Url,
    /// As either.
    Both,
}

/// The games of a contest besides those that teams ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Play {
    /// A ladder that plays without end, and tournaments.
    #[default]
    Ladder,
    /// Tournaments only, which the administrator begins.
    Tournaments,
}

impl Entries {
    /// True if bots are handed in as code.
    pub(crate) fn takes_archives(self) -> bool {
        self != Entries::Url
    }

    /// True if bots are handed in as URLs.
    pub(crate) fn takes_urls(self) -> bool {
        self != Entries::Upload
    }

    /// Checks that a version may come in this form; else returns the reason.
    pub(crate) fn check(self, source: &VersionSource) -> Result<(), String> {
        match source {
            VersionSource::Archive { .. } if !self.takes_archives() => {
                Err("this contest takes bots by their URLs, not as archives".to_owned())
            }
            VersionSource::Url { .. } if !self.takes_urls() => {
                Err("this contest takes bots as archives, not by their URLs".to_owned())
            }
            _ => Ok(()),
        }
    }
}

/// A table with the name of a contest, and its settings, in which rules may stand for those of the game.
#[derive(Deserialize)]
struct NamedTable<T> {
    name: ContestName,
    rules: Option<String>,
    #[serde(flatten)]
    rest: T,
}

pub(crate) fn is_built_in(name: &str) -> bool {
    name.strip_prefix(BuiltIn::PREFIX).is_some_and(|name| BuiltIn::from_name(name).is_some())
}

pub(crate) fn none() -> Value {
    Value::Object(Map::new())
}

fn usual_memory() -> u64 {
    1024
}

fn usual_build_time() -> u64 {
    120_000
}

fn usual_games() -> u32 {
    400
}

fn usual_records() -> u32 {
    20_000
}

fn usual_team_disk() -> u64 {
    2048
}

fn usual_parallel() -> u32 {
    1
}

impl ContestSettings {
    /// The settings in a file of a contest (TOML), with the name of the contest. The folder is the one in which the path of a file
    /// of rules begins; without one only rules that come with the program can be named.
    ///
    /// # Errors
    /// The reason why it cannot be used, with its line.
    pub fn from_toml(text: &str, folder: Option<&Path>) -> Result<(ContestName, ContestSettings), String> {
        let wrong = |error: toml::de::Error| {
            let line = error.span().and_then(|span| text.get(..span.start)).map(|before| before.lines().count().max(1));
            let line = line.map(|line| format!("line {line}: ")).unwrap_or_default();
            format!("{line}{}", error.message())
        };
        let NamedTable { name, rules, mut rest } = toml::from_str::<NamedTable<toml::Table>>(text).map_err(wrong)?;
        let plan = rest.get("plan").and_then(toml::Value::as_str).map(str::to_owned);
        if plan.is_some() {
            rest.remove("plan");
        }
        let settings: ContestSettings = rest.try_into().map_err(|e: toml::de::Error| e.message().to_owned())?;
        let settings = settings.by_rules(rules.as_deref(), folder)?;
        let settings = plan::with_plan(settings, plan.as_deref(), folder)?;
        settings.check()?;
        Ok((name, settings))
    }

    /// The settings as a contest file has them, in JSON, with the name of the contest.
    ///
    /// # Errors
    /// The reason why they cannot be used.
    pub(crate) fn from_json(named: Map<String, Value>) -> Result<(ContestName, ContestSettings), String> {
        let NamedTable { name, rules, rest } =
            serde_json::from_value::<NamedTable<Map<String, Value>>>(Value::Object(named))
                .map_err(|error| rules::json_mistake(&error))?;
        let settings: ContestSettings = serde_path_to_error::deserialize(Value::Object(rest)).map_err(|error| {
            let (key, mistake) = (error.path().to_string(), rules::json_mistake(error.inner()));
            // Some mistakes name the key themselves.
            if key == "." || mistake.contains(&format!("`{key}`")) { mistake } else { format!("{key}: {mistake}") }
        })?;
        let settings = settings.by_rules(rules.as_deref(), None)?;
        let settings = plan::with_plan(settings, None, None)?;
        settings.check()?;
        Ok((name, settings))
    }

    /// The settings with those of a game by rules, which are a name or the path of a file that begins in the folder.
    fn by_rules(self, rules: Option<&str>, folder: Option<&Path>) -> Result<ContestSettings, String> {
        let Some(name) = rules else { return Ok(self) };
        if self.game != GameKind::Battleship {
            return Err(format!("rules: they are for the game battleship, not for {}", self.game.name()));
        }
        if self.settings != none() {
            return Err("rules: leave them out, or the settings of the game".to_owned());
        }
        let found = match folder {
            Some(folder) => rule_files::find_from(folder, name),
            None => rule_files::find_preset(name),
        };
        let rules = found.map_err(|error| format!("rules: {}; {}", runner::with_causes(&error), error.hint()))?;
        Ok(ContestSettings { settings: serde_json::to_value(rules).map_err(|error| error.to_string())?, ..self })
    }

    /// The reason why no bots are taken at this time, if there is one.
    pub(crate) fn is_shut(&self, now: DateTime<Utc>) -> Option<String> {
        let passed = |time: &String| DateTime::parse_from_rfc3339(time).is_ok_and(|time| time <= now);
        match (&self.opens, &self.closes) {
            (Some(opens), _) if !passed(opens) => Some(format!("the contest opens at {opens}")),
            (_, Some(closes)) if passed(closes) => Some(format!("the contest took bots until {closes}")),
            _ => None,
        }
    }

    /// The settings that everyone may see.
    pub(crate) fn for_all(&self) -> ContestSettings {
        ContestSettings { code: None, teams: Vec::new(), plan: None, ..self.clone() }
    }

    /// The options of all its bots, in a sandbox of this level.
    pub(crate) fn bot_options(&self, sandbox: SandboxLevel) -> BotOptions {
        let ContestSettings { memory, build_network, .. } = *self;
        BotOptions { sandbox, memory, build_network, ..BotOptions::default() }
    }

    /// The terms by which its bots are judged, in a sandbox of this level.
    pub(crate) fn judge_settings(&self, sandbox: SandboxLevel) -> JudgeSettings {
        JudgeSettings {
            game: self.game,
            settings: self.settings.clone(),
            bots: self.bot_options(sandbox),
            build_time: Duration::from_millis(self.build_time),
            answer: None,
        }
    }

    /// Checks that all settings are in their ranges, and that the game takes its own.
    ///
    /// # Errors
    /// The reason, which names the setting.
    pub(crate) fn check(&self) -> Result<(), String> {
        let ranges = [
            ("memory", self.memory, 64..=16_384),
            ("buildTime", self.build_time, 1000..=3_600_000),
            ("games", self.games.into(), 2..=1_000_000),
            ("keepRecords", self.keep_records.into(), 0..=10_000_000),
            ("teamDisk", self.team_disk, 64..=1_048_576),
            ("parallel", self.parallel.into(), 1..=64),
        ];
        if let Some((name, value, range)) = ranges.into_iter().find(|(_, value, range)| !range.contains(value)) {
            return Err(format!("{name} is a number from {} to {}, not {value}", range.start(), range.end()));
        }
        for (key, time) in [("opens", &self.opens), ("closes", &self.closes)] {
            let is_time = |time: &String| DateTime::parse_from_rfc3339(time).is_ok();
            if let Some(time) = time.as_ref().filter(|time| !is_time(time)) {
                let time = rules::printable(time);
                return Err(format!(
                    "{key} is a time as in 2026-12-01T18:00:00Z or 2026-12-01T18:00:00+01:00, not {time:?}"
                ));
            }
        }
        if let Some(name) = self.baselines.iter().find(|name| !is_built_in(name)) {
            let name = rules::printable(name);
            return Err(format!(
                "baselines: there is no built-in player {name:?}; they are named as in builtin:random"
            ));
        }
        self.registration.check(self.code.as_deref(), &self.teams)?;
        if self.title.trim().is_empty() {
            return Err("a contest needs a title".to_owned());
        }
        plan::check(self).map_err(|why| format!("plan: {why}"))?;
        for_setup!(self.game,
            programs G => match self.entries {
                Entries::Upload => self.rules::<G>().map(drop),
                _ => Err(format!("bots of {} are folders, and are never called at a URL", G::KIND.title())),
            },
            services G => self.rules::<G>().map(drop),
            built_ins G => Err(format!("bots of {} cannot be handed in: they come over MQTT", G::KIND.title())),
        )
    }

    /// The rules of a contest of Battleship by any rules; `None` for other games.
    pub(crate) fn battleship(&self) -> Option<Rules> {
        if self.game == GameKind::Battleship { self.rules::<Battleship>().ok() } else { None }
    }

    /// All settings of the game, as records have them.
    ///
    /// # Errors
    /// As for [`ContestSettings::rules`].
    pub(crate) fn whole_rules(&self) -> Result<Value, String> {
        let rules = for_setup!(self.game,
            programs G => self.rules::<G>().map(serde_json::to_value),
            services G => self.rules::<G>().map(serde_json::to_value),
            built_ins G => Err(format!("there are no contests of {}", G::KIND.title())),
        );
        rules?.map_err(|error| error.to_string())
    }

    /// The settings of the game; what is not given has its usual value.
    ///
    /// # Errors
    /// A setting is unknown, or no match can be played with it.
    pub(crate) fn rules<G: Listed>(&self) -> Result<G::Settings, String> {
        rules::settings_with::<G>(&self.settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::entelect_2017::{Entelect2017, MapSize};

    const FILE: &str = r#"
        name = "autumn-2026"
        title = "Autumn contest"
        game = "entelect-2017"
        baselines = ["builtin:random"]
        [settings]
        size = "small"
    "#;

    #[test]
    fn a_file_has_what_differs_from_the_usual() {
        let (name, settings) = ContestSettings::from_toml(FILE, None).unwrap();
        assert_eq!((name.as_str(), settings.memory, settings.parallel), ("autumn-2026", 1024, 1));
        assert_eq!(settings.rules::<Entelect2017>().unwrap().size, MapSize::Small);
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<ContestSettings>(&text).unwrap(), settings);
    }

    #[test]
    fn a_file_that_cannot_be_used_is_refused_with_the_reason() {
        let refused = |from: &str, to: &str| ContestSettings::from_toml(&FILE.replace(from, to), None).unwrap_err();
        assert!(refused("autumn-2026", "../autumn").contains("lower-case letters, digits and hyphens"));
        assert!(refused("title =", "titel =").contains("titel"));
        assert!(refused("\"small\"", "\"huge\"").contains("the settings of the game: "));
        assert!(refused("size =", "seize =").contains("unknown field `seize`"));
        assert!(refused("entelect-2017", "salvo").contains("cannot be handed in"));
        assert!(refused("[settings]", "entries = \"both\"\n[settings]").contains("never called at a URL"));
        assert!(refused("[settings]", "parallel = 0\n[settings]").contains("parallel is a number from 1 to 64, not 0"));
        assert!(refused("\"Autumn contest\"", "\" \"").contains("needs a title"));
        assert!(refused("[settings]", "opens = \"tonight\"\n[settings]").contains("opens is a time as in"));
        for (keys, why) in [
            ("registration = \"code\"", "code is missing"),
            ("code = \"kraken\"", "code needs registration"),
            ("teams = [\"Ann\"]", "teams needs registration"),
            ("registration = \"list\"\nteams = [\"\"]", "teams: a bot needs a name"),
        ] {
            assert!(refused("[settings]", &format!("{keys}\n[settings]")).contains(why), "{keys}");
        }
        assert!(refused("builtin:random", "builtin:nobody").contains("no built-in player"));
    }

    #[test]
    fn a_contest_is_played_by_rules_of_a_name_or_in_a_file() {
        let file =
            |rules: &str| format!("name = \"a\"\ntitle = \"A\"\ngame = \"battleship\"\nentries = \"both\"\n{rules}");
        let folder = tempfile::tempdir().unwrap();
        let read = |rules: &str| ContestSettings::from_toml(&file(rules), Some(folder.path()));
        let rules = |settings: ContestSettings| settings.rules::<Battleship>().unwrap();
        let (_, russian) = read("rules = \"russian\"").unwrap();
        assert_eq!(rules(russian.clone()), rule_files::find("russian").unwrap());
        let text = serde_json::to_string(&russian).unwrap();
        assert_eq!(serde_json::from_str::<ContestSettings>(&text).unwrap(), russian);
        let (_, openspiel) = read("rules = \"openspiel\"").unwrap();
        assert_eq!(rules(openspiel), rule_files::find("openspiel").unwrap());
        std::fs::write(folder.path().join("mine.toml"), "shots = 3").unwrap();
        let (_, mine) = read("rules = \"mine.toml\"").unwrap();
        assert_eq!(rules(mine).choices().name, "mine");
        std::fs::write(folder.path().join("mine.toml"), "shoots = 3").unwrap();
        assert!(read("rules = \"mine.toml\"").unwrap_err().contains("unknown key `shoots`; did you mean `shots`?"));
        assert!(read("rules = \"rusian\"").unwrap_err().contains("did you mean russian?"));
        assert!(read("rules = \"russian\"\n[settings]\nshots = 2").unwrap_err().contains("leave them out"));
        assert!(read("[settings]\nshots = 2\nlimit = { turns = 9 }").is_ok());
        assert!(read("[settings]\nshoots = 2").unwrap_err().contains("unknown field `shoots`"));
        let sent = ContestSettings::from_toml(&file("rules = \"mine.toml\""), None).unwrap_err();
        assert!(sent.contains("there are no rules called \"mine.toml\""), "{sent}");
        let other = file("rules = \"russian\"").replace("battleship", "sea-battle");
        assert!(ContestSettings::from_toml(&other, None).unwrap_err().contains("not for sea-battle"));
    }

    #[test]
    fn bots_are_taken_while_a_contest_is_open() {
        let (_, usual) = ContestSettings::from_toml(FILE, None).unwrap();
        let [opens, closes] = ["2026-12-01T18:00:00+01:00", "2026-12-02T17:00:00Z"].map(|time| Some(time.to_owned()));
        let settings = ContestSettings { opens, closes, ..usual.clone() };
        let at = |time: &str| time.parse().unwrap();
        assert_eq!(usual.is_shut(at("2026-12-01T16:59:59Z")), None);
        assert!(settings.is_shut(at("2026-12-01T16:59:59Z")).is_some_and(|why| why.contains("opens at")));
        assert_eq!(settings.is_shut(at("2026-12-01T17:00:00Z")), None);
        assert!(settings.is_shut(at("2026-12-02T17:00:00Z")).is_some_and(|why| why.contains("until")));
    }
}
