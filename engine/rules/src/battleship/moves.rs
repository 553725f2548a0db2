//! One turn: answers are judged, and when nobody is to be asked again, carried out.

use super::board::Board;
use super::choices::{Again, Consequence, SpecialKind, ToldSunk, Turns};
use super::event::{Event, Finding, Hits, Shot, ShotResult, Sinking};
use super::order::{Order, Refusal, Target};
use super::placing;
use super::placing::Fleet;
use super::state::{Battleship, Exit, PlayerState};
use super::verdict::{Mistake, bad_fleet, board, consequence, mistake};
use super::view::Known;
use crate::{AnswerRef, Audience, Cells, Fault, Game, Point, Seat, Seats, Told};
use serde::Serialize;
use std::borrow::Cow;
use std::sync::Arc;

/// The verdict on an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) enum Verdict<'a> {
    /// These ships are placed.
    Placed(Fleet),
    /// The order is carried out, without the shots of it that are wasted.
    Obeyed(Cow<'a, Order>),
    /// Nothing is done.
    Nothing,
    /// A fleet is drawn.
    Drawn,
    /// The player is asked again.
    AskedAgain,
    /// The player has lost, for this reason.
    Lost(String),
}

/// The effect of a move.
#[derive(Default)]
struct Effect {
    hits: u32,
    sunk: u32,
}

