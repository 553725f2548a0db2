//! Marks by the plan of a contest: which versions count, the thread that has their games played, and what is shown of the marks.

pub(crate) mod contest_marks;
pub(crate) mod export;
pub(crate) mod marking_thread;
pub(crate) mod views;
pub(crate) mod wire;
