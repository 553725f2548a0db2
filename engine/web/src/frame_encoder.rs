//! From scenes to frames: what is different from one scene to the next.

use crate::About;
use crate::wire::{Change, FORMAT, Frame, Kind, Over, Seen, Setup, ShipName};
use arena::{TimeUsed, record};
use rules::{
    BoardScene, CellScene, Eye, FirstRow, GameKind, HighlightKind, Hue, Mark, Outcome, Scene, Seat, Seats, ShipLook,
};
use std::collections::BTreeMap;

/// A cell of a board about which nothing is known.
const BLANK: CellScene = CellScene { mark: Mark::Water, shielded: false, fresh: false, scanned: false };

/// All eyes that see through secrets: the referee's, then those of the seats.
pub(crate) fn eyes(seats: u8) -> Vec<Eye> {
    std::iter::once(Eye::Referee).chain(Seats::first(seats).iter().map(Eye::Seat)).collect()
}

/// Turns the scenes of a match, one after the other, into frames.
#[derive(Debug, Default)]
pub(crate) struct FrameEncoder {
    /// The last scene for every eye; empty before the first.
    shown: Vec<Scene>,
}

impl FrameEncoder {
    /// The frame of the next scene, which is given for the same eyes each time, and of the turn that led to it.
    pub(crate) fn frame(&mut self, scenes: Vec<Scene>, times: &[(Seat, TimeUsed)]) -> Frame {
        let mut frame = Frame { times: times.iter().map(milliseconds).collect(), ..Frame::default() };
        let boards = scenes.first().map_or(0, |scene| scene.boards.len());
        frame.boards.resize_with(boards, Vec::new);
        for (bit, scene) in scenes.iter().enumerate() {
            let before = self.shown.get(bit);
            see(&mut frame.titles, bit, scene.title.clone());
            if !scene.highlights.is_empty() {
                see(&mut frame.highlights, bit, highlights(scene));
            }
            for (at, board) in scene.boards.iter().enumerate() {
                let change = change(before.map(|scene| &scene.boards[at]), board);
                if change != Change::default() {
                    see(&mut frame.boards[at], bit, change);
                }
            }
        }
        self.shown = scenes;
        frame
    }
}

/// Adds what the eye with this bit sees, beside others who see the same.
fn see<T: PartialEq>(seen: &mut Vec<Seen<T>>, bit: usize, what: T) {
    match seen.iter_mut().find(|Seen(_, other)| *other == what) {
        Some(Seen(eyes, _)) => *eyes |= 1 << bit,
        None => seen.push(Seen(1 << bit, what)),
    }
}

fn highlights(scene: &Scene) -> Vec<(char, Kind)> {
    scene.highlights.iter().map(|highlight| (highlight.seat.letter(), kind(highlight.kind))).collect()
}

fn kind(kind: HighlightKind) -> Kind {
    match kind {
        HighlightKind::Hit => Kind::Hit,
        HighlightKind::Sinking => Kind::Sinking,
        HighlightKind::Special => Kind::Special,
        HighlightKind::Shield => Kind::Shield,
        HighlightKind::Fault => Kind::Fault,
    }
}

/// What is different on a board; without one before, what is different from a blank one.
fn change(before: Option<&BoardScene>, now: &BoardScene) -> Change {
    let mut cells = BTreeMap::<String, Vec<usize>>::new();
    for (at, cell) in now.cells.iter().enumerate() {
        let old = before.map_or(BLANK, |before| before.cells[at]);
        if (old.mark, old.shielded) != (cell.mark, cell.shielded) {
            cells.entry(look(cell)).or_default().push(at);
        }
    }
    let known = before.map(|before| before.facts.as_slice()).unwrap_or_default();
    let others = labels(known) != labels(&now.facts);
    let facts = now.facts.iter().enumerate().filter(|(at, fact)| others || known[*at] != **fact);

    let measured = before.map(|before| before.measures.as_slice()).unwrap_or_default();
    let values = now.measures.iter().map(|(_, value)| *value).collect();
    Change {
        cells,
        fresh: places(now, |cell| cell.fresh),
        scanned: places(now, |cell| cell.scanned),
        facts: facts.map(|(at, (_, value))| (at, value.clone())).collect(),
        fact_labels: others.then(|| labels(&now.facts)),
        measures: (measured != now.measures).then_some(values),
        measure_labels: (labels(measured) != labels(&now.measures)).then(|| labels(&now.measures)),
        deed: (before.map_or("", |before| &before.deed) != now.deed).then(|| now.deed.clone()),
    }
}

