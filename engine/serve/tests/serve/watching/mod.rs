//! Contests for those who watch.

mod against_bots;
mod by_rules;
mod screens;
