//! The chances of cells and places.

use crate::search::{Problem, Search};
use crate::{Facts, Layout, NEVER, PlaceNumber, sums};

/// The work that may be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// The most explanations that are looked at where no fleets are drawn.
    pub explanations: usize,
    /// The number of fleets that are drawn; 0 if ships that explain nothing are taken as independent of each other, which is quick and
    /// wrong by little where a board has much room.
    pub fleets: usize,
    /// The most fleets that are all looked at, so that the chances are exact; 0 for none.
    pub exact: usize,
    /// True if fleets are wanted ([`Chances::fleets`]).
    pub keeps: bool,
}

impl Effort {
    /// Some microseconds, for a player; a millisecond where sums are known.
    pub const QUICK: Effort = Effort { explanations: 20_000, fleets: 0, exact: 0, keeps: false };
    /// Some milliseconds, with errors.
    pub const THOROUGH: Effort = Effort { explanations: 2_000, fleets: 1_000, exact: 20_000, keeps: false };
}

/// The way in which chances were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// All fleets were looked at.
    Exact,
    /// Fleets were drawn.
    Sampled,
    /// Ships that explain nothing were taken as independent of each other.
    Independent,
    /// No fleet was found that agrees with the facts: all chances are 0.
    Nothing,
}

/// The chances of fleets that agree with [`Facts`].
#[derive(Debug, Clone, PartialEq)]
pub struct Chances {
    cells: Vec<f64>,
    errors: Vec<f64>,
    places: Vec<f64>,
    priors: Vec<f64>,
    fleets: f64,
    method: Method,
    kept: Vec<(f64, Vec<PlaceNumber>)>,
}

impl Chances {
    /// The chances of the fleets of `layout` that agree with `facts`. The same seed gives the same chances.
    pub fn of(layout: &Layout, facts: &Facts, effort: Effort, seed: u64) -> Chances {
        let problem = Problem::new(layout, facts);
        // On large boards, sums are left aside: what they tell would take seconds to find.
        if !facts.sums.is_empty() && !layout.is_large() {
            return sums::chances(&problem, facts, effort, seed);
        }
        let mut search = Search::new(&problem, effort, seed);
        let (budget, drawn) = match effort.fleets {
            0 => (effort.explanations, Method::Independent),
            fleets => (fleets, Method::Sampled),
        };
        search.explain(budget, 1.0);
        let alike: f64 = (0..layout.kinds()).flat_map(|kind| 1..=layout.count(kind)).map(|nth| nth as f64).product();
        let fleets = search.tally.fleets / alike;
        if effort.exact > 0 && fleets <= effort.exact as f64 {
            let mut exact = Search::new(&problem, effort, seed);
            if exact.enumerate(&mut (effort.exact * 40)) {
                let fleets = exact.tally.fleets;
                return Chances::from(exact, fleets, Method::Exact);
            }
        }
        if fleets == 0.0 && drawn == Method::Sampled {
            return Chances::of(layout, facts, Effort { fleets: 0, exact: 0, ..effort }, seed);
        }
        search.tally.spread_free(&problem);
        Chances::from(search, fleets, drawn)
    }

    fn from(search: Search<'_>, fleets: f64, method: Method) -> Chances {
        let (layout, tally) = (search.problem.layout, search.tally);
        let (count, priors) = (layout.all().len(), layout.priors());
        // What is known is the likelier under a prior, the more of its weight agrees.
        let blank = fleet_shares(layout, method);
        let weigh = |parts: std::ops::Range<usize>| -> Vec<f64> {
            let agree = |prior: usize| parts.clone().map(|part| tally.all[part * priors.len() + prior]).sum::<f64>();
            priors.iter().enumerate().map(|(prior, (share, _))| share * agree(prior) / blank[prior]).collect()
        };
        let places = |parts: std::ops::Range<usize>| -> Option<Vec<f64>> {
            let all: f64 = weigh(parts.clone()).iter().sum();
            let mut places = vec![0.0; count];
            for part in parts {
                for (prior, (share, _)) in priors.iter().enumerate() {
                    let at = (part * priors.len() + prior) * count;
                    let taken = places.iter_mut().zip(&tally.taken[at..at + count]);
                    taken.for_each(|(place, taken)| *place += share * taken / blank[prior] / all);
                }
            }
            (all > 0.0).then_some(places)
        };
        let Some(all) = places(0..tally.parts) else { return Chances::nothing(layout) };
        let cells = cells(layout, &all);
        let parts: Vec<Vec<f64>> = match method {
            Method::Sampled => {
                (0..tally.parts).filter_map(|part| Some(cells_of(layout, places(part..part + 1)?))).collect()
            }
            _ => Vec::new(),
        };
        let weights = weigh(0..tally.parts);
        let sum: f64 = weights.iter().sum();
        let weight = |of: &[f64]| -> f64 {
            of.iter().zip(priors).zip(&blank).map(|((weight, (share, _)), blank)| weight * share / blank).sum()
        };
        let kept = tally.kept.unwrap_or_default().into_iter().map(|(of, places)| (weight(&of) / sum, places));
        Chances {
            errors: errors(&cells, &parts),
            cells,
            places: all,
            priors: weights.iter().map(|weight| weight / sum).collect(),
            fleets,
            method,
            kept: kept.collect(),
        }
    }

