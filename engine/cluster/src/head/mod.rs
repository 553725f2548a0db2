//! The head: the machine of a tournament, which gives its games out as jobs; and the survey of a cluster.

pub(crate) mod job_queue;
pub(crate) mod known_workers;
pub(crate) mod objects;
pub(crate) mod pool;
pub(crate) mod real_instant;
pub(crate) mod requests;
pub(crate) mod start;
pub(crate) mod survey;
