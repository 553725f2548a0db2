//! The frame encoder: from scenes to the differences between them.

use crate::piece::Piece;
use crate::wire::{BoardChange, FORMAT, FleetShip, Frame, MatchEnd, SeenBy, Setup, ShipName};
use crate::{About, notes};
use arena::{Notes, TimeUsed, record};
use rules::{
    BoardScene, CellScene, Eye, FirstRow, GameKind, Hue, Mark, Outcome, Scene, Seat, Seats, ShipLook, ShipScene,
    Sinking, printable,
};
use std::collections::BTreeMap;

/// A cell about which nothing is known.
const BLANK: CellScene = CellScene { mark: Mark::Water, shielded: false, fresh: false, scanned: false };

/// The eyes that see secrets: the referee's, then those of the seats.
pub(crate) fn eyes(seats: u8) -> Vec<Eye> {
    std::iter::once(Eye::Referee).chain(Seats::first(seats).iter().map(Eye::Seat)).collect()
}

/// Encodes the scenes of a match, one after the other, as frames.
#[derive(Debug)]
pub(crate) struct FrameEncoder {
    eyes: Vec<Eye>,
    /// The last scene for each eye; empty before the first.
    shown: Vec<Scene>,
}

impl FrameEncoder {
    /// An encoder for a match that these eyes see, and its setup. `first` is the first scene, for any eye.
    pub(crate) fn begin(about: &About, kind: GameKind, eyes: Vec<Eye>, first: &Scene) -> (FrameEncoder, Piece) {
        let setup = Piece::setup(&setup(about, kind, &eyes, first));
        (FrameEncoder { eyes, shown: Vec::new() }, setup)
    }

    /// The frame for the next scene, given for each eye, and for the turn that led to it, with the notes on that turn.
    pub(crate) fn frame(
        &mut self,
        scene: impl Fn(Eye) -> Scene,
        times: &[(Seat, TimeUsed)],
        notes: &[(Seat, &Notes)],
    ) -> Frame {
        let scenes: Vec<Scene> = self.eyes.iter().map(|eye| scene(*eye)).collect();
        let times = times.iter().map(|(seat, time)| (seat.letter(), record::milliseconds(time.wall)));
        let mut frame = Frame { times: times.collect(), ..Frame::default() };
        let boards = scenes.first().map_or(&[][..], |scene| &scene.boards);
        frame.notes = notes::seen_by(&self.eyes, notes, boards);
        frame.boards.resize_with(boards.len(), Vec::new);
        for (bit, scene) in scenes.iter().enumerate() {
            let before = self.shown.get(bit);
            see(&mut frame.titles, bit, scene.title.clone());
            if !scene.highlights.is_empty() {
                let highlights = scene.highlights.iter().map(|highlight| (highlight.seat.letter(), highlight.kind));
                see(&mut frame.highlights, bit, highlights.collect());
            }
            if let Some(mover) = scene.mover {
                see(&mut frame.mover, bit, mover);
            }
            if let Some(total) = scene.total {
                see(&mut frame.total, bit, total);
            }
            let known = before.map_or(0, |before| before.sinkings.len());
            let fresh: Vec<Sinking> = scene.sinkings.iter().copied().skip(known).collect();
            if !fresh.is_empty() {
                see(&mut frame.sinkings, bit, fresh);
            }
            for (at, board) in scene.boards.iter().enumerate() {
                let change = change(before.map(|scene| &scene.boards[at]), board);
                if change != BoardChange::default() {
                    see(&mut frame.boards[at], bit, change);
                }
            }
        }
        self.shown = scenes;
        frame
    }
}

/// Adds the thing that the eye with this bit sees, together with the other eyes that see the same.
fn see<T: PartialEq>(seen: &mut Vec<SeenBy<T>>, bit: usize, what: T) {
    match seen.iter_mut().find(|SeenBy(_, other)| *other == what) {
        Some(SeenBy(eyes, _)) => *eyes |= 1 << bit,
        None => seen.push(SeenBy(1 << bit, what)),
    }
}

