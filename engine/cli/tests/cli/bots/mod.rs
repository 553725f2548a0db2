//! Bots as programs: how they are built, started and told what went wrong.

pub(crate) mod builds;
pub(crate) mod bundles;
pub(crate) mod environment;
pub(crate) mod faults;
pub(crate) mod languages;
pub(crate) mod left_out;
pub(crate) mod line_bots;
pub(crate) mod networked_builds;
pub(crate) mod notes;
pub(crate) mod own_errors;
pub(crate) mod programs;
pub(crate) mod ready;
pub(crate) mod samples;
pub(crate) mod starters;
