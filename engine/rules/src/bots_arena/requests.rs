//! The dialect: what is in the bodies of the requests and of the answers.
//!
//! All requests to a bot go to its one URL. [`Message::address`] only tells their kinds apart, and the one part of an answer
//! has the name of the address to which it is the answer: so a record tells how it is to be read, whichever body was sent.

use super::{BotsArena, Event, Order, View, form, json, reading};
use crate::{Answer, BySeat, Dialect, Fault, FirstRow, Listed, Look, Message, Part, Point, Seat};

/// A form that asks for the ships, and the answer to it: a JSON array of ships.
pub const INIT: &str = "init";
/// A form that asks for a strike, and the answer to it: `x,y`.
pub const FIGHT: &str = "fight";
/// JSON that asks for the ships, and the answer to it: an object with `boats`.
pub const INIT_JSON: &str = "init.json";
/// JSON that asks for a strike, and the answer to it: an object with `play`.
pub const PLAY_TURN: &str = "play-turn";

/// The body of a request of the type `application/x-www-form-urlencoded`.
pub const BODY_FORM: &str = "body.form";
/// The body of a request of the type `application/json`.
pub const BODY_JSON: &str = "body.json";

/// How bodies are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Body {
    /// As a form, which is what the text says.
    #[default]
    Form,
    /// As JSON, which is what the public arena came to later.
    Json,
}

impl Body {
    /// Both.
    pub const ALL: [Body; 2] = [Body::Form, Body::Json];

    /// The name in commands.
    pub fn name(self) -> &'static str {
        match self {
            Body::Form => "form",
            Body::Json => "json",
        }
    }
}

/// The requests of a match between these players. The player in seat A is bot 1.
#[derive(Debug, Clone)]
pub struct Requests {
    body: Body,
    number: u32,
    names: BySeat<String>,
}

impl Requests {
    /// With bodies so written, for the match of this number between players of these names.
    pub fn new(body: Body, number: u32, names: BySeat<String>) -> Requests {
        Requests { body, number, names }
    }

    /// What identifies the match for the player in `seat`, e.g. `828-1`.
    pub fn match_id(&self, seat: Seat) -> String {
        format!("{}-{}", self.number, seat.index() + 1)
    }

    /// What a bot that is sent forms would answer to give this order.
    pub fn answer(order: &Order) -> Part {
        let cell = |point: &Point| format!("{},{}", point.x, point.y);
        match order {
            Order::Place(ends) => {
                let ships: Vec<String> =
                    ends.iter().map(|(one, other)| format!("{}-{}", cell(one), cell(other))).collect();
                Part { name: INIT, bytes: serde_json::to_vec(&ships).expect("lists of texts are JSON") }
            }
            Order::Strike(target) => Part { name: FIGHT, bytes: cell(target).into_bytes() },
        }
    }

    pub(super) fn number(&self) -> u32 {
        self.number
    }

    pub(super) fn opponent(&self, seat: Seat) -> &str {
        &self.names[seat.opponent()]
    }

    /// The order in the text of one answer, or what is wrong with it.
    fn read_part(part: &Part) -> Answer<Order> {
        let read = match part.name {
            INIT => reading::ships,
            FIGHT => reading::strike,
            INIT_JSON => reading::ships_of_object,
            PLAY_TURN => reading::strike_of_object,
            other => return Err(Fault::Unreadable { why: format!("no answer is called {other:?}") }),
        };
        if part.bytes.trim_ascii().is_empty() {
            return Err(Fault::NothingWritten);
        }
        read(&part.bytes).map_err(|why| Fault::Unreadable { why })
    }
}

impl Dialect<BotsArena> for Requests {
    fn ask(&self, seat: Seat, view: &View) -> Message {
        let (address, part) = match (self.body, view.placing) {
            (Body::Form, true) => (INIT, Part { name: BODY_FORM, bytes: form::body(self, seat, view) }),
            (Body::Form, false) => (FIGHT, Part { name: BODY_FORM, bytes: form::body(self, seat, view) }),
            (Body::Json, true) => (INIT_JSON, Part { name: BODY_JSON, bytes: json::body(self, seat, view) }),
            (Body::Json, false) => (PLAY_TURN, Part { name: BODY_JSON, bytes: json::body(self, seat, view) }),
        };
        Message { address: address.to_owned(), parts: vec![part] }
    }

    /// An answer without text is none.
    fn read(&self, parts: &[Part]) -> Answer<Order> {
        match parts {
            [] => Err(Fault::NothingWritten),
            [part] => Requests::read_part(part),
            _ => Err(Fault::Unreadable { why: "an answer has one part".to_owned() }),
        }
    }

    fn answer_parts(&self) -> &'static [&'static str] {
        &[INIT, FIGHT, INIT_JSON, PLAY_TURN]
    }
}

impl Listed for BotsArena {
    type Reader = Requests;

    /// How answers are read depends neither on the players nor on the bodies that were sent.
    fn reader(seats: u8) -> Requests {
        Requests::new(Body::Form, 0, (0..seats).map(|_| String::new()).collect())
    }

    fn refused(event: &Event) -> Option<Seat> {
        match event {
            Event::Refused { seat, .. } => Some(*seat),
            _ => None,
        }
    }

    /// Ships have no kinds, only lengths.
    fn look() -> Look {
        Look { first_row: FirstRow::Bottom, ships: Vec::new() }
    }
}
