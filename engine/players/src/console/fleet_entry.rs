//! Placing a fleet ship by ship, from lines that a person types.

use super::fleet_plan::{FleetPlan, FleetShip, PlacedShip, ShipWay};
use super::input::{cell, choice, words};
use rules::{Mark, Point, Scene, Seat};

/// The most letters of a line of ships that are left: what is before them must fit as well.
const MOST_OF_A_LINE: usize = 68;

/// A fleet that a person is placing. Nothing typed wrong costs a ship: it is explained.
///
/// ```
/// use players::{FleetEntry, FleetPlan, FleetShip};
///
/// let ships = vec![FleetShip::straight("carrier", 'C', 5, &FleetShip::compass())];
/// let plan = FleetPlan { grid: rules::Grid::new(7, 7), ships, near: Vec::new(), keys: "" };
/// let mut entry = FleetEntry::new(plan);
/// assert!(entry.take("carrier 4 0 east", || None).unwrap().contains("would run off the board"));
/// assert_eq!(entry.take("ca a3 e", || None), None);
/// assert!(entry.is_complete() && entry.placed()[0].covers(rules::Point::new(4, 3)));
/// ```
#[derive(Debug, Clone)]
pub struct FleetEntry {
    plan: FleetPlan,
    placed: Vec<PlacedShip>,
}

impl FleetEntry {
    /// No ship is placed yet.
    pub fn new(plan: FleetPlan) -> FleetEntry {
        FleetEntry { plan, placed: Vec::new() }
    }

    /// The ships that are placed, in the order in which they were.
    pub fn placed(&self) -> &[PlacedShip] {
        &self.placed
    }

    /// True if all ships are placed.
    pub fn is_complete(&self) -> bool {
        self.plan.left(&self.placed).is_empty()
    }

    /// Takes all ships back.
    pub fn clear(&mut self) {
        self.placed.clear();
    }

    /// Puts down a ship beside those that are.
    ///
    /// # Errors
    /// The reason why it cannot lie there, as a sentence.
    pub fn put(&mut self, ship: PlacedShip) -> Result<(), String> {
        match self.mistake(&ship) {
            None => {
                self.placed.push(ship);
                Ok(())
            }
            Some(mistake) => Err(mistake),
        }
    }

    /// A line that places a ship, as an example.
    pub fn example(&self) -> String {
        let longest = self.longest();
        format!("{} 0 3 {}", longest.name, longest.ways[0].name)
    }

    fn longest(&self) -> &FleetShip {
        self.plan.ships.iter().max_by_key(|ship| ship.length()).expect("a fleet has a ship")
    }

    /// The ships that are left, with their lengths, in lines for a screen of 80 columns.
    pub fn left(&self) -> String {
        let left = self.plan.left(&self.placed);
        let kinds = left.chunk_by(|one, next| one == next).map(|same| {
            let (name, length) = (&same[0].name, same[0].length());
            if same.len() > 1 { format!("{} x {name} ({length})", same.len()) } else { format!("{name} ({length})") }
        });
        kinds
            .reduce(|text, kind| {
                let last = text.lines().last().unwrap_or_default();
                let space = if last.len() + kind.len() < MOST_OF_A_LINE { ' ' } else { '\n' };
                format!("{text},{space}{kind}")
            })
            .unwrap_or_default()
    }

