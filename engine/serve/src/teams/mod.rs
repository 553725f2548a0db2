//! Teams and the administrator: who may do what, and their commands.

pub(crate) mod access;
pub(crate) mod administration;
pub(crate) mod bot_test;
pub(crate) mod csrf;
pub(crate) mod password;
pub(crate) mod registration;
pub(crate) mod session;
pub(crate) mod team;
pub(crate) mod throttle;
