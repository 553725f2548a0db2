//! `broadside standings --site`: a tournament as a folder of pages that opens from the disk.

use crate::commands::records::replay;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, GameDetails, Names, printable, with_causes};
use arena::folder::replace_file;
use arena::record::{self, Playback, Record, RecordError};
use arena::{ArenaError, MatchHistory};
use std::fs::{self, File};
use std::io::{self, IsTerminal, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use tournament::{Fixture, Format, GameLine, JournalLine, KnockoutRound, ScoreTable, Standings};
use web::site::{INDEX_HTML, MATCHES, MATCHES_HTML, MatchLinks, MatchPages, SITE_MARK};
use web::{About, MatchList};

/// The most messages about single records.
const MOST_TOLD: u64 = 8;

/// Writes the pages of a tournament into `folder`: the report, a list of all matches that were kept, and a page for each of them.
/// Other files in the folder stay.
///
/// # Errors
/// A folder whose pages are of another origin or cannot be written, and a journal that cannot be read. A record that is missing or
/// damaged is told, and is in the exit code.
pub(crate) fn write_site(
    journal: &Path,
    folder: &Path,
    title: String,
    standings: &Standings<'_>,
) -> Result<Exit, Failure> {
    check_folder(folder)?;
    let matches = folder.join(MATCHES);
    fs::create_dir_all(&matches).map_err(|e| ArenaError::disk("make the folder", &matches, e))?;
    let table = standings.table();
    let mut games = GameDetails::new(title, table.entrants().len());
    let mut pages = SitePages::new(journal, folder, games.title(), standings);
    let mut failure = None;
    let again = ScoreTable::read_with(journal, |line| {
        // The journal may be written meanwhile; games of new entrants are not in these standings.
        if let JournalLine::Game(game) = line
            && game.fixture.first.max(game.fixture.second) < table.entrants().len()
            && failure.is_none()
        {
            games.add(game);
            failure = pages.add(game).err();
        }
    })?;
    games.fail(again.failures().to_vec());
    if let Some(failure) = failure {
        return Err(failure.into());
    }
    if pages.is_on_terminal {
        show::status("");
    }
    let written = pages.end()?;
    let index = folder.join(INDEX_HTML);
    replace_file(&index, games.site_index(standings, &written.pages, written.note().as_deref()).as_bytes())?;
    written.tell();
    show::print(&format!("{}\n", index.display()))?;
    Ok(if written.wrong == 0 { Exit::Success } else { Exit::BadRecord })
}

/// Checks that no page of somebody else would be replaced.
fn check_folder(folder: &Path) -> Result<(), Failure> {
    for page in [INDEX_HTML, MATCHES_HTML].map(|name| folder.join(name)) {
        let mut begin = Vec::new();
        match File::open(&page).and_then(|file| file.take(1 << 10).read_to_end(&mut begin)) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Ok(_) if String::from_utf8_lossy(&begin).contains(SITE_MARK) => {}
            _ => {
                return Err(Failure::Usage {
                    what: format!("{} exists and is not a page of a tournament", page.display()),
                    hint: "name a folder of its own for the site".to_owned(),
                });
            }
        }
    }
    Ok(())
}

/// The pages of matches, written one after the other.
struct SitePages<'a> {
    /// The folder of the tournament.
    tournament: PathBuf,
    folder: &'a Path,
    title: String,
    table: &'a ScoreTable,
    list: MatchList,
    /// The page with the list, as far as it is written.
    list_page: String,
    /// The match that was read last; its page is written when it is known which one is next.
    waiting: Option<ReadMatch>,
    previous: Option<String>,
    written: WrittenPages,
    is_on_terminal: bool,
}

/// The pages that were written, and the number of records that could not be.
#[derive(Default)]
struct WrittenPages {
    pages: MatchPages,
    /// The number of records that are missing or damaged.
    wrong: u64,
}

/// A match that was read from its record.
struct ReadMatch {
    fixture: Fixture,
    history: Box<dyn MatchHistory>,
    about: About,
}