/// The numbers of the cells of which that is so.
fn places(board: &BoardScene, wanted: impl Fn(&CellScene) -> bool) -> Vec<usize> {
    board.cells.iter().enumerate().filter_map(|(at, cell)| wanted(cell).then_some(at)).collect()
}

fn labels<T>(labelled: &[(&'static str, T)]) -> Vec<String> {
    labelled.iter().map(|(label, _)| (*label).to_owned()).collect()
}

/// What a cell looks like, except whether it is fresh or scanned: see [`Change::cells`].
fn look(cell: &CellScene) -> String {
    let (sign, letter) = match cell.mark {
        Mark::Water => ('~', None),
        Mark::Ship(letter) => ('#', Some(letter)),
        Mark::Damaged(letter) => ('%', Some(letter)),
        Mark::Hit(letter) => ('*', letter),
        Mark::Miss => ('!', None),
        Mark::Shot => ('^', None),
        Mark::ShieldHit => ('@', None),
    };
    [Some(sign), letter, cell.shielded.then_some('+')].into_iter().flatten().collect()
}

/// The time of a seat, to a hundredth of a millisecond.
fn milliseconds((seat, time): &(Seat, TimeUsed)) -> (char, f64) {
    (seat.letter(), record::milliseconds(time.wall))
}

/// How pages call an eye.
fn eye(eye: &Eye) -> String {
    match eye {
        Eye::Referee => "referee".to_owned(),
        Eye::Seat(seat) => seat.to_string(),
        Eye::Everyone => "everyone".to_owned(),
    }
}

/// What the page is told before the first frame; `first` is the first scene, for whichever eyes.
pub(crate) fn setup(about: &About, kind: GameKind, eyes: &[Eye], first: &Scene) -> Setup {
    let look = kind.look();
    Setup {
        format: FORMAT,
        title: about.title.clone(),
        played: about.played.clone(),
        seed: about.seed.to_string(),
        engine: about.engine.clone(),
        note: about.note.clone(),
        names: about.names.iter().map(|(_, name)| name.clone()).collect(),
        eyes: eyes.iter().map(eye).collect(),
        grids: first.boards.iter().map(|board| [board.grid.width(), board.grid.height()]).collect(),
        turn: kind.turn().to_owned(),
        first_row_on_top: look.first_row == FirstRow::Top,
        ships: look.ships.iter().map(ship_name).collect(),
    }
}

/// A kind of ship as pages are told of it.
pub fn ship_name(ship: &ShipLook) -> ShipName {
    let hue = match ship.hue {
        Hue::Plain => "plain",
        Hue::Blue => "blue",
        Hue::Violet => "violet",
        Hue::Yellow => "yellow",
    };
    ShipName { letter: ship.letter, name: ship.name.to_lowercase(), hue: hue.to_owned() }
}

/// What the page is told after the last frame; no outcome if the match was not played to its end.
pub(crate) fn over(outcome: Option<&Outcome>) -> Over {
    let Some(outcome) = outcome else {
        return Over { finished: false, winner: None, ranking: Vec::new(), points: Vec::new(), why: String::new() };
    };
    Over {
        finished: true,
        winner: outcome.winner.map(Seat::letter),
        ranking: outcome.ranking.iter().copied().map(Seat::letter).collect(),
        points: outcome.points.iter().map(|(_, points)| *points).collect(),
        why: outcome.ending.told(|seat| seat.to_string()),
    }
}
