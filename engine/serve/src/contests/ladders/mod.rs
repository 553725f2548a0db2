//! The ladders: who plays, the games, and those that do not count any more.

pub(crate) mod failures;
pub(crate) mod game_records;
pub(crate) mod ladder;
pub(crate) mod ladder_thread;
pub(crate) mod other_machines;
pub(crate) mod planned_games;
pub(crate) mod void_games;
pub(crate) mod void_set;
pub(crate) mod wanted;
