//! `broadside replay`: a match to be watched in any order, on a terminal or as plain text.
//!
//! `state` is where in the match the viewer is, what keys (`key`, `binding`) and time do to that; `course` is what
//! happened in the whole match. `plan` says what goes where, `draw` and the files it names draw it. None of them knows a
//! terminal; only `terminal` does.

mod binding;
mod boards;
mod course;
mod draw;
mod help;
mod ink;
mod key;
mod log;
mod page;
mod plan;
#[cfg(test)]
mod reel;
mod state;
mod terminal;
mod timeline;

pub(crate) use page::print;
pub(crate) use terminal::watch;
