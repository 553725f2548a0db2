//! The rounds of a Swiss tournament, made of its games alone.

use crate::games::table;
use tournament::{Fixture, Format, GameResult, NextGame, Plan, Results, Standings, SwissTable};

/// The first games of a Swiss tournament in which the bot of the lower letter wins.
fn games(bots: usize, games: u32, most: usize) -> Vec<(Fixture, GameResult)> {
    let mut plan = Plan::new(Format::Swiss, bots, games, None);
    let (mut played, mut results) = (Vec::new(), Results::default());
    while let NextGame::Play(game) = plan.next(&results) {
        results.add(game, GameResult::Win, [0, 0]);
        played.push((game, GameResult::Win));
    }
    played.truncate(most);
    played
}

fn rounds(bots: u8, of_a_meeting: u32, most: usize) -> SwissTable {
    SwissTable::of(&table(Format::Swiss, bots, &games(usize::from(bots), of_a_meeting, most))).unwrap()
}

#[test]
fn every_game_is_in_its_round_whatever_the_number_of_games() {
    for of_a_meeting in [2, 4, 10] {
        let all = rounds(8, of_a_meeting, usize::MAX);
        assert!(all.is_complete() && all.rounds().len() == 5 && all.planned() == 5, "{all:?}");
        let met: Vec<[usize; 2]> = all.rounds()[1].meetings.iter().map(|meeting| meeting.entrants).collect();
        assert_eq!(met, [[0, 2], [4, 6], [1, 3], [5, 7]], "winners with winners, losers with losers");
        let games = all.rounds()[1].meetings[0].games;
        assert_eq!((games.wins, games.games()), (of_a_meeting.into(), of_a_meeting.into()));
    }
}

#[test]
fn a_round_that_has_begun_is_shown_and_the_next_one_is_not() {
    let four = rounds(8, 4, 4 * 4 + 3);
    assert_eq!((four.rounds().len(), four.is_complete()), (2, false));
    assert!(four.rounds()[0].meetings.iter().all(|meeting| meeting.is_over()));
    assert!(!four.rounds()[1].meetings[0].is_over());
    assert_eq!(rounds(8, 4, 16).rounds().len(), 1);
}

#[test]
fn of_an_odd_number_one_rests_and_the_tournament_is_over_all_the_same() {
    let played = table(Format::Swiss, 7, &games(7, 2, usize::MAX));
    let all = SwissTable::of(&played).unwrap();
    let resting: Vec<usize> = all.rounds().iter().filter_map(|round| round.resting).collect();
    assert_eq!((resting.len(), resting[0]), (all.rounds().len(), 6));
    assert_eq!(Standings::new(&played, None).headline().label, "Winner");
}

#[test]
fn games_of_no_plan_have_no_rounds() {
    let strange = games(8, 2, 8).into_iter().chain([(Fixture { first: 0, second: 7, number: 0 }, GameResult::Draw)]);
    assert_eq!(SwissTable::of(&table(Format::Swiss, 8, &strange.collect::<Vec<_>>())), None);
    assert_eq!(SwissTable::of(&table(Format::Swiss, 8, &[])), None);
    assert_eq!(SwissTable::of(&table(Format::RoundRobin, 8, &games(8, 2, 8))), None);
}