    /// Takes a line. Gives what there is to be said of it; `None` if the board shows it all. `random` draws a whole fleet.
    pub fn take(&mut self, line: &str, random: impl FnOnce() -> Option<Vec<PlacedShip>>) -> Option<String> {
        let words = words(line);
        match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [] => None,
            ["random"] => match random() {
                Some(fleet) => {
                    self.placed = fleet;
                    None
                }
                None => Some("No fleet was found that fits.".to_owned()),
            },
            ["undo"] if self.placed.pop().is_none() => Some("There is nothing to take back.".to_owned()),
            ["undo"] => None,
            ["help" | "?"] => Some(self.help()),
            ref words => match self.read(words) {
                Some(Ok(placed)) => self.put(placed).err(),
                Some(Err(why)) => Some(why),
                None => {
                    let (line, example) = (line.trim(), self.example());
                    Some(format!("'{line}' is not understood; a ship is placed like this: {example}"))
                }
            },
        }
    }

    /// The ship in these words; `None` if they are not of a ship.
    fn read(&self, words: &[&str]) -> Option<Result<PlacedShip, String>> {
        let [name, rest @ ..] = words else { return None };
        let (start, rest) = cell(rest)?;
        let kinds = self.plan.kinds();
        let kinds: Vec<(&str, FleetShip)> = kinds.iter().map(|ship| (&*ship.name, ship.clone())).collect();
        let ship = match choice(name, &kinds, "ship") {
            Ok(ship) => ship,
            Err(why) => return Some(Err(why)),
        };
        let ways: Vec<(&str, usize)> = ship.ways.iter().zip(0..).map(|(way, number)| (&*way.name, number)).collect();
        let way = match rest {
            [] if ship.length() == 1 || ways.len() == 1 => Ok(0),
            [way] => choice(way, &ways, if ship.is_straight() { "direction" } else { "way to lie" }),
            _ => return None,
        };
        Some(start.and_then(|start| Ok(PlacedShip { way: way?, ship: ship.clone(), start })))
    }

    /// The reason why this ship cannot be put down beside those that are; `None` if it can.
    fn mistake(&self, new: &PlacedShip) -> Option<String> {
        let name = &new.ship.name;
        if !self.plan.left(&self.placed).contains(&new.ship) {
            let has = self.plan.ships.iter().filter(|ship| **ship == new.ship).count();
            let which = if has > 1 { format!("All {has} ships {name} are") } else { format!("The {name} is") };
            return Some(format!("{which} placed already; undo takes the last ship back."));
        }
        let grid = self.plan.grid;
        let Some(cells) = new.cells().map(|cell| cell.filter(|at| grid.contains(*at))).collect::<Option<Vec<Point>>>()
        else {
            let (x, y) = (grid.width() - 1, grid.height() - 1);
            let end = if x == y { format!("0 to {x}") } else { format!("0, 0 to {x}, {y}") };
            let cells = rules::counted(new.ship.length() as u32, "cell");
            return Some(format!("The {name} has {cells} and would run off the board, which goes from {end}."));
        };
        let others = || self.placed.iter();
        if let Some(hit) = others().find(|placed| cells.iter().any(|cell| placed.covers(*cell))) {
            return Some(format!("The {name} would lie on the {}.", hit.ship.name));
        }
        let near = || cells.iter().flat_map(|cell| self.plan.near.iter().filter_map(|&(dx, dy)| cell.offset(dx, dy)));
        let touches = |placed: &&PlacedShip| near().any(|cell| placed.covers(cell));
        others().find(touches).map(|near| format!("The {name} would touch the {}.", near.ship.name))
    }

    fn help(&self) -> String {
        let kinds = self.plan.kinds();
        let names: Vec<&str> = kinds.iter().map(|ship| &*ship.name).collect();
        let mut directions: Vec<&str> = Vec::new();
        for way in kinds.iter().filter(|ship| ship.is_straight()).flat_map(|ship| ship.ways.iter()) {
            if !directions.contains(&&*way.name) {
                directions.push(&way.name);
            }
        }
        let shapes: String = kinds.iter().filter(|ship| !ship.is_straight()).map(shape_help).collect();
        let longest = self.longest();
        let is_only = |end: &usize| names.iter().filter(|name| name.starts_with(&longest.name[..*end])).count() == 1;
        let ends = (1..=longest.name.len()).filter(|end| longest.name.is_char_boundary(*end));
        let short = &longest.name[..ends.clone().find(is_only).unwrap_or(longest.name.len())];
        let way: String = longest.ways[0].name.chars().take(1).collect();
        format!(
            "\
  SHIP X Y DIRECTION   puts a ship down from column X, row Y on, e.g.: {}
                       ships: {}
                       directions: {}
{shapes}  random               places all ships at random
  undo                 takes the last ship back
  {}
X Y can be typed as D3, too: column D is 3, because A is 0. Names may be shortened: {short} a3 {way}",
            self.example(),
            names.join(" "),
            directions.join(" "),
            self.plan.keys,
        )
    }

    /// The scene with these ships on the board of `seat`.
    pub fn drawn(&self, mut scene: Scene, seat: Seat) -> Scene {
        for board in scene.boards.iter_mut().filter(|board| board.seat == seat) {
            for placed in &self.placed {
                for point in placed.cells().flatten() {
                    if let Some(index) = board.grid.index(point) {
                        board.cells[index].mark = Mark::Ship(placed.ship.letter);
                    }
                }
            }
        }
        scene
    }
}

