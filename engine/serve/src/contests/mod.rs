//! Contests in which bots are handed in as code: the queue in which they get their verdicts, and the ladder on which they play.

pub(crate) mod build_log;
pub(crate) mod contest_folder;
pub(crate) mod contest_host;
pub(crate) mod disk_budget;
pub(crate) mod faults;
pub(crate) mod game_records;
pub(crate) mod hidden_bots;
pub(crate) mod judge_queue;
pub(crate) mod ladder;
pub(crate) mod ladder_thread;
pub(crate) mod other_machines;
pub(crate) mod person_match;
pub(crate) mod planned_games;
pub(crate) mod signal;
pub(crate) mod submission;
pub(crate) mod time_limit;
pub(crate) mod tournament_commands;
pub(crate) mod tournament_runs;
pub(crate) mod tournament_views;
pub(crate) mod turns;
pub(crate) mod verdict;
pub(crate) mod views;
pub(crate) mod void_games;
pub(crate) mod void_set;
pub(crate) mod wanted;
pub(crate) mod wire;
