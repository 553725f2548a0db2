//! The samples that a new bot can start from, and the next steps with each.

use super::readme;
use super::samples::BotJson;
use crate::commands::embedded::{SAMPLES, sample_file};
use players::process::{Language, MissingTool};
use players::shell_word;
use rules::{GameKind, Reach};
use std::collections::BTreeMap;
use std::path::Path;

/// A sample that is not a starter, because its language has a simpler one.
const NO_STARTER: &str = "random-python";

/// The kinds of samples.
const PROGRAM: &str = "bot";
const SERVICE: &str = "web service";
const CLIENT: &str = "client";

/// A sample that a new bot starts from.
pub(super) enum Starter {
    /// A program that the engine starts: its language, and the folder of the sample.
    Program(&'static Language, String),
    /// A program that its user starts.
    StandaloneSample(&'static StandaloneSample),
}

/// A sample of a program for another game than that of 2017. Its user starts it: a web service that the engine calls, or a client
/// of the engine's server, which takes its name as an argument. One with a bot.json is a program that the engine can start, too.
pub(super) struct StandaloneSample {
    /// The folder in `bots/`.
    sample: &'static str,
    game: GameKind,
    /// The commands that start it from the top of the repository, in order; the README has the same commands. None for a program
    /// that only the engine starts.
    start: &'static [&'static str],
}

const fn standalone(sample: &'static str, game: GameKind, start: &'static [&'static str]) -> StandaloneSample {
    StandaloneSample { sample, game, start }
}

const STANDALONE: [StandaloneSample; 10] = [
    standalone("battleship-python", GameKind::Battleship, &["python3 bots/battleship-python/bot.py"]),
    standalone("battleship-javascript", GameKind::Battleship, &[]),
    standalone("battleship-rust", GameKind::Battleship, &[]),
    standalone("battleship-cpp", GameKind::Battleship, &[]),
    standalone("sea-battle-python", GameKind::SeaBattle, &["python3 bots/sea-battle-python/bot.py"]),
    standalone("sea-battle-node", GameKind::SeaBattle, &["node bots/sea-battle-node/bot.js"]),
    standalone(
        "sea-battle-rust",
        GameKind::SeaBattle,
        &["cargo run --release --manifest-path bots/sea-battle-rust/Cargo.toml"],
    ),
    standalone("bots-arena-python", GameKind::BotsArena, &["python3 bots/bots-arena-python/bot.py"]),
    standalone(
        "salvo-python",
        GameKind::Salvo,
        &[
            "python3 -m venv bots/salvo-python/venv",
            "bots/salvo-python/venv/bin/pip install -r bots/salvo-python/requirements.txt",
            "bots/salvo-python/venv/bin/python bots/salvo-python/bot.py",
        ],
    ),
    standalone("salvo-rust", GameKind::Salvo, &["cargo run --release --manifest-path bots/salvo-rust/Cargo.toml --"]),
];

impl Starter {
    /// The starter for a language, or for the name of a sample that its user starts.
    pub(super) fn named(name: &str) -> Option<Starter> {
        if let Some(own) = STANDALONE.iter().find(|own| own.sample == name) {
            return Some(Starter::StandaloneSample(own));
        }
        let language = Language::from_name(name)?;
        Some(Starter::Program(language, samples().remove(language.name)?))
    }

    /// The starter in a language for Battleship by any rules.
    pub(super) fn of_battleship(language: &str) -> Option<Starter> {
        let language = Language::from_name(language)?;
        let is_it = |own: &&StandaloneSample| {
            own.game == GameKind::Battleship && own.language().is_some_and(|of| of.name == language.name)
        };
        STANDALONE.iter().find(is_it).map(Starter::StandaloneSample)
    }

    /// True if it plays Battleship by any rules.
    pub(super) fn is_of_battleship(&self) -> bool {
        matches!(self, Starter::StandaloneSample(own) if own.game == GameKind::Battleship)
    }

    /// True if there is a starter in this language.
    pub(super) fn is_for(language: &Language) -> bool {
        samples().contains_key(language.name)
    }

    /// The languages of all starters for Battleship by any rules.
    pub(super) fn all_of_battleship() -> String {
        let own = STANDALONE.iter().filter(|own| own.game == GameKind::Battleship);
        own.filter_map(StandaloneSample::language).map(Language::plain_name).collect::<Vec<_>>().join(", ")
    }

    /// The names of all starters in a sentence.
    pub(super) fn all() -> String {
        let languages = Language::all().iter().filter(|language| Starter::is_for(language));
        let languages = languages.map(Language::plain_name).collect::<Vec<_>>().join(", ");
        let names = |what: &str| {
            let own = STANDALONE.iter().filter(|own| own.what() == what);
            own.map(|own| own.sample).collect::<Vec<_>>().join(", ")
        };
        let [programs, services, clients] = [PROGRAM, SERVICE, CLIENT].map(names);
        format!("{languages}, the programs {programs}, the web services {services}, and the clients {clients}")
    }

    pub(super) fn sample(&self) -> &str {
        match self {
            Starter::Program(_, sample) => sample,
            Starter::StandaloneSample(own) => own.sample,
        }
    }

    /// The language of the sample, which is the end of the name of a program that its user starts.
    pub(super) fn language(&self) -> Option<&'static Language> {
        match self {
            Starter::Program(language, _) => Some(language),
            Starter::StandaloneSample(own) => own.language(),
        }
    }

    /// The message after the folder was created, with the next steps, the first of which is to install what is `missing`. The bot may be
    /// for a Battleship by these `rules`.
    pub(super) fn told(&self, name: &str, folder: &Path, missing: &[MissingTool], rules: Option<&str>) -> String {
        let path = folder.to_string_lossy();
        let (what, next) = match self {
            Starter::Program(language, _) => {
                (format!("a bot in {}", language.plain_name()), format!("broadside check {}", shell_word(folder)))
            }
            Starter::StandaloneSample(own) => {
                let program = if own.what() == SERVICE && own.is_program() { "program and " } else { "" };
                (format!("a {program}{} for {}", own.what(), own.game.title()), own.next(name, &path, rules))
            }
        };
        let folder = folder.display();
        let mut told = format!("Created {name} in {folder}, {what}");
        if missing.is_empty() {
            told += " that plays. Its README.md says what to improve first.\n";
        } else {
            told += ". Its README.md says what to improve first.\n";
            told.extend(missing.iter().map(|missing| format!("It needs {missing}\nhint: {}\n", missing.hint())));
        }
        format!("{told}Next: {next}")
    }
}

impl StandaloneSample {
    fn what(&self) -> &'static str {
        match self.game.reach() {
            Reach::Http if self.start.is_empty() => PROGRAM,
            Reach::Http => SERVICE,
            _ => CLIENT,
        }
    }

