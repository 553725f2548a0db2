//! The live table of Salvo.

mod faults;
mod stream;
mod table;
