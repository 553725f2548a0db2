//! botsArena among the games.

use super::{Listener, Suite, hold};
use rand::RngExt;
use rules::bots_arena::{BotsArena, Event, Order, Settings, Strike, View, place_at_random};
use rules::{Answer, Point, Random, Seat};

#[test]
fn bots_arena_is_a_game() {
    let settings = |width, height, ships| Settings::new(width, height, ships).unwrap();
    hold(&Suite::<BotsArena> {
        settings: vec![
            Settings::default(),
            settings(2, 1, [1, 0, 0, 0, 0, 0]),
            settings(3, 7, [1, 1, 1, 1, 0, 0]),
            settings(100, 100, [10; 6]),
        ],
        seats: &[2],
        most_turns: 80_001,
        any_order,
        harmless: |game, _| legal(game, &mut rules::random(1)),
        is_refusal: |event, seat| matches!(event, Event::Refused { seat: whose, .. } if *whose == seat),
        depends_on_secrets: |_| false,
        is_announced: |_| false,
        listener: |settings, seat, _| {
            let (own_strikes, opponent_strikes) = (Vec::new(), Vec::new());
            Box::new(Heard(View { seat, settings: *settings, placing: true, own_strikes, opponent_strikes }))
        },
    });
}

struct Heard(View);

impl Listener<BotsArena> for Heard {
    fn turn(&mut self, _: Option<&Order>, heard: &[Event]) {
        self.0.placing = false;
        for event in heard {
            if let Event::Struck { seat, target, result, .. } = *event {
                let own = seat == self.0.seat;
                let strikes = if own { &mut self.0.own_strikes } else { &mut self.0.opponent_strikes };
                strikes.push(Strike { target, result });
            }
        }
    }

    fn compare(&self, view: &View) {
        assert_eq!(&self.0, view);
    }
}

fn any_order(game: &BotsArena, _: Seat, random: &mut Random) -> Order {
    let order = legal(game, random).unwrap();
    match (order, random.random_range(0..80)) {
        (Order::Place(mut ends), 0..20) => {
            let nth = random.random_range(0..ends.len());
            ends[nth].0 = any_point(random);
            Order::Place(ends)
        }
        (_, 20) => Order::Place(Vec::new()),
        (_, 21) => Order::Strike(any_point(random)),
        (order, _) => order,
    }
}

fn any_point(random: &mut Random) -> Point {
    if random.random_range(0..4) == 0 {
        Point::new(i32::MIN, i32::MAX)
    } else {
        Point::new(random.random_range(-1..12), random.random_range(-1..12))
    }
}

fn legal(game: &BotsArena, random: &mut Random) -> Answer<Order> {
    let settings = game.settings();
    if game.is_placing() {
        return Ok(Order::Place(place_at_random(settings, random).unwrap()));
    }
    let [width, height] = [settings.width(), settings.height()].map(i32::from);
    Ok(Order::Strike(Point::new(random.random_range(0..width), random.random_range(0..height))))
}
