//! The state of a match, which is a value.

use super::board::Board;
use super::choices::{Choices, First, FleetConsequence, Fleets, ShotCount, Shots, SpecialKind, Turns};
use super::event::{Event, Finding, Hits, Shot, Sinking};
use super::moves::Verdict;
use super::order::{Order, Refusal};
use super::placing::{Fleet, place_at_random};
use super::rules::Rules;
use super::view::{BoardView, Known, View};
use super::{scenery, verdict};
use crate::{
    AnswerRef, BySeat, Eye, Game, GameKind, Illegal, Log, MatchBounds, Outcome, Scene, Seat, Seats, SetupError, Told,
    random, seat_seed,
};
use rand::RngExt;
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A match of a Battleship by [`Rules`].
///
/// ```
/// use rules::battleship::{Battleship, Known, Order, Placed, Rules, Target};
/// use rules::{Game, Point, Seat};
///
/// let rules: Rules = serde_json::from_str(r#"{"board": {"width": 3, "height": 1}, "fleet": [{"name": "boat", "size": 3}]}"#)?;
/// let mut game = Battleship::start(&rules, 2, 7)?;
/// let boat = Placed { name: None, cells: rules.grid().points().collect() };
/// let fleet = Order::Place(vec![boat]);
/// game.step(|_| Ok(&fleet));
/// let shot = Order::Fire(vec![Target::cell(Point::new(1, 0))]);
/// game.step(|_| Ok(&shot));
/// assert_eq!(game.view(Seat::A).boards[Seat::B].cells[1], Known::Hit);
/// assert!(game.awaited().contains(Seat::B));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Battleship {
    pub(super) rules: Rules,
    pub(super) seed: u64,
    /// The number of turns played.
    pub(super) turn: u32,
    pub(super) placing: bool,
    /// The player that moves, where players alternate.
    pub(super) current: Seat,
    pub(super) over: bool,
    pub(super) players: BySeat<PlayerState>,
    /// The knowledge of boards that shots have given, see [`Battleship::known_at`]. Clones share what no shot has changed: of 16 players
    /// there are 256 entries.
    pub(super) known: Vec<Arc<Vec<Known>>>,
    pub(super) hits: Vec<Hits>,
    /// The ships that were sunk, as far as that is told.
    pub(crate) sunk: Vec<Sinking>,
    /// The events of the last turn.
    pub(crate) recent: Vec<Told<Event>>,
}

/// The state of one player.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct PlayerState {
    /// The board: in solo the one that the player fires at, otherwise its own. `None` before the ships are placed.
    pub board: Option<Board>,
    /// The number of moves.
    pub moves: u32,
    /// The number of shots, those that were wasted and special actions included.
    pub shots: u32,
    /// The number of hits that took something from a ship.
    pub hits: u32,
    /// The number of ships that the player has sunk.
    pub sunk: u32,
    /// The number of times that each special action may still be taken.
    pub uses: Vec<u8>,
    /// The way in which the player went out, and in which turn.
    pub out: Option<(u32, Exit)>,
    /// The number of refusals in this turn.
    pub(super) refusals: u8,
    /// The move that waits for the answers of others.
    pub(super) held: Option<Verdict<'static>>,
    /// The shots, as they were told.
    #[serde(skip)]
    pub(crate) fired: Log<Shot>,
    #[serde(skip)]
    pub(super) found: Vec<Finding>,
    #[serde(skip)]
    pub(super) refused: Option<Refusal>,
}

/// The way in which a player goes out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum Exit {
    /// Its fleet was sunk; in solo, it has sunk all ships.
    Sunk,
    /// The rules removed it: the reason, as a sentence without its name.
    Lost(String),
}

impl Battleship {
    /// A match that may be of any rules, also of those for whose fleets there may be no room.
    pub(crate) fn begin(rules: &Rules, seats: u8, seed: u64) -> Result<Battleship, SetupError> {
        let choices = rules.choices();
        let uses: Vec<u8> = choices.specials.iter().map(|special| special.uses).collect();
        let player = PlayerState { uses, ..PlayerState::default() };
        let first = match choices.first {
            First::A => 0,
            First::Drawn => random(seed).random_range(0..seats),
        };
        let count = usize::from(seats);
        let boards = if shares_knowledge(choices) { count } else { count * count };
        let mut game = Battleship {
            rules: rules.clone(),
            seed,
            turn: 0,
            placing: choices.fleets == Fleets::Placed && !rules.is_solo(),
            current: Seat::new(first).unwrap_or(Seat::A),
            over: false,
            players: std::iter::repeat_n(player, count).collect(),
            known: std::iter::repeat_n(Arc::new(vec![Known::Unknown; rules.grid().len()]), boards).collect(),
            hits: Vec::new(),
            sunk: Vec::new(),
            recent: Vec::new(),
        };
        if !game.placing {
            for seat in game.players.seats() {
                let fleet = game.drawn_fleet(seat).ok_or_else(|| no_room(rules))?;
                game.players[seat].board = Some(Board::new(rules, fleet));
            }
        }
        Ok(game)
    }

