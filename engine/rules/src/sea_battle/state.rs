//! The state of a match, which is a value.

use super::fleet_state::FleetState;
use super::{Event, Loss, Order, Profile, Refusal, Scan, Settings, ShipKind, Shot, View, placing, radar, scenery};
use crate::{
    Answer, AnswerRef, BySeat, Ending, Eye, Game, GameKind, Illegal, MatchBounds, Outcome, Point, Scene, Scoring, Seat,
    Seats, SetupError, Told,
};
use rand::RngExt;
use serde::Serialize;
use std::ops::RangeInclusive;

/// A match of Sea Battle.
///
/// ```
/// use rules::sea_battle::{Order, SeaBattle, Settings, random_fleet};
/// use rules::{Game, Point, Seat};
///
/// let mut game = SeaBattle::start(&Settings::default(), 2, 7)?;
/// let fleet = |seed| Ok(Order::Place(random_fleet(&mut rules::random(seed))));
/// game.advance([(Seat::A, fleet(1)), (Seat::B, fleet(2))].into_iter().collect());
/// let mover = game.mover(1);
/// game.advance([(mover, Ok(Order::Shoot(Point::new(4, 7))))].into_iter().collect());
/// assert_eq!(game.view(mover).own_shots[0].at, Point::new(4, 7));
/// # Ok::<(), rules::SetupError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SeaBattle {
    #[serde(serialize_with = "Settings::in_state")]
    pub(super) settings: Settings,
    first: Seat,
    turns: u32,
    pub(super) sides: BySeat<Side>,
    /// The events of the last turn, for scenes.
    #[serde(skip)]
    pub(super) recent: Vec<Told<Event>>,
}

/// The full state of one player.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub(super) struct Side {
    pub(super) fleet: FleetState,
    pub(super) shots: Vec<Shot>,
    pub(super) scan: Option<Scan>,
    /// The reason why the player lost at once; `None` if it did not.
    pub(super) lost: Option<String>,
}

impl SeaBattle {
    /// The player whose move has this number, counted from 1.
    pub fn mover(&self, number: u32) -> Seat {
        if number % 2 == 1 { self.first } else { self.first.opponent() }
    }

    /// The number of moves made.
    pub fn moves(&self) -> u32 {
        self.turns.saturating_sub(1)
    }

    /// True before the first turn, in which both place their fleets.
    pub fn is_placing(&self) -> bool {
        self.turns == 0
    }

    /// The number of hits by `seat`, armour included.
    pub fn hits(&self, seat: Seat) -> u32 {
        self.sides[seat.opponent()].fleet.hits_taken()
    }

    /// The ships of a player with their cells; none before they are placed.
    pub fn fleet(&self, seat: Seat) -> impl Iterator<Item = (ShipKind, Vec<Point>)> {
        self.sides[seat].fleet.cells()
    }

    /// Checks that the order may be given now.
    fn verdict(&self, seat: Seat, order: &Order) -> Result<(), Refusal> {
        match order {
            Order::Place(ships) if self.is_placing() => placing::check(ships, self.settings.profile),
            Order::Place(_) => Err(Refusal::TooLateToPlace),
            _ if self.is_placing() => Err(Refusal::NotPlaced),
            Order::Shoot(at) | Order::Radar(at)
                if self.settings.profile == Profile::Text && !super::BOARD.contains(*at) =>
            {
                Err(Refusal::OffBoard { at: *at })
            }
            Order::Radar(_) if self.sides[seat].scan.is_some() => Err(Refusal::RadarUsed),
            Order::Shoot(_) | Order::Radar(_) => Ok(()),
        }
    }

    fn take(&mut self, seat: Seat, answer: Answer<Order>) -> Vec<Event> {
        let verdict = answer
            .map_err(Loss::Fault)
            .and_then(|order| self.verdict(seat, &order).map(|()| order).map_err(Loss::Refused));
        match verdict {
            Ok(order) => self.obey(seat, order),
            Err(why) => {
                self.sides[seat].lost = Some(why.to_string());
                vec![Event::Lost { seat, why }]
            }
        }
    }

