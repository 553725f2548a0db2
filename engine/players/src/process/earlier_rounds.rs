//! The folders of the rounds that a bot has played in a match: in a sandbox it can read and write them all, as without one.

use super::turn_files::{MAX_TOTAL, has_space};
use arena::ArenaError;
use arena::folder::{MOST_OF_ANSWER, MatchFolder, OpenFolder};
use platform::files::{DiskUse, ENTRY_COST, KeptFile, MAX_DEPTH, identity, last_change};
use rules::FolderMessage;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::io::ErrorKind::{QuotaExceeded, ReadOnlyFilesystem, StorageFull};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use walkdir::{DirEntry, WalkDir};

/// The room in memory for the folders of earlier rounds, in bytes and number of files and folders. The other half is left for
/// the round that is played.
const ROOM: (u64, u64) = (32 << 20, 2048);
/// The largest size of a file that the engine writes beside a question and its answer, such as a log, in bytes.
const MOST_OF_OTHERS: u64 = 1 << 20;
/// Times of changes are told apart if they differ by more than this.
const CLOCK_TICK: Duration = Duration::from_millis(20);

/// The folders of a bot's earlier rounds in which there are files, the oldest first.
#[derive(Debug, Default)]
pub(super) struct EarlierRounds(Vec<EarlierRound>);

#[derive(Debug)]
struct EarlierRound {
    /// The path below the folder of the match.
    folder: String,
    /// The names of the engine's own files there, with their largest sizes.
    engines: BTreeMap<String, u64>,
    /// What was there on the disk when the bot had ended. A file of the engine that takes the place of one of the bot's has
    /// another state.
    left: BTreeMap<String, FileState>,
    /// The files that were copied from memory, as they were then.
    copied: CopiedFiles,
    /// The size of what the bot left there, in bytes, if it is not in memory.
    bytes: u64,
    /// True once the files that the engine added after the turn are in memory, too.
    is_complete: bool,
}

impl EarlierRounds {
    /// The paths of the folders, below that of the match.
    pub(super) fn paths(&self, match_folder: &Path) -> Vec<PathBuf> {
        self.0.iter().map(|round| match_folder.join(&round.folder)).collect()
    }

    /// Adds the folder of the round that was just played, which is `folder` on the disk, with what was `copied` to it, or the
    /// number of bytes that the bot left there.
    pub(super) fn add(&mut self, message: &FolderMessage, folder: &OpenFolder, copied: CopiedFiles, bytes: u64) {
        let asked = message.files.iter().map(|part| (part.name.to_owned(), part.bytes.len() as u64));
        let answers = message.answers.iter().map(|name| ((*name).to_owned(), MOST_OF_ANSWER));
        let engines = asked.chain(answers).collect();
        let left = entries(folder).collect();
        self.0.retain(|round| round.folder != message.folder);
        self.0.push(EarlierRound { folder: message.folder.clone(), engines, left, copied, bytes, is_complete: false });
    }

    /// Notes the files that the engine wrote to the folder of the last round after the turn, and copies them to `memory`, if
    /// the bot has its folders there. Without room for them the bot does not have that folder any more.
    ///
    /// # Errors
    /// The disk fails.
    pub(super) fn complete(&mut self, disk: &MatchFolder, memory: Option<&MatchFolder>) -> Result<(), ArenaError> {
        let Some(round) = self.0.last_mut().filter(|round| !round.is_complete) else { return Ok(()) };
        round.is_complete = true;
        let from = disk.folder(&round.folder)?;
        for (name, state) in entries(&from) {
            if round.engines.contains_key(&name)
                || round.left.get(&name).is_some_and(|left| left.parts() == state.parts())
            {
                continue;
            }
            if let Some(memory) = memory
                && let Ok(Some(bytes)) = from.folder().read_regular(&name, MOST_OF_OTHERS)
                && memory.write(&round.folder, &name, &bytes).is_err()
            {
                // The bot took the memory, so this is not an error of the engine's.
                memory.remove_folder(&round.folder)?;
                self.0.pop();
                return Ok(());
            }
            round.engines.insert(name, MOST_OF_OTHERS);
        }
        Ok(())
    }

    /// Copies what the bot has changed in these folders from `memory` to the `disk`, except for the engine's own files. What is
    /// copied is taken off the `room` on the disk, and what has no room there is not copied.
    ///
    /// # Errors
    /// The disk fails.
    pub(super) fn keep_changes(
        &mut self,
        memory: &MatchFolder,
        disk: &MatchFolder,
        room: &mut u64,
    ) -> Result<(), ArenaError> {
        for round in &mut self.0 {
            let from = memory.folder(&round.folder)?;
            let engines = &round.engines;
            let is_engines = |name: &OsString| name.to_str().is_some_and(|name| engines.contains_key(name));
            round.copied.copy_changes(&from, disk, &round.folder, is_engines, room)?;
        }
        Ok(())
    }

    /// Removes from `memory` first what is too much in a folder, then the oldest folders, until the rest has room.
    ///
    /// # Errors
    /// Something in memory cannot be removed.
    pub(super) fn make_room(&mut self, memory: &MatchFolder) -> Result<(), ArenaError> {
        let is_full = || {
            let used = memory.folder("").ok().and_then(|folder| folder.folder().disk_use().ok());
            used.is_none_or(|DiskUse { bytes, files }| bytes > ROOM.0 || files > ROOM.1)
        };
        if is_full() {
            // This is another room than that on the disk.
            let mut unlimited = u64::MAX;
            self.remove_excess(memory, &mut unlimited)?;
        }
        while is_full() && !self.0.is_empty() {
            memory.remove_folder(&self.0.remove(0).folder)?;
        }
        // Something that the bot put beside its folders, on a kernel that lets it. None of the folders is left by now.
        if is_full() { memory.clear() } else { Ok(()) }
    }