/// The most letters of a line of drawings.
const MOST_OF_A_DRAWING: usize = 76;

/// The ways in which a ship that is not straight may lie, drawn with their numbers, row 0 at the top.
fn shape_help(ship: &FleetShip) -> String {
    let name = &ship.name;
    let mut text = format!("  {name} X Y NUMBER: X Y is the upper left corner of what is drawn here\n");
    let most = |of: fn(&(i32, i32)) -> i32| ship.ways.iter().flat_map(|way| &way.cells).map(of).max().unwrap_or(0);
    let (wide, high) = (most(|cell| cell.0) as usize + 1, most(|cell| cell.1));
    let a_line = (MOST_OF_A_DRAWING / (wide + 4)).max(1);
    for ways in ship.ways.chunks(a_line) {
        for y in 0..=high {
            let row = |way: &ShipWay| {
                let number = if y == 0 { &*way.name } else { "" };
                let cell = |x| if way.cells.contains(&(x, y)) { '#' } else { ' ' };
                format!("{number:>3} {}", (0..wide as i32).map(cell).collect::<String>())
            };
            let row: String = ways.iter().map(row).collect();
            text += &format!("  {}\n", row.trim_end());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{Direction, Grid};

    fn carrier() -> FleetShip {
        FleetShip::straight("carrier", 'C', 5, &FleetShip::compass())
    }

    fn entry() -> FleetEntry {
        let boat = FleetShip::straight("boat", 'B', 1, &FleetShip::compass());
        let ships = vec![carrier(), boat.clone(), boat];
        FleetEntry::new(FleetPlan { grid: Grid::new(8, 4), ships, near: FleetPlan::near(|_, _| true), keys: "" })
    }

    #[test]
    fn ships_may_be_typed_in_all_ways_and_shortened() {
        let want = carrier().towards(Point::new(0, 3), Direction::East);
        for line in ["carrier 0 3 east", "ca 0 3 e", " CA  0,3 E", "carrier A3 east"] {
            let mut entry = entry();
            assert_eq!(entry.take(line, || None), None);
            assert_eq!(entry.placed(), std::slice::from_ref(&want), "{line}");
        }
        let mut entry = entry();
        assert_eq!(entry.left(), "carrier (5), 2 x boat (1)");
        assert_eq!(entry.take("boat c2", || None), None, "a ship of one cell has no direction");
        assert_eq!(entry.take("random", || Some(vec![want.clone()])), None);
        assert_eq!((entry.placed(), entry.left().as_str()), (&[want][..], "2 x boat (1)"));
    }

    #[test]
    fn ships_that_cannot_lie_there_are_explained() {
        let mut entry = entry();
        let mut said = |line| entry.take(line, || None).unwrap_or_default();
        assert_eq!(
            said("c 4 0 e"),
            "The carrier has 5 cells and would run off the board, which goes from 0, 0 to 7, 3."
        );
        assert_eq!(said("c 0 0 e"), "");
        assert_eq!(said("b 4 0"), "The boat would lie on the carrier.");
        assert_eq!(said("b 5 1"), "The boat would touch the carrier.");
        assert_eq!(said("b 5 2") + &said("b 7 0"), "");
        assert_eq!(said("b 7 3"), "All 2 ships boat are placed already; undo takes the last ship back.");
        assert!(said("c 1 1").contains("a ship is placed like this: carrier 0 3 east"));
        assert_eq!(said("frigate 1 1 n"), "'frigate' is not a ship; there are carrier, boat.");
        assert_eq!(said("c 0 0 up"), "'up' is not a direction; there are east, north, south, west.");
        assert!(said("help").contains("shortened: c a3 e"));
        assert_eq!(said("undo"), "");
    }
}
