//! The state of a match, which is a value.

use super::{
    Board, Event, EventLog, KillOff, MapSize, OpponentView, Order, OrderKind, Pair, Refusal, Shield, View, kill_off,
    placing, round, scenery, score,
};
use crate::{
    AnswerRef, Ending, Eye, Game, GameKind, Illegal, MatchBounds, Outcome, Point, Scene, Scoring, Seat, Seats,
    SetupError, Told,
};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The settings of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The size of both maps.
    pub size: MapSize,
}

/// The two phases of a match (Game Engine Rules 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// The ships are placed.
    One,
    /// The players fire.
    Two,
}

impl Phase {
    /// 1 or 2.
    pub fn number(self) -> u8 {
        match self {
            Phase::One => 1,
            Phase::Two => 2,
        }
    }
}

/// A match of the Entelect Challenge 2017.
///
/// ```
/// use rules::entelect_2017::{Entelect2017, Order, Phase, Placement, Settings, Weapon};
/// use rules::{Game, Point, Seat};
///
/// let mut game = Entelect2017::start(&Settings::default(), 2, 7)?;
/// let fleet = |seed| Placement::at_random(game.size(), &mut rules::random(seed)).map(Order::from).expect("there is room");
/// game.advance([(Seat::A, Ok(fleet(1))), (Seat::B, Ok(fleet(2)))].into_iter().collect());
/// assert_eq!(game.phase(), Phase::Two);
/// let shot = Order::Fire { weapon: Weapon::SingleShot, centre: Point::new(4, 7) };
/// game.advance([(Seat::A, Ok(shot)), (Seat::B, Ok(Order::DoNothing))].into_iter().collect());
/// assert_eq!(game.player(Seat::A).shots_fired, 1);
/// # Ok::<(), rules::SetupError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entelect2017 {
    pub(super) size: MapSize,
    pub(super) phase: Phase,
    pub(super) round: u32,
    pub(super) players: Pair<PlayerState>,
    /// The events of the last round, for scenes.
    #[serde(skip)]
    pub(super) recent: Vec<Told<Event>>,
}

/// The full state of one player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlayerState {
    /// The player's map and ships.
    pub board: Board,
    /// The player's shield.
    pub shield: Shield,
    /// Energy to fire with.
    pub energy: u32,
    /// Points so far.
    pub points: u32,
    /// Shot commands obeyed so far; an area shot counts once.
    pub shots_fired: u32,
    /// Ship cells of the opponent hit so far.
    pub shots_hit: u32,
    /// The round of the first hit.
    pub first_shot_landed: Option<u32>,
    /// The number of times that phase 1 failed because of this player.
    pub failed_first_phase_commands: u32,
    /// The number of times in a row that the player has done nothing.
    pub do_nothings: u32,
    pub(super) gave_up: bool,
    /// True if the player is out of the game.
    pub killed: bool,
    pub(super) killed_off: Option<KillOff>,
    /// The memory of the player's last commands.
    pub last_command: LastCommand,
}

/// The memory of a player's commands that roundCommand.json shows.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct LastCommand {
    /// The last command that the rules looked at; `None` before the first.
    pub issued: Option<OrderKind>,
    /// True if the command was obeyed.
    pub successful: bool,
    /// The centre of the last command that had one; (0, 0) before that.
    pub centre: Point,
    /// The lines of the last placement; `None` before the first.
    pub placement: Option<Arc<[String; 5]>>,
}

impl LastCommand {
    pub(super) fn note(&mut self, order: &Order, successful: bool) {
        self.issued = Some(order.kind());
        self.successful = successful;
        if let Some(centre) = order.centre() {
            self.centre = centre;
        }
        if let Order::Place(placement) = order {
            self.placement = Some(Arc::clone(&placement.lines));
        }
    }
}

impl PlayerState {
    fn new(size: MapSize) -> PlayerState {
        PlayerState {
            board: Board::new(size),
            shield: Shield::new(size),
            energy: size.energy(),
            points: 0,
            shots_fired: 0,
            shots_hit: 0,
            first_shot_landed: None,
            failed_first_phase_commands: 0,
            do_nothings: 0,
            gave_up: false,
            killed: false,
            killed_off: None,
            last_command: LastCommand::default(),
        }
    }
}

