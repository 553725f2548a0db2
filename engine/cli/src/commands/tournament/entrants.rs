//! Who takes part in a tournament.

use super::kit::Ground;
use crate::commands::contestant::{Who, built_in};
use crate::failure::Failure;
use crate::show;
use players::BuiltIn;
use rules::PlayerInfo;
use std::path::Path;
use tournament::Entrant;

/// Somebody who takes part, ready to play; `B` is what a bot is.
pub(super) struct Ready<B> {
    /// As it stands in the journal.
    pub(super) entrant: Entrant,
    /// What it is.
    pub(super) who: Who<B>,
}

/// Those who were named, each as it calls itself.
pub(super) fn ready<G: Ground>(ground: &G, named: &[String]) -> Result<Vec<Ready<G::Bot>>, Failure> {
    let mut all = Vec::new();
    for name in named {
        match name.strip_prefix(BuiltIn::PREFIX) {
            Some(which) => all.push(of_ours(name, built_in(which)?)),
            None => all.extend(ground.named(name)?),
        }
    }
    match all.len() {
        0 | 1 => Err(Failure::Usage {
            what: format!("a tournament is for two or more; {} was named", all.len()),
            hint: "broadside tournament -b BOT BOT …; builtin:random and builtin:hunter are there always".to_owned(),
        }),
        _ => Ok(all),
    }
}

fn of_ours<B>(name: &str, which: BuiltIn) -> Ready<B> {
    let details = PlayerInfo::named(name);
    let entrant = Entrant { name: name.to_owned(), bot: name.to_owned(), details, content: None };
    Ready { entrant, who: Who::BuiltIn(which) }
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
pub(super) fn free_name<B>(entrant: &Entrant, taken: &[Ready<B>]) -> String {
    let mut free = names(entrant).filter(|name| taken.iter().all(|other| other.entrant.name != *name));
    free.next().expect("there is always another number")
}

/// Whether a bot that calls itself `own` may have got this name.
pub(super) fn is_name_of(name: &str, own: &str) -> bool {
    let rest = name.strip_prefix(own).map(|rest| rest.is_empty() || rest.starts_with(" (") && rest.ends_with(')'));
    rest.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_versions_of_a_bot_are_told_apart_by_their_folders() {
        let entrant = |name: &str, bot: &str, content: Option<&str>| {
            let details = PlayerInfo::named(name);
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
