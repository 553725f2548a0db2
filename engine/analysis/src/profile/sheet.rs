//! The sheet of a game: everything that a profile needs to know of it.

use crate::{Analysed, Knowledge, Shots};
use arena::record::{Record, initial_state, replay_record};
use arena::{ArenaError, MatchEvent, Observer, Observers};
use chances::{Effort, Layout};
use rules::{BoardScene, Eye, FirstRow, GameKind, Grid, Mark, Point, Seat, Seats, Told};
use serde::Serialize;
use std::sync::Arc;

/// The work for the knowledge before a shot: less than for a match alone, because errors of single shots cancel each other over many games.
const EFFORT: Effort = Effort { explanations: 200, fleets: 150, exact: 500, keeps: false };

/// The boards and fleets of a game. Only games that are alike in this are added up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// The game.
    pub game: GameKind,
    /// The cells.
    pub grid: Grid,
    /// The side on which row 0 is drawn.
    pub first_row: FirstRow,
    /// The kinds of ships of one fleet.
    pub ships: Vec<ShipKind>,
    /// True if players have shields.
    pub has_shields: bool,
}

/// A kind of ship of a fleet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShipKind {
    /// The name in sentences.
    pub name: String,
    /// The number of ships of this kind.
    pub count: usize,
    /// The number of cells of each.
    pub cells: usize,
}

/// The deeds of one player in one game.
#[derive(Debug, Clone, PartialEq)]
pub struct GameSheet {
    /// True if the player won, false if another did; `None` for a draw.
    pub won: Option<bool>,
    /// The other players, by their seats: true if the player was ranked before the other, `None` if nobody won.
    pub against: Vec<(Seat, Option<bool>)>,
    /// The player's ships: the numbers of their kinds, and their cells in ascending order.
    pub fleet: Vec<(usize, Vec<usize>)>,
    /// The shots, one entry a turn in which the player fired.
    pub volleys: Vec<Volley>,
    /// The shots and the hits of each salvo, in games of salvos.
    pub salvos: Vec<(u32, u32)>,
    /// The names of the actions that fired nothing.
    pub actions: Vec<String>,
    /// The turns in which it raised a shield.
    pub shields: Vec<u32>,
    /// The ends of the opponents' shots that its shield caught.
    pub caught: u32,
    /// The player's own shots at shields.
    pub at_shields: ShieldShots,
    /// The opponents' ships that were afloat at the end: the numbers of their kinds, and the cells that were left.
    pub left: Vec<(usize, u32)>,
    /// True if boards or fleets are too large for chances: the volleys then have no worth.
    pub too_large: bool,
}

/// The shots of a player in one turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Volley {
    /// The kind of shot.
    pub kind: &'static str,
    /// The cells of the board of those shots that reach one cell each.
    pub cells: Vec<usize>,
    /// The number of shots.
    pub shots: u32,
    /// The parts of ships that were hit.
    pub hits: u32,
    /// True if a ship of an opponent was hit and afloat before.
    pub wounded: bool,
    /// The expected hits of the aims that were taken, of the best ones, and of aims that are drawn.
    pub worth: Option<[f64; 3]>,
}

/// Shots after one that a shield caught.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ShieldShots {
    /// The number of shots that were fired next after one that was caught.
    pub next: u32,
    /// The number of those that reached the same cell again.
    pub again: u32,
    /// The number that would have by chance.
    pub by_chance: f64,
}

/// Plays a record again and writes the sheets of the players in these seats. The first turn that breaks the rules ends it with an error, and so
/// does an observer such as [`arena::Interrupt`].
///
/// # Errors
/// The record does not follow the rules, or has no end ([`arena::record::RecordError::Unfinished`]). A failure of `stop`.
pub fn game_sheets(
    record: &Arc<Record>,
    seats: Seats,
    stop: &arena::Interrupt,
) -> Result<(Board, Vec<GameSheet>), ArenaError> {
    rules::for_game!(record.header().game, G => sheets::<G>(record, seats, stop))
}

