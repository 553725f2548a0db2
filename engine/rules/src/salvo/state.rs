//! The state of a match, which is a value.

use super::event::Event;
use super::{
    BOARD, Fleet, Order, OwnSalvo, OwnShot, PlayerState, PlayerStats, PlayerView, ReceivedShot, Refusal, Settings,
    ShotResult, View, scenery,
};
use crate::{
    AnswerRef, BySeat, Ending, Eye, Game, GameKind, Illegal, Mover, Outcome, Point, SalvoTotal, Scene, Scoring, Seat,
    Seats, SetupError, Told,
};
use rand::Rng;
use serde::{Serialize, Serializer};
use std::cmp::Reverse;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A match of Salvo.
///
/// ```
/// use rules::salvo::{Order, Salvo, Settings, random_fleet};
/// use rules::{Game, Point};
///
/// let mut game = Salvo::start(&Settings::default(), 3, 7)?;
/// let fleet = |seed| Ok(Order::Place(random_fleet(&mut rules::random(seed))));
/// game.advance(game.awaited().iter().map(|seat| (seat, fleet(seat.index() as u64))).collect());
/// let salvo = game.salvo().expect("all have placed their ships");
/// let target = game.seats_in().iter().find(|seat| *seat != salvo.seat).expect("three play");
/// game.advance([(salvo.seat, Ok(Order::Fire { target, at: Point::new(3, 4) }))].into_iter().collect());
/// assert_eq!(game.salvo().map(|salvo| salvo.left), Some(4));
/// # Ok::<(), rules::SetupError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Salvo {
    pub(super) settings: Settings,
    /// A random number that chooses the first player as soon as it is known who has placed a fleet.
    pub(super) drawn: u32,
    pub(super) turns: u32,
    pub(super) players: BySeat<PlayerState>,
    /// The player that had the first salvo.
    pub(super) first: Seat,
    /// The number of the round, counted from 1; 0 while fleets are placed.
    pub(super) round: u32,
    /// The round in which a ship was sunk last; 0 if none was.
    pub(super) sunk_in: u32,
    pub(super) current: Option<CurrentSalvo>,
    /// The salvos that are over. They do not change any more, so that snapshots share them.
    #[serde(serialize_with = "shared")]
    pub(super) past: Vec<Arc<FinishedSalvo>>,
    /// The last turn, for scenes.
    #[serde(skip)]
    pub(super) recent: LastTurn,
}

/// The salvo that is being fired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct CurrentSalvo {
    pub(super) seat: Seat,
    /// The number of shots of the salvo.
    pub(super) shots: u8,
    pub(super) lapsed: u8,
    pub(super) fired: Vec<Shot>,
}

impl CurrentSalvo {
    /// The number of shots that are still to be fired.
    pub(super) fn left(&self) -> u8 {
        self.shots - self.lapsed - self.fired.len() as u8
    }
}

/// A salvo that is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct FinishedSalvo {
    pub(super) seat: Seat,
    pub(super) fired: Vec<Shot>,
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
    /// The result.
    pub found: ShotResult,
}

impl Shot {
    /// The shooter's knowledge of the shot.
    fn as_told_to_shooter(&self) -> OwnShot {
        OwnShot { target: self.target, at: self.at, sank: self.found.sunk() }
    }
}

/// The last turn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct LastTurn {
    pub(super) round: u32,
    /// The shooter, the number of its shots that were fired or lost, and the number that it had.
    pub(super) salvo: Option<(Seat, u8, u8)>,
    pub(super) events: Vec<Told<Event>>,
}

fn shared<T: Serialize, S: Serializer>(values: &[Arc<T>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(|value| &**value))
}

impl Salvo {
    /// The settings of the match.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// True before the first turn, in which all place their fleets.
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

    /// The statistics of all players in the salvos that are over; at the end of the match, in all salvos.
    pub fn stats(&self) -> BySeat<PlayerStats> {
        self.players.map(|player| player.stats)
    }

