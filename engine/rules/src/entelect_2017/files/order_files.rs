//! Reads place.txt and command.txt with the tolerances of the original.

use super::super::{Order, Placement, Ship, ShipPlacement, Weapon};
use super::{COMMAND_TXT, PLACE_TXT};
use crate::{Direction, Point};
use std::sync::Arc;

/// place.txt: five lines `Ship X Y Direction`, separated by single spaces. Lines that are all white space are dropped;
/// words after the fourth are ignored. Tells what is wrong.
pub(super) fn placement(text: &str) -> Result<Placement, String> {
    let lines: Vec<&str> = text.split('\n').filter(|line| !line.trim().is_empty()).collect();
    let count = lines.len();
    let lines: [&str; 5] =
        lines.try_into().map_err(|_| format!("{count} lines where 5 are needed, one for each ship"))?;
    let [first, second, third, fourth, fifth] = lines.map(ship_placement);
    Ok(Placement { ships: [first?, second?, third?, fourth?, fifth?], lines: Arc::new(lines.map(str::to_owned)) })
}

fn ship_placement(line: &str) -> Result<ShipPlacement, String> {
    let wrong = |what: &str| format!("line {}: {what}; a line looks like 'Carrier 0 3 east'", quoted(line));
    let mut words = line.split(' ');
    let mut word = |what: &str| words.next().ok_or_else(|| wrong(&format!("no {what}")));
    let (name, x, y, direction) = (word("ship")?, word("x")?, word("y")?, word("direction")?);
    let direction = direction.replace('\r', "");
    Ok(ShipPlacement {
        ship: Ship::from_name(name).ok_or_else(|| wrong(&format!("no ship is called {}", quoted(name))))?,
        start: Point {
            x: number(x).ok_or_else(|| wrong(&format!("x is not a number: {}", quoted(x))))?,
            y: number(y).ok_or_else(|| wrong(&format!("y is not a number: {}", quoted(y))))?,
        },
        direction: Direction::from_name(&direction)
            .ok_or_else(|| wrong(&format!("no direction is called {}", quoted(&direction))))?,
    })
}

/// command.txt: `CODE,X,Y`. All three must be numbers, also where the code means nothing. Tells what is wrong.
pub(super) fn command(text: &str) -> Result<Order, String> {
    let fields: Vec<&str> = text.split(',').collect();
    let count = fields.len();
    let [code, x, y] = fields.try_into().map_err(|_| {
        format!(
            "{count} field{} where 3 are needed, as in '1,4,7': {}",
            if count == 1 { "" } else { "s" },
            quoted(text)
        )
    })?;
    let [code, x, y] = [("code", code), ("x", x), ("y", y)]
        .map(|(what, field)| number(field).ok_or_else(|| format!("{what} is not a number: {}", quoted(field))));
    let (code, centre) = (code?, Point { x: x?, y: y? });
    let weapon = Weapon::ALL.into_iter().find(|weapon| weapon.code() == code);
    Ok(match (weapon, code) {
        (Some(weapon), _) => Order::Fire { weapon, centre },
        (None, SHIELD_CODE) => Order::Shield { centre },
        (None, _) => Order::DoNothing,
    })
}

const DO_NOTHING_CODE: i32 = 0;
const SHIELD_CODE: i32 = 8;

/// The file's name and text for an order.
pub(super) fn write(order: &Order) -> (&'static str, String) {
    let command = |code: i32, centre: Point| (COMMAND_TXT, format!("{code},{},{}\n", centre.x, centre.y));
    match order {
        Order::DoNothing => command(DO_NOTHING_CODE, Point::default()),
        Order::Fire { weapon, centre } => command(weapon.code(), *centre),
        Order::Shield { centre } => command(SHIELD_CODE, *centre),
        Order::Place(placement) => (PLACE_TXT, placement.lines.join("\n") + "\n"),
    }
}

/// A 32-bit number as the original read it: white space around it, a sign, and NULs behind are allowed.
fn number(text: &str) -> Option<i32> {
    let space = |c: char| matches!(c, '\t'..='\r' | ' ');
    let text = text.trim_end_matches('\0').trim_matches(space);
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    // parse() would take a second sign and refuse nothing else that is not a digit.
    if digits.starts_with(['+', '-']) { None } else { text.parse().ok() }
}

