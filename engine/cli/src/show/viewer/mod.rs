//! `broadside replay`: a match to be watched in any order, on a terminal or as plain text.
//!
//! `state` is where in the match the viewer is, what keys (`key`, `binding`) and time do to that; `timeline` is what
//! happened in the whole match. `plan` says what goes where, `draw` and the files it names draw it. None of them knows a
//! terminal; only `terminal` does.

mod boards;
mod draw;
mod help;
mod key;
mod key_bindings;
mod layout;
mod log;
mod page;
mod palette;
#[cfg(test)]
mod scripted_history;
mod seek_bar;
mod state;
mod terminal;
mod timeline;

pub(crate) use page::print;
pub(crate) use terminal::watch;
