//! Points, energy and counters add up, and the boards are as they must be.

use super::answers::any_match;
use super::cases;
use crate::invariants::rounds::{self, Accounts, play};
use proptest::prelude::*;

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn points_energy_and_counters_add_up((size, rounds) in any_match()) {
        let mut accounts = Accounts::open(size);
        play(size, rounds, |played| accounts.add_up(played));
    }

    #[test]
    fn fleets_lie_as_placed((size, rounds) in any_match()) {
        play(size, rounds, rounds::fleets_lie_as_placed);
    }

    #[test]
    fn ships_are_destroyed_exactly_when_all_their_cells_are_hit((size, rounds) in any_match()) {
        play(size, rounds, rounds::ships_are_destroyed_exactly_when_all_their_cells_are_hit);
    }

    #[test]
    fn a_shield_protects_as_it_was_raised((size, rounds) in any_match()) {
        play(size, rounds, rounds::a_shield_protects_as_it_was_raised);
    }
}
