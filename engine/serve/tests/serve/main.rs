//! Tests of the tournament server over real sockets, some of them in a real browser.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests")]

mod accessibility;
#[path = "../../../web/tests/web/browser.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod browser;
mod contests;
mod event_stream;
mod event_trouble;
mod finals;
mod layers;
mod lobby;
mod matches;
mod moderators;
mod overload;
mod pages;
mod play;
mod proxy;
mod requests;
mod restart;
mod screen;
mod security;
mod server;
mod watching;
