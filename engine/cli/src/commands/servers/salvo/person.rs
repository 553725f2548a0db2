//! A person who plays at the console.

use super::event_text::event_text;
use super::person_map::{fleet_scene, scene};
use crate::show::{self, Names};
use arena::Interrupt;
use players::{FleetEntry, PersonGame, PlacedShip, typed_cell};
use rules::salvo::{BOARD, Order, OwnShot, Salvo, Settings, View, random_fleet};
use rules::{BySeat, Point, Random, Scene, Seat, printable};
use salvo::client::{ClientEvent, Strategy};
use std::io::{self, IsTerminal};

/// The help for a person, with shots at this player.
fn help(target: Seat) -> String {
    format!(
        "  {target} 3 4 fires at column 3, row 4 of {target}'s board; so do {target} 3,4 and {target} D4 (A is column 0)
  3 4   without a letter fires at the only other player who is left
  map   shows your board and your shots: * a hit, ! a miss, ^ not known
  ?     or help, at any time: shows this and your salvos; Ctrl-C or Ctrl-D leaves"
    )
}

/// A person at the console, who places ships and fires.
pub(super) struct Person {
    random: Random,
    /// Raised to leave the game.
    leave: Interrupt,
    /// True once a server has told the state of a game on this connection.
    has_game: bool,
    /// False if a script types: its ships are placed at random, and it is not asked twice.
    is_terminal: bool,
    /// The fleet that the person is placing.
    placing: Option<FleetEntry>,
    /// The fleet that the person has placed.
    fleet: Option<Vec<PlacedShip>>,
    /// True while a line is waited for, with the shot in it.
    is_asked: bool,
    /// The shot that was typed.
    shot: Option<(Seat, Point)>,
    /// The shot about which the person was asked, because it is the second one at its cell.
    doubted: Option<(Seat, Point)>,
    /// True if the boards were shown in this salvo.
    is_shown: bool,
    /// True if standard input has ended.
    is_gone: bool,
}

impl Person {
    /// A person with this seed for random fleets, who raises `leave` to end the program.
    pub(super) fn new(seed: u64, leave: Interrupt) -> Person {
        Person {
            random: rules::random(seed),
            leave,
            has_game: false,
            is_terminal: io::stdin().is_terminal(),
            placing: None,
            fleet: None,
            is_asked: false,
            shot: None,
            doubted: None,
            is_shown: false,
            is_gone: false,
        }
    }

    /// Asks for the fleet, or gives the one that the person has placed.
    fn place(&mut self, view: &View, names: &BySeat<String>) -> Option<Order> {
        if self.is_gone || !self.is_terminal {
            show::say("Your ships are placed at random");
            return Some(Order::Place(random_fleet(&mut self.random)));
        }
        if let Some(fleet) = self.fleet.take() {
            return Some(Salvo::place(&fleet));
        }
        if self.placing.is_none() {
            let entry = FleetEntry::new(Salvo::plan(&Settings::default()));
            show::say(&format!("Place your ships, e.g.: {}   (Enter: at random; undo, help)", entry.example()));
            self.ask_for_ship(&entry, view, names);
            self.placing = Some(entry);
        }
        None
    }

    fn ask_for_ship(&self, entry: &FleetEntry, view: &View, names: &BySeat<String>) {
        show_boards(&fleet_scene(view, entry), view, names);
        show::say(&match entry.is_complete() {
            true => "Your ships are placed; the match begins when all teams have placed theirs".to_owned(),
            false => format!("to place: {}", entry.left()),
        });
    }

    /// A line that was typed while ships are placed.
    fn typed_ship(&mut self, mut entry: FleetEntry, line: &str, view: &View, names: &BySeat<String>) {
        let line = if line.trim().is_empty() { "random" } else { line };
        let random = &mut self.random;
        match entry.take(line, || Salvo::random_fleet(&Settings::default(), random)) {
            Some(said) => show::say(&said),
            None => self.ask_for_ship(&entry, view, names),
        }
        if entry.is_complete() {
            self.fleet = Some(entry.placed().to_vec());
        } else {
            self.placing = Some(entry);
        }
    }

