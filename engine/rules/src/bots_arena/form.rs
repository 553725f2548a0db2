//! Requests as forms: the text's own.

use super::json::strikes;
use super::{Requests, View};
use crate::Seat;

/// The body of a request, `application/x-www-form-urlencoded`.
pub(super) fn body(requests: &Requests, seat: Seat, view: &View) -> Vec<u8> {
    let settings = &view.settings;
    let mut body = Vec::new();
    let mut add = |key: &str, value: &str| {
        if !body.is_empty() {
            body.push(b'&');
        }
        body.extend(key.as_bytes());
        body.push(b'=');
        encode(value, &mut body);
    };
    add("game", "Battleship");
    add("match_id", &requests.match_id(seat));
    add("act", if view.placing { "init" } else { "fight" });
    add("opponent", &requests.names[seat.opponent()]);
    add("width", &settings.width().to_string());
    add("height", &settings.height().to_string());
    for (length, count) in (1..).zip(settings.ships()) {
        add(&format!("ship{length}"), &count.to_string());
    }
    if !view.placing {
        for (key, list) in [("your_strikes", &view.own_strikes), ("his_strikes", &view.opponent_strikes)] {
            let text = serde_json::to_string(&strikes(list)).expect("lists of texts are JSON");
            add(key, &text);
        }
    }
    body
}

/// Adds a value, percent-encoded as browsers do it: a space is `+`.
fn encode(value: &str, body: &mut Vec<u8>) {
    for byte in value.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'*' | b'-' | b'.' | b'_' => body.push(byte),
            b' ' => body.push(b'+'),
            other => {
                let digit = |half: u8| b"0123456789ABCDEF"[usize::from(half)];
                body.extend([b'%', digit(other >> 4), digit(other & 0xF)]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn values_are_encoded_as_browsers_do() {
        let mut body = Vec::new();
        super::encode("a *-._~\"é&=+%[]", &mut body);
        assert_eq!(String::from_utf8(body).unwrap(), "a+*-._%7E%22%C3%A9%26%3D%2B%25%5B%5D");
    }
}
