//! The formats of tournaments, and the plans that follow from them.

mod boards;
pub(crate) mod final_bracket;
pub(crate) mod format;
pub(crate) mod knockout;
pub(crate) mod knockout_tree;
pub(crate) mod ladder_games;
pub(crate) mod matching;
pub(crate) mod plan;
pub(crate) mod swiss;
pub(crate) mod swiss_table;