    fn ask(&mut self, view: &View, names: &BySeat<String>) {
        let Some(salvo) = view.salvo else { return };
        if !std::mem::replace(&mut self.is_shown, true) {
            show_boards(&scene(view), view, names);
            for target in targets(view) {
                let afloat = view.players[target].afloat.len();
                show::say(&format!("  {target}  {} ({afloat} ships)", printable(&names[target])));
            }
        }
        let number = salvo.shots - salvo.left + 1;
        let example = match targets(view).collect::<Vec<_>>()[..] {
            [only] => format!("{only} 3 4 or 3 4"),
            _ => format!("{} 3 4", other(view)),
        };
        show::say(&format!("Shot {number} of {}: TARGET COLUMN ROW, such as {example} (? for help)", salvo.shots));
        self.is_asked = true;
    }

    fn typed(&mut self, line: &str, view: &View, names: &BySeat<String>) {
        if let Some(entry) = self.placing.take() {
            return self.typed_ship(entry, line, view, names);
        }
        let doubted = self.doubted.take();
        match line.trim().to_lowercase().as_str() {
            "" if !self.is_asked => return,
            "?" | "help" => {
                show::say(&help(other(view)));
                salvos(view).iter().for_each(|line| show::say(line));
            }
            "map" => show_boards(&scene(view), view, names),
            _ if !self.has_game => {
                return show::say("  There is no game yet: this waits for the broker and the server; Ctrl-C leaves");
            }
            _ if !self.is_asked => return show::say("  It is not your turn; help and map work at any time"),
            "y" | "yes" if doubted.is_some() => self.shot = doubted,
            "n" | "no" if doubted.is_some() => {}
            _ => match shot(line, view) {
                Some((target, at)) if self.is_terminal && is_second(view, target, at) => {
                    // The question stays open: the same shot is not asked for again before the answer.
                    self.doubted = Some((target, at));
                    return show::say(&format!("  You fired at {target} {} {} already: again? y/N", at.x, at.y));
                }
                Some(shot) => self.shot = Some(shot),
                None => show::say(
                    "  That is not a shot: type the letter of a player who is still in, a column and a row, each 0 to 9",
                ),
            },
        }
        // The same or the next shot is asked for again.
        self.is_asked = false;
    }
}

impl Strategy for Person {
    fn order(&mut self, view: &View, names: &BySeat<String>) -> Option<Order> {
        if view.salvo.is_none() {
            return self.place(view, names);
        }
        if let Some((target, at)) = self.shot.take() {
            return Some(Order::Fire { target, at });
        }
        if !self.is_gone && !self.is_asked {
            self.ask(view, names);
        }
        None
    }

    fn hear(&mut self, event: &ClientEvent<'_>, view: &View, names: &BySeat<String>) {
        match event {
            ClientEvent::State(_) => self.has_game = true,
            ClientEvent::NoBroker { .. } | ClientEvent::NoServer { .. } => self.has_game = false,
            _ => {}
        }
        match event {
            ClientEvent::Line(line) => self.typed(line, view, names),
            ClientEvent::NoMoreLines if self.is_terminal => self.leave.raise(),
            ClientEvent::NoMoreLines => {
                show::say("Standard input has ended: your shots lapse");
                (self.is_gone, self.is_asked) = (true, false);
            }
            // A line that is typed after the end of a salvo is not for the next salvo.
            ClientEvent::Turn(_) | ClientEvent::State(_) => {
                (self.is_asked, self.shot, self.doubted, self.is_shown) = (false, None, None, false);
                if self.placing.take().is_some() {
                    show::say("The match has begun without your ships; you can place them for the next one");
                }
            }
            // The shot may be due again.
            ClientEvent::Error(_) => (self.is_asked, self.doubted) = (false, None),
            _ => {}
        }
        if let Some(text) = event_text(event) {
            show::say(&text);
        }
    }
}

fn show_boards(scene: &Scene, view: &View, names: &BySeat<String>) {
    let names = Names::of_players(names.iter().map(|(_, name)| name.as_str()));
    show::say(&show::board::for_person_in_salvo(scene, view.seat, &names));
}

