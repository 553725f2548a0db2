//! Bots that stay: one process a match, with the same files for every turn and a line on standard input.

use super::launch::Launch;
use super::output::Awaited;
use super::staying_process::{Asked, StayingProcess};
use super::turn_files::{
    MAX_OF_MATCH, OwnCopy, absent, answer_or_fault, arrived_of_stay, copy_out, instead_of_answer, late, notes, prepare,
    remove_excess,
};
use crate::{Delivery, Transport};
use arena::folder::{MatchFolder, OpenFolder};
use arena::{ArenaError, Interrupt, Limits, NotesLevel, TimeUsed};
use rules::{FolderMessage, Part, Seat};
use std::sync::Arc;

/// A transport that starts the bot's program once, and asks it once a turn (docs/protocols/entelect-2017.md, "Bots that stay").
///
/// The files of a turn are in the same folder every time. The bot is asked by a line on its standard input, and has answered when
/// it has written the same line to its standard output. Between its turns it is stopped with all that it started. A bot that is
/// late, that ends, or that runs between its turns is ended, and started again for its next turn.
#[derive(Debug)]
pub struct Staying {
    process: StayingProcess,
    folder: Arc<MatchFolder>,
    leave_files: bool,
    notes: NotesLevel,
    /// The name of the folder of its turns, in the folder of the match. Empty before the first one.
    turn_folder: String,
    copy: OwnCopy,
    /// The room for what the bot may still leave in the folder of the match, in bytes.
    room: u64,
}

impl Staying {
    /// A transport to a bot that `launch` starts, with rounds in `folder`. Without limits a turn may last for ever. With
    /// `leave_files` false, the folder of the match has no questions and answers (tournament mode).
    pub fn new(
        launch: Launch,
        folder: Arc<MatchFolder>,
        limits: Option<Limits>,
        leave_files: bool,
        interrupt: Interrupt,
    ) -> Staying {
        let copy = OwnCopy::of(&launch);
        let process = StayingProcess::new(launch, limits, interrupt);
        let (notes, turn_folder) = (NotesLevel::Off, String::new());
        Staying { process, folder, leave_files, notes, turn_folder, copy, room: MAX_OF_MATCH }
    }

    /// The same transport, which takes the notes that the bot leaves beside its answers.
    #[must_use]
    pub fn with_notes(mut self, notes: NotesLevel) -> Staying {
        self.notes = notes;
        self
    }
}

impl Transport<FolderMessage> for Staying {
    fn exchange(&mut self, seat: Seat, message: &FolderMessage) -> Result<Delivery, ArenaError> {
        if self.copy.is_removed() {
            return Ok(absent(&self.process.launch, seat, self.folder.path(), self.process.limits));
        }
        // As deep as the folder of a round.
        self.turn_folder = format!("turn/{seat}");
        let folder = self.place().folder(&self.turn_folder)?;
        prepare(&folder, message, self.notes)?;
        let awaited = Awaited::Text(message.line.as_bytes());
        let Asked { mut run, has_question, .. } = self.process.ask(seat, folder.path(), &message.line, awaited)?;
        run.invocation.input = Some(message.line.clone());
        let (parts, unreadable) =
            if has_question { answer_or_fault(&folder, message.answers) } else { (Vec::new(), None) };
        let notes = if has_question { notes(&folder, self.notes, &mut run) } else { None };
        if has_question && parts.is_empty() && unreadable.is_none() {
            run.instead = instead_of_answer(&self.process.launch, &folder, message, &run.end, Some(&message.line));
        }
        if self.leave_files {
            run.removed = self.keep(&folder, message, &parts)?;
        }
        // Its next turn begins with an empty folder, and nobody finds the files of this one.
        if let Err(error) = folder.folder().remove_excess(&[], 0) {
            log::warn!("what a bot left in its folder of turns cannot be removed: {error}");
        }
        self.copy.remove_if_too_large();
        run.files_left = self.leave_files;
        let late = late(&run, || arrived_of_stay(&run, &parts, &message.line));
        if late.is_some() || self.copy.is_removed() {
            self.process.end();
        }
        let time = TimeUsed { wall: run.wall, cpu: Some(run.cpu) };
        Ok(Delivery { parts, fault: late.or(unreadable), time: Some(time), run: Some(run), notes })
    }
}

impl Staying {
    /// The folder of the match as the bot has it.
    fn place(&self) -> &MatchFolder {
        self.process.launch.rounds().unwrap_or(&self.folder)
    }

    /// Puts the question, the answer and what else the bot left into the folder of the round. Gives the number of bytes that
    /// were too much for that.
    fn keep(&mut self, from: &OpenFolder, message: &FolderMessage, answer: &[Part]) -> Result<u64, ArenaError> {
        let removed = remove_excess(self.place(), from, &self.turn_folder, message, self.room)?.removed;
        copy_out(from, &self.folder, message, answer, true, &mut self.room)?;
        Ok(removed)
    }
}

impl Drop for Staying {
    fn drop(&mut self) {
        // Before its folder, so that it cannot write there.
        self.process.end();
        if !self.turn_folder.is_empty()
            && let Err(error) = self.place().remove_folder(&self.turn_folder)
        {
            log::warn!("the folder of a bot's turns cannot be removed: {error}");
        }
    }
}
