//! The state of a server: the journal, what follows from its lines, and what of it is public. Knows neither matches that are
//! being played nor requests.

pub(crate) mod activity;
pub(crate) mod bot_address;
pub(crate) mod final_lines;
pub(crate) mod final_state;
pub(crate) mod index;
pub(crate) mod journal_line;
pub(crate) mod leaderboard;
pub(crate) mod name;
pub(crate) mod random;
pub(crate) mod request_error;
pub(crate) mod round_robin;
pub(crate) mod screening;
pub(crate) mod serve_error;
pub(crate) mod server_state;
pub(crate) mod settings;
pub(crate) mod store;
pub(crate) mod wire;
