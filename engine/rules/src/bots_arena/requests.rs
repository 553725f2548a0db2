//! The dialect: what is in the bodies of the requests and of the answers.
//!
//! All requests to a bot go to its one URL. The name of an answer's one part tells the kinds of requests apart: so a record
//! tells how an answer is read, whichever body was sent.

use super::{BotsArena, Event, Order, View, form, json, reading};
use crate::{
    Answer, BySeat, ContentType, Dialect, Fault, FirstRow, HttpRequest, Listed, Look, Part, Point, Reach, Seat,
};

/// The answer to a form in either encoding that asks for the ships: a JSON array of ships.
pub const INIT: &str = "init";
/// The answer to a form in either encoding that asks for a strike: `x,y`.
pub const FIGHT: &str = "fight";
/// The answer to JSON that asks for the ships: an object with `boats`.
pub const INIT_JSON: &str = "init.json";
/// The answer to JSON that asks for a strike: an object with `play`.
pub const PLAY_TURN: &str = "play-turn";

/// The format of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Body {
    /// A form, as the text says.
    #[default]
    Form,
    /// JSON, as the public arena came to later.
    Json,
    /// A form as `multipart/form-data`, as the public arena sent it in 2015.
    Multipart,
}

impl Body {
    /// All formats, in the order in which a bot is asked whose format is not known.
    pub const ALL: [Body; 3] = [Body::Form, Body::Json, Body::Multipart];

    /// The name in commands.
    pub fn name(self) -> &'static str {
        match self {
            Body::Form => "form",
            Body::Json => "json",
            Body::Multipart => "multipart",
        }
    }

    /// True if `answer` has ships in the form that belongs to requests of this format: an object with `boats` to JSON,
    /// something else to a form. Bots that place the same ships whatever they are asked give themselves away by it, and a
    /// list without ships is what bots send that found none in the request.
    pub fn is_fleet(self, answer: &[u8]) -> bool {
        reading::fleet_format(answer).is_some_and(|has_boats| has_boats == (self == Body::Json))
    }
}

/// The requests of a match between these players. The player in seat A is bot 1.
#[derive(Debug, Clone)]
pub struct Requests {
    body: Body,
    pub(super) number: u32,
    pub(super) names: BySeat<String>,
}

impl Requests {
    /// With bodies so written, for the match of this number between players of these names.
    pub fn new(body: Body, number: u32, names: BySeat<String>) -> Requests {
        Requests { body, number, names }
    }

    /// The identifier of the match for the player in `seat`, e.g. `828-1`.
    pub fn match_id(&self, seat: Seat) -> String {
        format!("{}-{}", self.number, seat.index() + 1)
    }
}

impl Dialect<BotsArena> for Requests {
    type Message = HttpRequest;

    fn ask(&self, seat: Seat, view: &View) -> HttpRequest {
        let (content, body, answers) = match self.body {
            Body::Form => (ContentType::Form, form::body(self, seat, view), [INIT, FIGHT]),
            Body::Json => (ContentType::Json, json::body(self, seat, view), [INIT_JSON, PLAY_TURN]),
            Body::Multipart => (ContentType::Multipart, form::multipart(self, seat, view), [INIT, FIGHT]),
        };
        HttpRequest { path: None, content, body, answer: if view.placing { answers[0] } else { answers[1] } }
    }
}

impl Listed for BotsArena {
    const REACH: Reach = Reach::Http;
    const ANSWER_PARTS: &'static [&'static str] = &[INIT, FIGHT, INIT_JSON, PLAY_TURN];

    /// An answer without text counts as none.
    fn read(&self, parts: &[Part]) -> Answer<Order> {
        let part = match parts {
            [] => return Err(Fault::NothingWritten),
            [part] => part,
            _ => return Err(Fault::unreadable("an answer has one part")),
        };
        let read = match part.name {
            INIT => reading::ships,
            FIGHT => reading::strike,
            INIT_JSON => reading::ships_of_object,
            PLAY_TURN => reading::strike_of_object,
            other => return Err(Fault::unreadable(&format!("no answer is called {other:?}"))),
        };
        if part.bytes.trim_ascii().is_empty() {
            return Err(Fault::NothingWritten);
        }
        read(&part.bytes).map_err(|why| Fault::unreadable(&why))
    }

    /// True for an answer with blanks or a byte order mark in places where version 0.1.0 did not expect them, and for a fleet
    /// as an object.
    fn is_newly_read(parts: &[Part]) -> bool {
        parts.iter().any(|part| !reading::is_strict(part.name, &part.bytes))
    }

    /// The answer of a bot that is sent forms.
    fn write(order: &Order) -> Vec<Part> {
        let cell = |point: &Point| format!("{},{}", point.x, point.y);
        let (name, bytes) = match order {
            Order::Place(ends) => {
                let ship = |(one, other): &(Point, Point)| format!("{}-{}", cell(one), cell(other));
                let ships: Vec<String> = ends.iter().map(ship).collect();
                (INIT, serde_json::to_vec(&ships).expect("lists of texts are JSON"))
            }
            Order::Strike(target) => (FIGHT, cell(target).into_bytes()),
        };
        vec![Part { name, bytes }]
    }

    fn refused(event: &Event) -> Option<Seat> {
        match event {
            Event::Refused { seat, .. } => Some(*seat),
            _ => None,
        }
    }

    fn fired(event: &Event) -> Option<(Seat, bool)> {
        match event {
            Event::Struck { seat, .. } => Some((*seat, false)),
            _ => None,
        }
    }

    /// Ships have no kinds, only lengths.
    fn look() -> Look {
        Look { first_row: FirstRow::Bottom, ships: Vec::new() }
    }
}
