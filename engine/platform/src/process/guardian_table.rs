//! The table for the guardian: a file in memory with the process groups of the bots that run, and with notes of what is to be
//! cleaned up. The guardian reads it when the engine was killed.
//!
//! A new process enters its own number before it runs its program, so that there is no moment at which a bot runs and is not in the
//! table. In namespaces, which end with the engine, the engine enters it.

use crate::locks::lock;
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::{Errno, pread};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

/// The size of a number of a process group. Zero is a free place.
const GROUP: u64 = 4;
/// The size of a block. Every second block, from the first one on, is full of numbers, and each of the others is a note: its length,
/// then the note. So the file has a few blocks where a few bots run, which matters where the user limits the size of files.
const BLOCK: u64 = 16 << 10;
/// The numbers in a block.
const GROUPS_IN_BLOCK: u64 = BLOCK / GROUP;

/// The first free place of a kind, and those before it that are free again.
#[derive(Debug, Default)]
struct FreePlaces {
    next: u64,
    returned: BTreeSet<u64>,
}

impl FreePlaces {
    const fn new() -> FreePlaces {
        FreePlaces { next: 0, returned: BTreeSet::new() }
    }

    fn take(&mut self) -> u64 {
        self.returned.pop_first().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        })
    }
}

static GROUPS: Mutex<FreePlaces> = Mutex::new(FreePlaces::new());
static NOTED: Mutex<FreePlaces> = Mutex::new(FreePlaces::new());

/// The file of this process.
///
/// # Errors
/// The system gives no file.
pub(super) fn file() -> io::Result<&'static File> {
    static FILE: OnceLock<File> = OnceLock::new();
    match FILE.get() {
        Some(file) => Ok(file),
        None => {
            let made = File::from(memfd_create("running bots", MemfdFlags::CLOEXEC)?);
            Ok(FILE.get_or_init(|| made))
        }
    }
}

/// The place of one process group. It is free again when this value is dropped.
#[derive(Debug)]
pub(super) struct GroupPlace {
    file: &'static File,
    number: u64,
}

impl GroupPlace {
    /// Takes a free place.
    ///
    /// # Errors
    /// The system gives no file.
    pub(super) fn take() -> io::Result<GroupPlace> {
        Ok(GroupPlace { file: file()?, number: lock(&GROUPS).take() })
    }

    /// The file and the position where a new process has to write its number, in the byte order of the machine.
    pub(super) fn position(&self) -> (BorrowedFd<'static>, u64) {
        let (block, within) = (self.number / GROUPS_IN_BLOCK, self.number % GROUPS_IN_BLOCK);
        (self.file.as_fd(), 2 * BLOCK * block + GROUP * within)
    }

    /// Enters a process whose own number for itself is another one.
    ///
    /// # Errors
    /// The machine has no memory.
    pub(super) fn enter(&self, pid: i32) -> io::Result<()> {
        self.file.write_all_at(&pid.to_ne_bytes(), self.position().1)
    }
}

impl Drop for GroupPlace {
    fn drop(&mut self) {
        // The write cannot fail: this place was written to before.
        let _ = self.enter(0);
        lock(&GROUPS).returned.insert(self.number);
    }
}

/// A note for the guardian: some paths. It is withdrawn when this value is dropped.
#[derive(Debug)]
pub struct GuardianNote {
    file: &'static File,
    number: u64,
}

impl GuardianNote {
    /// Leaves a note with these paths, which may be empty.
    ///
    /// # Errors
    /// The note is longer than 16,380 bytes, or the system gives no memory.
    pub fn leave(paths: &[&Path]) -> io::Result<GuardianNote> {
        // No path has a NUL in it.
        let note = &paths.iter().map(|path| path.as_os_str().as_bytes()).collect::<Vec<_>>().join(&0);
        let length = u32::try_from(note.len()).ok().filter(|length| u64::from(*length) <= BLOCK - 4);
        let length = length.ok_or(Errno::NAMETOOLONG)?;
        let noted = GuardianNote { file: file()?, number: lock(&NOTED).take() };
        let at = noted.position();
        // The length makes it a note, so it comes last.
        noted.file.write_all_at(note, at + 4)?;
        noted.file.write_all_at(&length.to_ne_bytes(), at)?;
        Ok(noted)
    }

    fn position(&self) -> u64 {
        BLOCK * (2 * self.number + 1)
    }
}

impl Drop for GuardianNote {
    fn drop(&mut self) {
        // The write cannot fail: this place was written to before.
        let _ = self.file.write_all_at(&[0; 4], self.position());
        lock(&NOTED).returned.insert(self.number);
    }
}

/// The process groups in the table of an engine.
pub(super) fn groups(table: impl AsFd) -> Vec<i32> {
    // Holes are read as free places.
    let number = |bytes: &[u8]| bytes.try_into().map(i32::from_ne_bytes).unwrap_or_default();
    let blocks = blocks(table, 0);
    let numbers = blocks.iter().flat_map(|block| block.chunks_exact(GROUP as usize).map(number));
    numbers.filter(|group| *group > 0).collect()
}

/// The notes in the table of an engine.
pub(super) fn notes(table: impl AsFd) -> Vec<Vec<PathBuf>> {
    let paths = |note: &[u8]| note.split(|byte| *byte == 0).map(|path| OsStr::from_bytes(path).into()).collect();
    let note = |block: &Vec<u8>| {
        let (length, note) = block.split_at_checked(4)?;
        // A note that is longer than its block was never completed.
        let note = note.get(..length.try_into().map_or(0, u32::from_ne_bytes) as usize)?;
        (!note.is_empty()).then(|| paths(note))
    };
    blocks(table, 1).iter().filter_map(note).collect()
}

/// Every second block of a table, from this one on. The last one may be shorter.
fn blocks(table: impl AsFd, first: u64) -> Vec<Vec<u8>> {
    let read = |number: u64| {
        let mut block = vec![0; BLOCK as usize];
        let read = pread(&table, &mut block, BLOCK * number).unwrap_or_default();
        block.truncate(read);
        (read > 0).then_some(block)
    };
    (first..).step_by(2).map_while(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_used_again_and_notes_withdrawn() {
        let (first, second) = (GroupPlace::take().unwrap(), GroupPlace::take().unwrap());
        first.enter(7_000_001).unwrap();
        second.enter(7_000_002).unwrap();
        let ours = |group: &i32| *group > 7_000_000;
        let listed = || groups(file().unwrap()).into_iter().filter(ours).collect::<Vec<_>>();
        assert_eq!(listed().len(), 2);
        drop(first);
        assert_eq!(listed(), [7_000_002]);
        let longest = "x".repeat(BLOCK as usize - 5);
        let (two, one) = (["/a\nb", ""].map(Path::new), ["", longest.as_str()].map(Path::new));
        let (note, longer) = (GuardianNote::leave(&two).unwrap(), GuardianNote::leave(&one).unwrap());
        let left = notes(file().unwrap());
        assert!(left.iter().any(|note| note[..] == two) && left.iter().any(|note| note[..] == one));
        drop(note);
        let left = notes(file().unwrap());
        assert!(!left.iter().any(|note| note[..] == two) && left.iter().any(|note| note[..] == one));
        drop(longer);
        let refused = GuardianNote::leave(&[Path::new(&longest), Path::new("/")]).unwrap_err();
        assert_eq!(Errno::from_io_error(&refused), Some(Errno::NAMETOOLONG));
    }
}
