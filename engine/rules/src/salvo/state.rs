//! The state of a match, which is a value.

use super::event::Event;
use super::{
    BOARD, Fleet, Found, Known, NoOrder, Order, OwnSalvo, OwnShot, PlayerState, Received, Refusal, SalvoResult,
    Settings, Tally, UnderFire, View, answer_parts, scenery,
};
use crate::{
    Answer, Answers, BySeat, Ending, Eye, Fault, Game, GameKind, Illegal, Listed, Look, Outcome, Part, Point, Reach,
    Scene, Seat, Seats, SetupError, Told,
};
use rand::Rng;
use serde::{Serialize, Serializer};
use std::cmp::Reverse;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A match of Salvo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Salvo {
    pub(super) settings: Settings,
    /// Of it is made who begins, when it is known who has placed a fleet.
    pub(super) drawn: u32,
    pub(super) turns: u32,
    pub(super) players: BySeat<PlayerState>,
    /// Who had the first salvo.
    pub(super) first: Seat,
    /// The number of the round, counted from 1; 0 while fleets are placed.
    pub(super) round: u32,
    /// The round in which a ship was sunk last; 0 if none was.
    pub(super) sunk_in: u32,
    pub(super) current: Option<Current>,
    /// The salvos that are over. They do not change any more, so that snapshots share them.
    #[serde(serialize_with = "shared")]
    pub(super) past: Vec<Arc<Past>>,
    /// The last turn, for scenes.
    #[serde(skip)]
    pub(super) recent: Recent,
}

/// The salvo that is being fired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Current {
    pub(super) seat: Seat,
    /// How many shots it has.
    pub(super) shots: u8,
    pub(super) lapsed: u8,
    pub(super) fired: Vec<Shot>,
}

impl Current {
    /// How many shots are still to be fired.
    pub(super) fn left(&self) -> u8 {
        self.shots - self.lapsed - self.fired.len() as u8
    }
}

/// A salvo that is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Past {
    pub(super) seat: Seat,
    pub(super) fired: Vec<Shot>,
}

impl Past {
    pub(super) fn hits(&self) -> u8 {
        hits(&self.fired)
    }
}

pub(super) fn hits(fired: &[Shot]) -> u8 {
    fired.iter().filter(|shot| shot.found.is_hit()).count() as u8
}

/// A shot that was fired, with all that the referee knows of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Shot {
    /// At whose board.
    pub target: Seat,
    /// At which cell.
    pub at: Point,
    /// What it found there.
    pub found: Found,
}

impl Shot {
    /// What the shooter knows of it.
    fn as_told_to_shooter(&self) -> OwnShot {
        let sank = match self.found {
            Found::Sunk(ship) => Some(ship),
            Found::Water | Found::Again | Found::Hit => None,
        };
        OwnShot { target: self.target, at: self.at, sank }
    }
}

/// The last turn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Recent {
    pub(super) round: u32,
    /// Whose salvo it was, how many of its shots were fired or lost, and how many it had.
    pub(super) salvo: Option<(Seat, u8, u8)>,
    pub(super) events: Vec<Event>,
}

fn shared<T: Serialize, S: Serializer>(values: &[Arc<T>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(|value| &**value))
}

impl Salvo {
    /// What was agreed before the match.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Whether the next turn is the first one, in which all place their fleets.
    pub fn is_placing(&self) -> bool {
        self.turns == 0
    }

    /// The number of the round, counted from 1; 0 while fleets are placed. In a round everyone in the game has its salvo,
    /// beginning with who had the first one.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// The player in `seat`.
    pub fn player(&self, seat: Seat) -> &PlayerState {
        &self.players[seat]
    }

    /// What everyone has done in the salvos that are over; at the end of the match, in all.
    pub fn tallies(&self) -> BySeat<Tally> {
        self.players.map(|player| player.tally())
    }

    /// The salvo that is being fired; `None` before the first and after the last.
    pub fn salvo(&self) -> Option<UnderFire> {
        let current = self.current.as_ref()?;
        Some(UnderFire { seat: current.seat, shots: current.shots, left: current.left() })
    }

    /// Those who are still in the game.
    pub fn seats_in(&self) -> Seats {
        self.players.iter().filter(|(_, player)| player.is_in()).map(|(seat, _)| seat).collect()
    }

