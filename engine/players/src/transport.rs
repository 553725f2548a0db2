//! Transports carry text between the arena and a bot and know no game.

use arena::{ArenaError, Notes, RunReport, TimeUsed};
use rules::{Fault, Part, Seat};

/// A way to reach a bot with messages of the form `M`.
pub trait Transport<M>: Send {
    /// Shows the bot in `seat` a message and waits for its answer.
    ///
    /// # Errors
    /// Failures of the engine or its machine, and an interrupt. A failure of the bot is [`Delivery::fault`].
    fn exchange(&mut self, seat: Seat, message: &M) -> Result<Delivery, ArenaError>;
}

/// The result of asking a bot once.
#[derive(Debug)]
pub struct Delivery {
    /// The parts it gave.
    pub parts: Vec<Part>,
    /// The reason why the parts do not count; `None` if they do.
    pub fault: Option<Fault>,
    /// The time that the bot took.
    pub time: Option<TimeUsed>,
    /// The report of the bot's process, if the bot is one.
    pub run: Option<RunReport>,
    /// The notes that the bot left beside the parts.
    pub notes: Option<Box<Notes>>,
}
