//! The state of a match, which is a value.

use super::{Event, Order, Refusal, Settings, Ship, Strike, StrikeResult, Strikes, View, placing, scenery};
use crate::{
    Answer, AnswerRef, Audience, BySeat, Ending, Eye, Game, GameKind, Illegal, MatchBounds, Outcome, Scene, Seat,
    Seats, SetupError, Told,
};
use serde::Serialize;
use std::cmp::Reverse;
use std::ops::RangeInclusive;

/// A match of botsArena's Battleship.
///
/// ```
/// use rules::bots_arena::{BotsArena, Order, Settings, StrikeResult};
/// use rules::{Game, Point, Seat};
///
/// let one_boat = Settings::new(3, 3, [1, 0, 0, 0, 0, 0])?;
/// let mut game = BotsArena::start(&one_boat, 2, 7)?;
/// let place = |x| Ok(Order::Place(vec![(Point::new(x, 0), Point::new(x, 0))]));
/// game.advance([(Seat::A, place(0)), (Seat::B, place(2))].into_iter().collect());
/// game.advance([(Seat::A, Ok(Order::Strike(Point::new(2, 0))))].into_iter().collect());
/// assert_eq!(game.view(Seat::A).own_strikes[0].result, StrikeResult::HitAndSunk);
/// assert_eq!(game.outcome().and_then(|outcome| outcome.winner), Some(Seat::A));
/// # Ok::<(), rules::SetupError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BotsArena {
    settings: Settings,
    /// The number of turns played; in the first, both players place their ships.
    turn: u32,
    players: BySeat<PlayerState>,
    /// The events of the last turn, for scenes.
    #[serde(skip)]
    pub(super) recent: Vec<Told<Event>>,
}

/// The full state of one player.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct PlayerState {
    /// The player's ships in the order it named them; none before they are placed.
    pub ships: Vec<Ship>,
    /// All strikes of the player.
    pub strikes: Strikes,
    /// The number of cells of the opponent's ships that the player has hit.
    pub points: u32,
    /// The reason why the rules removed the player, as a sentence without its name.
    pub lost: Option<String>,
}

impl PlayerState {
    fn is_sunk(&self) -> bool {
        !self.ships.is_empty() && self.ships.iter().all(Ship::is_sunk)
    }
}

impl BotsArena {
    /// The settings of the match.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The number of the coming turn, counted from 0.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// True before the ships are placed.
    pub fn is_placing(&self) -> bool {
        self.turn == 0
    }

    /// The player in `seat`.
    pub fn player(&self, seat: Seat) -> &PlayerState {
        &self.players[seat]
    }

    /// Plays the answer of `seat`.
    fn play(&mut self, seat: Seat, answer: Answer<Order>) -> Event {
        let obeyed = answer.map(|order| self.obey(seat, &order));
        let (lost, event) = match obeyed {
            Ok(Ok(event)) => return event,
            Ok(Err(why)) => (format!("gave an illegal order: {why}"), Event::Refused { seat, why }),
            Err(fault) => (fault.deed(), Event::Failed { seat, fault }),
        };
        self.players[seat].lost = Some(lost);
        event
    }

    fn obey(&mut self, seat: Seat, order: &Order) -> Result<Event, Refusal> {
        self.verdict(order)?;
        match *order {
            Order::Place(ref ends) => {
                self.players[seat].ships = placing::fleet(&self.settings, ends)?;
                Ok(Event::Placed { seat })
            }
            Order::Strike(target) => {
                let struck = self.players[seat.opponent()].ships.iter_mut().find_map(|ship| ship.strike(target));
                let (result, landed) = struck.unwrap_or((StrikeResult::Nothing, false));
                let player = &mut self.players[seat];
                player.strikes.push(Strike { target, result });
                player.points += u32::from(landed);
                Ok(Event::Struck { seat, target, result, landed })
            }
        }
    }

    /// Checks that the order may be given now.
    fn verdict(&self, order: &Order) -> Result<(), Refusal> {
        match order {
            Order::Place(ends) if self.is_placing() => placing::fleet(&self.settings, ends).map(drop),
            Order::Place(_) => Err(Refusal::PlacedBefore),
            Order::Strike(_) if self.is_placing() => Err(Refusal::NotPlaced),
            Order::Strike(target) if !self.settings.grid().contains(*target) => Err(Refusal::OffBoard(*target)),
            Order::Strike(_) => Ok(()),
        }
    }

