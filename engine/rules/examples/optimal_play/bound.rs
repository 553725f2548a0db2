//! A lower bound.
pub(crate) fn print() {}
