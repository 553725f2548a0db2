//! Bots as real processes, and people at a console.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "tests")]

mod answers;
mod console;
mod endings;
mod manifest;
mod table;