    /// Empties each folder of what the bot left there if that is too much, or more than the `room` for all of them, from which
    /// the size of what has changed is taken.
    ///
    /// # Errors
    /// The disk fails.
    pub(super) fn remove_excess(&mut self, place: &MatchFolder, room: &mut u64) -> Result<(), ArenaError> {
        for round in &mut self.0 {
            let kept: Vec<_> = round.engines.iter().map(|(name, most)| KeptFile { name, most: *most }).collect();
            *room = room.saturating_add(round.bytes);
            match place.folder(&round.folder)?.folder().remove_excess(&kept, MAX_TOTAL.min(*room)) {
                Ok(files) => round.bytes = files.left,
                // The match can go on. The warning is for whoever looks after the disk.
                Err(error) => log::warn!("what a bot left in {} cannot be removed: {error}", round.folder),
            }
            *room = room.saturating_sub(round.bytes);
        }
        Ok(())
    }
}

/// The entries of a folder, except for those whose names are not text, which the engine never gives.
fn entries(folder: &OpenFolder) -> impl Iterator<Item = (String, FileState)> {
    let entries = fs::read_dir(folder.folder().path()).into_iter().flatten().flatten();
    entries.filter_map(|entry| Some((entry.file_name().into_string().ok()?, FileState::of(&entry.metadata().ok()?))))
}

/// Files of a bot's folder of a round in memory that were copied to the folder of the match.
#[derive(Debug, Default)]
pub(super) struct CopiedFiles {
    files: BTreeMap<PathBuf, FileState>,
}

/// The state of a file, which differs after every change of it.
#[derive(Debug, PartialEq, Eq)]
struct FileState {
    number: u64,
    length: u64,
    changed: Duration,
    is_folder: bool,
    /// True if the file could change again without another time.
    is_fresh: bool,
}

impl FileState {
    fn of(file: &Metadata) -> FileState {
        let changed = last_change(file);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let is_fresh = now < changed + CLOCK_TICK;
        FileState { number: identity(file).number, length: file.len(), changed, is_folder: file.is_dir(), is_fresh }
    }

    /// The parts that differ after a change.
    fn parts(&self) -> (u64, u64, Duration) {
        (self.number, self.length, self.changed)
    }

    fn is_same(&self, other: &FileState) -> bool {
        !self.is_fresh && self.parts() == other.parts()
    }
}

impl CopiedFiles {
    /// Copies the files of `from` that have changed since the last time to the folder `relative` of the match, except for
    /// those at the top that `is_left_out` names. Removed files stay in the copy.
    ///
    /// Skips links, and files that cannot be read or written. Skips files that do not fit in `room`, from which the size of each
    /// copied file is subtracted. Copies nothing once the disk is nearly full.
    ///
    /// # Errors
    /// The disk fails.
    pub(super) fn copy_changes(
        &mut self,
        from: &OpenFolder,
        disk: &MatchFolder,
        relative: &str,
        is_left_out: impl Fn(&OsString) -> bool,
        room: &mut u64,
    ) -> Result<(), ArenaError> {
        let from = from.folder().path();
        let mut to = None;
        let mut most = MAX_TOTAL;
        let mut seen = BTreeSet::new();
        let is_wanted = |entry: &DirEntry| entry.depth() != 1 || !is_left_out(&entry.file_name().to_owned());
        let entries = WalkDir::new(&from).min_depth(1).max_depth(MAX_DEPTH).into_iter();
        for entry in entries.filter_entry(is_wanted).flatten() {
            let kind = entry.file_type();
            let Ok(name) = entry.path().strip_prefix(&from) else { continue };
            let Some(state) = entry.metadata().ok().map(|file| FileState::of(&file)) else { continue };
            if !kind.is_dir() && !kind.is_file() {
                continue;
            }
            seen.insert(name.to_owned());
            if self.files.get(name).is_some_and(|copied| copied.is_same(&state) || copied.is_folder && kind.is_dir()) {
                continue;
            }
            if to.is_none() {
                to = Some(disk.folder(relative)?);
            }
            let Some(target) = to.as_ref().map(|to| to.folder().path().join(name)) else { continue };
            // A file that was copied before takes the place of its earlier self.
            let before = self.files.get(name).map_or(0, |copied| copied.length + ENTRY_COST);
            let more = (state.length + ENTRY_COST).saturating_sub(before);
            if state.length > most || more > *room || !has_space(disk.path(), state.length) {
                continue;
            }
            most -= state.length;
            *room -= more;
            let copied = if kind.is_dir() {
                // Of a file that the bot has replaced by a folder, only the folder stays.
                if target.is_file() {
                    let _ = fs::remove_file(&target);
                }
                fs::create_dir_all(&target)
            } else {
                fs::copy(entry.path(), &target).map(drop)
            };
            // Only errors of the disk are the engine's, and if the disk is full, this file is what need not be there.
            let is_ours = |e: &io::Error| matches!(e.kind(), QuotaExceeded | ReadOnlyFilesystem);
            if copied.as_ref().is_err_and(|e| e.kind() == StorageFull) {
                let _ = fs::remove_file(&target);
            }
            let failed = |e| ArenaError::disk("copy", disk.path().join(relative).join(name), e);
            copied.or_else(|e| if is_ours(&e) { Err(failed(e)) } else { Ok(()) })?;
            self.files.insert(name.to_owned(), state);
        }
        self.files.retain(|name, _| seen.contains(name));
        Ok(())
    }
}
