//! The index: the history of matches in an SQLite database, for look-ups.
//!
//! The index holds nothing that is not in the journal. It is made again from the journal if it is missing, damaged or
//! of another journal. One thread does all its work in order, so a query sees all lines that were entered before it.

use crate::state::journal_line::{MatchLine, ServerJournalLine};
use crate::state::name::BotId;
use crate::state::request_error::Trouble;
use crate::state::serve_error::ServeError;
use crate::state::wire::PastTournamentView;
use platform::files::close_path_to_others;
use platform::locks::lock;
use platform::signals::size_limit_error;
use rusqlite::{Connection, params};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::{fs, io, iter};

/// The name of the database in the server's folder.
pub(crate) const ARENA_SQLITE: &str = "arena.sqlite";
/// The version of the tables; it changes when they do.
const VERSION: i64 = 2;
/// The most jobs that may wait.
const WAITING: usize = 4096;
/// The most jobs that are done together, with one transaction for the lines among them.
const TOGETHER: usize = 512;

const TABLES: &str = "
    CREATE TABLE journal (mark TEXT NOT NULL, bytes INTEGER NOT NULL);
    INSERT INTO journal VALUES ('', 0);
    CREATE TABLE bots (id INTEGER PRIMARY KEY, name TEXT NOT NULL, url TEXT, registered TEXT NOT NULL,
                       updated TEXT NOT NULL, removed TEXT);
    CREATE TABLE tournaments (number INTEGER PRIMARY KEY, bots INTEGER NOT NULL, begun TEXT NOT NULL, ended TEXT,
                              unplayed INTEGER);
    CREATE TABLE matches (id INTEGER PRIMARY KEY, tournament INTEGER NOT NULL, a INTEGER NOT NULL, b INTEGER NOT NULL,
                          a_name TEXT NOT NULL, b_name TEXT NOT NULL, winner TEXT, ended TEXT NOT NULL,
                          line TEXT NOT NULL, void TEXT);
    CREATE INDEX matches_of_a ON matches (a, id);
    CREATE INDEX matches_of_b ON matches (b, id);
    CREATE INDEX matches_of_tournament ON matches (tournament, id);
";

/// The index, with its thread.
#[derive(Debug)]
pub(crate) struct Index {
    jobs: Option<SyncSender<Job>>,
    trouble: Arc<Mutex<Option<Trouble>>>,
    thread: Option<JoinHandle<()>>,
}

enum Job {
    /// Add a line that ends at this byte of the journal, unless the database has it.
    Line(Box<ServerJournalLine>, u64),
    /// Run a query.
    Ask(Box<dyn FnOnce(&Connection) + Send>),
}

impl Index {
    /// Opens the index of a folder, or creates one, for a journal of this many bytes. The caller then adds all lines of
    /// the journal. Adds a message if the old index could not be used.
    pub(crate) fn open(folder: &Path, length: u64, repairs: &mut Vec<String>) -> Result<Index, ServeError> {
        let path = folder.join(ARENA_SQLITE);
        let (connection, mark, has) = match open(&path) {
            Ok(opened) => opened,
            Err(error) => {
                repairs.push(format!("{}: {error}; it is made again from the journal", path.display()));
                remove(&path).map_err(|e| arena::ArenaError::disk("remove", &path, e))?;
                open(&path).map_err(|source| match size_limit_error() {
                    // SQLite tells of a disk that fails.
                    Some(error) => arena::ArenaError::disk("write", &path, error).into(),
                    None => ServeError::Index { path: path.clone(), source },
                })?
            }
        };
        let has = if has > length { 0 } else { has };
        let (jobs, queue) = sync_channel(WAITING);
        let trouble = Arc::default();
        let (lines, is_foreign) = (Vec::new(), false);
        let writer = Writer { path, connection, mark, has, lines, is_foreign, trouble: Arc::clone(&trouble) };
        let thread = thread::Builder::new().name("index".to_owned()).spawn(move || writer.work(&queue));
        let thread = thread.map_err(|e| arena::ArenaError::process("start a thread for", "the index", e))?;
        Ok(Index { jobs: Some(jobs), trouble, thread: Some(thread) })
    }