    /// The ending of the match and the seats that did not win; `None` while it goes on.
    fn ending(&self) -> Option<(Ending, Vec<Seat>)> {
        let players = || self.players.iter();
        let lost: Vec<(Seat, String)> = players().filter_map(|(seat, one)| Some((seat, one.lost.clone()?))).collect();
        let sunk: Vec<Seat> = players().filter(|(_, one)| one.is_sunk()).map(|(seat, _)| seat).collect();
        let most_moves = self.settings.most_moves();
        if !lost.is_empty() {
            let losers = lost.iter().map(|(seat, _)| *seat).collect();
            Some((Ending::KilledOff { seats: lost }, losers))
        } else if !sunk.is_empty() {
            Some((Ending::FleetSunk { seats: sunk.clone() }, sunk))
        } else if self.turn > most_moves {
            Some((Ending::MoveLimit { moves: most_moves }, self.players.seats().collect()))
        } else {
            None
        }
    }
}

impl Game for BotsArena {
    type Settings = Settings;
    type View = View;
    type Order = Order;
    type Event = Event;

    const KIND: GameKind = GameKind::BotsArena;
    const SEATS: RangeInclusive<u8> = 2..=2;

    /// Nothing in this game is left to chance, so the seed does not matter: the text says that bot 1 begins.
    fn start(settings: &Settings, seats: u8, _seed: u64) -> Result<BotsArena, SetupError> {
        if !Self::SEATS.contains(&seats) {
            return Err(SetupError::WrongSeats { kind: Self::KIND, wanted: "two", given: seats });
        }
        settings.playable()?;
        let players = (0..seats).map(|_| PlayerState::default()).collect();
        Ok(BotsArena { settings: *settings, turn: 0, players, recent: Vec::new() })
    }

    /// Both seats in the first turn, then one after the other.
    fn bounds(settings: &Settings) -> Option<MatchBounds> {
        Some(MatchBounds { turns: settings.most_moves() + 1, points: settings.cells() as u32 })
    }

    fn awaited(&self) -> Seats {
        match self.turn {
            _ if self.outcome().is_some() => Seats::NONE,
            0 => Seats::first(2),
            turn => [if turn % 2 == 1 { Seat::A } else { Seat::B }].into_iter().collect(),
        }
    }

    fn view(&self, seat: Seat) -> View {
        let strikes = |seat| self.players[seat].strikes.iter().copied().collect();
        View {
            seat,
            settings: self.settings,
            placing: self.is_placing(),
            own_strikes: strikes(seat),
            opponent_strikes: strikes(seat.opponent()),
        }
    }

    fn check(&self, _seat: Seat, order: &Order) -> Result<(), Illegal> {
        self.verdict(order).map_err(|refusal| Illegal(refusal.to_string()))
    }

    fn step<'a>(&mut self, answer: impl Fn(Seat) -> AnswerRef<'a, Order>) -> &[Told<Event>] {
        let awaited = self.awaited();
        if awaited.is_empty() {
            return &[];
        }
        let events = awaited.iter().map(|seat| self.play(seat, answer(seat).cloned().map_err(Clone::clone)));
        self.recent = Told::all(events.collect::<Vec<_>>(), |_| Audience::Everyone);
        self.turn += 1;
        &self.recent
    }

    fn outcome(&self) -> Option<Outcome> {
        let (ending, losers) = self.ending()?;
        let mut ranking: Vec<Seat> = self.players.seats().collect();
        // The sort is stable, so of equal players A is first.
        ranking.sort_by_key(|seat| (losers.contains(seat), Reverse(self.players[*seat].points)));
        Some(Outcome {
            winner: ranking.first().copied().filter(|first| !losers.contains(first)),
            ranking,
            points: self.players.map(|player| player.points),
            ending,
            turns: self.turn,
        })
    }

    fn scene(&self, eye: Eye) -> Scene {
        scenery::scene(self, eye)
    }
}
