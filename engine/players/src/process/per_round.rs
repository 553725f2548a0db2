//! Bots that are a new process every round: files in, files out.

use super::earlier_rounds::{CopiedFiles, EarlierRounds};
use super::launch::Launch;
use super::run;
use super::turn_files::{
    MAX_OF_MATCH, OwnCopy, absent, answer_or_fault, arrived_of_run, copy_out, instead_of_answer, late, notes, prepare,
    remove_excess, remove_notes,
};
use super::warm::WarmStarts;
use crate::{Delivery, Transport};
use arena::folder::{MatchFolder, OpenFolder};
use arena::{ArenaError, Interrupt, Limits, NotesLevel, RunReport, TimeUsed};
use rules::{FolderMessage, Part, Seat};
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
        let folder = self.place().folder(&message.folder)?;
        prepare(&folder, message, self.notes)?;
        let mut run = self.run(seat, &folder)?;
        let (parts, unreadable) = answer_or_fault(&folder, message.answers);
        let notes = notes(&folder, self.notes, &mut run);
        if parts.is_empty() && unreadable.is_none() {
            run.instead = instead_of_answer(&self.launch, &folder, message, &run.end, None);
        }
        if !self.leave_files {
            self.remove_message(&folder, message, &parts, unreadable.is_some())?;
        }
        let is_left = self.leave_files || !folder.remove_empty();
        let (mut copied, mut left) = (CopiedFiles::default(), 0);
        if is_left {
            (copied, left) = self.keep(&folder, message, &parts, &mut run)?;
        }
        self.keep_earlier_changes()?;
        if is_left && self.launch.is_confined() {
            self.earlier.add(message, &self.folder.folder(&message.folder)?, copied, left);
        }
        if let Some(memory) = self.launch.rounds() {
            self.earlier.make_room(memory)?;
        }
        self.copy.remove_if_too_large();
        run.files_left = self.leave_files;
        let time = TimeUsed { wall: run.wall, cpu: Some(run.cpu) };
        let late = late(&run, || arrived_of_run(&parts, unreadable.is_some()));
        Ok(Delivery { parts, fault: late.or(unreadable), time: Some(time), run: Some(run), notes })
    }
}

impl PerRound {
    /// The folder of the match as the bot has it.
    fn place(&self) -> &MatchFolder {
        self.launch.rounds().unwrap_or(&self.folder)
    }

    /// Runs the bot once in the folder of a turn: as a fork of its interpreter if it has one, else as a program of its own.
    fn run(&mut self, seat: Seat, folder: &OpenFolder) -> Result<RunReport, ArenaError> {
        let earlier = self.earlier.paths(self.place().path());
        match self.warm.run(&self.launch, seat, folder.path(), &earlier)? {
            Some(run) => Ok(run),
            None => run::run(self.launch.request(seat, folder.path(), &earlier), self.limits, &self.interrupt),
        }
    }

    /// Removes the question, the notes and the given answer from the folder of a turn; of an answer that is unreadable, all that was
    /// asked for.
    fn remove_message(
        &self,
        folder: &OpenFolder,
        message: &FolderMessage,
        answer: &[Part],
        is_unreadable: bool,
    ) -> Result<(), ArenaError> {
        remove_notes(folder, self.notes)?;
        let given = |name: &&str| is_unreadable || answer.iter().any(|part| part.name == *name);
        let names = message.files.iter().map(|part| part.name);
        names.chain(message.answers.iter().copied().filter(given)).try_for_each(|name| folder.remove(name))
    }

    /// Removes what the bot left in the folder of a turn beyond the limit, and copies the rest to the folder of the match if the bot
    /// has its folder in memory. Gives the copied files, and the bytes that were left if nothing was to be copied.
    fn keep(
        &mut self,
        folder: &OpenFolder,
        message: &FolderMessage,
        answer: &[Part],
        run: &mut RunReport,
    ) -> Result<(CopiedFiles, u64), ArenaError> {
        let files = remove_excess(self.place(), folder, &message.folder, message, self.room)?;
        run.removed = files.removed;
        if self.launch.rounds().is_some() {
            let copied = copy_out(folder, &self.folder, message, answer, self.leave_files, &mut self.room)?;
            return Ok((copied, 0));
        }
        self.room = self.room.saturating_sub(files.left);
        Ok((CopiedFiles::default(), files.left))
    }

    /// Keeps what the bot has changed in its folders of earlier turns, as far as there is room.
    fn keep_earlier_changes(&mut self) -> Result<(), ArenaError> {
        match self.launch.rounds() {
            Some(memory) => self.earlier.keep_changes(memory, &self.folder, &mut self.room),
            None if self.launch.is_confined() => self.earlier.remove_excess(&self.folder, &mut self.room),
            None => Ok(()),
        }
    }
}
