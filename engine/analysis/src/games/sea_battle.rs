//! Facts of fleets in a view of Sea Battle: ships keep their distance, the cells of the battleship take two hits, and radar sees
//! all ships but submarines.

use super::{around, places, single_aims};
use crate::game::{Analysed, Calibration, Deeds, Fired, TargetBoard};
use chances::{Facts, Kind, Layout, Sunk};
use rules::sea_battle::{BOARD, Event, SeaBattle, ShipKind, Shot, ShotResult, View};
use rules::{Point, Seat, Shape, Told};

impl Analysed for SeaBattle {
    const CALIBRATION: Calibration = Calibration { weight: 1.4, variance: 4.0, truth: 0.1, skill: 0.25 };

    fn targets(seat: Seat, _: &View) -> Vec<TargetBoard> {
        vec![TargetBoard { seat: seat.opponent(), grid: BOARD }]
    }

    fn layout(_: &View) -> Layout {
        let kind =
            |ship: ShipKind| Kind { count: ship.count(), places: places(BOARD, &Shape::straight(ship.length()), 0) };
        Layout::new(BOARD.len(), ShipKind::ALL.map(kind).into(), |cells| around(BOARD, cells, true))
    }

    fn facts(view: &View, layout: &Layout) -> Facts {
        let (mut facts, mut sunk) = (Facts::new(layout), Vec::new());
        for scan in &view.scans {
            for cell in around(BOARD, &BOARD.index(scan.centre).into_iter().collect::<Vec<_>>(), true) {
                let is_seen = scan.visible.iter().any(|at| BOARD.index(*at) == Some(cell));
                if is_seen {
                    facts.occupy(cell);
                }
                for (kind, ship) in ShipKind::ALL.into_iter().enumerate() {
                    if ship.is_seen_by_radar() != is_seen {
                        facts.close_for(kind, cell);
                    }
                }
            }
        }
        let mut hits = vec![0_u8; BOARD.len()];
        for (time, shot) in (0..).zip(&view.own_shots) {
            let Some(cell) = BOARD.index(shot.at) else { continue };
            fall(&mut facts, &mut hits[cell], cell, time, shot);
            if shot.result == ShotResult::Sunk {
                sunk.push(Sunk { time: Some(time), cell: Some(cell), kinds: None });
            }
        }
        facts.tell_sinkings(sunk);
        facts
    }

    fn fired(seat: Seat, _: &View, told: &[Told<Event>]) -> Option<Fired> {
        let shot = told.iter().find_map(|told| match told.event {
            Event::Fired { seat: by, shot } if by == seat => Some(shot),
            _ => None,
        })?;
        Some(Fired {
            by: seat,
            kind: "shot",
            shots: vec![BOARD.index(shot.at).into_iter().collect()],
            hits_one: false,
            hits: u32::from(shot.result.is_hit()),
            sunk: u32::from(shot.result == ShotResult::Sunk),
        })
    }

    /// A cell that was hit once may be fired at again: there may be armour.
    fn aims(view: &View, fired: &Fired) -> Vec<Vec<usize>> {
        let is_open = |_: &TargetBoard, cell: Point| {
            let at = || view.own_shots.iter().filter(|shot| shot.at == cell);
            at().count() < 2 && at().all(|shot| shot.result.is_hit())
        };
        single_aims(&SeaBattle::targets(fired.by, view), is_open)
    }

    fn deeds(seat: Seat, _: &View, told: &[Told<Event>]) -> Deeds {
        let radar = told.iter().filter(|told| matches!(told.event, Event::UsedRadar { seat: by } if by == seat));
        Deeds { actions: radar.map(|_| "radar".to_owned()).collect(), ..Deeds::default() }
    }

    fn fleet(&self, owner: Seat) -> Vec<(usize, Vec<Point>)> {
        let kind = |ship: ShipKind| ShipKind::ALL.iter().position(|kind| *kind == ship).unwrap_or_default();
        self.fleet(owner).map(|(ship, cells)| (kind(ship), cells)).collect()
    }

    fn ship_name(_: &View, kind: usize) -> String {
        ShipKind::ALL[kind].name().to_owned()
    }

    fn armour(_: &View, kind: usize) -> u8 {
        ShipKind::ALL[kind].strength()
    }
}

/// Learns from a shot at a cell that was hit so often before.
fn fall(facts: &mut Facts, hits: &mut u8, cell: usize, time: u32, shot: &Shot) {
    let strength = |strength: u8| {
        let kinds = ShipKind::ALL.into_iter().enumerate();
        kinds.filter(move |(_, ship)| ship.strength() == strength).map(|(kind, _)| kind)
    };
    match (shot.result.is_hit(), *hits) {
        (false, 0) => facts.close(cell),
        // There was no armour.
        (false, 1) => strength(2).for_each(|kind| facts.close_for(kind, cell)),
        (false, _) => {}
        (true, 0) => {
            facts.occupy(cell);
            strength(1).for_each(|kind| facts.destroy_for(kind, cell, time));
        }
        (true, _) => {
            strength(1).for_each(|kind| facts.close_for(kind, cell));
            strength(2).for_each(|kind| facts.destroy_for(kind, cell, time));
        }
    }
    *hits += u8::from(shot.result.is_hit());
}
