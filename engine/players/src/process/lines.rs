//! Bots that are asked by lines: one process a match, with a JSON body a line on standard input and output.

use super::launch::Launch;
use super::output::Awaited;
use super::staying_process::{Asked, StayingProcess};
use super::turn_files::{OwnCopy, absent, arrived_of_line, late};
use crate::http::{AnswerPolicy, too_long_text};
use crate::{Delivery, Transport};
use arena::{ArenaError, Interrupt, Limits, TimeUsed};
use rules::{Fault, HttpRequest, Part, Seat};
use std::path::PathBuf;

/// A transport to a bot that answers the requests of [`Http`](crate::http::Http) as a program: the body of a request is a line
/// on its standard input, and the next line on its standard output is the body of the response.
///
/// The program is started when it is first asked, and stopped between its turns with all that it started. A bot that is late,
/// that ends, whose answer is too long, or that runs between its turns is ended, and started again for its next turn.
#[derive(Debug)]
pub struct Lines {
    process: StayingProcess,
    /// The folder for the bot's temporary files.
    folder: PathBuf,
    policy: AnswerPolicy,
    /// The bytes of all answers.
    received: usize,
    copy: OwnCopy,
}

impl Lines {
    /// A transport to a bot that `launch` starts ([`Launch::by_lines`]), with temporary files in `folder`. Of the policy only the
    /// longest answer counts. Without limits a turn may last for ever.
    pub fn new(
        launch: Launch,
        folder: PathBuf,
        policy: AnswerPolicy,
        limits: Option<Limits>,
        interrupt: Interrupt,
    ) -> Lines {
        let copy = OwnCopy::of(&launch);
        Lines { process: StayingProcess::new(launch, limits, interrupt), folder, policy, received: 0, copy }
    }
}

impl Transport<HttpRequest> for Lines {
    fn exchange(&mut self, seat: Seat, message: &HttpRequest) -> Result<Delivery, ArenaError> {
        if self.copy.is_removed() {
            return Ok(absent(&self.process.launch, seat, &self.folder, self.process.limits));
        }
        let most = self.policy.most_after(self.received);
        // Bodies in JSON have no line breaks.
        let question = String::from_utf8_lossy(&message.body);
        let Asked { run, line, .. } = self.process.ask(seat, &self.folder, &question, Awaited::Next(most))?;
        self.copy.remove_if_too_large();
        let too_long = line.as_ref().filter(|line| line.len() > most).map(|_| Fault::unreadable(&too_long_text(most)));
        let late = late(&run, || arrived_of_line(&run));
        if late.is_some() || too_long.is_some() || self.copy.is_removed() {
            self.process.end();
        }
        let bytes = line.filter(|_| too_long.is_none());
        self.received = self.received.saturating_add(bytes.as_ref().map_or(0, Vec::len));
        let parts = bytes.map(|bytes| Part { name: message.answer, bytes }).into_iter().collect();
        let time = TimeUsed { wall: run.wall, cpu: Some(run.cpu) };
        Ok(Delivery { parts, fault: late.or(too_long), time: Some(time), run: Some(run), notes: None })
    }
}
