//! Reads answers. Fields that are not asked for do no harm, so that a bot may add notes of its own.

use super::order::{Order, Placed, Target};
use crate::{Answer, Fault, Point, Seat, input_json, printable_line, printable_prefix};
use serde_json::{Map, Value};

/// The longest answer that is read, in bytes: enough for ships in all cells of the largest board.
pub const MOST_OF_BODY: usize = 128 << 10;
/// The most characters of an answer that are shown to people.
const MOST_SHOWN: usize = 200;

/// The order in an answer: `{"ships":[{"name":"carrier","cells":[[0,0],[1,0]]}]}`, `{"shots":[[3,4]]}` or
/// `{"special":"radar","aim":[3,4]}`. Behind the two numbers of a cell may stand the seat of the board. A ship may be a list of cells
/// alone.
pub(super) fn order(body: &[u8]) -> Answer<Order> {
    read(body).map_err(|why| Fault::unreadable_text(&why, &printable_line(body, MOST_SHOWN)))
}

fn read(body: &[u8]) -> Result<Order, String> {
    if body.len() > MOST_OF_BODY {
        return Err(format!("{} bytes are more than {MOST_OF_BODY}", body.len()));
    }
    let value: Value = input_json(body).map_err(|error| format!("not JSON: {error}"))?;
    let fields = value.as_object().ok_or("the answer is not an object")?;
    let items = |name: &str, value: &Value| value.as_array().cloned().ok_or_else(|| wrong(name, value, "not a list"));
    match (fields.get("ships"), fields.get("shots"), fields.get("special")) {
        (Some(ships), None, None) => {
            let ships = items("ships", ships)?;
            let ships = ships.iter().enumerate().map(|(nth, placed)| ship(&format!("ships[{nth}]"), placed));
            Ok(Order::Place(ships.collect::<Result<_, String>>()?))
        }
        (None, Some(shots), None) => {
            let shots = items("shots", shots)?;
            let shots = shots.iter().enumerate().map(|(nth, shot)| target(&format!("shots[{nth}]"), shot));
            Ok(Order::Fire(shots.collect::<Result<_, String>>()?))
        }
        (None, None, Some(special)) => {
            let special = special.as_str().ok_or_else(|| wrong("special", special, "not a name"))?.to_owned();
            Ok(Order::Use { special, aim: target("aim", fields.get("aim").unwrap_or(&Value::Null))? })
        }
        _ => Err("the answer has one of \"ships\", \"shots\" and \"special\"".to_owned()),
    }
}

fn wrong(path: &str, value: &Value, what: &str) -> String {
    format!("{path} is {what}: {}", printable_prefix(&value.to_string(), 40))
}

fn ship(path: &str, value: &Value) -> Result<Placed, String> {
    let fields = value.as_object();
    let field = |fields: &Map<String, Value>, name: &str| fields.get(name).cloned();
    let name = match fields.and_then(|fields| field(fields, "name")) {
        None | Some(Value::Null) => None,
        Some(Value::String(name)) => Some(name),
        Some(other) => return Err(wrong(&format!("{path}.name"), &other, "not a text")),
    };
    let (path, cells) = match fields {
        Some(fields) => match field(fields, "cells") {
            Some(cells) => (format!("{path}.cells"), cells),
            None => return Err(format!("{path}.cells is missing")),
        },
        None => (path.to_owned(), value.clone()),
    };
    let what = if fields.is_some() { "not a list" } else { "neither an object nor a list of cells" };
    let cells = cells.as_array().ok_or_else(|| wrong(&path, &cells, what))?;
    let cells = cells.iter().enumerate().map(|(nth, cell)| {
        let path = format!("{path}[{nth}]");
        match target(&path, cell)? {
            Target { at: None, cell } => Ok(cell),
            Target { at: Some(_), .. } => Err(wrong(&path, cell, "not a cell without a seat")),
        }
    });
    Ok(Placed { name, cells: cells.collect::<Result<_, String>>()? })
}

/// `[x,y]` or `[x,y,"B"]`
fn target(path: &str, value: &Value) -> Result<Target, String> {
    let wrong = || wrong(path, value, "not a cell like [3,4]");
    let (x, y, at) = match value.as_array().map(Vec::as_slice) {
        Some([x, y]) => (x, y, None),
        Some([x, y, at]) => (x, y, Some(at)),
        _ => return Err(wrong()),
    };
    // JSON may write 4 as 4.0.
    let number = |value: &Value| value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 1e6);
    let number = |value: &Value| number(value).map(|number| number as i32).ok_or_else(wrong);
    let seat = |value: &Value| {
        let mut letters = value.as_str().unwrap_or_default().chars();
        let seat = letters.next().and_then(|letter| Seat::try_from(letter).ok());
        seat.filter(|_| letters.next().is_none()).ok_or_else(wrong)
    };
    Ok(Target { at: at.map(seat).transpose()?, cell: Point { x: number(x)?, y: number(y)? } })
}
