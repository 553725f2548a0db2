//! A person who plays at the console.

use super::event_text::event_text;
use crate::show;
use rules::salvo::{BOARD, Order, OwnShot, Placement, View, random_fleet};
use rules::{BySeat, Point, Random, Seat, printable};
use salvo::client::{ClientEvent, Strategy};

const HELP: &str = "  B 3 4 fires at column 3, row 4 of B's board; ? shows this and your salvos";

/// A person at the console. The program places the ships at random and asks for shots.
pub(super) struct Person {
    random: Random,
    /// The view with which a shot was asked for, until a line is typed.
    asked: Option<View>,
    /// The shot that was typed.
    shot: Option<(Seat, Point)>,
    /// True if the board was shown in this salvo.
    is_shown: bool,
    /// True if standard input has ended.
    is_gone: bool,
}

impl Person {
    pub(super) fn new(seed: u64) -> Person {
        Person { random: rules::random(seed), asked: None, shot: None, is_shown: false, is_gone: false }
    }

    fn ask(&mut self, view: &View, names: &BySeat<String>) {
        let Some(salvo) = view.salvo else { return };
        if !std::mem::replace(&mut self.is_shown, true) {
            show::say(&board(&view.fleet, view));
            let targets = view.players.iter().filter(|(seat, known)| *seat != view.seat && known.is_in);
            targets.for_each(|(seat, known)| {
                show::say(&format!("  {seat}  {} ({} ships)", printable(&names[seat]), known.afloat.len()));
            });
        }
        let number = salvo.shots - salvo.left + 1;
        show::say(&format!("Shot {number} of {}: TARGET COLUMN ROW, such as B 3 4 (? for help)", salvo.shots));
        self.asked = Some(view.clone());
    }

    fn typed(&mut self, line: &str) {
        let Some(view) = &self.asked else {
            if !line.trim().is_empty() {
                show::say("  It is not your turn");
            }
            return;
        };
        match shot(line) {
            Some((target, at)) if BOARD.contains(at) && target != view.seat && is_in(view, target) => {
                self.shot = Some((target, at));
            }
            _ if line.trim() == "?" => {
                show::say(HELP);
                salvos(view).iter().for_each(|line| show::say(line));
            }
            _ => show::say(
                "  That is not a shot: type the letter of a player who is still in, a column and a row, each 0 to 9",
            ),
        }
        // The same or the next shot is asked for again.
        self.asked = None;
    }
}

impl Strategy for Person {
    fn order(&mut self, view: &View, names: &BySeat<String>) -> Option<Order> {
        if view.salvo.is_none() {
            show::say("Your ships are placed at random");
            return Some(Order::Place(random_fleet(&mut self.random)));
        }
        if let Some((target, at)) = self.shot.take() {
            return Some(Order::Fire { target, at });
        }
        if !self.is_gone {
            self.ask(view, names);
        }
        None
    }

    fn hear(&mut self, event: &ClientEvent<'_>) {
        match event {
            ClientEvent::Line(line) => self.typed(line),
            ClientEvent::NoMoreLines => {
                show::say("Standard input has ended: your shots lapse");
                (self.is_gone, self.asked) = (true, None);
            }
            // A line that is typed after the end of a salvo is not for the next salvo.
            ClientEvent::Turn(_) | ClientEvent::State(_) => {
                (self.asked, self.shot, self.is_shown) = (None, None, false)
            }
            _ => {}
        }
        if let Some(text) = event_text(event) {
            show::say(&text);
        }
    }
}

fn is_in(view: &View, target: Seat) -> bool {
    view.players.iter().any(|(seat, known)| seat == target && known.is_in)
}

fn shot(line: &str) -> Option<(Seat, Point)> {
    let mut words = line.split_whitespace();
    let mut letters = words.next()?.chars();
    let seat = Seat::try_from(letters.next()?.to_ascii_uppercase()).ok().filter(|_| letters.next().is_none())?;
    let at = Point::new(words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    words.next().is_none().then_some((seat, at))
}

/// The shots so far, one salvo per line.
fn salvos(view: &View) -> Vec<String> {
    let fired = |shots: &[OwnShot]| {
        shots.iter().map(|shot| format!("{} {} {}", shot.target, shot.at.x, shot.at.y)).collect::<Vec<_>>().join(", ")
    };
    let over = view.own_salvos.iter().map(|salvo| match salvo.hits {
        1 => format!("  1 hit of   {}", fired(&salvo.shots)),
        hits => format!("  {hits} hits of  {}", fired(&salvo.shots)),
    });
    let current = (!view.own_shots.is_empty()).then(|| format!("  this salvo {}", fired(&view.own_shots)));
    over.chain(current).collect()
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
