//! map.txt, for a player and beside the players' folders.

use super::{battle, beside, between, details, end, failed_start, shown, text};
use crate::table::{Table, fire, pass};
use rules::entelect_2017::MapSize;
use rules::entelect_2017::files::MAP_TXT;
use rules::{Game, Seat};

#[test]
fn in_battle_a_reads_its_own_map_and_what_it_hit() {
    assert_eq!(shown(&battle(), Seat::A, MAP_TXT), BATTLE_A);
}

const BATTLE_A: &str = "\
XXXXXXXXXXXXXXXXXXXXXXXXXXXXXX
Game Version : 1.0.0
Game Level : 1
Round Number : 17
Map Dimensions : 7 x 7
Phase : 2
XXXXXXXXXXXXXXXXXXXXXXXXXXXXXX

####### Player
~~~~~~~
~~~~~~~
~~~C~~~
~~bC~~~
S~BCR~~
SdbCr~~
sdBCR~~
####### Opponent
~~~~~~!
~~~~~~~
~~~@~~~
~~~~~~~
~~@~~~~
~~~~~~~
~~~~~~~
#######

---------------------------
Player Name: Alpha
Available Energy: 30
Shots: 4
Hit: 1
Points: 10
Arsenal: [SingleShot,SeekerMissile,DiagonalCrossShot,CornerShot,CrossShot]
Ships: [Submarine,Battle Ship,Carrier,Cruiser]
Status: Alive
Shield: (Status: Deactivated, Charges: 2), Center Point: No Shield
---------------------------
Opponent: Bravo
Points: 90
Ships: [Submarine,Destroyer,Battle Ship,Carrier,Cruiser]
Status: Alive
---------------------------
";

#[test]
fn in_battle_b_sees_where_its_shield_was_hit() {
    assert_eq!(shown(&battle(), Seat::B, MAP_TXT), BATTLE_B);
}

const BATTLE_B: &str = "\
XXXXXXXXXXXXXXXXXXXXXXXXXXXXXX
Game Version : 1.0.0
Game Level : 1
Round Number : 17
Map Dimensions : 7 x 7
Phase : 2
XXXXXXXXXXXXXXXXXXXXXXXXXXXXXX

####### Player
~~~~~~~
~~~~~~~
~~~@~~~
~~BC~~~
S~@CR~~
SDBCR~~
SDBCR~~
####### Opponent
~~~~~~~
~~~~~!~
~~~~~~~
~~*~!~~
~~~~~~~
~**~*~~
**~~~~~
#######

---------------------------
Player Name: Bravo
Available Energy: 10
Shots: 5
Hit: 6
Points: 90
Arsenal: [SingleShot,SeekerMissile,DoubleShot,DiagonalCrossShot,CornerShot,CrossShot]
Ships: [Submarine,Destroyer,Battle Ship,Carrier,Cruiser]
Status: Alive
Shield: (Status: Activated, Charges: 1), Center Point: X:2,Y:3
---------------------------
Opponent: Alpha
Points: 10
Ships: [Submarine,Battle Ship,Carrier,Cruiser]
Status: Alive
---------------------------
";

#[test]
fn a_fleet_placed_in_vain_is_not_on_the_map() {
    let map = shown(&failed_start(), Seat::A, MAP_TXT);
    assert!(map.contains("Round Number : 1\nMap Dimensions : 7 x 7\nPhase : 1\n"));
    let board = map.split(" Player\n").nth(1).unwrap().split("#######").next().unwrap();
    assert_eq!(board, "~~~~~~~\n".repeat(7));
    assert!(map.contains("\nShips: [Submarine,Destroyer,Battle Ship,Carrier,Cruiser]\nStatus: Alive\n"));
}

#[test]
fn a_hit_reappears_when_the_shield_over_it_goes() {
    let mut table = battle();
    table.wait(1);
    let row = |map: &str, nth: usize| map.lines().skip(17).nth(nth).unwrap().to_owned();
    let seen = shown(&table, Seat::A, MAP_TXT);
    assert_eq!((row(&seen, 2), row(&seen, 4)), ("~~~~~~~".to_owned(), "~~*~~~~".to_owned()));
    assert!(!seen.contains('@') && !shown(&table, Seat::B, MAP_TXT).contains('@'));
}

#[test]
fn the_dead_have_no_arsenal_and_no_ships() {
    let map = shown(&end(), Seat::A, MAP_TXT);
    assert!(map.contains("Arsenal: []\nShips: []\nStatus: Dead\nShield: "));
    let map = shown(&end(), Seat::B, MAP_TXT);
    assert!(map.ends_with(
        "\n---------------------------\nOpponent: Alpha\nPoints: 0\nShips: []\nStatus: Dead\n---------------------------\n"
    ));
}

#[test]
fn the_map_beside_the_folders_is_the_one_that_the_player_is_shown() {
    for table in [Table::new(MapSize::Medium), failed_start(), battle(), end()] {
        assert_eq!(beside(&table, "A - map.txt"), shown(&table, Seat::A, MAP_TXT));
        assert_eq!(beside(&table, "B - map.txt"), shown(&table, Seat::B, MAP_TXT));
    }
}

#[test]
fn fences_and_boards_are_as_wide_as_the_map() {
    for size in MapSize::ALL {
        let side = usize::from(size.side());
        let mut table = Table::set(size);
        table.round(fire(side as i32 - 1, 0), pass());
        let map = shown(&table, Seat::A, MAP_TXT);
        let lines: Vec<&str> = map.lines().collect();
        let fence = "#".repeat(side);
        assert_eq!(lines[4], format!("Map Dimensions : {side} x {side}"));
        assert_eq!(lines[8], format!("{fence} Player"));
        assert_eq!(lines[9 + side], format!("{fence} Opponent"));
        assert_eq!(lines[10 + 2 * side], fence);
        assert!(lines[9 + 2 * side].ends_with('!') && lines[9 + 2 * side].len() == side);
        assert_eq!(lines.len(), 28 + 2 * side);
    }
}

#[test]
fn names_are_written_as_they_are_but_on_one_line() {
    let map = |theirs: &str| {
        let files = between(details("x", "q\" b\\ é中🚢", "x", "Rust"), details("x", theirs, "x", "Rust"));
        text(&files.player_files(&Table::small().game.view(Seat::A)), MAP_TXT)
    };
    let plain = map("two lines");
    assert!(plain.contains("Player Name: q\" b\\ é中🚢\n") && plain.contains("Opponent: two lines\n"));
    // What ends a line for Python, Java, .NET or a terminal, and what moves a terminal's cursor.
    for c in
        ['\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}', '\u{1b}', '\0']
    {
        assert_eq!(map(&format!("two{c}lines")), plain.replace("two lines", "two\u{fffd}lines"), "{c:?}");
    }
    let attack = map("Inj\nPoints: 0\nShips: []\nStatus: Dead");
    assert_eq!(attack.lines().count(), plain.lines().count());
}
