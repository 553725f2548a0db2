//! The spool of a match in tournament mode: holds its files outside the reach of bots until the match is over.
//!
//! The original kept the files of the match in memory; if it died, they were lost. Here they go to a spool, a file in the
//! user's state folder (`$XDG_STATE_HOME/broadside`, else `~/.local/state/broadside`) that only the user can read, and are
//! brought to their place at the end. If the engine dies, the guardian does that; if both die, the next match in tournament
//! mode does. Without a sandbox a bot that runs as the same user could find the spool if it went looking for it.

use super::MatchFolder;
use crate::{ArenaError, open_regular};
use platform::files::{create_private_folder, lock, open_private, path_of, try_lock};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// An append-only file that holds other files. If the engine dies, [`restore`] writes them to their folder.
///
/// Only the user who runs the engine can read it. Without a sandbox, a bot that runs as the same user could search
/// for it.
#[derive(Debug)]
pub struct Spool {
    path: PathBuf,
    file: File,
    /// True if the spool has files, which must not be lost.
    used: bool,
}

/// The first line: the folder of the files.
#[derive(Serialize, Deserialize)]
struct SpoolHeader {
    /// The bytes of a path, which need not be text.
    match_folder: Vec<u8>,
}

/// The line before the bytes of each file.
#[derive(Serialize, Deserialize)]
struct SpooledFile {
    folder: String,
    name: String,
    bytes: u64,
    /// True if the bytes are appended to a file that was begun before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    more: bool,
}

impl Spool {
    /// Creates the spool `path` of the match in `match_folder`. Only the present user can read the folder of
    /// the spool.
    ///
    /// # Errors
    /// The spool exists already, or the disk fails.
    pub fn create(path: &Path, match_folder: &Path) -> Result<Spool, ArenaError> {
        if let Some(folder) = path.parent() {
            create_private_folder(folder).map_err(|e| ArenaError::disk("make the folder", folder, e))?;
        }
        let file = open_private(File::options().read(true).write(true).create_new(true), path);
        let mut file = file.map_err(|e| ArenaError::disk("make the journal", path, e))?;
        // The lock marks a match that is being played. Another engine may hold it for a moment to find that
        // out.
        lock(&file).map_err(|e| ArenaError::disk("lock", path, e))?;
        let header = SpoolHeader { match_folder: match_folder.as_os_str().as_encoded_bytes().to_owned() };
        write_line(&mut file, &header).map_err(|e| {
            // Remove the empty spool; the error below is reported.
            let _ = fs::remove_file(path);
            ArenaError::disk("write", path, e)
        })?;
        Ok(Spool { path: path.to_owned(), file, used: false })
    }

    /// The path of the spool.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a file. It replaces a file of the same name that was added before.
    ///
    /// # Errors
    /// The disk fails.
    pub fn add(&mut self, folder: &str, name: &str, bytes: &[u8]) -> Result<(), ArenaError> {
        self.write(folder, name, bytes, false)
    }

    /// Appends to a file at the top that was added before.
    ///
    /// # Errors
    /// The disk fails.
    pub fn append(&mut self, name: &str, bytes: &[u8]) -> Result<(), ArenaError> {
        self.write("", name, bytes, true)
    }

    fn write(&mut self, folder: &str, name: &str, bytes: &[u8], more: bool) -> Result<(), ArenaError> {
        self.used = true;
        let (folder, name) = (folder.to_owned(), name.to_owned());
        let line = SpooledFile { folder, name, bytes: bytes.len() as u64, more };
        let written = write_line(&mut self.file, &line).and_then(|()| self.file.write_all(bytes));
        written.map_err(|e| ArenaError::disk("write", &self.path, e))
    }