    /// The reason why lines of the journal could not be added, as of the last query; `None` if all are in the index.
    pub(crate) fn trouble(&self) -> Option<Trouble> {
        lock(&self.trouble).clone()
    }

    /// Adds a line that ends at this byte of the journal. The first line of another journal empties the index.
    pub(crate) fn line(&self, line: &ServerJournalLine, end: u64) {
        self.send(Job::Line(Box::new(line.clone()), end));
    }

    /// Runs a query. Blocks until all lines that were entered before are added.
    pub(crate) fn ask<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, String> {
        let (answer, answered) = sync_channel(1);
        self.send(Job::Ask(Box::new(move |connection| {
            // The caller may have given up.
            let _ = answer.send(ask(connection));
        })));
        let answer = answered.recv().map_err(|_| "the index is closed".to_owned())?;
        answer.map_err(|e| format!("the index: {e}"))
    }

    fn send(&self, job: Job) {
        if let Some(jobs) = &self.jobs
            && jobs.send(job).is_err()
        {
            log::error!("the index has ended");
        }
    }

    /// The match with this number.
    pub(crate) fn match_line(&self, id: u64) -> Result<Option<MatchLine>, String> {
        Ok(self.matches(None, id.checked_add(1), 1)?.pop().filter(|line| line.id == id))
    }

    /// The last matches before that number, of one bot or of all, the newest first.
    pub(crate) fn matches(&self, of: Option<BotId>, before: Option<u64>, most: u32) -> Result<Vec<MatchLine>, String> {
        let before = before.map_or(i64::MAX, |before| i64::try_from(before).unwrap_or(i64::MAX));
        let rows: Vec<(String, bool)> = self.ask(move |connection| {
            let all = "SELECT line, void IS NOT NULL FROM matches WHERE id < ?1 ORDER BY id DESC LIMIT ?2";
            let of_bot = "SELECT line, void IS NOT NULL FROM (SELECT id, line, void FROM matches WHERE a = ?3 AND id < ?1 \
                          UNION ALL SELECT id, line, void FROM matches WHERE b = ?3 AND id < ?1) \
                          ORDER BY id DESC LIMIT ?2";
            let texts = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
            match of {
                None => connection.prepare(all)?.query_map(params![before, most], texts)?.collect(),
                Some(bot) => connection.prepare(of_bot)?.query_map(params![before, most, bot.0], texts)?.collect(),
            }
        })?;
        let parsed = rows.iter().map(|(text, is_void)| {
            let line: MatchLine = serde_json::from_str(text).map_err(|e| format!("the index: {e}"))?;
            Ok(MatchLine { is_void: *is_void, ..line })
        });
        parsed.collect()
    }

    /// The first matches of tournaments that count, with numbers in this range and that ended at this time or later.
    pub(crate) fn counting(
        &self,
        numbers: [u64; 2],
        since: Option<String>,
        most: u32,
    ) -> Result<Vec<MatchLine>, String> {
        let [from, to] = numbers.map(|number| i64::try_from(number).unwrap_or(i64::MAX));
        let texts: Vec<String> = self.ask(move |connection| {
            let counting = "SELECT line FROM matches WHERE id BETWEEN ?1 AND ?2 AND tournament > 0 AND void IS NULL \
                            AND ended >= ?3 ORDER BY id LIMIT ?4";
            let since = since.unwrap_or_default();
            connection.prepare(counting)?.query_map(params![from, to, since, most], |row| row.get(0))?.collect()
        })?;
        texts.iter().map(|text| serde_json::from_str(text).map_err(|e| format!("the index: {e}"))).collect()
    }

    /// The place of a match in its tournament, counted from 1, and the number of matches of the tournament.
    pub(crate) fn place(&self, id: u64, tournament: u32) -> Result<[u32; 2], String> {
        self.ask(move |connection| {
            let place = "SELECT (SELECT count(*) FROM matches WHERE tournament = ?1 AND id <= ?2 \
                          AND (void IS NULL OR id = ?2)), \
                         bots * (bots - 1) / 2 FROM tournaments WHERE number = ?1";
            connection.query_row(place, params![tournament, id as i64], |row| Ok([row.get(0)?, row.get(1)?]))
        })
    }

