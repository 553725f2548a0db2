//! The state of a match: one of any Battleship by the rules of botsArena, in its words.

use super::placing::fleet;
use super::{Event, Order, Refusal, Settings, Strike, StrikeResult, View};
use crate::battleship::{self, Battleship, Shot, ShotResult, Target};
use crate::{
    AnswerRef, Audience, BySeat, Ending, Eye, Fault, Game, GameKind, Illegal, MatchBounds, Outcome, Point, Scene, Seat,
    Seats, SetupError, Told,
};
use serde::{Serialize, Serializer};
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotsArena {
    settings: Settings,
    game: Battleship,
    /// The first cells of each player's ships in the order it named them.
    named: BySeat<Vec<Point>>,
    /// The reasons why the rules removed players, as sentences without their names.
    lost: BySeat<Option<String>>,
    /// The events of the last turn.
    recent: Vec<Told<Event>>,
    /// The memory of the last strike, which is used again.
    targets: Vec<Target>,
}

impl BotsArena {
    /// The settings of the match.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The number of the coming turn, counted from 0.
    pub fn turn(&self) -> u32 {
        self.game.turn()
    }

    /// True before the ships are placed.
    pub fn is_placing(&self) -> bool {
        self.game.is_placing()
    }

    /// The number of cells of the opponent's ships that the player has hit.
    pub fn points(&self, seat: Seat) -> u32 {
        self.game.player(seat).hits
    }

    /// The cells of a player's ships; none before they are placed.
    pub fn fleet(&self, seat: Seat) -> Vec<Vec<Point>> {
        let board = self.game.player(seat).board.as_ref();
        board.map_or(Vec::new(), |board| board.ships().iter().map(|ship| ship.cells.clone()).collect())
    }

    /// The strikes of a player, first to last.
    fn strikes(&self, seat: Seat) -> impl Iterator<Item = Strike> {
        self.game.player(seat).fired.iter().map(|shot| self.strike(shot))
    }

    /// A shot in the words of botsArena, which tells of a cell that was hit before whether its ship was still afloat.
    fn strike(&self, shot: &Shot) -> Strike {
        let was_sunk = || self.game.sunk.iter().any(|ship| ship.turn < shot.turn && ship.cells.contains(&shot.cell));
        let result = match shot.result {
            ShotResult::Sunk => StrikeResult::HitAndSunk,
            ShotResult::Hit => StrikeResult::Hit,
            ShotResult::Again if !was_sunk() => StrikeResult::Hit,
            _ => StrikeResult::Nothing,
        };
        Strike { target: shot.cell, result }
    }

    /// The order in the terms of any Battleship. A strike is put into `targets`, which are empty.
    fn translated(&self, order: &Order, mut targets: Vec<Target>) -> Result<battleship::Order, Refusal> {
        match order {
            Order::Place(ends) if self.is_placing() => Ok(battleship::Order::Place(fleet(&self.settings, ends)?)),
            Order::Place(_) => Err(Refusal::PlacedBefore),
            Order::Strike(_) if self.is_placing() => Err(Refusal::NotPlaced),
            Order::Strike(target) if !self.settings.grid().contains(*target) => Err(Refusal::OffBoard(*target)),
            Order::Strike(target) => {
                targets.push(Target::cell(*target));
                Ok(battleship::Order::Fire(targets))
            }
        }
    }

    /// The event in the terms of botsArena; `None` for one that it has no word for.
    fn event(&self, event: &battleship::Event) -> Option<Event> {
        match event {
            battleship::Event::Placed(seat) => Some(Event::Placed { seat: *seat }),
            battleship::Event::Fired(shot) => {
                let Strike { target, result } = self.strike(shot);
                Some(Event::Struck { seat: shot.by, target, result, landed: shot.result.is_hit() })
            }
            _ => None,
        }
    }
}

