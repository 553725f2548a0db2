//! Versions that are handed in: the queue in which they get their verdicts, what teams are told of them, and their room on the disk.

pub(crate) mod disk_budget;
pub(crate) mod faults;
pub(crate) mod judge_queue;
pub(crate) mod submission;
pub(crate) mod turns;