    /// The rules of the match.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The number of turns played.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// True before the ships are placed.
    pub fn is_placing(&self) -> bool {
        self.placing
    }

    /// All players.
    pub fn players(&self) -> &BySeat<PlayerState> {
        &self.players
    }

    /// The player in `seat`.
    pub fn player(&self, seat: Seat) -> &PlayerState {
        &self.players[seat]
    }

    /// The number of the entry of `known` that has what one seat knows of the board of another. Where all see the same there is one
    /// entry for a board.
    pub(super) fn known_at(&self, viewer: Seat, owner: Seat) -> usize {
        match shares_knowledge(self.rules.choices()) {
            true => owner.index(),
            false => viewer.index() * self.players.len() + owner.index(),
        }
    }

    /// The knowledge that one seat has of the board of another, its own radars included: others are not told what those have shown.
    pub(super) fn known(&self, viewer: Seat, owner: Seat) -> Cow<'_, [Known]> {
        let mut known = Cow::from(&**self.known[self.known_at(viewer, owner)]);
        let specials = &self.rules.choices().specials;
        let is_radar = |found: &&Finding| found.at == owner && specials[found.special].kind == SpecialKind::Radar;
        for found in self.players[viewer].found.iter().filter(is_radar) {
            for cell in self.rules.area_at(found.special, found.aim) {
                let Some(index) = self.rules.grid().index(cell) else { continue };
                let shown = match found.ships.contains(&cell) {
                    true => Known::Ship,
                    // Where a radar misses no ship, the rest of the area is water.
                    false if specials[found.special].misses.is_empty() => Known::Water,
                    false => Known::Unknown,
                };
                if shown > known[index] {
                    known.to_mut()[index] = shown;
                }
            }
        }
        known
    }

    /// True if all players are told of all shots.
    pub(super) fn is_seen(&self) -> bool {
        self.rules.choices().seen && !self.rules.is_solo()
    }

    /// True if the player is in and has moves left.
    pub(super) fn can_move(&self, player: &PlayerState) -> bool {
        player.out.is_none() && player.moves < self.rules.limit().turns
    }

    /// The number of shots of a player's next move.
    pub fn shots(&self, seat: Seat) -> u32 {
        let count = match self.rules.choices().shots {
            Shots::Fixed(shots) => return shots.into(),
            Shots::Counted(count) => count,
        };
        let Some(board) = &self.players[seat].board else { return 1 };
        let afloat = || board.ships().iter().filter(|ship| ship.left > 0);
        let shots = match count {
            ShotCount::ShipsAfloat => afloat().count() as u32,
            ShotCount::LongestAfloat => afloat().map(|ship| ship.cells.len() as u32).max().unwrap_or(0),
            ShotCount::OwnCellsAfloat => board.cells_left(&self.rules),
        };
        shots.max(1)
    }

    /// A fleet that is drawn from the seed: in solo the same for all, otherwise another one for each player. `None` if there is no
    /// room.
    pub(super) fn drawn_fleet(&self, seat: Seat) -> Option<Fleet> {
        let seed = if self.rules.is_solo() { self.seed } else { fleet_seed(self.seed, seat) };
        place_at_random(&self.rules, &mut random(seed))
    }
}

/// True if all players know the same of a board: they are told of all shots, or nobody else fires at it.
fn shares_knowledge(choices: &Choices) -> bool {
    choices.seen || choices.turns == Turns::Solo
}

/// The seed of a drawn fleet. It is not that of the player in the seat, which could draw the fleet again; nor that of the opponent, which
/// could find it out.
fn fleet_seed(seed: u64, seat: Seat) -> u64 {
    seat_seed(seat_seed(!seed, seat), seat)
}

fn no_room(rules: &Rules) -> SetupError {
    let size = rules.choices().board;
    let what = format!("fleet: no place for all ships was found on a board of {} x {}", size.width, size.height);
    SetupError::Settings(what)
}

/// All that the rest of a match depends on, and the shots of the last turn: a fingerprint of earlier shots was taken in their turn.
impl Serialize for Battleship {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let last = |shot: &&Shot| shot.turn + 1 == self.turn;
        let shots = self.players.iter().map(|(_, player)| player.fired.iter().rev().take_while(last).collect());
        let shots: Vec<Vec<&Shot>> = shots.collect();
        let findings: Vec<_> = self.players.iter().map(|(_, player)| player.found.last()).collect();
        let moment = (self.seed, self.turn, self.placing, self.current, self.over);
        (moment, &self.players, shots, findings).serialize(out)
    }
}

impl Game for Battleship {
    type Settings = Rules;
    type View = View;
    type Order = Order;
    type Event = Event;