    /// The last tournaments, the newest first.
    pub(crate) fn tournaments(&self, most: u32) -> Result<Vec<PastTournamentView>, String> {
        self.ask(move |connection| {
            let mut rows = connection.prepare(
                "SELECT number, bots, (SELECT count(*) FROM matches WHERE tournament = number AND void IS NULL), begun, ended, unplayed \
                 FROM tournaments ORDER BY number DESC LIMIT ?1",
            )?;
            let rows = rows.query_map([most], |row| {
                Ok(PastTournamentView {
                    id: row.get(0)?,
                    bots: row.get(1)?,
                    matches: row.get(2)?,
                    started_at: row.get(3)?,
                    finished_at: row.get(4)?,
                    unplayed: row.get(5)?,
                })
            })?;
            rows.collect()
        })
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        self.jobs = None;
        // A thread that panicked has reported that itself.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// The database, the mark of the journal in it, and the number of the journal's bytes in it.
fn open(path: &Path) -> rusqlite::Result<(Connection, String, u64)> {
    let connection = Connection::open(path)?;
    // The database has no password hashes, but URLs that may contain keys.
    let _ = close_path_to_others(path);
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if version != VERSION {
        reset(&connection)?;
    }
    let sound: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if sound != "ok" {
        return Err(rusqlite::Error::ToSqlConversionFailure(sound.into()));
    }
    let (mark, has) =
        connection.query_row("SELECT mark, bytes FROM journal", [], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?)))?;
    Ok((connection, mark, u64::try_from(has).unwrap_or_default()))
}

/// Empties the database.
fn reset(connection: &Connection) -> rusqlite::Result<()> {
    let drops = "DROP TABLE IF EXISTS journal; DROP TABLE IF EXISTS bots; DROP TABLE IF EXISTS tournaments;
                 DROP TABLE IF EXISTS matches;";
    connection.execute_batch(&format!("BEGIN; {drops} {TABLES} PRAGMA user_version = {VERSION}; COMMIT;"))
}

fn remove(path: &Path) -> io::Result<()> {
    for ending in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        match fs::remove_file(PathBuf::from(name)) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
            _ => {}
        }
    }
    Ok(())
}

/// The thread's part of the index.
struct Writer {
    path: PathBuf,
    connection: Connection,
    /// The mark of the journal that the database was made from, and the number of its bytes in the database.
    mark: String,
    has: u64,
    /// Lines that are to be added, with their ends in the journal.
    lines: Vec<(ServerJournalLine, u64)>,
    /// True if the database is to be emptied first, because it is of another journal.
    is_foreign: bool,
    trouble: Arc<Mutex<Option<Trouble>>>,
}

impl Writer {
    /// Does the jobs in order until the index is dropped. Lines that wait are added in one transaction.
    fn work(mut self, queue: &Receiver<Job>) {
        while let Ok(first) = queue.recv() {
            for job in iter::once(first).chain(queue.try_iter().take(TOGETHER)) {
                match job {
                    Job::Line(line, end) => self.take(*line, end),
                    Job::Ask(ask) => {
                        self.write();
                        ask(&self.connection);
                    }
                }
            }
            self.write();
        }
    }

    fn take(&mut self, line: ServerJournalLine, end: u64) {
        if let ServerJournalLine::Arena { mark, .. } = &line
            && (*mark != self.mark || end > self.has)
        {
            self.mark.clone_from(mark);
            (self.has, self.is_foreign) = (0, true);
            self.lines.clear();
        }
        if end > self.has {
            self.lines.push((line, end));
        }
    }

    /// Adds the lines. What cannot be written, e.g. to a full disk, is tried again at the next job.
    fn write(&mut self) {
        if self.lines.is_empty() && !self.is_foreign {
            return;
        }
        match self.try_to_write() {
            Ok(()) => {
                self.lines.clear();
                self.is_foreign = false;
                if lock(&self.trouble).take().is_some() {
                    log::info!("the index is written again");
                }
            }
            Err(error) => {
                let text = format!("the index {} cannot be written: {error}; it is tried again", self.path.display());
                let mut trouble = lock(&self.trouble);
                if trouble.as_ref().is_none_or(|known| known.text != text) {
                    log::error!("{text}");
                    *trouble = Some(Trouble::now(&text));
                }
            }
        }
    }

