//! `broadside standings --site`: a tournament as a folder of pages that opens from the disk.

use crate::commands::records::in_order::in_order;
use crate::commands::records::kept_record::{here, is_plain, kept_record};
use crate::commands::records::replay;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, GameDetails, Names, printable, with_causes};
use analysis::MatchAnalysis;
use arena::record::{self, Clock, Playback, Record, RecordError};
use arena::{ArenaError, MatchHistory};
use platform::files::{Folder, Opening};
use std::fs;
use std::io::{self, IsTerminal, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use tournament::{Fixture, GameLine, JournalLine, ScoreTable, Standings};
use web::site::{INDEX_HTML, MATCHES, MATCHES_HTML, MatchLinks, MatchPages, SITE_MARK, SharedParts};
use web::{About, MatchList, ReportAbout};

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
    let site = SiteFolder::open(folder, journal.parent().unwrap_or(Path::new("")))?;
    let table = standings.table();
    let made = Clock::Running.stamp().and_then(|now| record::shown_time(&now));
    let about = ReportAbout { title: title.clone(), note: None, made };
    let mut games = GameDetails::new(title, table.entrants().len());
    let mut pages = SitePages::new(&site, &about, standings)?;
    let mut kept = Vec::new();
    let again = ScoreTable::read_with(journal, |line| {
        // The journal may be written meanwhile; games of new entrants are not in these standings.
        if let JournalLine::Game(game) = line
            && game.fixture.first.max(game.fixture.second) < table.entrants().len()
        {
            games.add(game);
            kept.extend(game.record.is_some().then(|| game.clone()));
        }
    })?;
    games.fail(again.failures().to_vec());
    let tournament = journal.parent().unwrap_or(Path::new(""));
    in_order(&kept, |game| (game, analysed(tournament, game)), |(game, analysed)| pages.add(game, analysed))?;
    if pages.is_on_terminal {
        show::status("");
    }
    let written = pages.end()?;
    let about = ReportAbout { note: written.note(), ..about };
    site.write(INDEX_HTML, &games.site_index(standings, &written.pages, about))?;
    written.tell();
    show::print(&format!("{}\n", folder.join(INDEX_HTML).display()))?;
    Ok(if written.wrong == 0 { Exit::Success } else { Exit::BadRecord })
}

/// The folders of a site, open. Somebody else may have put anything there: no link is followed, and a file is replaced by another.
struct SiteFolder {
    path: PathBuf,
    root: Folder,
    matches: Folder,
}

impl SiteFolder {
    /// Opens or makes the folders. In the folder of the `tournament`, which may have come from somewhere else, no part of the path may
    /// be a link, however the path is written; elsewhere, only the last one must not.
    ///
    /// # Errors
    /// They cannot be made, or have pages of another origin.
    fn open(path: &Path, tournament: &Path) -> Result<SiteFolder, Failure> {
        let site: PathBuf = path.components().filter(|part| *part != Component::CurDir).collect();
        let real = |path: &Path| here(path).canonicalize().ok();
        let tournament = real(tournament);
        let mut outers = site.ancestors().filter(|outer| site.strip_prefix(outer).is_ok_and(is_plain));
        let outer = outers.find(|outer| tournament.is_some() && real(outer) == tournament);
        let outer = outer.or_else(|| site.file_name().and(site.parent())).unwrap_or(&site);
        let inner = site.strip_prefix(outer).unwrap_or(Path::new("")).to_owned();
        let outer = here(outer);
        let failed = |e: io::Error| ArenaError::disk("make a folder without links at", path, e);
        fs::create_dir_all(outer).map_err(failed)?;
        let mut root = Folder::open_linked(outer).map_err(failed)?;
        for part in &inner {
            root = root.make(part).map_err(failed)?;
        }
        check_pages(&root, path)?;
        let matches = path.join(MATCHES);
        let made = root.make(MATCHES.as_ref());
        let matches = made.map_err(|e| ArenaError::disk("make a folder without links at", &matches, e))?;
        Ok(SiteFolder { path: path.to_owned(), root, matches })
    }

    fn write(&self, name: &str, page: &str) -> Result<(), ArenaError> {
        self.root.replace(name, page.as_bytes()).map_err(|e| ArenaError::disk("write", self.path.join(name), e))
    }

    fn write_match(&self, name: &str, page: &str) -> Result<(), ArenaError> {
        let failed = |e| ArenaError::disk("write", self.path.join(MATCHES).join(name), e);
        self.matches.replace(name, page.as_bytes()).map_err(failed)
    }
}

