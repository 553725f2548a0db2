//! Any answers: what players may write, and that no answer breaks a match.

use super::cases;
use crate::invariants::rounds::{self, Round, both, play, start};
use crate::invariants::texts;
use crate::table::all_placed;
use proptest::collection::vec;
use proptest::prelude::*;
use rules::PlayerInfo;
use rules::entelect_2017::files::{Files, engine_log};
use rules::entelect_2017::{MapSize, Order, Phase, Placement, Ship, ShipPlacement, Weapon};
use rules::{Answer, BySeat, Direction, Fault, Game, Point, Seat, straight};

pub(super) fn any_size() -> impl Strategy<Value = MapSize> {
    prop::sample::select(MapSize::ALL.to_vec())
}

/// Points on the largest map, beside it, and at the end of the world.
pub(super) fn any_point() -> impl Strategy<Value = Point> {
    let coordinate = || {
        prop_oneof![
            12 => 0..7,
            60 => -4..18,
            1 => prop::sample::select(vec![i32::MIN, i32::MIN + 1, -1, i32::MAX - 1, i32::MAX]),
            1 => any::<i32>(),
        ]
    };
    (coordinate(), coordinate()).prop_map(|(x, y)| Point::new(x, y))
}

pub(super) fn any_weapon() -> impl Strategy<Value = Weapon> {
    prop::sample::select(Weapon::ALL.to_vec())
}

/// A fleet that lies on the map as it should.
pub(super) fn legal_fleet(size: MapSize) -> impl Strategy<Value = Placement> {
    any::<u64>().prop_map(move |seed| {
        let places = rules::random_fleet(size.grid(), &Ship::ALL.map(Ship::length), &mut rules::random(seed)).unwrap();
        let ships: Vec<ShipPlacement> = Ship::ALL
            .into_iter()
            .zip(places)
            .map(|(ship, (start, direction))| ShipPlacement { ship, start, direction })
            .collect();
        Placement::new(ships.try_into().unwrap())
    })
}

fn any_ship_placement() -> impl Strategy<Value = ShipPlacement> {
    let ship = prop::sample::select(Ship::ALL.to_vec());
    let direction = prop::sample::select(Direction::ALL.to_vec());
    (ship, any_point(), direction).prop_map(|(ship, start, direction)| ShipPlacement { ship, start, direction })
}

/// A fleet of which some ships lie anywhere, or are another ship.
fn any_fleet(size: MapSize) -> impl Strategy<Value = Placement> {
    let change = vec((0..5usize, any_ship_placement()), 0..3);
    (legal_fleet(size), change).prop_map(|(fleet, changes)| {
        let mut ships = fleet.ships;
        for (nth, ship) in changes {
            ships[nth] = ship;
        }
        Placement::new(ships)
    })
}

fn any_fault() -> impl Strategy<Value = Fault> {
    let second = std::time::Duration::from_secs(1);
    prop::sample::select(vec![
        Fault::NothingWritten,
        Fault::timed_out(second, second),
        Fault::Crashed { how: "signal 6".to_owned() },
        Fault::unreadable("nonsense"),
    ])
}

/// An answer of a player in phase 2, mostly a shot.
pub(super) fn any_answer(size: MapSize) -> impl Strategy<Value = Answer<Order>> {
    prop_oneof![
        300 => any_point().prop_map(|centre| Ok(Order::Fire { weapon: Weapon::SingleShot, centre })),
        200 => (any_weapon(), any_point()).prop_map(|(weapon, centre)| Ok(Order::Fire { weapon, centre })),
        60 => any_point().prop_map(|centre| Ok(Order::Shield { centre })),
        60 => Just(Ok(Order::DoNothing)),
        20 => any_fleet(size).prop_map(|fleet| Ok(fleet.into())),
        20 => any_fault().prop_map(Err),
        1 => Just(Err(Fault::GaveUp)),
    ]
}

/// The plan of a player: an answer, or a shot of this weapon at a cell of the other fleet.
#[derive(Debug, Clone)]
enum Plan {
    Any(Answer<Order>),
    Aimed(Weapon),
}

fn any_plan(size: MapSize) -> impl Strategy<Value = Plan> {
    prop_oneof![
        3 => any_answer(size).prop_map(Plan::Any),
        4 => Just(Plan::Aimed(Weapon::SingleShot)),
        1 => any_weapon().prop_map(Plan::Aimed),
    ]
}

/// The cells of a fleet in any order, again and again.
fn any_aim(fleet: &Placement) -> impl Strategy<Value = Vec<Point>> + use<> {
    let cells = fleet.ships.iter().flat_map(|ship| straight(ship.start, ship.direction, ship.ship.length()).flatten());
    Just(cells.collect::<Vec<Point>>()).prop_shuffle()
}

fn carry_out(plan: Plan, aim: &mut impl Iterator<Item = Point>) -> Answer<Order> {
    match plan {
        Plan::Any(answer) => answer,
        Plan::Aimed(weapon) => Ok(Order::Fire { weapon, centre: aim.next().unwrap() }),
    }
}