    /// Writes all files to the match's folder, and removes the spool.
    ///
    /// # Errors
    /// The disk fails. The spool is kept then, and [`restore`] can try again.
    pub fn unpack(mut self, folder: &MatchFolder) -> Result<(), ArenaError> {
        let failed = |e: io::Error| ArenaError::disk("read the journal", &self.path, e);
        self.file.rewind().map_err(failed)?;
        let mut reader = BufReader::new(&self.file);
        read_line::<SpoolHeader>(&mut reader).map_err(failed)?;
        write_all(&mut reader, &self.path, folder)?;
        // The lock is held until here, so no engine takes the spool for a leftover.
        remove(&self.path)
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        // The match never began. If the removal fails, the next engine finds the spool and reports it.
        if !self.used {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn write_line(file: &mut File, line: &impl Serialize) -> io::Result<()> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    file.write_all(&text)
}

/// Writes the files of the spool at `path` to their folder and removes the spool, once no other engine holds it. An
/// incomplete file at its end is left out. Gives the folder of the match.
///
/// # Errors
/// The file is not a spool, or the disk fails. The spool is kept then.
pub fn restore(path: &Path) -> Result<PathBuf, ArenaError> {
    let file = open_regular(path).map_err(|e| ArenaError::disk("open the journal", path, e))?;
    lock(&file).map_err(|e| ArenaError::disk("lock", path, e))?;
    restore_locked(&file, path)
}

fn restore_locked(file: &File, path: &Path) -> Result<PathBuf, ArenaError> {
    let mut reader = BufReader::new(file);
    let header = read_line::<SpoolHeader>(&mut reader).map_err(|e| ArenaError::disk("read the journal", path, e))?;
    let Some(SpoolHeader { match_folder }) = header else {
        // The engine died before it had written the header.
        remove(path)?;
        return Ok(PathBuf::new());
    };
    let match_folder = path_of(match_folder).map_err(|e| ArenaError::disk("read the journal", path, e))?;
    // The folder is opened without following a link that a bot may have put in its place.
    write_all(&mut reader, path, &MatchFolder::open(&match_folder)?)?;
    remove(path)?;
    Ok(match_folder)
}

fn write_all(journal: &mut impl BufRead, path: &Path, folder: &MatchFolder) -> Result<(), ArenaError> {
    let failed = |e: io::Error| ArenaError::disk("read the journal", path, e);
    while let Some(SpooledFile { folder: relative, name, bytes, more }) = read_line(journal).map_err(failed)? {
        let mut content = Vec::new();
        journal.by_ref().take(bytes).read_to_end(&mut content).map_err(failed)?;
        match (content.len() as u64 == bytes, more) {
            (false, _) => {}
            (true, false) => folder.write(&relative, &name, &content)?,
            (true, true) => folder.append(&name, &content)?,
        }
    }
    Ok(())
}

fn remove(path: &Path) -> Result<(), ArenaError> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(ArenaError::disk("remove", path, e)),
        _ => Ok(()),
    }
}

/// Restores all matches that were cut short: those whose spools in `folder` no engine holds. Gives the folders of
/// the matches.
pub fn restore_spools(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let journals =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.extension() == Some("journal".as_ref()));
    let restored = journals.filter_map(|path| {
        let file = open_regular(&path).ok()?;
        try_lock(&file).ok().filter(|is_locked| *is_locked)?;
        // Another engine may have restored and removed it between the two.
        if !path.exists() {
            return None;
        }
        let warn = |error: ArenaError| log::warn!("{error}: {:?}", std::error::Error::source(&error));
        restore_locked(&file, &path).map_err(warn).ok()
    });
    restored.filter(|folder| !folder.as_os_str().is_empty()).collect()
}

/// The next line; `None` at the end and for an incomplete line.
fn read_line<T: for<'de> Deserialize<'de>>(journal: &mut impl BufRead) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    journal.read_until(b'\n', &mut line)?;
    if line.last() != Some(&b'\n') {
        return Ok(None);
    }
    Ok(Some(serde_json::from_slice(&line)?))
}
