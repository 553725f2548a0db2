//! The folder of a match, written to without following anything that a bot may have put there.

use super::open_folder::OpenFolder;
use super::removal::remove_folder;
use crate::ArenaError;
use platform::files::{Folder, Opening, unguessable};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

/// The folder of a match.
///
/// Bots can write in it. Every write goes through open folders, follows no symbolic link, and creates a new file in
/// the place of a present one. Nothing outside the folder can be reached or changed through what a bot left in it.
#[derive(Debug)]
pub struct MatchFolder {
    path: PathBuf,
    root: Folder,
}

impl Drop for MatchFolder {
    fn drop(&mut self) {
        // As for a journal: a copy of the descriptor in a process that is just starting must not keep the lock.
        let _ = self.root.unlock();
    }
}

impl MatchFolder {
    /// Opens the folder at `path`; a missing folder is created, with its parents. The path becomes absolute. No
    /// other engine can open the folder as long as it is open.
    ///
    /// # Errors
    /// Another engine plays in the folder, files cannot be created in it, or the disk fails.
    pub fn create(path: &Path) -> Result<MatchFolder, ArenaError> {
        fs::create_dir_all(path).map_err(|e| ArenaError::disk("make the folder", path, e))?;
        MatchFolder::open(path)
    }

    /// Creates the folder at `path` and opens it. If it exists, `-2`, `-3` and so on are added to its name.
    ///
    /// # Errors
    /// As [`MatchFolder::create`].
    pub fn create_fresh(path: &Path) -> Result<MatchFolder, ArenaError> {
        let failed = |e| ArenaError::disk("make the folder", path, e);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        let mut fresh = path.to_owned();
        for number in 2.. {
            match fs::create_dir(&fresh) {
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                    let mut name = path.file_name().unwrap_or_default().to_owned();
                    name.push(format!("-{number}"));
                    fresh = path.with_file_name(name);
                }
                made => {
                    made.map_err(failed)?;
                    break;
                }
            }
        }
        MatchFolder::open(&fresh)
    }

    /// Opens a folder that exists. The last part of its path must not be a link.
    ///
    /// # Errors
    /// The folder is missing or a link; or as [`MatchFolder::create`].
    pub fn open(path: &Path) -> Result<MatchFolder, ArenaError> {
        let root = Folder::open(path).map_err(|e| ArenaError::disk("open the folder", path, e))?;
        let path = fs::canonicalize(path).map_err(|e| ArenaError::disk("find", path, e))?;
        if !root.try_lock().map_err(|e| ArenaError::disk("lock", &path, e))? {
            let busy = io::Error::new(io::ErrorKind::ResourceBusy, "another match is being played in it");
            return Err(ArenaError::disk("use the folder", &path, busy));
        }
        let folder = MatchFolder { path, root };
        folder.probe()?;
        Ok(folder)
    }

    /// The absolute path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The open folder `root`, which bots find at `path`, for the files of one match after the other. Nobody else can have it.
    pub fn within(path: &Path, root: Folder) -> MatchFolder {
        MatchFolder { path: path.to_owned(), root }
    }

    /// Removes everything in it.
    ///
    /// # Errors
    /// The disk fails.
    pub fn clear(&self) -> Result<(), ArenaError> {
        let failed = |e: io::Error| ArenaError::disk("clear", &self.path, e);
        for entry in fs::read_dir(self.root.path()).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let is_folder = entry.file_type().map_err(failed)?.is_dir();
            if is_folder { remove_folder(&entry.path()) } else { fs::remove_file(entry.path()) }.map_err(failed)?;
        }
        Ok(())
    }

    /// Removes the folder `relative` in it, and those around it that are empty then. A missing folder is not an error.
    ///
    /// # Errors
    /// The disk fails.
    pub fn remove_folder(&self, relative: &str) -> Result<(), ArenaError> {
        let path = Path::new(relative);
        // Opened part by part, because a bot may have put a link on the way.
        let around = path.parent().and_then(Path::to_str).unwrap_or_default();
        if let Some(name) = path.file_name() {
            let open = self.folder(around)?;
            remove_folder(&open.folder().path().join(name))
                .map_err(|e| ArenaError::disk("remove", self.path.join(path), e))?;
        }
        let mut around = path.parent();
        while let Some(folder) = around.and_then(Path::to_str).filter(|folder| !folder.is_empty()) {
            if !self.folder(folder)?.remove_empty() {
                break;
            }
            around = Path::new(folder).parent();
        }
        Ok(())
    }

    /// Checks that files can be created here.
    fn probe(&self) -> Result<(), ArenaError> {
        let name = format!(".broadside-{:016x}", unguessable());
        self.write("", &name, b"")?;
        self.top()?.remove(&name)
    }

    /// Opens the folder `relative` in it; a missing folder is created, with its parents. Anything else that a
    /// bot put in the way is removed.
    ///
    /// # Errors
    /// The disk fails, or a bot prevents the opening again and again.
    pub fn folder(&self, relative: &str) -> Result<OpenFolder, ArenaError> {
        let mut at = self.top()?;
        for part in Path::new(relative).components() {
            if let Component::Normal(name) = part {
                at = at.step_into(Path::new(name))?;
            }
        }
        Ok(at)
    }

    fn top(&self) -> Result<OpenFolder, ArenaError> {
        let open = self.root.try_clone().map_err(|e| ArenaError::disk("open", &self.path, e))?;
        Ok(OpenFolder::of(open, &self.path))
    }

    /// Writes a new file `name` in the folder `relative`. A file that cannot be completed is removed.
    ///
    /// # Errors
    /// As [`OpenFolder::write`].
    pub fn write(&self, relative: &str, name: &str, bytes: &[u8]) -> Result<(), ArenaError> {
        self.folder(relative)?.write(name, bytes)
    }

    /// Creates a new file at the top and leaves it open.
    pub(crate) fn create_file(&self, name: &str) -> Result<fs::File, ArenaError> {
        self.top()?.create(name)
    }

    /// Replaces a file at the top. Whatever has its name is removed only when the new file is complete.
    pub(crate) fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), ArenaError> {
        let fresh = format!(".{name}.{:016x}", unguessable());
        self.write("", &fresh, bytes)?;
        self.top()?.remove(name)?;
        let renamed = self.root.rename(OsStr::new(&fresh), &self.root, OsStr::new(name));
        renamed.map_err(|e| ArenaError::disk("write", self.path.join(name), e))
    }

    /// Appends to a file at the top; a missing file is created.
    pub(super) fn append(&self, name: &str, bytes: &[u8]) -> Result<(), ArenaError> {
        let file = self.root.open_file(name, Opening::Appending).or_else(|_| self.create_file(name));
        file?.write_all(bytes).map_err(|e| ArenaError::disk("write", self.path.join(name), e))
    }

    /// Tells whether a file of this name at the top has exactly this content.
    pub(crate) fn holds(&self, name: &str, content: &[u8]) -> bool {
        let Ok(file) = self.root.open_file(name, Opening::ReadingAtOnce) else { return false };
        // The length is checked first, because the file may have become very long.
        let as_long = file.metadata().is_ok_and(|file| file.is_file() && file.len() == content.len() as u64);
        let mut bytes = Vec::with_capacity(content.len());
        as_long && file.take(content.len() as u64).read_to_end(&mut bytes).is_ok() && bytes == content
    }

    /// Opens the file `name` at the top for reading; `None` if there is none.
    pub(crate) fn open_file(&self, name: &str) -> Result<Option<fs::File>, ArenaError> {
        match self.root.open_file(name, Opening::Reading) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            opened => opened.map(Some).map_err(|e| ArenaError::disk("open", self.path.join(name), e)),
        }
    }

    /// Removes the file `name` at the top, if there is one.
    pub(crate) fn remove(&self, name: &str) -> Result<(), ArenaError> {
        self.top()?.remove(name)
    }

    /// Moves the files and folders at the top that `is_wanted` names into the folder `aside`. Tells whether there were any.
    ///
    /// # Errors
    /// The folder cannot be read, or something cannot be moved.
    pub fn move_aside(&self, aside: &str, is_wanted: impl Fn(&[u8]) -> bool) -> Result<bool, ArenaError> {
        let failed = |e: io::Error| ArenaError::disk("move aside the rounds in", &self.path, e);
        let mut wanted = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            if is_wanted(name.as_encoded_bytes()) {
                wanted.push(name);
            }
        }
        if wanted.is_empty() {
            return Ok(false);
        }
        let target = self.folder(aside)?;
        for name in &wanted {
            self.root.rename(name, target.folder(), name).map_err(failed)?;
        }
        Ok(true)
    }
}
