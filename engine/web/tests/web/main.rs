//! Tests of the page and the live view, most of them in a real browser.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests")]

#[allow(dead_code, reason = "other tests use the rest")]
mod browser;
mod driver;
mod frames;
mod live;
mod live_table;
mod matches;
mod notes;
mod page;
mod people;
mod people_pages;
mod pictures;
mod raw;
mod report;
mod report_views;
mod salvo_faults;
mod salvo_stream;
mod salvo_table;
mod screen;
mod sitting;
mod tables;
mod tournaments;
mod watching;