    const KIND: GameKind = GameKind::Battleship;
    const SEATS: RangeInclusive<u8> = 1..=Seat::MAX;

    /// The seed decides who moves first if that is drawn, the fleet in solo, and fleets that are drawn for players.
    fn start(rules: &Rules, seats: u8, seed: u64) -> Result<Battleship, SetupError> {
        if !Self::SEATS.contains(&seats) {
            return Err(SetupError::WrongSeats { kind: Self::KIND, wanted: "1 to 16", given: seats });
        }
        if !rules.seats().contains(&seats) {
            let (least, most) = rules.seats().into_inner();
            let wanted = if least == most { least.to_string() } else { format!("{least} to {most}") };
            let name = &rules.choices().name;
            return Err(SetupError::Settings(format!("seats: {name} is for {wanted} players, not {seats}")));
        }
        if !rules.fits() {
            return Err(no_room(rules));
        }
        Battleship::begin(rules, seats, seed)
    }

    fn seats(rules: &Rules) -> RangeInclusive<u8> {
        rules.seats()
    }

    /// Where fleets are drawn, be it in place of a bad one, a player knows that of each seat after two games.
    fn reveals_seed(rules: &Rules) -> bool {
        let choices = rules.choices();
        rules.is_solo() || choices.fleets == Fleets::Drawn || choices.bad_fleet == FleetConsequence::Drawn
    }

    fn is_solo(rules: &Rules) -> bool {
        rules.is_solo()
    }

    fn bounds(rules: &Rules) -> Option<MatchBounds> {
        let choices = rules.choices();
        let tries = if choices.asks_again() { 1 + u32::from(choices.retries) } else { 1 };
        let seats = u32::from(choices.seats);
        let turns = (1 + rules.limit().turns * if rules.is_solo() { 1 } else { seats }) * tries;
        let shots = rules.limit().turns.saturating_mul(rules.most_shots());
        let points = if rules.is_solo() { shots } else { rules.hits_of_fleet() * (seats - 1) };
        Some(MatchBounds { turns, points, shots })
    }

    fn awaited(&self) -> Seats {
        if self.over {
            return Seats::NONE;
        }
        if !self.placing && self.rules.choices().turns == Turns::Alternate {
            return [self.current].into_iter().collect();
        }
        let waits = |player: &PlayerState| if self.placing { player.out.is_none() } else { self.can_move(player) };
        let awaited = self.players.iter().filter(|(_, player)| player.held.is_none() && waits(player));
        awaited.map(|(seat, _)| seat).collect()
    }

    fn view(&self, seat: Seat) -> View {
        let player = &self.players[seat];
        let (is_seen, is_solo) = (self.is_seen(), self.rules.is_solo());
        let is_known = |who: Seat| is_seen || who == seat;
        let board = |owner: Seat| BoardView {
            is_in: self.players[owner].out.is_none(),
            cells: match is_solo && owner != seat {
                true => vec![Known::Unknown; self.rules.grid().len()],
                false => self.known(seat, owner).into_owned(),
            },
        };
        let fleet = player.board.as_ref().filter(|_| !is_solo);
        let fired = |who: Seat| if is_known(who) { self.players[who].fired.clone() } else { Log::default() };
        View {
            seat,
            rules: self.rules.clone(),
            turn: self.turn,
            placing: self.placing,
            shots: self.shots(seat),
            moves_left: self.rules.limit().turns.saturating_sub(player.moves),
            fleet: fleet.map(|board| board.ships().iter().map(|ship| ship.cells.clone()).collect()),
            boards: self.players.seats().map(board).collect(),
            fired: self.players.seats().map(fired).collect(),
            hits: self.hits.iter().filter(|hits| is_known(hits.by)).copied().collect(),
            sunk: self.sunk.iter().filter(|sinking| is_known(sinking.by)).cloned().collect(),
            found: player.found.clone(),
            uses: (0..)
                .zip(&player.uses)
                .map(|(nth, uses)| if verdict::needed(self, seat, nth).is_some() { 0 } else { *uses })
                .collect(),
            refused: player.refused.clone(),
        }
    }

    fn check(&self, seat: Seat, order: &Order) -> Result<(), Illegal> {
        match verdict::mistake(self, seat, order) {
            Some(mistake) if !mistake.is_obeyed => Err(Illegal(mistake.why.to_string())),
            _ => Ok(()),
        }
    }

    fn step<'a>(&mut self, answer: impl Fn(Seat) -> AnswerRef<'a, Order>) -> &[Told<Event>] {
        if self.over {
            return &[];
        }
        self.play(answer);
        &self.recent
    }

    fn outcome(&self) -> Option<Outcome> {
        self.over.then(|| super::ending::outcome(self))
    }

    fn scene(&self, eye: Eye) -> Scene {
        scenery::scene(self, eye)
    }
}
