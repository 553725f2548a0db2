//! A board as hunt and target looks at it: where ships that are afloat may lie, and where they were hit.

use rules::battleship::{Known, Rules, Shot, ShotResult, Sinking, View};
use rules::{Cells, Grid, Point, Seat};
use std::collections::{HashMap, HashSet};

/// A board at which a player may fire, as it knows it.
pub(super) struct Chart<'a> {
    at: Seat,
    rules: &'a Rules,
    grid: Grid,
    known: &'a [Known],
    /// True for the cells in which a ship may lie that is afloat.
    open: Vec<bool>,
    /// The numbers of the ships that may be afloat, in [`Rules::ships`].
    afloat: Vec<usize>,
}

impl<'a> Chart<'a> {
    /// The boards at which the player of the view may fire.
    pub(super) fn all(view: &'a View) -> Vec<Chart<'a>> {
        let missed = missed(view);
        view.targets().map(|at| Chart::new(view, at, &missed)).collect()
    }

    fn new(view: &'a View, at: Seat, missed: &HashSet<(Seat, u32)>) -> Chart<'a> {
        let (rules, known) = (&view.rules, &view.boards[at].cells[..]);
        let open = known.iter().map(|known| !matches!(known, Known::Water | Known::Miss)).collect();
        let afloat = (0..rules.ships().len()).collect();
        let mut chart = Chart { at, rules, grid: rules.grid(), known, open, afloat };
        chart.remove_sunk(view);
        for shot in shots(view).filter(|shot| shot.at == at && missed.contains(&(shot.by, shot.turn))) {
            if let Some(index) = chart.grid.index(shot.cell).filter(|index| known[*index] == Known::Shot) {
                chart.open[index] = false;
            }
        }
        chart
    }

    /// The owner of the board.
    pub(super) fn owner(&self) -> Seat {
        self.at
    }

    /// The knowledge of a cell; that of water off the board.
    pub(super) fn known(&self, cell: Point) -> Known {
        self.grid.index(cell).map_or(Known::Water, |index| self.known[index])
    }

    /// True if a ship that is afloat may lie in the cell.
    pub(super) fn is_open(&self, cell: Point) -> bool {
        self.grid.index(cell).is_some_and(|index| self.open[index])
    }

    /// True if a ship that is afloat was hit in the cell, or may have been.
    pub(super) fn is_hit(&self, cell: Point) -> bool {
        self.is_open(cell) && self.known(cell) != Known::Unknown
    }

    /// The cells of the shortest ship that may be afloat.
    pub(super) fn shortest(&self) -> Option<i32> {
        self.afloat.iter().map(|ship| self.rules.ships()[*ship].shape.size() as i32).min()
    }

    /// Takes ships away that are sunk. Where their cells are not told, they are found among those that were destroyed: first the ships
    /// for which there is the least choice.
    fn remove_sunk(&mut self, view: &View) {
        let mut destroyed = HashMap::new();
        let mut last: HashMap<(Seat, u32), Vec<Point>> = HashMap::new();
        for shot in shots(view).filter(|shot| shot.at == self.at) {
            if matches!(shot.result, ShotResult::Hit | ShotResult::Sunk) {
                destroyed.entry(shot.cell).or_insert(shot.turn);
            }
            if shot.result == ShotResult::Sunk {
                last.entry((shot.by, shot.turn)).or_default().insert(0, shot.cell);
            }
        }
        let mut unfound = Vec::new();
        let at = self.at;
        for sinking in view.sunk.iter().filter(|sinking| sinking.at == at) {
            let last = last.get_mut(&(sinking.by, sinking.turn)).and_then(Vec::pop);
            if !sinking.cells.is_empty() {
                let ship = self.afloat.iter().find(|ship| self.can_be(**ship, sinking)).copied();
                self.take_away(ship, &sinking.cells);
            } else if let Some(last) = last {
                unfound.push((sinking, last));
            } else if sinking.size.is_some() {
                let ship = self.afloat.iter().find(|ship| self.can_be(**ship, sinking)).copied();
                self.take_away(ship, &[]);
            }
        }
        while !unfound.is_empty() {
            let places = unfound.iter().map(|(sinking, last)| self.sunk_places(sinking, *last, &destroyed)).enumerate();
            let Some((nth, places)) = places.min_by_key(|(_, places)| places.len().wrapping_sub(1)) else { return };
            let (sinking, _) = unfound.swap_remove(nth);
            let largest = places.into_iter().max_by_key(|(_, cells)| cells.len());
            match largest {
                Some((ship, cells)) => self.take_away(Some(ship), &cells),
                None => {
                    let ship = self.afloat.iter().find(|ship| sinking.size.is_some() && self.can_be(**ship, sinking));
                    self.take_away(ship.copied(), &[]);
                }
            }
        }
    }

    /// True if a ship can be that which was sunk.
    fn can_be(&self, ship: usize, sinking: &Sinking) -> bool {
        let of = &self.rules.ships()[ship];
        let is_size = |size: u32| of.shape.size() as u32 == size;
        sinking.size.is_none_or(is_size) && sinking.kind.is_none_or(|kind| kind == of.kind)
    }

    /// The places where a ship that sank by a shot at `last` may lie, of cells that were destroyed by then.
    fn sunk_places(&self, sinking: &Sinking, last: Point, destroyed: &HashMap<Point, u32>) -> Vec<(usize, Vec<Point>)> {
        let is_in = |cell: &Point| self.is_open(*cell) && destroyed.get(cell).is_some_and(|turn| *turn <= sinking.turn);
        let mut places = Vec::new();
        let mut kinds = Vec::new();
        for &ship in self.afloat.iter().filter(|ship| self.can_be(**ship, sinking)) {
            let of = &self.rules.ships()[ship];
            if kinds.contains(&of.kind) {
                continue;
            }
            kinds.push(of.kind);
            for way in of.shape.ways() {
                let starts = way.iter().map(|step| less(last, *step));
                let cells = starts.map(|start| way.iter().map(|step| sum(start, *step)).collect::<Vec<_>>());
                places.extend(cells.filter(|cells| cells.iter().all(is_in)).map(|cells| (ship, cells)));
            }
        }
        places
    }

    /// Takes a ship away that is sunk, with its cells and those around in which no other can be.
    fn take_away(&mut self, ship: Option<usize>, cells: &[Point]) {
        self.afloat.retain(|other| Some(*other) != ship);
        for index in self.rules.kept_free(&Cells::of(self.grid, cells)).iter().filter_map(|cell| self.grid.index(cell))
        {
            self.open[index] = false;
        }
    }
}

/// All shots that the player of the view knows.
fn shots(view: &View) -> impl Iterator<Item = &Shot> {
    view.fired.iter().flat_map(|(_, fired)| fired.iter())
}

/// The moves of which only the number of hits is told, and of which all hits are known: their other shots have missed.
fn missed(view: &View) -> HashSet<(Seat, u32)> {
    let grid = view.rules.grid();
    let mut unknown: HashMap<(Seat, u32), u32> =
        view.hits.iter().map(|hits| ((hits.by, hits.turn), hits.hits)).collect();
    for shot in shots(view).filter(|_| !view.hits.is_empty()) {
        let known = grid.index(shot.cell).map(|index| view.boards[shot.at].cells[index]);
        if let (Some(Known::Ship | Known::Sunk), Some(hits)) = (known, unknown.get_mut(&(shot.by, shot.turn))) {
            *hits = hits.saturating_sub(1);
        }
    }
    unknown.into_iter().filter(|(_, hits)| *hits == 0).map(|(of, _)| of).collect()
}

fn sum(one: Point, other: Point) -> Point {
    Point { x: one.x + other.x, y: one.y + other.y }
}

fn less(one: Point, other: Point) -> Point {
    Point { x: one.x - other.x, y: one.y - other.y }
}