    fn obey(&mut self, seat: Seat, order: Order) -> Vec<Event> {
        match order {
            Order::Place(ships) => {
                self.sides[seat].fleet = FleetState::of(ships);
                vec![Event::Placed { seat }]
            }
            Order::Shoot(at) => {
                let shot = Shot { at, result: self.sides[seat.opponent()].fleet.strike(at) };
                self.sides[seat].shots.push(shot);
                vec![Event::Fired { seat, shot }]
            }
            Order::Radar(centre) => {
                let scan = radar::look(&self.sides[seat.opponent()].fleet, centre);
                self.sides[seat].scan = Some(scan.clone());
                vec![Event::UsedRadar { seat }, Event::Scanned { seat, scan }]
            }
        }
    }

    /// The ending of the match and its winner; `None` while it goes on.
    fn end(&self) -> Option<(Ending, Option<Seat>)> {
        let sides = || self.sides.iter();
        let lost: Vec<(Seat, String)> = sides().filter_map(|(seat, side)| Some((seat, side.lost.clone()?))).collect();
        if let [(first, _), others @ ..] = lost.as_slice() {
            let winner = others.is_empty().then(|| first.opponent());
            return Some((Ending::KilledOff { seats: lost }, winner));
        }
        if let Some((loser, _)) = sides().find(|(_, side)| side.fleet.is_sunk()) {
            return Some((Ending::FleetSunk { seats: vec![loser] }, Some(loser.opponent())));
        }
        let limit = self.settings.max_moves;
        if self.moves() < limit.of_both() {
            return None;
        }
        let leads = |seat: &Seat| self.hits(*seat) > self.hits(seat.opponent());
        Some((Ending::MoveLimit { moves: limit.of_both() }, self.sides.seats().find(leads)))
    }
}

impl Game for SeaBattle {
    type Settings = Settings;
    type View = View;
    type Order = Order;
    type Event = Event;

    const KIND: GameKind = GameKind::SeaBattle;
    const SEATS: RangeInclusive<u8> = 2..=2;

    /// The seed says who moves first; on the public server A does.
    fn start(settings: &Settings, seats: u8, seed: u64) -> Result<SeaBattle, SetupError> {
        if !Self::SEATS.contains(&seats) {
            return Err(SetupError::WrongSeats { kind: Self::KIND, wanted: "two", given: seats });
        }
        settings.check()?;
        let is_drawn = settings.profile == Profile::Text;
        let first = if !is_drawn || crate::random(seed).random() { Seat::A } else { Seat::B };
        let sides = (0..seats).map(|_| Side::default()).collect();
        Ok(SeaBattle { settings: *settings, first, turns: 0, sides, recent: Vec::new() })
    }

    /// Both seats for their fleets, then the one whose move it is.
    fn bounds(settings: &Settings) -> Option<MatchBounds> {
        let moves = settings.max_moves.of_both();
        // Each hit takes a move.
        Some(MatchBounds { turns: moves + 1, points: moves, shots: moves.div_ceil(2) })
    }

    fn awaited(&self) -> Seats {
        if self.end().is_some() {
            Seats::NONE
        } else if self.is_placing() {
            Seats::first(2)
        } else {
            Seats::from_iter([self.mover(self.turns)])
        }
    }

    fn view(&self, seat: Seat) -> View {
        let side = &self.sides[seat];
        View {
            turn: self.turns,
            own_shots: side.shots.clone(),
            opponent_shots: self.sides[seat.opponent()].shots.clone(),
            radar_used: side.scan.is_some(),
            scans: side.scan.iter().cloned().collect(),
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
        let mut events = Vec::new();
        for seat in awaited.iter() {
            events.extend(self.take(seat, answer(seat).cloned().map_err(Clone::clone)));
            if self.settings.profile == Profile::PublicServer && self.end().is_some() {
                // It looks at the second fleet only if the first one is good.
                break;
            }
        }
        self.turns += 1;
        self.recent = Told::all(events, Event::audience);
        &self.recent
    }

    fn outcome(&self) -> Option<Outcome> {
        let (ending, winner) = self.end()?;
        let best = winner.unwrap_or(Seat::A);
        Some(Outcome {
            winner,
            ranking: vec![best, best.opponent()],
            points: self.sides.seats().map(|seat| self.hits(seat)).collect(),
            scoring: Scoring::Points,
            ending,
            turns: self.turns,
        })
    }

    fn scene(&self, eye: Eye) -> Scene {
        scenery::scene(self, eye)
    }
}
