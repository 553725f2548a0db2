//! Turns: from answers to events.

use super::state::{CurrentSalvo, FinishedSalvo, Salvo, Shot, hits};
use super::{Event, Fleet, NoOrder, Order, Refusal, ShotResult};
use crate::{Answer, Fault, Point, Seat};
use std::sync::Arc;

impl Salvo {
    /// Plays turn 0. A player without a fleet in the end is out before the first shot.
    pub(super) fn place_all(&mut self, answers: Vec<(Seat, Answer<Order>)>) -> Vec<Event> {
        let mut events: Vec<Event> = answers.into_iter().map(|(seat, answer)| self.place(seat, answer)).collect();
        let seats: Vec<Seat> = self.seats_in().iter().collect();
        if seats.len() > 1 {
            self.round = 1;
            self.first = seats[self.drawn as usize % seats.len()];
            events.push(self.begin_salvo(self.first));
        }
        events
    }

    fn place(&mut self, seat: Seat, answer: Answer<Order>) -> Event {
        let fleet = match answer {
            Ok(Order::Place(ships)) => Fleet::of(&ships).map_err(NoOrder::Refused),
            Ok(Order::Fire { .. }) => Err(NoOrder::Refused(Refusal::NotPlaced)),
            Err(fault) => Err(NoOrder::Fault(fault)),
        };
        match fleet {
            Ok(fleet) => {
                self.players[seat].fleet = fleet.ships().to_vec();
                Event::Placed { seat }
            }
            Err(why) => self.remove(seat, why),
        }
    }

    fn remove(&mut self, seat: Seat, why: NoOrder) -> Event {
        self.players[seat].leave(self.turns, Some(why.to_string()));
        Event::Removed { seat, why }
    }

    /// Plays any turn but the first: one shot of the player that has the salvo.
    pub(super) fn shoot(&mut self, seat: Seat, answer: Answer<Order>) -> Vec<Event> {
        let left = self.current.as_ref().map_or(0, CurrentSalvo::left);
        let verdict = answer
            .map_err(NoOrder::Fault)
            .and_then(|order| self.verdict(seat, &order).map(|()| order).map_err(NoOrder::Refused));
        let mut events = match verdict {
            Ok(Order::Fire { target, at }) => self.fire(seat, target, at),
            Ok(Order::Place(_)) => self.lapse(seat, 1, NoOrder::Refused(Refusal::TooLateToPlace)),
            Err(why @ NoOrder::Refused(_)) => self.lapse(seat, 1, why),
            Err(why @ NoOrder::Fault(Fault::GaveUp)) => vec![self.remove(seat, why)],
            Err(why @ NoOrder::Fault(_)) => self.lapse(seat, left, why),
        };
        let is_over = self.current.as_ref().is_some_and(|current| current.left() == 0);
        if is_over || self.seats_in().len() < 2 || !self.players[seat].is_in() {
            self.end_salvo(&mut events);
        }
        events
    }

    fn fire(&mut self, seat: Seat, target: Seat, at: Point) -> Vec<Event> {
        let found = self.players[target].strike(at);
        if let Some(current) = &mut self.current {
            current.fired.push(Shot { target, at, found });
        }
        let mut events = vec![Event::Fired { seat, target, at }, Event::Incoming { seat, target, at, found }];
        if let ShotResult::Sunk(ship) = found {
            self.sunk_in = self.round;
            events.push(Event::Sunk { seat, target, ship });
            if self.players[target].ships_afloat() == 0 {
                self.players[target].leave(self.turns, None);
                events.push(Event::Defeated { seat: target });
            }
        }
        events
    }

    fn lapse(&mut self, seat: Seat, shots: u8, why: NoOrder) -> Vec<Event> {
        if let Some(current) = &mut self.current {
            current.lapsed += shots;
        }
        vec![Event::Lapsed { seat, shots, why }]
    }

    fn end_salvo(&mut self, events: &mut Vec<Event>) {
        let Some(CurrentSalvo { seat, fired, .. }) = self.current.take() else { return };
        let hits = hits(&fired);
        events.push(Event::SalvoOver { seat, shots: fired.len() as u8, hits });
        let stats = &mut self.players[seat].stats;
        stats.shots += fired.len() as u32;
        stats.hits += u32::from(hits);
        stats.sinkings += fired.iter().filter_map(|shot| shot.found.sunk()).count() as u32;
        stats.turns += 1;
        self.past.push(Arc::new(FinishedSalvo { seat, fired }));
        if let Some(next) = self.next_after(seat) {
            events.push(self.begin_salvo(next));
        }
    }

    /// The player of the next salvo, which may begin a new round; `None` if the match is over.
    fn next_after(&mut self, seat: Seat) -> Option<Seat> {
        let left = self.seats_in();
        if left.len() < 2 {
            return None;
        }
        let count = self.players.len();
        // The number of seats after the one that had the first salvo.
        let place = |seat: Seat| (seat.index() + count - self.first.index()) % count;
        let later = left.iter().filter(|next| place(*next) > place(seat)).min_by_key(|next| place(*next));
        let (next, is_new_round) = match later {
            Some(next) => (next, false),
            None => (left.iter().min_by_key(|next| place(*next))?, true),
        };
        if is_new_round {
            if self.round - self.sunk_in >= self.settings.rounds_without_sinking {
                return None;
            }
            self.round += 1;
        }
        Some(next)
    }

    fn begin_salvo(&mut self, seat: Seat) -> Event {
        let shots = self.players[seat].ships_afloat();
        self.current = Some(CurrentSalvo { seat, shots, lapsed: 0, fired: Vec::new() });
        Event::Turn { seat, shots }
    }
}
