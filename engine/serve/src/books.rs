//! The books of the server: the journal first, then what follows from it.

use super::index::Index;
use super::ledger::Ledger;
use super::line::{ARENA_JSONL, FORMAT, Line, VERSION, now};
use super::secret::{fresh_seed, token};
use super::{Refusal, ServeError};
use arena::{ArenaError, LineFile};
use serde::Deserialize;
use std::fs::{self, DirBuilder, Permissions};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How every journal begins.
const BEGIN: &[u8] = br#"{"line":"arena","format":"broadside arena","version":"#;
/// What is said of other files.
const NONE: &str = "this is no journal of a tournament server";

/// The journal and what follows from it. Nothing is so before it is in the journal.
#[derive(Debug)]
pub(super) struct Books {
    open: Mutex<Open>,
    pub(super) index: Index,
}

#[derive(Debug)]
struct Open {
    journal: LineFile,
    ledger: Ledger,
}

impl Books {
    /// Opens the books in a folder, or begins them. Gives what had to be repaired, in words.
    pub(super) fn open(folder: &Path, engine: &str) -> Result<(Books, Vec<String>), ServeError> {
        let path = folder.join(ARENA_JSONL);
        // There are hashes of passwords in it, and URLs that may have keys in them.
        let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.map_err(|e| ArenaError::disk("make the folder", folder, e))?;
        let mut journal = LineFile::open(&path)?.ok_or_else(|| ServeError::Locked { folder: folder.to_owned() })?;
        let closed = fs::set_permissions(&path, Permissions::from_mode(0o600));
        closed.map_err(|e| ArenaError::disk("close to others", &path, e))?;
        let found = journal.beginning()?;
        if !found.starts_with(BEGIN) && !BEGIN.starts_with(&found) {
            return Err(ServeError::Journal { path, line: 1, what: NONE.to_owned() });
        }
        let mut ledger = Ledger::default();
        let mut told = Vec::new();
        let index = Index::open(folder, &mut told)?;
        let extent = {
            let mut feed = index.feed(journal.length());
            LineFile::read(&path, |number, text| -> Result<(), ServeError> {
                let wrong = |what| ServeError::Journal { path: path.clone(), line: number, what };
                let line = parse(number, text).map_err(wrong)?;
                ledger.take(&line).map_err(wrong)?;
                feed.line(&line, text.len() as u64);
                Ok(())
            })?
        };
        if extent.cut_off > 0 {
            journal.cut(extent.whole)?;
            told.push(format!(
                "{}: the last line was cut off and is taken away ({} bytes)",
                path.display(),
                extent.cut_off
            ));
        }
        let books = Books { open: Mutex::new(Open { journal, ledger }), index };
        if extent.whole == 0 {
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
        let before = open.journal.length();
        if let Err(error) = open.journal.write(&line).and_then(|()| open.journal.sync()) {
            // What is not so must not be in the journal. If this fails, too, the next line will.
            let _ = open.journal.cut(before);
            return Err(error.into());
        }
        open.ledger.take(&line).map_err(Refusal::internal)?;
        self.index.line(&line, open.journal.length());
        Ok(line)
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn parse(number: usize, text: &[u8]) -> Result<Line, String> {
    #[derive(Deserialize)]
    struct Begin {
        version: u32,
    }
    if number == 1 {
        let begin: Begin = serde_json::from_slice(text).map_err(|_| NONE.to_owned())?;
        if begin.version > VERSION {
            return Err(format!("its format is version {}, and this program knows up to {VERSION}", begin.version));
        }
    }
    serde_json::from_slice(text).map_err(|e| e.to_string())
}
