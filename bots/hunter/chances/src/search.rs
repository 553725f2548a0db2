//! The search through the explanations: sets of places that cover each cell that was hit once, and explain each sinking.

use crate::facts::{Facts, NEVER, Sunk};
use crate::fleets::Tally;
use crate::random::Random;
use crate::{Effort, Layout, PlaceNumber};

/// The places that agree with the facts, and what each explains.
pub(crate) struct Problem<'a> {
    pub(crate) layout: &'a Layout,
    /// The hit cells, those with the fewest places first, each with the places that cover it.
    pub(crate) hits: Vec<(usize, Vec<PlaceNumber>)>,
    /// Sinkings of which the same is known, with their number and the places that explain one.
    pub(crate) sinkings: Vec<(usize, Vec<PlaceNumber>)>,
    /// The sinking that each place explains.
    pub(crate) sinking_of: Vec<Option<usize>>,
    /// The places of each kind that explain nothing.
    pub(crate) free: Vec<Vec<PlaceNumber>>,
}

impl<'a> Problem<'a> {
    pub(crate) fn new(layout: &'a Layout, facts: &Facts) -> Problem<'a> {
        let mut classes: Vec<(&Sunk, usize)> = Vec::new();
        for sunk in facts.sinkings.iter().flatten() {
            match classes.iter_mut().find(|(other, _)| *other == sunk) {
                Some((_, count)) => *count += 1,
                None => classes.push((sunk, 1)),
            }
        }
        let mut problem = Problem {
            layout,
            hits: Vec::new(),
            sinkings: classes.iter().map(|(_, count)| (*count, Vec::new())).collect(),
            sinking_of: vec![None; layout.all().len()],
            free: vec![Vec::new(); layout.kinds()],
        };
        let mut by_cell = vec![Vec::new(); layout.cells()];
        for (number, place) in layout.all().iter().enumerate() {
            let is_open = place.cells.iter().all(|cell| facts.is_open(place.kind, *cell));
            if !is_open || place.apart.iter().any(|cell| facts.occupied[*cell]) {
                continue;
            }
            let sank = facts.sank(place.kind, &place.cells);
            let sinking = classes.iter().position(|(sunk, _)| explains(sunk, place.kind, &place.cells, sank));
            if sank != NEVER && facts.sinkings.is_some() {
                let Some(sinking) = sinking else { continue };
                problem.sinking_of[number] = Some(sinking);
                problem.sinkings[sinking].1.push(number);
            }
            let hits = || place.cells.iter().filter(|cell| facts.occupied[**cell]);
            hits().for_each(|cell| by_cell[*cell].push(number));
            if hits().next().is_none() && problem.sinking_of[number].is_none() {
                problem.free[place.kind].push(number);
            }
        }
        let hits = (0..layout.cells()).filter(|cell| facts.occupied[*cell]);
        problem.hits = hits.map(|cell| (cell, std::mem::take(&mut by_cell[cell]))).collect();
        problem.hits.sort_by_key(|(_, places)| places.len());
        problem
    }

    /// True if the same places are left, and explain the same.
    pub(crate) fn leaves_the_same(&self, other: &Problem<'_>) -> bool {
        (&self.hits, &self.sinkings, &self.sinking_of, &self.free)
            == (&other.hits, &other.sinkings, &other.sinking_of, &other.free)
    }
}

/// True if a ship of the kind on these cells, of which the last was destroyed at `sank`, can be the one that was sunk.
fn explains(sunk: &Sunk, kind: usize, cells: &[usize], sank: u32) -> bool {
    sank != NEVER
        && sunk.time.is_none_or(|time| time == sank)
        && sunk.cell.is_none_or(|cell| cells.contains(&cell))
        && sunk.kinds.as_ref().is_none_or(|kinds| kinds.contains(&kind))
}

/// Ships on a board, some of the fleet.
pub(crate) struct Board<'a> {
    layout: &'a Layout,
    /// For each cell the number of ships that keep others out of it.
    taken: Vec<u8>,
    /// True for the cells of ships.
    covered: Vec<bool>,
    /// The number of ships of each kind that are not on the board yet.
    pub(crate) left: Vec<usize>,
    /// The places of the ships on the board.
    pub(crate) chosen: Vec<PlaceNumber>,
}

