//! A view depends only on what its seat may know.

use super::A_FIRST;
use proptest::collection::vec;
use proptest::prelude::*;
use rules::sea_battle::{Event, Json, Order, SeaBattle, Settings, Ship, ShipKind, View, random_fleet};
use rules::{Dialect, Eye, Fault, Game, HttpRequest, Point, Scene, Seat};

/// All that A gets to know in a turn: its view, what its bot would be sent, its scene and the events for it.
type Known = (View, HttpRequest, [Scene; 2], Vec<Event>);

/// Two matches of the same answers in which B's ships lie differently.
struct Twins {
    games: [SeaBattle; 2],
    fleets: [Vec<Ship>; 2],
}

impl Twins {
    fn place(seeds: [u64; 3]) -> Twins {
        let [a, b, c] = seeds.map(|seed| random_fleet(&mut rules::random(seed)));
        let fleets = [b, c];
        let games = fleets.clone().map(|fleet| {
            let mut game = SeaBattle::start(&Settings::default(), 2, A_FIRST).unwrap();
            let answers = [(Seat::A, Ok(Order::Place(a.clone()))), (Seat::B, Ok(Order::Place(fleet)))];
            game.advance(answers.into_iter().collect());
            game
        });
        Twins { games, fleets }
    }

    /// Plays a move in both. A learns the same, for where it would not, it does something else.
    fn learn_the_same(&mut self, order: &Order, radar_elsewhere: Point) {
        let mover = self.games[0].awaited().iter().next().unwrap();
        let order = match order {
            Order::Shoot(at) if mover == Seat::A && self.tells_apart(*at) => &Order::Shoot(self.alike()),
            Order::Radar(_) if self.games[0].view(mover).radar_used => &Order::Shoot(self.alike()),
            Order::Radar(centre) if mover == Seat::A && self.looks_different(*centre) => &Order::Shoot(self.alike()),
            order => order,
        };
        // Where B's radar looks is its own secret.
        let orders = match order {
            Order::Radar(centre) if mover == Seat::B => [Order::Radar(*centre), Order::Radar(radar_elsewhere)],
            order => [order.clone(), order.clone()],
        };
        let mut orders = orders.into_iter();
        let [one, other] = self.games.each_mut().map(|game| {
            let told = game.advance([(mover, Ok(orders.next().unwrap()))].into_iter().collect());
            let told = told.into_iter().filter(|told| told.to.includes(Seat::A)).map(|told| told.event).collect();
            known_to_a(game, told)
        });
        assert_eq!(one, other);
    }

    /// True if a shot there may have another result in the other match: not the same ship lies there in both fleets.
    fn tells_apart(&self, at: Point) -> bool {
        let [one, other] = self.fleets.each_ref().map(|fleet| fleet.iter().find(|ship| ship.cells.contains(&at)));
        one != other
    }

    fn looks_different(&self, centre: Point) -> bool {
        let near = |at: &Point| (at.x - centre.x).abs() <= 1 && (at.y - centre.y).abs() <= 1;
        let [one, other] = self.fleets.each_ref().map(|fleet| {
            let seen = fleet.iter().filter(|ship| ship.kind != ShipKind::Submarine);
            let mut cells: Vec<Point> = seen.flat_map(|ship| ship.cells.iter().copied().filter(near)).collect();
            cells.sort();
            cells
        });
        one != other
    }

    /// A cell where both have the same.
    fn alike(&self) -> Point {
        rules::sea_battle::BOARD.points().find(|at| !self.tells_apart(*at)).unwrap()
    }
}

fn known_to_a(game: &SeaBattle, told: Vec<Event>) -> Known {
    let view = game.view(Seat::A);
    let message = Json::new("x").ask(Seat::A, &view);
    (view, message, [Eye::Seat(Seat::A), Eye::Everyone].map(|eye| game.scene(eye)), told)
}

fn any_order() -> impl Strategy<Value = Order> {
    let cell = || (0..10, 0..10).prop_map(|(x, y)| Point::new(x, y));
    prop_oneof![20 => cell().prop_map(Order::Shoot), 1 => cell().prop_map(Order::Radar)]
}

proptest! {
    #![proptest_config(crate::properties::cases(150))]

    #[test]
    fn hidden_ships_and_the_opponents_radar_do_not_show(
        seeds in any::<[u64; 3]>(),
        orders in vec(any_order(), 0..119),
        elsewhere in (0..10, 0..10),
    ) {
        let mut twins = Twins::place(seeds);
        for order in &orders {
            twins.learn_the_same(order, Point::new(elsewhere.0, elsewhere.1));
        }
    }

    #[test]
    fn the_same_answers_give_the_same_match(seed in any::<u64>(), orders in vec(any_order(), 1..130)) {
        let play = || {
            let mut game = SeaBattle::start(&Settings::default(), 2, seed).unwrap();
            let fleet = |seat: u64| Ok(Order::Place(random_fleet(&mut rules::random(seed ^ seat))));
            let mut told = vec![game.advance([(Seat::A, fleet(1)), (Seat::B, fleet(2))].into_iter().collect())];
            for order in &orders {
                let mover = game.awaited().iter().next();
                let answers = mover.map(|mover| (mover, Ok(order.clone()))).into_iter().collect();
                told.push(game.advance(answers));
            }
            (game, told)
        };
        let (game, told) = play();
        prop_assert_eq!((game.clone(), told), play());
        let hits = [Seat::A, Seat::B].map(|seat| {
            let view = game.view(seat);
            view.own_shots.iter().filter(|shot| shot.result.is_hit()).count() as u32
        });
        prop_assert_eq!(hits, [game.hits(Seat::A), game.hits(Seat::B)]);
    }
}

/// Before both fleets lie, nothing tells that the other's lies already; and a fault tells nothing of the ships.
#[test]
fn a_fault_of_the_opponent_shows_nothing_of_its_ships() {
    let mut twins = Twins::place([1, 2, 3]);
    let known = twins.games.each_mut().map(|game| {
        game.advance([(Seat::A, Ok(Order::Radar(Point::new(0, 0))))].into_iter().collect());
        game.clone()
    });
    let [one, other] = known.map(|mut game| {
        game.advance([(Seat::B, Err(Fault::NothingWritten))].into_iter().collect());
        assert!(game.outcome().is_some());
        let board = game.scene(Eye::Seat(Seat::A)).boards.remove(1);
        (board.deed, board.facts, board.measures)
    });
    assert_eq!(one, other);
}
