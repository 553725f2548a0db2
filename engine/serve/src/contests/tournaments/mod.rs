//! Tournaments within a contest, and games that teams ask for.

pub(crate) mod tournament_begin;
pub(crate) mod tournament_commands;
pub(crate) mod tournament_runs;
pub(crate) mod tournament_views;
pub(crate) mod tournament_wire;
