//! The program as its users meet it.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    reason = "tests"
)]

#[path = "../../../web/tests/web/serve.rs"]
#[allow(dead_code, reason = "each test program uses some of it")]
mod arena;
mod bad_input;
mod builds;
mod bundles;
mod console;
mod disk;
mod events;
mod languages;
mod live;
mod matches;
mod records;
mod samples;
mod schemas;
mod screen;
mod serve;
mod starters;
mod stopping;
mod table;
mod terminal;
mod tournament_mode;
mod tournaments;
mod viewer;
mod zoo;
