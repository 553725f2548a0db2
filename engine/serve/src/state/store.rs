//! The store of the server: the journal, and the state and the index that follow from it.

use crate::state::activity::{Activity, in_words, subject};
use crate::state::index::Index;
use crate::state::journal_line::{ARENA_JSONL, FIRST_VERSION, FORMAT, ServerJournalLine, VERSION, now};
use crate::state::random::{fresh_seed, token};
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::serve_error::ServeError;
use crate::state::server_state::ServerState;
use arena::{ArenaError, Journal, JournalError, JournalFormat, JournalHeader};
use platform::files::create_private_folder;
use platform::locks::lock;
use std::path::Path;
use std::sync::Mutex;

/// The format of journals of servers. They have hashes of passwords, and URLs that may contain keys.
const JOURNAL: JournalFormat = JournalFormat {
    title: "journal of a tournament server",
    header: Some(JournalHeader { line: "arena", format: FORMAT, version: VERSION }),
    private: true,
};

/// The journal, and the state that follows from it. A change takes effect once it is in the journal.
#[derive(Debug)]
pub(crate) struct Store {
    open: Mutex<Open>,
    pub(crate) index: Index,
    pub(crate) activity: Activity,
}

#[derive(Debug)]
struct Open {
    journal: Journal,
    state: ServerState,
}

impl Store {
    /// Opens the store of a folder, or creates one. Returns messages about what was repaired.
    pub(crate) fn open(folder: &Path, engine: &str) -> Result<(Store, Vec<String>), ServeError> {
        let path = folder.join(ARENA_JSONL);
        create_private_folder(folder).map_err(|e| ArenaError::disk("make the folder", folder, e))?;
        let failed = |error| match error {
            error @ ArenaError::Journal { source: JournalError::Locked(_), .. } => error.into(),
            ArenaError::Journal { path, source: JournalError::Line(line, what) } => {
                ServeError::Journal { path, line, what }
            }
            ArenaError::Journal { path, source } => ServeError::Journal { path, line: 1, what: source.to_string() },
            error => error.into(),
        };
        let mut journal = Journal::open(&path, JOURNAL).map_err(failed)?;
        let mut state = ServerState::default();
        let mut repairs = Vec::new();
        let index = Index::open(folder, journal.length(), &mut repairs)?;
        let mut end = 0;
        let mut take = |line: ServerJournalLine, bytes| {
            state.take(&line)?;
            end += bytes;
            index.line(&line, end);
            Ok(())
        };
        journal.resume(&mut take).map_err(failed)?;
        if journal.cut_off() > 0 {
            let bytes = journal.cut_off();
            repairs.push(format!("{}: the last line was cut off and is taken away ({bytes} bytes)", path.display()));
        }
        let is_new = journal.length() == 0;
        let store = Store { open: Mutex::new(Open { journal, state }), index, activity: Activity::default() };
        if is_new {
            let begin = ServerJournalLine::Arena {
                format: FORMAT.to_owned(),
                version: FIRST_VERSION,
                mark: token(),
                seed: fresh_seed().to_string(),
                engine: engine.to_owned(),
                at: now(),
            };
            store.enter(|_| Ok(begin)).map_err(|error| ServeError::Begin(error.cause.unwrap_or(error.message)))?;
        }
        Ok((store, repairs))
    }

    /// Reads from the state.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&ServerState) -> T) -> T {
        look(&lock(&self.open).state)
    }

    /// Appends the line that `make` makes from the current state, and applies it. The line is on the disk when this
    /// returns, and no other line comes between the state that `make` saw and its line.
    pub(crate) fn enter(
        &self,
        make: impl FnOnce(&ServerState) -> RequestResult<ServerJournalLine>,
    ) -> RequestResult<ServerJournalLine> {
        let mut open = lock(&self.open);
        let line = make(&open.state)?;
        open.state.check(&line).map_err(RequestError::internal)?;
        if line.version() > FIRST_VERSION {
            open.journal.raise_version(line.version())?;
        }
        open.journal.append_durably(&line)?;
        let subject = subject(&line, &open.state);
        open.state.take(&line).map_err(RequestError::internal)?;
        self.activity.add(|| in_words(&line, &subject, &open.state));
        self.index.line(&line, open.journal.length());
        Ok(line)
    }
}
