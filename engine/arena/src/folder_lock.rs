//! The lock of a folder in which a program keeps a journal: no two programs keep one in the same folder, whatever their journals
//! are.

use crate::record::{Clock, shown_time};
use crate::{ArenaError, JournalError};
use platform::files::LockFile;
use rules::printable;
use serde::{Deserialize, Serialize};
use std::env;
use std::path::Path;
use std::process;

/// The name of the lock file.
const LOCK: &str = ".broadside-lock";

/// The program that holds the lock of a folder, as the lock file has it.
#[derive(Serialize, Deserialize)]
struct Holder {
    /// The program with its command, such as `broadside serve`.
    command: String,
    /// The number of the process.
    process: u32,
    /// The time since when it has the folder (RFC 3339).
    since: Option<String>,
}

impl Holder {
    fn this_program() -> Holder {
        let mut arguments = env::args_os();
        let program = arguments.next().unwrap_or_default();
        let name = Path::new(&program).file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Later arguments may have secrets.
        let command = arguments.next().map(|first| first.to_string_lossy().into_owned());
        let command = command.filter(|first| !first.starts_with('-')).map(|first| format!("{name} {first}"));
        Holder { command: command.unwrap_or(name), process: process::id(), since: Clock::Running.stamp() }
    }

    /// The holder in words.
    fn shown(&self) -> String {
        let since = self.since.as_deref().and_then(shown_time);
        let since = since.map(|time| format!(", since {time}")).unwrap_or_default();
        format!("{} (process {}{since})", printable(&self.command), self.process)
    }
}

/// Locks a folder for this program, until the result is dropped.
///
/// # Errors
/// [`JournalError::Locked`] if another program keeps a journal in the folder; a failure of the disk.
pub fn lock_folder(folder: &Path) -> Result<LockFile, ArenaError> {
    let path = folder.join(LOCK);
    let holder = serde_json::to_string(&Holder::this_program()).expect("texts and numbers are JSON");
    let taken = LockFile::take(&path, &holder).map_err(|e| ArenaError::disk("lock the folder by", &path, e))?;
    taken.map_err(|text| {
        let holder = serde_json::from_str(&text).map(|holder: Holder| holder.shown());
        JournalError::Locked(holder.unwrap_or_else(|_| "another program".to_owned())).of(folder)
    })
}
