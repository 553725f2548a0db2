//! Bots as real processes and servers, and people at a console.
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs, unreachable_pub, reason = "tests")]

mod answers;
mod builds;
mod calibration;
mod console;
mod earlier_rounds;
mod endings;
mod freshness;
mod host;
mod http;
mod lacked_builds;
mod lines;
mod manifest;
mod notes;
mod recipes;
mod sample_servers;
mod staying;
mod stood;
mod table;
mod warm;
