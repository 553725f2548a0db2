//! Entrants of a tournament: found, named apart, and matched with those of its journal.

mod copies;

use crate::bots::program::{is_pattern, split_pattern};
use crate::names::{self, is_name_of, place};
use crate::{
    BotChange, Contestant, ContestantOf, GameSetup, LeftOut, Report, RunnerError, TOURNAMENTS, TournamentOptions,
};
pub(crate) use copies::Copies;
use players::Manifest;
use rules::Game;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tournament::{Entrant, Format, GAMES_JSONL, JournalLine, NextGame, Plan, Retirement, ScoreTable, TournamentHeader};

/// A contestant that was named.
pub(crate) struct Named<C> {
    /// Its entry for the journal.
    pub(crate) entrant: Entrant,
    pub(crate) contestant: C,
    /// The place of its bot, as [`place`] has it.
    place: PathBuf,
}

impl<C> Named<C> {
    fn new(entrant: Entrant, contestant: C) -> Named<C> {
        Named { place: place(&entrant.bot), entrant, contestant }
    }

    fn called(self, name: String) -> Named<C> {
        Named { entrant: Entrant { name, ..self.entrant }, ..self }
    }
}

/// The contestants that were named, each with its entry for the journal.
pub(crate) type Entrants<G, B> = Vec<Named<Contestant<G, B>>>;

/// New versions, each with the number of the entrant in whose place it enters.
type Replacements<S> = Vec<(usize, Named<ContestantOf<S>>)>;

/// The contestants with their entries. Those whose folders cannot be copied for games are left out.
///
/// # Errors
/// One of them cannot enter, and `is_strict`.
pub(crate) fn of<S: GameSetup>(
    setup: &S,
    contestants: Vec<ContestantOf<S>>,
    left_out: &mut Vec<LeftOut>,
    is_strict: bool,
) -> Result<Entrants<S::Game, S::Bot>, RunnerError> {
    let mut named = Vec::new();
    for contestant in contestants {
        let source = contestant.source.clone();
        match entering(setup, contestant) {
            Ok(new) => named.push(new),
            Err(error) if is_strict => return Err(error),
            Err(error) => left_out.push(LeftOut { named: source, error }),
        }
    }
    Ok(named)
}

/// A contestant that may enter, with its entry.
///
/// # Errors
/// [`RunnerError::OutsideFolder`], [`RunnerError::NotCopied`].
fn entering<S: GameSetup>(setup: &S, mut contestant: ContestantOf<S>) -> Result<Named<ContestantOf<S>>, RunnerError> {
    let copy = setup.may_enter(&mut contestant)?;
    Ok(Named::new(Entrant { copy, ..entry(&contestant) }, contestant))
}

fn entry<G: Game, B>(contestant: &Contestant<G, B>) -> Entrant {
    let Contestant { source, info, content, .. } = contestant;
    let name = rules::printable(info.name().trim());
    Entrant { content: content.clone(), ..Entrant::new(name, source.clone(), info.clone()) }
}

/// The folder that the same bots with the same settings find again.
pub(crate) fn usual_folder<G: Game, B>(
    header: &TournamentHeader,
    entrants: &Entrants<G, B>,
    fingerprint: &str,
    seed: Option<u64>,
) -> PathBuf {
    let mut hasher = Sha256::new();
    for Named { entrant: Entrant { name, bot, content, .. }, .. } in entrants {
        hasher.update(format!("{name:?}{bot:?}{content:?}"));
    }
    hasher.update(format!("{fingerprint}{}{:?}{seed:?}", header.plan.name(), header.rounds));
    let digits = arena::hex(&hasher.finalize()[..4]);
    let plain = |name: &str| -> String {
        let kept = name.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
        kept.take(20).collect()
    };
    let joined = |name: fn(&Entrant) -> String, between: &str| {
        let names: Vec<String> = entrants.iter().take(3).map(|named| plain(&name(&named.entrant))).collect();
        Path::new(TOURNAMENTS).join(format!("{}{between}{digits}", names.join(between)))
    };
    // Earlier versions wrote blanks, and a tournament that they began goes on.
    let old = joined(|entrant| entrant.name.clone(), " ");
    let in_folder = |entrant: &Entrant| {
        let folder = names::folder(&entrant.bot).and_then(|folder| Some(folder.file_name()?.to_string_lossy().into()));
        folder.unwrap_or_else(|| entrant.name.clone())
    };
    if old.join(GAMES_JSONL).is_file() { old } else { joined(in_folder, "_") }
}

