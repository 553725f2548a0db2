//! A folder that is filled from an archive.

use super::contents::{ArchiveContents, ArchiveLimits};
use arena::ArenaError;
use platform::files::{make_executable, symlink, unguessable};
use rules::printable_prefix;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

/// The reason why an archive cannot be unpacked.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The archive is refused: a reason in words, with the name of the entry if it is about one.
    #[error("{0}")]
    Refused(String),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] ArenaError),
}

/// A folder that is filled with the entries of an archive, one after another. Names lead nowhere but below the folder, nothing is
/// written through a link, and there is a limit for everything.
#[derive(Debug)]
pub struct UnpackedFolder {
    path: PathBuf,
    limits: ArchiveLimits,
    contents: ArchiveContents,
    bytes: u64,
    /// All links of the folder come from the archive.
    links: BTreeSet<PathBuf>,
    /// True if a file takes the place of one that is there.
    replaces: bool,
}

impl UnpackedFolder {
    /// The folder at this path, which is made if it is missing. `replaces` tells if a file takes the place of one that is there;
    /// otherwise such an archive is refused.
    ///
    /// # Errors
    /// The disk fails.
    pub fn at(path: &Path, limits: ArchiveLimits, replaces: bool) -> Result<UnpackedFolder, ArchiveError> {
        make(path)?;
        let (contents, links) = Default::default();
        Ok(UnpackedFolder { path: path.to_owned(), limits, contents, bytes: 0, links, replaces })
    }

    /// The place of an entry of this name.
    fn place(&mut self, name: &Path, is_folder: bool) -> Result<PathBuf, ArchiveError> {
        let is_below = name.components().all(|part| matches!(part, Component::Normal(_)));
        if !is_below || name.as_os_str().is_empty() {
            return Err(refused(name, "does not belong there"));
        }
        self.contents.add(name, is_folder, self.limits).map_err(ArchiveError::Refused)?;
        if name.ancestors().any(|ancestor| self.links.contains(ancestor)) {
            return Err(refused(name, "lies behind a link"));
        }
        let place = self.path.join(name);
        if !is_folder {
            self.make_folders(name, place.parent().unwrap_or(&self.path))?;
            if place.symlink_metadata().is_ok() {
                if !self.replaces {
                    return Err(refused(name, "is there twice"));
                }
                fs::remove_file(&place).map_err(|e| ArenaError::disk("write", &place, e))?;
            }
        }
        Ok(place)
    }

    /// Makes a folder with those around it, for the entry of this name.
    fn make_folders(&self, name: &Path, folder: &Path) -> Result<(), ArchiveError> {
        match fs::create_dir_all(folder) {
            Ok(()) => Ok(()),
            Err(_) if folder.ancestors().any(Path::is_file) => Err(refused(name, "lies in a file")),
            Err(e) => Err(ArenaError::disk("make the folder", folder, e).into()),
        }
    }

    /// Makes a folder.
    ///
    /// # Errors
    /// [`ArchiveError::Refused`] for a name that leads out, or that is there; or the disk fails.
    pub fn folder(&mut self, name: &Path) -> Result<(), ArchiveError> {
        let place = self.place(name, true)?;
        if place.symlink_metadata().is_ok_and(|there| !there.is_dir()) {
            return Err(refused(name, "is there twice"));
        }
        self.make_folders(name, &place)
    }

    /// Writes a file. Gives its size and its first four bytes, as far as it has them.
    ///
    /// # Errors
    /// [`ArchiveError::Refused`] for a name as [`UnpackedFolder::folder`] refuses it, too many bytes, or if `from` fails; or the disk
    /// fails.
    pub fn file(&mut self, name: &Path, from: &mut dyn Read) -> Result<(u64, Vec<u8>), ArchiveError> {
        let place = self.place(name, false)?;
        let failed = |e: io::Error| ArchiveError::Disk(ArenaError::disk("write", &place, e));
        let mut file = File::create_new(&place).map_err(failed)?;
        let (mut size, mut first) = (0, Vec::new());
        let mut chunk = vec![0; 1 << 16];
        loop {
            let read = match from.read(&mut chunk) {
                Ok(0) => return Ok((size, first)),
                Ok(read) => read,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(refused(name, &format!("is damaged: {e}"))),
            };
            (size, self.bytes) = (size + read as u64, self.bytes + read as u64);
            if self.bytes > self.limits.bytes {
                let why = format!("it has more than {} bytes when it is unpacked", self.limits.bytes);
                return Err(ArchiveError::Refused(why));
            }
            first.extend(chunk[..read].iter().take(FIRST - first.len()));
            file.write_all(&chunk[..read]).map_err(failed)?;
        }
    }

