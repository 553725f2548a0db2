//! The knowledge of one seat at one moment.

use crate::Analysed;
use chances::{Chances, Effort, Facts, Layout};

/// The knowledge that a seat has of the fleets at which it fires, with the chances that follow.
#[derive(Debug, Clone)]
pub struct Knowledge {
    /// The facts.
    pub facts: Facts,
    /// The chances of the fleets.
    pub chances: Chances,
    /// The chance of each cell that a shot there takes something from a ship.
    pub hits: Vec<f64>,
}

impl Knowledge {
    /// The knowledge in a view of a game. `layout` is that of the match ([`Analysed::layout`]).
    pub fn of<G: Analysed>(view: &G::View, layout: &Layout, effort: Effort, seed: u64) -> Knowledge {
        Knowledge::of_facts(G::facts(view, layout), layout, effort, seed)
    }

    /// The knowledge that these facts are.
    pub fn of_facts(facts: Facts, layout: &Layout, effort: Effort, seed: u64) -> Knowledge {
        let chances = Chances::of(layout, &facts, effort, seed);
        Knowledge::with(facts, layout, chances)
    }

    /// The knowledge that these facts are, after what this one was. Where the same fleets agree, as in the middle of a salvo whose hits are told at its
    /// end, chances stay.
    pub(crate) fn then(&self, facts: Facts, layout: &Layout, effort: Effort, seed: u64) -> Knowledge {
        if facts == self.facts {
            return self.clone();
        }
        match facts.leave_the_same_fleets(&self.facts, layout) {
            true => Knowledge::with(facts, layout, self.chances.clone()),
            false => Knowledge::of_facts(facts, layout, effort, seed),
        }
    }

    fn with(facts: Facts, layout: &Layout, chances: Chances) -> Knowledge {
        let hits = chances.hits(layout, &facts);
        Knowledge { facts, chances, hits }
    }

    /// The number of hits that are expected of a shot that reaches these cells; of one that hits at most one of them its chance.
    pub fn expected(&self, cells: &[usize], hits_one: bool) -> f64 {
        match hits_one {
            false => cells.iter().map(|cell| self.hits[*cell]).sum(),
            true => 1.0 - cells.iter().map(|cell| 1.0 - self.hits[*cell].min(1.0)).product::<f64>(),
        }
    }
}
