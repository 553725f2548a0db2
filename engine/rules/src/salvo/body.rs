//! The text in messages, before encryption or signing and after it was undone.
//!
//! Messages with one value are that value as plain text, those with more are JSON. Reading is lenient where the text and
//! the original's program differ: coordinates are `"x;y"` or an object, numbers may be written as texts, and neither the
//! letter case of `Orientation` nor that of its value matters. Fields that are not asked for do no harm.

use super::{Orientation, Placement, ShipKind};
use crate::{Point, input_json, printable_prefix};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::fmt;

/// A message of more bytes is not read.
pub const MOST_OF_BODY: usize = 64 * 1024;
/// The most characters of a value that are shown to people.
const MOST_SHOWN: usize = 40;

/// The state of the game, as `/game/state` has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameState {
    /// Players may join and place their ships.
    Lobby,
    /// Salvos are fired.
    Turn,
    /// The match is over, with a winner or without.
    Over,
}

impl GameState {
    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            GameState::Lobby => "lobby",
            GameState::Turn => "turn",
            GameState::Over => "over",
        }
    }
}

/// A request to play.
#[derive(Clone, PartialEq, Eq)]
pub struct Request {
    /// The name of the team.
    pub name: String,
    /// By which its messages are encrypted and signed.
    pub secret: String,
    /// The code that the organiser has given to the teams, if the server asks for one.
    pub code: Option<String>,
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Somebody cannot take part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refused {
    /// The name of the team that asked; empty if it could not be read.
    pub name: String,
    /// The reason.
    pub error: String,
}

/// The text on `/players/NAME/error`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlayerError {
    /// Shots of the player's salvo are lost: `4 shots are lost: Henkiebunch took too long`.
    ShotsLost {
        /// The number of shots, at least 1.
        shots: u32,
        /// The cause, which begins with the player's name.
        why: String,
    },
    /// A message of the player has no effect, or the player is out of the game.
    Other(String),
}

impl fmt::Display for PlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerError::ShotsLost { shots: 1, why } => write!(f, "a shot is lost: {why}"),
            PlayerError::ShotsLost { shots, why } => write!(f, "{shots} shots are lost: {why}"),
            PlayerError::Other(text) => f.write_str(text),
        }
    }
}

/// A body with its signature, which is an encrypted copy of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Signed {
    /// The signed value.
    pub body: Value,
    /// The copy, as text.
    pub signature: String,
}

impl Signed {
    /// True if the decrypted signature holds this body. White space and the order of fields do not matter: in the text's
    /// own example they are not as a program would write them.
    pub fn is_copied_in(&self, decrypted: &str) -> bool {
        input_json::<Value>(decrypted.as_bytes()).is_ok_and(|copy| copy == self.body)
    }
}

/// The reason why a message makes no sense, in words that may be shown to its sender.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

/// A request to play, as examples have it.
const REQUEST: &str = r#"{"name": "Henkiebunch", "secret": "cockadoodledoo"}"#;
/// A signed shot, as examples have it.
const SIGNED: &str = r#"{"data": {"x": 3, "y": 4}, "signature": "…"}"#;
/// The place of a ship, as examples have it.
const PLACE: &str = r#"{"coordinates": "3;4", "Orientation": "HORIZONTAL"}"#;
/// A cell, as examples have it.
const CELL: &str = r#"{"x": 3, "y": 4}"#;

/// Reads a request to play: `{"name": "Henkiebunch", "secret": "cockadoodledoo"}`, which may have a `code` as well.
///
/// # Errors
/// The field and the mistake in it.
pub fn read_request(bytes: &[u8]) -> Result<Request, Unreadable> {
    let value = parse(bytes, REQUEST)?;
    let code = member(&value, &["code"]).is_ok().then(|| text(&value, &["code"])).transpose()?;
    Ok(Request { name: text(&value, &["name"])?, secret: text(&value, &["secret"])?, code })
}