    /// True if the engine can start it.
    fn is_program(&self) -> bool {
        sample_file(&format!("{}/bot.json", self.sample)).is_some()
    }

    /// The language, which is the end of its name.
    fn language(&self) -> Option<&'static Language> {
        Language::from_name(self.sample.rsplit('-').next()?)
    }

    /// The commands of a first match, each for a separate terminal.
    fn next(&self, name: &str, folder: &str, rules: Option<&str>) -> String {
        let sample = format!("bots/{}", self.sample);
        let start = self.start.iter().map(|command| readme::in_folder(command, &sample, folder));
        let start = start.collect::<Vec<_>>().join(" && ");
        let game = self.game.name();
        let flags = match self.game {
            GameKind::Battleship => format!("--rules {}", shell_word(rules.unwrap_or("classic"))),
            _ => format!("--game {game}"),
        };
        let play = |bot: &str| format!("broadside play {flags} -b {bot} builtin:random");
        if self.what() == PROGRAM {
            return play(&shell_word(folder));
        }
        if self.what() == SERVICE {
            let served = format!("{start}\nThen, in another terminal: {}", play("http://127.0.0.1:4000"));
            return match self.is_program() {
                true => format!("{}\nOr, as a web service: {served}", play(&shell_word(folder))),
                false => served,
            };
        }
        format!(
            "broadside {game} serve --players 2\nThen, in another terminal: {start} {}\nAnd in a third one: broadside \
             {game} join Hunter",
            shell_word(name)
        )
    }
}

/// The folder of the sample in each language, by the language's name.
fn samples() -> BTreeMap<&'static str, String> {
    let folders = SAMPLES.iter().filter_map(|(path, _)| path.strip_suffix("/bot.json").map(str::to_owned));
    let is_standalone = |folder: &str| STANDALONE.iter().any(|own| own.sample == folder);
    let starters = folders.filter(|folder| folder != NO_STARTER && !is_standalone(folder));
    let with_language = starters.filter_map(|folder| {
        let manifest: BotJson = serde_json::from_slice(sample_file(&format!("{folder}/bot.json"))?).ok()?;
        Some((Language::from_name(&manifest.bot_type)?.name, folder))
    });
    with_language.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_of_a_sample_starts_it_in_the_same_way() {
        for own in &STANDALONE {
            let readme =
                sample_file(&format!("{}/README.md", own.sample)).and_then(|text| str::from_utf8(text).ok()).unwrap();
            for command in own.start {
                assert!(readme.contains(&format!("\n    {command}")), "{}: {command}", own.sample);
            }
        }
    }

    #[test]
    fn commands_name_the_folder_and_the_bot_as_they_must_be_written() {
        let next = |sample: &str| Starter::named(sample).unwrap().told("Cap'n", Path::new("a b/"), &[], None);
        assert!(next("python").ends_with("\nNext: broadside check 'a b/'"), "{}", next("python"));
        assert!(next("sea-battle-node").contains("\nNext: node 'a b/bot.js'\nThen, "), "{}", next("sea-battle-node"));
        let start = "python3 -m venv 'a b/venv' && 'a b/venv/bin/pip' install -r 'a b/requirements.txt' && \
                     'a b/venv/bin/python' 'a b/bot.py' \"Cap'n\"\n";
        assert!(next("salvo-python").contains(start), "{}", next("salvo-python"));
        assert!(next("battleship-cpp").ends_with("\nNext: broadside play --rules classic -b 'a b/' builtin:random"));
        assert!(next("salvo-rust").contains(" --manifest-path 'a b/Cargo.toml' -- \"Cap'n\"\n"));
    }
}
