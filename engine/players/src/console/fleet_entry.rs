//! Placing a fleet ship by ship, from lines that a person types.

use super::input::{cell, choice, words};
use rules::{Direction, Grid, Mark, Point, Scene, Seat, straight};

/// The most letters of a line of ships that are left: what is before them must fit as well.
const MOST_OF_A_LINE: usize = 68;

/// A kind of ship, as a person places it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FleetShip {
    /// The name to type, in lower case.
    pub name: &'static str,
    /// The letter on boards.
    pub letter: char,
    /// The number of cells, 1 or more.
    pub length: u8,
}

/// A ship and where it lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlacedShip {
    /// The kind of the ship.
    pub ship: FleetShip,
    /// The first cell.
    pub start: Point,
    /// The direction of the other cells.
    pub direction: Direction,
}

impl PlacedShip {
    /// The cells, first to last; `None` stands for a cell beyond the end of coordinates.
    pub fn cells(&self) -> impl Iterator<Item = Option<Point>> + use<> {
        straight(self.start, self.direction, self.ship.length)
    }

    /// True if the ship lies in this cell.
    pub fn covers(&self, at: Point) -> bool {
        self.cells().any(|cell| cell == Some(at))
    }
}

/// A board, and the fleet to be placed on it.
#[derive(Debug, Clone)]
pub struct FleetPlan {
    /// The board.
    pub grid: Grid,
    /// All ships: a kind of which there are several is named several times, side by side.
    pub ships: Vec<FleetShip>,
    /// The words for directions, the usual one first.
    pub directions: Vec<(&'static str, Direction)>,
    /// True of two different cells that cannot belong to two ships.
    pub is_too_close: fn(Point, Point) -> bool,
    /// The line of the help about keys.
    pub keys: &'static str,
}

impl FleetPlan {
    /// The line of the help about keys at the console.
    pub(super) const KEYS: &'static str = "Ctrl-D               gives up";

    /// The words for directions on boards whose row 0 is at the bottom.
    pub fn compass() -> Vec<(&'static str, Direction)> {
        [Direction::East, Direction::North, Direction::South, Direction::West].map(|to| (to.name(), to)).into()
    }

    /// The ships that are not among those placed.
    fn left(&self, placed: &[PlacedShip]) -> Vec<FleetShip> {
        let mut left = self.ships.clone();
        for placed in placed {
            if let Some(at) = left.iter().position(|ship| *ship == placed.ship) {
                left.remove(at);
            }
        }
        left
    }

