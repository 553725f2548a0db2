//! The books of the server: the journal first, then what follows from it.

use super::index::Index;
use super::ledger::Ledger;
use super::line::{ARENA_JSONL, FORMAT, Line, VERSION, now};
use super::secret::{fresh_seed, token};
use super::{Refusal, ServeError};
use arena::{ArenaError, Journal, JournalError, JournalFormat, JournalHeader};
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Journals of servers. There are hashes of passwords in them, and URLs that may have keys in them.
const JOURNAL: JournalFormat = JournalFormat {
    title: "journal of a tournament server",
    busy: "another server is at work in its folder",
    header: Some(JournalHeader { line: "arena", format: FORMAT, version: VERSION }),
    private: true,
};

/// The journal and what follows from it. Nothing is so before it is in the journal.
#[derive(Debug)]
pub(super) struct Books {
    open: Mutex<Open>,
    pub(super) index: Index,
}

#[derive(Debug)]
struct Open {
    journal: Journal,
    ledger: Ledger,
}

impl Books {
    /// Opens the books in a folder, or begins them. Gives what had to be repaired, in words.
    pub(super) fn open(folder: &Path, engine: &str) -> Result<(Books, Vec<String>), ServeError> {
        let path = folder.join(ARENA_JSONL);
        let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.map_err(|e| ArenaError::disk("make the folder", folder, e))?;
        let failed = |error| match error {
            ArenaError::Journal { source: JournalError::Locked(_), .. } => {
                ServeError::Locked { folder: folder.to_owned() }
            }
            ArenaError::Journal { path, source: JournalError::Line { line, what } } => {
                ServeError::Journal { path, line, what }
            }
            ArenaError::Journal { path, source } => ServeError::Journal { path, line: 1, what: source.to_string() },
            error => error.into(),
        };
        let mut journal = Journal::open(&path, JOURNAL).map_err(failed)?;
        let mut ledger = Ledger::default();
        let mut told = Vec::new();
        let index = Index::open(folder, &mut told)?;
        {
            let mut feed = index.feed(journal.length());
            let mut take = |line: Line, bytes| {
                ledger.take(&line)?;
                feed.line(&line, bytes);
                Ok(())
            };
            journal.resume(&mut take).map_err(failed)?;
        }
        if journal.cut_off() > 0 {
            let bytes = journal.cut_off();
            told.push(format!("{}: the last line was cut off and is taken away ({bytes} bytes)", path.display()));
        }
        let is_new = journal.length() == 0;
        let books = Books { open: Mutex::new(Open { journal, ledger }), index };
        if is_new {
            let begin = Line::Arena {
                format: FORMAT.to_owned(),
                version: VERSION,
                mark: token(),
                seed: fresh_seed().to_string(),
                engine: engine.to_owned(),
                at: now(),
            };
            books.enter(|_| Ok(begin)).map_err(|refusal| ServeError::Begin(refusal.to_string()))?;
        }
        Ok((books, told))
    }

    /// Looks something up.
    pub(super) fn look<T>(&self, look: impl FnOnce(&Ledger) -> T) -> T {
        look(&self.lock().ledger)
    }

    /// Enters the line that `make` makes of what is so now. It is on the disk when this is done; no other line comes
    /// between what `make` saw and its line.
    pub(super) fn enter(&self, make: impl FnOnce(&Ledger) -> Result<Line, Refusal>) -> Result<Line, Refusal> {
        let mut open = self.lock();
        let line = make(&open.ledger)?;
        open.ledger.check(&line).map_err(Refusal::internal)?;
        open.journal.append_durably(&line)?;
        open.ledger.take(&line).map_err(Refusal::internal)?;
        self.index.line(&line, open.journal.length());
        Ok(line)
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