/// Answers for a whole match: some tries to place, then anything. When they run out, both fall silent.
pub(super) fn any_match() -> impl Strategy<Value = (MapSize, Vec<Round>)> {
    let fleets = any_size().prop_flat_map(|size| (Just(size), legal_fleet(size), legal_fleet(size)));
    fleets.prop_flat_map(|(size, a, b)| {
        let placing = || prop_oneof![3 => any_fleet(size).prop_map(|f| Ok(f.into())), 1 => any_answer(size)];
        let tries = vec((placing(), placing()), 0..3);
        let aims = (any_aim(&b), any_aim(&a));
        let plans = vec((any_plan(size), any_plan(size)), 0..150);
        (tries, aims, plans).prop_map(move |(mut rounds, (at_b, at_a), plans)| {
            let (mut at_b, mut at_a) = (at_b.into_iter().cycle(), at_a.into_iter().cycle());
            rounds.push((Ok(a.clone().into()), Ok(b.clone().into())));
            rounds.extend(plans.into_iter().map(|(a, b)| (carry_out(a, &mut at_b), carry_out(b, &mut at_a))));
            (size, rounds)
        })
    })
}

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn every_match_ends_and_all_of_it_can_be_written((size, rounds) in any_match()) {
        let bot = PlayerInfo::named("X");
        let files = Files::new(BySeat::from_iter([bot.clone(), bot]));
        let mut nth = 0;
        play(size, rounds, |played| {
            rounds::a_match_ends_in_time(played);
            engine_log(&files, &[], &played.told);
            nth += 1;
            if nth % 16 == 0 {
                files.round_files(&played.after);
                files.player_files(&played.after.view(Seat::B));
            }
        });
    }

    #[test]
    fn the_same_answers_give_the_same_states((size, rounds) in any_match()) {
        play(size, rounds, rounds::a_copy_goes_the_same_way);
    }

    #[test]
    fn an_order_is_refused_exactly_when_check_says_so((size, rounds) in any_match()) {
        play(size, rounds, rounds::check_foretells_refusals);
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn a_fleet_is_taken_exactly_when_check_says_so_and_it_fits((size, fleet) in any_size().prop_flat_map(|size| (Just(size), any_fleet(size)))) {
        let game = start(size);
        let order = Order::from(fleet.clone());
        let legal = fits(size, &fleet);
        for seat in [Seat::A, Seat::B] {
            prop_assert_eq!(game.check(seat, &order).is_ok(), legal);
        }
        let mut game = game;
        game.advance(both((Ok(order.clone()), Ok(order))));
        prop_assert_eq!(game.phase() == Phase::Two, legal);
        prop_assert_eq!(all_placed(&game.player(Seat::A).board), legal);
    }

    #[test]
    fn any_bytes_can_be_read(place in prop::option::of(vec(any::<u8>(), 0..200)), command in prop::option::of(vec(any::<u8>(), 0..40))) {
        read(place, command);
    }

    #[test]
    fn almost_right_text_can_be_read(
        place in prop::option::of("(\u{feff})?((?i)(Carrier|Cruiser|submarine|Destroyer|BATTLESHIP)[ \t]{1,2}[-+]?[0-9]{0,11} [0-9]{1,2} (north|EAST|Süd|west)[\r \n,]{1,2}){3,6}"),
        command in prop::option::of("[ \t]?[-+]?[0-9]{1,11}[ \u{0}\u{a0}]?,[0-9]{1,2},[0-9٣]{1,2}[,\r\n]{0,2}"),
    ) {
        read(place.map(String::into_bytes), command.map(String::into_bytes));
    }
}

/// Reads what a bot wrote and, if there is an order, writes it and plays it.
fn read(place: Option<Vec<u8>>, command: Option<Vec<u8>>) {
    let answer = texts::read(place.as_deref(), command.as_deref());
    assert_eq!(answer == Err(Fault::NothingWritten), place.is_none() && command.is_none());
    texts::is_read_back(&answer);
    for bytes in [place, command].into_iter().flatten() {
        texts::is_the_same_in_every_encoding(&bytes);
    }
}

/// True if every ship is named once and all lie on the map without sharing a cell.
fn fits(size: MapSize, fleet: &Placement) -> bool {
    let mut names: Vec<Ship> = fleet.ships.iter().map(|ship| ship.ship).collect();
    names.sort();
    names.dedup();
    let cells = fleet.ships.iter().flat_map(|ship| {
        let (dx, dy) = ship.direction.step();
        (0..i64::from(ship.ship.length())).map(move |nth| {
            (i64::from(ship.start.x) + nth * i64::from(dx), i64::from(ship.start.y) + nth * i64::from(dy))
        })
    });
    let mut cells: Vec<(i64, i64)> = cells.collect();
    let side = i64::from(size.side());
    let on_map = cells.iter().all(|&(x, y)| (0..side).contains(&x) && (0..side).contains(&y));
    let count = cells.len();
    cells.sort_unstable();
    cells.dedup();
    names.len() == 5 && on_map && cells.len() == count
}
