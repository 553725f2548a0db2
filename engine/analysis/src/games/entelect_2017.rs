//! Facts of fleets in a view of the Entelect Challenge 2017.
//!
//! A state tells which ships are sunk, not when they were. A cell in which the shield caught a shot is one of which nothing is known.

use super::{places, single_aims};
use crate::game::{Analysed, Calibration, Deeds, Fired, TargetBoard};
use chances::{Facts, Kind, Layout, Sunk};
use rules::entelect_2017::{Entelect2017, Event, ImpactResult, Phase, Ship, View, Weapon};
use rules::{Point, Seat, Shape, Told};

/// The moves that a round's worth of energy saves, spent on special weapons.
const ROUNDS_OF_ENERGY: f64 = 0.25;
/// The moves that a charge of the shield costs an opponent.
const CHARGES_OF_SHIELD: f64 = 0.25;

/// The reach of a seeker missile: Euclidean distance 2 (Rules, Weapons).
const SEEKER_REACH: i32 = 2;

impl Analysed for Entelect2017 {
    const CALIBRATION: Calibration = Calibration { weight: 1.3, variance: 100.0, truth: 0.4, skill: 1.25 };

    const HAS_SHIELDS: bool = true;

    fn targets(seat: Seat, view: &View) -> Vec<TargetBoard> {
        vec![TargetBoard { seat: seat.opponent(), grid: view.size.grid() }]
    }

    fn layout(view: &View) -> Layout {
        let grid = view.size.grid();
        let kind = |ship: Ship| Kind { count: 1, places: places(grid, &Shape::straight(ship.length()), 0) };
        Layout::new(grid.len(), Ship::ALL.map(kind).into(), |_| Vec::new())
    }

    fn facts(view: &View, layout: &Layout) -> Facts {
        let mut facts = Facts::new(layout);
        for (number, cell) in view.opponent.cells.iter().enumerate() {
            if cell.missed {
                facts.close(number);
            } else if cell.damaged {
                facts.destroy(number, 0);
            }
        }
        let sunk = Ship::ALL.into_iter().filter(|ship| view.opponent.destroyed[ship.index()]);
        facts
            .tell_sinkings(sunk.map(|ship| Sunk { time: None, cell: None, kinds: Some(vec![ship.index()]) }).collect());
        facts
    }

    fn fired(seat: Seat, view: &View, told: &[Told<Event>]) -> Option<Fired> {
        let (weapon, centre, impacts) = told.iter().find_map(|told| match &told.event {
            Event::Fired { seat: by, weapon, centre, impacts } if *by == seat => Some((*weapon, *centre, *impacts)),
            _ => None,
        })?;
        let is_hit = |result: ImpactResult| matches!(result, ImpactResult::Hit { .. });
        let is_sunk = |event: &Event| matches!(event, Event::Sunk { seat: of, .. } if *of == seat.opponent());
        Some(Fired {
            by: seat,
            kind: weapon_kind(weapon),
            shots: vec![reached(view, weapon, centre)],
            hits_one: weapon == Weapon::SeekerMissile,
            hits: impacts.iter().filter(|impact| is_hit(impact.result)).count() as u32,
            sunk: told.iter().filter(|told| is_sunk(&told.event)).count() as u32,
        })
    }

    fn aims(view: &View, fired: &Fired) -> Vec<Vec<usize>> {
        let is_unknown = |_: &TargetBoard, cell: Point| {
            view.opponent.cell(view.size, cell).is_some_and(|cell| !cell.missed && !cell.damaged)
        };
        match Weapon::ALL.into_iter().find(|weapon| weapon_kind(*weapon) == fired.kind) {
            None | Some(Weapon::SingleShot) => single_aims(&Entelect2017::targets(fired.by, view), is_unknown),
            Some(weapon) => view.size.grid().points().map(|centre| reached(view, weapon, centre)).collect(),
        }
    }

    fn deeds(seat: Seat, view: &View, told: &[Told<Event>]) -> Deeds {
        let mut deeds = Deeds::default();
        for told in told {
            match &told.event {
                Event::ShieldRaised { seat: by, .. } if *by == seat => deeds.raised_shield = true,
                Event::Fired { seat: by, impacts, .. } if *by == seat => {
                    let caught = impacts.iter().filter(|impact| impact.result == ImpactResult::Shielded);
                    deeds.caught.extend(caught.filter_map(|impact| view.size.grid().index(impact.point)));
                }
                _ => {}
            }
        }
        deeds
    }

    fn fleet(&self, owner: Seat) -> Vec<(usize, Vec<Point>)> {
        if self.phase() == Phase::One {
            return Vec::new();
        }
        let board = &self.player(owner).board;
        Ship::ALL.into_iter().map(|ship| (ship.index(), board.ship(ship).cells().flatten().collect())).collect()
    }

    fn ship_name(_: &View, kind: usize) -> String {
        Ship::ALL[kind].name().to_lowercase()
    }

    fn advantage(&self, seat: Seat) -> f64 {
        let player = self.player(seat);
        let has_weapon = Ship::ALL.into_iter().any(|ship| !player.board.ship(ship).destroyed);
        let rounds = f64::from(player.energy) / f64::from(self.size().energy());
        let shield = if player.killed { 0 } else { player.shield.charges };
        if has_weapon { ROUNDS_OF_ENERGY * rounds + CHARGES_OF_SHIELD * f64::from(shield) } else { 0.0 }
    }
}

/// The kind of a shot in words.
fn weapon_kind(weapon: Weapon) -> &'static str {
    match weapon {
        Weapon::SingleShot => "shot",
        other => other.name(),
    }
}

/// The cells in which a shot at a point may hit.
fn reached(view: &View, weapon: Weapon, centre: Point) -> Vec<usize> {
    let grid = view.size.grid();
    let is_near = |cell: &Point| (cell.x - centre.x).pow(2) + (cell.y - centre.y).pow(2) <= SEEKER_REACH.pow(2);
    match weapon {
        Weapon::SeekerMissile => grid.points().filter(is_near).filter_map(|cell| grid.index(cell)).collect(),
        _ => weapon.cells(centre).filter_map(|cell| grid.index(cell)).collect(),
    }
}
