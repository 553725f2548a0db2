//! Live views.

mod analysis;
mod one_match;
mod table;
