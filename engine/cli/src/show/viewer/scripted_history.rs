//! Match histories for tests.

use arena::{GameHistory, MatchHistory, Notes, Player, Sequence, TimeUsed};
use players::BuiltIn;
use rules::entelect_2017::{Entelect2017, MapSize, Settings};
use rules::{
    BoardScene, BySeat, CellScene, Eye, FirstRow, Game, GameKind, Grid, Highlight, HighlightKind, Mark, Outcome, Scene,
    Seat,
};

/// A match of 2017 between two random players.
pub(super) fn entelect(size: MapSize, seed: u64) -> GameHistory<Entelect2017> {
    let game = Entelect2017::start(&Settings { size }, 2, seed).unwrap();
    let mut players: BySeat<Box<dyn Player<Entelect2017>>> =
        [seed, seed + 1].into_iter().map(|seed| BuiltIn::Random.player(seed)).collect();
    let mut history = GameHistory::new(game.clone(), 2);
    arena::play(game, &mut players, Sequence::InTurn, &mut history).unwrap();
    history
}

/// A history in which seat A shoots at cell 0 of everyone else in every scene but the first. Only the referee learns the
/// result.
pub(super) struct ScriptedHistory {
    pub(super) seats: u8,
    pub(super) grid: Grid,
    /// The highlight of each turn.
    pub(super) turns: Vec<Option<HighlightKind>>,
    /// The deed of A in each turn.
    pub(super) deed: &'static str,
    /// The notes of A on each turn.
    pub(super) notes: Option<Notes>,
}

impl ScriptedHistory {
    /// Two seats, boards of 14 x 14.
    pub(super) fn new(turns: impl IntoIterator<Item = Option<HighlightKind>>) -> ScriptedHistory {
        ScriptedHistory {
            seats: 2,
            grid: Grid::new(14, 14),
            turns: turns.into_iter().collect(),
            deed: "fired",
            notes: None,
        }
    }

    /// This many seats and turns without highlights, and boards of this size.
    pub(super) fn quiet(seats: u8, grid: Grid, turns: usize) -> ScriptedHistory {
        ScriptedHistory { seats, grid, ..ScriptedHistory::new(vec![None; turns]) }
    }
}

impl MatchHistory for ScriptedHistory {
    fn kind(&self) -> GameKind {
        GameKind::Entelect2017
    }

    fn seats(&self) -> u8 {
        self.seats
    }

    fn scenes(&self) -> usize {
        self.turns.len() + 1
    }

    fn scene(&self, at: usize, eye: Eye) -> Scene {
        let board = |seat: Seat| {
            let cell = |index| CellScene {
                mark: if index == 0 && at > 0 { Mark::Miss } else { Mark::Water },
                shielded: false,
                scanned: false,
                fresh: index == 0 && at > 0 && seat != Seat::A,
            };
            BoardScene {
                seat,
                first_row: FirstRow::Bottom,
                grid: self.grid,
                cells: (0..self.grid.points().count()).map(cell).collect(),
                fleet: Vec::new(),
                facts: vec![("points", at.to_string())],
                measures: Vec::new(),
                deed: if seat == Seat::A && at > 0 { self.deed.to_owned() } else { String::new() },
            }
        };
        let kind = at.checked_sub(1).and_then(|turn| self.turns[turn]).filter(|_| eye == Eye::Referee);
        Scene {
            title: format!("Scene {at}"),
            boards: (0..self.seats).filter_map(Seat::new).map(board).collect(),
            highlights: kind.map(|kind| Highlight { seat: Seat::A, kind }).into_iter().collect(),
            ..Scene::default()
        }
    }

    fn times(&self, _: usize) -> &[(Seat, TimeUsed)] {
        &[]
    }

    fn notes(&self, at: usize, eye: Eye) -> Vec<(Seat, &Notes)> {
        let notes = self.notes.iter().filter(|_| at > 0 && eye.sees_all_of(Seat::A));
        notes.map(|notes| (Seat::A, notes)).collect()
    }

    fn outcome(&self) -> Option<&Outcome> {
        None
    }
}
