//! Reads the bodies of answers. Fields that are not asked for do no harm; all else is taken strictly.

use super::super::{Order, Ship, ShipKind};
use crate::{Point, printable_prefix};
use serde_json::Value;

/// An answer of more bytes is not read.
pub const MOST_OF_BODY: usize = 64 * 1024;
/// The most characters of a value that are shown to people.
const MOST_SHOWN: usize = 40;

pub(super) fn placement(bytes: &[u8]) -> Result<Order, String> {
    let value = parse(bytes)?;
    let ships = Field::top(&value).member("ships")?;
    let ship = |field: Field<'_>| {
        let kind = field.member("type")?;
        let kind = ShipKind::from_name(kind.text()?).ok_or_else(|| kind.wrong("not a type of ship"))?;
        let cells = field.member("cells")?.items()?.map(|cell| cell.point()).collect::<Result<_, String>>()?;
        Ok(Ship { kind, cells })
    };
    Ok(Order::Place(ships.items()?.map(ship).collect::<Result<_, String>>()?))
}

pub(super) fn a_move(bytes: &[u8]) -> Result<Order, String> {
    let value = parse(bytes)?;
    let top = Field::top(&value);
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
    serde_json::from_slice(bytes).map_err(|error| format!("not JSON: {error}"))
}

/// A value in an answer, and where in it.
struct Field<'a> {
    path: String,
    value: &'a Value,
}

impl<'a> Field<'a> {
    fn top(value: &'a Value) -> Field<'a> {
        Field { path: String::new(), value }
    }

    /// The message about a wrong value.
    fn wrong(&self, what: &str) -> String {
        let shown = printable_prefix(&self.value.to_string(), MOST_SHOWN);
        let path = if self.path.is_empty() { "the answer" } else { &self.path };
        format!("{path} is {shown}, {what}")
    }

    fn member(&self, name: &str) -> Result<Field<'a>, String> {
        let members = self.value.as_object().ok_or_else(|| self.wrong("not an object"))?;
        let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        match members.get(name) {
            Some(value) => Ok(Field { path, value }),
            None => Err(format!("{path} is missing")),
        }
    }

    fn items(&self) -> Result<impl Iterator<Item = Field<'a>> + use<'a>, String> {
        let items = self.value.as_array().ok_or_else(|| self.wrong("not an array"))?;
        let path = self.path.clone();
        Ok(items.iter().enumerate().map(move |(nth, value)| Field { path: format!("{path}[{nth}]"), value }))
    }

    fn text(&self) -> Result<&'a str, String> {
        self.value.as_str().ok_or_else(|| self.wrong("not a string"))
    }

    fn point(&self) -> Result<Point, String> {
        Ok(Point { x: self.member("x")?.coordinate()?, y: self.member("y")?.coordinate()? })
    }

    /// A whole number, written as JSON may write it: 4, 4.0 and 4e0 are the same.
    fn coordinate(&self) -> Result<i32, String> {
        let number = self.value.as_f64().filter(|number| number.fract() == 0.0);
        let number = number.ok_or_else(|| self.wrong("not a whole number"))?;
        if number.abs() <= f64::from(i32::MAX) { Ok(number as i32) } else { Err(self.wrong("far off the board")) }
    }
}
