//! Matches: which bots meet next, the matches that are being played, the health of bots, finals, and the events about all that.

pub(crate) mod event_state;
pub(crate) mod finals;
pub(crate) mod health;
pub(crate) mod health_check;
pub(crate) mod host;
pub(crate) mod house_match;
pub(crate) mod match_feed;
pub(crate) mod match_run;
pub(crate) mod match_streams;
pub(crate) mod match_thread;
pub(crate) mod next_step;
pub(crate) mod outage;
pub(crate) mod probe;
pub(crate) mod publish;
pub(crate) mod records;
pub(crate) mod running_matches;
pub(crate) mod scheduler;
pub(crate) mod upcoming;
pub(crate) mod views;
