//! Reads the bodies of answers: strictly, but for white space around them. Tells what is wrong.

use super::Order;
use crate::Point;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The longest answer that is read, in bytes.
pub const MOST_OF_BODY: usize = 64 << 10;
/// The most characters of an answer that are quoted.
const MOST_QUOTED: usize = 200;

/// The answer to `init` in JSON; other fields, such as the bot's name, do not matter.
#[derive(Deserialize)]
struct Boats {
    boats: Vec<String>,
}

/// The answer to `play-turn` in JSON.
#[derive(Deserialize)]
struct Play {
    play: String,
}

/// `["3,3-3,7","2,1-2,4"]`
pub(super) fn ships(body: &[u8]) -> Result<Order, String> {
    place(&json::<Vec<String>>(body, "a JSON array of ships")?, body)
}

/// `{"boats":["3,3-3,7","2,1-2,4"]}`
pub(super) fn ships_of_object(body: &[u8]) -> Result<Order, String> {
    let Boats { boats } = json(body, r#"an object with "boats", an array of ships"#)?;
    place(&boats, body)
}

/// `6,9`
pub(super) fn strike(body: &[u8]) -> Result<Order, String> {
    strike_at(text(body)?.trim_ascii(), body)
}

/// `{"play":"6,9"}`
pub(super) fn strike_of_object(body: &[u8]) -> Result<Order, String> {
    let Play { play } = json(body, r#"an object with "play", a target"#)?;
    strike_at(&play, body)
}

fn place(ships: &[String], body: &[u8]) -> Result<Order, String> {
    let wrong = |ship: &String| format!("{} is not a ship like \"3,3-3,7\": {}", quoted(ship.as_bytes()), quoted(body));
    let ends = ships.iter().map(|ship| {
        let ends = ship.split_once('-').and_then(|(one, other)| Some((point(one)?, point(other)?)));
        ends.ok_or_else(|| wrong(ship))
    });
    Ok(Order::Place(ends.collect::<Result<_, _>>()?))
}

fn strike_at(target: &str, body: &[u8]) -> Result<Order, String> {
    let target = point(target).ok_or_else(|| format!("not a target like \"6,9\": {}", quoted(body)))?;
    Ok(Order::Strike(target))
}

fn json<T: DeserializeOwned>(body: &[u8], wanted: &str) -> Result<T, String> {
    serde_json::from_str(text(body)?).map_err(|error| format!("not {wanted}: {error}: {}", quoted(body)))
}

fn text(body: &[u8]) -> Result<&str, String> {
    if body.len() > MOST_OF_BODY {
        return Err(format!("longer than {} KiB: {}", MOST_OF_BODY >> 10, quoted(body)));
    }
    std::str::from_utf8(body).map_err(|_| format!("not UTF-8: {}", quoted(body)))
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
