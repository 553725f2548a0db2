//! The answer of the hunter: the file from which the engine reads it, and its content.

use rules::entelect_2017::Order;
use rules::entelect_2017::files::{COMMAND_TXT, PLACE_TXT};

const DO_NOTHING_CODE: i32 = 0;
const SHIELD_CODE: i32 = 8;

/// The name and the text of the file that gives `order`.
pub fn file(order: &Order) -> (&'static str, String) {
    match order {
        Order::Place(placement) => (PLACE_TXT, placement.lines.join("\n") + "\n"),
        Order::Fire { weapon, centre } => command(weapon.code(), centre.x, centre.y),
        Order::Shield { centre } => command(SHIELD_CODE, centre.x, centre.y),
        Order::DoNothing => command(DO_NOTHING_CODE, 0, 0),
    }
}

fn command(code: i32, x: i32, y: i32) -> (&'static str, String) {
    (COMMAND_TXT, format!("{code},{x},{y}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::entelect_2017::{Entelect2017, MapSize, Settings, Weapon};
    use rules::{Game, Listed, Part, Point};

    #[test]
    fn the_engine_reads_the_order_that_was_meant() {
        let game = Entelect2017::start(&Settings::default(), 2, 0).unwrap();
        let centre = Point::new(4, 7);
        let placement = crate::placing::place(MapSize::Small.grid(), &mut rules::random(1)).unwrap();
        let shots = Weapon::ALL.map(|weapon| Order::Fire { weapon, centre });
        for order in [Order::from(placement), Order::Shield { centre }, Order::DoNothing].into_iter().chain(shots) {
            let (name, text) = file(&order);
            assert_eq!(game.read(&[Part { name, bytes: text.into_bytes() }]), Ok(order));
        }
    }
}
