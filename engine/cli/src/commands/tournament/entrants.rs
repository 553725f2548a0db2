//! Who takes part in a tournament.

use super::super::contestant::{self, Program};
use crate::failure::Failure;
use crate::show;
use arena::ArenaError;
use arena::record::remove_folder;
use arena::tournament::Entrant;
use players::process::{copy_bot, size_of_copy};
use players::{BuiltIn, Tools};
use rules::entelect_2017::files::BotDetails;
use std::path::{Path, PathBuf};

/// Somebody who takes part, ready to play.
pub(super) struct Ready {
    /// As it stands in the journal.
    pub(super) entrant: Entrant,
    /// What it is.
    pub(super) who: Who,
}

/// What somebody who takes part is.
pub(super) enum Who {
    /// A player of the engine's own.
    BuiltIn(BuiltIn),
    /// A bot, and the folder that is copied for each game. Without one, its games share the bot's own.
    Bot { program: Box<Program>, pattern: Option<PathBuf> },
}

impl Ready {
    /// Puts a copy of the bot's folder in `to`, for the games to be played with: whoever works on the bot meanwhile does not
    /// change who plays. Where there is no room for it, the folder itself has to do.
    pub(super) fn set_aside(&mut self, to: PathBuf) {
        let Who::Bot { program, pattern: Some(pattern) } = &mut self.who else { return };
        match copy_bot(&program.folder, &to) {
            Ok(()) => *pattern = to,
            Err(e) => {
                // What there is of it only takes room; it is removed with all else in the end.
                let _ = remove_folder(&to);
                let (name, folder) = (&self.entrant.name, program.folder.display());
                show::say(&format!("{name}: changes in {folder} while games are played change the bot: {e}"));
            }
        }
    }
}

/// A folder that is larger is not copied for each game.
const MOST_COPIED: u64 = 256 << 20;

/// The bots that were named, each as it calls itself.
pub(super) fn ready(bots: &[String], force_rebuild: bool, tools: &Tools) -> Result<Vec<Ready>, Failure> {
    let mut all: Vec<Ready> = Vec::new();
    for bot in named(bots)? {
        let mut one = match bot.strip_prefix(BuiltIn::PREFIX) {
            Some(name) => built_in(&bot, name)?,
            None => from_folder(Path::new(&bot), force_rebuild, tools)?,
        };
        one.entrant.bot = bot;
        all.push(one);
    }
    match all.len() {
        0 | 1 => Err(Failure::Usage {
            what: format!("a tournament is for two or more; {} was named", all.len()),
            hint: "broadside tournament -b BOT BOT …; builtin:random and builtin:hunter are there always".to_owned(),
        }),
        _ => Ok(all),
    }
}

/// What somebody may be called: by name, with the folder where that is taken, as that of an older version may be, and at
/// last with a number.
fn names(entrant: &Entrant) -> impl Iterator<Item = String> + use<> {
    let name = entrant.name.clone();
    let folder = Path::new(&entrant.bot).file_name().map(|folder| show::clean(&folder.to_string_lossy()));
    let with_folder = folder.filter(|_| entrant.content.is_some()).map(|folder| format!("{name} ({folder})"));
    let numbered = (2..).map({
        let name = name.clone();
        move |number| format!("{name} ({number})")
    });
    [name].into_iter().chain(with_folder).chain(numbered)
}

/// The first of its names that is not taken.
pub(super) fn free_name(entrant: &Entrant, taken: &[Ready]) -> String {
    let mut free = names(entrant).filter(|name| taken.iter().all(|other| other.entrant.name != *name));
    free.next().expect("there is always another number")
}

/// Whether a bot that calls itself `own` may have got this name.
pub(super) fn is_name_of(name: &str, own: &str) -> bool {
    let rest = name.strip_prefix(own).map(|rest| rest.is_empty() || rest.starts_with(" (") && rest.ends_with(')'));
    rest.unwrap_or_default()
}

/// The names with patterns filled in, for shells that do not do that.
fn named(bots: &[String]) -> Result<Vec<String>, Failure> {
    let mut all = Vec::new();
    for bot in bots {
        if bot.starts_with(BuiltIn::PREFIX) || !bot.contains(['*', '?', '[']) || Path::new(bot).exists() {
            all.push(bot.clone());
            continue;
        }
        let wrong = |what: String| Failure::Usage { what, hint: "quote the pattern, or name the folders".to_owned() };
        let found = glob::glob(bot).map_err(|e| wrong(format!("{bot} is no pattern: {e}")))?;
        // Of all that it fits, those that are bots.
        let folders: Vec<PathBuf> =
            found.filter_map(Result::ok).filter(|path| path.join("bot.json").is_file()).collect();
        if folders.is_empty() {
            return Err(wrong(format!("no folder with a bot.json fits {bot}")));
        }
        all.extend(folders.into_iter().map(|folder| folder.to_string_lossy().into_owned()));
    }
    Ok(all)
}

fn built_in(bot: &str, name: &str) -> Result<Ready, Failure> {
    let Some(one) = BuiltIn::from_name(name) else {
        let all = BuiltIn::ALL.map(|one| format!("{}{}", BuiltIn::PREFIX, one.name())).join(" and ");
        return Err(Failure::Usage { what: format!("there is no player {bot}"), hint: format!("there are {all}") });
    };
    let details = BotDetails::without_bot(bot);
    let entrant = Entrant { name: bot.to_owned(), bot: bot.to_owned(), details, content: None };
    Ok(Ready { entrant, who: Who::BuiltIn(one) })
}

fn from_folder(folder: &Path, force_rebuild: bool, tools: &Tools) -> Result<Ready, Failure> {
    let contestant = contestant::bot(folder, force_rebuild, tools)?;
    let program = contestant.bot.expect("it was read from a bot.json");
    let size = size_of_copy(&program.folder, MOST_COPIED).map_err(|e| ArenaError::disk("look through", folder, e))?;
    let pattern = (size <= MOST_COPIED).then(|| program.folder.clone());
    let name = show::clean(contestant.details.name().trim());
    if pattern.is_none() {
        show::say(&format!("{name}: {} is too large to be copied, so all its games share it", folder.display()));
    }
    let bot = folder.display().to_string();
    let entrant = Entrant { name, bot, details: contestant.details, content: program.content.clone() };
    Ok(Ready { entrant, who: Who::Bot { program: Box::new(program), pattern } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_versions_of_a_bot_are_told_apart_by_their_folders() {
        let entrant = |name: &str, bot: &str, content: Option<&str>| {
            let details = BotDetails::without_bot(name);
            let content = content.map(str::to_owned);
            Entrant { name: name.to_owned(), bot: bot.to_owned(), details, content }
        };
        let first = |entrant: &Entrant| names(entrant).take(3).collect::<Vec<_>>();
        assert_eq!(first(&entrant("Bot", "bots/old\u{1b}/", Some("1f"))), ["Bot", "Bot (old\u{fffd})", "Bot (2)"]);
        let built_in = "builtin:random";
        let numbered = [built_in, "builtin:random (2)", "builtin:random (3)"];
        assert_eq!(first(&entrant(built_in, built_in, None)), numbered);
    }
}
