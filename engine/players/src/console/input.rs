//! Parses the lines that people type.

use rules::entelect_2017::{Order, Ship, ShipPlacement, Weapon};
use rules::{Direction, Point};

/// A line that was typed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Input<T> {
    /// Something to be done.
    Command(T),
    /// Ships at random.
    Random,
    /// The last ship is to be taken back.
    Undo,
    /// The commands are to be listed.
    Help,
    /// An empty line.
    Nothing,
    /// Something that makes no sense, and why.
    Wrong(String),
}

/// The words for the weapons, in the order of [`Weapon::ALL`].
pub(super) const WEAPON_WORDS: [&str; 7] = ["fire", "vertical", "horizontal", "corner", "diagonal", "cross", "seeker"];

pub(super) const FLEET_HELP: &str = "\
  SHIP X Y DIRECTION   puts a ship down from (X, Y) on, e.g.: carrier 0 3 east
                       ships: submarine destroyer battleship carrier cruiser; north is up
  random               places all ships at random
  undo                 takes the last ship back
  Ctrl-D               gives up
Names may be shortened: ca 0 3 e";

/// Reads a line: `command` reads the words of a command, if they are one, and `advice` helps with words that are not.
fn input<T>(line: &str, advice: &str, command: impl Fn(&[&str]) -> Option<Result<T, String>>) -> Input<T> {
    let line = line.trim();
    let lower = line.to_lowercase();
    // Commas separate words, too.
    let words = lower.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    match words.collect::<Vec<_>>()[..] {
        [] => Input::Nothing,
        ["random"] => Input::Random,
        ["undo"] => Input::Undo,
        ["help" | "?"] => Input::Help,
        ref words => match command(words) {
            Some(command) => command.map_or_else(Input::Wrong, Input::Command),
            None => Input::Wrong(format!("'{line}' is not understood; {advice}")),
        },
    }
}

/// A line typed while ships are placed.
pub(super) fn fleet(line: &str) -> Input<ShipPlacement> {
    input(line, "a ship is placed like this: carrier 0 3 east", |words| match words {
        [ship, x, y, direction] => Some(placement(ship, x, y, direction)),
        _ => None,
    })
}

fn placement(ship: &str, x: &str, y: &str, direction: &str) -> Result<ShipPlacement, String> {
    let ships = Ship::ALL.map(|ship| (ship.name().to_lowercase(), ship));
    let directions = Direction::ALL.map(|direction| (direction.name().to_owned(), direction));
    Ok(ShipPlacement {
        ship: shortened(ship, &ships, "ship")?,
        start: point(x, y)?,
        direction: shortened(direction, &directions, "direction")?,
    })
}

/// A line typed in the battle.
pub(super) fn shot(line: &str) -> Input<Order> {
    input(line, "try: fire 3 4, or help", |words| match words {
        ["pass"] => Some(Ok(Order::DoNothing)),
        [what, x, y] => Some(order(what, x, y)),
        _ => None,
    })
}

fn order(what: &str, x: &str, y: &str) -> Result<Order, String> {
    let centre = point(x, y)?;
    let weapons = WEAPON_WORDS.into_iter().zip(Weapon::ALL);
    let by_word = weapons.map(|(word, weapon)| (word.to_owned(), Order::Fire { weapon, centre }));
    let orders: Vec<_> = by_word.chain([("shield".to_owned(), Order::Shield { centre })]).collect();
    if let Ok(code) = what.parse::<usize>() {
        // The codes of command.txt count the commands in this order, from 1 on.
        let order = code.checked_sub(1).and_then(|index| orders.get(index)).map(|(_, order)| order.clone());
        return order.ok_or_else(|| format!("There is no command {code}; they go from 1 to 8."));
    }
    shortened(what, &orders, "command")
}

fn point(x: &str, y: &str) -> Result<Point, String> {
    let number =
        |text: &str| text.parse().map_err(|_| format!("'{text}' is not a coordinate; a whole number is needed."));
    Ok(Point { x: number(x)?, y: number(y)? })
}

/// The choice that `word` is or begins.
fn shortened<T: Clone>(word: &str, choices: &[(String, T)], kind: &str) -> Result<T, String> {
    let found: Vec<&(String, T)> = choices.iter().filter(|(name, _)| name.starts_with(word)).collect();
    let names = |list: &[&(String, T)]| list.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>().join(", ");
    match found[..] {
        [(_, choice)] => Ok(choice.clone()),
        [] => Err(format!("'{word}' is not a {kind}; there are {}.", names(&choices.iter().collect::<Vec<_>>()))),
        _ => Err(format!("'{word}' may be {}.", names(&found))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fired(weapon: Weapon, x: i32, y: i32) -> Input<Order> {
        Input::Command(Order::Fire { weapon, centre: Point::new(x, y) })
    }

    #[test]
    fn shots_may_be_typed_as_words_as_codes_and_shortened() {
        assert_eq!(shot("fire 3 4"), fired(Weapon::SingleShot, 3, 4));
        assert_eq!(shot(" F 3, 4 "), fired(Weapon::SingleShot, 3, 4));
        assert_eq!(shot("1,3,4"), fired(Weapon::SingleShot, 3, 4));
        assert_eq!(shot("cro 0 -1"), fired(Weapon::CrossShot, 0, -1));
        assert_eq!(shot("7 2 2"), fired(Weapon::SeekerMissile, 2, 2));
        assert_eq!(shot("8,2,2"), Input::Command(Order::Shield { centre: Point::new(2, 2) }));
        assert_eq!(shot("pass"), Input::Command(Order::DoNothing));
        assert_eq!(shot(""), Input::Nothing);
        assert_eq!(shot("HELP"), Input::Help);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = |input: Input<Order>| match input {
            Input::Wrong(why) => why,
            other => panic!("{other:?} should be wrong"),
        };
        assert!(wrong(shot("c 1 1")).contains("corner, cross"));
        assert!(wrong(shot("9,1,1")).contains("from 1 to 8"));
        assert!(wrong(shot("0,1,1")).contains("from 1 to 8"));
        assert!(wrong(shot("fire a 1")).contains("'a'"));
        assert!(wrong(shot("boom 1 1")).contains("boom"));
        assert!(wrong(shot("fire 1")).contains("not understood"));
    }

    #[test]
    fn ships_may_be_typed_shortened() {
        let want = ShipPlacement { ship: Ship::Carrier, start: Point::new(0, 3), direction: Direction::East };
        assert_eq!(fleet("ca 0 3 e"), Input::Command(want));
        assert_eq!(fleet("CARRIER 0,3,EAST"), Input::Command(want));
        assert_eq!(fleet("random"), Input::Random);
        assert!(matches!(fleet("c 0 3 e"), Input::Wrong(why) if why.contains("carrier, cruiser")));
        assert!(matches!(fleet("carrier 0 3 up"), Input::Wrong(_)));
    }
}