impl<'a> Board<'a> {
    pub(crate) fn new(layout: &'a Layout) -> Board<'a> {
        Board {
            layout,
            taken: vec![0; layout.cells()],
            covered: vec![false; layout.cells()],
            left: (0..layout.kinds()).map(|kind| layout.count(kind)).collect(),
            chosen: Vec::new(),
        }
    }

    /// True if no ship on the board keeps this one out.
    pub(crate) fn has_room(&self, place: PlaceNumber) -> bool {
        self.layout.all()[place].cells.iter().all(|cell| self.taken[*cell] == 0)
    }

    pub(crate) fn put(&mut self, number: PlaceNumber) {
        let place = &self.layout.all()[number];
        self.left[place.kind] -= 1;
        self.chosen.push(number);
        for cell in &place.cells {
            self.covered[*cell] = true;
            self.taken[*cell] += 1;
        }
        place.apart.iter().for_each(|cell| self.taken[*cell] += 1);
    }

    /// Takes the ship away that was put last.
    pub(crate) fn take_last(&mut self) {
        if let Some(number) = self.chosen.pop() {
            self.clear(number);
        }
    }

    /// Takes the ship away that was put as number `nth`, and leaves its entry among the chosen to [`Board::put_back`].
    pub(crate) fn lift(&mut self, nth: usize) -> PlaceNumber {
        let number = self.chosen[nth];
        self.clear(number);
        number
    }

    /// Puts a ship as number `nth`, from where one was lifted.
    pub(crate) fn put_back(&mut self, nth: usize, number: PlaceNumber) {
        self.put(number);
        self.chosen.pop();
        self.chosen[nth] = number;
    }

    fn clear(&mut self, number: PlaceNumber) {
        let place = &self.layout.all()[number];
        self.left[place.kind] += 1;
        for cell in &place.cells {
            self.covered[*cell] = false;
            self.taken[*cell] -= 1;
        }
        place.apart.iter().for_each(|cell| self.taken[*cell] -= 1);
    }
}

/// A search through explanations.
pub(crate) struct Search<'a> {
    pub(crate) problem: &'a Problem<'a>,
    pub(crate) board: Board<'a>,
    pub(crate) random: Random,
    pub(crate) effort: Effort,
    /// The number of sinkings of each class that are not explained yet.
    sinkings_left: Vec<usize>,
    /// The candidates of all steps that the search is in.
    candidates: Vec<PlaceNumber>,
    pub(crate) tally: Tally,
}

impl<'a> Search<'a> {
    pub(crate) fn new(problem: &'a Problem<'a>, effort: Effort, seed: u64) -> Search<'a> {
        Search {
            problem,
            board: Board::new(problem.layout),
            random: Random::new(seed),
            effort,
            sinkings_left: problem.sinkings.iter().map(|(count, _)| *count).collect(),
            candidates: Vec::new(),
            tally: Tally::new(problem, effort),
        }
    }

    /// Looks at all explanations of what is left to explain, or at so many of them. Each stands for `stands_for` ones.
    pub(crate) fn explain(&mut self, budget: usize, stands_for: f64) {
        let start = self.candidates.len();
        if !self.add_candidates() {
            self.place_the_rest(budget, stands_for);
            return;
        }
        let found = self.candidates.len() - start;
        let tried = found.min(budget);
        if tried < found {
            for nth in 0..tried {
                let other = nth + self.random.below(found - nth);
                self.candidates.swap(start + nth, start + other);
            }
        }
        for nth in start..start + tried {
            let place = self.candidates[nth];
            // Ships of a kind are told apart here, as they are where all are free.
            let alike = self.board.left[self.problem.layout.all()[place].kind] as f64;
            self.choose(place);
            self.explain((budget / tried).max(1), stands_for * alike * found as f64 / tried as f64);
            self.take_back(place);
        }
        self.candidates.truncate(start);
    }

    fn choose(&mut self, place: PlaceNumber) {
        self.board.put(place);
        self.problem.sinking_of[place].into_iter().for_each(|class| self.sinkings_left[class] -= 1);
    }

    fn take_back(&mut self, place: PlaceNumber) {
        self.board.take_last();
        self.problem.sinking_of[place].into_iter().for_each(|class| self.sinkings_left[class] += 1);
    }

    /// Adds the places one of which must be taken next: those for a sinking, else those for a hit. False if all is explained.
    fn add_candidates(&mut self) -> bool {
        let Search { problem, board, sinkings_left, candidates, .. } = self;
        let sinking = (0..sinkings_left.len()).find(|class| sinkings_left[*class] > 0);
        let places = match sinking {
            Some(class) => &problem.sinkings[class].1,
            None => match problem.hits.iter().find(|(cell, _)| !board.covered[*cell]) {
                Some((_, places)) => places,
                None => return false,
            },
        };
        let fits = |place: &&PlaceNumber| {
            board.left[problem.layout.all()[**place].kind] > 0
                && board.has_room(**place)
                && problem.sinking_of[**place].is_none_or(|class| sinkings_left[class] > 0)
        };
        candidates.extend(places.iter().filter(fits));
        true
    }

    /// Enumerates all fleets that agree, each once: all explanations, and for each all places of the other ships. False if that took more
    /// than so many steps.
    pub(crate) fn enumerate(&mut self, steps: &mut usize) -> bool {
        let start = self.candidates.len();
        let is_open = self.add_candidates();
        let mut is_done = true;
        if is_open {
            for nth in start..self.candidates.len() {
                let place = self.candidates[nth];
                self.choose(place);
                is_done = is_done
                    && steps.checked_sub(1).is_some_and(|left| {
                        *steps = left;
                        self.enumerate(steps)
                    });
                self.take_back(place);
            }
            self.candidates.truncate(start);
            return is_done;
        }
        self.enumerate_the_rest(0, 0, steps)
    }
}
