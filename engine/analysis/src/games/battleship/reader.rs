//! A view of Battleship, read shot by shot.
//!
//! Shots of a move whose results are told have times of their own; where only the number of hits is told, all shots of a move have the
//! same time. A seat that does not see the shots of others does not know what these have destroyed: then no sinkings are told, because a
//! ship may be sunk unseen, and the number of hits of a move is only the least number of ships' cells.

use crate::game::TargetBoard;
use crate::games::add_sum;
use chances::{Facts, Layout, Sunk};
use rules::battleship::{Finding, Shot, ShotResult, Sinking, SpecialKind, ToldSunk, View};
use rules::{Grid, Point, Seat};

/// A reader of a view.
pub(super) struct Reader<'a> {
    view: &'a View,
    grid: Grid,
    boards: Vec<TargetBoard>,
    /// For each kind of ships of a board the hits that a cell takes.
    armour: Vec<u8>,
    /// True if all shots at the boards are known.
    sees_all: bool,
    /// All shots that are known, first to last.
    shots: Vec<&'a Shot>,
    facts: Facts,
    /// The number of shots at each cell that may have hit; of the boards at which the seat fires.
    wear: Vec<u8>,
    /// The same of the seat's own board.
    own_wear: Vec<u8>,
    sunk: Vec<Sunk>,
}

impl<'a> Reader<'a> {
    /// A reader that learns of these boards, whose ships are those of the layout.
    pub(super) fn new(view: &'a View, boards: Vec<TargetBoard>, layout: &Layout) -> Reader<'a> {
        let (rules, choices) = (&view.rules, view.rules.choices());
        let mut shots: Vec<&Shot> = view.fired.iter().flat_map(|(_, fired)| fired.iter()).collect();
        // In a turn in which several players move, it is one after the other.
        shots.sort_by_key(|shot| (shot.turn, shot.by));
        Reader {
            view,
            grid: rules.grid(),
            boards,
            armour: choices.fleet.iter().map(|entry| entry.armour).collect(),
            sees_all: rules.is_solo() || choices.seen || view.boards.len() == 2,
            shots,
            facts: Facts::new(layout),
            wear: vec![0; layout.cells()],
            own_wear: vec![0; rules.grid().len()],
            sunk: Vec::new(),
        }
    }

    pub(super) fn facts(mut self) -> Facts {
        let shots = std::mem::take(&mut self.shots);
        let mut time = 0;
        for shots in shots.chunk_by(|one, other| (one.turn, one.by) == (other.turn, other.by)) {
            self.read_move(time, shots);
            time += shots.len() as u32;
        }
        self.shots = shots;
        for found in &self.view.found {
            match self.view.rules.choices().specials[found.special].kind {
                SpecialKind::Radar => self.read_radar(found),
                SpecialKind::Sonar => self.read_sonar(found),
                SpecialKind::AreaShot => {}
            }
        }
        if self.sees_all && self.view.rules.choices().told.sunk != ToldSunk::Nothing {
            self.facts.tell_sinkings(self.sunk);
        } else {
            self.read_sunk_kinds();
        }
        self.facts
    }

    fn number(&self, at: Seat, cell: Point) -> Option<usize> {
        TargetBoard::number(&self.boards, at, cell)
    }

    /// The kinds of ships that may lie in a cell, each with the hits that it takes.
    fn kinds(&self, cell: usize) -> impl Iterator<Item = (usize, u8)> + use<'_> {
        let first = cell / self.grid.len() * self.armour.len();
        self.armour.iter().enumerate().map(move |(kind, armour)| (first + kind, *armour))
    }

    /// Only ships of which a cell takes such numbers of hits lie in the cell.
    fn keep(&mut self, cell: usize, may_take: impl Fn(u8) -> bool) {
        let others: Vec<usize> =
            self.kinds(cell).filter(|(_, armour)| !may_take(*armour)).map(|(kind, _)| kind).collect();
        others.into_iter().for_each(|kind| self.facts.close_for(kind, cell));
    }

    /// If a ship of which a cell takes such numbers of hits lies in the cell, this cell of it was destroyed.
    fn destroy(&mut self, cell: usize, time: u32, takes: impl Fn(u8) -> bool) {
        let kinds: Vec<usize> = self.kinds(cell).filter(|(_, armour)| takes(*armour)).map(|(kind, _)| kind).collect();
        kinds.into_iter().for_each(|kind| self.facts.destroy_for(kind, cell, time));
    }

