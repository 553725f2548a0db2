//! Facts of fleets in a view of botsArena. That a ship sank is told, not which one; ships may touch.

use super::{places, single_aims};
use crate::game::{Analysed, Calibration, Fired, TargetBoard};
use chances::{Facts, Kind, Layout, Sunk};
use rules::bots_arena::{BotsArena, Event, LONGEST, StrikeResult, View};
use rules::{Point, Seat, Shape, Told};

impl Analysed for BotsArena {
    const CALIBRATION: Calibration = Calibration { weight: 1.6, variance: 400.0, truth: 0.3, skill: 1.0 };

    fn targets(seat: Seat, view: &View) -> Vec<TargetBoard> {
        vec![TargetBoard { seat: seat.opponent(), grid: view.settings.grid() }]
    }

    /// The kinds are the lengths, from 1 on.
    fn layout(view: &View) -> Layout {
        let grid = view.settings.grid();
        let kinds = (1..=LONGEST as u8).zip(view.settings.ships());
        let kind =
            |(length, count)| Kind { count: usize::from(count), places: places(grid, &Shape::straight(length), 0) };
        Layout::new(grid.len(), kinds.map(kind).collect(), |_| Vec::new())
    }

    fn facts(view: &View, layout: &Layout) -> Facts {
        let (mut facts, mut sunk) = (Facts::new(layout), Vec::new());
        for (time, strike) in (0..).zip(&view.own_strikes) {
            let Some(cell) = view.settings.grid().index(strike.target) else { continue };
            // A later strike at the same cell tells nothing new.
            if facts.is_occupied(cell) {
                continue;
            }
            if strike.result == StrikeResult::Nothing {
                facts.close(cell);
                continue;
            }
            facts.destroy(cell, time);
            if strike.result == StrikeResult::HitAndSunk {
                sunk.push(Sunk { time: Some(time), cell: Some(cell), kinds: None });
            }
        }
        facts.tell_sinkings(sunk);
        facts
    }

    fn fired(seat: Seat, view: &View, told: &[Told<Event>]) -> Option<Fired> {
        let (target, result, landed) = told.iter().find_map(|told| match told.event {
            Event::Struck { seat: by, target, result, landed } if by == seat => Some((target, result, landed)),
            _ => None,
        })?;
        Some(Fired {
            by: seat,
            kind: "shot",
            shots: vec![view.settings.grid().index(target).into_iter().collect()],
            hits_one: false,
            hits: u32::from(landed),
            sunk: u32::from(result == StrikeResult::HitAndSunk),
        })
    }

    fn aims(view: &View, fired: &Fired) -> Vec<Vec<usize>> {
        let is_fresh = |_: &TargetBoard, cell: Point| !view.own_strikes.iter().any(|strike| strike.target == cell);
        single_aims(&BotsArena::targets(fired.by, view), is_fresh)
    }

    fn fleet(&self, owner: Seat) -> Vec<(usize, Vec<Point>)> {
        self.fleet(owner).into_iter().map(|cells| (cells.len() - 1, cells)).collect()
    }

    fn ship_name(_: &View, kind: usize) -> String {
        format!("ship of {}", kind + 1)
    }
}