    pub(crate) fn drawn(
        layout: &Layout,
        places: Vec<f64>,
        parts: &[Vec<f64>],
        kept: Vec<(f64, Vec<PlaceNumber>)>,
    ) -> Chances {
        let cells = cells(layout, &places);
        let parts: Vec<Vec<f64>> = parts.iter().map(|part| cells_of(layout, part.clone())).collect();
        let priors = layout.priors().iter().map(|(share, _)| *share).collect();
        Chances {
            errors: errors(&cells, &parts),
            cells,
            places,
            priors,
            fleets: f64::NAN,
            method: Method::Sampled,
            kept,
        }
    }

    pub(crate) fn nothing(layout: &Layout) -> Chances {
        Chances {
            cells: vec![0.0; layout.cells()],
            errors: vec![0.0; layout.cells()],
            places: vec![0.0; layout.all().len()],
            priors: layout.priors().iter().map(|(share, _)| *share).collect(),
            fleets: 0.0,
            method: Method::Nothing,
            kept: Vec::new(),
        }
    }

    /// The chance of each cell that a ship lies there, hit or not.
    pub fn cells(&self) -> &[f64] {
        &self.cells
    }

    /// The chance of each cell that a shot there destroys a part of a ship: that a ship lies there of which this cell is not
    /// destroyed.
    pub fn hits(&self, layout: &Layout, facts: &Facts) -> Vec<f64> {
        let mut hits = vec![0.0; layout.cells()];
        for (place, chance) in layout.all().iter().zip(&self.places).filter(|(_, chance)| **chance > 0.0) {
            let whole = place.cells.iter().filter(|cell| facts.destroyed(place.kind, **cell) == NEVER);
            whole.for_each(|cell| hits[*cell] += chance);
        }
        hits
    }

    /// The standard error of each chance of [`Chances::cells`]: 0 where chances are exact, and where ships are taken as independent, whose
    /// error is not known.
    pub fn errors(&self) -> &[f64] {
        &self.errors
    }

    /// The number of ships that are expected at a place: its chance.
    pub fn place(&self, number: PlaceNumber) -> f64 {
        self.places[number]
    }

    /// The probability of each prior of [`Layout::with_priors`], given the facts.
    pub fn priors(&self) -> &[f64] {
        &self.priors
    }

    /// The number of fleets that agree, where ships of a kind are not told apart: an estimate unless the method is exact, and not a number
    /// where sums are known.
    pub fn fleets_that_agree(&self) -> f64 {
        self.fleets
    }

    /// The way in which the chances were found.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Fleets that agree, each with its share of the probability and the places of its ships, if they were to be kept.
    pub fn fleets(&self) -> &[(f64, Vec<PlaceNumber>)] {
        &self.kept
    }
}

/// For each prior the probability that ships that are drawn by it one by one are a fleet: what is known is held against it.
fn fleet_shares(layout: &Layout, method: Method) -> Vec<f64> {
    let count = layout.priors().len();
    if count == 1 || method == Method::Independent {
        return vec![1.0; count];
    }
    let draw = || {
        let problem = Problem::new(layout, &Facts::new(layout));
        let mut search = Search::new(&problem, Effort { keeps: false, ..Effort::THOROUGH }, 0);
        search.explain(Effort::THOROUGH.fleets, 1.0);
        let all =
            |prior: usize| (0..search.tally.parts).map(|part| search.tally.all[part * count + prior]).sum::<f64>();
        (0..count).map(|prior| all(prior).max(f64::MIN_POSITIVE)).collect()
    };
    layout.fleet_shares(draw).to_vec()
}

fn cells(layout: &Layout, places: &[f64]) -> Vec<f64> {
    let mut cells = vec![0.0; layout.cells()];
    for (place, chance) in layout.all().iter().zip(places).filter(|(_, chance)| **chance > 0.0) {
        place.cells.iter().for_each(|cell| cells[*cell] += chance);
    }
    cells
}

fn cells_of(layout: &Layout, places: Vec<f64>) -> Vec<f64> {
    cells(layout, &places)
}

/// The standard errors of means, from those of parts of the same size.
fn errors(means: &[f64], parts: &[Vec<f64>]) -> Vec<f64> {
    let count = parts.len() as f64;
    let error = |(cell, mean): (usize, &f64)| {
        let squares: f64 = parts.iter().map(|part| (part[cell] - mean).powi(2)).sum();
        if count > 1.0 { (squares / count / (count - 1.0)).sqrt() } else { 0.0 }
    };
    means.iter().enumerate().map(error).collect()
}
