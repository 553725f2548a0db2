//! A bot that is a new process every round: files in, files out.

use super::launch::Launch;
use super::{answer_files, run};
use crate::{Delivery, Transport};
use arena::record::MatchFolder;
use arena::{ArenaError, Interrupt, Limits, RunEnd, RunReport};
use rules::{Fault, Message, Seat};
use std::sync::Arc;

/// Runs a bot's program once for every message, in the folder of the match.
#[derive(Debug)]
pub struct PerRound {
    launch: Launch,
    folder: Arc<MatchFolder>,
    limits: Option<Limits>,
    leave_files: bool,
    interrupt: Interrupt,
}

impl PerRound {
    /// A bot started by `launch` with its messages in `folder`. Without limits it may take for ever. With
    /// `leave_files` false, what it was shown and what it wrote is gone when its turn is over (tournament mode).
    pub fn new(
        launch: Launch,
        folder: Arc<MatchFolder>,
        limits: Option<Limits>,
        leave_files: bool,
        interrupt: Interrupt,
    ) -> PerRound {
        PerRound { launch, folder, limits, leave_files, interrupt }
    }
}

impl Transport for PerRound {
    fn exchange(&mut self, seat: Seat, message: &Message, wanted: &[&'static str]) -> Result<Delivery, ArenaError> {
        let folder = self.folder.folder(&message.address)?;
        let path = self.folder.path().join(&message.address);
        for name in wanted {
            // So that whatever is there later was written in this turn.
            self.folder.remove_in(&folder, &message.address, name)?;
        }
        for part in &message.parts {
            self.folder.write_in(&folder, &message.address, part.name, &part.bytes)?;
        }
        let run = run::run(self.launch.start(seat, &path), self.limits, &self.interrupt)?;
        let (parts, unreadable) = match answer_files::read(&folder, wanted) {
            Ok(parts) => (parts, None),
            Err(fault) => (Vec::new(), Some(fault)),
        };
        if !self.leave_files {
            for name in message.parts.iter().map(|part| part.name).chain(wanted.iter().copied()) {
                self.folder.remove_in(&folder, &message.address, name)?;
            }
        }
        Ok(Delivery { parts, fault: late(&run).or(unreadable), run: Some(run) })
    }
}

/// An answer that came too late does not count, whatever it says (Player Rules 5).
fn late(run: &RunReport) -> Option<Fault> {
    let limits = run.limits?;
    let late = run.end == RunEnd::Killed || run.wall >= limits.answer();
    late.then_some(Fault::TimedOut { used: run.wall, limit: limits.answer() })
}
