//! `broadside replay`: shows a match in any order, on a terminal or as plain text.
//!
//! `state` holds the position in the match and changes it by keys (`key`, `key_bindings`) and time; `timeline` holds the
//! events of the whole match. `layout` places the parts of the screen, `draw` and the modules that it names draw them. Only
//! `terminal` touches the terminal.

mod boards;
mod draw;
mod help;
mod key;
mod key_bindings;
mod layout;
mod log;
mod notes;
mod outlook;
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
