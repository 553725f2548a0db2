//! Tests of the page and the live view, most of them in a real browser.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests")]

mod analysis;
#[allow(dead_code, reason = "other tests use the rest")]
mod browser;
mod driver;
mod frames;
mod live;
mod matches;
mod notes;
mod page;
mod people;
mod pictures;
mod profile;
mod raw;
mod report;
mod report_views;
mod salvo;
mod screen;
mod tables;
mod tournaments;
mod watching;
