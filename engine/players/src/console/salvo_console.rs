//! A person at the console who plays Salvo as a client of a server: turns come and end while lines are typed.

use super::fleet_entry::FleetEntry;
use super::fleet_plan::PlacedShip;
use super::input::typed_cell;
use super::person_game::PersonGame;
use super::salvo_map::{fleet_scene, scene};
use rules::salvo::{BOARD, Order, OwnShot, Salvo, Settings, View, random_fleet};
use rules::{BySeat, Point, Random, Scene, Seat, printable};

/// The help for a person, with shots at this player.
fn help(target: Seat) -> String {
    format!(
        "  {target} 3 4 fires at column 3, row 4 of {target}'s board; so do {target} 3,4 and {target} D4 (A is column 0)
  3 4   without a letter fires at the only other player who is left
  map   shows your board and your shots: * a hit, ! a miss, ^ not known
  ?     or help, at any time: shows this and your salvos; Ctrl-C or Ctrl-D leaves"
    )
}

/// The screen of a person who plays Salvo.
pub trait SalvoScreen {
    /// Shows lines of text.
    fn say(&self, text: &str);

    /// Shows boards, that of this seat first. `names` are those of all players.
    fn draw(&self, scene: &Scene, seat: Seat, names: &BySeat<String>);
}

/// A person at the console, who places ships and fires.
pub struct SalvoConsole<S> {
    random: Random,
    screen: S,
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

impl<S: SalvoScreen> SalvoConsole<S> {
    /// A person with this seed for random fleets. `is_terminal` is false if a script types.
    pub fn new(seed: u64, screen: S, is_terminal: bool) -> SalvoConsole<S> {
        SalvoConsole {
            random: rules::random(seed),
            screen,
            has_game: false,
            is_terminal,
            placing: None,
            fleet: None,
            is_asked: false,
            shot: None,
            doubted: None,
            is_shown: false,
            is_gone: false,
        }
    }

    /// The order of the person, once it is typed. Asks for it otherwise.
    pub fn order(&mut self, view: &View, names: &BySeat<String>) -> Option<Order> {
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

    /// Takes in whether a server has a game for this person.
    pub fn set_has_game(&mut self, has_game: bool) {
        self.has_game = has_game;
    }

    /// Ends what was asked: another salvo has begun. A line that is typed after the end of a salvo is not for the next salvo.
    pub fn begin_turn(&mut self) {
        (self.is_asked, self.shot, self.doubted, self.is_shown) = (false, None, None, false);
        if self.placing.take().is_some() {
            self.screen.say("The match has begun without your ships; you can place them for the next one");
        }
    }

    /// Takes in that the server refused the order: the shot may be due again.
    pub fn refused(&mut self) {
        (self.is_asked, self.doubted) = (false, None);
    }

    /// Takes in that no line follows. Returns true if the person wants to leave; the shots of a script lapse.
    pub fn end_of_lines(&mut self) -> bool {
        if !self.is_terminal {
            self.screen.say("Standard input has ended: your shots lapse");
            (self.is_gone, self.is_asked) = (true, false);
        }
        self.is_terminal
    }

    /// Asks for the fleet, or gives the one that the person has placed.
    fn place(&mut self, view: &View, names: &BySeat<String>) -> Option<Order> {
        if self.is_gone || !self.is_terminal {
            self.screen.say("Your ships are placed at random");
            return Some(Order::Place(random_fleet(&mut self.random)));
        }
        if let Some(fleet) = self.fleet.take() {
            return Some(Salvo::place(&Settings::default(), &fleet));
        }
        if self.placing.is_none() {
            let entry = FleetEntry::new(Salvo::plan(&Settings::default()));
            self.screen.say(&format!("Place your ships, e.g.: {}   (Enter: at random; undo, help)", entry.example()));
            self.ask_for_ship(&entry, view, names);
            self.placing = Some(entry);
        }
        None
    }

    fn ask_for_ship(&self, entry: &FleetEntry, view: &View, names: &BySeat<String>) {
        self.screen.draw(&fleet_scene(view, entry), view.seat, names);
        self.screen.say(&match entry.is_complete() {
            true => "Your ships are placed; the match begins when all teams have placed theirs".to_owned(),
            false => format!("to place: {}", entry.left()),
        });
    }

    /// A line that was typed while ships are placed.
    fn typed_ship(&mut self, mut entry: FleetEntry, line: &str, view: &View, names: &BySeat<String>) {
        let line = if line.trim().is_empty() { "random" } else { line };
        let random = &mut self.random;
        match entry.take(line, || Salvo::random_fleet(&Settings::default(), random)) {
            Some(said) => self.screen.say(&said),
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
            self.screen.draw(&scene(view), view.seat, names);
            for target in targets(view) {
                let afloat = view.players[target].afloat.len();
                self.screen.say(&format!("  {target}  {} ({afloat} ships)", printable(&names[target])));
            }
        }
        let number = salvo.shots - salvo.left + 1;
        let example = match targets(view).collect::<Vec<_>>()[..] {
            [only] => format!("{only} 3 4 or 3 4"),
            _ => format!("{} 3 4", other(view)),
        };
        self.screen
            .say(&format!("Shot {number} of {}: TARGET COLUMN ROW, such as {example} (? for help)", salvo.shots));
        self.is_asked = true;
    }

    /// Takes in a line that was typed.
    pub fn typed(&mut self, line: &str, view: &View, names: &BySeat<String>) {
        if let Some(entry) = self.placing.take() {
            return self.typed_ship(entry, line, view, names);
        }
        let doubted = self.doubted.take();
        match line.trim().to_lowercase().as_str() {
            "" if !self.is_asked => return,
            "?" | "help" => {
                self.screen.say(&help(other(view)));
                salvos(view).iter().for_each(|line| self.screen.say(line));
            }
            "map" => self.screen.draw(&scene(view), view.seat, names),
            _ if !self.has_game => {
                return self.screen.say("  There is no game yet: this waits for the broker and the server; Ctrl-C leaves");
            }
            _ if !self.is_asked => return self.screen.say("  It is not your turn; help and map work at any time"),
            "y" | "yes" if doubted.is_some() => self.shot = doubted,
            "n" | "no" if doubted.is_some() => {}
            _ => match shot(line, view) {
                Some((target, at)) if self.is_terminal && Salvo::wasted(view, &Order::Fire { target, at }).is_some() => {
                    // The question stays open: the same shot is not asked for again before the answer.
                    self.doubted = Some((target, at));
                    return self.screen.say(&format!("  You fired at {target} {} {} already: again? y/N", at.x, at.y));
                }
                Some(shot) => self.shot = Some(shot),
                None => self.screen.say(
                    "  That is not a shot: type the letter of a player who is still in, a column and a row, each 0 to 9",
                ),
            },
        }
        // The same or the next shot is asked for again.
        self.is_asked = false;
    }
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
    use super::super::salvo_map::tests::view;
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
        let again = |x| Salvo::wasted(&three, &Order::Fire { target: Seat::B, at: Point::new(x, x) });
        assert_eq!([again(1), again(5)], [Some(Point::new(1, 1)), None]);
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
        let Order::Place(fleet) = Salvo::place(&Settings::default(), entry.placed()) else { panic!("no fleet") };
        let battleship =
            Placement { ship: ShipKind::Battleship, at: Point::new(9, 0), orientation: Orientation::Vertical };
        assert!(entry.is_complete() && fleet[1] == battleship);
    }
}