/// Checks that no page of somebody else would be replaced.
fn check_pages(folder: &Folder, path: &Path) -> Result<(), Failure> {
    for name in [INDEX_HTML, MATCHES_HTML] {
        let mut begin = Vec::new();
        let page = folder.open_file(name, Opening::ReadingAtOnce);
        match page.and_then(|page| page.take(1 << 10).read_to_end(&mut begin)) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Ok(_) if String::from_utf8_lossy(&begin).contains(SITE_MARK) => {}
            _ => {
                return Err(Failure::Usage {
                    what: format!("{} exists and is not a page of a tournament", path.join(name).display()),
                    hint: "name a folder of its own for the site".to_owned(),
                });
            }
        }
    }
    Ok(())
}

/// The pages of matches, written one after the other.
struct SitePages<'a> {
    site: &'a SiteFolder,
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
    shared: SharedParts,
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
    analysis: MatchAnalysis,
}

/// A record with its analysis.
struct AnalysedRecord {
    record: Arc<Record>,
    analysis: MatchAnalysis,
}

/// Reads and analyses the record of a game, in the folder of its tournament.
fn analysed(tournament: &Path, game: &GameLine) -> Result<AnalysedRecord, ArenaError> {
    let record = Arc::new(kept_record(tournament, game.record.as_deref().unwrap_or_default())?);
    let analysis = analysis::analyse_record(&record, true)?.analysis;
    Ok(AnalysedRecord { record, analysis })
}

impl<'a> SitePages<'a> {
    /// Writes what all pages share.
    fn new(site: &'a SiteFolder, about: &ReportAbout, standings: &Standings<'a>) -> Result<SitePages<'a>, ArenaError> {
        let list = MatchList::new(standings, about);
        let shared = SharedParts::new();
        for (name, text) in shared.files() {
            site.write(name, text)?;
        }
        Ok(SitePages {
            site,
            title: about.title.clone(),
            table: standings.table(),
            list_page: list.head(),
            list,
            waiting: None,
            previous: None,
            written: WrittenPages::default(),
            is_on_terminal: io::stderr().is_terminal(),
            shared,
        })
    }

    /// Adds a game whose record was kept: a row, and a page if the record can be read.
    fn add(&mut self, game: &GameLine, analysed: Result<AnalysedRecord, ArenaError>) -> Result<(), ArenaError> {
        if self.written.pages.has(game.fixture) {
            return Ok(());
        }
        let read = self.read(game.fixture, analysed);
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
        self.site.write(MATCHES_HTML, &self.list_page)?;
        Ok(self.written)
    }

    /// Plays a record again. Reports missing or damaged records; a record with an illegal turn gets a page up to that turn.
    fn read(&mut self, fixture: Fixture, analysed: Result<AnalysedRecord, ArenaError>) -> Option<ReadMatch> {
        let (found, wrong) = match analysed.and_then(|analysed| self.play(fixture, analysed)) {
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

    fn play(&self, fixture: Fixture, of: AnalysedRecord) -> Result<(ReadMatch, Option<ArenaError>), ArenaError> {
        let AnalysedRecord { record, analysis } = of;
        let Playback { history, failure } = record::show(&record)?;
        let entrants = fixture.seated().map(|at| self.table.entrants()[at].name.as_str());
        let about = replay::about(&record, history.as_ref(), &Names::of_players(entrants), failure.as_ref());
        let unfinished =
            |error: &ArenaError| matches!(error, ArenaError::Record { source: RecordError::Unfinished { .. }, .. });
        Ok((ReadMatch { fixture, history, about, analysis }, failure.filter(|error| !unfinished(error))))
    }

    fn write_match(&mut self, read: ReadMatch, next: Option<String>) -> Result<(), ArenaError> {
        let name = MatchPages::name(read.fixture);
        let links = MatchLinks {
            tournament: self.title.clone(),
            label: self.label(read.fixture),
            previous: self.previous.replace(name.clone()),
            next,
        };
        let page = web::page_of_site(read.history.as_ref(), &read.about, Some(&read.analysis), &links, &self.shared);
        self.site.write_match(&name, &page)
    }

    /// The name of a match in its tournament.
    fn label(&self, fixture: Fixture) -> String {
        let game = format!("game {}", fixture.number + 1);
        self.table.knockout_seeds().map_or_else(|| game.clone(), |seeds| format!("{}, {game}", seeds.round(fixture)))
    }
}

impl WrittenPages {
    /// A note for the front page.
    fn note(&self) -> Option<String> {
        (self.wrong > 0).then(|| {
            format!("{} {} missing or damaged", self.wrong_records(), if self.wrong == 1 { "is" } else { "are" })
        })
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
