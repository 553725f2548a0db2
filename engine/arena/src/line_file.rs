//! A file of JSON lines that only grows: what journals are kept in.

use crate::ArenaError;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Longer than any line, in bytes.
const MOST_OF_LINE: u64 = 1 << 20;

/// A file of JSON lines that only grows. As long as it is open, nobody else can write to it.
#[derive(Debug)]
pub struct LineFile {
    path: PathBuf,
    file: File,
    length: u64,
    unsynced: bool,
}

/// How far the lines of a file go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extent {
    /// How many bytes its whole lines have.
    pub whole: u64,
    /// How many bytes at its end were cut off in the middle of a line.
    pub cut_off: u64,
}

impl LineFile {
    /// Opens a file and locks it; it is made if it is missing. `None` if another program holds it.
    pub fn open(path: &Path) -> Result<Option<LineFile>, ArenaError> {
        let failed = |doing| move |e: io::Error| ArenaError::disk(doing, path, e);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|e| ArenaError::disk("make the folder", folder, e))?;
        }
        let file = File::options().read(true).append(true).create(true).open(path).map_err(failed("open"))?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK) => return Ok(None),
            locked => locked.map_err(|e| ArenaError::disk("lock", path, e))?,
        }
        let length = file.metadata().map_err(failed("read"))?.len();
        Ok(Some(LineFile { path: path.to_owned(), file, length, unsynced: false }))
    }

    /// Takes away all that comes after so many bytes.
    pub fn cut(&mut self, whole: u64) -> Result<(), ArenaError> {
        self.file.set_len(whole).map_err(|e| ArenaError::disk("repair", &self.path, e))?;
        self.length = whole;
        Ok(())
    }

    /// Adds a line, or nothing at all if that fails.
    pub fn write(&mut self, line: &impl Serialize) -> Result<(), ArenaError> {
        let mut text = serde_json::to_vec(line).expect("lines have string keys and numbers that are finite");
        text.push(b'\n');
        self.unsynced = true;
        if let Err(error) = self.file.write_all(&text) {
            // Half a line would spoil the next one.
            let length = self.length;
            let _ = self.cut(length);
            return Err(ArenaError::disk("write", &self.path, error));
        }
        self.length += text.len() as u64;
        Ok(())
    }

    /// Sees to it that everything is on the disk.
    pub fn sync(&mut self) -> Result<(), ArenaError> {
        if std::mem::take(&mut self.unsynced) {
            self.file.sync_data().map_err(|e| ArenaError::disk("write", &self.path, e))?;
        }
        Ok(())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes it has.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Gives the whole lines of the file at `path` with their numbers, counted from 1, until `each` fails. What is longer
    /// than a line can be is given in pieces.
    pub fn read<E: From<ArenaError>>(
        path: &Path,
        mut each: impl FnMut(usize, &[u8]) -> Result<(), E>,
    ) -> Result<Extent, E> {
        let failed = |e| ArenaError::disk("read", path, e);
        let mut file = BufReader::new(File::open(path).map_err(failed)?);
        let mut extent = Extent::default();
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let length = file.by_ref().take(MOST_OF_LINE).read_until(b'\n', &mut line).map_err(failed)? as u64;
            if !line.ends_with(b"\n") && length < MOST_OF_LINE {
                extent.cut_off = length;
                break;
            }
            each(number, &line)?;
            extent.whole += length;
        }
        Ok(extent)
    }

    /// How it begins: up to 4096 bytes.
    pub fn beginning(&self) -> Result<Vec<u8>, ArenaError> {
        let mut begin = vec![0; 4096];
        let read = self.file.read_at(&mut begin, 0).map_err(|e| ArenaError::disk("read", &self.path, e))?;
        begin.truncate(read);
        Ok(begin)
    }
}
