//! Facts of fleets in a view of Battleship, by any rules.

mod reader;

use super::{around, places, single_aims};
use crate::game::{Analysed, Calibration, Deeds, Fired, Pace, TargetBoard};
use chances::{Facts, Kind, Layout};
use reader::Reader;
use rules::battleship::{Again, Battleship, Event, Known, Rules, SpecialKind, Touching, View};
use rules::{Point, Seat, Told};

impl Analysed for Battleship {
    const CALIBRATION: Calibration = Calibration { weight: 1.5, variance: 100.0, truth: 0.2, skill: 0.75 };

    /// In solo the seat's own board, otherwise those of all others, be they in or out.
    fn targets(seat: Seat, view: &View) -> Vec<TargetBoard> {
        let (is_solo, grid) = (view.rules.is_solo(), view.rules.grid());
        let at = view.boards.seats().filter(|other| (*other == seat) == is_solo);
        at.map(|seat| TargetBoard { seat, grid }).collect()
    }

    /// The kinds are the entries of the fleet in the rules, for each board.
    fn layout(view: &View) -> Layout {
        layout(&view.rules, Battleship::targets(view.seat, view).len())
    }

    fn facts(view: &View, layout: &Layout) -> Facts {
        Reader::new(view, Battleship::targets(view.seat, view), layout).facts()
    }

    fn fired(seat: Seat, view: &View, told: &[Told<Event>]) -> Option<Fired> {
        let boards = Battleship::targets(seat, view);
        let by_seat = || {
            told.iter().filter_map(|told| match &told.event {
                Event::Fired(shot) if shot.by == seat => Some(shot),
                _ => None,
            })
        };
        let area = told.iter().find_map(|told| match told.event {
            Event::Used { seat: by, special, at, aim } if by == seat => Some((special, at, aim)),
            _ => None,
        });
        let number = |at, cell| TargetBoard::number(&boards, at, cell);
        let shots: Vec<Vec<usize>> = match area {
            Some((special, at, aim)) => {
                vec![view.rules.area_at(special, aim).filter_map(|cell| number(at, cell)).collect()]
            }
            None => by_seat().map(|shot| number(shot.at, shot.cell).into_iter().collect()).collect(),
        };
        by_seat().next()?;
        let total = told.iter().find_map(|told| match told.event {
            Event::Hits(hits) if hits.by == seat => Some(hits.hits),
            _ => None,
        });
        let is_sunk = |told: &&Told<Event>| matches!(&told.event, Event::Sunk(sinking) if sinking.by == seat);
        Some(Fired {
            by: seat,
            kind: if area.is_some() { AREA_SHOT } else { "shot" },
            shots,
            hits_one: false,
            hits: total.unwrap_or_else(|| by_seat().filter(|shot| shot.result.is_hit()).count() as u32),
            sunk: told.iter().filter(is_sunk).count() as u32,
        })
    }

    fn aims(view: &View, fired: &Fired) -> Vec<Vec<usize>> {
        let boards = Battleship::targets(fired.by, view);
        let is_in = |board: &TargetBoard| view.boards[board.seat].is_in;
        if fired.kind != AREA_SHOT {
            let has_armour = view.rules.most_armour() > 1;
            let is_left = |known: Known| !known.is_spent() && (known != Known::Shot || has_armour);
            return single_aims(&boards, |board, cell| {
                let known = board.grid.index(cell).map(|index| view.boards[board.seat].cells[index]);
                is_in(board) && known.is_some_and(is_left)
            });
        }
        let area = |special: usize| -> Vec<Vec<usize>> {
            let aims = boards.iter().filter(|board| is_in(board));
            let aims = aims.flat_map(|board| board.grid.points().map(move |aim| (board.seat, aim)));
            let reached = |(at, aim)| {
                let cells = view.rules.area_at(special, aim);
                cells.filter_map(|cell| TargetBoard::number(&boards, at, cell)).collect()
            };
            aims.map(reached).collect()
        };
        let specials = view.rules.choices().specials.iter().enumerate();
        let area_shots = specials.filter(|(_, special)| special.kind == SpecialKind::AreaShot);
        // The name of the action is not in `fired`: it is one that can reach these cells.
        area_shots.map(|(nth, _)| area(nth)).find(|aims| aims.contains(&fired.shots[0])).unwrap_or_default()
    }

    fn deeds(seat: Seat, view: &View, told: &[Told<Event>]) -> Deeds {
        let specials = &view.rules.choices().specials;
        let used = told.iter().filter_map(|told| match told.event {
            Event::Used { seat: by, special, .. } if by == seat => specials.get(special),
            _ => None,
        });
        let looks = used.filter(|special| special.kind != SpecialKind::AreaShot);
        Deeds { actions: looks.map(|special| special.name.clone()).collect(), ..Deeds::default() }
    }

    fn fleet(&self, owner: Seat) -> Vec<(usize, Vec<Point>)> {
        let ships = self.player(owner).board.iter().flat_map(|board| board.ships()).zip(self.rules().ships());
        ships.map(|(ship, of)| (of.kind, ship.cells.clone())).collect()
    }

    fn ship_name(view: &View, kind: usize) -> String {
        view.rules.choices().fleet[kind % view.rules.choices().fleet.len()].name.clone()
    }

    fn pace(&self, seat: Seat) -> Pace {
        Pace { shots: self.shots(seat), again_on_hit: self.rules().choices().again != Again::Never }
    }

    fn armour(view: &View, kind: usize) -> u8 {
        let kind = kind % view.rules.choices().fleet.len();
        view.rules.ships().iter().find(|ship| ship.kind == kind).map_or(1, |ship| ship.armour)
    }
}

/// The ships on one board, the same for all boards of a match.
pub fn layout_of_board(rules: &Rules) -> Layout {
    layout(rules, 1)
}

/// The facts in a view about the ships on one board at which its seat fires, given their layout ([`layout_of_board`]). Of a move that fired at
/// several boards and of which only the number of hits is told, it follows that so many or fewer hit this one.
pub fn facts_of_board(view: &View, owner: Seat, layout: &Layout) -> Facts {
    Reader::new(view, vec![TargetBoard { seat: owner, grid: view.rules.grid() }], layout).facts()
}

fn layout(rules: &Rules, boards: usize) -> Layout {
    let grid = rules.grid();
    let kind = |board: usize, kind: usize| {
        let mut ships = rules.ships().iter().filter(|ship| ship.kind == kind).peekable();
        let shape = ships.peek().map(|ship| &ship.shape);
        let places = shape.map_or(Vec::new(), |shape| places(grid, shape, board * grid.len()));
        Kind { count: ships.count(), places }
    };
    let kinds = (0..boards).flat_map(|board| (0..rules.choices().fleet.len()).map(move |nth| (board, nth)));
    let kinds = kinds.map(|(board, nth)| kind(board, nth)).collect();
    Layout::new(boards * grid.len(), kinds, |cells| match rules.choices().touching {
        Touching::Allowed => Vec::new(),
        Touching::Corners => around(grid, cells, false),
        Touching::None => around(grid, cells, true),
    })
}

/// The kind of shots that fall on an area.
const AREA_SHOT: &str = "area shot";
