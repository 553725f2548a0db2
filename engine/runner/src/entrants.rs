//! Entrants of a tournament: found, named apart, and matched with those of its journal.

use crate::{Contestant, RunnerError};
use rules::Game;
use std::path::Path;
use tournament::Entrant;

/// The contestants that were named, each with its entry for the journal.
pub(crate) type Entrants<G, B> = Vec<(Entrant, Contestant<G, B>)>;

/// The contestants with their entries.
pub(crate) fn of<G: Game, B>(contestants: Vec<Contestant<G, B>>) -> Result<Entrants<G, B>, RunnerError> {
    match contestants.len() {
        few @ (0 | 1) => Err(RunnerError::TooFewEntrants(few)),
        _ => Ok(contestants.into_iter().map(|contestant| (entrant(&contestant), contestant)).collect()),
    }
}

fn entrant<G: Game, B>(contestant: &Contestant<G, B>) -> Entrant {
    let Contestant { source, info, content, .. } = contestant;
    let name = rules::printable(info.name().trim());
    Entrant { name, bot: source.clone(), details: info.clone(), content: content.clone() }
}

/// The names that an entrant may get: its own, with its folder where that is taken (by an older version, say), and then
/// with a number.
fn names(entrant: &Entrant) -> impl Iterator<Item = String> + use<> {
    let name = entrant.name.clone();
    let folder = Path::new(&entrant.bot).file_name().map(|folder| rules::printable(&folder.to_string_lossy()));
    let with_folder = folder.filter(|_| entrant.content.is_some()).map(|folder| format!("{name} ({folder})"));
    let numbered = (2..).map({
        let name = name.clone();
        move |number| format!("{name} ({number})")
    });
    [name].into_iter().chain(with_folder).chain(numbered)
}

/// The first name of an entrant that no other has.
pub(crate) fn free_name<C>(entrant: &Entrant, taken: &[(Entrant, C)]) -> String {
    let mut free = names(entrant).filter(|name| taken.iter().all(|(other, _)| other.name != *name));
    free.next().expect("there is always another number")
}

/// True if a bot that calls itself `own` may have got this name.
fn is_name_of(name: &str, own: &str) -> bool {
    let rest = name.strip_prefix(own).map(|rest| rest.is_empty() || rest.starts_with(" (") && rest.ends_with(')'));
    rest.unwrap_or_default()
}

/// The entrants in the order of the journal, new ones behind them. Those of the journal must be the same as before. `changed`
/// tells who plays for one whose folder has changed since, by its number and its entry in the journal, and what it is now;
/// `None` for nobody.
pub(crate) fn in_order_of<C>(
    journal: &[Entrant],
    mut named: Vec<(Entrant, C)>,
    path: &Path,
    mut changed: impl FnMut(usize, &Entrant, (Entrant, C)) -> Option<(Entrant, C)>,
) -> Result<Vec<(Entrant, C)>, RunnerError> {
    // Several may call themselves the same, have the same content, and be named in another order than before. So whoever is
    // in its folder as it was gets its entry before a copy in another folder can.
    let called_so = |old: &Entrant, new: &Entrant| is_name_of(&old.name, &new.name);
    let same = |old: &Entrant, new: &Entrant| called_so(old, new) && new.content == old.content;
    let same_folder = |old: &Entrant, new: &Entrant| same(old, new) && new.bot == old.bot;
    let mut unchanged: Vec<Option<(Entrant, C)>> = journal.iter().map(|_| None).collect();
    for is_it in [&same_folder as &dyn Fn(&Entrant, &Entrant) -> bool, &same] {
        for (old, found) in journal.iter().zip(&mut unchanged).filter(|(_, found)| found.is_none()) {
            let at = named.iter().position(|(new, _)| is_it(old, new));
            *found = at.map(|at| named.remove(at));
        }
    }
    let mut entrants: Vec<(Entrant, C)> = Vec::new();
    for (number, (old, found)) in journal.iter().zip(unchanged).enumerate() {
        let is_changed = named.iter().any(|(new, _)| called_so(old, new));
        let played = found.or_else(|| {
            let at = named.iter().position(|(new, _)| called_so(old, new) && new.bot == old.bot)?;
            changed(number, old, named.remove(at))
        });
        let Some((entrant, contestant)) = played else {
            let (path, name) = (path.to_owned(), old.name.clone());
            return Err(RunnerError::OtherEntrant { path, name, changed: is_changed });
        };
        entrants.push((Entrant { name: old.name.clone(), ..entrant }, contestant));
    }
    for (entrant, contestant) in named {
        let name = free_name(&entrant, &entrants);
        entrants.push((Entrant { name, ..entrant }, contestant));
    }
    Ok(entrants)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::PlayerInfo;

    #[test]
    fn two_versions_of_a_bot_are_told_apart_by_their_folders() {
        let entrant = |name: &str, bot: &str, content: Option<&str>| {
            let (details, content) = (PlayerInfo::named(name), content.map(str::to_owned));
            Entrant { name: name.to_owned(), bot: bot.to_owned(), details, content }
        };
        let first = |entrant: &Entrant| names(entrant).take(3).collect::<Vec<_>>();
        assert_eq!(first(&entrant("Bot", "bots/old\u{1b}/", Some("1f"))), ["Bot", "Bot (old\u{fffd})", "Bot (2)"]);
        let built_in = "builtin:random";
        let numbered = [built_in, "builtin:random (2)", "builtin:random (3)"];
        assert_eq!(first(&entrant(built_in, built_in, None)), numbered);
    }
}
