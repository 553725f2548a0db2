//! Tests of the grader.

use super::*;
use rules::{BySeat, Ending, Outcome, RngExt, Seat};
use std::path::Path;
use tournament::PlayerLine;

/// A plan with two baselines, whose criteria are these.
fn plan(criteria: &str) -> Plan {
    let head = r#"
        title = "Test"
        game = "sea-battle"
        seed = 1
        games = { at-least = 4, at-most = 40 }
        baseline = [{ name = "weak", bot = "builtin:random" }, { name = "strong", bot = "builtin:hunter", hidden = true }]
    "#;
    Plan::from_toml(&format!("{head}\n{criteria}"), Path::new("plan.toml")).unwrap()
}

/// A game of student 2 with a baseline, in which the student has this result, these shots and lost turns.
fn game(second: usize, number: u32, won: Option<bool>, shots: Option<u32>, lost: u32) -> GameLine {
    let fixture = Fixture { first: 2, second, number };
    let seat = fixture.seat_of_first();
    let winner = won.map(|won| if won { seat } else { seat.opponent() });
    let faults = if lost > 0 { [("refused".to_owned(), lost)].into() } else { BTreeMap::new() };
    let own = PlayerLine { shots, faults, ..PlayerLine::default() };
    let players: BySeat<PlayerLine> =
        [Seat::A, Seat::B].into_iter().map(|at| if at == seat { own.clone() } else { PlayerLine::default() }).collect();
    GameLine {
        fixture,
        seed: String::new(),
        outcome: Outcome {
            winner,
            ranking: vec![Seat::A, Seat::B],
            points: [0, 0].into_iter().collect(),
            scoring: rules::Scoring::Points,
            ending: Ending::FleetSunk { seats: Vec::new() },
            turns: 9,
        },
        players,
        suspect: None,
        repeats: 0,
        record: None,
        machine: None,
        took_ms: 1,
        ended: String::new(),
    }
}

fn graded(criteria: &str, games: &[GameLine]) -> Grader {
    let mut grader = Grader::new(plan(criteria), 1);
    games.iter().for_each(|line| grader.add(line));
    grader
}

const SCORE: &str = r#"criterion = [{ name = "wins", points = 3, against = "weak", score = 0.6 }]"#;

#[test]
fn the_order_in_which_games_end_changes_nothing() {
    let mut random = rules::random(7);
    for strength in [0.0, 0.4, 0.6, 0.9, 1.0] {
        let games: Vec<GameLine> =
            (0..40).map(|number| game(0, number, Some(random.random_bool(strength)), None, 0)).collect();
        let mut turned = games.clone();
        turned.reverse();
        let (one, other) = (graded(SCORE, &games).mark(2, 0), graded(SCORE, &turned).mark(2, 0));
        assert_eq!(one, other, "{strength}");
        assert_ne!(one.judgement, Judgement::Open);
    }
}

#[test]
fn who_is_far_from_the_bound_needs_few_games() {
    let mut grader = graded(SCORE, &[]);
    let needed = |grader: &Grader, number| grader.is_needed(Fixture { first: 2, second: 0, number });
    let mut number = 0;
    while needed(&grader, number) {
        assert!(!grader.is_marked(2));
        grader.add(&game(0, number, Some(false), None, 0));
        number += 1;
    }
    assert!((8..20).contains(&number), "{number}");
    let mark = grader.mark(2, 0);
    assert_eq!((mark.judgement, mark.points), (Judgement::NotMet, 0.0));
    assert!(mark.reason.starts_with("0.0 ± "), "{}", mark.reason);
    // The other baseline has its games, too, though no criterion looks at them.
    assert!(!grader.is_marked(2) && grader.is_needed(Fixture { first: 2, second: 1, number: 3 }));
    assert!(!grader.is_needed(Fixture { first: 2, second: 1, number: 4 }));
    (0..4).for_each(|number| grader.add(&game(1, number, None, None, 0)));
    assert!(grader.is_marked(2));
    assert_eq!(grader.games(2), u64::from(number) + 4);
}

#[test]
fn who_is_near_the_bound_is_marked_by_the_mean() {
    let half = |second| (0..40).map(move |number| game(second, number, Some(number % 5 < 3), None, 0));
    let mark = graded(SCORE, &half(0).collect::<Vec<_>>()).mark(2, 0);
    assert_eq!((mark.judgement, mark.points), (Judgement::NearlyMet, 3.0));
    assert!(mark.reason.contains("60.0 ± 14") && mark.reason.ends_with("so the mean counts"), "{}", mark.reason);
    let even: Vec<GameLine> = (0..40).map(|number| game(0, number, Some(number % 2 == 0), None, 0)).collect();
    let mark = graded(SCORE, &even).mark(2, 0);
    assert_eq!((mark.judgement, mark.points), (Judgement::NearlyNotMet, 0.0));
    assert_eq!(mark.measured.unwrap().mean, 0.5);
}