impl<'a> SitePages<'a> {
    fn new(journal: &Path, folder: &'a Path, title: &str, standings: &Standings<'a>) -> SitePages<'a> {
        let list = MatchList::new(standings, title);
        SitePages {
            tournament: journal.parent().unwrap_or(Path::new("")).to_owned(),
            folder,
            title: title.to_owned(),
            table: standings.table(),
            list_page: list.head(),
            list,
            waiting: None,
            previous: None,
            written: WrittenPages::default(),
            is_on_terminal: io::stderr().is_terminal(),
        }
    }

    /// Adds a game: a page and a row, if its record was kept.
    fn add(&mut self, game: &GameLine) -> Result<(), ArenaError> {
        let Some(record) = game.record.as_deref().filter(|_| !self.written.pages.has(game.fixture)) else {
            return Ok(());
        };
        let read = self.read(game.fixture, record);
        self.list_page.push_str(&self.list.row(game, read.is_some()));
        let Some(read) = read else { return Ok(()) };
        self.written.pages.add(game.fixture);
        if self.is_on_terminal {
            show::status(&format!("{} pages", self.written.pages.len()));
        }
        let next = MatchPages::name(read.fixture);
        match self.waiting.replace(read) {
            Some(before) => self.write_match(before, Some(next)),
            None => Ok(()),
        }
    }

    /// Writes what is left.
    fn end(mut self) -> Result<WrittenPages, ArenaError> {
        if let Some(last) = self.waiting.take() {
            self.write_match(last, None)?;
        }
        self.list_page.push_str(MatchList::TAIL);
        replace_file(&self.folder.join(MATCHES_HTML), self.list_page.as_bytes())?;
        Ok(self.written)
    }

    /// Reads a record. Reports missing or damaged records; a record with an illegal turn gets a page up to that turn.
    fn read(&mut self, fixture: Fixture, path: &str) -> Option<ReadMatch> {
        let read = inside(path).and_then(|inside| self.read_record(fixture, &self.tournament.join(inside)));
        let (found, wrong) = match read {
            Ok((found, wrong)) => (Some(found), wrong),
            Err(error) => (None, Some(error)),
        };
        if let Some(error) = wrong {
            self.written.wrong += 1;
            if self.written.wrong <= MOST_TOLD {
                let what = if found.is_some() { "the page ends early" } else { "no page" };
                show::say(&format!("{what}: {}", printable(&with_causes(&error))));
            }
        }
        found
    }

    fn read_record(&self, fixture: Fixture, path: &Path) -> Result<(ReadMatch, Option<ArenaError>), ArenaError> {
        // A pipe would be waited for.
        if path.exists() && !path.is_file() {
            return Err(ArenaError::disk("read", path, io::Error::other("it is not a file")));
        }
        let record = Arc::new(Record::read(path)?);
        let Playback { history, failure } = record::show(&record)?;
        let entrants = fixture.seated().map(|at| self.table.entrants()[at].name.as_str());
        let about = replay::about(&record, history.as_ref(), &Names::of_players(entrants), failure.as_ref());
        let unfinished =
            |error: &ArenaError| matches!(error, ArenaError::Record { source: RecordError::Unfinished { .. }, .. });
        Ok((ReadMatch { fixture, history, about }, failure.filter(|error| !unfinished(error))))
    }

    fn write_match(&mut self, read: ReadMatch, next: Option<String>) -> Result<(), ArenaError> {
        let name = MatchPages::name(read.fixture);
        let links = MatchLinks {
            tournament: self.title.clone(),
            label: self.label(read.fixture),
            previous: self.previous.replace(name.clone()),
            next,
        };
        let page = web::page_of_site(read.history.as_ref(), &read.about, &links);
        replace_file(&self.folder.join(MATCHES).join(name), page.as_bytes())
    }

    /// The name of a match in its tournament.
    fn label(&self, fixture: Fixture) -> String {
        let game = format!("game {}", fixture.number + 1);
        match self.table.event().plan {
            Format::Knockout => format!("{}, {game}", KnockoutRound::of(self.table.entrants().len(), fixture)),
            _ => game,
        }
    }
}

impl WrittenPages {
    /// A note for the front page.
    fn note(&self) -> Option<String> {
        (self.wrong > 0).then(|| format!("{} are missing or damaged", self.wrong_records()))
    }

    fn wrong_records(&self) -> String {
        if self.wrong == 1 { "1 record".to_owned() } else { format!("{} records", self.wrong) }
    }

    fn tell(&self) {
        if self.wrong > MOST_TOLD {
            show::say(&format!("and {} more", self.wrong - MOST_TOLD));
        }
        if let Some(note) = self.note() {
            show::say(&format!("{note}; the rest is written"));
        }
        if self.pages.is_empty() && self.wrong == 0 {
            show::tell("No record was kept, so there is no page of a match; tournament --keep all keeps all");
        }
    }
}

/// The path of a record, which must stay in the folder of its tournament.
fn inside(path: &str) -> Result<&Path, ArenaError> {
    let named = Path::new(path);
    if !path.is_empty() && named.components().all(|part| matches!(part, Component::Normal(_))) {
        return Ok(named);
    }
    Err(ArenaError::disk("read", named, io::Error::other("it is not in the folder of the tournament")))
}

#[cfg(test)]
mod tests {
    use super::inside;

    #[test]
    fn records_outside_the_tournament_are_not_read() {
        assert!(inside("records/0-1-00003.jsonl.zst").is_ok());
        for path in ["", "/etc/passwd", "../up.jsonl", "records/../../up.jsonl"] {
            assert!(inside(path).is_err(), "{path}");
        }
    }
}