    fn try_to_write(&mut self) -> rusqlite::Result<()> {
        if self.is_foreign {
            reset(&self.connection)?;
            self.connection.execute("UPDATE journal SET mark = ?1", [&self.mark])?;
            self.is_foreign = false;
        }
        let transaction = self.connection.transaction()?;
        self.lines.iter().try_for_each(|(line, end)| add(&transaction, line, *end))?;
        transaction.commit()
    }
}

fn add(to: &Connection, line: &ServerJournalLine, end: u64) -> rusqlite::Result<()> {
    match line {
        ServerJournalLine::Arena { .. }
        | ServerJournalLine::Mode { .. }
        | ServerJournalLine::Settings { .. }
        | ServerJournalLine::FinalPlanned { .. }
        | ServerJournalLine::FinalCancelled { .. }
        | ServerJournalLine::FinalBegun { .. }
        | ServerJournalLine::FinalEnded { .. }
        | ServerJournalLine::PasswordSet { .. }
        | ServerJournalLine::TokenSet { .. }
        | ServerJournalLine::ModeratorSet { .. }
        | ServerJournalLine::ModeratorRemoved { .. }
        | ServerJournalLine::Audit(_)
        | ServerJournalLine::Contest { .. }
        | ServerJournalLine::MatchSkipped { .. } => {}
        ServerJournalLine::MatchesVoided { matches, at, .. } => {
            let mut void = to.prepare("UPDATE matches SET void = ?2 WHERE id = ?1")?;
            matches.iter().try_for_each(|id| void.execute(params![*id as i64, at]).map(drop))?;
        }
        ServerJournalLine::Registered { bot, name, at, .. } => {
            let row = params![bot.0, name.as_str(), at];
            to.execute("INSERT INTO bots (id, name, registered, updated) VALUES (?1, ?2, ?3, ?3)", row)?;
        }
        ServerJournalLine::UrlSet { bot, url, at } => {
            to.execute("UPDATE bots SET url = ?2, updated = ?3 WHERE id = ?1", params![bot.0, url.as_str(), at])?;
        }
        ServerJournalLine::Renamed { bot, name, at } => {
            to.execute("UPDATE bots SET name = ?2, updated = ?3 WHERE id = ?1", params![bot.0, name.as_str(), at])?;
        }
        ServerJournalLine::Removed { bot, at } => {
            to.execute("UPDATE bots SET removed = ?2 WHERE id = ?1", params![bot.0, at])?;
        }
        ServerJournalLine::TournamentBegun { number, bots, at, .. } => {
            let row = params![number, bots.len() as i64, at];
            to.execute("INSERT INTO tournaments (number, bots, begun) VALUES (?1, ?2, ?3)", row)?;
        }
        ServerJournalLine::TournamentEnded { number, unplayed, at } => {
            let row = params![number, at, unplayed];
            to.execute("UPDATE tournaments SET ended = ?2, unplayed = ?3 WHERE number = ?1", row)?;
        }
        ServerJournalLine::Match(played) => insert(to, played)?,
        ServerJournalLine::FinalMatch(game) => insert(to, &game.played)?,
        ServerJournalLine::HistoryCleared { .. } => {
            to.execute_batch("DELETE FROM matches; DELETE FROM tournaments;")?;
        }
    }
    to.execute("UPDATE journal SET bytes = ?1", [end as i64]).map(|_| ())
}

fn insert(to: &Connection, played: &MatchLine) -> rusqlite::Result<()> {
    let [a, b] = [rules::Seat::A, rules::Seat::B];
    let text = serde_json::to_string(played).expect("lines have string keys and numbers that are finite");
    let row = params![
        played.id as i64,
        played.tournament,
        played.bots[a].0,
        played.bots[b].0,
        played.names[a].as_str(),
        played.names[b].as_str(),
        played.outcome.winner.map(|seat| seat.letter().to_string()),
        played.at,
        text
    ];
    to.execute("INSERT INTO matches VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, NULL)", row).map(|_| ())
}
