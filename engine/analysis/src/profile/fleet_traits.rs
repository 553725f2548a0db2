//! Traits of a fleet that an opponent could learn, and how often fleets have them that are drawn.

use super::sheet::Board;
use crate::Analysed;
use arena::ArenaError;
use arena::record::{Record, initial_state};
use chances::{Chances, Effort, Facts};
use rules::{Grid, Seat};

/// The number of fleets that are drawn.
const DRAWN: usize = 2_000;
/// The work for drawing them.
const EFFORT: Effort = Effort { explanations: 1, fleets: DRAWN, exact: DRAWN, keeps: true };

/// The traits of one fleet.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FleetTraits {
    /// For each kind of ship true if one of them is in a corner of the board.
    pub(crate) corner: Vec<bool>,
    /// For each kind of ship true if one of them lies on the outer ring with all its cells.
    pub(crate) ring: Vec<bool>,
    /// The number of cells on the outer ring.
    pub(crate) on_ring: usize,
    /// True if two ships are beside each other, edge to edge.
    pub(crate) touching: bool,
    /// The number of ships in columns less that of ships in rows.
    pub(crate) upright: i32,
}

/// True for the cells of the outer ring of a board.
pub(crate) fn is_on_ring(grid: Grid, cell: usize) -> bool {
    let at = grid.point(cell);
    at.x == 0 || at.y == 0 || at.x == grid.width() - 1 || at.y == grid.height() - 1
}

impl FleetTraits {
    /// The traits of a fleet on a board with so many kinds of ships.
    pub(crate) fn of(grid: Grid, kinds: usize, fleet: &[(usize, Vec<usize>)]) -> FleetTraits {
        let is_corner = |cell: &usize| {
            let at = grid.point(*cell);
            (at.x == 0 || at.x == grid.width() - 1) && (at.y == 0 || at.y == grid.height() - 1)
        };
        let on_ring = |cells: &[usize]| cells.iter().filter(|cell| is_on_ring(grid, **cell)).count();
        let any = |is_so: &dyn Fn(&[usize]) -> bool| -> Vec<bool> {
            (0..kinds).map(|kind| fleet.iter().any(|(of, cells)| *of == kind && is_so(cells))).collect()
        };
        let is_straight = |cells: &[usize], of: fn(rules::Point) -> i32| {
            cells.len() > 1 && cells.iter().all(|cell| of(grid.point(*cell)) == of(grid.point(cells[0])))
        };
        let mut owner = vec![None; grid.len()];
        for (ship, (_, cells)) in fleet.iter().enumerate() {
            cells.iter().for_each(|cell| owner[*cell] = Some(ship));
        }
        let touches = |cell: usize| {
            let at = grid.point(cell);
            let beside = [(1, 0), (0, 1)].into_iter().filter_map(|(dx, dy)| grid.index(at.offset(dx, dy)?));
            owner[cell].is_some() && beside.into_iter().any(|near| owner[near].is_some() && owner[near] != owner[cell])
        };
        let upright = |(_, cells): &(usize, Vec<usize>)| {
            i32::from(is_straight(cells, |at| at.x)) - i32::from(is_straight(cells, |at| at.y))
        };
        FleetTraits {
            corner: any(&|cells| cells.iter().any(is_corner)),
            ring: any(&|cells| on_ring(cells) == cells.len()),
            on_ring: fleet.iter().map(|(_, cells)| on_ring(cells)).sum(),
            touching: (0..grid.len()).any(touches),
            upright: fleet.iter().map(upright).sum(),
        }
    }
}

/// The fleets that the rules allow, each as likely: a sample of 2,000 with their traits, or all of them where there are fewer.
#[derive(Debug, Clone)]
pub struct RandomFleets {
    /// Fleets with their shares, which add up to 1.
    drawn: Vec<(f64, FleetTraits)>,
    /// The number of all fleets, as far as it is known.
    all: f64,
}

impl RandomFleets {
    /// The fleets that the rules of a recorded match allow. There are none if boards or fleets are too large for that.
    ///
    /// # Errors
    /// The settings of the record are wrong.
    pub fn of(record: &Record, board: &Board) -> Result<RandomFleets, ArenaError> {
        rules::for_game!(record.header().game, G => drawn::<G>(record, board))
    }

    /// The share of fleets that are so; `None` if no fleets are known.
    pub(crate) fn share(&self, is_so: impl Fn(&FleetTraits) -> bool) -> Option<f64> {
        let share: f64 = self.drawn.iter().filter(|(_, traits)| is_so(traits)).map(|(share, _)| share).sum();
        // As if half a fleet more had been drawn that is so, and half a one that is not: a sample never shows that something is impossible.
        let drawn = DRAWN as f64;
        (!self.drawn.is_empty()).then_some((share * drawn + 0.5) / (drawn + 1.0))
    }

    /// The mean number of cells on the outer ring; `None` if no fleets are known.
    pub(crate) fn on_ring(&self) -> Option<f64> {
        let mean = self.drawn.iter().map(|(share, traits)| share * traits.on_ring as f64).sum();
        (!self.drawn.is_empty()).then_some(mean)
    }

    /// The number of cells on the outer ring that half of the fleets do not exceed; `None` if no fleets are known.
    pub(crate) fn median_on_ring(&self) -> Option<usize> {
        let mut counts: Vec<(usize, f64)> = self.drawn.iter().map(|(share, traits)| (traits.on_ring, *share)).collect();
        counts.sort_by_key(|(count, _)| *count);
        let mut sum = 0.0;
        counts.into_iter().find_map(|(count, share)| {
            sum += share;
            (sum >= 0.5).then_some(count)
        })
    }

    /// The probability that a certain fleet is drawn, at most; `None` if no fleets are known.
    pub(crate) fn one(&self) -> Option<f64> {
        (!self.drawn.is_empty()).then_some(1.0 / self.all.max(1.0))
    }
}

fn drawn<G: Analysed>(record: &Record, board: &Board) -> Result<RandomFleets, ArenaError> {
    let game: G = initial_state(record)?;
    let view = game.view(Seat::A);
    let layout = G::layout(&view);
    if layout.is_large() {
        return Ok(RandomFleets { drawn: Vec::new(), all: f64::NAN });
    }
    let chances = Chances::of(&layout, &Facts::new(&layout), EFFORT, 1);
    let (kinds, cells) = (board.ships.len(), board.grid.len());
    let fleet = |places: &Vec<usize>| -> Vec<(usize, Vec<usize>)> {
        let first = places.iter().filter(|place| layout.kind_of(**place) < kinds);
        first.map(|place| (layout.kind_of(*place), layout.place(*place).to_vec())).collect()
    };
    let boards = layout.cells().div_ceil(cells.max(1)) as i32;
    let traits = |places| FleetTraits::of(board.grid, kinds, &fleet(places));
    let drawn = chances.fleets().iter().map(|(share, places)| (*share, traits(places))).collect();
    // Boards of several opponents have fleets of their own.
    Ok(RandomFleets { drawn, all: chances.fleets_that_agree().powf(1.0 / f64::from(boards.max(1))) })
}
