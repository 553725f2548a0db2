//! Contests for those who watch.

mod screens;
