//! The strategy of the hunter: it fires where most ships are expected.

use super::chart::Chart;
use rand::seq::IndexedRandom;
use rules::battleship::{Known, Order, SpecialKind, Target, View};
use rules::{Point, Random};

/// The factor for a cell at which an earlier shot of the same move falls: less than 1, so that shots are spread.
const PENDING: f64 = 0.4;
/// The number of times in a move that expectations are counted anew.
const COUNTS: usize = 8;
/// The most cells of areas that are looked at for one special action.
const MOST_LOOKED_AT: usize = 200_000;

/// A move of the hunter.
pub(super) struct Hunter<'a> {
    view: &'a View,
    random: &'a mut Random,
    /// The boards, each with the number of ships that are expected in each cell.
    boards: Vec<(Chart<'a>, Vec<f64>)>,
}

/// The special actions that the player may take, as far as it knows, by their numbers in the rules.
pub(super) fn usable(view: &View) -> impl Iterator<Item = usize> {
    let specials = view.rules.choices().specials.iter().enumerate();
    let usable = specials.filter(|(nth, special)| {
        view.uses[*nth] > 0 && special.needs.as_ref().is_none_or(|needed| is_afloat(view, needed))
    });
    usable.map(|(nth, _)| nth)
}

/// True if the player knows that one of its own ships of this kind is afloat.
fn is_afloat(view: &View, kind: &str) -> bool {
    let others = view.fired.iter().filter(|(seat, _)| *seat != view.seat).flat_map(|(_, fired)| fired.iter());
    let at_own: Vec<Point> = others.filter(|shot| shot.at == view.seat).map(|shot| shot.cell).collect();
    let ships = view.rules.ships().iter().zip(view.fleet.iter().flatten());
    let is_left = |(cell, armour): (&Point, u8)| at_own.iter().filter(|at| *at == cell).count() < usize::from(armour);
    let mut of_kind = ships.filter(|(of, _)| *of.name == *kind);
    view.rules.choices().seen && of_kind.any(|(of, cells)| cells.iter().any(|cell| is_left((cell, of.armour))))
}

impl<'a> Hunter<'a> {
    pub(super) fn new(view: &'a View, random: &'a mut Random) -> Hunter<'a> {
        let boards = Chart::all(view).into_iter().map(|chart| {
            let expected = chart.expected();
            (chart, expected)
        });
        let boards = boards.collect();
        Hunter { view, random, boards }
    }

    /// The best order. It has no shots if there is nothing left to fire at.
    pub(super) fn order(mut self) -> Order {
        let first: Vec<Vec<f64>> = self.boards.iter().map(|(_, expected)| expected.clone()).collect();
        let (shots, hits) = self.shots();
        self.boards.iter_mut().zip(first).for_each(|((_, expected), first)| *expected = first);
        self.special(hits, shots.len()).unwrap_or(Order::Fire(shots))
    }

    /// The best shots, and the number of hits that are expected of them.
    fn shots(&mut self) -> (Vec<Target>, f64) {
        let (grid, wanted) = (self.view.rules.grid(), self.view.shots as usize);
        let at_once = wanted.div_ceil(COUNTS);
        let (mut shots, mut hits): (Vec<Target>, f64) = (Vec::new(), 0.0);
        while shots.len() < wanted {
            let cells = self.boards.iter().enumerate().flat_map(|(nth, (chart, expected))| {
                let cells = chart.left().filter(|cell| !shots.contains(cell));
                cells.map(move |cell| (nth, cell, expected[grid.index(cell.cell).unwrap_or(0)]))
            });
            let mut cells: Vec<(usize, Target, f64)> = cells.collect();
            if cells.is_empty() {
                break;
            }
            let mut fired_at = Vec::new();
            for _ in 0..at_once.min(wanted - shots.len()).min(cells.len()) {
                let most = cells.iter().map(|(_, _, expected)| *expected).fold(0.0, f64::max);
                let equal: Vec<usize> = (0..cells.len()).filter(|nth| cells[*nth].2 >= most * 0.999).collect();
                let Some(&best) = equal.choose(self.random) else { break };
                let (board, shot, expected) = cells.swap_remove(best);
                shots.push(shot);
                hits += expected.min(1.0);
                self.boards[board].0.note_shot(shot.cell, PENDING);
                fired_at.push(board);
            }
            fired_at.dedup();
            for board in fired_at.into_iter().filter(|_| shots.len() < wanted) {
                let (chart, expected) = &mut self.boards[board];
                *expected = chart.expected();
            }
        }
        (shots, hits)
    }

    /// A special action that is worth more than `shots` shots of which so many hits are expected.
    fn special(&mut self, hits: f64, shots: usize) -> Option<Order> {
        let usable: Vec<usize> = usable(self.view).collect();
        for special in usable {
            let kind = self.view.rules.choices().specials[special].kind;
            let is_searching = hits < 0.5 * shots as f64;
            let (worth, aim) = self.best_aim(special, kind)?;
            let is_best = match kind {
                SpecialKind::AreaShot => worth > hits,
                SpecialKind::Radar => is_searching && worth > 2.0 * hits,
                SpecialKind::Sonar => is_searching && shots < 3,
            };
            if is_best {
                let name = self.view.rules.choices().specials[special].name.clone();
                return Some(Order::Use { special: name, aim });
            }
        }
        None
    }

    /// The aim of a special action in whose area most ships are expected, with their number.
    fn best_aim(&mut self, special: usize, kind: SpecialKind) -> Option<(f64, Target)> {
        let (rules, grid) = (&self.view.rules, self.view.rules.grid());
        let mut best: Option<(f64, Target)> = None;
        for (chart, expected) in &self.boards {
            let left: Vec<Point> = chart.left().map(|shot| shot.cell).collect();
            let mut worths = vec![0.0; grid.len()];
            for &cell in
                left.iter().filter(|cell| kind == SpecialKind::AreaShot || chart.known(**cell) == Known::Unknown)
            {
                grid.index(cell).into_iter().for_each(|index| worths[index] = f64::min(expected[index], 1.0));
            }
            let area = rules.area_at(special, Point { x: grid.width() / 2, y: grid.height() / 2 }).count();
            let aims: Vec<Point> = grid.points().collect();
            for &aim in aims.sample(self.random, MOST_LOOKED_AT / area.max(1)) {
                let aimed_at = (kind == SpecialKind::Sonar).then_some(aim);
                let cells = rules.area_at(special, aim).chain(aimed_at).filter_map(|cell| grid.index(cell));
                let worth: f64 = cells.map(|index| worths[index]).sum();
                if best.is_none_or(|(most, _)| worth > most) {
                    best = Some((worth, Target { at: Some(chart.owner()), cell: aim }));
                }
            }
        }
        best
    }
}
