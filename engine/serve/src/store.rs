//! The store of the server: the journal, and the state and the index that follow from it.

use super::index::Index;
use super::journal_line::{ARENA_JSONL, FORMAT, ServerJournalLine, VERSION, now};
use super::random::{fresh_seed, token};
use super::request_error::RequestError;
use super::serve_error::ServeError;
use super::server_state::ServerState;
use arena::{ArenaError, LineFile};
use serde::Deserialize;
use std::fs::{self, DirBuilder, Permissions};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The beginning of every journal.
const BEGIN: &[u8] = br#"{"line":"arena","format":"broadside arena","version":"#;
/// The message for a file that is not a journal.
const NONE: &str = "this is not a journal of a tournament server";

/// The journal, and the state that follows from it. A change takes effect once it is in the journal.
#[derive(Debug)]
pub(super) struct Store {
    open: Mutex<Open>,
    pub(super) index: Index,
}

#[derive(Debug)]
struct Open {
    journal: LineFile,
    state: ServerState,
}

impl Store {
    /// Opens the store of a folder, or creates one. Returns messages about what was repaired.
    pub(super) fn open(folder: &Path, engine: &str) -> Result<(Store, Vec<String>), ServeError> {
        let path = folder.join(ARENA_JSONL);
        // The journal has hashes of passwords, and URLs that may contain keys.
        let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.map_err(|e| ArenaError::disk("make the folder", folder, e))?;
        let mut journal = LineFile::open(&path)?.ok_or_else(|| ServeError::Locked { folder: folder.to_owned() })?;
        let closed = fs::set_permissions(&path, Permissions::from_mode(0o600));
        closed.map_err(|e| ArenaError::disk("close to others", &path, e))?;
        let found = journal.beginning()?;
        if !found.starts_with(BEGIN) && !BEGIN.starts_with(&found) {
            return Err(ServeError::Journal { path, line: 1, what: NONE.to_owned() });
        }
        let mut state = ServerState::default();
        let mut repairs = Vec::new();
        let index = Index::open(folder, &mut repairs)?;
        let extent = {
            let mut feed = index.feed(journal.length());
            LineFile::read(&path, |number, text| -> Result<(), ServeError> {
                let wrong = |what| ServeError::Journal { path: path.clone(), line: number, what };
                let line = parse(number, text).map_err(wrong)?;
                state.take(&line).map_err(wrong)?;
                feed.line(&line, text.len() as u64);
                Ok(())
            })?
        };
        if extent.cut_off > 0 {
            journal.cut(extent.whole)?;
            repairs.push(format!(
                "{}: the last line was cut off and is taken away ({} bytes)",
                path.display(),
                extent.cut_off
            ));
        }
        let store = Store { open: Mutex::new(Open { journal, state }), index };
        if extent.whole == 0 {
            let begin = ServerJournalLine::Arena {
                format: FORMAT.to_owned(),
                version: VERSION,
                mark: token(),
                seed: fresh_seed().to_string(),
                engine: engine.to_owned(),
                at: now(),
            };
            store.enter(|_| Ok(begin)).map_err(|error| ServeError::Begin(error.to_string()))?;
        }
        Ok((store, repairs))
    }

    /// Reads from the state.
    pub(super) fn look<T>(&self, look: impl FnOnce(&ServerState) -> T) -> T {
        look(&self.lock().state)
    }

    /// Appends the line that `make` makes from the current state, and applies it. The line is on the disk when this
    /// returns, and no other line comes between the state that `make` saw and its line.
    pub(super) fn enter(
        &self,
        make: impl FnOnce(&ServerState) -> Result<ServerJournalLine, RequestError>,
    ) -> Result<ServerJournalLine, RequestError> {
        let mut open = self.lock();
        let line = make(&open.state)?;
        open.state.check(&line).map_err(RequestError::internal)?;
        let before = open.journal.length();
        if let Err(error) = open.journal.write(&line).and_then(|()| open.journal.sync()) {
            // Remove the line again: the journal holds only what took effect. If cutting fails as well, the next write
            // reports it.
            let _ = open.journal.cut(before);
            return Err(error.into());
        }
        open.state.take(&line).map_err(RequestError::internal)?;
        self.index.line(&line, open.journal.length());
        Ok(line)
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn parse(number: usize, text: &[u8]) -> Result<ServerJournalLine, String> {
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
