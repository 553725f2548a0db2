//! The columns of standings.

use crate::games::{pair, table};
use tournament::{Format, GameResult, Standings, columns};

fn headings(results: [GameResult; 2]) -> Vec<String> {
    let table = table(Format::RoundRobin, 2, &pair(0, 1, results));
    columns(&Standings::new(&table, None)).into_iter().map(|column| column.heading).collect()
}

#[test]
fn what_nobody_has_is_left_out() {
    let without = ["Elo", "±", "LOS", "games", "points", "%", "win", "loss", "as A", "as B", "avg pts", "rounds"];
    assert_eq!(headings([GameResult::Win; 2]), without);
    assert_eq!(headings([GameResult::Draw; 2])[7], "draw");
}

#[test]
fn of_equal_bots_no_rating_is_below_zero() {
    let table = table(Format::RoundRobin, 2, &pair(0, 1, [GameResult::Win, GameResult::Loss]));
    assert_eq!(columns(&Standings::new(&table, None))[0].cells, ["+0", "+0"]);
}

#[test]
fn who_has_not_played_has_no_rating_and_no_share() {
    let table = table(Format::RoundRobin, 3, &pair(0, 1, [GameResult::Win; 2]));
    let columns = columns(&Standings::new(&table, None));
    let last: Vec<&str> = columns.iter().map(|column| column.cells[2].as_str()).collect();
    assert_eq!(last, ["", "", "", "0", "0.0", "", "0", "0", "", "", "", ""]);
}
