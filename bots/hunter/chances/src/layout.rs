//! The ships of a fleet, and the places in which they may lie.

use std::sync::OnceLock;

/// The number of a place among all places of a [`Layout`]: those of the first kind come first.
pub type PlaceNumber = usize;

/// Ships that are the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// The number of such ships.
    pub count: usize,
    /// The places of such a ship on an empty board, each with its cells.
    pub places: Vec<Vec<usize>>,
}

/// A way in which an owner may place ships: a fleet is as likely as the product of the weights of its places.
#[derive(Clone, Copy)]
pub struct Prior<'a> {
    /// The probability that it holds, before anything is known.
    pub share: f64,
    /// The weight of a place, given its cells: above 0.
    pub weight: &'a dyn Fn(&[usize]) -> f64,
}

/// The ships of a fleet and their places. One is made for each board and used for all that is asked of it.
#[derive(Debug, Clone)]
pub struct Layout {
    cells: usize,
    counts: Vec<usize>,
    /// The first place of each kind, and after the last kind the number of all places.
    starts: Vec<PlaceNumber>,
    places: Vec<Place>,
    /// The priors that may explain a fleet: its share before anything is known, and the weight of each place. The weights of
    /// a kind add up to 1.
    priors: Vec<(f64, Vec<f64>)>,
    /// For each prior the probability that ships that are drawn by it one by one are a fleet.
    fleet_shares: OnceLock<Vec<f64>>,
}

/// A place of a ship.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) kind: usize,
    pub(crate) cells: Vec<usize>,
    /// The other cells in which no further ship may lie.
    pub(crate) apart: Vec<usize>,
}

impl Layout {
    /// The layout of a board of so many cells for these ships. `apart` gives the cells around a ship in which no other may lie, for its own
    /// cells; none where ships may touch. Every place is as likely as any other of its kind.
    pub fn new(cells: usize, kinds: Vec<Kind>, apart: impl Fn(&[usize]) -> Vec<usize>) -> Layout {
        let mut layout = Layout {
            cells,
            counts: Vec::new(),
            starts: vec![0],
            places: Vec::new(),
            priors: Vec::new(),
            fleet_shares: OnceLock::new(),
        };
        for (kind, of) in kinds.into_iter().enumerate() {
            layout.counts.push(of.count);
            for cells in of.places {
                let mut apart = apart(&cells);
                apart.retain(|cell| !cells.contains(cell));
                layout.places.push(Place { kind, cells, apart });
            }
            layout.starts.push(layout.places.len());
        }
        layout.with_priors(&[Prior { share: 1.0, weight: &|_| 1.0 }])
    }

    /// The same ships, with several priors, one of which holds. What is known of a fleet tells which.
    #[must_use]
    pub fn with_priors(mut self, priors: &[Prior<'_>]) -> Layout {
        let weights = |weight: &dyn Fn(&[usize]) -> f64| {
            let mut weights: Vec<f64> = self.places.iter().map(|place| weight(&place.cells)).collect();
            for kind in 0..self.kinds() {
                let of_kind = &mut weights[self.places(kind)];
                let sum: f64 = of_kind.iter().sum();
                of_kind.iter_mut().for_each(|weight| *weight /= sum);
            }
            weights
        };
        self.priors = priors.iter().map(|prior| (prior.share, weights(prior.weight))).collect();
        self.fleet_shares = OnceLock::new();
        self
    }

    /// True if ships have so many places that it takes too long to draw fleets one after the other: of more than 40,000 places, counted for
    /// each ship. The classic fleet has 785, and a hundred ships on 100 x 100 cells have nearly two million.
    pub fn is_large(&self) -> bool {
        (0..self.kinds()).map(|kind| self.count(kind) * self.places(kind).len()).sum::<usize>() > 40_000
    }

    /// The number of cells of the board.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// The number of kinds of ships.
    pub fn kinds(&self) -> usize {
        self.counts.len()
    }

    /// The number of ships of a kind.
    pub fn count(&self, kind: usize) -> usize {
        self.counts[kind]
    }

    /// The cells of a place.
    pub fn place(&self, number: PlaceNumber) -> &[usize] {
        &self.places[number].cells
    }

    /// The numbers of the places of a kind.
    pub fn places(&self, kind: usize) -> std::ops::Range<PlaceNumber> {
        self.places_of(kind..kind + 1)
    }

    /// The numbers of the places of several kinds.
    pub fn places_of(&self, kinds: std::ops::Range<usize>) -> std::ops::Range<PlaceNumber> {
        self.starts[kinds.start]..self.starts[kinds.end]
    }

    /// The kind of the ships that may lie at a place.
    pub fn kind_of(&self, number: PlaceNumber) -> usize {
        self.places[number].kind
    }

    /// The cells around a ship of a kind in which no other may lie, given its own cells; none if they are no place of the kind.
    pub fn apart(&self, kind: usize, cells: &[usize]) -> &[usize] {
        let is_place =
            |place: &&Place| place.cells.len() == cells.len() && place.cells.iter().all(|cell| cells.contains(cell));
        self.places[self.places(kind)].iter().find(is_place).map_or(&[], |place| &place.apart)
    }

    pub(crate) fn all(&self) -> &[Place] {
        &self.places
    }

    pub(crate) fn fleet_shares(&self, find: impl FnOnce() -> Vec<f64>) -> &[f64] {
        self.fleet_shares.get_or_init(find)
    }

    pub(crate) fn priors(&self) -> &[(f64, Vec<f64>)] {
        &self.priors
    }
}
