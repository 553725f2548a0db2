//! A view depends only on what its seat may know; and what adds up in every match.

use super::{cells, start};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use rand::RngExt;
use rules::bots_arena::{BotsArena, Event, Order, Settings, View, place_at_random};
use rules::{Answers, Eye, Game, Point, Random, Scene, Seat};

/// The same cases in every run, and no files left behind.
fn cases(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(2016), failure_persistence: None, ..Config::default() }
}

/// Settings that can be played, most of them with boards so small that a match ends soon.
fn any_settings() -> impl Strategy<Value = Settings> {
    let ships = prop::array::uniform6(0..4_u8);
    let settings = (1..14_u8, 1..14_u8, ships).prop_map(|(width, height, ships)| Settings::new(width, height, ships));
    settings.prop_filter_map("they can be played", |settings| settings.ok().filter(|it| it.playable().is_ok()))
}

fn fleet(settings: &Settings, seed: u64) -> Vec<(Point, Point)> {
    place_at_random(settings, &mut rules::random(seed)).unwrap()
}

fn placed(settings: Settings, a: &[(Point, Point)], b: &[(Point, Point)]) -> BotsArena {
    let mut game = start(settings);
    let orders = [(Seat::A, a), (Seat::B, b)].map(|(seat, ends)| (seat, Ok(Order::Place(ends.to_vec()))));
    game.advance(orders.into_iter().collect());
    game
}

fn any_target(settings: &Settings, random: &mut Random) -> Point {
    let [width, height] = [settings.width(), settings.height()].map(i32::from);
    Point::new(random.random_range(0..width), random.random_range(0..height))
}

/// All that A gets to know: its view, of which its questions are made; its scene; the events for it.
fn known_to_a(game: &BotsArena, told: Vec<rules::Told<Event>>) -> (View, [Scene; 2], Vec<Event>) {
    let told = told.into_iter().filter(|told| told.to.includes(Seat::A)).map(|told| told.event).collect();
    (game.view(Seat::A), [Eye::Seat(Seat::A), Eye::Everyone].map(|eye| game.scene(eye)), told)
}

/// The cells of the ship at this cell.
fn ship_at(fleet: &[(Point, Point)], point: Point) -> Option<Vec<Point>> {
    fleet.iter().map(cells).find(|cells| cells.contains(&point))
}

proptest! {
    #![proptest_config(cases(60))]

    /// Two matches of the same answers in which B's ships lie differently. A strikes only where both have the same ship or
    /// none.
    #[test]
    fn hidden_ships_do_not_show(settings in any_settings(), seeds in any::<[u64; 3]>(), seed in any::<u64>()) {
        let [a, b, other_b] = seeds.map(|seed| fleet(&settings, seed));
        let mut games = [placed(settings, &a, &b), placed(settings, &a, &other_b)];
        prop_assert_eq!(games[0].view(Seat::A), games[1].view(Seat::A));
        let alike: Vec<Point> = settings
            .grid()
            .points()
            .filter(|&point| ship_at(&b, point) == ship_at(&other_b, point))
            .collect();
        prop_assume!(!alike.is_empty());
        let mut random = rules::random(seed);
        while games.iter().all(|game| game.outcome().is_none()) {
            let target = if games[0].awaited().contains(Seat::A) {
                alike[random.random_range(0..alike.len())]
            } else {
                any_target(&settings, &mut random)
            };
            let seat = games[0].awaited().iter().next().unwrap();
            let [one, other] = games.each_mut().map(|game| {
                let told = game.advance([(seat, Ok(Order::Strike(target)))].into_iter().collect());
                known_to_a(game, told)
            });
            prop_assert_eq!(one, other);
        }
    }

    #[test]
    fn points_hits_and_results_add_up(settings in any_settings(), seeds in any::<[u64; 2]>(), seed in any::<u64>()) {
        let [a, b] = seeds.map(|seed| fleet(&settings, seed));
        let mut game = placed(settings, &a, &b);
        let mut random = rules::random(seed);
        while game.outcome().is_none() {
            let seat = game.awaited().iter().next().unwrap();
            let order = Order::Strike(any_target(&settings, &mut random));
            prop_assert_eq!(game.check(seat, &order), Ok(()));
            let told = game.advance(Answers::from_iter([(seat, Ok(order))]));
            let Event::Struck { landed, .. } = told[0].event else { panic!("{told:?}") };
            prop_assert_eq!(told.len(), 1);
            prop_assert!(!landed || game.points(seat) > 0);
        }
        for (seat, fleet) in [(Seat::A, &b), (Seat::B, &a)] {
            let strikes = game.view(seat).own_strikes;
            let is_hit = |cell: &Point| strikes.iter().any(|strike| strike.target == *cell);
            let ships: Vec<Vec<Point>> = fleet.iter().map(cells).collect();
            let hits = ships.iter().flatten().filter(|cell| is_hit(cell)).count();
            let sunk = ships.iter().filter(|ship| ship.iter().all(is_hit)).count();
            let told = strikes.iter().filter(|strike| strike.result.text() == "hit and sunk").count();
            prop_assert_eq!((game.points(seat) as usize, sunk), (hits, told));
            prop_assert_eq!(ships.concat().len(), settings.cells());
        }
        prop_assert!(game.turn() <= settings.most_moves() + 1);
    }
}
