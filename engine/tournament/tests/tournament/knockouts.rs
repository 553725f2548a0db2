//! Knockouts from which entrants are retired, and in which they are replaced: the plan and the drawing never differ.

use crate::games::{entrant, game_line, header};
use rand::RngExt;
use rules::Seat;
use std::collections::BTreeSet;
use tournament::{Entrant, Fixture, Format, KnockoutTree, NextGame, Plan, ScoreTable, Standings};

const GAMES: u32 = 4;

fn table(entrants: usize) -> ScoreTable {
    let mut header = header(Format::Knockout);
    header.games = Some(GAMES);
    let mut table = ScoreTable::new(header);
    ('a'..).take(entrants).for_each(|name| table.enter(entrant(&name.to_string())));
    table
}

/// Plays at most so many games, each between the two of a meeting that is drawn without a winner. Gives their fixtures.
fn play(table: &mut ScoreTable, most: usize, winner: &mut impl FnMut() -> Option<Seat>) -> Vec<Fixture> {
    let mut plan = Plan::new(Format::Knockout, table.entrants().len(), GAMES, None);
    let mut games = Vec::new();
    while games.len() < most {
        match plan.next(table.results()) {
            NextGame::Done => break,
            NextGame::Wait => panic!("nothing is running"),
            NextGame::Play(fixture) => {
                let tree = KnockoutTree::of(table).unwrap();
                let is_open = tree.rounds().iter().flatten().any(|meeting| {
                    let mut pair = meeting.entrants.map(|entrant| entrant.unwrap_or(usize::MAX));
                    pair.sort_unstable();
                    pair == [fixture.first, fixture.second] && meeting.winner.is_none()
                });
                assert!(is_open, "{fixture:?} in {tree:?}");
                table.add(&game_line(fixture, winner()));
                games.push(fixture);
            }
        }
    }
    games
}

#[test]
fn plan_and_drawing_agree_whoever_is_retired_or_replaced() {
    let mut random = rules::random(35);
    let mut replaced = 0;
    for round in 0..400 {
        let entrants = 3 + round % 7;
        let mut table = table(entrants);
        let mut winner = {
            let mut random = rules::random(round as u64);
            move || match random.random_range(0..5) {
                0 => None,
                1 | 2 => Some(Seat::A),
                _ => Some(Seat::B),
            }
        };
        let mut gone = BTreeSet::new();
        for _ in 0..3 {
            let cut = random.random_range(0..entrants * GAMES as usize);
            let games = play(&mut table, cut, &mut winner);
            assert!(games.iter().all(|game| !gone.contains(&game.first) && !gone.contains(&game.second)));
            let plan = Plan::new(Format::Knockout, table.entrants().len(), GAMES, None);
            let at = random.random_range(0..table.entrants().len());
            let old = table.entrants()[at].name.clone();
            if random.random_bool(0.5) {
                table.retire(&old);
            } else if plan.has_games_for(at, table.results()) {
                let name = format!("{old}+");
                table.enter(Entrant { replaces: Some(old), ..entrant(&name) });
                replaced += 1;
            } else {
                continue;
            }
            gone.insert(at);
        }
        let before = KnockoutTree::of(&table).unwrap();
        play(&mut table, usize::MAX, &mut winner);
        let tree = KnockoutTree::of(&table).unwrap();
        assert!(tree.rounds().iter().flatten().all(|meeting| meeting.winner.is_some()), "{tree:?}");
        let won = tree.last().winner.unwrap();
        assert!(before.last().winner.is_none_or(|before| before == won), "a cup is won once");
        // Those that are out stay out.
        for (before, after) in before.rounds().iter().flatten().zip(tree.rounds().iter().flatten()) {
            assert!(before.winner.is_none() || before.winner == after.winner, "{before:?} {after:?}");
        }
        if !gone.contains(&won) {
            assert_eq!(
                Standings::new(&table, None).all()[0].number,
                won,
                "{tree:?} {:?} {:?}",
                table.retirements(),
                table.pairings()
            );
        }
        let rounds: BTreeSet<_> = table.pairings().keys().copied().collect();
        let seeds = table.knockout_seeds().unwrap();
        assert!(
            rounds.iter().all(|&(first, second)| seeds.round(Fixture { first, second, number: 0 }).to_string() != "")
        );
    }
    assert!(replaced > 100, "{replaced}");
}

#[test]
fn who_has_lost_is_not_replaced_and_who_is_still_in_is() {
    let mut table = table(4);
    let add = |table: &mut ScoreTable, first, second, number, wins: bool| {
        let fixture = Fixture { first, second, number };
        let seat = if wins { fixture.seat_of_first() } else { fixture.seat_of_first().opponent() };
        table.add(&game_line(fixture, Some(seat)));
    };
    let still_in = |table: &ScoreTable| {
        let plan = Plan::new(Format::Knockout, table.entrants().len(), GAMES, None);
        (0..table.entrants().len()).filter(|at| plan.has_games_for(*at, table.results())).collect::<Vec<_>>()
    };
    (0..GAMES).for_each(|number| add(&mut table, 0, 3, number, true));
    add(&mut table, 1, 2, 0, true);
    assert_eq!(still_in(&table), [0, 1, 2]);
    // Its new version begins the meeting anew, and what it has won already stays won.
    table.enter(Entrant { replaces: Some("b".to_owned()), ..entrant("new b") });
    table.enter(Entrant { replaces: Some("a".to_owned()), ..entrant("new a") });
    assert_eq!(still_in(&table), [2, 4, 5]);
    let games = play(&mut table, usize::MAX, &mut || Some(Seat::A));
    assert_eq!(games[0], Fixture { first: 2, second: 4, number: 0 });
    assert!(games.iter().any(|game| (game.first, game.second) == (4, 5) || (game.first, game.second) == (2, 5)));
    assert!(still_in(&table).is_empty());
}
