//! The dialect: bodies of HTTP requests and answers, as JSON.

mod ask;
mod read;

use super::{Order, SeaBattle, View};
use crate::{Answer, Dialect, Fault, Message, Part, Seat};

/// Where a bot is asked for its fleet, and what it answers there.
pub const PLACEMENT: &str = "placement";
/// Where a bot is asked for a move, and what it answers there.
pub const MOVE: &str = "move";
/// What a bot is sent.
pub const BODY_JSON: &str = "body.json";
/// An answer of more bytes is not read.
pub const MOST_OF_BODY: usize = 64 * 1024;

/// The messages of one match.
#[derive(Debug, Clone)]
pub struct Json {
    game_id: String,
}

impl Json {
    /// Of the match that bots are told by this name.
    pub fn new(game_id: impl Into<String>) -> Json {
        Json { game_id: game_id.into() }
    }

    /// What a bot would answer to give this order.
    pub fn answer(order: &Order) -> Part {
        let name = if matches!(order, Order::Place(_)) { PLACEMENT } else { MOVE };
        Part { name, bytes: ask::answer(order) }
    }
}

impl Dialect<SeaBattle> for Json {
    /// The address is [`PLACEMENT`] or [`MOVE`], to be added to the bot's URL.
    fn ask(&self, _seat: Seat, view: &View) -> Message {
        let (address, bytes) = match view.turn {
            0 => (PLACEMENT, ask::placement(&self.game_id)),
            _ => (MOVE, ask::a_move(&self.game_id, view)),
        };
        Message { address: address.to_owned(), parts: vec![Part { name: BODY_JSON, bytes }] }
    }

    /// One part, the body of the answer, named as the address that it came from.
    fn read(&self, parts: &[Part]) -> Answer<Order> {
        let part = parts.first().ok_or(Fault::NothingWritten)?;
        let order = match part.name {
            PLACEMENT => read::placement(&part.bytes),
            MOVE => read::a_move(&part.bytes),
            other => Err(format!("there is no answer to {other:?}")),
        };
        order.map_err(|why| {
            let began = read::beginning(&part.bytes);
            Fault::Unreadable { why: format!("{}: {why}; the answer: {began}", part.name) }
        })
    }

    fn answer_parts(&self) -> &'static [&'static str] {
        &[PLACEMENT, MOVE]
    }
}
