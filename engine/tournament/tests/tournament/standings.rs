//! The order of the bots, and what is said of it.

use crate::games::{pair, table};
use tournament::{Format, GameResult, Standings};

fn names(standings: &Standings<'_>) -> String {
    standings.all().iter().map(|one| one.entrant.name.as_str()).collect()
}

const WON: [GameResult; 2] = [GameResult::Win; 2];
const LOST: [GameResult; 2] = [GameResult::Loss; 2];

#[test]
fn the_share_of_points_counts_and_not_how_many_games_were_played() {
    let games = [pair(0, 1, WON), pair(1, 2, [GameResult::Win, GameResult::Draw]), pair(1, 3, WON)].concat();
    let table = table(Format::RoundRobin, 4, &games);
    let standings = Standings::new(&table, None);
    assert_eq!(names(&standings), "abcd");
    assert!(standings.all()[0].superiority.unwrap() > 0.5 && standings.all()[3].superiority.is_none());
    assert_eq!(standings.all()[1].place, 2);
}

#[test]
fn in_a_knockout_they_stand_by_how_far_they_came() {
    // Of five, d and e meet first; c is out in the second round, in which a and b are still in.
    let games = [pair(3, 4, LOST), pair(0, 4, [GameResult::Win, GameResult::Draw]), pair(1, 2, WON)].concat();
    let begun = table(Format::Knockout, 5, &games);
    assert_eq!(names(&Standings::new(&begun, None)), "baecd");
    let games = [games, pair(0, 1, [GameResult::Draw, GameResult::Loss]).to_vec()].concat();
    let done = table(Format::Knockout, 5, &games);
    assert_eq!(names(&Standings::new(&done, None)), "baecd");
    let as_league = table(Format::Swiss, 5, &games);
    assert_eq!(names(&Standings::new(&as_league, None)), "beacd", "e has a larger share than a");
}

#[test]
fn nobody_has_played_or_nobody_is_there() {
    for bots in [0, 3] {
        let empty = table(Format::Knockout, bots, &[]);
        let standings = Standings::new(&empty, None);
        assert_eq!(standings.all().len(), usize::from(bots));
        assert_eq!(standings.notes(), ["No game is finished yet."]);
    }
}

#[test]
fn groups_that_never_met_are_told_of() {
    let apart = table(Format::RoundRobin, 5, &[pair(0, 1, WON), pair(2, 3, WON)].concat());
    assert!(Standings::new(&apart, None).notes()[0].starts_with("Not all bots are linked"));
    let linked = table(Format::RoundRobin, 5, &[pair(0, 1, WON), pair(1, 2, WON)].concat());
    assert_eq!(Standings::new(&linked, None).notes(), [""; 0]);
}
