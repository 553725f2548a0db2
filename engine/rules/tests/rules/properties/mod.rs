//! Properties of every match, whatever the players write.
#![allow(clippy::unwrap_used, reason = "tests")]

mod answers;
mod sums;
mod views;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// The same cases in every run, and no files left behind.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(2017), failure_persistence: None, ..ProptestConfig::default() }
}
