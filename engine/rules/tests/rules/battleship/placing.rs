//! Fleets: `touching`, `mirror`, `fleets` and `bad-fleet`.

use super::{Match, USUAL, cells, place, rules, small};
use rules::battleship::{Battleship, Event, Order, Placed, Refusal, Rules, place_at_random, placed};
use rules::{Eye, Fault, Game, Seat};

type Ships = &'static [&'static [(i32, i32)]];

/// The refusal of a fleet of A.
fn refused(rules: &Rules, ships: Ships) -> Option<String> {
    let game = Battleship::start(rules, 2, 1).unwrap();
    game.check(Seat::A, &place(ships).unwrap()).err().map(|why| why.0)
}

#[test]
fn ships_may_touch_as_the_file_says() {
    let beside: Ships = &[&[(0, 0), (1, 0), (2, 0)], &[(0, 1), (1, 1)]];
    let by_corners: Ships = &[&[(0, 0), (1, 0), (2, 0)], &[(3, 1), (4, 1)]];
    let apart: Ships = &[&[(0, 0), (1, 0), (2, 0)], &[(4, 0), (4, 1)]];
    for (touching, allowed) in
        [("allowed", [true; 3]), ("corners", [false, true, true]), ("none", [false, false, true])]
    {
        let rules = small(&format!(r#""touching": "{touching}""#));
        assert_eq!([beside, by_corners, apart].map(|ships| refused(&rules, ships).is_none()), allowed, "{touching}");
        for seed in 0..200 {
            let fleet = place_at_random(&rules, &mut rules::random(seed)).unwrap();
            let order = Order::Place(placed(&rules, &fleet));
            Battleship::start(&rules, 2, 1).unwrap().check(Seat::A, &order).unwrap();
        }
    }
}

#[test]
fn a_fleet_that_may_not_be_placed_is_refused_in_words() {
    let all: [(Ships, &str); 8] = [
        (&[&[(0, 0), (1, 0), (2, 0)]], "the two is missing"),
        (&[], "the three is missing"),
        (&[&[(0, 0), (1, 0), (2, 0)], &[(2, 0), (2, 1)]], "two ships cover 2,0"),
        (&[&[(0, 0), (1, 0), (2, 0)], &[(5, 3), (6, 3)]], "6,3 is off the board"),
        (&[&[(0, 0), (1, 0), (3, 0)], &[(0, 2), (1, 2)]], "no ship of 3 cells left to place is so shaped"),
        (&[&[(0, 0), (1, 0), (1, 1)], &[(0, 2), (1, 2)]], "no ship of 3 cells left to place is so shaped"),
        (&[&[(0, 0), (1, 0)], &[(0, 2), (1, 2)]], "no ship of 2 cells left to place is so shaped"),
        (&[&[(0, 0), (0, 0), (1, 0)], &[(0, 2), (1, 2)]], "no ship of 3 cells left to place is so shaped"),
    ];
    for (ships, why) in all {
        assert_eq!(refused(&small(""), ships).as_deref(), Some(why));
    }
    assert_eq!(refused(&small(""), &USUAL), None);
}

#[test]
fn a_ship_without_a_name_leaves_those_with_names_their_places() {
    let rules = rules(r#"{"fleet": [{"name": "cruiser", "size": 3}, {"name": "submarine", "size": 3}]}"#);
    let ship =
        |name: Option<&str>, y| Placed { name: name.map(str::to_owned), cells: cells(&[(0, y), (1, y), (2, y)]) };
    let mut table = Match::new(&rules, 2);
    let order = Ok(Order::Place(vec![ship(None, 0), ship(Some("cruiser"), 5)]));
    table.all(&[order.clone(), order]);
    let fleet = table.game.view(Seat::A).fleet.unwrap();
    assert_eq!(fleet.iter().map(|ship| ship[0].y).collect::<Vec<_>>(), [5, 0]);
    let twice = Order::Place(vec![ship(Some("cruiser"), 0), ship(Some("cruiser"), 5)]);
    assert!(Match::new(&rules, 2).game.check(Seat::A, &twice).unwrap_err().0.contains("\"cruiser\" of 3 cells"));
}

#[test]
fn a_shape_may_be_turned_and_is_mirrored_only_if_the_file_says_so() {
    let file = |mirror: bool| {
        rules(&format!(r###"{{"fleet": [{{"name": "L", "shape": ["#.", "#.", "##"]}}], "mirror": {mirror}}}"###))
    };
    let as_drawn: Ships = &[&[(4, 4), (4, 5), (4, 6), (5, 6)]];
    let turned: Ships = &[&[(4, 4), (5, 4), (6, 4), (4, 5)]];
    let mirrored: Ships = &[&[(5, 4), (5, 5), (5, 6), (4, 6)]];
    for (mirror, allowed) in [(false, [true, true, false]), (true, [true; 3])] {
        assert_eq!([as_drawn, turned, mirrored].map(|ships| refused(&file(mirror), ships).is_none()), allowed);
    }
}

#[test]
fn a_bad_fleet_loses_the_match() {
    let mut table = Match::new(&small(""), 2);
    table.all(&[place(&[]), place(&USUAL)]);
    assert_eq!(
        (table.outcome().winner, &table.why()[..]),
        (Some(Seat::B), "A gave an illegal order: the three is missing")
    );
    let mut table = Match::new(&small(""), 2);
    table.all(&[Err(Fault::NothingWritten), Err(Fault::NothingWritten)]);
    assert_eq!((table.outcome().winner, &table.why()[..]), (None, "A wrote nothing and B wrote nothing"));
}

#[test]
fn a_fleet_is_drawn_for_who_places_none() {
    let mut table = Match::new(&small(r#""bad-fleet": "drawn""#), 2);
    table.all(&[place(&[]), Err(Fault::NothingWritten)]);
    let fleets = [Seat::A, Seat::B].map(|seat| table.game.view(seat).fleet.unwrap());
    assert!(fleets[0] != fleets[1] && !table.is_over());
    assert!(matches!(&table.events[..], [Event::Refused { .. }, Event::Refused { .. }, Event::Drawn(..), ..]));
}

/// With the same seed, who had a fleet in one game would know it when the other has its seat.
#[test]
fn where_fleets_are_drawn_the_games_of_a_pair_have_seeds_of_their_own() {
    let reveals = |choice| Battleship::reveals_seed(&small(choice));
    assert!([r#""bad-fleet": "drawn""#, r#""fleets": "drawn""#, r#""turns": "solo""#].into_iter().all(reveals));
    assert!(!["", r#""bad-fleet": "refused""#].into_iter().any(reveals));
}

#[test]
fn who_is_refused_a_fleet_is_asked_again_and_the_other_waits() {
    let mut table = Match::new(&small(r#""bad-fleet": "refused", "retries": 2"#), 2);
    table.all(&[place(&[]), place(&USUAL)]);
    assert_eq!((table.mover(), table.refusal()), (Seat::A, Some(Refusal::MissingShip("three".to_owned()))));
    assert_eq!(table.game.view(Seat::A).refused, table.refusal());
    assert!(table.game.is_placing() && table.game.view(Seat::B).fleet.is_none());
    table.one(Err(Fault::NothingWritten));
    let unanswered = Some(Refusal::NoOrder(Fault::NothingWritten));
    assert_eq!((table.mover(), table.game.view(Seat::A).refused), (Seat::A, unanswered));
    let mut placed = table.clone();
    placed.one(place(&USUAL));
    assert_eq!((placed.mover(), placed.game.view(Seat::B).fleet.is_some()), (Seat::A, true));
    table.one(place(&[]));
    assert_eq!(table.why(), "A gave an illegal order: the three is missing");
}

/// The next fleet may be nearly the same.
#[test]
fn a_refused_fleet_is_not_told_to_others() {
    let mut table = Match::new(&small(r#""bad-fleet": "refused""#), 2);
    let bad = place(&[&[(0, 0), (1, 0), (2, 0)], &[(2, 0), (2, 1)]]);
    let unreadable = Fault::unreadable_text("not JSON", "{\"ships\": [[[0,0]");
    for answers in [[bad, place(&USUAL)], [Err(unreadable), place(&USUAL)]] {
        let answers = [Seat::A, Seat::B].into_iter().zip(answers).collect();
        let told = table.game.advance(answers);
        assert!(!told.is_empty() && told.iter().all(|told| !told.to.includes(Seat::B)));
        assert_eq!(table.game.scene(Eye::Everyone).boards[0].deed, "");
    }
}

#[test]
fn drawn_fleets_are_there_from_the_start_and_differ() {
    let fleets = |seed| {
        let game = Battleship::start(&small(r#""fleets": "drawn", "seats": 3"#), 3, seed).unwrap();
        assert!(!game.is_placing());
        [0, 1, 2].map(|seat| game.view(Seat::new(seat).unwrap()).fleet.unwrap())
    };
    let [a, b, c] = fleets(4);
    assert!(a != b && b != c && a != c);
    assert!(fleets(4) == [a.clone(), b, c] && fleets(5)[0] != a);
}

/// Ships on all cells: for about every tenth seed a thousand attempts fail, but there is a place for them.
#[test]
fn a_fleet_for_which_there_is_hardly_room_is_drawn_for_every_seed() {
    let full = rules(
        r#"{"board": {"width": 8, "height": 8}, "fleets": "drawn", "fleet": [{"name": "four", "size": 4, "count": 16}]}"#,
    );
    assert!(full.fits() && (0..100).all(|seed| Battleship::start(&full, 2, seed).is_ok()));
    let over_full = rules(r#"{"board": {"width": 2, "height": 2}, "fleet": [{"name": "x", "count": 3, "size": 2}]}"#);
    let why = Battleship::start(&over_full, 2, 1).unwrap_err().to_string();
    assert_eq!(why, "fleet: no place for all ships was found on a board of 2 x 2");
}
