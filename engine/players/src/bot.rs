//! A bot is a dialect and a transport.

use crate::Transport;
use arena::{ArenaError, Ask, Player, Reply};
use rules::{Dialect, Fault, Listed};

/// A player outside our process: the dialect `D` makes the messages, the transport `T` carries them.
///
/// ```
/// use arena::{ArenaError, Ask, Player};
/// use players::{Bot, Delivery, Transport};
/// use rules::sea_battle::{Json, Order, SeaBattle, random_fleet};
/// use rules::{Game, HttpRequest, Listed, Seat};
///
/// /// Answers every message with a fleet.
/// struct Echo;
///
/// impl Transport<HttpRequest> for Echo {
///     fn exchange(&mut self, _: Seat, _: &HttpRequest) -> Result<Delivery, ArenaError> {
///         let parts = SeaBattle::write(&Order::Place(random_fleet(&mut rules::random(1))));
///         Ok(Delivery { parts, fault: None, time: None, run: None, notes: None })
///     }
/// }
///
/// let game = SeaBattle::start(&Default::default(), 2, 7)?;
/// let reply = Bot::new(Json::new("match 1"), Echo).decide(&Ask::new(&game, Seat::A, 0))?;
/// assert!(matches!(reply.answer, Ok(Order::Place(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
        exchange(&self.dialect, &mut self.transport, ask)
    }
}

/// Asks over `transport` in `dialect`, once.
pub(crate) fn exchange<G: Listed, D: Dialect<G>, T: Transport<D::Message>>(
    dialect: &D,
    transport: &mut T,
    ask: &Ask<'_, G>,
) -> Result<Reply<G::Order>, ArenaError> {
    let message = dialect.ask(ask.seat, &ask.view());
    let delivery = transport.exchange(ask.seat, &message)?;
    let answer = match (delivery.fault, &delivery.run) {
        (Some(fault), _) => Err(fault),
        // A process that left an answer may end as it likes; one that left none, or a part of one, has crashed.
        (None, Some(run)) if !run.end.is_success() => ask.read(&delivery.parts).map_err(|fault| match fault {
            Fault::NothingWritten | Fault::Unreadable { .. } => Fault::crashed(&run.end.to_string()),
            fault => fault,
        }),
        (None, _) => ask.read(&delivery.parts),
    };
    Ok(Reply { answer, given: delivery.parts, time: delivery.time, run: delivery.run, notes: delivery.notes })
}
