//! Contests in which bots are handed in as code: the queue in which they get their verdicts, and the ladder on which they play.

pub(crate) mod contest_folder;
pub(crate) mod contest_host;
pub(crate) mod export;
pub(crate) mod finals;
pub(crate) mod hidden_bots;
pub(crate) mod ladders;
pub(crate) mod marking;
pub(crate) mod person_match;
pub(crate) mod profiles;
pub(crate) mod signal;
pub(crate) mod submissions;
pub(crate) mod tournaments;
pub(crate) mod views;
pub(crate) mod wire;
