//! Bots that are a new process every round: files in, files out.

use super::earlier_rounds::{CopiedFiles, EarlierRounds};
use super::excess_files::{self, KeptFile, LeftFiles, MAX_OF_MATCH, MAX_TOTAL};
use super::launch::Launch;
use super::private_copy::size_of_copy;
use super::run::{self, RunRequest};
use crate::{Delivery, Transport};
use arena::folder::{MOST_OF_ANSWER, MatchFolder, OpenFolder, read_regular, remove_folder};
use arena::{ArenaError, Interrupt, Limits, RunEnd, RunReport, TimeUsed};
use rules::{Fault, FolderMessage, Part, Seat};
use rustix::fs::{fstat, statvfs};
use rustix::io::Errno;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

/// A transport that runs the bot's program once for every message, in the folder of the match.
#[derive(Debug)]
pub struct PerRound {
    launch: Launch,
    folder: Arc<MatchFolder>,
    limits: Option<Limits>,
    leave_files: bool,
    interrupt: Interrupt,
    /// The bot's folders of the rounds before, if it is in a sandbox.
    earlier: EarlierRounds,
    /// The size of the bot's copy of its folder, in bytes, at the beginning of the match.
    copied: u64,
    /// The room for what the bot may still leave in the folder of the match, in bytes.
    room: u64,
    /// True once the bot has filled the disk by its copy.
    is_removed: bool,
}

/// The room for what a bot writes to the copy of its folder, in bytes, once the disk is nearly full.
const OWN_ROOM: u64 = 16 << 20;
/// Less space than this on a disk, in bytes, means that it is nearly full.
const LITTLE_SPACE: u64 = 8 << 20;

impl PerRound {
    /// A transport to a bot that `launch` starts, with messages in `folder`. Without limits a run may last for ever.
    /// With `leave_files` false, questions and answers are removed after each turn (tournament mode).
    pub fn new(
        launch: Launch,
        folder: Arc<MatchFolder>,
        limits: Option<Limits>,
        leave_files: bool,
        interrupt: Interrupt,
    ) -> PerRound {
        // If it cannot be measured, whatever is there later counts.
        let copied = launch.copy().and_then(|copy| size_of_copy(copy, u64::MAX).ok()).unwrap_or_default();
        let earlier = EarlierRounds::default();
        PerRound {
            launch,
            folder,
            limits,
            leave_files,
            interrupt,
            earlier,
            copied,
            room: MAX_OF_MATCH,
            is_removed: false,
        }
    }
}

impl Transport<FolderMessage> for PerRound {
    fn exchange(&mut self, seat: Seat, message: &FolderMessage) -> Result<Delivery, ArenaError> {
        if self.is_removed {
            return Ok(self.absent(seat));
        }
        if self.launch.is_confined() && self.leave_files {
            self.earlier.complete(&self.folder, self.launch.rounds())?;
        }
        let wanted = message.answers;
        let place = self.launch.rounds().unwrap_or(&self.folder);
        let folder = place.folder(&message.folder)?;
        if !folder.is_new() {
            // So files that exist later were written in this turn.
            wanted.iter().try_for_each(|name| folder.remove(name))?;
        }
        for part in &message.files {
            folder.write(part.name, &part.bytes)?;
        }
        let request = self.launch.request(seat, folder.path(), &self.earlier.paths(place.path()));
        let mut run = run::run(request, self.limits, &self.interrupt)?;
        let (parts, unreadable) = match answer(&folder, wanted) {
            Ok(parts) => (parts, None),
            Err(fault) => (Vec::new(), Some(fault)),
        };
        if !self.leave_files {
            let given = |name: &&str| unreadable.is_some() || parts.iter().any(|part| part.name == *name);
            let names = message.files.iter().map(|part| part.name);
            names.chain(wanted.iter().copied().filter(given)).try_for_each(|name| folder.remove(name))?;
        }
        let is_left = self.leave_files || !folder.remove_empty();
        let (mut copied, mut left) = (CopiedFiles::default(), 0);
        if is_left {
            let most = if has_space(self.folder.path(), 0) { self.room.min(MAX_TOTAL) } else { 0 };
            let files = remove_excess(place, &folder, message, wanted, most)?;
            run.removed = files.removed;
            if self.launch.rounds().is_some() {
                copied = self.keep(&folder, message, &parts)?;
            } else {
                left = files.left;
                self.room = self.room.saturating_sub(left);
            }
        }
        match self.launch.rounds() {
            Some(memory) => self.earlier.keep_changes(memory, &self.folder, &mut self.room)?,
            None if self.launch.is_confined() => self.earlier.remove_excess(&self.folder, &mut self.room)?,
            None => {}
        }
        if is_left && self.launch.is_confined() {
            self.earlier.add(message, &self.folder.folder(&message.folder)?, copied, left);
        }
        if let Some(memory) = self.launch.rounds() {
            self.earlier.make_room(memory)?;
        }
        self.is_removed = self.remove_copy();
        run.files_left = self.leave_files;
        let time = TimeUsed { wall: run.wall, cpu: Some(run.cpu) };
        Ok(Delivery { parts, fault: late(&run).or(unreadable), time: Some(time), run: Some(run) })
    }
}

