//! Tournaments in which bots play alone, and points are shots.

use crate::games::{entrant, game_line, header};
use rules::Ending;
use rules::{Scoring, Seat};
use tournament::{ColumnGroup, Fixture, Format, GameLine, HeadlinePart, PlayerLine, ScoreTable, Standings, columns};

/// A table of the bots a, b and c, with the shots of each on the board of each number.
fn table(plan: Format, shots: &[[u32; 3]]) -> ScoreTable {
    let mut table = ScoreTable::new(header(plan));
    ["a", "b", "c"].iter().for_each(|name| table.enter(entrant(name)));
    for (number, shots) in (0..).zip(shots) {
        for (first, second) in [(0, 1), (0, 2), (1, 2)] {
            let fixture = Fixture { first, second, number };
            let [one, other] = fixture.seated().map(|entrant| shots[entrant]);
            let winner = (one != other).then_some(if one < other { Seat::A } else { Seat::B });
            let line = game_line(fixture, winner);
            let outcome = rules::Outcome {
                points: [one, other].into_iter().collect(),
                scoring: Scoring::Shots,
                ..line.outcome.clone()
            };
            let players = [PlayerLine::default(), PlayerLine::default()].into_iter().collect();
            table.add(&GameLine { outcome, players, seed: number.to_string(), ..line });
        }
    }
    table
}

/// b wins most games, and a takes the fewest shots.
const SHOTS: [[u32; 3]; 4] = [[40, 39, 60], [41, 40, 61], [40, 39, 62], [20, 90, 61]];

#[test]
fn the_fewest_shots_are_first_whoever_wins_more_games() {
    let table = table(Format::RoundRobin, &SHOTS);
    let standings = Standings::new(&table, None);
    let names: Vec<&str> = standings.all().iter().map(|one| &one.entrant.name[..]).collect();
    assert_eq!((names, standings.order()), (vec!["a", "b", "c"], "By the mean shots for a board, the fewest first."));
    assert!(table.between(1, 0).wins > table.between(0, 1).wins);
    let [a, b, _] = standings.all() else { panic!("three bots") };
    let (shots, behind) = (a.shots.unwrap(), b.shots_behind.unwrap());
    assert_eq!((shots.boards, shots.mean, a.shots_behind), (4, 35.25, None), "two games on a board are one sample");
    assert_eq!((behind.boards, behind.mean, behind.is_settled()), (4, 16.75, false));
    assert_eq!(table.shots_between(0, 1).unwrap().mean, -16.75);
}

#[test]
fn formats_with_unequal_games_keep_their_order() {
    let table = table(Format::Swiss, &SHOTS);
    let standings = Standings::new(&table, None);
    assert_eq!((&standings.all()[0].entrant.name[..], standings.is_by_shots()), ("b", false));
    assert!(standings.all()[0].shots.is_some(), "shots are shown all the same");
}

#[test]
fn tables_have_shots_in_place_of_points_in_the_games() {
    let table = table(Format::RoundRobin, &SHOTS);
    let columns = columns(&Standings::new(&table, None));
    assert_eq!((&columns[0].heading[..], columns[0].part), ("shots", ColumnGroup::Results));
    assert_eq!(columns[0].cells, ["35.2 ± 10.0", "52.0 ± 24.8", "61.0 ± 0.8"]);
    assert_eq!(columns[1].cells, ["", "16.8 ± 34.8", "25.8 ± 10.0"]);
    assert!(columns.iter().all(|column| column.heading != "avg pts"));
}

#[test]
fn the_headline_is_about_shots() {
    let told = |shots: &[[u32; 3]]| {
        let table = table(Format::RoundRobin, shots);
        let headline = Standings::new(&table, None).headline();
        let parts = headline.parts.iter().map(|part| match part {
            HeadlinePart::Text(text) => text.clone(),
            HeadlinePart::Bot(number) => table.entrants()[*number].name.clone(),
        });
        parts.collect::<String>()
    };
    assert_eq!(
        told(&SHOTS),
        "35.2 ± 10.0 shots for a board in 8 games. b is second, 16.8 ± 34.8 shots behind on the same boards (95 %): the boards do \
         not settle which of the two is better."
    );
    assert_eq!(
        told(&[[40, 44, 60], [50, 55, 70]]),
        "45.0 ± 9.8 shots for a board in 4 games. b is second, 4.5 ± 1.0 shots behind on the same boards (95 %)."
    );
}

#[test]
fn shots_at_the_fleets_of_the_first_are_counted_with_boards_that_were_not_sunk() {
    let mut table = ScoreTable::new(header(Format::Solo));
    ["passive", "a", "b"].iter().for_each(|name| table.enter(entrant(name)));
    for (number, shots) in (0..).zip([[Some(40), Some(50)], [Some(44), Some(50)], [Some(42), None]]) {
        for (second, shots) in (1..).zip(shots) {
            let fixture = Fixture { first: 0, second, number };
            let line = game_line(fixture, shots.map(|_| fixture.seat_of_first().opponent()));
            let outcome = rules::Outcome { ending: Ending::RoundLimit { rounds: 93 }, ..line.outcome.clone() };
            let mut players = rules::BySeat::from_iter([PlayerLine::default(), PlayerLine::default()]);
            players[fixture.seat_of_first().opponent()] = PlayerLine { shots, specials: 2, ..PlayerLine::default() };
            table.add(&GameLine { outcome, players, seed: number.to_string(), ..line });
        }
    }
    let standings = Standings::new(&table, None);
    let [a, b] = standings.all() else { panic!("two bots play at the fleets of the first") };
    assert_eq!((a.number, b.number, a.rating.error, b.row.unsunk), (1, 2, None, 1));
    // The limit of a small map is 54 shots.
    let shots: Vec<_> = [a, b].iter().map(|one| one.shots.unwrap().mean).collect();
    assert_eq!(shots, [42.0, 154.0 / 3.0]);
    assert_eq!(standings.headline().label, "Winner");
    let columns = columns(&standings);
    let cells: Vec<_> = columns.iter().map(|column| (&column.heading[..], &column.cells[1][..])).collect();
    assert_eq!(cells[2..6], [("p50", "50"), ("p95", "54"), ("most", "54"), ("special", "2.0")]);
    assert_eq!(cells[6], ("not sunk", "1"));
    assert!(columns.iter().all(|column| !["Elo", "win", "%", "as A"].contains(&&column.heading[..])));
}
