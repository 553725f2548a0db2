//! Contests in which bots are handed in as code and play on a ladder: their settings, their bots with all versions, and their pairs.

pub(crate) mod contest;
pub(crate) mod contest_line;
pub(crate) mod contest_settings;
pub(crate) mod pair_index;
pub(crate) mod version;
