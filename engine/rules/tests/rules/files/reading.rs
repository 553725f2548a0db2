//! place.txt and command.txt as a whole answer.

use crate::table::USUAL;
use rules::entelect_2017::files::{COMMAND_TXT, PLACE_TXT};
use rules::entelect_2017::{Entelect2017, Order, Ship, Weapon};
use rules::{Answer, Direction, Fault, Listed, Part, Point};

fn read(parts: &[(&'static str, &[u8])]) -> Answer<Order> {
    let parts: Vec<Part> = parts.iter().map(|&(name, bytes)| Part { name, bytes: bytes.to_vec() }).collect();
    crate::started::<Entelect2017>().read(&parts)
}

fn fired(weapon: Weapon, x: i32, y: i32) -> Answer<Order> {
    Ok(Order::Fire { weapon, centre: Point::new(x, y) })
}

/// The file to blame, in the words of the fault.
fn blamed(answer: Answer<Order>) -> String {
    match answer {
        Err(Fault::Unreadable { why, .. }) => why.split(':').next().unwrap().to_owned(),
        other => panic!("unreadable expected, not {other:?}"),
    }
}

#[test]
fn no_file_is_nothing_written() {
    assert_eq!(read(&[]), Err(Fault::NothingWritten));
    assert_eq!(Entelect2017::ANSWER_PARTS, ["place.txt", "command.txt"]);
}

#[test]
fn a_place_txt_places_the_ships_in_its_order() {
    let Ok(Order::Place(placement)) = read(&[(
        PLACE_TXT,
        b"Carrier 0 3 east\nbattleship 6 0 NORTH\nCruiser 3 5 West\nDESTROYER 1 1 south\nSubmarine -4 +2 east\n",
    )]) else {
        panic!("readable");
    };
    let ships: Vec<_> = placement.ships.iter().map(|ship| (ship.ship, ship.start, ship.direction)).collect();
    assert_eq!(
        ships,
        [
            (Ship::Carrier, Point::new(0, 3), Direction::East),
            (Ship::Battleship, Point::new(6, 0), Direction::North),
            (Ship::Cruiser, Point::new(3, 5), Direction::West),
            (Ship::Destroyer, Point::new(1, 1), Direction::South),
            (Ship::Submarine, Point::new(-4, 2), Direction::East),
        ]
    );
    assert_eq!(placement.lines[1], "battleship 6 0 NORTH");
}

/// Shield Placement 1 and the command codes 1 to 7.
#[test]
fn every_code_is_its_command() {
    for (code, weapon) in [
        (1, Weapon::SingleShot),
        (2, Weapon::DoubleShotVertical),
        (3, Weapon::DoubleShotHorizontal),
        (4, Weapon::CornerShot),
        (5, Weapon::DiagonalCrossShot),
        (6, Weapon::CrossShot),
        (7, Weapon::SeekerMissile),
    ] {
        assert_eq!(read(&[(COMMAND_TXT, format!("{code},3,4").as_bytes())]), fired(weapon, 3, 4));
    }
    assert_eq!(read(&[(COMMAND_TXT, b"8,3,4")]), Ok(Order::Shield { centre: Point::new(3, 4) }));
}

#[test]
fn any_other_code_is_do_nothing() {
    for code in ["0", "9", "-1", "2147483647", "-2147483648"] {
        assert_eq!(read(&[(COMMAND_TXT, format!("{code},3,4").as_bytes())]), Ok(Order::DoNothing));
    }
}

#[test]
fn line_ends_after_a_command_do_not_matter() {
    for end in ["", "\n", "\n\n", "\r\n", " ", "\0\0"] {
        assert_eq!(read(&[(COMMAND_TXT, format!("1,3,4{end}").as_bytes())]), fired(Weapon::SingleShot, 3, 4));
    }
}

#[test]
fn of_two_readable_files_place_txt_counts() {
    for parts in [
        [(PLACE_TXT, USUAL.as_bytes()), (COMMAND_TXT, b"1,0,0".as_slice())],
        [(COMMAND_TXT, b"1,0,0".as_slice()), (PLACE_TXT, USUAL.as_bytes())],
    ] {
        assert!(matches!(read(&parts), Ok(Order::Place(_))));
    }
}

#[test]
fn an_unreadable_command_txt_spoils_a_good_place_txt() {
    assert_eq!(blamed(read(&[(PLACE_TXT, USUAL.as_bytes()), (COMMAND_TXT, b"1,0")])), "command.txt");
    assert_eq!(blamed(read(&[(PLACE_TXT, USUAL.as_bytes()), (COMMAND_TXT, b"")])), "command.txt");
}

#[test]
fn an_unreadable_place_txt_spoils_a_good_command_txt() {
    assert_eq!(blamed(read(&[(PLACE_TXT, b""), (COMMAND_TXT, b"1,0,0")])), "place.txt");
    assert_eq!(blamed(read(&[(PLACE_TXT, b"Carrier 0 0 north\n"), (COMMAND_TXT, b"nonsense")])), "place.txt");
}

#[test]
fn a_placement_that_breaks_the_rules_is_readable_all_the_same() {
    let twice = USUAL.replace("Destroyer", "Carrier").replace('0', "-2147483648");
    assert!(matches!(read(&[(PLACE_TXT, twice.as_bytes())]), Ok(Order::Place(_))));
}

#[test]
fn files_may_be_in_another_unicode_encoding_with_its_mark() {
    let utf_16: Vec<u8> = "\u{feff}1,3,4\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let utf_16_big: Vec<u8> = "\u{feff}1,3,4\r\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let utf_32: Vec<u8> = "\u{feff}1,3,4\r\n".chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    for bytes in ["\u{feff}1,3,4\r\n".as_bytes(), &utf_16, &utf_16_big, &utf_32] {
        assert_eq!(read(&[(COMMAND_TXT, bytes)]), fired(Weapon::SingleShot, 3, 4));
    }
    let place: Vec<u8> = format!("\u{feff}{USUAL}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(matches!(read(&[(PLACE_TXT, &place)]), Ok(Order::Place(_))));
}

#[test]
fn bytes_that_are_no_text_are_unreadable() {
    assert_eq!(blamed(read(&[(COMMAND_TXT, b"1,\xff,3")])), "command.txt");
    assert_eq!(blamed(read(&[(PLACE_TXT, &[0xff; 64])])), "place.txt");
}

#[test]
fn foreign_bytes_after_the_fourth_word_are_kept_as_replacement_characters() {
    let written = [USUAL.as_bytes(), b" \xff"].concat();
    let Ok(Order::Place(placement)) = read(&[(PLACE_TXT, &written)]) else { panic!("readable") };
    assert_eq!(placement.lines[4], "Cruiser 4 0 north \u{fffd}");
}
