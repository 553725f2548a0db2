//! Traits of a fleet that an opponent could learn, and how often fleets have them that are drawn.

use super::sheet::Board;
use crate::Analysed;
use arena::ArenaError;
use arena::record::{Record, initial_state};
use chances::{Chances, Effort, Facts, Layout};
use rules::{Grid, Random, RngExt, Seat};

/// The number of fleets that are drawn.
const DRAWN: usize = 2_000;
/// The most attempts at placing the ships of a fleet.
const ATTEMPTS: usize = 1_000;
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

/// Fleets that are drawn in two ways: from all that the rules allow, each as likely, and ship by ship, each in any place that is left. Where ships
/// keep apart, the two differ. A habit is neither.
#[derive(Debug, Clone)]
pub struct RandomFleets {
    /// For each way the traits of fleets with their shares, which add up to 1.
    drawn: [Vec<(f64, FleetTraits)>; 2],
    /// The number of all fleets.
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

    /// The shares of fleets that are so, by both ways; `None` if no fleets are known.
    pub(crate) fn shares(&self, is_so: impl Fn(&FleetTraits) -> bool) -> Option<[f64; 2]> {
        // As if half a fleet more had been drawn that is so, and half a one that is not: a sample never shows that something is impossible.
        let smoothed = |share: f64| (share * DRAWN as f64 + 0.5) / (DRAWN as f64 + 1.0);
        let count = |traits: &FleetTraits| f64::from(u8::from(is_so(traits)));
        self.means(count).map(|shares| shares.map(smoothed))
    }

    /// The mean numbers of cells on the outer ring, by both ways; `None` if no fleets are known.
    pub(crate) fn on_ring(&self) -> Option<[f64; 2]> {
        self.means(|traits| traits.on_ring as f64)
    }

    fn means(&self, number: impl Fn(&FleetTraits) -> f64) -> Option<[f64; 2]> {
        let mean = |drawn: &Vec<(f64, FleetTraits)>| drawn.iter().map(|(share, traits)| share * number(traits)).sum();
        let is_known = self.drawn.iter().all(|drawn| !drawn.is_empty());
        is_known.then(|| [mean(&self.drawn[0]), mean(&self.drawn[1])])
    }

    /// The number of cells on the outer ring that half of all fleets do not exceed; `None` if no fleets are known.
    pub(crate) fn median_on_ring(&self) -> Option<usize> {
        let all = self.drawn[0].iter();
        let mut counts: Vec<(usize, f64)> = all.map(|(share, traits)| (traits.on_ring, *share)).collect();
        counts.sort_by_key(|(count, _)| *count);
        let mut sum = 0.0;
        counts.into_iter().find_map(|(count, share)| {
            sum += share;
            (sum >= 0.5).then_some(count)
        })
    }

    /// The probability that a certain fleet is drawn from all; `None` if no fleets are known.
    pub(crate) fn one(&self) -> Option<f64> {
        (!self.drawn[0].is_empty()).then_some(1.0 / self.all.max(1.0))
    }
}

fn drawn<G: Analysed>(record: &Record, board: &Board) -> Result<RandomFleets, ArenaError> {
    let game: G = initial_state(record)?;
    let view = game.view(Seat::A);
    let layout = G::layout(&view);
    if layout.is_large() {
        return Ok(RandomFleets { drawn: [Vec::new(), Vec::new()], all: f64::NAN });
    }
    let chances = Chances::of(&layout, &Facts::new(&layout), EFFORT, 1);
    let (kinds, cells) = (board.ships.len(), board.grid.len());
    let fleet = |places: &[usize]| -> Vec<(usize, Vec<usize>)> {
        let first = places.iter().filter(|place| layout.kind_of(**place) < kinds);
        first.map(|place| (layout.kind_of(*place), layout.place(*place).to_vec())).collect()
    };
    let boards = layout.cells().div_ceil(cells.max(1)) as i32;
    let traits = |places: &[usize]| FleetTraits::of(board.grid, kinds, &fleet(places));
    let all = chances.fleets().iter().map(|(share, places)| (*share, traits(places))).collect();
    let mut random = rules::random(1);
    let placed: Vec<FleetTraits> =
        (0..DRAWN).filter_map(|_| Some(traits(&ship_by_ship(&layout, kinds, &mut random)?))).collect();
    let share = 1.0 / placed.len().max(1) as f64;
    let placed = placed.into_iter().map(|traits| (share, traits)).collect();
    // Boards of several opponents have fleets of their own.
    Ok(RandomFleets { drawn: [all, placed], all: chances.fleets_that_agree().powf(1.0 / f64::from(boards.max(1))) })
}

/// A fleet of these kinds whose ships are placed one after the other, the largest first, each in any place that is left; `None` if that fails too
/// often.
fn ship_by_ship(layout: &Layout, kinds: usize, random: &mut Random) -> Option<Vec<usize>> {
    let size = |kind: usize| layout.places(kind).next().map_or(0, |place| layout.place(place).len());
    let mut ships: Vec<usize> = (0..kinds).flat_map(|kind| std::iter::repeat_n(kind, layout.count(kind))).collect();
    ships.sort_by_key(|kind| std::cmp::Reverse(size(*kind)));
    let mut attempt = |_| {
        let mut closed = vec![false; layout.cells()];
        let mut fleet = Vec::with_capacity(ships.len());
        for kind in &ships {
            let is_open = |place: &usize| layout.place(*place).iter().all(|cell| !closed[*cell]);
            let open: Vec<usize> = layout.places(*kind).filter(is_open).collect();
            let place = *open.get(random.random_range(0..open.len().max(1)))?;
            let own = layout.place(place);
            own.iter().chain(layout.apart(*kind, own)).for_each(|cell| closed[*cell] = true);
            fleet.push(place);
        }
        Some(fleet)
    };
    (0..ATTEMPTS).find_map(&mut attempt)
}
