//! The dialect: bodies of HTTP requests and answers, as JSON.

mod ask;
mod read;

pub use read::MOST_OF_BODY;

use super::{Event, Loss, Order, SeaBattle, View, scenery};
use crate::{Answer, ContentType, Dialect, Fault, HttpRequest, Listed, Look, Part, Reach, Seat, printable_line};

/// The path at which a bot is asked for its fleet, and the name of the answer.
pub const PLACEMENT: &str = "placement";
/// The path at which a bot is asked for a move, and the name of the answer.
pub const MOVE: &str = "move";
/// The most characters of an answer that are shown to people.
const MOST_SHOWN: usize = 200;

/// The messages of one match.
#[derive(Debug, Clone)]
pub struct Json {
    game_id: String,
}

impl Json {
    /// The messages of the match with this name.
    pub fn new(game_id: impl Into<String>) -> Json {
        Json { game_id: game_id.into() }
    }
}

impl Dialect<SeaBattle> for Json {
    type Message = HttpRequest;

    /// A POST to [`PLACEMENT`] or [`MOVE`] below the bot's URL.
    fn ask(&self, _seat: Seat, view: &View) -> HttpRequest {
        let (path, body) = match view.turn {
            0 => (PLACEMENT, ask::placement(&self.game_id)),
            _ => (MOVE, ask::a_move(&self.game_id, view)),
        };
        HttpRequest { path: Some(path), content: ContentType::Json, body, answer: path }
    }
}

impl Listed for SeaBattle {
    const REACH: Reach = Reach::Http;
    const ANSWER_PARTS: &'static [&'static str] = &[PLACEMENT, MOVE];

    /// Reads the one part of an answer: the body of the response, named as the path that it came from.
    fn read(&self, parts: &[Part]) -> Answer<Order> {
        let part = parts.first().ok_or(Fault::NothingWritten)?;
        let order = match part.name {
            PLACEMENT => read::placement(&part.bytes, self.settings.profile),
            MOVE => read::a_move(&part.bytes, self.settings.profile),
            other => return Err(Fault::unreadable(&format!("there is no answer to {other:?}"))),
        };
        order.map_err(|mistake| {
            let all = if part.bytes.is_empty() { "empty".to_owned() } else { printable_line(&part.bytes, MOST_SHOWN) };
            let excerpt = match mistake.shown {
                Some(value) => format!("{value} in {all}"),
                None => all,
            };
            Fault::unreadable_text(&format!("{}: {}", part.name, mistake.why), &excerpt)
        })
    }

    fn write(order: &Order) -> Vec<Part> {
        let name = if matches!(order, Order::Place(_)) { PLACEMENT } else { MOVE };
        vec![Part { name, bytes: ask::answer(order) }]
    }

    fn refused(event: &Event) -> Option<Seat> {
        match event {
            Event::Lost { seat, why: Loss::Refused(_) } => Some(*seat),
            _ => None,
        }
    }

    /// Radar takes the place of a shot.
    fn fired(event: &Event) -> Option<(Seat, bool)> {
        match event {
            Event::Fired { seat, .. } => Some((*seat, false)),
            Event::UsedRadar { seat } => Some((*seat, true)),
            _ => None,
        }
    }

    fn look() -> Look {
        scenery::look()
    }
}
