//! A view depends only on what its seat may know.

use super::answers::{Round, any_answer, any_point, any_size, both, legal_fleet, start};
use super::cases;
use proptest::collection::vec;
use proptest::prelude::*;
use rules::entelect_2017::{Entelect2017, Event, MapSize, Order, Placement, View, Weapon};
use rules::{Answer, Eye, Game, Point, Scene, Seat, Told};

/// All that A gets to know in a round: its view, its scene and the events for it.
fn known_to_a(game: &Entelect2017, told: Vec<Told<Event>>) -> (View, Scene, Vec<Event>) {
    let told = told.into_iter().filter(|told| told.to.includes(Seat::A)).map(|told| told.event).collect();
    (game.view(Seat::A), game.scene(Eye::Seat(Seat::A)), told)
}

/// The order if it strikes only cells that are empty in both fleets of B; else a shot off the board.
fn kept_from(order: Answer<Order>, fleets: [&Placement; 2]) -> Answer<Order> {
    let off_board = Ok(Order::Fire { weapon: Weapon::SingleShot, centre: Point::new(-1, -1) });
    match order {
        Ok(Order::Fire { weapon, centre }) => {
            let hits = |fleet: &Placement| {
                fleet.ships.iter().any(|ship| {
                    rules::straight(ship.start, ship.direction, ship.ship.length())
                        .flatten()
                        .any(|point| weapon.cells(centre).any(|struck| struck == point))
                })
            };
            if weapon == Weapon::SeekerMissile || fleets.into_iter().any(hits) { off_board } else { order }
        }
        order => order,
    }
}

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
        let mut games = [&b, &other_b].map(|fleet| {
            let mut game = start(size);
            game.advance(both((Ok(Order::Place(a.clone())), Ok(Order::Place(fleet.clone())))));
            game
        });
        prop_assert_eq!(games[0].view(Seat::A), games[1].view(Seat::A));
        for (order, answer) in rounds {
            let order = kept_from(order, [&b, &other_b]);
            let known = games.each_mut().map(|game| {
                let told = game.advance(both((order.clone(), answer.clone())));
                known_to_a(game, told)
            });
            // A fleet that is killed off may be seen.
            if games[0].outcome().is_some() {
                break;
            }
            prop_assert_eq!(&known[0], &known[1]);
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
