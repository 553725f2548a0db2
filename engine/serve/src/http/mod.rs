//! The server's API over HTTP, and the checks of all requests.

pub(crate) mod admin_api;
pub(crate) mod admin_commands;
pub(crate) mod admin_moderators_api;
pub(crate) mod api;
pub(crate) mod app;
pub(crate) mod contest_admin_api;
pub(crate) mod contest_api;
pub(crate) mod contest_bots_api;
pub(crate) mod contest_export_api;
pub(crate) mod contest_final_api;
pub(crate) mod contest_marks_api;
pub(crate) mod contest_tournament_api;
pub(crate) mod contest_watch_api;
pub(crate) mod errors;
pub(crate) mod guard;
pub(crate) mod metrics;
pub(crate) mod openapi;
pub(crate) mod reach;
