//! Matches and contests for those who watch.

mod against_bots;
mod analysis;
mod by_rules;
mod screens;
