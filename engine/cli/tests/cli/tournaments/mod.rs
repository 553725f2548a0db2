//! Tournaments: plans, finals, files, clusters.

mod class;
pub(crate) mod cluster;
pub(crate) mod comparisons;
mod copies;
mod entrants;
mod events;
pub(crate) mod finals;
pub(crate) mod folders;
pub(crate) mod formats;
mod ladders;
pub(crate) mod mode;
pub(crate) mod pairings;
pub(crate) mod replaced;
mod results_json;
pub(crate) mod site;
pub(crate) mod solo;