/// All that the rest of the match depends on, in the form of version 0.1.0: records keep fingerprints of it.
impl Serialize for BotsArena {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct State<'a> {
            settings: &'a Settings,
            turn: u32,
            players: BySeat<Player<'a>>,
        }
        #[derive(Serialize)]
        struct Player<'a> {
            ships: Vec<Ship>,
            /// The number of strikes, and the last one.
            strikes: (usize, Option<Strike>),
            points: u32,
            lost: &'a Option<String>,
        }
        /// A ship, with a bit in `hits` for each step from its start to a cell that was hit.
        #[derive(Serialize)]
        struct Ship {
            start: Point,
            along_x: bool,
            length: u8,
            hits: u8,
        }
        let grid = self.settings.grid();
        let players = self.named.iter().map(|(seat, starts)| {
            let player = self.game.player(seat);
            let board = player.board.as_ref();
            let ship = |start: &Point| {
                let board = board?;
                let cells = &board.ships().iter().find(|ship| ship.cells[0] == *start)?.cells;
                let wear = |cell: &Point| grid.index(*cell).map_or(0, |index| board.wear(index));
                let hits = cells.iter().zip(0..).filter(|(cell, _)| wear(cell) > 0);
                Some(Ship {
                    start: *start,
                    along_x: cells.iter().all(|cell| cell.y == start.y),
                    length: cells.len() as u8,
                    hits: hits.fold(0, |hits, (_, step)| hits | 1 << step),
                })
            };
            Player {
                ships: starts.iter().filter_map(ship).collect(),
                strikes: (player.fired.len(), player.fired.last().map(|shot| self.strike(shot))),
                points: player.hits,
                lost: &self.lost[seat],
            }
        });
        State { settings: &self.settings, turn: self.turn(), players: players.collect() }.serialize(out)
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
        let game = Battleship::begin(&settings.rules()?, seats, 0)?;
        let (named, lost) = (BySeat::from_iter([Vec::new(), Vec::new()]), BySeat::from_iter([None, None]));
        Ok(BotsArena { settings: *settings, game, named, lost, recent: Vec::new(), targets: Vec::new() })
    }

    /// Both seats in the first turn, then one after the other.
    fn bounds(settings: &Settings) -> Option<MatchBounds> {
        let moves = settings.most_moves();
        Some(MatchBounds { turns: moves + 1, points: settings.cells() as u32, shots: moves / 2 })
    }

    fn awaited(&self) -> Seats {
        self.game.awaited()
    }

    fn view(&self, seat: Seat) -> View {
        View {
            seat,
            settings: self.settings,
            placing: self.is_placing(),
            own_strikes: self.strikes(seat).collect(),
            opponent_strikes: self.strikes(seat.opponent()).collect(),
        }
    }

    fn check(&self, _seat: Seat, order: &Order) -> Result<(), Illegal> {
        self.translated(order, Vec::new()).map(drop).map_err(|refusal| Illegal(refusal.to_string()))
    }

    fn step<'a>(&mut self, answer: impl Fn(Seat) -> AnswerRef<'a, Order>) -> &[Told<Event>] {
        if self.awaited().is_empty() {
            return &[];
        }
        let mut recent = std::mem::take(&mut self.recent);
        recent.clear();
        let tell = |event| Told { event, to: Audience::Everyone };
        // A player without a usable order leaves the table; the reason is told in the words of botsArena.
        let mut answers = [const { None }; 2];
        for seat in self.awaited().iter() {
            let targets = std::mem::take(&mut self.targets);
            let (lost, event) = match answer(seat).map(|order| self.translated(order, targets)) {
                Ok(Ok(order)) => {
                    if let battleship::Order::Place(ships) = &order {
                        self.named[seat] = ships.iter().map(|ship| ship.cells[0]).collect();
                    }
                    answers[seat.index()] = Some(order);
                    continue;
                }
                Ok(Err(why)) => (format!("gave an illegal order: {why}"), Event::Refused { seat, why }),
                Err(fault) => (fault.deed(), Event::Failed { seat, fault: fault.clone() }),
            };
            self.lost[seat] = Some(lost);
            recent.push(tell(event));
        }
        self.game.play(|seat| answers[seat.index()].as_ref().ok_or(&Fault::GaveUp));
        if let [Some(battleship::Order::Fire(mut targets)), _] | [_, Some(battleship::Order::Fire(mut targets))] =
            answers
        {
            targets.clear();
            self.targets = targets;
        }
        recent.extend(self.game.recent.iter().filter_map(|told| self.event(&told.event)).map(tell));
        recent.sort_by_key(|told| told.event.seat());
        self.recent = recent;
        &self.recent
    }

    fn outcome(&self) -> Option<Outcome> {
        let mut outcome = self.game.outcome()?;
        if let Ending::KilledOff { seats } = &mut outcome.ending {
            seats.iter_mut().for_each(|(seat, why)| *why = self.lost[*seat].clone().unwrap_or_default());
        }
        Some(outcome)
    }

    fn scene(&self, eye: Eye) -> Scene {
        let mut scene = self.game.scene(eye);
        for board in &mut scene.boards {
            board.first_row = Self::KIND.look().first_row;
            if let Some(lost) = self.lost[board.seat].as_ref().filter(|_| !board.deed.is_empty()) {
                board.deed.clone_from(lost);
            }
        }
        scene
    }
}
