//! Tests of the page and the live view, most of them in a real browser.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests")]

mod browser;
mod frames;
mod live;
mod live_table;
mod matches;
mod page;
mod raw;
mod report;
mod screen;
mod serve;
mod serve_browser;
mod serve_events;
mod serve_lobby;
mod serve_matches;
mod serve_restart;
mod serve_security;
mod tournaments;
