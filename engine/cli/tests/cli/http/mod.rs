//! Bots over HTTP.

pub(crate) mod dialects;
pub(crate) mod matches;
pub(crate) mod mistakes;
pub(crate) mod text_clients;
pub(crate) mod tournaments;
