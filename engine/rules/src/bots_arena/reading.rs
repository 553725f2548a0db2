//! Reads the bodies of answers: strictly, but for blanks, line ends and byte order marks around texts. Tells what is wrong.

use super::{FIGHT, INIT, INIT_JSON, Order};
use crate::Point;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The longest answer that is read, in bytes.
pub const MOST_OF_BODY: usize = 64 << 10;
/// The most characters of an answer that are quoted.
const MOST_QUOTED: usize = 200;

/// The name of the field with the ships.
const BOATS: &str = "boats";
const ARRAY: &str = "a JSON array of ships";
const OBJECT: &str = r#"an object with "boats", an array of ships"#;

/// The answer to `play-turn` in JSON.
#[derive(Deserialize)]
struct Play {
    play: String,
}

/// `["3,3-3,7","2,1-2,4"]`, or an object whose values are the ships, or as [`ships_of_object`].
pub(super) fn ships(body: &[u8]) -> Result<Order, String> {
    let value = json::<Value>(body, ARRAY)?;
    place(value.get(BOATS).unwrap_or(&value), ARRAY, body)
}

/// `{"boats":["3,3-3,7","2,1-2,4"]}`, or `boats` is an object whose values are the ships. Other fields, such as the bot's
/// name, do not matter.
pub(super) fn ships_of_object(body: &[u8]) -> Result<Order, String> {
    let value = json::<Value>(body, OBJECT)?;
    let boats = value.get(BOATS).ok_or_else(|| format!("not {OBJECT}: {}", quoted(body)))?;
    place(boats, OBJECT, body)
}

/// `Some(true)` for an object with `boats`, `Some(false)` for ships in another form, `None` if there are no ships.
pub(super) fn fleet_format(body: &[u8]) -> Option<bool> {
    let value = json::<Value>(body, ARRAY).ok()?;
    match place(value.get(BOATS).unwrap_or(&value), ARRAY, body) {
        Ok(Order::Place(ships)) if !ships.is_empty() => Some(value.get(BOATS).is_some()),
        _ => None,
    }
}

/// True if version 0.1.0 could read the answer of this name: without byte order marks, with ships in arrays, and with
/// blanks only around the whole.
pub(super) fn is_strict(name: &str, body: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(body) else { return false };
    let value = || serde_json::from_str::<Value>(text).unwrap_or_default();
    let are_ships = |value: Option<&Value>| {
        let is_ship = |ship: &Value| ship.as_str().and_then(ship_ends).is_some();
        value.and_then(Value::as_array).is_some_and(|ships| ships.iter().all(is_ship))
    };
    match name {
        INIT => are_ships(Some(&value())),
        INIT_JSON => are_ships(value().get(BOATS)),
        FIGHT => point(text.trim_ascii()).is_some(),
        _ => serde_json::from_str::<Play>(text).is_ok_and(|Play { play }| point(&play).is_some()),
    }
}

/// `6,9`
pub(super) fn strike(body: &[u8]) -> Result<Order, String> {
    strike_at(text(body)?, body)
}

/// `{"play":"6,9"}`
pub(super) fn strike_of_object(body: &[u8]) -> Result<Order, String> {
    let Play { play } = json(body, r#"an object with "play", a target"#)?;
    strike_at(&play, body)
}

fn place(ships: &Value, wanted: &str, body: &[u8]) -> Result<Order, String> {
    let ships: Vec<&Value> = match ships {
        Value::Array(ships) => ships.iter().collect(),
        Value::Object(fields) => fields.values().collect(),
        _ => return Err(format!("not {wanted}: {}", quoted(body))),
    };
    let ends = ships.into_iter().map(|ship| {
        let ship = ship.as_str().ok_or_else(|| format!("not {wanted}: a ship is not a text: {}", quoted(body)))?;
        let wrong = || format!("{} is not a ship like \"3,3-3,7\": {}", quoted(ship.as_bytes()), quoted(body));
        ship_ends(trimmed(ship)).ok_or_else(wrong)
    });
    Ok(Order::Place(ends.collect::<Result<_, _>>()?))
}

fn strike_at(target: &str, body: &[u8]) -> Result<Order, String> {
    let target = point(trimmed(target)).ok_or_else(|| format!("not a target like \"6,9\": {}", quoted(body)))?;
    Ok(Order::Strike(target))
}

/// `text` without the blanks, line ends and byte order marks around it. An editor or a web server may have added them.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\u{feff}')
}

fn json<T: DeserializeOwned>(body: &[u8], wanted: &str) -> Result<T, String> {
    serde_json::from_str(text(body)?).map_err(|error| format!("not {wanted}: {error}: {}", quoted(body)))
}

fn text(body: &[u8]) -> Result<&str, String> {
    if body.len() > MOST_OF_BODY {
        return Err(format!("longer than {} KiB: {}", MOST_OF_BODY >> 10, quoted(body)));
    }
    std::str::from_utf8(body).map(trimmed).map_err(|_| format!("not UTF-8: {}", quoted(body)))
}

/// `x,y-x,y`
fn ship_ends(text: &str) -> Option<(Point, Point)> {
    let (one, other) = text.split_once('-')?;
    Some((point(one)?, point(other)?))
}

/// `x,y`, two decimal numbers without sign or white space.
fn point(text: &str) -> Option<Point> {
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
    let (x, y) = text.split_once(',')?;
    Some(Point { x: number(x)?, y: number(y)? })
}

/// The beginning of an answer, in quotes.
fn quoted(bytes: &[u8]) -> String {
    crate::printable::quoted(&String::from_utf8_lossy(bytes), MOST_QUOTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_quote_only_the_beginning_and_nothing_that_cannot_be_printed() {
        assert_eq!(quoted(b"6;9"), r#""6;9""#);
        assert_eq!(quoted(&[b'x'; 200]), format!("\"{}\"", "x".repeat(200)));
        assert_eq!(quoted(&[b'x'; 201]), format!("\"{}\"…", "x".repeat(200)));
        for character in ["\n", "\u{1b}", "\u{feff}", "é", "🚢", "\u{202e}"] {
            let body = character.repeat(1000);
            let quote = quoted(body.as_bytes());
            assert!(quote.chars().count() < 210 && !quote.contains(['\n', '\u{1b}', '\u{202e}']), "{quote}");
        }
        assert_eq!(quoted(b"\xFF"), "\"\u{FFFD}\"");
    }
}
