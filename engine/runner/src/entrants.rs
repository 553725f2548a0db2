//! Entrants of a tournament: found, named apart, and matched with those of its journal.

use crate::bots::program::is_pattern;
use crate::{BotChange, Contestant, ContestantOf, GameSetup, LeftOut, Report, RunnerError, TournamentOptions};
use players::{BuiltIn, Manifest};
use rules::Game;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tournament::{Entrant, NextGame, Plan, Retirement, ScoreTable, TournamentHeader};

/// A contestant that was named, with its entry for the journal.
type Named<C> = (Entrant, C);
/// The contestants that were named, each with its entry for the journal.
pub(crate) type Entrants<G, B> = Vec<Named<Contestant<G, B>>>;

/// The contestants with their entries.
pub(crate) fn of<G: Game, B>(contestants: Vec<Contestant<G, B>>) -> Entrants<G, B> {
    contestants.into_iter().map(|contestant| (entrant(&contestant), contestant)).collect()
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
fn free_name<C>(entrant: &Entrant, taken: &[(Entrant, C)]) -> String {
    let mut free = names(entrant).filter(|name| taken.iter().all(|(other, _)| other.name != *name));
    free.next().expect("there is always another number")
}

/// True if a bot that calls itself `own` may have got this name.
fn is_name_of(name: &str, own: &str) -> bool {
    let rest = name.strip_prefix(own).map(|rest| rest.is_empty() || rest.starts_with(" (") && rest.ends_with(')'));
    rest.unwrap_or_default()
}

/// The folder that the same bots with the same settings find again.
pub(crate) fn usual_folder<G: Game, B>(
    header: &TournamentHeader,
    entrants: &Entrants<G, B>,
    fingerprint: &str,
    seed: Option<u64>,
) -> PathBuf {
    let mut hasher = Sha256::new();
    for (Entrant { name, bot, content, .. }, _) in entrants {
        hasher.update(format!("{name:?}{bot:?}{content:?}"));
    }
    hasher.update(format!("{fingerprint}{}{:?}{seed:?}", header.plan.name(), header.rounds));
    let digits = arena::hex(&hasher.finalize()[..4]);
    let plain = |name: &str| -> String {
        let kept = name.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
        kept.take(20).collect()
    };
    let names: Vec<String> = entrants.iter().take(3).map(|(entrant, _)| plain(&entrant.name)).collect();
    Path::new("tournaments").join(format!("{} {digits}", names.join(" ")))
}

/// The entrants of a tournament that begins or goes on.
pub(crate) struct Entered<S: GameSetup> {
    /// All entrants by their numbers, each with its contestant. One that plays no more has a built-in player, which is not seated.
    pub(crate) entrants: Entrants<S::Game, S::Bot>,
    /// The entrants that are retired from now on.
    pub(crate) retirements: Vec<Retirement>,
    /// The folders of bots whose copies play in their place.
    pub(crate) replaced_folders: Vec<PathBuf>,
    /// The reasons why other bots that were named cannot take part.
    pub(crate) left_out: Vec<RunnerError>,
}

/// Checks that the bots that were named are enough for a tournament that begins.
pub(crate) fn can_begin<G: Game, B>(
    named: &Entrants<G, B>,
    left_out: &mut Vec<LeftOut>,
    options: &TournamentOptions,
    path: &Path,
) -> Result<(), RunnerError> {
    if let Some(name) = options.retire.iter().chain(&options.replace).next() {
        return Err(RunnerError::NoSuchEntrant(path.to_owned(), name.clone()));
    }
    match left_out.iter().position(|out| named.len() < 2 || !out.error.is_of_bot()) {
        Some(at) => Err(left_out.swap_remove(at).error),
        None if named.len() < 2 => Err(RunnerError::TooFewEntrants(named.len())),
        None => Ok(()),
    }
}

/// Matches the bots that were named with the entrants of the journal at `path`. An entrant whose bot is not what it was when it entered
/// plays on as the copy in its folder of `templates`. Retirements that the options ask for are made in the table.
pub(crate) fn entered<S: GameSetup>(
    setup: &S,
    table: &mut ScoreTable,
    (mut named, mut left_out): (Entrants<S::Game, S::Bot>, Vec<LeftOut>),
    options: &TournamentOptions,
    (path, templates): (&Path, &Path),
) -> Result<Entered<S>, RunnerError> {
    let report = |report: Report<'_>| setup.context().report(&report);
    let nobody = |name: &str| RunnerError::NoSuchEntrant(path.to_owned(), name.to_owned());
    let mut retirements = Vec::new();
    for name in &options.retire {
        if table.retirements().values().all(|retired| retired.name != *name) {
            let retirement = Retirement { name: name.clone(), replaced_by: None };
            if !table.retire(&retirement) {
                return Err(nobody(name));
            }
            report(Report::EntrantRetired(name, None));
            retirements.push(retirement);
        }
    }
    let mut replacements = Vec::new();
    for replace in &options.replace {
        let (number, folder) = replaced(table.entrants(), replace).ok_or_else(|| nobody(replace))?;
        let retired = table.retirements().get(&number);
        if retired.is_some_and(|retired| retired.replaced_by.is_some()) {
            // It was replaced when the same command was run before.
            let (found, out) = setup.find_entrants([folder])?;
            let mut found = of(found);
            found.retain(|(new, _)| named.iter().all(|(other, _)| other.bot != new.bot));
            named.append(&mut found);
            left_out.extend(out);
            continue;
        }
        let Ok([found]) = <[_; 1]>::try_from(setup.find(folder)?) else {
            return Err(RunnerError::NoProgram(folder.to_owned()));
        };
        setup.may_enter(&found)?;
        let retirement = Retirement { name: table.entrants()[number].name.clone(), replaced_by: None };
        table.retire(&retirement);
        replacements.push((retirement, entrant(&found), found));
    }
    named.retain(|(other, _)| replacements.iter().all(|(_, new, _)| other.bot != new.bot));

    let journal = table.entrants();
    let is_retired = |number: usize| table.results().is_retired(number);
    let (found, new) = matched(journal, is_retired, named);
    let mut changes = BTreeMap::new();
    let mut others = Vec::new();
    for LeftOut { named, error } in left_out {
        match journal.iter().position(|old| stands_for(&named, old)) {
            Some(number) => drop(changes.insert(number, BotChange::Unusable(Box::new(error)))),
            None if error.is_of_bot() => others.push(error),
            None => return Err(error),
        }
    }
    let missing =
        |old: &Entrant, change| RunnerError::OtherEntrant { path: path.to_owned(), name: old.name.clone(), change };
    if let Some(first) = journal.first()
        && !new.is_empty()
        && changes.is_empty()
        && found.iter().all(Option::is_none)
    {
        return Err(missing(first, BotChange::NotNamed));
    }
    let count = journal.len() + new.len() + replacements.len();
    let mut plan = Plan::new(options.format, count, options.games, options.rounds);
    let is_over = plan.next(table.results()) == NextGame::Done;
    let (mut entrants, mut replaced_folders) = (Vec::new(), Vec::new());
    for (number, (old, found)) in journal.iter().zip(found).enumerate() {
        let called = |entrant: Entrant| Entrant { name: old.name.clone(), ..entrant };
        let playing = match found {
            _ if is_retired(number) => None,
            // It may have been given another name on the command line.
            Some((entrant, contestant)) if entrant.content == old.content => {
                let details = old.details.clone();
                let contestant = Contestant { info: details.clone(), ..contestant };
                Some((called(Entrant { details, ..entrant }), contestant))
            }
            Some((entrant, contestant)) if options.allow_changed => {
                report(Report::EntrantChanged(&old.name));
                Some((called(entrant), contestant))
            }
            None if options.strict => return Err(missing(old, BotChange::NotNamed)),
            found => {
                let change = changes.remove(&number).unwrap_or_else(|| change_of(old, found.is_some()));
                match as_entered(setup, old, &templates.join(number.to_string())) {
                    Some(contestant) => {
                        report(Report::EntrantAsEntered(&old.name, &change));
                        replaced_folders.extend(Path::new(&old.bot).canonicalize());
                        Some((old.clone(), contestant))
                    }
                    None if is_over => None,
                    None => return Err(missing(old, change)),
                }
            }
        };
        entrants.push(match playing {
            Some(playing) => playing,
            None => (old.clone(), Contestant::built_in(NOT_SEATED)?),
        });
    }
    for (entrant, contestant) in new {
        let name = free_name(&entrant, &entrants);
        entrants.push((Entrant { name, ..entrant }, contestant));
    }
    for (retirement, entrant, contestant) in replacements {
        let name = free_name(&entrant, &entrants);
        report(Report::EntrantRetired(&retirement.name, Some(&name)));
        retirements.push(Retirement { replaced_by: Some(name.clone()), ..retirement });
        entrants.push((Entrant { name, ..entrant }, contestant));
    }
    if entrants.len() < 2 {
        return Err(others.pop().unwrap_or(RunnerError::TooFewEntrants(entrants.len())));
    }
    for retirement in &retirements {
        table.retire(retirement);
    }
    Ok(Entered { entrants, retirements, replaced_folders, left_out: others })
}

/// The built-in player in the place of an entrant that plays no more.
const NOT_SEATED: &str = "random";

/// The entrant that `NAME=FOLDER` replaces, by its number, and the folder. A name may have a `=` in it.
fn replaced<'a>(entrants: &[Entrant], named: &'a str) -> Option<(usize, &'a str)> {
    let folder = |entrant: &Entrant| named.strip_prefix(entrant.name.as_str())?.strip_prefix('=');
    entrants.iter().enumerate().find_map(|(number, entrant)| Some((number, folder(entrant)?)))
}