fn sheets<G: Analysed>(
    record: &Arc<Record>,
    seats: Seats,
    stop: &arena::Interrupt,
) -> Result<(Board, Vec<GameSheet>), ArenaError> {
    let game: G = initial_state(record)?;
    let mut writers: Vec<SheetWriter<G>> = seats.iter().map(|seat| SheetWriter::new(&game, seat)).collect();
    let mut stop = stop.clone();
    let mut observers = Observers::new();
    observers.add(&mut stop);
    writers.iter_mut().for_each(|writer| observers.add(writer));
    replay_record(record, &mut observers)?;
    drop(observers);
    Ok((board(&game), writers.into_iter().map(|writer| writer.sheet).collect()))
}

/// The board and the fleet of a game: those at which the first seat fires, as all seats have the same.
fn board<G: Analysed>(game: &G) -> Board {
    let view = game.view(Seat::A);
    let (targets, layout) = (G::targets(Seat::A, &view), G::layout(&view));
    let scene = game.scene(Eye::Referee);
    let kind = |kind: usize| ShipKind {
        name: G::ship_name(&view, kind),
        count: layout.count(kind),
        cells: layout.places(kind).next().map_or(0, |place| layout.place(place).len()),
    };
    Board {
        game: G::KIND,
        grid: scene.boards[0].grid,
        first_row: scene.boards[0].first_row,
        ships: (0..layout.kinds() / targets.len().max(1)).map(kind).collect(),
        has_shields: G::HAS_SHIELDS,
    }
}

/// Follows a match and writes the sheet of one seat.
struct SheetWriter<G: Analysed> {
    seat: Seat,
    layout: Layout,
    /// The view before the turn, and whether a ship that it may fire at is wounded.
    before: Option<(G::View, bool)>,
    turn: u32,
    /// The cells in which a shield caught its last shot.
    caught: Vec<usize>,
    sheet: GameSheet,
}

impl<G: Analysed> SheetWriter<G> {
    fn new(game: &G, seat: Seat) -> SheetWriter<G> {
        let layout = G::layout(&game.view(seat));
        let sheet = GameSheet {
            won: None,
            against: Vec::new(),
            fleet: Vec::new(),
            volleys: Vec::new(),
            salvos: Vec::new(),
            actions: Vec::new(),
            shields: Vec::new(),
            caught: 0,
            at_shields: ShieldShots::default(),
            left: Vec::new(),
            too_large: layout.is_large(),
        };
        SheetWriter { seat, layout, before: None, turn: 0, caught: Vec::new(), sheet }
    }

    fn advance(&mut self, view: &G::View, wounded: bool, told: &[Told<G::Event>]) {
        let deeds = G::deeds(self.seat, view, told);
        self.sheet.salvos.extend(deeds.salvo);
        self.sheet.actions.extend(deeds.actions);
        self.sheet.shields.extend(deeds.raised_shield.then_some(self.turn));
        for target in G::targets(self.seat, view).iter().filter(|target| target.seat != self.seat) {
            self.sheet.caught += G::deeds(target.seat, view, told).caught.len() as u32;
        }
        let Some(fired) = <G as Analysed>::fired(self.seat, view, told) else { return };
        if !self.caught.is_empty() {
            let aims = G::aims(view, &fired);
            let is_again = |cells: &Vec<usize>| cells.iter().any(|cell| self.caught.contains(cell));
            self.sheet.at_shields.next += 1;
            self.sheet.at_shields.again += u32::from(fired.shots.iter().any(is_again));
            let again = aims.iter().filter(|aim| is_again(aim)).count() as f64;
            self.sheet.at_shields.by_chance += again / aims.len().max(1) as f64;
        }
        self.caught = deeds.caught;
        let board = self.layout.cells() / G::targets(self.seat, view).len().max(1);
        let single = fired.shots.iter().filter(|cells| cells.len() == 1).map(|cells| cells[0] % board.max(1));
        let mut volley = Volley {
            kind: fired.kind,
            cells: single.collect(),
            shots: fired.shots.len() as u32,
            hits: fired.hits,
            wounded,
            worth: None,
        };
        if !self.sheet.too_large {
            let knowledge = Knowledge::of::<G>(view, &self.layout, EFFORT, u64::from(self.turn));
            let shots = Shots::of::<G>(view, &knowledge, fired);
            volley.worth = shots.is_weighed.then_some([shots.expected, shots.best, shots.random]);
        }
        if volley.shots > 1 {
            self.sheet.salvos.push((volley.shots, volley.hits));
        }
        self.sheet.volleys.push(volley);
    }

