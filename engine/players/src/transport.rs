//! Transports carry text between the arena and a bot and know no game.

use arena::{ArenaError, RunReport, TimeUsed};
use rules::{Fault, Part, Seat};

/// A way to reach a bot with messages of the form `M`.
pub trait Transport<M>: Send {
    /// Shows the bot in `seat` a message and waits for its answer.
    ///
    /// # Errors
    /// Failures of the engine or its machine, and an interrupt. A failure of the bot is [`Delivery::fault`].
    fn exchange(&mut self, seat: Seat, message: &M) -> Result<Delivery, ArenaError>;
}

/// What came back from a bot.
#[derive(Debug)]
pub struct Delivery {
    /// The parts it gave.
    pub parts: Vec<Part>,
    /// Why they do not count, if they don't.
    pub fault: Option<Fault>,
    /// How long it took.
    pub time: Option<TimeUsed>,
    /// How its process ran, if it is one.
    pub run: Option<RunReport>,
}
