//! A view depends only on what its seat may know.

use super::answers::{any_answer, any_point, any_size, legal_fleet};
use super::cases;
use crate::invariants::rounds::{Round, both};
use crate::invariants::secrets::{Twins, known_to_a};
use proptest::collection::vec;
use proptest::prelude::*;
use rules::entelect_2017::{MapSize, Order, Placement, Weapon};
use rules::{Eye, Game, Point, Seat};

type Two = (MapSize, Placement, [Placement; 2], Vec<Round>);

/// Two matches of the same answers, in which B's ships lie differently.
fn two_fleets_of_b() -> impl Strategy<Value = Two> {
    any_size().prop_flat_map(|size| {
        let rounds = vec((any_answer(size), any_answer(size)), 0..120);
        (Just(size), legal_fleet(size), [legal_fleet(size), legal_fleet(size)], rounds)
    })
}

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn hidden_ships_do_not_show((size, a, [b, other_b], rounds) in two_fleets_of_b()) {
        let mut twins = Twins::place(size, &a, [b, other_b]);
        for round in rounds {
            if !twins.learn_the_same(round) {
                break;
            }
        }
    }

    /// Where the shots of A fall, B has no shield in either match; elsewhere it may have one or not.
    #[test]
    fn a_shield_that_was_not_hit_does_not_show(centre in any_point(), shot in any_point(), rounds in 0..3u32) {
        let mut table = crate::table::Table::set(MapSize::Medium);
        table.wait_for_round(22);
        let mut games = [table.game.clone(), table.game];
        games[0].advance(both((Err(rules::Fault::NothingWritten), Ok(Order::Shield { centre }))));
        games[1].advance(both((Err(rules::Fault::NothingWritten), Ok(Order::Shield { centre: Point::new(99, 99) }))));
        let away = |a: i32, b: i32| (i64::from(a) - i64::from(b)).unsigned_abs();
        prop_assume!(away(shot.x, centre.x).max(away(shot.y, centre.y)) > 2);
        for _ in 0..rounds {
            let shot = Order::Fire { weapon: Weapon::SingleShot, centre: shot };
            let known = games.each_mut().map(|game| {
                let told = game.advance(both((Ok(shot.clone()), Ok(Order::DoNothing))));
                known_to_a(game, told)
            });
            prop_assert_eq!(&known[0], &known[1]);
        }
    }
}

/// Shield Rules 8: what the other player is shown is the same, whether a shield was raised or an order was refused.
#[test]
fn a_scene_does_not_betray_that_a_shield_was_raised() {
    let mut table = crate::table::Table::small();
    table.wait_for_round(8);
    let deed = |answer| {
        let mut game = table.game.clone();
        game.advance(both((crate::table::pass(), answer)));
        game.scene(Eye::Seat(Seat::A)).boards[1].deed.clone()
    };
    assert_eq!(deed(Ok(Order::Shield { centre: Point::new(3, 3) })), deed(crate::table::pass()));
}