    /// The salvo that is being fired; `None` before the first and after the last.
    pub fn salvo(&self) -> Option<Mover> {
        let current = self.current.as_ref()?;
        Some(Mover { seat: current.seat, shots: current.shots, left: current.left() })
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

    /// Checks that the order may be given by `seat` now, as far as everyone can know: the places of ships do not matter.
    ///
    /// # Errors
    /// The reason why not.
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

    /// The ending of the match and its winner; `None` while it goes on.
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
        let eliminations =
            || self.players.iter().filter_map(|(seat, player)| Some((seat, player.elimination.as_ref()?)));
        let turn = eliminations().map(|(_, out)| out.turn).max().unwrap_or_default();
        let last = || eliminations().filter(|(_, out)| out.turn == turn);
        let removed: Vec<(Seat, String)> =
            last().filter_map(|(seat, out)| Some((seat, out.removed.clone()?))).collect();
        if removed.is_empty() {
            Ending::FleetSunk { seats: last().map(|(seat, _)| seat).collect() }
        } else {
            Ending::KilledOff { seats: removed }
        }
    }

    /// The standing of a player, in an order in which more is better: those who are in the game before those who are not,
    /// by ships and then by parts of ships; the others by how late they left.
    fn standing(&self, seat: Seat) -> (u32, u8, u32) {
        let player = &self.players[seat];
        match &player.elimination {
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
            recent: LastTurn::default(),
        })
    }

    /// All seats for their fleets, then the one that has the salvo.
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
        let received = self.shots_at(seat).map(|(by, shot)| ReceivedShot { by, at: shot.at, found: shot.found });
        let known = |player: &PlayerState| {
            let afloat = player.ships().filter(|(_, afloat)| *afloat).map(|(ship, _)| ship).collect();
            PlayerView { is_in: player.is_in(), afloat }
        };
        let result = |salvo: &FinishedSalvo| SalvoTotal {
            seat: salvo.seat,
            shots: salvo.fired.len() as u8,
            hits: hits(&salvo.fired),
        };
        View {
            seat,
            turn: self.turns,
            round: self.round,
            salvo: self.salvo(),
            last: self.past.last().map(|salvo| result(salvo)),
            players: self.players.map(known),
            fleet: self.players[seat].fleet.clone(),
            received: received.collect(),
            own_salvos: own.map(|salvo| OwnSalvo { shots: told(&salvo.fired), hits: hits(&salvo.fired) }).collect(),
            own_shots: firing.map(|current| told(&current.fired)).unwrap_or_default(),
        }
    }

    fn check(&self, seat: Seat, order: &Order) -> Result<(), Illegal> {
        self.verdict(seat, order).map_err(|refusal| Illegal(refusal.to_string()))
    }

    fn step<'a>(&mut self, answer: impl Fn(Seat) -> AnswerRef<'a, Order>) -> &[Told<Event>] {
        let awaited = self.awaited();
        if awaited.is_empty() {
            return &[];
        }
        let answers = awaited.iter().map(|seat| (seat, answer(seat).cloned().map_err(Clone::clone)));
        let round = self.round;
        let (salvo, events) = match &self.current {
            None => (None, self.place_all(answers.collect())),
            Some(CurrentSalvo { seat, shots, .. }) => {
                let (seat, shots) = (*seat, *shots);
                let events: Vec<Event> = answers.flat_map(|(seat, answer)| self.shoot(seat, answer)).collect();
                // Of a salvo that is over, all is used up.
                let left = self.current.as_ref().filter(|current| current.seat == seat).map_or(0, CurrentSalvo::left);
                (Some((seat, shots - left, shots)), events)
            }
        };
        self.turns += 1;
        self.recent = LastTurn { round, salvo, events: Told::all(events, Event::audience) };
        &self.recent.events
    }

    fn outcome(&self) -> Option<Outcome> {
        let (ending, winner) = self.end()?;
        let mut ranking: Vec<Seat> = self.players.seats().collect();
        // The sort is stable, so that of equal players the one in the lower seat is first.
        ranking.sort_by_key(|seat| Reverse(self.standing(*seat)));
        Some(Outcome {
            winner,
            ranking,
            points: self.players.map(|player| player.stats.hits),
            scoring: Scoring::Points,
            ending,
            turns: self.turns,
        })
    }

    fn scene(&self, eye: Eye) -> Scene {
        scenery::scene(self, eye)
    }
}