/// The change of the bot of an entrant that cannot play as it is.
fn change_of(old: &Entrant, is_named: bool) -> BotChange {
    if is_named {
        return BotChange::Changed;
    }
    let folder = PathBuf::from(&old.bot);
    match Manifest::read(&folder) {
        Err(source) if old.content.is_some() => BotChange::Unusable(Box::new(RunnerError::Manifest { folder, source })),
        _ => BotChange::NotNamed,
    }
}

/// The contestant that an entrant was when it entered: the copy of its folder, or a built-in player; `None` without either.
fn as_entered<S: GameSetup>(setup: &S, old: &Entrant, template: &Path) -> Option<ContestantOf<S>> {
    let is_built_in = old.bot.starts_with(BuiltIn::PREFIX);
    if !is_built_in && !template.is_dir() {
        return None;
    }
    let found = setup.entered(old, Some(template).filter(|_| !is_built_in)).ok()?;
    (found.content == old.content).then_some(found)
}

/// True if a bot of this name and content may be the entrant, unchanged.
fn is_unchanged(old: &Entrant, new: &Entrant) -> bool {
    is_name_of(&old.name, &new.name) && new.content == old.content
}

/// Those of `named` that are entrants of the journal, in its order, and those that are new. Several may call themselves the same, have
/// the same content, and be named in another order than before. So whoever is in its folder as it was gets its entry before a copy in
/// another folder can, and that before one that has changed, be it its name. An entrant that is retired gets what is left then: its bot
/// does not enter again.
fn matched<C>(
    journal: &[Entrant],
    is_retired: impl Fn(usize) -> bool,
    mut named: Vec<Named<C>>,
) -> (Vec<Option<Named<C>>>, Vec<Named<C>>) {
    let ways: [fn(&Entrant, &Entrant) -> bool; 4] = [
        |old, new| is_unchanged(old, new) && new.bot == old.bot,
        is_unchanged,
        |old, new| is_name_of(&old.name, &new.name) && new.bot == old.bot,
        // Without a folder the name tells who it is.
        |old, new| new.content.is_some() && new.bot == old.bot,
    ];
    let mut matched: Vec<Option<Named<C>>> = journal.iter().map(|_| None).collect();
    for (retired, is_it) in [false, true].into_iter().flat_map(|retired| ways.map(|way| (retired, way))) {
        for (number, (old, found)) in journal.iter().zip(&mut matched).enumerate() {
            if found.is_none() && is_retired(number) == retired {
                let at = named.iter().position(|(new, _)| is_it(old, new));
                *found = at.map(|at| named.remove(at));
            }
        }
    }
    (matched, named)
}

/// True if `named` on a command line stands for the bot of an entrant: its folder, alone or behind a name, or a pattern that its folder
/// fits.
fn stands_for(named: &str, entrant: &Entrant) -> bool {
    let behind_name = named.split_once('=').map(|(_, folder)| folder);
    let is_bot = |named: &str| named == entrant.bot;
    let fits = |named: &str| glob::Pattern::new(named).is_ok_and(|pattern| pattern.matches(&entrant.bot));
    is_bot(named) || behind_name.is_some_and(is_bot) || is_pattern(named) && fits(named)
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
