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
    let parameters = parameters(requests, seat, view);
    serde_urlencoded::to_string(parameters).expect("texts can be encoded").into_bytes()
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
