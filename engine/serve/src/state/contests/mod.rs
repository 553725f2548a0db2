//! Contests in which bots are handed in as code and play on a ladder: their settings, and their bots with
//! all versions.

pub(crate) mod contest;
pub(crate) mod contest_line;
pub(crate) mod contest_settings;
pub(crate) mod contest_tournament;
pub(crate) mod registration;
pub(crate) mod version;
