//! Signals, of which none is caught: Ctrl-C ends the program at once.

use crate::wait::Flag;
use std::io;

/// Leaves signals as they are: each ends the program at once.
///
/// # Errors
/// None.
pub fn raise_on_stop(_raised: &Flag, _status: i32) -> io::Result<()> {
    Ok(())
}

/// As [`raise_on_stop`].
///
/// # Errors
/// None.
pub fn raise_on_finish_or_stop(_finish: &Flag, _stop: &Flag, _status: i32) -> io::Result<()> {
    Ok(())
}
