//! The strength of bots: estimates, ratings, sequential tests, and the arithmetic that they need.

pub(crate) mod bradley_terry;
pub(crate) mod cholesky;
pub(crate) mod elo;
pub(crate) mod likelihood;
pub(crate) mod mean_test;
pub(crate) mod normal;
pub(crate) mod rated_pairings;
pub(crate) mod rating;
#[cfg(test)]
pub(crate) mod simulation;
pub(crate) mod sprt;