    fn read_move(&mut self, first: u32, shots: &[&Shot]) {
        let mover = (shots[0].turn, shots[0].by);
        if !self.view.rules.choices().tells_each() {
            self.read_total(first, shots);
        }
        for (shot, time) in shots.iter().zip(first..) {
            if let Some(cell) = self.number(shot.at, shot.cell) {
                self.read_result(cell, time, shot.result);
            }
        }
        let mut last = shots.iter().zip(first..).filter(|(shot, _)| shot.result == ShotResult::Sunk);
        for sinking in self.view.sunk.iter().filter(|sinking| (sinking.turn, sinking.by) == mover) {
            // Of a move of which only the number of hits is told, it is not told which shot sank the ship.
            match last.next() {
                Some((shot, time)) => self.read_sinking(sinking, time, Some(shot.cell)),
                None => self.read_sinking(sinking, first, sinking.cells.first().copied()),
            }
        }
    }

    fn read_result(&mut self, cell: usize, time: u32, result: ShotResult) {
        let sees_all = self.sees_all;
        match result {
            ShotResult::Miss => self.facts.close(cell),
            ShotResult::Damaged | ShotResult::Hit | ShotResult::Sunk => {
                self.wear[cell] += 1;
                let wear = self.wear[cell];
                self.facts.occupy(cell);
                if result == ShotResult::Damaged {
                    self.keep(cell, |armour| armour > wear);
                } else {
                    self.keep(cell, |armour| armour == wear || !sees_all && armour > wear);
                    self.destroy(cell, time, |_| true);
                }
            }
            // Otherwise it is known.
            ShotResult::Again if !sees_all => {
                let wear = self.wear[cell];
                self.facts.occupy(cell);
                self.keep(cell, |armour| armour >= wear);
                self.destroy(cell, time, |_| true);
            }
            ShotResult::Again | ShotResult::Untold => {}
        }
    }

    /// Reads the shots of a move of which only the number of hits is told.
    fn read_total(&mut self, time: u32, shots: &[&Shot]) {
        let (mut surely, mut perhaps, mut own, mut elsewhere) = (Vec::new(), Vec::new(), 0, 0);
        let (least, most_armour) = (self.armour.iter().min().copied(), self.view.rules.most_armour());
        for shot in shots {
            let Some(cell) = self.number(shot.at, shot.cell) else {
                let is_own = shot.at == self.view.seat;
                own += usize::from(is_own && self.is_own_hit(shot));
                elsewhere += usize::from(!is_own);
                continue;
            };
            let before = self.wear[cell];
            surely.extend(least.filter(|least| before < *least).map(|_| cell));
            perhaps.extend((before < most_armour).then_some(cell));
            self.wear[cell] = before.saturating_add(1);
            let wear = self.wear[cell];
            self.destroy(cell, time, |armour| armour == wear);
        }
        let mover = (shots[0].turn, shots[0].by);
        let Some(told) = self.view.hits.iter().find(|hits| (hits.turn, hits.by) == mover) else { return };
        let hits = (told.hits as usize).saturating_sub(own);
        // Each shot at a board that is not looked at may have hit or not.
        let least_hits = hits.saturating_sub(elsewhere);
        let count = perhaps.len();
        let (surely, perhaps) = (different(surely), different(perhaps));
        let (is_surely, is_once) = (surely == perhaps, perhaps.len() == count);
        match self.sees_all {
            true if is_surely && is_once => {
                let all = perhaps.len();
                add_sum(&mut self.facts, perhaps, least_hits, hits.min(all));
            }
            sees_all => {
                // A cell of a ship with armour may have been hit more than once.
                let most = if sees_all { surely.len().min(hits) } else { surely.len() };
                let often = usize::from(most_armour).min(count + 1 - perhaps.len());
                let all = perhaps.len();
                add_sum(&mut self.facts, perhaps, least_hits.div_ceil(often.max(1)), all);
                add_sum(&mut self.facts, surely, 0, most);
            }
        }
    }

    /// True if a shot took something from a ship of the seat's own.
    fn is_own_hit(&mut self, shot: &Shot) -> bool {
        let Some(cell) = self.grid.index(shot.cell) else { return false };
        let before = self.own_wear[cell];
        self.own_wear[cell] = before.saturating_add(1);
        let mut ships = self.view.rules.ships().iter().zip(self.view.fleet.iter().flatten());
        ships.any(|(of, cells)| cells.contains(&shot.cell) && before < of.armour)
    }

