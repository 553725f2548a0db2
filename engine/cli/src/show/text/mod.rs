//! Text on terminals: output, colours, names in columns, escapes.

pub(crate) mod colours;
pub(crate) mod escaped;
pub(crate) mod json;
pub(crate) mod names;
pub(crate) mod output;
pub(crate) mod screen;
