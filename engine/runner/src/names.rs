//! The names of players: those that call themselves the same are told apart by their folders, in matches and in tournaments.

use crate::{Contestant, ContestantKind};
use players::BuiltIn;
use rules::{Game, printable};
use std::path::{Component, Path, PathBuf};

/// The own name of a player, and its folder if it has one.
pub(crate) type NamedPlayer = (String, Option<PathBuf>);

/// The name that a contestant gives itself, and its folder.
pub(crate) fn of_contestant<G: Game, B>(contestant: &Contestant<G, B>) -> NamedPlayer {
    let is_bot = matches!(contestant.kind, ContestantKind::Bot(_));
    let folder = Some(&contestant.source).filter(|_| is_bot).and_then(|source| folder(source));
    (printable(contestant.info.name().trim()), folder)
}

/// The folder of a bot that was named so, as an absolute path; `None` for a URL and for a built-in player.
pub(crate) fn folder(named: &str) -> Option<PathBuf> {
    if named.contains("://") || named.starts_with(BuiltIn::PREFIX) {
        return None;
    }
    let path = std::path::absolute(named).unwrap_or_else(|_| named.into());
    // A path that ends in `..` has no name of its own.
    let is_named = matches!(path.components().next_back(), Some(Component::Normal(_)));
    Some(if is_named { path } else { place(named) })
}

/// The place of a bot, which does not depend on how its folder is written: its full path, in which links are followed, also if the last
/// parts of it are not there. A URL is its own place.
pub(crate) fn place(named: &str) -> PathBuf {
    if named.contains("://") {
        return named.into();
    }
    let path = std::path::absolute(named).unwrap_or_else(|_| named.into());
    let there = path.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    there.map_or_else(
        || path.clone(),
        |(above, real)| {
            let rest = path.strip_prefix(above).unwrap_or(Path::new(""));
            if rest.as_os_str().is_empty() { real } else { real.join(rest) }
        },
    )
}

/// The names of players that meet: their own, with its folder behind each that another one with another folder has as well. Names of
/// players without a folder, or in the same one, may still be equal.
pub(crate) fn told_apart(players: &[NamedPlayer]) -> Vec<String> {
    let told = |(name, folder): &NamedPlayer| {
        let others = players.iter().filter(|(other, elsewhere)| other == name && elsewhere != folder);
        let others: Vec<Option<&Path>> = others.map(|(_, folder)| folder.as_deref()).collect();
        match folder {
            Some(folder) if !others.is_empty() => format!("{name} ({})", end_of(folder, &others)),
            _ => name.clone(),
        }
    };
    players.iter().map(told).collect()
}

/// The shortest end of a path that no other one has.
fn end_of(path: &Path, others: &[Option<&Path>]) -> String {
    let end = |path: &Path, count: usize| -> PathBuf {
        let parts: Vec<_> = path.components().collect();
        parts[parts.len().saturating_sub(count)..].iter().collect()
    };
    let is_free = |count: &usize| others.iter().flatten().all(|other| end(other, *count) != end(path, *count));
    let count = (1..=path.components().count()).find(is_free).unwrap_or(1);
    printable(&end(path, count).to_string_lossy())
}

/// The first of a name, and the name with a number from 2 on, that is free.
pub(crate) fn numbered(name: String, is_free: impl Fn(&str) -> bool) -> String {
    if is_free(&name) {
        return name;
    }
    let mut all = (2..).map(|number: u64| format!("{name} ({number})"));
    all.find(|name| is_free(name)).expect("there is always another number")
}

/// True if a bot that calls itself `own` may have got this name.
pub(crate) fn is_name_of(name: &str, own: &str) -> bool {
    let rest = name.strip_prefix(own).map(|rest| rest.is_empty() || rest.starts_with(" (") && rest.ends_with(')'));
    rest.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(players: &[(&str, &str)]) -> Vec<String> {
        let players: Vec<NamedPlayer> =
            players.iter().map(|(name, source)| ((*name).to_owned(), folder(source))).collect();
        told_apart(&players)
    }

    #[test]
    fn all_bots_of_one_name_are_told_apart_by_their_folders() {
        let class = [("Student 40", "/class/s17"), ("Student 4", "/class/s4"), ("Student 40", "/class/s40/")];
        assert_eq!(told(&class), ["Student 40 (s17)", "Student 4", "Student 40 (s40)"]);
        assert_eq!(told(&[("Bot", "/a/bot"), ("Bot", "/b/bot")]), ["Bot (a/bot)", "Bot (b/bot)"]);
        assert_eq!(told(&[("Bot", "/x/old\u{1b}"), ("Bot", "/x/new")]), ["Bot (old\u{fffd})", "Bot (new)"]);
    }

    #[test]
    fn what_has_no_folder_of_its_own_keeps_its_name() {
        assert_eq!(told(&[("Bot", "/x/bot"), ("Bot", "/x/bot")]), ["Bot", "Bot"]);
        assert_eq!(told(&[("Bot", "builtin:random"), ("Bot", "/x/bot")]), ["Bot", "Bot (bot)"]);
        assert_eq!(told(&[("Bot", "http://a:1"), ("Bot", "http://a:2")]), ["Bot", "Bot"]);
        let taken = ["Bot", "Bot (2)"];
        assert_eq!(numbered("Bot".to_owned(), |name| !taken.contains(&name)), "Bot (3)");
    }
}