#[test]
fn games_in_order_count_and_later_ones_wait() {
    let mut grader = graded(SCORE, &[]);
    (2..20).for_each(|number| grader.add(&game(0, number, Some(true), None, 0)));
    assert_eq!(grader.mark(2, 0).judgement, Judgement::Open);
    assert_eq!(grader.mark(2, 0).reason, "no games yet");
    (0..2).for_each(|number| grader.add(&game(0, number, Some(true), None, 0)));
    assert_eq!(grader.mark(2, 0).measured.unwrap().games, 16, "the test had its answer then");
}

#[test]
fn odd_numbers_of_games_are_made_even() {
    let mut odd = plan(SCORE);
    odd.games = GameCounts { at_least: 3, at_most: 5 };
    let mut grader = Grader::new(odd, 1);
    (0..6).for_each(|number| grader.add(&game(0, number, Some(number % 2 == 0), None, 0)));
    assert_eq!(grader.mark(2, 0).judgement, Judgement::NearlyNotMet);
    assert!(
        grader.is_needed(Fixture { first: 2, second: 1, number: 3 })
            && !grader.is_needed(Fixture { first: 2, second: 0, number: 6 })
    );
}

#[test]
fn lost_turns_are_those_of_the_games_that_all_play() {
    let criteria = r#"criterion = [
        { name = "none", points = 1, lost-turns = 0 },
        { name = "some", points = 1, lost-turns = 2, against = "weak" },
    ]"#;
    let games = |lost: u32| {
        let line = move |second| {
            (0..6).map(move |number| game(second, number, Some(true), None, u32::from(number == 1) * lost))
        };
        line(0).chain(line(1)).collect::<Vec<_>>()
    };
    let judgements = |games: &[GameLine]| [0, 1].map(|at| graded(criteria, games).mark(2, at).judgement);
    assert_eq!(judgements(&games(0)), [Judgement::Met; 2]);
    assert_eq!(judgements(&games(2)), [Judgement::NotMet, Judgement::Met]);
    assert_eq!(judgements(&games(3)), [Judgement::NotMet; 2]);
    assert_eq!(judgements(&games(0)[..6]), [Judgement::Open, Judgement::Met], "half of the games");
    assert_eq!(graded(criteria, &games(2)).mark(2, 0).reason, "4 lost turns in 8 games");
    assert_eq!(graded(criteria, &games(2)).faults(2), [("refused".to_owned(), 4)].into());
    let late: Vec<GameLine> = (0..6).map(|number| game(0, number, Some(true), None, u32::from(number == 5))).collect();
    assert_eq!(
        graded(criteria, &late).mark(2, 1).reason,
        "no lost turn in 4 games",
        "the sixth game is not one of all"
    );
}

#[test]
fn fewer_shots_are_better_and_what_is_not_sunk_has_the_most() {
    let criteria = r#"criterion = [{ name = "quick", points = 1, against = "weak", shots = 60 }]"#;
    let games =
        |shots: Option<u32>| (0..40).map(move |number| game(0, number, Some(true), shots, 0)).collect::<Vec<_>>();
    let mark = graded(criteria, &games(Some(20))).mark(2, 0);
    assert_eq!(mark.judgement, Judgement::Met);
    assert!(mark.reason.starts_with("20.0 ± 0.0 shots on average in "), "{}", mark.reason);
    assert_eq!(graded(criteria, &games(Some(60))).mark(2, 0).judgement, Judgement::NearlyMet);
    let none = graded(criteria, &games(None)).mark(2, 0);
    assert_eq!(none.judgement, Judgement::NotMet);
    assert!(none.measured.unwrap().mean > 200.0, "{none:?}");
}

#[test]
fn the_rest_of_the_confidence_is_shared() {
    let criteria = r#"criterion = [
        { name = "a", points = 1, against = "weak", score = 0.5 },
        { name = "b", points = 1, against = "weak", shots = 50 },
        { name = "c", points = 1, lost-turns = 0 },
    ]"#;
    let error = |students| Grader::new(plan(criteria), students).error();
    assert!((error(64) - 0.01 / 128.0).abs() < 1e-12, "lost turns are counted, not tested");
    assert_eq!(error(33), error(64), "a few more change nothing");
    assert_eq!(Grader::new(plan(&format!("{SCORE}\nstudents = 10")), 3).error(), (1.0 - 0.99) / 10.0);
}

#[test]
fn results_do_not_name_hidden_baselines() {
    let criteria = r#"criterion = [
        { name = "a", points = 1, against = "strong", score = 0.505 },
        { name = "b", points = 2, against = "weak", shots = 50 },
        { name = "c", points = 3, lost-turns = 1, hidden = true },
    ]"#;
    let heads = graded(criteria, &[]).heads();
    let told: Vec<_> = heads.iter().map(|head| (head.condition.as_str(), head.is_hidden)).collect();
    let expected = [
        ("at least 50.5 % of the points against a hidden baseline", true),
        ("at most 50 shots on average against weak", false),
        ("at most 1 lost turn against a hidden baseline", true),
    ];
    assert_eq!(told, expected);
}
