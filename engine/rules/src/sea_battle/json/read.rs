//! Reads the bodies of answers. Fields that are not asked for do no harm. By the text all else is taken strictly; the public
//! server takes what JavaScript makes of it.

use super::super::{Order, Profile, Ship, ShipKind};
use crate::{Point, input_json, printable_prefix};
use serde_json::Value;

/// An answer of more bytes is not read by the text. The public server has no limit of its own.
pub const MOST_OF_BODY: usize = 64 * 1024;
/// The most characters of a value that are shown to people.
const MOST_SHOWN: usize = 40;
/// The public server does not ask whether a coordinate is a number: no cell has one that is none.
const NOWHERE: i32 = -1;

/// A mistake in an answer.
pub(super) struct Mistake {
    /// The field and the mistake, without any text of the answer.
    pub(super) why: String,
    /// The beginning of the wrong value.
    pub(super) shown: Option<String>,
}

impl Mistake {
    fn new(why: String) -> Mistake {
        Mistake { why, shown: None }
    }
}

pub(super) fn placement(bytes: &[u8], profile: Profile) -> Result<Order, Mistake> {
    let value = parse(bytes, profile)?;
    let ships = Field::top(&value, profile).member("ships")?;
    let ship = |field: Field<'_>| {
        let kind = field.member("type")?;
        let kind = ShipKind::from_name(kind.text()?).ok_or_else(|| kind.wrong("not a type of ship"))?;
        let cells = field.member("cells")?.items()?.map(|cell| cell.point()).collect::<Result<_, Mistake>>()?;
        Ok(Ship { kind, cells })
    };
    Ok(Order::Place(ships.items()?.map(ship).collect::<Result<_, Mistake>>()?))
}

pub(super) fn a_move(bytes: &[u8], profile: Profile) -> Result<Order, Mistake> {
    let value = parse(bytes, profile)?;
    let top = Field::top(&value, profile);
    let kind = top.member("type")?;
    match kind.text()? {
        "shot" => Ok(Order::Shoot(top.point()?)),
        "radar" => match top.member("center") {
            Err(_) if profile == Profile::PublicServer => Ok(Order::Radar(Point::new(0, 0))),
            center => Ok(Order::Radar(center?.point()?)),
        },
        _ => Err(kind.wrong("neither \"shot\" nor \"radar\"")),
    }
}

fn parse(bytes: &[u8], profile: Profile) -> Result<Value, Mistake> {
    if bytes.len() > MOST_OF_BODY && profile == Profile::Text {
        return Err(Mistake::new(format!("{} bytes are more than {MOST_OF_BODY}", bytes.len())));
    }
    input_json(bytes).map_err(|error| Mistake::new(format!("not JSON: {error}")))
}

/// A value in an answer, and where in it.
struct Field<'a> {
    path: String,
    value: &'a Value,
    profile: Profile,
}

impl<'a> Field<'a> {
    fn top(value: &'a Value, profile: Profile) -> Field<'a> {
        Field { path: String::new(), value, profile }
    }

    /// The mistake of a wrong value.
    fn wrong(&self, what: &str) -> Mistake {
        let path = if self.path.is_empty() { "the answer" } else { &self.path };
        let shown = printable_prefix(&self.value.to_string(), MOST_SHOWN);
        Mistake { why: format!("{path} is {what}"), shown: Some(shown) }
    }

    fn member(&self, name: &str) -> Result<Field<'a>, Mistake> {
        let members = self.value.as_object().ok_or_else(|| self.wrong("not an object"))?;
        let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        match members.get(name) {
            Some(value) => Ok(Field { path, value, profile: self.profile }),
            None => Err(Mistake::new(format!("{path} is missing"))),
        }
    }

    fn items(&self) -> Result<impl Iterator<Item = Field<'a>> + use<'a>, Mistake> {
        let items = self.value.as_array().ok_or_else(|| self.wrong("not an array"))?;
        let (path, profile) = (self.path.clone(), self.profile);
        Ok(items.iter().enumerate().map(move |(nth, value)| Field { path: format!("{path}[{nth}]"), value, profile }))
    }

    fn text(&self) -> Result<&'a str, Mistake> {
        self.value.as_str().ok_or_else(|| self.wrong("not a string"))
    }

    fn point(&self) -> Result<Point, Mistake> {
        let coordinate = |name| match self.member(name).and_then(|field| field.coordinate()) {
            Err(_) if self.profile == Profile::PublicServer => Ok(NOWHERE),
            coordinate => coordinate,
        };
        Ok(Point { x: coordinate("x")?, y: coordinate("y")? })
    }

    /// A whole number, written as JSON may write it: 4, 4.0 and 4e0 are the same. For the public server also "4".
    fn coordinate(&self) -> Result<i32, Mistake> {
        let number = match self.value {
            Value::String(text) if self.profile == Profile::PublicServer => text.trim().parse().ok(),
            value => value.as_f64(),
        };
        let number = number.filter(|number: &f64| number.fract() == 0.0);
        let number = number.ok_or_else(|| self.wrong("not a whole number"))?;
        if number.abs() <= f64::from(i32::MAX) || self.profile == Profile::PublicServer {
            Ok(number as i32)
        } else {
            Err(self.wrong("far off the board"))
        }
    }
}
