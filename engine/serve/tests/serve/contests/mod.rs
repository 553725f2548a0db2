//! Contests in which bots are handed in.

mod administration;
mod bots;
mod builds;
mod finals;
mod ladder;
mod operation;
mod pages;
mod registration;
mod tournaments;