impl PerRound {
    /// Removes the copy of the bot's folder if the bot has filled the disk with it, so that everybody else can go on.
    fn remove_copy(&self) -> bool {
        let Some(copy) = self.launch.copy() else { return false };
        if has_space(copy, 0) || size_of_copy(copy, u64::MAX).is_ok_and(|size| size < self.copied + OWN_ROOM) {
            return false;
        }
        remove_folder(copy).inspect_err(|error| log::warn!("cannot remove {}: {error}", copy.display())).is_ok()
    }

    /// The delivery of a bot that does not run any more.
    fn absent(&self, seat: Seat) -> Delivery {
        let folder = self.folder.path();
        let why = RunEnd::NotStarted("it filled the disk with files in its folder".to_owned());
        let RunRequest { text, invocation, .. } = self.launch.request(seat, folder, &[]);
        let run = Some(run::unused(text, invocation, self.limits, why));
        Delivery { parts: Vec::new(), fault: None, time: None, run }
    }

    /// Copies the question, the answer and what else the bot left from its folder in memory to the folder of the match.
    /// Without `leave_files`, question and answer are not there any more.
    fn keep(&mut self, from: &OpenFolder, message: &FolderMessage, answer: &[Part]) -> Result<CopiedFiles, ArenaError> {
        let to = self.folder.folder(&message.folder)?;
        let known: Vec<&Part> = message.files.iter().chain(answer).collect();
        for part in known.iter().filter(|_| self.leave_files) {
            to.write(part.name, &part.bytes)?;
        }
        let mut copied = CopiedFiles::default();
        let is_known = |name: &OsString| known.iter().any(|part| name == part.name);
        copied.copy_changes(from, &self.folder, &message.folder, is_known, &mut self.room)?;
        Ok(copied)
    }
}

/// True if the disk of this folder has room for a file of so many bytes and more.
pub(super) fn has_space(folder: &Path, length: u64) -> bool {
    statvfs(folder).is_ok_and(|disk| disk.f_bavail * disk.f_frsize >= LITTLE_SPACE + length)
}

/// Removes the files that the bot left besides its answer if they exceed `most` bytes.
fn remove_excess(
    place: &MatchFolder,
    asked: &OpenFolder,
    message: &FolderMessage,
    wanted: &[&str],
    most: u64,
) -> Result<LeftFiles, ArenaError> {
    let parts = message.files.iter().map(|part| KeptFile { name: part.name, most: part.bytes.len() as u64 });
    let answers = wanted.iter().map(|name| KeptFile { name, most: MOST_OF_ANSWER });
    let kept: Vec<KeptFile<'_>> = parts.chain(answers).collect();
    let remove = |folder: &OpenFolder| {
        excess_files::remove_excess(folder, &kept, most).unwrap_or_else(|error| {
            // The match can go on. The warning is for whoever looks after the disk.
            log::warn!("what a bot left in {} cannot be removed: {error}", message.folder);
            LeftFiles::default()
        })
    };
    // The bot may have put another folder in its place. This also restores rights that the bot took away.
    let present = place.folder(&message.folder)?;
    let removed = remove(asked);
    let other = !same(asked, &present).map_err(|e| ArenaError::disk("examine", &message.folder, e))?;
    let more = if other { remove(&present) } else { LeftFiles::default() };
    Ok(LeftFiles { left: removed.left + more.left, removed: removed.removed + more.removed })
}

/// The files with these names in `folder`, or the fault if one of them is unreadable.
fn answer(folder: &OpenFolder, names: &[&'static str]) -> Result<Vec<Part>, Fault> {
    let one = |&name: &&'static str| {
        let read = read_regular(folder, name, MOST_OF_ANSWER).map(|bytes| bytes.map(|bytes| Part { name, bytes }));
        read.map_err(|why| Fault::unreadable(&format!("{name} {why}"))).transpose()
    };
    names.iter().filter_map(one).collect()
}

fn same(one: &OpenFolder, other: &OpenFolder) -> Result<bool, Errno> {
    let (one, other) = (fstat(one)?, fstat(other)?);
    Ok((one.st_dev, one.st_ino) == (other.st_dev, other.st_ino))
}

/// The fault of an answer that came too late, whatever it says (Player Rules 5).
fn late(run: &RunReport) -> Option<Fault> {
    let limits = run.limits?;
    if let Some(limit) = limits.cpu().filter(|limit| run.cpu >= *limit) {
        return Some(Fault::TimedOut { used: run.cpu, limit });
    }
    let late = run.end == RunEnd::Killed || run.wall >= limits.answer();
    late.then_some(Fault::TimedOut { used: run.wall, limit: limits.answer() })
}
