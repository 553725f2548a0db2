//! Requests as forms: the parameters of the text, in either of the two encodings of forms.

use super::json::strikes;
use super::{Requests, View};
use crate::{BOUNDARY, Seat};

/// The parameters of a request, in the order of the text.
fn parameters(requests: &Requests, seat: Seat, view: &View) -> Vec<(String, String)> {
    let settings = &view.settings;
    let mut parameters = Vec::new();
    let mut add = |key: &str, value: String| parameters.push((key.to_owned(), value));
    add("game", "Battleship".to_owned());
    add("match_id", requests.match_id(seat));
    add("act", if view.placing { "init" } else { "fight" }.to_owned());
    add("opponent", requests.names[seat.opponent()].clone());
    add("width", settings.width().to_string());
    add("height", settings.height().to_string());
    for (length, count) in (1..).zip(settings.ships()) {
        add(&format!("ship{length}"), count.to_string());
    }
    if !view.placing {
        for (key, list) in [("your_strikes", &view.own_strikes), ("his_strikes", &view.opponent_strikes)] {
            add(key, serde_json::to_string(&strikes(list)).expect("lists of texts are JSON"));
        }
    }
    parameters
}

/// The body of a request, `application/x-www-form-urlencoded`.
pub(super) fn body(requests: &Requests, seat: Seat, view: &View) -> Vec<u8> {
    let mut body = Vec::new();
    for (key, value) in parameters(requests, seat, view) {
        if !body.is_empty() {
            body.push(b'&');
        }
        body.extend(key.as_bytes());
        body.push(b'=');
        encode(&value, &mut body);
    }
    body
}

/// The body of a request, `multipart/form-data` with [`BOUNDARY`].
pub(super) fn multipart(requests: &Requests, seat: Seat, view: &View) -> Vec<u8> {
    let mut body = String::new();
    for (key, value) in parameters(requests, seat, view) {
        // A name with the boundary in it would end the part.
        let value = value.replace(BOUNDARY, " ");
        body += &format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{key}\"\r\n\r\n{value}\r\n");
    }
    body += &format!("--{BOUNDARY}--\r\n");
    body.into_bytes()
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
