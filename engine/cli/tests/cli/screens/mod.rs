//! Tests of the terminal, and of the commands that read records.

pub(crate) mod completions;
pub(crate) mod console;
pub(crate) mod live;
pub(crate) mod matches;
pub(crate) mod people;
pub(crate) mod printable;
pub(crate) mod records;
pub(crate) mod schemas;
pub(crate) mod screen;
pub(crate) mod terminal;
pub(crate) mod viewer;