    /// All shots at the board of `target`, first to last, with who fired them.
    pub(super) fn shots_at(&self, target: Seat) -> impl Iterator<Item = (Seat, &Shot)> {
        let past = self.past.iter().flat_map(|salvo| salvo.fired.iter().map(|shot| (salvo.seat, shot)));
        let current = self.current.iter().flat_map(|salvo| salvo.fired.iter().map(|shot| (salvo.seat, shot)));
        past.chain(current).filter(move |(_, shot)| shot.target == target)
    }

    /// Whether the order may be given by `seat` now, as far as everyone can know: where ships lie does not matter.
    pub fn verdict(&self, seat: Seat, order: &Order) -> Result<(), Refusal> {
        match order {
            _ if !self.awaited().contains(seat) => Err(Refusal::OffTurn),
            Order::Place(ships) if self.is_placing() => Fleet::of(ships).map(drop),
            Order::Place(_) => Err(Refusal::TooLateToPlace),
            Order::Fire { .. } if self.is_placing() => Err(Refusal::NotPlaced),
            Order::Fire { target, .. } if target.index() >= self.players.len() => {
                Err(Refusal::NoSuchPlayer { target: *target })
            }
            Order::Fire { target, .. } if *target == seat => Err(Refusal::OwnBoard),
            Order::Fire { target, .. } if !self.players[*target].is_in() => Err(Refusal::TargetOut { target: *target }),
            Order::Fire { at, .. } if !BOARD.contains(*at) => Err(Refusal::OffBoard { at: *at }),
            Order::Fire { .. } => Ok(()),
        }
    }

    /// Why the match is over and who won, if it is.
    fn end(&self) -> Option<(Ending, Option<Seat>)> {
        let left = self.seats_in();
        if self.is_placing() {
            None
        } else if left.len() < 2 {
            Some((self.last_to_leave(), left.iter().next()))
        } else if self.current.is_none() {
            let rounds = self.settings.rounds_without_sinking;
            Some((Ending::NothingSunk { rounds }, self.ahead_of_all()))
        } else {
            None
        }
    }

    /// The end of a match in which one player is left, or none: how the last ones left it.
    fn last_to_leave(&self) -> Ending {
        let outs = || self.players.iter().filter_map(|(seat, player)| Some((seat, player.out()?)));
        let turn = outs().map(|(_, out)| out.turn).max().unwrap_or_default();
        let last = || outs().filter(|(_, out)| out.turn == turn);
        let removed: Vec<(Seat, String)> =
            last().filter_map(|(seat, out)| Some((seat, out.removed.clone()?))).collect();
        if removed.is_empty() {
            Ending::FleetSunk { seats: last().map(|(seat, _)| seat).collect() }
        } else {
            Ending::KilledOff { seats: removed }
        }
    }

    /// How far a player has come, in an order in which more is better: those who are in the game before those who are not,
    /// by ships and then by parts of ships; the others by how late they left.
    fn standing(&self, seat: Seat) -> (u32, u8, u32) {
        let player = &self.players[seat];
        match player.out() {
            None => (u32::MAX, player.ships_afloat(), player.whole_parts()),
            Some(out) => (out.turn, 0, 0),
        }
    }

    fn ahead_of_all(&self) -> Option<Seat> {
        let best = self.players.seats().map(|seat| self.standing(seat)).max()?;
        let mut ahead = self.players.seats().filter(|seat| self.standing(*seat) == best);
        ahead.next().filter(|_| ahead.next().is_none())
    }
}

/// What everyone knows of a player.
fn known(player: &PlayerState) -> Known {
    let afloat = player.ships().filter(|(_, afloat)| *afloat).map(|(ship, _)| ship);
    Known { is_in: player.is_in(), afloat: afloat.collect() }
}

impl Game for Salvo {
    type Settings = Settings;
    type View = View;
    type Order = Order;
    type Event = Event;

    const KIND: GameKind = GameKind::Salvo;
    const SEATS: RangeInclusive<u8> = 2..=Seat::MAX;

