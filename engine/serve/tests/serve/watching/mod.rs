//! Contests for those who watch.

mod against_bots;
mod screens;