    /// The opponents' ships that are afloat: the number of the kind, the cells that are left, and true if it was hit.
    fn afloat(&self, game: &G) -> Vec<(usize, u32, bool)> {
        let scene = game.scene(Eye::Referee);
        let boards = G::targets(self.seat, &game.view(self.seat));
        let mut afloat = Vec::new();
        for board in boards.iter().filter_map(|target| scene.boards.iter().find(|board| board.seat == target.seat)) {
            for (kind, cells) in game.fleet(board.seat) {
                let (left, is_hit) = state(board, &cells);
                if left > 0 {
                    afloat.push((kind, left, is_hit));
                }
            }
        }
        afloat
    }
}

/// The cells of a ship that are left, and true if any was hit.
fn state(board: &BoardScene, cells: &[Point]) -> (u32, bool) {
    let marks = || cells.iter().filter_map(|cell| board.cell(*cell)).map(|cell| cell.mark);
    let left = marks().filter(|mark| !matches!(mark, Mark::Hit(_))).count() as u32;
    (left, marks().any(|mark| matches!(mark, Mark::Hit(_) | Mark::Damaged(_))))
}

impl<G: Analysed> Observer<G> for SheetWriter<G> {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Opened { turn, game } => {
                let wounded = self.afloat(game).iter().any(|(_, _, is_hit)| *is_hit);
                self.before = Some((game.view(self.seat), wounded));
                self.turn = *turn;
                if self.sheet.fleet.is_empty() {
                    self.sheet.fleet = fleet(*game, self.seat);
                }
            }
            MatchEvent::Advanced { told, .. } => {
                if let Some((view, wounded)) = self.before.take() {
                    self.advance(&view, wounded, told);
                }
            }
            MatchEvent::Finished { outcome, game } => {
                self.sheet.won = outcome.winner.map(|winner| winner == self.seat);
                let place = |seat: Seat| outcome.ranking.iter().position(|ranked| *ranked == seat);
                let others = outcome.points.seats().filter(|other| *other != self.seat);
                let against = others.map(|other| (other, outcome.winner.map(|_| place(self.seat) < place(other))));
                self.sheet.against = against.collect();
                self.sheet.left = self.afloat(game).into_iter().map(|(kind, left, _)| (kind, left)).collect();
            }
            MatchEvent::Answered { .. } => {}
        }
        Ok(())
    }
}

/// The ships of a seat with the numbers of their cells.
fn fleet<G: Analysed>(game: &G, seat: Seat) -> Vec<(usize, Vec<usize>)> {
    let scene = game.scene(Eye::Referee);
    let Some(board) = scene.boards.iter().find(|board| board.seat == seat) else { return Vec::new() };
    let number = |cells: Vec<Point>| {
        let mut cells: Vec<usize> = cells.iter().filter_map(|cell| board.grid.index(*cell)).collect();
        cells.sort_unstable();
        cells
    };
    let mut fleet: Vec<(usize, Vec<usize>)> =
        game.fleet(seat).into_iter().map(|(kind, cells)| (kind, number(cells))).collect();
    fleet.sort();
    fleet
}
