//! A bot is a dialect and a transport.

use crate::Transport;
use arena::{ArenaError, Ask, Player, Reply, RunEnd};
use rules::{Dialect, Fault, Listed};

/// A player outside our process: `D` says what to write, `T` carries it.
#[derive(Debug)]
pub struct Bot<D, T> {
    dialect: D,
    transport: T,
}

impl<D, T> Bot<D, T> {
    /// A bot that speaks `dialect` over `transport`.
    pub fn new(dialect: D, transport: T) -> Bot<D, T> {
        Bot { dialect, transport }
    }
}

impl<G: Listed, D: Dialect<G>, T: Transport<D::Message>> Player<G> for Bot<D, T> {
    fn decide(&mut self, ask: &Ask<'_, G>) -> Result<Reply<G::Order>, ArenaError> {
        let message = self.dialect.ask(ask.seat, &ask.view());
        let delivery = self.transport.exchange(ask.seat, &message)?;
        let answer = match delivery.fault {
            Some(fault) => Err(fault),
            None => G::read(&delivery.parts),
        };
        let answer = match (answer, &delivery.run) {
            // A process that left an answer may end as it likes; one that left none has crashed.
            (Err(Fault::NothingWritten), Some(run)) if run.end != RunEnd::Exited(0) => {
                Err(Fault::crashed(&run.end.to_string()))
            }
            (answer, _) => answer,
        };
        Ok(Reply { answer, given: delivery.parts, time: delivery.time, run: delivery.run })
    }
}
