//! The state of a server: the journal, the state and the index that follow from its lines, and the JSON that is public. Depends
//! neither on running matches nor on requests.

pub(crate) mod activity;
pub(crate) mod bot_address;
pub(crate) mod contests;
pub(crate) mod finals;
pub(crate) mod index;
pub(crate) mod journal_line;
pub(crate) mod leaderboard;
pub(crate) mod moderators;
pub(crate) mod name;
pub(crate) mod random;
pub(crate) mod registered_bot;
pub(crate) mod request_error;
pub(crate) mod round_robin;
pub(crate) mod serve_error;
pub(crate) mod server_state;
pub(crate) mod settings;
pub(crate) mod store;
pub(crate) mod tournament;
pub(crate) mod wire;
