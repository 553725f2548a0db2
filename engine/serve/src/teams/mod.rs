//! Teams and the administrator: log-ins, rate limits, and the commands of both.

pub(crate) mod access;
pub(crate) mod actor;
pub(crate) mod administration;
pub(crate) mod api_token;
pub(crate) mod bot_test;
pub(crate) mod csrf;
pub(crate) mod moderation;
pub(crate) mod password;
pub(crate) mod registration;
pub(crate) mod session;
pub(crate) mod team;
pub(crate) mod throttle;
