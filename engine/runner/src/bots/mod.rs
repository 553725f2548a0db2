//! Bots: programs in folders and web services. Names, builds, and the sandboxed surroundings of programs.

pub(crate) mod advice;
pub(crate) mod http_bot;
pub(crate) mod line_bots;
pub(crate) mod native;
pub(crate) mod program;
pub(crate) mod program_host;
pub(crate) mod sandbox;