/// The players that may be fired at.
fn targets(view: &View) -> impl Iterator<Item = Seat> + '_ {
    view.players.iter().filter(|(seat, known)| *seat != view.seat && known.is_in).map(|(seat, _)| seat)
}

/// A player that may be fired at; before the match, another than the person.
fn other(view: &View) -> Seat {
    let before = [Seat::A, Seat::B].into_iter().filter(|seat| *seat != view.seat);
    targets(view).chain(before).next().expect("A or B is another")
}

/// The shot in a line, if it may be fired: at a player who is in, or without a letter at the only one.
fn shot(line: &str, view: &View) -> Option<(Seat, Point)> {
    let line = line.trim();
    let with_letter = line.split_once(char::is_whitespace).and_then(|(letter, cell)| {
        let mut letters = letter.chars();
        let seat = Seat::try_from(letters.next()?.to_ascii_uppercase()).ok().filter(|_| letters.next().is_none())?;
        Some((seat, typed_cell(cell)?))
    });
    let only = || match targets(view).collect::<Vec<_>>()[..] {
        [only] => Some((only, typed_cell(line)?)),
        _ => None,
    };
    let (target, at) = with_letter.or_else(only)?;
    (BOARD.contains(at) && targets(view).any(|seat| seat == target)).then_some((target, at))
}

/// True if the person has fired at this cell before.
fn is_second(view: &View, target: Seat, at: Point) -> bool {
    let shots = view.own_salvos.iter().flat_map(|salvo| &salvo.shots).chain(&view.own_shots);
    shots.into_iter().any(|shot| shot.target == target && shot.at == at)
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

#[cfg(test)]
mod tests {
    use super::super::person_map::tests::view;
    use super::*;
    use rules::salvo::{Orientation, Placement, ShipKind};

    #[test]
    fn shots_are_a_letter_and_a_cell_and_at_an_only_opponent_a_cell() {
        let (three, mut two) = (view(), view());
        two.players = two.players.iter().take(2).map(|(_, player)| player.clone()).collect();
        for line in ["B 3 4\n", "  b   3,4 ", "B D4", "b d4"] {
            assert_eq!(shot(line, &three), Some((Seat::B, Point::new(3, 4))), "{line}");
            assert_eq!(shot(line, &two), Some((Seat::B, Point::new(3, 4))), "{line}");
        }
        for line in ["3 4", "3,4", "D4"] {
            assert_eq!((shot(line, &three), shot(line, &two)), (None, Some((Seat::B, Point::new(3, 4)))), "{line}");
        }
        for wrong in ["", "B", "B 3", "B 3 4 5", "BB 3 4", "3 4 B", "B x y", "A 3 4", "Z 0 0", "B 10 0", "B k0"] {
            assert_eq!((shot(wrong, &three), shot(wrong, &two)), (None, None), "{wrong}");
        }
        assert!(is_second(&three, Seat::B, Point::new(1, 1)) && !is_second(&three, Seat::B, Point::new(5, 5)));
    }

    #[test]
    fn help_and_examples_fire_at_somebody_else() {
        let of_b = View { seat: Seat::B, ..view() };
        assert!(help(other(&of_b)).starts_with("  A 3 4 fires at column 3, row 4 of A's board; so do A 3,4 and A D4"));
        let in_the_lobby = View { players: Vec::new().into_iter().collect(), ..view() };
        assert_eq!([other(&view()), other(&in_the_lobby)], [Seat::B, Seat::B]);
    }

    #[test]
    fn ships_are_placed_as_they_are_typed() {
        let mut entry = FleetEntry::new(Salvo::plan(&Settings::default()));
        for line in ["carrier 0 0 horizontal", "b j0 v", "des 0,2 h", "sub 0 3 h", "patrol 0 4 h"] {
            assert_eq!(entry.take(line, || None), None, "{line}");
        }
        let Order::Place(fleet) = Salvo::place(entry.placed()) else { panic!("no fleet") };
        let battleship =
            Placement { ship: ShipKind::Battleship, at: Point::new(9, 0), orientation: Orientation::Vertical };
        assert!(entry.is_complete() && fleet[1] == battleship);
    }
}
