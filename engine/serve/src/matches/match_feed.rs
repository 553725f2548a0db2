//! The feed of a match: its turns as spectators see them, and measurements of its players.

use crate::state::wire::{ActionKind, MatchTurn, PlayerAction, ShipView, bot_text};
use arena::record::milliseconds;
use arena::{ArenaError, MatchEvent, Observer, TimeUsed};
use rules::sea_battle::{Event, Loss, Order, SeaBattle, Ship};
use rules::{BySeat, Eye, Fault, Point, Seat, Told};
use std::time::Duration;

/// An observer that makes turns of the events of a match.
pub(crate) struct MatchFeed<T> {
    id: u64,
    /// The eye for which the turns are.
    eye: Eye,
    tell: T,
    times: BySeat<Option<TimeUsed>>,
    /// The measurements so far.
    pub(crate) notes: MatchNotes,
}

/// Fleets, losses and times of the players of a match.
#[derive(Debug, Clone)]
pub(crate) struct MatchNotes {
    /// The fleets that were placed.
    pub(crate) fleets: BySeat<Option<Vec<ShipView>>>,
    /// The reasons why players lost at once.
    pub(crate) losses: BySeat<Option<Loss>>,
    /// The durations of the answers.
    times: BySeat<Vec<Duration>>,
}

impl MatchNotes {
    /// The median duration of a player's answers, in milliseconds.
    pub(crate) fn median(&self, seat: Seat) -> Option<f64> {
        let mut times = self.times[seat].clone();
        times.sort_unstable();
        times.get(times.len().saturating_sub(1) / 2).map(|time| milliseconds(*time))
    }

    /// The number of a player's answers.
    pub(crate) fn answers(&self, seat: Seat) -> usize {
        self.times[seat].len()
    }

    /// The duration of all answers of a player together.
    pub(crate) fn thinking(&self, seat: Seat) -> Duration {
        self.times[seat].iter().sum()
    }

    /// The longest duration of a player's answers, in milliseconds.
    pub(crate) fn longest(&self, seat: Seat) -> Option<f64> {
        self.times[seat].iter().max().map(|time| milliseconds(*time))
    }
}

impl<T: FnMut(MatchTurn)> MatchFeed<T> {
    pub(crate) fn new(id: u64, eye: Eye, tell: T) -> MatchFeed<T> {
        let notes = MatchNotes { fleets: both(), losses: both(), times: both() };
        MatchFeed { id, eye, tell, times: both(), notes }
    }

    fn action(&self, told: &Told<Event>) -> Option<PlayerAction> {
        let (seat, what) = match &told.event {
            Event::Placed { seat } => {
                let ships = self.notes.fleets[*seat].clone().filter(|_| self.eye == Eye::Referee);
                (*seat, ActionKind::Placed { ships })
            }
            Event::Fired { seat, shot } => {
                (*seat, ActionKind::Shot { x: shot.at.x, y: shot.at.y, result: shot.result.name() })
            }
            // Who may not know what it has seen knows that it was used.
            Event::UsedRadar { seat } if self.eye == Eye::Everyone => {
                (*seat, ActionKind::Radar { x: None, y: None, seen: None })
            }
            Event::UsedRadar { .. } => return None,
            Event::Scanned { .. } if !told.is_for(self.eye) => return None,
            Event::Scanned { seat, scan } => {
                let seen = scan.visible.iter().map(cell).collect();
                (*seat, ActionKind::Radar { x: Some(scan.centre.x), y: Some(scan.centre.y), seen: Some(seen) })
            }
            Event::Lost { seat, why } => (*seat, ActionKind::Lost { why: loss_text(why) }),
        };
        Some(PlayerAction { seat: seat.letter(), what, ms: self.times[seat].map(|time| milliseconds(time.wall)) })
    }
}

impl<T: FnMut(MatchTurn)> Observer<SeaBattle> for MatchFeed<T> {
    fn on(&mut self, event: &MatchEvent<'_, SeaBattle>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Answered { replies, .. } => {
                for (seat, reply) in *replies {
                    self.times[*seat] = reply.time;
                    // The time until a connection failed is not the time of an answer.
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
                let deeds = told.iter().filter_map(|told| self.action(told)).collect();
                (self.tell)(MatchTurn { r#match: self.id, turn: *turn, deeds });
            }
            MatchEvent::Opened { .. } | MatchEvent::Finished { .. } => {}
        }
        Ok(())
    }
}

/// True if a player lost because it could not be reached, or not within `limit` for an answer. One whose answers took too long
/// together has answered.
pub(crate) fn is_absence(why: &Loss, limit: Duration) -> bool {
    match why {
        Loss::Fault(Fault::TimedOut { limit: exceeded, .. }) => *exceeded == limit,
        why => matches!(why, Loss::Fault(Fault::Unreachable { .. })),
    }
}

/// The reason for a loss, as one line that may be shown: the text may come from a bot.
pub(crate) fn loss_text(why: &Loss) -> String {
    bot_text(&why.to_string())
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