/// The differences of a board from the one before, or from a blank board if there is none before.
fn change(before: Option<&BoardScene>, now: &BoardScene) -> BoardChange {
    let mut cells = BTreeMap::<String, Vec<usize>>::new();
    for (at, cell) in now.cells.iter().enumerate() {
        let old = before.map_or(BLANK, |before| before.cells[at]);
        if (old.mark, old.shielded) != (cell.mark, cell.shielded) {
            cells.entry(look(cell)).or_default().push(at);
        }
    }
    let fleet = before.map(|before| before.fleet.as_slice()).unwrap_or_default();
    let known = before.map(|before| before.facts.as_slice()).unwrap_or_default();
    let others = labels(known) != labels(&now.facts);
    let facts = now.facts.iter().enumerate().filter(|(at, fact)| others || known[*at] != **fact);

    let measured = before.map(|before| before.measures.as_slice()).unwrap_or_default();
    let values = now.measures.iter().map(|(_, value)| *value).collect();
    BoardChange {
        cells,
        fresh: places(now, |cell| cell.fresh),
        scanned: places(now, |cell| cell.scanned),
        fleet: (fleet != now.fleet).then(|| now.fleet.iter().map(fleet_ship).collect()),
        facts: facts.map(|(at, (_, value))| (at, printable(value))).collect(),
        fact_labels: others.then(|| labels(&now.facts)),
        measures: (measured != now.measures).then_some(values),
        measure_labels: (labels(measured) != labels(&now.measures)).then(|| labels(&now.measures)),
        deed: (before.map_or("", |before| &before.deed) != now.deed).then(|| printable(&now.deed)),
    }
}

/// The numbers of the cells for which the condition holds.
fn places(board: &BoardScene, wanted: impl Fn(&CellScene) -> bool) -> Vec<usize> {
    board.cells.iter().enumerate().filter_map(|(at, cell)| wanted(cell).then_some(at)).collect()
}

fn labels<T>(labelled: &[(&'static str, T)]) -> Vec<String> {
    labelled.iter().map(|(label, _)| (*label).to_owned()).collect()
}

/// The look of a cell, without the marks for fresh and scanned: see [`BoardChange::cells`].
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

fn fleet_ship(ship: &ShipScene) -> FleetShip {
    FleetShip { letter: ship.letter, length: ship.length, sunk: ship.sunk }
}

/// The name of an eye in the JSON.
fn eye(eye: &Eye) -> String {
    match eye {
        Eye::Referee => "referee".to_owned(),
        Eye::Seat(seat) => seat.to_string(),
        Eye::Everyone => "everyone".to_owned(),
    }
}

/// The setup: the facts that a page gets before the first frame.
fn setup(about: &About, kind: GameKind, eyes: &[Eye], first: &Scene) -> Setup {
    let look = kind.look();
    Setup {
        format: FORMAT,
        title: printable(&about.title),
        played: printable(&about.played),
        seed: about.seed.map(|seed| seed.to_string()).unwrap_or_default(),
        engine: printable(&about.engine),
        note: about.note.as_deref().map(printable),
        names: about.names.iter().map(|(_, name)| printable(name)).collect(),
        eyes: eyes.iter().map(eye).collect(),
        grids: first.boards.iter().map(|board| [board.grid.width(), board.grid.height()]).collect(),
        turn: kind.turn().to_owned(),
        most_turns: about.most_turns,
        first_row_on_top: look.first_row == FirstRow::Top,
        ships: if look.ships.is_empty() { ships_of(first) } else { look.ships.iter().map(ship_name).collect() },
    }
}

/// The name and the colour of a kind of ship.
fn ship_name(ship: &ShipLook) -> ShipName {
    ShipName { letter: ship.letter, name: ship.name.to_lowercase(), hue: ship.hue }
}

/// The names of the ships of a match whose game has none of its own, by the letters that stand for one name.
fn ships_of(first: &Scene) -> Vec<ShipName> {
    let ships = || first.boards.iter().flat_map(|board| &board.fleet);
    let mut names: Vec<ShipName> = Vec::new();
    for ship in ships() {
        let is_only = ships().all(|other| other.letter != ship.letter || other.name == ship.name);
        if is_only && names.iter().all(|name| name.letter != ship.letter) {
            names.push(ShipName { letter: ship.letter, name: printable(&ship.name.to_lowercase()), hue: Hue::Plain });
        }
    }
    names
}

/// The end that a page gets after the last frame. Without an outcome, the match was not played to its end.
pub(crate) fn over(outcome: Option<&Outcome>) -> MatchEnd {
    let Some(outcome) = outcome else { return MatchEnd::default() };
    MatchEnd {
        finished: true,
        winner: outcome.winner.map(Seat::letter),
        ranking: outcome.ranking.iter().copied().map(Seat::letter).collect(),
        points: outcome.points.iter().map(|(_, points)| *points).collect(),
        scoring: outcome.scoring,
        why: printable(&outcome.ending.told(|seat| seat.to_string())),
    }
}
