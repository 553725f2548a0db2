//! What bots answer. Fields that are not asked for do no harm; all else is taken strictly.

use super::super::{Order, Ship, ShipKind};
use super::MOST_OF_BODY;
use crate::{Point, printable_prefix};
use serde_json::Value;

/// The most characters of a value that are shown to people.
const MOST_SHOWN: usize = 40;

pub(super) fn placement(bytes: &[u8]) -> Result<Order, String> {
    let value = parse(bytes)?;
    let ships = Place::top(&value).member("ships")?;
    let ship = |place: Place<'_>| {
        let kind = place.member("type")?;
        let kind = ShipKind::from_name(kind.text()?).ok_or_else(|| kind.wrong("no type of ship"))?;
        let cells = place.member("cells")?.items()?.map(|cell| cell.point()).collect::<Result<_, String>>()?;
        Ok(Ship { kind, cells })
    };
    Ok(Order::Place(ships.items()?.map(ship).collect::<Result<_, String>>()?))
}

pub(super) fn a_move(bytes: &[u8]) -> Result<Order, String> {
    let value = parse(bytes)?;
    let top = Place::top(&value);
    let kind = top.member("type")?;
    match kind.text()? {
        "shot" => Ok(Order::Shoot(top.point()?)),
        "radar" => Ok(Order::Radar(top.member("center")?.point()?)),
        _ => Err(kind.wrong("neither \"shot\" nor \"radar\"")),
    }
}

fn parse(bytes: &[u8]) -> Result<Value, String> {
    if bytes.len() > MOST_OF_BODY {
        return Err(format!("{} bytes are more than {MOST_OF_BODY}", bytes.len()));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    serde_json::from_slice(bytes).map_err(|error| format!("no JSON: {error}"))
}

/// A value in an answer, and where in it.
struct Place<'a> {
    path: String,
    value: &'a Value,
}

impl<'a> Place<'a> {
    fn top(value: &'a Value) -> Place<'a> {
        Place { path: String::new(), value }
    }

    /// What is wrong here.
    fn wrong(&self, what: &str) -> String {
        let shown = printable_prefix(&self.value.to_string(), MOST_SHOWN);
        let path = if self.path.is_empty() { "the answer" } else { &self.path };
        format!("{path} is {shown}, {what}")
    }

    fn member(&self, name: &str) -> Result<Place<'a>, String> {
        let members = self.value.as_object().ok_or_else(|| self.wrong("no object"))?;
        let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        match members.get(name) {
            Some(value) => Ok(Place { path, value }),
            None => Err(format!("{path} is missing")),
        }
    }

    fn items(&self) -> Result<impl Iterator<Item = Place<'a>> + use<'a>, String> {
        let items = self.value.as_array().ok_or_else(|| self.wrong("no array"))?;
        let path = self.path.clone();
        Ok(items.iter().enumerate().map(move |(nth, value)| Place { path: format!("{path}[{nth}]"), value }))
    }

    fn text(&self) -> Result<&'a str, String> {
        self.value.as_str().ok_or_else(|| self.wrong("no string"))
    }

    fn point(&self) -> Result<Point, String> {
        Ok(Point { x: self.member("x")?.coordinate()?, y: self.member("y")?.coordinate()? })
    }

    /// A whole number, written as JSON may write it: 4, 4.0 and 4e0 are the same.
    fn coordinate(&self) -> Result<i32, String> {
        let number = self.value.as_f64().filter(|number| number.fract() == 0.0);
        let number = number.ok_or_else(|| self.wrong("no whole number"))?;
        if number.abs() <= f64::from(i32::MAX) { Ok(number as i32) } else { Err(self.wrong("far off the board")) }
    }
}