/// The beginning of a text that a bot wrote, in quotes.
fn quoted(text: &str) -> String {
    crate::printable::quoted(text, 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_the_original_read_them() {
        for (text, value) in [("1", 1), (" 1 ", 1), ("\t2", 2), ("+03 \n", 3), ("2\0\0", 2), ("-0", 0), ("3\r\n", 3)] {
            assert_eq!(number(text), Some(value), "{text:?}");
        }
        assert_eq!(number("-2147483648"), Some(i32::MIN));
        for text in
            ["", " ", "1.0", "- 1", "--1", "+-1", "\u{A0}1", "\u{2003}1", "٣", "2147483648", "0x1", "\x00001", "1 1"]
        {
            assert_eq!(number(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_command_has_three_numbers() {
        let fire = |weapon, x, y| Ok(Order::Fire { weapon, centre: Point { x, y } });
        assert_eq!(command("1,2,3\r\n"), fire(Weapon::SingleShot, 2, 3));
        assert_eq!(command(" 1 ,\t2 , +03 \n"), fire(Weapon::SingleShot, 2, 3));
        assert_eq!(command("1,2\0\0,-0"), fire(Weapon::SingleShot, 2, 0));
        assert_eq!(command("7,-1,5"), fire(Weapon::SeekerMissile, -1, 5));
        assert_eq!(command("8,0,0"), Ok(Order::Shield { centre: Point::new(0, 0) }));
        for nothing in ["0,0,0", "9,1,1", "-1,2,2", "100,0,0"] {
            assert_eq!(command(nothing), Ok(Order::DoNothing), "{nothing}");
        }
        for bad in ["1,2,3,", "1,2", "1.0,2,3", "- 1,2,3", "\u{A0}1,2,3", "٣,1,1", "", "0,a,1", "fire"] {
            assert!(command(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn every_code_has_its_weapon() {
        for (code, weapon) in (1..).zip(Weapon::ALL) {
            assert_eq!(command(&format!("{code},0,0")), Ok(Order::Fire { weapon, centre: Point::default() }));
        }
    }

    const PLAIN: &str =
        "Battleship 1 0 north\nCruiser 2 0 north\nCarrier 3 0 north\nDestroyer 4 0 north\nSubmarine 5 0 north\n";

    #[test]
    fn a_placement_is_five_lines_in_any_case_and_line_end() {
        let plain = placement(PLAIN).unwrap();
        assert_eq!(plain.ships[0].to_string(), "Battleship 1 0 north");
        let mixed = PLAIN.to_uppercase().replace('\n', "\r\n");
        assert_eq!(placement(&mixed).unwrap().ships, plain.ships);
        assert_eq!(placement(&mixed).unwrap().lines[0], "BATTLESHIP 1 0 NORTH\r");
        let blank = format!("\n \t\n{}\n\u{2003}\r\n", PLAIN.trim_end());
        assert_eq!(placement(&blank).unwrap().ships, plain.ships);
        let more_words = PLAIN.replace("north", "north and more");
        assert_eq!(placement(&more_words).unwrap().ships, plain.ships);
        let tabbed = PLAIN.replace("1 0", "\t1 0\t");
        assert_eq!(placement(&tabbed).unwrap().ships, plain.ships);
    }

    #[test]
    fn an_order_is_read_as_it_was_written() {
        let centre = Point::new(-3, 12);
        let mut orders = vec![Order::DoNothing, Order::Shield { centre }, placement(PLAIN).unwrap().into()];
        orders.extend(Weapon::ALL.map(|weapon| Order::Fire { weapon, centre }));
        for order in orders {
            let (name, text) = write(&order);
            let read = if name == PLACE_TXT { placement(&text).map(Order::from) } else { command(&text) };
            assert_eq!(read, Ok(order));
        }
    }

    #[test]
    fn a_placement_out_of_form_is_unreadable() {
        for bad in [
            "".to_owned(),
            PLAIN.replace("Cruiser 2 0 north\n", ""),
            format!("{PLAIN}Submarine 6 0 north"),
            format!(" {PLAIN}"),
            PLAIN.replacen("Battleship 1", "Battleship  1", 1),
            PLAIN.replacen("Battleship 1", "Battleship\t1", 1),
            PLAIN.replace(' ', ","),
            PLAIN.replacen(" north", "", 1),
            PLAIN.replacen("Battleship", "Frigate", 1),
            PLAIN.replacen("north", "up", 1),
            PLAIN.replacen("north", "north\t", 1),
            PLAIN.replace('\n', "\r"),
            PLAIN.replacen('1', "one", 1),
        ] {
            assert!(placement(&bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn messages_quote_only_the_beginning() {
        for long in ["x", "\u{ffff}", "\n", "🚢"].map(|character| character.repeat(1000)) {
            assert!(command(&long).unwrap_err().chars().count() < 200, "{long}");
            let wrong_ship = format!("{} 0 0 north\n", long.replace('\n', "\t")).repeat(5);
            assert!(placement(&wrong_ship).unwrap_err().chars().count() < 250, "{long}");
        }
    }
}