    /// Lets a file that was written be run.
    ///
    /// # Errors
    /// The disk fails.
    pub fn let_run(&self, name: &Path) -> Result<(), ArchiveError> {
        let place = self.path.join(name);
        Ok(make_executable(&place).map_err(|e| ArenaError::disk("write", place, e))?)
    }

    /// Gives a file that was written its time, as far as the disk keeps it.
    pub fn set_modified(&self, name: &Path, time: SystemTime) {
        // A disk without such times leaves the order of files to their names.
        let _ = File::options().write(true).open(self.path.join(name)).and_then(|file| file.set_modified(time));
    }

    /// Makes a symbolic link. It may lead anywhere until [`UnpackedFolder::check_links`].
    ///
    /// # Errors
    /// [`ArchiveError::Refused`] for a name as [`UnpackedFolder::folder`] refuses it; or the disk fails.
    pub fn link(&mut self, name: &Path, target: &Path) -> Result<(), ArchiveError> {
        let place = self.place(name, false)?;
        symlink(target, &place).map_err(|e| ArenaError::disk("write", &place, e))?;
        self.links.insert(name.to_owned());
        Ok(())
    }

    /// Puts what lies in the only folder, if there is nothing else, in its place.
    ///
    /// # Errors
    /// There is nothing at all, or the disk fails.
    pub fn lift_only_folder(&mut self) -> Result<(), ArchiveError> {
        let failed = |e| ArenaError::disk("read", &self.path, e);
        let inside: Vec<_> = fs::read_dir(&self.path).and_then(|inside| inside.take(2).collect()).map_err(failed)?;
        let [only] = &inside[..] else {
            let nothing = || ArchiveError::Refused("there is no file in it".to_owned());
            return if inside.is_empty() { Err(nothing()) } else { Ok(()) };
        };
        if !only.file_type().map_err(failed)?.is_dir() {
            return Ok(());
        }
        let mut aside = self.path.clone().into_os_string();
        aside.push(format!(".{}", unguessable()));
        let lifted = fs::rename(only.path(), &aside).and_then(|()| fs::remove_dir(&self.path));
        lifted.and_then(|()| fs::rename(&aside, &self.path)).map_err(|e| ArenaError::disk("rename", only.path(), e))?;
        let name = only.file_name();
        self.links = self.links.iter().filter_map(|link| Some(link.strip_prefix(&name).ok()?.to_owned())).collect();
        Ok(())
    }

    /// Checks that all links lead to something in the folder, in the way in which the system follows them.
    ///
    /// # Errors
    /// One does not, or the disk fails.
    pub fn check_links(&self) -> Result<(), ArchiveError> {
        let folder = fs::canonicalize(&self.path).map_err(|e| ArenaError::disk("read", &self.path, e))?;
        for name in &self.links {
            match fs::canonicalize(self.path.join(name)) {
                Ok(target) if target.starts_with(&folder) => {}
                Ok(_) => return Err(refused(name, "is a link that leads out of the folder")),
                Err(_) => return Err(refused(name, "is a link that leads nowhere")),
            }
        }
        Ok(())
    }
}

/// The number of bytes by which a program is known.
const FIRST: usize = 4;

/// The error for an entry of this name.
pub(super) fn refused(name: &Path, why: &str) -> ArchiveError {
    ArchiveError::Refused(format!("{} {why}", told(&name.display().to_string())))
}

fn make(folder: &Path) -> Result<(), ArchiveError> {
    Ok(fs::create_dir_all(folder).map_err(|e| ArenaError::disk("make the folder", folder, e))?)
}

/// A text of the archive or about it, as one line of a length that can be told.
pub(crate) fn told(text: &str) -> String {
    const LONGEST: usize = 300;
    printable_prefix(text, LONGEST)
}
