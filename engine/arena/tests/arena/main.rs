//! Matches between scripted players, and what they leave on the disk.
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs, unreachable_pub, reason = "tests")]

mod battleship_messages;
mod bots_arena;
mod expanding;
mod folder;
mod journals;
mod notes;
mod records;
mod salvo;
mod sample_state;
mod schema;
mod schemas;
mod scripted;
mod sea_battle;
mod spool;
mod together;
