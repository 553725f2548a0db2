//! The drawings of docs/protocols/entelect-2017.md.
#![allow(clippy::unwrap_used, reason = "tests")]

use super::weapons::struck;
use crate::table::{Table, place};
use rules::Point;
use rules::entelect_2017::{MapSize, Ship, Weapon};

const PAGE: &str = include_str!("../../../../../docs/protocols/entelect-2017.md");

/// The rows of a drawing between these words, the highest first.
fn rows(begin: &str, end: &str) -> Vec<&'static str> {
    let (_, drawing) = PAGE.split_once(begin).unwrap();
    drawing.split_once(end).unwrap().0.lines().collect()
}

#[test]
fn the_drawings_on_the_page_are_what_the_rules_do() {
    let rows_of_board = rows("```text\n y\n", "    0 1 2 3 4 5 6  x\n");
    let in_column = |x: i32| move |row: &&str| row.as_bytes()[4 + 2 * x as usize] == b'#';
    let count = |x| rows_of_board.iter().filter(|row| in_column(x)(row)).count();
    assert_eq!([0, 1, 2, 3, 4, 5, 6].map(count), [0, 0, 4, 0, 0, 0, 0]);
    assert!(rows_of_board[3..].iter().all(|row| in_column(2)(row)));
    for battleship in ["2 0 north", "2 3 south"] {
        assert!(PAGE.contains(&format!("Battleship {battleship}")));
        let fleet = "Submarine 0 0 north\nDestroyer 1 0 north\nCarrier 3 0 north\nCruiser 4 0 north\nBattleship";
        let mut table = Table::new(MapSize::Small);
        let fleet = format!("{fleet} {battleship}");
        table.round(place(&fleet), place(&fleet));
        assert!((0..4).all(|y| table.a().board.ship_at(Point::new(2, y)) == Some(Ship::Battleship)));
    }

    let rows = rows("   2         3         4         5         6\n", "```");
    let weapons = [
        Weapon::DoubleShotVertical,
        Weapon::DoubleShotHorizontal,
        Weapon::CornerShot,
        Weapon::DiagonalCrossShot,
        Weapon::CrossShot,
    ];
    for (at, weapon) in weapons.into_iter().enumerate() {
        let signs = rows.iter().zip([8, 7, 6]).flat_map(|(row, y)| (0..3).map(move |x| (row, x, y)));
        let sign = |row: &str, x: usize| row.as_bytes()[1 + 10 * at + 2 * x];
        let drawn = signs.filter(|(row, x, _)| matches!(sign(row, *x), b'x' | b'X'));
        let mut drawn: Vec<(i32, i32)> = drawn.map(|(_, x, y)| (6 + x as i32, y)).collect();
        drawn.sort_unstable();
        assert_eq!(drawn, struck(weapon), "{weapon:?}");
    }
}
