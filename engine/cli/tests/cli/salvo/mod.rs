//! The Salvo server and its clients.

mod admin;
pub(crate) mod live;
pub(crate) mod matches;
pub(crate) mod scripts;
pub(crate) mod server;
pub(crate) mod starters;
pub(crate) mod teams;
