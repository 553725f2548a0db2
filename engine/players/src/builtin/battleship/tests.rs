//! The built-in players by rules of all kinds.

use crate::builtin::tests::{played, shares};
use crate::{BuiltIn, OverHttp};
use arena::Ask;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rules::battleship::{
    Again, Battleship, BoardSize, Choices, Consequence, First, FleetConsequence, FleetEntry, Fleets, Limit, Order,
    Rules, ShotCount, Shots, Special, SpecialKind, Then, ToldHits, ToldResults, ToldSunk, Touching, Turns, placed,
};
use rules::{Ending, Game, Listed, Point, Random, Seat};

/// Rules of the file in JSON.
fn rules(file: &str) -> Rules {
    serde_json::from_str(file).unwrap()
}

fn russian() -> Rules {
    rules(
        r#"{"name": "russian", "touching": "none", "again": "on-hit", "told": {"sunk": "around"}, "fleet": [
            {"name": "four", "size": 4}, {"name": "three", "size": 3, "count": 2}, {"name": "two", "size": 2, "count": 3},
            {"name": "one", "size": 1, "count": 4}]}"#,
    )
}

#[test]
fn no_built_in_player_is_weaker_than_the_one_before_it_in_the_list() {
    let salvo = rules(r#"{"shots": "ships-afloat", "told": {"hit": "total", "sunk": "name"}}"#);
    let shares = [
        ("classic", shares::<Battleship>(&Rules::default()), [90, 50, 60]),
        ("russian", shares::<Battleship>(&russian()), [85, 40, 60]),
        ("salvo", shares::<Battleship>(&salvo), [85, 40, 60]),
    ];
    for (game, shares, least) in shares {
        assert!(shares.iter().zip(least).all(|(share, least)| *share >= least), "{game}: {shares:?}, not {least:?}");
    }
}

/// One of these.
fn any<T: Copy>(random: &mut Random, among: &[T]) -> T {
    *among.choose(random).unwrap()
}

fn rows(rows: &[&str]) -> Vec<String> {
    rows.iter().map(|row| (*row).to_owned()).collect()
}

fn entry(random: &mut Random, nth: usize) -> FleetEntry {
    let shapes: [&[&str]; 4] = [&["#.#", "###"], &["##", "##"], &["#..", "###"], &["##.", ".##"]];
    let is_straight = random.random_ratio(3, 4);
    FleetEntry {
        name: format!("ship {nth}"),
        count: random.random_range(1..=3),
        size: is_straight.then(|| random.random_range(1..=5)),
        shape: if is_straight { Vec::new() } else { rows(any(random, &shapes)) },
        armour: any(random, &[1, 1, 1, 2, 3]),
    }
}

fn special(random: &mut Random, nth: usize, choices: &Choices) -> Special {
    let kind = any(random, &[SpecialKind::Radar, SpecialKind::AreaShot, SpecialKind::Sonar]);
    let areas: [&[&str]; 3] = [&["###", "###", "###"], &["#.#", ".#.", "#.#"], &["#####"]];
    let kinds: Vec<&String> = choices.fleet.iter().map(|entry| &entry.name).collect();
    let name = any(random, &kinds).clone();
    Special {
        name: format!("special {nth}"),
        uses: random.random_range(1..=4),
        needs: Some(name.clone()).filter(|_| choices.turns != Turns::Solo && random.random_ratio(1, 3)),
        kind,
        area: if kind == SpecialKind::Sonar { Vec::new() } else { rows(any(random, &areas)) },
        misses: if kind == SpecialKind::Radar && random.random_ratio(1, 3) { vec![name] } else { Vec::new() },
    }
}

/// Choices at random, of which some do not go together. A repeated shot is never allowed.
fn choices(random: &mut Random) -> Choices {
    let fleet = (0..random.random_range(1..=5)).map(|nth| entry(random, nth)).collect();
    let turns = any(random, &[Turns::Alternate, Turns::Alternate, Turns::Together, Turns::Solo]);
    let alternates = turns == Turns::Alternate;
    let touching = any(random, &[Touching::Allowed, Touching::Corners, Touching::None]);
    let counts = [ShotCount::ShipsAfloat, ShotCount::LongestAfloat, ShotCount::OwnCellsAfloat];
    let sunk = [ToldSunk::Nothing, ToldSunk::That, ToldSunk::Size, ToldSunk::Name, ToldSunk::Cells, ToldSunk::Around];
    let told = &sunk[..if touching == Touching::None { 6 } else { 5 }];
    let is_fixed = turns == Turns::Solo || random.random_ratio(2, 3);
    let seats = any(random, &[2, 2, 2, 2, 3, 3, 5, 16]);
    // Matches of many are long.
    let limited = seats > 3 || random.random_ratio(1, 4);
    let mut choices = Choices {
        board: BoardSize { width: random.random_range(1..=10), height: random.random_range(1..=10) },
        fleet,
        mirror: random.random(),
        touching,
        fleets: any(random, &[Fleets::Placed, Fleets::Placed, Fleets::Drawn]),
        turns,
        first: if alternates { any(random, &[First::A, First::Drawn]) } else { First::A },
        shots: if is_fixed {
            Shots::Fixed(any(random, &[1, 1, 2, 5, 30]))
        } else {
            Shots::Counted(any(random, &counts))
        },
        again: if alternates {
            any(random, &[Again::Never, Again::OnHit, Again::OnHitUnlessSunk])
        } else {
            Again::Never
        },
        told: ToldResults {
            hit: any(random, &[ToldHits::Each, ToldHits::Each, ToldHits::Total]),
            sunk: any(random, told),
        },
        seen: random.random(),
        repeated: any(random, &[Consequence::Refused, Consequence::Loses]),
        off_board: any(random, &[Consequence::Refused, Consequence::Loses]),
        bad_fleet: FleetConsequence::Loses,
        limit: limited.then(|| Limit {
            turns: random.random_range(1..=30),
            then: any(random, &[Then::Hits, Then::ShipsSunk, Then::CellsLeft, Then::Draw]),
        }),
        seats,
        ..Choices::default()
    };
    choices.specials = (0..any(random, &[0, 0, 1, 3])).map(|nth| special(random, nth, &choices)).collect();
    choices
}

#[test]
fn they_play_by_300_rules_without_a_mistake() {
    let mut random = rules::random(38);
    let (mut played_by, mut solved) = (0, 0);
    while played_by < 300 {
        let Ok(rules) = Rules::new(choices(&mut random)) else { continue };
        if !rules.fits() {
            continue;
        }
        let seats = random.random_range(rules.seats());
        let first = random.random_range(0..4);
        let seated: Vec<BuiltIn> = BuiltIn::ALL.into_iter().cycle().skip(first).take(usize::from(seats)).collect();
        let outcome = played::<Battleship>(&rules, &seated, played_by);
        assert!(!matches!(outcome.ending, Ending::KilledOff { .. }), "{outcome:?} by {rules:?}");
        solved += u64::from(!matches!(outcome.ending, Ending::MoveLimit { .. }));
        played_by += 1;
    }
    assert!(solved > 200, "{solved} of 300 matches were played to the end of a fleet");
}

#[test]
fn the_passive_player_has_the_fleet_of_a_player_alone() {
    let rules = russian();
    let game = Battleship::start(&rules.alone(), 1, 7).unwrap();
    let alone = game.player(Seat::A).board.as_ref().unwrap().ships().iter().map(|ship| ship.cells.clone()).collect();
    let placing = Battleship::start(&rules, 2, 7).unwrap();
    let mut passive = BuiltIn::Passive.player::<Battleship>(7);
    let reply = passive.decide(&Ask::new(&placing, Seat::B, 0)).unwrap();
    assert_eq!(reply.answer, Ok(Order::Place(placed(&rules, &alone))));
}

#[test]
fn a_player_alone_sinks_all_in_fewer_shots_than_a_weaker_one() {
    let solo = rules(r#"{"turns": "solo", "limit": {"turns": 100}}"#);
    let shots = |who: BuiltIn| {
        let played = (0..30).map(|seed| played::<Battleship>(&solo, &[who], seed));
        let shots = played.map(|outcome| {
            assert_eq!(outcome.ending, Ending::Solved { seats: vec![Seat::A] });
            assert_eq!((outcome.winner, outcome.turns), (Some(Seat::A), outcome.points[Seat::A]));
            outcome.points[Seat::A]
        });
        f64::from(shots.sum::<u32>()) / 30.0
    };
    let [random, hunt, checkerboard, hunter] = BuiltIn::ALL.map(shots);
    let told = format!("{random} {hunt} {checkerboard} {hunter}");
    assert!(hunter < 45.0 && hunter + 5.0 < checkerboard && checkerboard <= hunt && hunt + 20.0 < random, "{told}");
}

#[test]
fn the_longest_answer_has_room_for_ships_in_all_cells() {
    let choices = r#"{"board": {"width": 100, "height": 100}, "fleet": [{"name": "ship", "size": 100, "count": 100}]}"#;
    let rules = rules(choices);
    let fleet = (0..100).map(|y| (0..100).map(|x| Point::new(x, y)).collect()).collect();
    let [answer] = &Battleship::write(&Order::Place(placed(&rules, &fleet)))[..] else { panic!("it has one part") };
    // Many languages write a space behind each comma and colon.
    let spaces = answer.bytes.iter().filter(|byte| matches!(byte, b',' | b':')).count();
    assert!(answer.bytes.len() + spaces <= Battleship::answer_policy(&rules).most_bytes);
}