    /// The seed says who has the first salvo. Seats are in the order in which they fire.
    fn start(settings: &Settings, seats: u8, seed: u64) -> Result<Salvo, SetupError> {
        if !Self::SEATS.contains(&seats) {
            return Err(SetupError::WrongSeats { kind: Self::KIND, wanted: "two to sixteen", given: seats });
        }
        settings.check()?;
        Ok(Salvo {
            settings: *settings,
            drawn: crate::random(seed).next_u32(),
            turns: 0,
            players: (0..seats).map(|_| PlayerState::default()).collect(),
            first: Seat::A,
            round: 0,
            sunk_in: 0,
            current: None,
            past: Vec::new(),
            recent: Recent::default(),
        })
    }

    /// All for their fleets, then whoever has the salvo.
    fn awaited(&self) -> Seats {
        if self.is_placing() {
            self.players.seats().collect()
        } else {
            self.current.iter().map(|current| current.seat).collect()
        }
    }

    fn view(&self, seat: Seat) -> View {
        let told = |fired: &[Shot]| fired.iter().map(Shot::as_told_to_shooter).collect::<Vec<_>>();
        let own = self.past.iter().filter(|salvo| salvo.seat == seat);
        let firing = self.current.as_ref().filter(|current| current.seat == seat);
        let received = self.shots_at(seat).map(|(by, shot)| Received { by, at: shot.at, found: shot.found });
        let result =
            |salvo: &Past| SalvoResult { seat: salvo.seat, shots: salvo.fired.len() as u8, hits: salvo.hits() };
        View {
            seat,
            turn: self.turns,
            round: self.round,
            salvo: self.salvo(),
            last: self.past.last().map(|salvo| result(salvo)),
            players: self.players.map(known),
            fleet: self.players[seat].fleet().to_vec(),
            received: received.collect(),
            own_salvos: own.map(|salvo| OwnSalvo { shots: told(&salvo.fired), hits: salvo.hits() }).collect(),
            own_shots: firing.map(|current| told(&current.fired)).unwrap_or_default(),
        }
    }

    fn check(&self, seat: Seat, order: &Order) -> Result<(), Illegal> {
        self.verdict(seat, order).map_err(|refusal| Illegal(refusal.to_string()))
    }

    fn advance(&mut self, mut answers: Answers<Order>) -> Vec<Told<Event>> {
        let awaited = self.awaited();
        if awaited.is_empty() {
            return Vec::new();
        }
        let answers = awaited.iter().map(|seat| (seat, answers.take(seat).unwrap_or(Err(Fault::NothingWritten))));
        let round = self.round;
        let (salvo, events) = match &self.current {
            None => (None, self.place_all(answers.collect())),
            Some(Current { seat, shots, .. }) => {
                let (seat, shots) = (*seat, *shots);
                let events: Vec<Event> = answers.flat_map(|(seat, answer)| self.shoot(seat, answer)).collect();
                // Of a salvo that is over, all is used up.
                let left = self.current.as_ref().filter(|current| current.seat == seat).map_or(0, Current::left);
                (Some((seat, shots - left, shots)), events)
            }
        };
        self.turns += 1;
        self.recent = Recent { round, salvo, events: events.clone() };
        events.into_iter().map(Event::told).collect()
    }

    fn outcome(&self) -> Option<Outcome> {
        let (ending, winner) = self.end()?;
        let mut ranking: Vec<Seat> = self.players.seats().collect();
        // The sort is stable, so that of equal players the one in the lower seat is first.
        ranking.sort_by_key(|seat| Reverse(self.standing(*seat)));
        Some(Outcome {
            winner,
            ranking,
            points: self.players.map(|player| player.tally.hits),
            ending,
            turns: self.turns,
        })
    }

    fn scene(&self, eye: Eye) -> Scene {
        scenery::scene(self, eye)
    }
}

impl Listed for Salvo {
    const REACH: Reach = Reach::Mqtt;
    const ANSWER_PARTS: &'static [&'static str] = &answer_parts::NAMES;

    fn read(parts: &[Part]) -> Answer<Order> {
        answer_parts::read(parts)
    }

    fn write(order: &Order) -> Vec<Part> {
        answer_parts::write(order)
    }

    fn refused(event: &Event) -> Option<Seat> {
        match event {
            Event::Removed { seat, why: NoOrder::Refused(_) }
            | Event::Lapsed { seat, why: NoOrder::Refused(_), .. } => Some(*seat),
            _ => None,
        }
    }

    fn look() -> Look {
        scenery::look()
    }
}
