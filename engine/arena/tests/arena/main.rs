//! Matches between scripted players, and what they leave on the disk.
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs, unreachable_pub, reason = "tests")]

mod folder;
mod journal;
mod sample_state;
mod scripted;
mod together;
