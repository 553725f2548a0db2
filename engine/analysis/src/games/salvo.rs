//! Facts of fleets in a view of Salvo.
//!
//! A shot is told to be a hit only where it sinks a ship; of a salvo the number of hits is told, over all boards. With more than two
//! players, a cell that was fired at may have been hit by others before: then the number of hits is the least number of ships' cells.
//! Sinkings are told to all, so that it is known which ships are afloat, whoever fired at them.

use super::{add_sum, places, single_aims};
use crate::game::{Analysed, Calibration, Deeds, Fired, Pace, TargetBoard};
use chances::{Facts, Kind, Layout, Sunk};
use rules::salvo::{BOARD, Event, OwnShot, Salvo, ShipKind, View};
use rules::{Point, Seat, Shape, Told};

impl Analysed for Salvo {
    const CALIBRATION: Calibration = Calibration { weight: 1.5, variance: 100.0, truth: 0.2, skill: 0.75 };

    fn targets(seat: Seat, view: &View) -> Vec<TargetBoard> {
        let others = view.players.seats().filter(|other| *other != seat);
        others.map(|seat| TargetBoard { seat, grid: BOARD }).collect()
    }

    fn layout(view: &View) -> Layout {
        let boards = Salvo::targets(view.seat, view).len();
        let kinds = (0..boards).flat_map(|board| {
            ShipKind::ALL.map(|ship| Kind {
                count: 1,
                places: places(BOARD, &Shape::straight(ship.length()), board * BOARD.len()),
            })
        });
        Layout::new(boards * BOARD.len(), kinds.collect(), |_| Vec::new())
    }

    fn facts(view: &View, layout: &Layout) -> Facts {
        let boards = Salvo::targets(view.seat, view);
        let number = |shot: &OwnShot| TargetBoard::number(&boards, shot.target, shot.at);
        let (mut facts, mut sunk, mut fired) = (Facts::new(layout), Vec::new(), vec![false; layout.cells()]);
        let totals = view.own_salvos.iter().map(|salvo| (&salvo.shots, Some(salvo.hits)));
        let mut time = 0;
        for (shots, hits) in totals.chain([(&view.own_shots, None)]) {
            let mut fresh = Vec::new();
            for shot in shots {
                let Some(cell) = number(shot) else { continue };
                if !std::mem::replace(&mut fired[cell], true) {
                    fresh.push(cell);
                    (0..layout.kinds()).for_each(|kind| facts.destroy_for(kind, cell, time));
                }
                if let Some(ship) = shot.sank {
                    facts.occupy(cell);
                    let is_it = |kind: &usize| kind % ShipKind::ALL.len() == ship as usize;
                    (0..layout.kinds()).filter(|kind| !is_it(kind)).for_each(|kind| facts.close_for(kind, cell));
                    sunk.push((time, cell, cell / BOARD.len() * ShipKind::ALL.len() + ship as usize));
                }
                time += 1;
            }
            if let Some(hits) = hits.map(usize::from) {
                let most = if boards.len() == 1 { hits } else { fresh.len() };
                add_sum(&mut facts, fresh, hits, most);
            }
        }
        let is_alone = boards.len() == 1;
        let mut sinkings = Vec::new();
        for kind in 0..layout.kinds() {
            let owner = &view.players[boards[kind / ShipKind::ALL.len()].seat];
            let own = sunk.iter().find(|(.., sunk)| *sunk == kind);
            // Before ships are placed, none is afloat.
            if view.turn == 0 || owner.afloat.contains(&ShipKind::ALL[kind % ShipKind::ALL.len()]) {
                continue;
            }
            if !is_alone {
                // Others may have hit it, in cells that are not known.
                let all = kind / ShipKind::ALL.len() * BOARD.len()..(kind / ShipKind::ALL.len() + 1) * BOARD.len();
                all.for_each(|cell| facts.destroy_for(kind, cell, 0));
            }
            sinkings.push(Sunk {
                time: own.filter(|_| is_alone).map(|(time, ..)| *time),
                cell: own.map(|(_, cell, _)| *cell),
                kinds: Some(vec![kind]),
            });
        }
        facts.tell_sinkings(sinkings);
        facts
    }

    /// The number of hits is that of the shot, of which the shooter is told only the sum of its salvo.
    fn fired(seat: Seat, view: &View, told: &[Told<Event>]) -> Option<Fired> {
        let boards = Salvo::targets(seat, view);
        let (cell, found) = told.iter().find_map(|told| match told.event {
            Event::Incoming { seat: by, target, at, found } if by == seat => {
                Some((TargetBoard::number(&boards, target, at)?, found))
            }
            _ => None,
        })?;
        let is_sunk = |told: &Told<Event>| matches!(told.event, Event::Sunk { seat: by, .. } if by == seat);
        Some(Fired {
            by: seat,
            kind: "shot",
            shots: vec![vec![cell]],
            hits_one: false,
            hits: u32::from(found.is_hit()),
            sunk: told.iter().filter(|told| is_sunk(told)).count() as u32,
        })
    }

    fn aims(view: &View, fired: &Fired) -> Vec<Vec<usize>> {
        let shots = || view.own_salvos.iter().flat_map(|salvo| &salvo.shots).chain(&view.own_shots);
        let is_open = |board: &TargetBoard, cell: Point| {
            view.players[board.seat].is_in && !shots().any(|shot| (shot.target, shot.at) == (board.seat, cell))
        };
        single_aims(&Salvo::targets(fired.by, view), is_open)
    }

    fn deeds(seat: Seat, _: &View, told: &[Told<Event>]) -> Deeds {
        let salvo = told.iter().find_map(|told| match told.event {
            Event::SalvoOver { seat: by, shots, hits } if by == seat => Some((shots.into(), hits.into())),
            _ => None,
        });
        Deeds { salvo, ..Deeds::default() }
    }

    fn fleet(&self, owner: Seat) -> Vec<(usize, Vec<Point>)> {
        let fleet = self.player(owner).fleet.iter();
        fleet.map(|ship| (ship.ship as usize, ship.cells().flatten().collect())).collect()
    }

    fn ship_name(_: &View, kind: usize) -> String {
        ShipKind::ALL[kind % ShipKind::ALL.len()].name().to_owned()
    }

    /// A salvo has as many shots as ships are afloat.
    fn pace(&self, seat: Seat) -> Pace {
        Pace { shots: u32::from(self.player(seat).ships_afloat()), again_on_hit: false }
    }
}