impl Battleship {
    /// Plays one turn with the answers of the seats that are awaited; there is none once the match is over.
    pub(crate) fn play<'a>(&mut self, answer: impl Fn(Seat) -> AnswerRef<'a, Order>) {
        let awaited = self.awaited();
        self.recent.clear();
        let placing = self.placing;
        let mut effect = Effect::default();
        if awaited.len() == 1 && self.players.iter().all(|(_, player)| player.held.is_none()) {
            let seat = awaited.iter().next().unwrap_or(Seat::A);
            let verdict = self.judge(seat, answer(seat));
            match verdict {
                Verdict::AskedAgain => return self.finish(),
                Verdict::Lost(why) => self.lose(seat, why),
                verdict => effect = self.carry_out(seat, verdict, self.shots(seat)),
            }
            self.placing = false;
        } else if !self.carry_out_together(awaited, answer) {
            return self.finish();
        }
        self.remove_sunk();
        if !placing && self.rules.choices().turns == Turns::Alternate {
            self.pass_on(&effect);
        }
        self.finish();
    }

    /// Judges the answers of several players and carries them out, unless somebody is to be asked again: then they are held.
    fn carry_out_together<'a>(&mut self, awaited: Seats, answer: impl Fn(Seat) -> AnswerRef<'a, Order>) -> bool {
        let verdicts: Vec<(Seat, Verdict<'a>)> =
            awaited.iter().map(|seat| (seat, self.judge(seat, answer(seat)))).collect();
        // Only now, so that no answer is judged by one that its player could not know.
        for (seat, verdict) in &verdicts {
            if let Verdict::Lost(why) = verdict {
                self.lose(*seat, why.clone());
            }
        }
        let asks_again = verdicts.iter().any(|(_, verdict)| matches!(verdict, Verdict::AskedAgain));
        for (seat, verdict) in verdicts {
            self.players[seat].held = match verdict {
                Verdict::Placed(fleet) => Some(Verdict::Placed(fleet)),
                Verdict::Obeyed(order) => Some(Verdict::Obeyed(Cow::Owned(order.into_owned()))),
                Verdict::Nothing => Some(Verdict::Nothing),
                Verdict::Drawn => Some(Verdict::Drawn),
                Verdict::AskedAgain | Verdict::Lost(_) => None,
            };
        }
        if asks_again {
            return false;
        }
        let seats = self.players.seats();
        let held: Vec<_> = seats.map(|seat| (seat, self.players[seat].held.take(), self.shots(seat))).collect();
        for (seat, held, shots) in held {
            if let Some(verdict) = held {
                self.carry_out(seat, verdict, shots);
            }
        }
        self.placing = false;
        true
    }

    /// Tells an event and who may know of it.
    fn tell(&mut self, event: Event, to: Audience) {
        self.recent.push(Told { event, to });
    }

    /// The audience of what a player does.
    fn witnesses(&self, seat: Seat) -> Audience {
        if self.is_seen() { Audience::Everyone } else { only(seat) }
    }

    /// Judges an answer.
    fn judge<'a>(&mut self, seat: Seat, answer: AnswerRef<'a, Order>) -> Verdict<'a> {
        // A fleet that was refused may tell where the ships will be.
        let witnesses = if self.placing { only(seat) } else { self.witnesses(seat) };
        let choices = self.rules.choices();
        self.players[seat].refused = None;
        let Mistake { why, then, .. } = match (answer, self.placing) {
            (Ok(Order::Place(ships)), true) => match placing::fleet(&self.rules, ships) {
                Ok(fleet) => return Verdict::Placed(fleet),
                Err(why) => bad_fleet(choices, why),
            },
            (Ok(order), _) => match mistake(self, seat, order).filter(|mistake| !mistake.is_obeyed) {
                Some(mistake) => mistake,
                None => return Verdict::Obeyed(Cow::Borrowed(order)),
            },
            (Err(fault), placing) => {
                let why = Refusal::NoOrder(fault.clone());
                let then = match fault {
                    Fault::GaveUp => Consequence::Loses,
                    _ if placing => consequence(choices.bad_fleet),
                    _ => choices.no_answer,
                };
                Mistake { why, then, is_obeyed: false }
            }
        };
        let then = self.after_retries(seat, then);
        self.players[seat].refused = Some(why.clone());
        let verdict = match (then, answer) {
            (Consequence::Loses, _) => Verdict::Lost(why.deed()),
            (Consequence::Refused, _) => Verdict::AskedAgain,
            (Consequence::Wasted, _) if self.placing => Verdict::Drawn,
            (Consequence::Wasted, Ok(order @ Order::Fire(shots))) if !shots.is_empty() => {
                Verdict::Obeyed(Cow::Borrowed(order))
            }
            (Consequence::Wasted, _) => Verdict::Nothing,
        };
        self.tell(Event::Refused { seat, why, then }, witnesses);
        verdict
    }

    /// The consequence of a mistake, when a player has had all its retries.
    fn after_retries(&mut self, seat: Seat, then: Consequence) -> Consequence {
        let most = self.rules.choices().retries;
        let refusals = &mut self.players[seat].refusals;
        if then != Consequence::Refused {
            return then;
        }
        *refusals += 1;
        if *refusals > most { Consequence::Loses } else { then }
    }

    fn lose(&mut self, seat: Seat, why: String) {
        self.players[seat].out = Some((self.turn, Exit::Lost(why)));
        self.tell(Event::Out(seat), Audience::Everyone);
    }

    /// Carries out an answer with this verdict, of a player that has so many shots.
    fn carry_out(&mut self, seat: Seat, verdict: Verdict<'_>, allowed: u32) -> Effect {
        let mut effect = Effect::default();
        self.players[seat].refusals = 0;
        let used = match verdict {
            Verdict::Placed(fleet) => {
                self.place(seat, fleet);
                return effect;
            }
            Verdict::Drawn => {
                let fleet = self.drawn_fleet(seat).unwrap_or_default();
                self.tell(Event::Drawn(seat, fleet.clone()), only(seat));
                self.place(seat, fleet);
                return effect;
            }
            Verdict::Obeyed(order) => match &*order {
                Order::Fire(targets) => self.fire(seat, targets.iter().take(allowed as usize).copied(), &mut effect),
                Order::Use { special, aim } => {
                    self.take(seat, special, *aim, &mut effect);
                    1
                }
                Order::Place(_) => return effect,
            },
            Verdict::Nothing => allowed,
            Verdict::AskedAgain | Verdict::Lost(_) => return effect,
        };
        let player = &mut self.players[seat];
        player.moves += 1;
        player.shots += used;
        player.hits += effect.hits;
        player.sunk += effect.sunk;
        effect
    }

    fn place(&mut self, seat: Seat, fleet: Fleet) {
        self.players[seat].board = Some(Board::new(&self.rules, fleet));
        self.tell(Event::Placed(seat), Audience::Everyone);
    }

    /// Fires at cells, and gives the number of shots, those included that are wasted.
    fn fire(&mut self, seat: Seat, targets: impl Iterator<Item = Target>, effect: &mut Effect) -> u32 {
        let mut shots = 0;
        let (mut fired, before, told) = (0, effect.hits, self.recent.len());
        let grid = self.rules.grid();
        for target in targets {
            shots += 1;
            if let (Some(at), Some(index)) = (board(self, seat, target.at), grid.index(target.cell)) {
                fired += 1;
                self.shoot(seat, at, target.cell, index, effect);
            }
        }
        if !self.rules.choices().tells_each() {
            let hits = Hits { turn: self.turn, by: seat, shots: fired, hits: effect.hits - before };
            self.hits.push(hits);
            self.tell(Event::Hits(hits), self.witnesses(seat));
            // Behind a shot, a sinking would tell what the shot has hit.
            self.recent[told..].sort_by_key(|told| matches!(told.event, Event::Sunk(_)));
        }
        shots
    }

    fn shoot(&mut self, by: Seat, at: Seat, cell: Point, index: usize, effect: &mut Effect) {
        let Some(board) = &mut self.players[at].board else { return };
        let result = board.hit(&self.rules, index);
        let ship = board.ship_at(index);
        effect.hits += u32::from(result.is_hit());
        let told = self.rules.choices().told;
        let shown = match result {
            _ if !self.rules.choices().tells_each() => ShotResult::Untold,
            ShotResult::Sunk if told.sunk == ToldSunk::Nothing => ShotResult::Hit,
            result => result,
        };
        let known_at = self.known_at(by, at);
        let known = &mut Arc::make_mut(&mut self.known[known_at])[index];
        *known = (*known).max(match shown {
            ShotResult::Miss => Known::Miss,
            ShotResult::Damaged => Known::Damaged,
            ShotResult::Hit | ShotResult::Again => Known::Hit,
            ShotResult::Sunk => Known::Sunk,
            ShotResult::Untold => Known::Shot,
        });
        let shot = Shot { turn: self.turn, by, at, cell, result: shown };
        self.players[by].fired.push(shot);
        self.tell(Event::Fired(shot), self.witnesses(by));
        if let (ShotResult::Sunk, Some(ship)) = (result, ship) {
            effect.sunk += 1;
            self.sink(by, at, ship);
        }
    }

    /// Tells that a ship was sunk, as far as it is told.
    fn sink(&mut self, by: Seat, at: Seat, ship: usize) {
        let (told, kind) = (self.rules.choices().told.sunk, self.rules.ships()[ship].kind);
        let cells = self.players[at].board.as_ref().map(|board| board.ships()[ship].cells.clone()).unwrap_or_default();
        let sinking = Sinking {
            turn: self.turn,
            by,
            at,
            size: (told >= ToldSunk::Size).then_some(cells.len() as u32),
            kind: (told >= ToldSunk::Name).then_some(kind),
            cells: if told >= ToldSunk::Cells { cells } else { Vec::new() },
        };
        let witnesses = if told == ToldSunk::Nothing { Audience::Only(Seats::NONE) } else { self.witnesses(by) };
        let (grid, known_at) = (self.rules.grid(), self.known_at(by, at));
        let known = Arc::make_mut(&mut self.known[known_at]);
        sinking.cells.iter().filter_map(|&cell| grid.index(cell)).for_each(|index| known[index] = Known::Sunk);
        if told == ToldSunk::Around {
            for index in Cells::of(grid, &sinking.cells).widened(true).iter().filter_map(|cell| grid.index(cell)) {
                known[index] = known[index].max(Known::Water);
            }
        }
        if told != ToldSunk::Nothing {
            self.sunk.push(sinking.clone());
        }
        self.tell(Event::Sunk(sinking), witnesses);
    }

    /// Takes a special action.
    fn take(&mut self, seat: Seat, name: &str, aim: Target, effect: &mut Effect) {
        let rules = self.rules.clone();
        let specials = &rules.choices().specials;
        let Some(special) = specials.iter().position(|special| special.name == name) else { return };
        let Some(at) = board(self, seat, aim.at) else { return };
        self.players[seat].uses[special] -= 1;
        self.tell(Event::Used { seat, special, at, aim: aim.cell }, self.witnesses(seat));
        let cells: Vec<Point> = rules.area_at(special, aim.cell).collect();
        let mut finding = Finding { turn: self.turn, special, at, aim: aim.cell, ships: Vec::new(), distance: None };
        let Some(board) = &self.players[at].board else { return };
        match specials[special].kind {
            SpecialKind::AreaShot => {
                let targets = cells.into_iter().map(|cell| Target { at: Some(at), cell });
                self.fire(seat, targets, effect);
                return;
            }
            SpecialKind::Sonar => {
                let afloat = board.ships().iter().filter(|ship| ship.left > 0).flat_map(|ship| &ship.cells);
                let grid = rules.grid();
                let whole = |cell: &&Point| grid.index(**cell).is_some_and(|index| !board.is_destroyed(&rules, index));
                let steps = |cell: &Point| cell.x.abs_diff(aim.cell.x) + cell.y.abs_diff(aim.cell.y);
                finding.distance = afloat.filter(whole).map(steps).min();
            }
            SpecialKind::Radar => {
                let misses = &specials[special].misses;
                let shows = |ship: usize| !misses.iter().any(|name| **name == *rules.ships()[ship].name);
                let ship = |cell: &Point| rules.grid().index(*cell).and_then(|index| board.ship_at(index));
                finding.ships = cells.into_iter().filter(|cell| ship(cell).is_some_and(shows)).collect();
            }
        }
        self.players[seat].found.push(finding.clone());
        self.tell(Event::Found(finding), only(seat));
    }

    /// Takes players out whose last ship was sunk.
    fn remove_sunk(&mut self) {
        for seat in self.players.seats() {
            let player = &mut self.players[seat];
            if player.out.is_none() && player.board.as_ref().is_some_and(Board::is_sunk) {
                player.out = Some((self.turn, Exit::Sunk));
                self.tell(Event::Out(seat), Audience::Everyone);
            }
        }
    }

    /// Says who moves next, after a move with this effect.
    fn pass_on(&mut self, effect: &Effect) {
        let again = match self.rules.choices().again {
            Again::Never => false,
            Again::OnHit => effect.hits > 0,
            Again::OnHitUnlessSunk => effect.hits > 0 && effect.sunk == 0,
        };
        if !(again && self.can_move(&self.players[self.current])) {
            self.next_player();
        }
    }

    fn next_player(&mut self) {
        let can_move = |(_, player): &(Seat, &PlayerState)| self.can_move(player);
        let after = self.players.iter().skip(self.current.index() + 1).find(can_move);
        let next = after.or_else(|| self.players.iter().find(can_move));
        self.current = next.map_or(self.current, |(seat, _)| seat);
    }

    /// Ends the turn, and finds out whether the match is over.
    fn finish(&mut self) {
        self.turn += 1;
        let players = || self.players.iter().map(|(_, player)| player);
        let rest = players().filter(|player| player.out.is_none()).count();
        let can_move = players().any(|player| self.can_move(player));
        self.over = !can_move || !self.rules.is_solo() && rest <= 1;
        if !self.placing && !self.over {
            // A player that is out while others are asked again holds nobody up.
            let is_current_out = self.players[self.current].out.is_some();
            if is_current_out && self.players.iter().all(|(_, player)| player.held.is_none()) {
                self.next_player();
            }
        }
    }
}

fn only(seat: Seat) -> Audience {
    Audience::Only([seat].into_iter().collect())
}
