//! Tests of grading, from the folder that a system hands out to marks and their results.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "tests")]

mod alike;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../../../web/tests/web/browser.rs"]
mod browser;
mod class;
mod export;
mod files;
mod pages;
mod sample;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../../../cli/tests/cli/screens/schemas.rs"]
mod schemas;
mod submitted;
