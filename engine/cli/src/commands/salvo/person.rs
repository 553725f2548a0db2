//! A person who takes part at the console.

use super::join::told;
use crate::show;
use rules::salvo::{BOARD, Order, Placement, View, random_fleet};
use rules::{BySeat, Point, Random, Seat};
use salvo::client::{Captain, Heard};
use std::io::{BufRead, stdin};

/// A person at the console. Its ships are placed at random.
pub(super) struct Person {
    random: Random,
}

impl Person {
    pub(super) fn new(seed: u64) -> Person {
        Person { random: rules::random(seed) }
    }
}

impl Captain for Person {
    fn order(&mut self, view: &View, names: &BySeat<String>) -> Order {
        let Some(salvo) = view.salvo else { return Order::Place(random_fleet(&mut self.random)) };
        if salvo.left == salvo.shots {
            show::say(&board(&view.fleet, view));
            let targets = view.players.iter().filter(|(seat, known)| *seat != view.seat && known.is_in);
            targets.for_each(|(seat, known)| {
                show::say(&format!("  {seat}  {} ({} ships)", names[seat], known.afloat.len()))
            });
        }
        loop {
            let number = salvo.shots - salvo.left + 1;
            show::say(&format!("Shot {number} of {}: TARGET COLUMN ROW, such as B 3 4", salvo.shots));
            let mut line = String::new();
            match stdin().lock().read_line(&mut line) {
                Ok(1..) => {}
                // Nobody is there any more: the shots lapse.
                _ => return Order::Fire { target: view.seat, at: Point::default() },
            }
            match shot(&line) {
                Some((target, at)) if BOARD.contains(at) && target != view.seat && target.index() < names.len() => {
                    return Order::Fire { target, at };
                }
                _ => show::say("  It is the letter of another player, a column from 0 to 9 and a row from 0 to 9"),
            }
        }
    }

    fn hear(&mut self, news: &Heard<'_>) {
        if let Some(text) = told(news) {
            show::say(&text);
        }
    }
}

fn shot(line: &str) -> Option<(Seat, Point)> {
    let mut words = line.split_whitespace();
    let mut letters = words.next()?.chars();
    let seat = Seat::try_from(letters.next()?.to_ascii_uppercase()).ok().filter(|_| letters.next().is_none())?;
    let at = Point::new(words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    words.next().is_none().then_some((seat, at))
}

/// The own board, row 0 at the top: ships by their letters, hits as `*`, misses as `o`.
fn board(fleet: &[Placement], view: &View) -> String {
    let cell = |at: Point| {
        let ship = fleet.iter().find(|ship| ship.covers(at)).map(|ship| ship.ship.letter());
        match (view.received.iter().any(|shot| shot.at == at), ship) {
            (true, Some(_)) => '*',
            (true, None) => 'o',
            (false, Some(letter)) => letter,
            (false, None) => '.',
        }
    };
    let row = |y: i32| format!("  {y} {}", (0..10).map(|x| format!(" {}", cell(Point::new(x, y)))).collect::<String>());
    let rows: Vec<String> = (0..10).map(row).collect();
    format!("     0 1 2 3 4 5 6 7 8 9\n{}", rows.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shots_are_a_letter_and_two_numbers() {
        assert_eq!(shot("B 3 4\n"), Some((Seat::B, Point::new(3, 4))));
        assert_eq!(shot("  b   0 9 "), Some((Seat::B, Point::new(0, 9))));
        for wrong in ["", "B", "B 3", "B 3 4 5", "BB 3 4", "3 4 B", "B x y"] {
            assert_eq!(shot(wrong), None, "{wrong}");
        }
    }
}
