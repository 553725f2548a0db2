//! The knowledge of the opponent's board.

use crate::wire::Cell;

/// A kind of ship.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ship {
    /// The number of its cells.
    pub length: i32,
    /// True if each cell takes two hits.
    pub has_armour: bool,
    /// True if radar does not see it.
    pub is_stealthy: bool,
}

impl Ship {
    /// A ship of this length with nothing special.
    pub const fn plain(length: i32) -> Ship {
        Ship { length, has_armour: false, is_stealthy: false }
    }
}

/// A board without anything on it, and how ships may lie there.
#[derive(Debug, Clone, Copy)]
pub struct Waters {
    /// The number of columns.
    pub width: i32,
    /// The number of rows.
    pub height: i32,
    /// True if two ships may lie side by side.
    pub ships_may_touch: bool,
}

impl Waters {
    /// All cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        (0..self.height).flat_map(move |y| (0..self.width).map(move |x| Cell { x, y }))
    }

    /// The place of a cell in [`Waters::cells`], if it is on the board.
    pub fn index(self, cell: Cell) -> Option<usize> {
        let is_inside = (0..self.width).contains(&cell.x) && (0..self.height).contains(&cell.y);
        is_inside.then(|| (cell.y * self.width + cell.x) as usize)
    }

    /// All places where a ship of this length can lie.
    pub fn places(self, length: i32) -> impl Iterator<Item = Vec<Cell>> {
        let steps: &[(i32, i32)] = if length == 1 { &[(1, 0)] } else { &[(1, 0), (0, 1)] };
        let starts = self.cells().flat_map(move |start| steps.iter().map(move |step| (start, *step)));
        let places = starts.map(move |(start, (dx, dy))| -> Vec<Cell> {
            (0..length).map(|nth| Cell { x: start.x + nth * dx, y: start.y + nth * dy }).collect()
        });
        places.filter(move |cells| cells.last().is_some_and(|last| self.index(*last).is_some()))
    }
}

/// A cell and the eight around it, on the board or not.
pub(crate) fn around(cell: Cell) -> impl Iterator<Item = Cell> {
    (-1..=1).flat_map(move |dy| (-1..=1).map(move |dx| Cell { x: cell.x + dx, y: cell.y + dy }))
}

/// The finding of a shot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// Nothing that was left to hit.
    Nothing,
    /// A ship that still floats.
    Ship,
    /// The last cell of a ship.
    LastOfShip,
}

/// The state of a cell as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Unknown,
    Water,
    /// Hit once, and nothing else is known.
    Hit,
    /// Hit, and a second shot found nothing: there was no armour.
    HitWithoutArmour,
    /// Hit twice: there was armour.
    HitThroughArmour,
    Sunk,
}

impl Mark {
    /// True if a ship that is afloat was hit here.
    pub(crate) fn is_wound(self) -> bool {
        matches!(self, Mark::Hit | Mark::HitWithoutArmour | Mark::HitThroughArmour)
    }
}

/// The knowledge of the opponent's board.
#[derive(Debug, Clone)]
pub struct Chart {
    pub(crate) waters: Waters,
    /// The kinds of ships, and how many of each are afloat.
    pub(crate) afloat: Vec<(Ship, usize)>,
    marks: Vec<Mark>,
    /// True if radar saw a ship there; `None` where it did not look.
    radar: Vec<Option<bool>>,
}

impl Chart {
    /// Nothing is known but which ships there are.
    pub fn new(waters: Waters, fleet: impl IntoIterator<Item = (Ship, usize)>) -> Chart {
        let cells = waters.cells().count();
        Chart {
            waters,
            afloat: fleet.into_iter().collect(),
            marks: vec![Mark::Unknown; cells],
            radar: vec![None; cells],
        }
    }

    /// The state of a cell as far as it is known; off the board there is water.
    pub(crate) fn mark(&self, cell: Cell) -> Mark {
        self.waters.index(cell).map_or(Mark::Water, |at| self.marks[at])
    }

