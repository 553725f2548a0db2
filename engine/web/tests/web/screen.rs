//! The work of a page, done in Rust: scenes from frames.

use rules::{BoardScene, CellScene, Eye, HighlightKind, Mark, Mover, SalvoTotal, Scene, Sinking};
use std::collections::BTreeMap;
use web::wire::{BoardChange, FleetShip, Frame, SeenBy, Setup};

/// The scene that one eye sees, made from frames alone.
pub(crate) struct Screen {
    eye: u32,
    title: String,
    highlights: Vec<(char, HighlightKind)>,
    boards: Vec<Board>,
    mover: Option<Mover>,
    total: Option<SalvoTotal>,
    sinkings: Vec<Sinking>,
}

#[derive(Default)]
struct Board {
    looks: Vec<String>,
    fresh: Vec<usize>,
    scanned: Vec<usize>,
    fleet: Vec<FleetShip>,
    fact_labels: Vec<String>,
    facts: BTreeMap<usize, String>,
    measure_labels: Vec<String>,
    measures: Vec<i64>,
    deed: String,
}

impl Screen {
    pub(crate) fn new(setup: &Setup, eye: Eye) -> Screen {
        let blank = |[width, height]: &[i32; 2]| Board {
            looks: vec!["~".to_owned(); (width * height) as usize],
            ..Board::default()
        };
        let name = match eye {
            Eye::Referee => "referee".to_owned(),
            Eye::Seat(seat) => seat.to_string(),
            Eye::Everyone => "everyone".to_owned(),
        };
        let eye = setup.eyes.iter().position(|other| *other == name).unwrap() as u32;
        let boards = setup.grids.iter().map(blank).collect();
        let (mover, total, sinkings) = Default::default();
        Screen { eye, title: String::new(), highlights: Vec::new(), boards, mover, total, sinkings }
    }

    pub(crate) fn show(&mut self, frame: &Frame) {
        self.title = self.seen(&frame.titles).unwrap().clone();
        self.highlights = self.seen(&frame.highlights).cloned().unwrap_or_default();
        self.mover = self.seen(&frame.mover).copied();
        self.total = self.seen(&frame.total).copied();
        self.sinkings.extend(self.seen(&frame.sinkings).cloned().unwrap_or_default());
        for (at, board) in frame.boards.iter().enumerate() {
            let change = self.seen(board).cloned().unwrap_or_default();
            self.boards[at].change(change);
        }
    }

    fn seen<'a, T>(&self, seen: &'a [SeenBy<T>]) -> Option<&'a T> {
        seen.iter().find(|SeenBy(eyes, _)| eyes & (1 << self.eye) != 0).map(|SeenBy(_, what)| what)
    }

    /// Fails unless this equals `scene`.
    pub(crate) fn assert_shows(&self, scene: &Scene) {
        assert_eq!(self.title, scene.title);
        let highlights: Vec<_> = scene.highlights.iter().map(|one| (one.seat.letter(), one.kind)).collect();
        assert_eq!(self.highlights, highlights);
        assert_eq!(self.mover, scene.mover);
        assert_eq!(self.total, scene.total);
        assert_eq!(self.sinkings, scene.sinkings);
        assert_eq!(self.boards.len(), scene.boards.len());
        for (shown, board) in self.boards.iter().zip(&scene.boards) {
            shown.assert_shows(board);
        }
    }
}

impl Board {
    fn change(&mut self, change: BoardChange) {
        for (look, cells) in change.cells {
            for cell in cells {
                self.looks[cell] = look.clone();
            }
        }
        self.fresh = change.fresh;
        self.scanned = change.scanned;
        self.fleet = change.fleet.unwrap_or(std::mem::take(&mut self.fleet));
        if let Some(labels) = change.fact_labels {
            self.fact_labels = labels;
            self.facts.clear();
        }
        self.facts.extend(change.facts);
        self.measure_labels = change.measure_labels.unwrap_or(std::mem::take(&mut self.measure_labels));
        self.measures = change.measures.unwrap_or(std::mem::take(&mut self.measures));
        self.deed = change.deed.unwrap_or(std::mem::take(&mut self.deed));
    }

    fn assert_shows(&self, board: &BoardScene) {
        assert_eq!(self.looks, board.cells.iter().map(look).collect::<Vec<_>>());
        let fresh: Vec<usize> = (0..board.cells.len()).filter(|&at| board.cells[at].fresh).collect();
        assert_eq!(self.fresh, fresh);
        let scanned: Vec<usize> = (0..board.cells.len()).filter(|&at| board.cells[at].scanned).collect();
        assert_eq!(self.scanned, scanned);
        let fleet = board.fleet.iter();
        let fleet = fleet.map(|ship| FleetShip { letter: ship.letter, length: ship.length, sunk: ship.sunk });
        assert_eq!(self.fleet, fleet.collect::<Vec<_>>());
        let facts: Vec<_> = self.fact_labels.iter().map(String::as_str).zip(self.facts.values().cloned()).collect();
        assert_eq!(facts, board.facts);
        let measures: Vec<_> =
            self.measure_labels.iter().map(String::as_str).zip(self.measures.iter().copied()).collect();
        assert_eq!(measures, board.measures);
        assert_eq!(self.deed, rules::printable(&board.deed));
    }
}

/// A cell as frames write it.
pub(crate) fn look(cell: &CellScene) -> String {
    let shield = if cell.shielded { "+" } else { "" };
    match cell.mark {
        Mark::Water => format!("~{shield}"),
        Mark::Ship(letter) => format!("#{letter}{shield}"),
        Mark::Damaged(letter) => format!("%{letter}{shield}"),
        Mark::Hit(Some(letter)) => format!("*{letter}{shield}"),
        Mark::Hit(None) => format!("*{shield}"),
        Mark::Miss => format!("!{shield}"),
        Mark::Shot => format!("^{shield}"),
        Mark::ShieldHit => format!("@{shield}"),
    }
}
