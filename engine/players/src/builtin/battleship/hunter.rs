//! The strategy of the hunter: it fires where hits are most likely.

use super::left;
use analysis::battleship::facts_of_board;
use analysis::{Chances, Effort, Layout};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rules::battleship::{Known, Order, SpecialKind, Target, View};
use rules::{Point, Random, Seat};

/// The most cells of areas that are looked at for one special action.
const MOST_LOOKED_AT: usize = 200_000;

/// A move of the hunter.
pub(super) struct Hunter<'a> {
    view: &'a View,
    random: &'a mut Random,
    /// The boards, each with the chance of a hit in each cell.
    boards: Vec<(Seat, Vec<f64>)>,
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
    /// A move by this view. `layout` is that of each board.
    pub(super) fn new(view: &'a View, layout: &Layout, random: &'a mut Random) -> Hunter<'a> {
        let boards = view.targets().map(|owner| {
            let facts = facts_of_board(view, owner, layout);
            (owner, Chances::of(layout, &facts, Effort::QUICK, random.random()).hits(layout, &facts))
        });
        Hunter { boards: boards.collect(), view, random }
    }

    /// The best order. It has no shots if there is nothing left to fire at.
    pub(super) fn order(mut self) -> Order {
        let (shots, hits) = self.shots();
        self.special(hits, shots.len()).unwrap_or(Order::Fire(shots))
    }

    /// The best shots, and the number of hits that are expected of them.
    pub(super) fn shots(&mut self) -> (Vec<Target>, f64) {
        let (view, grid) = (self.view, self.view.rules.grid());
        let cells = self.boards.iter().flat_map(|(owner, chances)| {
            left(view, *owner).map(move |shot| (shot, grid.index(shot.cell).map_or(0.0, |index| chances[index])))
        });
        let mut cells: Vec<(Target, f64)> = cells.collect();
        let (mut shots, mut hits) = (Vec::new(), 0.0);
        while shots.len() < view.shots as usize {
            let most = cells.iter().map(|(_, chance)| *chance).fold(0.0, f64::max);
            let equal: Vec<usize> = (0..cells.len()).filter(|nth| cells[*nth].1 >= most * 0.999).collect();
            let Some(&best) = equal.choose(self.random) else { break };
            let (shot, chance) = cells.swap_remove(best);
            shots.push(shot);
            hits += chance;
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

    /// The aim of a special action in whose area most hits are expected, with their number.
    fn best_aim(&mut self, special: usize, kind: SpecialKind) -> Option<(f64, Target)> {
        let (rules, grid) = (&self.view.rules, self.view.rules.grid());
        let mut best: Option<(f64, Target)> = None;
        for (owner, chances) in &self.boards {
            let known = &self.view.boards[*owner].cells;
            let mut worths = vec![0.0; grid.len()];
            for index in left(self.view, *owner).filter_map(|shot| grid.index(shot.cell)) {
                if kind == SpecialKind::AreaShot || known[index] == Known::Unknown {
                    worths[index] = chances[index];
                }
            }
            let area = rules.area_at(special, Point { x: grid.width() / 2, y: grid.height() / 2 }).count();
            let aims: Vec<Point> = grid.points().collect();
            for &aim in aims.sample(self.random, MOST_LOOKED_AT / area.max(1)) {
                let aimed_at = (kind == SpecialKind::Sonar).then_some(aim);
                let cells = rules.area_at(special, aim).chain(aimed_at).filter_map(|cell| grid.index(cell));
                let worth: f64 = cells.map(|index| worths[index]).sum();
                if best.is_none_or(|(most, _)| worth > most) {
                    best = Some((worth, Target { at: Some(*owner), cell: aim }));
                }
            }
        }
        best
    }
}