    /// True if radar saw a ship in a cell; `None` where it did not look.
    pub(crate) fn radar(&self, cell: Cell) -> Option<bool> {
        self.waters.index(cell).and_then(|at| self.radar[at])
    }

    fn set(&mut self, cell: Cell, mark: Mark) {
        if let Some(at) = self.waters.index(cell) {
            self.marks[at] = mark;
        }
    }

    /// True if a ship is known of that is not sunk.
    pub fn has_prey(&self) -> bool {
        let is_prey = |cell| match self.mark(cell) {
            Mark::Unknown => self.radar(cell) == Some(true),
            mark => mark.is_wound(),
        };
        self.waters.cells().any(is_prey)
    }

    /// The first cell of which nothing is known.
    pub fn first_unknown(&self) -> Option<Cell> {
        self.waters.cells().find(|cell| self.mark(*cell) == Mark::Unknown)
    }

    /// Radar showed these cells of ships around a centre.
    pub fn scanned(&mut self, centre: Cell, visible: &[Cell]) {
        for cell in around(centre) {
            if let Some(at) = self.waters.index(cell) {
                self.radar[at] = Some(visible.contains(&cell));
            }
        }
    }

    /// A shot fell in a cell.
    pub fn fired(&mut self, cell: Cell, found: Found) {
        match (found, self.mark(cell)) {
            (Found::Nothing, Mark::Unknown) => self.set(cell, Mark::Water),
            (Found::Nothing, Mark::Hit) => self.set(cell, Mark::HitWithoutArmour),
            (Found::Nothing, _) => {}
            (Found::Ship, Mark::Hit) => self.set(cell, Mark::HitThroughArmour),
            (Found::Ship, _) => self.set(cell, Mark::Hit),
            (Found::LastOfShip, before) => {
                self.set(cell, if before == Mark::Hit { Mark::HitThroughArmour } else { Mark::Hit });
                self.sank(cell);
            }
        }
    }

    /// The last cell of a ship was hit: the ship is the line of wounds through it.
    fn sank(&mut self, last: Cell) {
        let lines = [(1, 0), (0, 1)].map(|step| self.wounds_along(last, step));
        // Ships that touch may make a line longer than any ship; then the other line is the ship.
        let is_ship = |line: &&Vec<Cell>| self.afloat.iter().any(|(ship, _)| ship.length == line.len() as i32);
        let longest = lines.iter().filter(is_ship).max_by_key(|line| line.len());
        let cells = longest.or(lines.iter().min_by_key(|line| line.len())).cloned().unwrap_or_default();
        self.strike_off(&cells);
        for &cell in &cells {
            self.set(cell, Mark::Sunk);
            if !self.waters.ships_may_touch {
                for near in around(cell).filter(|near| self.mark(*near) == Mark::Unknown).collect::<Vec<_>>() {
                    self.set(near, Mark::Water);
                }
            }
        }
    }

    fn wounds_along(&self, cell: Cell, (dx, dy): (i32, i32)) -> Vec<Cell> {
        let walk = |sign: i32| {
            let steps = (1..).map(move |nth| Cell { x: cell.x + sign * nth * dx, y: cell.y + sign * nth * dy });
            steps.take_while(|cell| self.mark(*cell).is_wound())
        };
        walk(-1).chain([cell]).chain(walk(1)).collect()
    }

    /// One ship of this kind is no longer afloat.
    fn strike_off(&mut self, cells: &[Cell]) {
        let armour = cells.iter().any(|cell| self.mark(*cell) == Mark::HitThroughArmour);
        let seen = cells.iter().find_map(|cell| self.radar(*cell));
        let is_this = |ship: &Ship| ship.length == cells.len() as i32 && ship.has_armour == armour;
        let agrees = |ship: &Ship| seen.is_none_or(|seen| seen != ship.is_stealthy);
        let struck = self.afloat.iter().position(|(ship, count)| *count > 0 && is_this(ship) && agrees(ship));
        if let Some(at) = struck.or_else(|| self.afloat.iter().position(|(ship, count)| *count > 0 && is_this(ship))) {
            self.afloat[at].1 -= 1;
        }
    }
}
