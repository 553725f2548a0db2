//! Finals: their state, the lines of the journal about them, and the times at which screens show their games.

pub(crate) mod final_lines;
pub(crate) mod final_plan;
pub(crate) mod final_state;
pub(crate) mod screening;