    /// The kinds of ships.
    fn kinds(&self) -> Vec<FleetShip> {
        let mut kinds = self.ships.clone();
        kinds.dedup();
        kinds
    }
}

/// A fleet that a person is placing. Nothing typed wrong costs a ship: it is explained.
///
/// ```
/// use players::{FleetEntry, FleetPlan, FleetShip};
///
/// let ships = vec![FleetShip { name: "carrier", letter: 'C', length: 5 }];
/// let grid = rules::Grid::new(7, 7);
/// let plan = FleetPlan { grid, ships, directions: FleetPlan::compass(), is_too_close: |_, _| false, keys: "" };
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
        let longest = self.plan.ships.iter().max_by_key(|ship| ship.length);
        let direction = self.plan.directions.first().map_or("", |(name, _)| *name);
        format!("{} 0 3 {direction}", longest.map_or("ship", |ship| ship.name))
    }

    /// The ships that are left, with their lengths, in lines for a screen of 80 columns.
    pub fn left(&self) -> String {
        let left = self.plan.left(&self.placed);
        let kinds = left.chunk_by(|one, next| one == next).map(|same| {
            let FleetShip { name, length, .. } = same[0];
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
        let kinds: Vec<(&str, FleetShip)> = self.plan.kinds().into_iter().map(|ship| (ship.name, ship)).collect();
        let ship = match choice(name, &kinds, "ship") {
            Ok(ship) => ship,
            Err(why) => return Some(Err(why)),
        };
        let direction = match rest {
            [] if ship.length == 1 => Ok(Direction::East),
            [direction] => choice(direction, &self.plan.directions, "direction"),
            _ => return None,
        };
        Some(start.and_then(|start| Ok(PlacedShip { ship, start, direction: direction? })))
    }

    /// The reason why this ship cannot be put down beside those that are; `None` if it can.
    fn mistake(&self, new: &PlacedShip) -> Option<String> {
        let FleetShip { name, length, .. } = new.ship;
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
            let cells = rules::counted(length.into(), "cell");
            return Some(format!("The {name} has {cells} and would run off the board, which goes from {end}."));
        };
        let others = || self.placed.iter();
        if let Some(hit) = others().find(|placed| cells.iter().any(|cell| placed.covers(*cell))) {
            return Some(format!("The {name} would lie on the {}.", hit.ship.name));
        }
        let touches = |placed: &&PlacedShip| {
            placed.cells().flatten().any(|other| cells.iter().any(|cell| (self.plan.is_too_close)(*cell, other)))
        };
        others().find(touches).map(|near| format!("The {name} would touch the {}.", near.ship.name))
    }

    fn help(&self) -> String {
        let kinds: Vec<&str> = self.plan.kinds().iter().map(|ship| ship.name).collect();
        let directions: Vec<&str> = self.plan.directions.iter().map(|(name, _)| *name).collect();
        format!(
            "\
  SHIP X Y DIRECTION   puts a ship down from column X, row Y on, e.g.: {}
                       ships: {}
                       directions: {}
  random               places all ships at random
  undo                 takes the last ship back
  {}
X Y can be typed as D3, too: column D is 3, because A is 0. Names may be shortened: {}",
            self.example(),
            kinds.join(" "),
            directions.join(" "),
            self.plan.keys,
            self.shortened_example()
        )
    }

    fn shortened_example(&self) -> String {
        let longest = self.plan.ships.iter().max_by_key(|ship| ship.length).map_or("", |ship| ship.name);
        let is_only =
            |end: &usize| self.plan.kinds().iter().filter(|ship| ship.name.starts_with(&longest[..*end])).count() == 1;
        let short = (1..=longest.len()).find(is_only).map_or(longest, |end| &longest[..end]);
        let direction = self.plan.directions.first().map_or("", |(name, _)| &name[..1]);
        format!("{short} a3 {direction}")
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

#[cfg(test)]
mod tests {
    use super::*;

    const CARRIER: FleetShip = FleetShip { name: "carrier", letter: 'C', length: 5 };
    const BOAT: FleetShip = FleetShip { name: "boat", letter: 'B', length: 1 };

    fn entry() -> FleetEntry {
        let is_too_close = |one: Point, other: Point| (one.x - other.x).abs() <= 1 && (one.y - other.y).abs() <= 1;
        let ships = vec![CARRIER, BOAT, BOAT];
        FleetEntry::new(FleetPlan {
            grid: Grid::new(8, 4),
            ships,
            directions: FleetPlan::compass(),
            is_too_close,
            keys: "",
        })
    }

    #[test]
    fn ships_may_be_typed_in_all_ways_and_shortened() {
        let want = PlacedShip { ship: CARRIER, start: Point::new(0, 3), direction: Direction::East };
        for line in ["carrier 0 3 east", "ca 0 3 e", " CA  0,3 E", "carrier A3 east"] {
            let mut entry = entry();
            assert_eq!(entry.take(line, || None), None);
            assert_eq!(entry.placed(), [want], "{line}");
        }
        let mut entry = entry();
        assert_eq!(entry.left(), "carrier (5), 2 x boat (1)");
        assert_eq!(entry.take("boat c2", || None), None, "a ship of one cell has no direction");
        assert_eq!(entry.take("random", || Some(vec![want])), None);
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