/// The entrants of a tournament that begins or goes on.
pub(crate) struct Entered<S: GameSetup> {
    /// All entrants by their numbers, each with its contestant. One that plays no more has a built-in player, which is not seated.
    pub(crate) entrants: Entrants<S::Game, S::Bot>,
    /// Those that retire without a replacement, and those that play again.
    pub(crate) changes: Vec<JournalLine>,
    /// The other bots that were named and cannot take part.
    pub(crate) left_out: Vec<LeftOut>,
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

/// Matches the bots that were named with the entrants of the journal at `path`. An entrant plays from its copy if that is there, and its
/// bot is copied if not. Retirements that the options ask for are made in the table.
pub(crate) fn entered<S: GameSetup>(
    setup: &S,
    table: &mut ScoreTable,
    (mut named, mut left_out): (Entrants<S::Game, S::Bot>, Vec<LeftOut>),
    options: &TournamentOptions,
    (path, copies): (&Path, &Copies),
) -> Result<Entered<S>, RunnerError> {
    let report = |report: Report<'_>| setup.context().report(&report);
    let replacements = replacements(setup, table, (&mut named, &mut left_out), options, path)?;
    let mut changed = Vec::new();
    for name in &options.retire {
        if !table.entrants().iter().any(|entrant| entrant.name == *name) {
            return Err(RunnerError::NoSuchEntrant(path.to_owned(), name.clone()));
        }
        if table.retirements().keys().all(|number| table.entrants()[*number].name != *name) {
            table.retire(name);
            report(Report::EntrantRetired(name, None));
            changed.push(JournalLine::Retired(Retirement { name: name.clone() }));
        }
    }

    let journal = table.entrants();
    // New versions come first, so that their numbers are known.
    let mut results = table.results().clone();
    replacements.iter().zip(journal.len()..).for_each(|((old, _), new)| results.replace(*old, new));
    let (found, mut new) = matched(journal, |number| results.is_retired(number), named);
    if options.only_named {
        for (number, found) in found.iter().enumerate() {
            let retirement = Retirement { name: table.entrants()[number].name.clone() };
            match (found, results.is_retired(number)) {
                (Some(_), true) => {
                    table.come_back(&retirement.name);
                    changed.push(JournalLine::Returned(retirement));
                }
                (None, false) => {
                    table.retire(&retirement.name);
                    changed.push(JournalLine::Retired(retirement));
                }
                _ => {}
            }
        }
        results = table.results().clone();
    }
    let journal = table.entrants();
    let mut changes = BTreeMap::new();
    let mut others = Vec::new();
    for out in left_out {
        match journal.iter().position(|old| stands_for(&out.named, old)) {
            Some(number) => drop(changes.insert(number, BotChange::Unusable(Box::new(out.error)))),
            None if out.error.is_of_bot() => others.push(out),
            None => return Err(out.error),
        }
    }
    if options.format == Format::Knockout && results.games() > 0 {
        let late = new.drain(..).map(|new| new.entrant.bot);
        others.extend(late.map(|named| LeftOut { error: RunnerError::KnockoutHasBegun(named.clone()), named }));
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
    let count = journal.len() + replacements.len() + new.len();
    let mut plan = Plan::of(table.event(), count, options.games, options.rounds);
    let is_over = plan.next(&results) == NextGame::Done;
    let as_before = |old: &Entrant, contestant: ContestantOf<S>| {
        let contestant = Contestant { info: old.details.clone(), ..contestant };
        Named::new(old.clone(), contestant)
    };
    let mut playing = Vec::new();
    for (number, (old, found)) in journal.iter().zip(found).enumerate() {
        let plays = match found {
            _ if results.is_retired(number) => {
                // One that is in its own folder still is known to play no more.
                if let Some(found) = found.filter(|found| found.place != place(&old.bot)) {
                    report(Report::RetiredElsewhere(&found.entrant.bot, &old.name));
                }
                None
            }
            Some(found) if options.allow_changed && !is_same(old, &found.entrant) => {
                report(Report::EntrantChanged(&old.name));
                Some((found, Copying::Changed))
            }
            None if options.strict => return Err(missing(old, BotChange::NotNamed)),
            // It may have been given another name on the command line.
            Some(found) if is_same(old, &found.entrant) => {
                if old.copy.is_none() && old.content.is_none() {
                    Some((as_before(old, found.contestant), Copying::Done))
                } else if copies.has(setup, number, old) {
                    Some((as_before(old, copies.playing::<S>(number, found.contestant)), Copying::Done))
                } else {
                    Some((found, Copying::Same))
                }
            }
            found => {
                let change = changes.remove(&number).unwrap_or_else(|| change_of(old, found.is_some()));
                match copies.as_entered(setup, number, old) {
                    Some(contestant) => {
                        report(Report::EntrantAsEntered(&old.name, &change));
                        Some((as_before(old, contestant), Copying::Done))
                    }
                    None if is_over => None,
                    None => return Err(missing(old, change)),
                }
            }
        };
        playing.push(match plays {
            Some(plays) => plays,
            None => (Named::new(old.clone(), Contestant::built_in(NOT_SEATED)?), Copying::Done),
        });
    }
    // Nothing is copied before all of them can play.
    let mut entrants: Entrants<S::Game, S::Bot> = Vec::new();
    for (old, (named, copying)) in journal.iter().zip(playing) {
        entrants.push(match copying {
            Copying::Done => named,
            Copying::Same => {
                let copied = copies.copied(setup, entrants.len(), named)?;
                if !is_same(old, &copied.entrant) {
                    return Err(missing(old, BotChange::Changed));
                }
                as_before(old, copied.contestant)
            }
            Copying::Changed => {
                let Named { entrant, contestant, place } = copies.copied(setup, entrants.len(), named)?;
                let entrant = Entrant { name: old.name.clone(), replaces: old.replaces.clone(), ..entrant };
                Named { entrant, contestant, place }
            }
        });
    }
    for (old, new) in replacements {
        let Named { entrant, contestant, place } = copies.copied(setup, entrants.len(), new)?;
        let replaces = Some(journal[old].name.clone());
        entrants.push(Named { entrant: Entrant { replaces, ..entrant }, contestant, place });
    }
    for new in new {
        let named = new.entrant.bot.clone();
        match copies.copied(setup, entrants.len(), new) {
            Ok(new) => entrants.push(new),
            Err(error) if error.is_of_bot() => others.push(LeftOut { named, error }),
            Err(error) => return Err(error),
        }
    }
    let entrants = named_apart(entrants, journal.len());
    for Named { entrant, .. } in &entrants[journal.len()..] {
        if let Some(old) = &entrant.replaces {
            report(Report::EntrantRetired(old, Some(&entrant.name)));
        }
    }
    if entrants.len() < 2 {
        return Err(others.pop().map_or(RunnerError::TooFewEntrants(entrants.len()), |out| out.error));
    }
    Ok(Entered { entrants, changes: changed, left_out: others })
}

/// The entrants with names that no other has. The first `known` are in the journal, and keep theirs.
fn named_apart<C>(entrants: Vec<Named<C>>, known: usize) -> Vec<Named<C>> {
    let own: Vec<_> = entrants
        .iter()
        .map(|Named { entrant, .. }| (rules::printable(entrant.details.name().trim()), names::folder(&entrant.bot)))
        .collect();
    let mut apart: Vec<Named<C>> = Vec::new();
    for (named, name) in entrants.into_iter().zip(names::told_apart(&own)) {
        let name = match apart.len() < known {
            true => named.entrant.name.clone(),
            false => names::numbered(name, |name| apart.iter().all(|other| other.entrant.name != name)),
        };
        apart.push(named.called(name));
    }
    apart
}

/// The copying that is left to do for an entrant of the journal.
enum Copying {
    /// None: its copy is there, or it has no folder.
    Done,
    /// Its bot is what it was when it entered, and is copied again.
    Same,
    /// Its bot has changed, and is copied as it is now.
    Changed,
}

/// The new versions that the options ask for. One that has entered before is
/// among those that were `named`, and others that are new versions are not.
fn replacements<S: GameSetup>(
    setup: &S,
    table: &ScoreTable,
    (named, left_out): (&mut Entrants<S::Game, S::Bot>, &mut Vec<LeftOut>),
    options: &TournamentOptions,
    path: &Path,
) -> Result<Replacements<S>, RunnerError> {
    let journal = table.entrants();
    let plan = Plan::of(table.event(), journal.len(), options.games, options.rounds);
    let mut replacements: Replacements<S> = Vec::new();
    for replace in &options.replace {
        let (number, folder) =
            replaced(journal, replace).ok_or_else(|| RunnerError::NoSuchEntrant(path.to_owned(), replace.clone()))?;
        let refused = |why: String| Err(RunnerError::NotReplaced(replace.clone(), why));
        let name = &journal[number].name;
        if options.retire.contains(name) {
            return refused(format!("--retire {name} ends its games without a new version; use one of the two"));
        }
        if let Some(Some(new)) = table.retirements().get(&number) {
            let Some(new) = journal.iter().find(|entrant| entrant.name == *new && stands_for(folder, entrant)) else {
                return refused(format!(
                    "{name} was replaced before, by {new}; --replace '{new}=FOLDER' replaces that"
                ));
            };
            // It was replaced when the same command was run before.
            let at = place(&new.bot);
            if named.iter().all(|other| other.place != at) {
                let (found, out) = setup.find_entrants([folder])?;
                left_out.extend(out);
                let found = of(setup, found, left_out, options.strict)?;
                named.extend(found);
            }
            continue;
        }
        if !plan.has_games_for(number, table.results()) {
            return refused(format!("{name} is out of the knockout, so that nobody can play on in its place"));
        }
        let Ok([found]) = <[_; 1]>::try_from(setup.find(folder)?) else {
            return Err(RunnerError::NoProgram(folder.to_owned()));
        };
        let new = entering(setup, found)?;
        let has_folder = new.entrant.copy.is_some();
        if replacements.iter().any(|(old, other)| *old == number || has_folder && other.place == new.place) {
            return refused("each entrant is replaced once, by a bot of its own".to_owned());
        }
        let plays_there = |(other, entrant): &(usize, &Entrant)| {
            *other != number && !table.results().is_retired(*other) && place(&entrant.bot) == new.place
        };
        if let Some((_, other)) = journal.iter().enumerate().find(plays_there).filter(|_| has_folder) {
            return refused(format!("the bot in {folder} takes part already, as {}", other.name));
        }
        replacements.push((number, new));
    }
    let is_new =
        |other: &Named<_>| replacements.iter().any(|(_, new)| new.entrant.copy.is_some() && other.place == new.place);
    named.retain(|other| !is_new(other));
    Ok(replacements)
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

/// True if the bot is what the entrant was when it entered. Nobody knows that of one without a hash.
fn is_same(old: &Entrant, new: &Entrant) -> bool {
    match (&old.copy, &new.copy) {
        (Some(old), Some(new)) => old == new,
        (Some(_), None) => false,
        // It entered with an older version.
        (None, Some(_)) => old.content.is_some() && old.content == new.content,
        (None, None) => old.content.is_none(),
    }
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
    // The entrant, its place, and a bot.
    type IsIt<C> = fn(&Entrant, &Path, &Named<C>) -> bool;
    let ways: [IsIt<C>; 4] = [
        |old, at, new| is_name_of(&old.name, &new.entrant.name) && is_same(old, &new.entrant) && new.place == at,
        |old, _, new| is_name_of(&old.name, &new.entrant.name) && is_same(old, &new.entrant),
        |old, at, new| is_name_of(&old.name, &new.entrant.name) && new.place == at,
        // Without a folder the name tells who it is.
        |_, at, new| new.entrant.copy.is_some() && new.place == at,
    ];
    let places: Vec<PathBuf> = journal.iter().map(|old| place(&old.bot)).collect();
    let mut matched: Vec<Option<Named<C>>> = journal.iter().map(|_| None).collect();
    for (retired, is_it) in [false, true].into_iter().flat_map(|retired| ways.map(|way| (retired, way))) {
        for (number, (old, found)) in journal.iter().zip(&mut matched).enumerate() {
            if found.is_none() && is_retired(number) == retired {
                let at = named.iter().position(|new| is_it(old, &places[number], new));
                *found = at.map(|at| named.remove(at));
            }
        }
    }
    (matched, named)
}

/// True if `named` on a command line stands for the bot of an entrant: its folder, alone or behind a name, or a pattern that its folder
/// fits, however they are written.
fn stands_for(named: &str, entrant: &Entrant) -> bool {
    let bot = place(&entrant.bot);
    let behind_name = named.split_once('=').map(|(_, folder)| folder);
    let is_bot = |named: &str| place(named) == bot;
    is_bot(named) || behind_name.is_some_and(is_bot) || is_pattern(named) && fits(named, &bot)
}

/// True if a pattern of folders fits this place.
fn fits(pattern: &str, place_of_bot: &Path) -> bool {
    let (folder, rest) = split_pattern(pattern);
    let folder = place(if folder.is_empty() { "." } else { folder });
    let whole = format!("{}/{}", glob::Pattern::escape(&folder.to_string_lossy()), rest.trim_end_matches('/'));
    glob::Pattern::new(&whole).is_ok_and(|pattern| pattern.matches_path(place_of_bot))
}
