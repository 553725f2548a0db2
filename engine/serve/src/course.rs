//! The course of a match, as those are told who watch it, and what is to be noted of its players.

use super::wire::{Deed, ShipView, Turn, What};
use arena::record::milliseconds;
use arena::{ArenaError, MatchEvent, Observer, TimeUsed};
use rules::sea_battle::{Event, Loss, Order, SeaBattle, Ship};
use rules::{BySeat, Fault, Point, Seat, Told};
use std::time::Duration;

/// Watches a match and makes turns of its events.
pub(super) struct Course<T> {
    id: u64,
    /// Whether ships may be known as soon as they are placed.
    reveals: bool,
    tell: T,
    times: BySeat<Option<TimeUsed>>,
    /// What is known of the players so far.
    pub(super) notes: Notes,
}

/// What is to be noted of the players of a match.
#[derive(Debug, Clone)]
pub(super) struct Notes {
    /// The fleets, as far as they were placed.
    pub(super) fleets: BySeat<Option<Vec<ShipView>>>,
    /// Why a player lost at once.
    pub(super) losses: BySeat<Option<Loss>>,
    /// How long answers took.
    times: BySeat<Vec<Duration>>,
}

impl Notes {
    /// How long a player took for half of its answers at most, in milliseconds.
    pub(super) fn median(&self, seat: Seat) -> Option<f64> {
        let mut times = self.times[seat].clone();
        times.sort_unstable();
        times.get(times.len().saturating_sub(1) / 2).map(|time| milliseconds(*time))
    }

    /// The longest time a player took, in milliseconds.
    pub(super) fn longest(&self, seat: Seat) -> Option<f64> {
        self.times[seat].iter().max().map(|time| milliseconds(*time))
    }
}

impl<T: FnMut(Turn)> Course<T> {
    pub(super) fn new(id: u64, reveals: bool, tell: T) -> Course<T> {
        let notes = Notes { fleets: both(), losses: both(), times: both() };
        Course { id, reveals, tell, times: both(), notes }
    }

    fn deed(&self, told: &Told<Event>) -> Option<Deed> {
        let (seat, what) = match &told.event {
            Event::Placed { seat } => {
                let ships = self.notes.fleets[*seat].clone().filter(|_| self.reveals);
                (*seat, What::Placed { ships })
            }
            Event::Fired { seat, shot } => {
                (*seat, What::Shot { x: shot.at.x, y: shot.at.y, result: shot.result.name() })
            }
            Event::UsedRadar { .. } => return None,
            Event::Scanned { seat, scan } => {
                let seen = scan.visible.iter().map(cell).collect();
                (*seat, What::Radar { x: scan.centre.x, y: scan.centre.y, seen })
            }
            Event::Lost { seat, why } => (*seat, What::Lost { why: plain(&why.to_string()) }),
        };
        Some(Deed { seat: seat.letter(), what, ms: self.times[seat].map(|time| milliseconds(time.wall)) })
    }
}

impl<T: FnMut(Turn)> Observer<SeaBattle> for Course<T> {
    fn on(&mut self, event: &MatchEvent<'_, SeaBattle>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Answered { replies, .. } => {
                for (seat, reply) in *replies {
                    self.times[*seat] = reply.time;
                    // How soon somebody could not be reached says nothing.
                    if !matches!(reply.answer, Err(Fault::Unreachable { .. })) {
                        self.notes.times[*seat].extend(reply.time.map(|time| time.wall));
                    }
                    if let Ok(Order::Place(ships)) = &reply.answer {
                        self.notes.fleets[*seat] = Some(ships.iter().map(ship).collect());
                    }
                }
            }
            MatchEvent::Advanced { turn, told, .. } => {
                for told in *told {
                    if let Event::Lost { seat, why } = &told.event {
                        self.notes.losses[*seat] = Some(why.clone());
                    }
                }
                let deeds = told.iter().filter_map(|told| self.deed(told)).collect();
                (self.tell)(Turn { r#match: self.id, turn: *turn, deeds });
            }
            MatchEvent::Opened { .. } | MatchEvent::Finished { .. } => {}
        }
        Ok(())
    }
}

/// Whether somebody who lost so could not be reached, or not in time.
pub(super) fn is_absence(why: &Loss) -> bool {
    matches!(why, Loss::Fault(Fault::Unreachable { .. } | Fault::TimedOut { .. }))
}

/// A text that a bot may have written, as one line for people and not too long.
pub(super) fn plain(text: &str) -> String {
    const MOST: usize = 400;
    let seen: String =
        text.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).take(MOST).collect();
    if seen.len() < text.len() && text.chars().nth(MOST).is_some() { format!("{seen}…") } else { seen }
}

fn both<T: Default>() -> BySeat<T> {
    (0..2).map(|_| T::default()).collect()
}

fn ship(ship: &Ship) -> ShipView {
    ShipView { r#type: ship.kind.name(), cells: ship.cells.iter().map(cell).collect() }
}

fn cell(point: &Point) -> [i32; 2] {
    [point.x, point.y]
}
