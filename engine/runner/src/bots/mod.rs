//! Bots: programs in folders and web services, how they are named, found, built, and where programs run.

pub(crate) mod http_bot;
pub(crate) mod line_bots;
pub(crate) mod native;
pub(crate) mod program;
pub(crate) mod program_host;
pub(crate) mod sandbox;