/// Reads a refusal to take part: `{"name": "Henkiebunch", "error": "a game is being played"}`.
///
/// # Errors
/// The field and the mistake in it.
pub fn read_refused(bytes: &[u8]) -> Result<Refused, Unreadable> {
    let value = parse(bytes, r#"{"name": "Henkiebunch", "error": "…"}"#)?;
    Ok(Refused { name: text(&value, &["name"])?, error: text(&value, &["error"])? })
}

/// The text on `/players/NAME/error`, in the form that [`PlayerError`] is displayed in.
pub fn read_player_error(text: &str) -> PlayerError {
    let lost = text.split_once(" lost: ").and_then(|(lost, why)| {
        let shots = if lost == "a shot is" { 1 } else { lost.strip_suffix(" shots are")?.parse().ok()? };
        Some(PlayerError::ShotsLost { shots, why: why.to_owned() })
    });
    lost.unwrap_or_else(|| PlayerError::Other(text.to_owned()))
}

/// Reads a signed message. The text calls the body `payload` in one place and `data` in another, and the original's program
/// calls the signature `sign`: all are understood.
///
/// # Errors
/// The field and the mistake in it.
pub fn read_signed(bytes: &[u8]) -> Result<Signed, Unreadable> {
    let value = parse(bytes, SIGNED)?;
    let body = member(&value, &["data", "payload"])?.clone();
    Ok(Signed { body, signature: text(&value, &["signature", "sign"])? })
}

/// Reads the place of a ship: `{"coordinates": "3;4", "Orientation": "HORIZONTAL"}`, or in the form of the original's
/// program, `{"coordinates":{"x":9,"y":5},"orientation":"Vertical"}`.
///
/// # Errors
/// The field and the mistake in it.
pub fn read_placement(ship: ShipKind, bytes: &[u8]) -> Result<Placement, Unreadable> {
    let value = parse(bytes, PLACE)?;
    let coordinates = member(&value, &["coordinates"])?;
    let at = match coordinates {
        Value::String(text) => {
            let (x, y) = text.split_once(';').ok_or_else(|| wrong("coordinates", coordinates, "not x;y"))?;
            let number = |text: &str| text.trim().parse().map_err(|_| wrong("coordinates", coordinates, "not x;y"));
            Point::new(number(x)?, number(y)?)
        }
        Value::Object(_) => point("coordinates", coordinates)?,
        other => {
            return Err(wrong(
                "coordinates",
                other,
                r#"neither x;y such as "3;4" nor an object such as {"x": 3, "y": 4}"#,
            ));
        }
    };
    let orientation = member(&value, &["orientation"])?;
    let named = orientation.as_str().and_then(Orientation::from_name);
    let orientation = named.ok_or_else(|| wrong("orientation", orientation, "neither HORIZONTAL nor VERTICAL"))?;
    Ok(Placement { ship, at, orientation })
}

/// Reads the target of a shot: `{"x": 3, "y": 4}`; the numbers may be texts.
///
/// # Errors
/// The field and the mistake in it.
pub fn read_shot(bytes: &[u8]) -> Result<Point, Unreadable> {
    point("the message", &parse(bytes, CELL)?)
}

/// Reads the target of a shot from the body of a signed message.
///
/// # Errors
/// The field and the mistake in it.
pub fn shot_in(signed: &Signed) -> Result<Point, Unreadable> {
    point("data", &signed.body)
}

/// Writes a request to play.
pub fn request(request: &Request) -> String {
    match &request.code {
        None => json(&json!({ "name": request.name, "secret": request.secret })),
        Some(code) => json(&json!({ "name": request.name, "secret": request.secret, "code": code })),
    }
}

/// Writes a refusal to take part.
pub fn refused(refused: &Refused) -> String {
    json(refused)
}

/// Writes a signed message, as the text has it for shots.
pub fn signed(signed: &Signed) -> String {
    json(&json!({ "data": signed.body, "signature": signed.signature }))
}

/// Writes the place of a ship, as the text has it.
pub fn placement(placement: Placement) -> String {
    #[derive(Serialize)]
    struct Placed {
        coordinates: String,
        #[serde(rename = "Orientation")]
        orientation: &'static str,
    }
    let Placement { at, orientation, .. } = placement;
    json(&Placed { coordinates: format!("{};{}", at.x, at.y), orientation: orientation.name() })
}

/// Writes a cell: the target of a shot, and what `/players/TARGET/hit` tells. `{"x":3,"y":4}`.
pub fn cell(at: Point) -> String {
    json(&json!({ "x": at.x, "y": at.y }))
}

/// Writes the names of all players, in the order in which they joined: a JSON array.
pub fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    json(&names.into_iter().collect::<Vec<_>>())
}

/// Writes a value for every player, by their names: a JSON object. Numbers that are whole are written so.
pub fn by_player<'a>(values: impl IntoIterator<Item = (&'a str, f64)>) -> String {
    let number =
        |value: f64| if value.fract() == 0.0 && value.abs() < 1e15 { json!(value as i64) } else { json!(value) };
    json(&values.into_iter().map(|(name, value)| (name.to_owned(), number(value))).collect::<Map<String, Value>>())
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("keys are strings and numbers finite")
}

/// The JSON object in a message that should look like `example`.
fn parse(bytes: &[u8], example: &str) -> Result<Value, Unreadable> {
    if bytes.len() > MOST_OF_BODY {
        return Err(Unreadable(format!("{} bytes are more than {MOST_OF_BODY}", bytes.len())));
    }
    let value = input_json(bytes).map_err(|error| Unreadable(format!("not JSON: {error}")))?;
    object("the message", &value, example).map(|()| value)
}

/// Checks that a value is an object; the error says what is expected instead.
fn object(name: &str, value: &Value, example: &str) -> Result<(), Unreadable> {
    if value.is_object() { Ok(()) } else { Err(wrong(name, value, &format!("not an object such as {example}"))) }
}

/// The first field that has one of these names, in any letter case.
fn member<'a>(value: &'a Value, names: &[&str]) -> Result<&'a Value, Unreadable> {
    let fields = value.as_object().ok_or_else(|| wrong("the message", value, "not an object"))?;
    let named = |name: &&str| fields.iter().find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value);
    names.iter().find_map(named).ok_or_else(|| Unreadable(format!("{} is missing", names[0])))
}

/// The text in a field that has one of these names.
fn text(value: &Value, names: &[&str]) -> Result<String, Unreadable> {
    let value = member(value, names)?;
    Ok(value.as_str().ok_or_else(|| wrong(names[0], value, "not a string"))?.to_owned())
}

fn point(name: &str, value: &Value) -> Result<Point, Unreadable> {
    object(name, value, CELL)?;
    Ok(Point { x: coordinate("x", member(value, &["x"])?)?, y: coordinate("y", member(value, &["y"])?)? })
}

/// A whole number, as a number or as text.
fn coordinate(name: &str, value: &Value) -> Result<i32, Unreadable> {
    let number = match value {
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_f64().filter(|number| number.fract() == 0.0),
    };
    let number = number.filter(|number: &f64| number.fract() == 0.0 && number.abs() <= f64::from(i32::MAX));
    number.map(|number| number as i32).ok_or_else(|| wrong(name, value, "not a whole number"))
}

fn wrong(name: &str, value: &Value, what: &str) -> Unreadable {
    Unreadable(format!("{name} is {}, {what}", printable_prefix(&value.to_string(), MOST_SHOWN)))
}