impl Entelect2017 {
    /// The size of both maps.
    pub fn size(&self) -> MapSize {
        self.size
    }

    /// The phase of the coming round.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The number of the coming round, counted from 0.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// The player in `seat`.
    pub fn player(&self, seat: Seat) -> &PlayerState {
        &self.players[seat]
    }

    /// True once there is an [outcome](Game::outcome).
    pub fn is_over(&self) -> bool {
        self.players.iter().any(|(_, player)| player.killed) || self.round > self.size.last_round()
    }

    /// The seats, best first, as if the match ended now.
    pub fn leader_board(&self) -> Vec<Seat> {
        score::ranking(self)
    }
}

impl Game for Entelect2017 {
    type Settings = Settings;
    type View = View;
    type Order = Order;
    type Event = Event;

    const KIND: GameKind = GameKind::Entelect2017;
    const SEATS: RangeInclusive<u8> = 2..=2;

    /// Nothing in this game is left to chance, so the seed does not matter.
    fn start(settings: &Settings, seats: u8, _seed: u64) -> Result<Entelect2017, SetupError> {
        if !Self::SEATS.contains(&seats) {
            return Err(SetupError::WrongSeats { kind: Self::KIND, wanted: "two", given: seats });
        }
        let size = settings.size;
        let players = Pair::new(PlayerState::new(size), PlayerState::new(size));
        Ok(Entelect2017 { size, phase: Phase::One, round: 0, players, recent: Vec::new() })
    }

    /// Both seats, or none in a round in which a player is removed.
    fn bounds(settings: &Settings) -> Option<MatchBounds> {
        let shots = settings.size.last_round();
        Some(MatchBounds { turns: shots + 1, points: super::MOST_POINTS, shots })
    }

    fn awaited(&self) -> Seats {
        if self.is_over() || !kill_off::seats_due(self).is_empty() {
            return Seats::NONE;
        }
        Seats::first(2)
    }

    fn view(&self, seat: Seat) -> View {
        View {
            seat,
            size: self.size,
            phase: self.phase,
            round: self.round,
            own: self.players[seat].clone(),
            opponent: OpponentView::of(&self.players[seat.opponent()]),
        }
    }

    fn check(&self, seat: Seat, order: &Order) -> Result<(), Illegal> {
        match self.phase {
            Phase::One => placing::check(self.size, order),
            Phase::Two => round::check_known(self, seat, order).map_err(|refusal| match (refusal, order) {
                (Refusal::InsufficientEnergy, Order::Fire { weapon, .. }) => {
                    let missing = weapon.energy(self.size).saturating_sub(self.players[seat].energy);
                    Illegal(format!("{missing} energy missing"))
                }
                (Refusal::OutOfBounds, _) => {
                    Illegal(format!("{refusal}, whose x and y are 0 to {}", self.size.side() - 1))
                }
                _ => Illegal(refusal.to_string()),
            }),
        }
    }

    fn step<'a>(&mut self, answer: impl Fn(Seat) -> AnswerRef<'a, Order>) -> &[Told<Event>] {
        if self.is_over() {
            return &[];
        }
        // Its memory is used again.
        let mut events = EventLog::again(std::mem::take(&mut self.recent));
        round::play(self, answer, &mut events);
        self.recent = events.into();
        &self.recent
    }

    fn outcome(&self) -> Option<Outcome> {
        if !self.is_over() {
            return None;
        }
        let alive = self.players.iter().filter(|(_, player)| !player.killed).count();
        let ranking = score::ranking(self);
        let killed_off: Vec<(Seat, String)> =
            self.players.iter().filter_map(|(seat, p)| Some((seat, p.killed_off?.to_string()))).collect();
        let ending = if !killed_off.is_empty() {
            Ending::KilledOff { seats: killed_off }
        } else if alive < 2 {
            let seats = self.players.iter().filter(|(_, player)| player.killed).map(|(seat, _)| seat).collect();
            Ending::FleetSunk { seats }
        } else {
            Ending::RoundLimit { rounds: self.size.last_round() + 1 }
        };
        Some(Outcome {
            winner: ranking.first().copied(),
            ranking,
            points: self.players.map(|player| player.points),
            scoring: Scoring::Points,
            ending,
            turns: self.round,
        })
    }

    fn scene(&self, eye: Eye) -> Scene {
        scenery::scene(self, eye)
    }
}