    fn read_sinking(&mut self, sinking: &Sinking, time: u32, cell: Option<Point>) {
        let Some(board) = self.boards.iter().position(|board| board.seat == sinking.at) else { return };
        let (first, entries) = (board * self.armour.len(), self.armour.len());
        let is_size = |size: u32, kind: usize| {
            self.view.rules.ships().iter().any(|ship| ship.kind == kind && ship.shape.size() as u32 == size)
        };
        let can_be = |kind: &usize| {
            sinking.kind.is_none_or(|told| told == *kind) && sinking.size.is_none_or(|size| is_size(size, *kind))
        };
        let (kinds, others): (Vec<usize>, Vec<usize>) = (0..entries).partition(can_be);
        let cell = cell.and_then(|cell| self.number(sinking.at, cell));
        let cells = sinking.cells.iter().filter_map(|cell| self.number(sinking.at, *cell)).chain(cell);
        for cell in cells.collect::<Vec<usize>>() {
            self.facts.occupy(cell);
            others.iter().for_each(|kind| self.facts.close_for(first + kind, cell));
            if !self.sees_all {
                self.destroy(cell, time, |_| true);
            }
        }
        let kinds = kinds.into_iter().map(|kind| first + kind).collect();
        self.sunk.push(Sunk { time: Some(time), cell, kinds: Some(kinds) });
    }

    /// Kinds of which all ships were sunk have nothing left to hit, wherever these lie.
    fn read_sunk_kinds(&mut self) {
        for kind in 0..self.boards.len() * self.armour.len() {
            let is_it = |sunk: &&Sunk| sunk.kinds.as_deref() == Some(&[kind]);
            let (board, entry) = (kind / self.armour.len(), kind % self.armour.len());
            let count = self.view.rules.choices().fleet[entry].count;
            if self.sunk.iter().filter(is_it).count() == usize::from(count) {
                let first = board * self.grid.len();
                (first..first + self.grid.len()).for_each(|cell| self.facts.destroy_for(kind, cell, 0));
            }
        }
    }

    fn read_radar(&mut self, found: &Finding) {
        let choices = self.view.rules.choices();
        let misses = &choices.specials[found.special].misses;
        for point in self.view.rules.area_at(found.special, found.aim) {
            let Some(cell) = self.number(found.at, point) else { continue };
            let is_seen = found.ships.contains(&point);
            if is_seen {
                self.facts.occupy(cell);
            }
            let first = cell / self.grid.len() * self.armour.len();
            for (kind, entry) in choices.fleet.iter().enumerate() {
                if misses.contains(&entry.name) == is_seen {
                    self.facts.close_for(first + kind, cell);
                }
            }
        }
    }

    /// Nothing that is nearer than the steps that were told was left of ships, and something is at that distance.
    fn read_sonar(&mut self, found: &Finding) {
        let Some(distance) = found.distance else { return };
        let when = (found.turn, self.view.seat);
        let time = self.shots.partition_point(|shot| (shot.turn, shot.by) < when) as u32;
        let (mut ring, mut is_known) = (Vec::new(), false);
        for point in self.grid.points() {
            let steps = point.x.abs_diff(found.aim.x) + point.y.abs_diff(found.aim.y);
            let Some(cell) = self.number(found.at, point).filter(|_| steps <= distance) else { continue };
            let (whole, destroyed): (Vec<usize>, Vec<usize>) = self
                .kinds(cell)
                .map(|(kind, _)| kind)
                .filter(|kind| self.facts.is_open(*kind, cell))
                .partition(|kind| self.facts.destroyed(*kind, cell) >= time);
            if steps == distance && !whole.is_empty() {
                is_known |= destroyed.is_empty() && self.facts.is_occupied(cell);
                ring.push(cell);
            } else if steps < distance && self.sees_all {
                whole.into_iter().for_each(|kind| self.facts.close_for(kind, cell));
            }
        }
        if !is_known {
            let all = ring.len();
            add_sum(&mut self.facts, ring, 1, all);
        }
    }
}

/// The cells, each once.
fn different(mut cells: Vec<usize>) -> Vec<usize> {
    cells.sort_unstable();
    cells.dedup();
    cells
}
