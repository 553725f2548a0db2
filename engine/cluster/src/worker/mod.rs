//! The worker: takes jobs, fetches their bots, plays their games, and sends the results.

pub(crate) mod bot_cache;
pub(crate) mod head_link;
pub(crate) mod job;
pub(crate) mod job_source;
pub(crate) mod options;
pub(crate) mod run;
pub(crate) mod shared_state;
pub(crate) mod tournament_bots;
pub(crate) mod tournaments;
