//! Bots that are a new process every round: files in, files out.

use super::earlier_rounds::{CopiedFiles, EarlierRounds};
use super::launch::Launch;
use super::run;
use super::turn_files::{MAX_OF_MATCH, OwnCopy, absent, answer, late, notes, remove_excess, remove_notes};
use super::warm::WarmStarts;
use crate::{Delivery, Transport};
use arena::folder::{MatchFolder, OpenFolder};
use arena::{ArenaError, Interrupt, Limits, NotesLevel, TimeUsed};
use rules::{FolderMessage, Part, Seat};
use std::ffi::OsString;
use std::sync::Arc;

/// A transport that runs the bot's program once for every message, in the folder of the match.
#[derive(Debug)]
pub struct PerRound {
    launch: Launch,
    folder: Arc<MatchFolder>,
    limits: Option<Limits>,
    leave_files: bool,
    notes: NotesLevel,
    interrupt: Interrupt,
    /// The bot's folders of the rounds before, if it is in a sandbox.
    earlier: EarlierRounds,
    copy: OwnCopy,
    /// The interpreter whose forks are its runs, if it has one.
    warm: WarmStarts,
    /// The room for what the bot may still leave in the folder of the match, in bytes.
    room: u64,
}

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
        let (copy, earlier) = (OwnCopy::of(&launch), EarlierRounds::default());
        let warm = WarmStarts::new(limits, interrupt.clone());
        let (notes, room) = (NotesLevel::Off, MAX_OF_MATCH);
        PerRound { launch, folder, limits, leave_files, notes, interrupt, earlier, copy, warm, room }
    }

    /// The same transport, which takes the notes that the bot leaves beside its answers.
    #[must_use]
    pub fn with_notes(self, notes: NotesLevel) -> PerRound {
        PerRound { notes, ..self }
    }
}

impl Transport<FolderMessage> for PerRound {
    fn exchange(&mut self, seat: Seat, message: &FolderMessage) -> Result<Delivery, ArenaError> {
        if self.copy.is_removed() {
            return Ok(absent(&self.launch, seat, self.folder.path(), self.limits));
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
            remove_notes(&folder, self.notes)?;
        }
        for part in &message.files {
            folder.write(part.name, &part.bytes)?;
        }
        let earlier = self.earlier.paths(place.path());
        let mut run = match self.warm.run(&self.launch, seat, folder.path(), &earlier)? {
            Some(run) => run,
            None => {
                let request = self.launch.request(seat, folder.path(), &earlier);
                run::run(request, self.limits, &self.interrupt)?
            }
        };
        let (parts, unreadable) = match answer(&folder, wanted) {
            Ok(parts) => (parts, None),
            Err(fault) => (Vec::new(), Some(fault)),
        };
        let notes = notes(&folder, self.notes, &mut run);
        if !self.leave_files {
            remove_notes(&folder, self.notes)?;
            let given = |name: &&str| unreadable.is_some() || parts.iter().any(|part| part.name == *name);
            let names = message.files.iter().map(|part| part.name);
            names.chain(wanted.iter().copied().filter(given)).try_for_each(|name| folder.remove(name))?;
        }
        let is_left = self.leave_files || !folder.remove_empty();
        let (mut copied, mut left) = (CopiedFiles::default(), 0);
        if is_left {
            let files = remove_excess(place, &folder, &message.folder, message, self.room)?;
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
        self.copy.remove_if_too_large();
        run.files_left = self.leave_files;
        let time = TimeUsed { wall: run.wall, cpu: Some(run.cpu) };
        Ok(Delivery { parts, fault: late(&run).or(unreadable), time: Some(time), run: Some(run), notes })
    }
}

impl PerRound {
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
