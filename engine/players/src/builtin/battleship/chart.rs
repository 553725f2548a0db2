//! A board as a player knows it: where ships that are afloat may lie.

use rules::battleship::{Known, Rules, Shot, ShotResult, Sinking, Target, ToldSunk, Touching, View};
use rules::{Cells, Grid, Point, Seat};
use std::collections::HashMap;

/// The factor by which a cell that is surely a part of a ship afloat makes a place of a ship likelier.
const DRAW: f64 = 40.0;

/// A board at which a player may fire, as it knows it.
pub(super) struct Chart<'a> {
    at: Seat,
    rules: &'a Rules,
    grid: Grid,
    known: &'a [Known],
    /// For each cell the factor by which it makes a place of a ship likelier: 1 if nothing is known, and 0 where no ship afloat lies.
    factors: Vec<f64>,
    /// The numbers of the ships that may be afloat, in [`Rules::ships`].
    afloat: Vec<usize>,
    /// True if ships may not touch.
    keeps_distance: bool,
    /// True if it is told that a ship sank.
    tells_sinkings: bool,
}

impl<'a> Chart<'a> {
    /// The boards at which the player of the view may fire.
    pub(super) fn all(view: &'a View) -> Vec<Chart<'a>> {
        let shares = shares(view);
        view.targets().map(|at| Chart::new(view, at, &shares)).collect()
    }

    fn new(view: &'a View, at: Seat, shares: &HashMap<(Seat, u32), f64>) -> Chart<'a> {
        let (rules, known) = (&view.rules, &view.boards[at].cells[..]);
        let factor = |known: &Known| match known {
            Known::Unknown => 1.0,
            Known::Ship | Known::Shot | Known::Damaged | Known::Hit | Known::Sunk => DRAW,
            Known::Water | Known::Miss => 0.0,
        };
        let factors = known.iter().map(factor).collect();
        let mut chart = Chart {
            at,
            rules,
            grid: rules.grid(),
            known,
            factors,
            afloat: (0..rules.ships().len()).collect(),
            keeps_distance: rules.choices().touching != Touching::Allowed,
            tells_sinkings: rules.choices().told.sunk != ToldSunk::Nothing,
        };
        chart.remove_sunk(view);
        chart.divide_totals(view, shares);
        chart.hear_sonars(view);
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

    /// The factor by which a cell makes a place of a ship likelier.
    fn factor(&self, cell: Point) -> f64 {
        self.grid.index(cell).map_or(0.0, |index| self.factors[index])
    }

    /// True if a ship that is afloat may lie in the cell.
    pub(super) fn is_open(&self, cell: Point) -> bool {
        self.factor(cell) > 0.0
    }

    /// True if a ship that is afloat was hit in the cell, or may have been.
    pub(super) fn is_hit(&self, cell: Point) -> bool {
        self.is_open(cell) && self.known(cell) != Known::Unknown
    }

    /// True if a ship that is afloat was hit in the cell for certain.
    fn is_surely_hit(&self, cell: Point) -> bool {
        self.is_hit(cell) && self.known(cell) != Known::Shot
    }

    /// True if a shot in the cell may hit, and is no mistake.
    fn is_left(&self, known: Known) -> bool {
        !(known.is_spent() || known == Known::Shot && self.rules.most_armour() == 1)
    }

    /// The cells in which a shot may hit.
    pub(super) fn left(&self) -> impl Iterator<Item = Target> {
        let cells = self.grid.points().zip(self.known).filter(|(_, known)| self.is_left(**known));
        cells.map(|(cell, _)| Target { at: Some(self.at), cell })
    }

    /// The cells of the shortest ship that may be afloat.
    pub(super) fn shortest(&self) -> Option<i32> {
        self.afloat.iter().map(|ship| self.rules.ships()[*ship].shape.size() as i32).min()
    }

    /// The number of ships that are expected in each cell: each ship lies at one of its places, each as likely as its cells make it.
    pub(super) fn expected(&self) -> Vec<f64> {
        let mut expected = vec![0.0; self.grid.len()];
        let (mut plain, mut hits) = (Cells::none(self.grid), Cells::none(self.grid));
        for (cell, factor) in self.grid.points().zip(&self.factors) {
            if *factor == 1.0 {
                plain.insert(cell);
            }
            if self.is_surely_hit(cell) {
                hits.insert(cell);
            }
        }
        // Only the ship that was hit there touches a hit, where ships do not touch.
        plain.remove_all(&self.rules.kept_free(&hits));
        let special: Vec<Point> = self.grid.points().filter(|cell| ![0.0, 1.0].contains(&self.factor(*cell))).collect();
        let mut nth = 0;
        while let Some(&ship) = self.afloat.get(nth) {
            let of = &self.rules.ships()[ship];
            let count =
                self.afloat[nth..].iter().take_while(|other| self.rules.ships()[**other].kind == of.kind).count();
            nth += count;
            let mut places: Vec<(f64, Point, &[Point])> = Vec::new();
            for way in of.shape.ways() {
                places.extend(plain.places(way).iter().map(|start| (1.0, start, &way[..])));
                let starts = special.iter().flat_map(|cell| way.iter().map(move |step| less(*cell, *step)));
                places.extend(starts.map(|start| (self.weight(start, way), start, &way[..])));
            }
            let total: f64 = places.iter().map(|(weight, ..)| weight).sum();
            for (weight, start, way) in places.into_iter().filter(|(weight, ..)| *weight > 0.0) {
                let share = weight / total * count as f64;
                let cells = way.iter().filter_map(|step| self.grid.index(sum(start, *step)));
                cells.for_each(|index| expected[index] += share);
            }
        }
        expected
    }

    /// The weight of a place that has special cells, divided among these: the place is found for each of them.
    fn weight(&self, start: Point, way: &[Point]) -> f64 {
        let (mut weight, mut special, mut is_destroyed) = (1.0, 0, self.tells_sinkings);
        for step in way {
            let Some(index) = self.grid.index(sum(start, *step)) else { return 0.0 };
            let factor = self.factors[index];
            if factor == 0.0 {
                return 0.0;
            }
            weight *= factor;
            special += i32::from(factor != 1.0);
            is_destroyed &= matches!(self.known[index], Known::Hit | Known::Sunk);
        }
        // A ship of which all is destroyed is sunk. Where ships do not touch, that which was hit beside it is a part of it.
        if is_destroyed || self.keeps_distance && self.touches_hit(start, way) {
            return 0.0;
        }
        weight / f64::from(special)
    }

    /// True if a ship at this place touches a hit that is no part of it.
    fn touches_hit(&self, start: Point, way: &[Point]) -> bool {
        let cells: Vec<Point> = way.iter().map(|step| sum(start, *step)).collect();
        let own = Cells::of(self.grid, &cells);
        self.rules.kept_free(&own).iter().any(|cell| !own.contains(cell) && self.is_surely_hit(cell))
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
            self.factors[index] = 0.0;
        }
    }

    /// Makes a shot of which only the number of hits of its move is told as likely a hit as its share of these.
    fn divide_totals(&mut self, view: &View, shares: &HashMap<(Seat, u32), f64>) {
        for shot in shots(view).filter(|shot| shot.at == self.at && !shares.is_empty()) {
            let index = self.grid.index(shot.cell).filter(|index| self.known[*index] == Known::Shot);
            if let (Some(index), Some(share)) = (index, shares.get(&(shot.by, shot.turn))) {
                self.factors[index] = self.factors[index].min(share * DRAW);
            }
        }
    }

    /// Learns from sonars: nothing is nearer than they tell, and something is at that distance.
    fn hear_sonars(&mut self, view: &View) {
        let heard = || view.found.iter().filter(|found| found.at == self.at);
        let heard: Vec<(Point, u32)> = heard().filter_map(|found| Some((found.aim, found.distance?))).collect();
        let steps = |cell: Point, aim: Point| cell.x.abs_diff(aim.x) + cell.y.abs_diff(aim.y);
        for (nth, cell) in self.grid.points().enumerate().filter(|(nth, _)| self.known[*nth] == Known::Unknown) {
            if heard.iter().any(|(aim, distance)| steps(cell, *aim) < *distance) {
                self.factors[nth] = 0.0;
            }
        }
        for (aim, distance) in heard {
            let ring = self.grid.points().enumerate().filter(|(_, cell)| steps(*cell, aim) == distance);
            let mut ring: Vec<usize> = ring.map(|(nth, _)| nth).collect();
            if ring.iter().all(|nth| matches!(self.known[*nth], Known::Unknown | Known::Water | Known::Miss)) {
                ring.retain(|nth| self.factors[*nth] > 0.0);
                let share = DRAW / ring.len() as f64;
                ring.into_iter().for_each(|nth| self.factors[nth] = self.factors[nth].max(share));
            }
        }
    }

    /// Notes that a shot will fall at a cell, so that others of the same move are spread.
    pub(super) fn note_shot(&mut self, cell: Point, factor: f64) {
        if let Some(index) = self.grid.index(cell) {
            self.factors[index] *= factor;
        }
    }
}

/// All shots that the player of the view knows.
fn shots(view: &View) -> impl Iterator<Item = &Shot> {
    view.fired.iter().flat_map(|(_, fired)| fired.iter())
}

/// The share of hits among the shots of each move of which nothing but the number of hits is told.
fn shares(view: &View) -> HashMap<(Seat, u32), f64> {
    let grid = view.rules.grid();
    // The numbers of shots of each move that have hit for certain, and of those that may have.
    let mut moves: HashMap<(Seat, u32), (u32, u32)> = HashMap::new();
    for shot in shots(view).filter(|_| !view.hits.is_empty()) {
        let (hits, open) = moves.entry((shot.by, shot.turn)).or_default();
        match grid.index(shot.cell).map(|index| view.boards[shot.at].cells[index]) {
            Some(Known::Ship | Known::Sunk) => *hits += 1,
            Some(Known::Shot) => *open += 1,
            _ => {}
        }
    }
    let share = |total: u32, (hits, open): (u32, u32)| f64::from(total.saturating_sub(hits)) / f64::from(open.max(1));
    let shares = view.hits.iter().map(|hits| ((hits.by, hits.turn), hits.hits));
    shares.filter_map(|(of, total)| Some((of, share(total, *moves.get(&of)?).min(1.0)))).collect()
}

fn sum(one: Point, other: Point) -> Point {
    Point { x: one.x + other.x, y: one.y + other.y }
}

fn less(one: Point, other: Point) -> Point {
    Point { x: one.x - other.x, y: one.y - other.y }
}
