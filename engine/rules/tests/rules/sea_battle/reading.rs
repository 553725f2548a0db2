//! The answers that bots may give, and the messages about all others.

use super::example_fleet;
use proptest::collection::vec;
use proptest::prelude::*;
use rules::sea_battle::{MOVE, Order, PLACEMENT, SeaBattle};
use rules::{Answer, Fault, Listed, Part, Point};

fn read(name: &'static str, bytes: impl Into<Vec<u8>>) -> Answer<Order> {
    SeaBattle::read(&[Part { name, bytes: bytes.into() }])
}

/// The message about a wrong answer.
fn wrong(name: &'static str, bytes: impl Into<Vec<u8>>) -> String {
    match read(name, bytes) {
        Err(Fault::Unreadable { why }) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn fields_that_are_not_asked_for_do_no_harm() {
    let body = r#"{ "comment": {"x": "?"}, "type": "shot", "x": 4, "y": 7, "center": 9, "z": null }"#;
    assert_eq!(read(MOVE, body), Ok(Order::Shoot(Point::new(4, 7))));
    let body = "\u{feff}\r\n{\"y\":-7,\"x\":400,\"type\":\"shot\"}\r\n";
    assert_eq!(read(MOVE, body), Ok(Order::Shoot(Point::new(400, -7))), "the rules say that it is off the board");
}

#[test]
fn a_whole_number_may_be_written_in_any_way() {
    for four in ["4", "4.0", "4e0", "0.4E+1"] {
        let body = format!(r#"{{"type":"radar","center":{{"x":{four},"y":-0.0}}}}"#);
        assert_eq!(read(MOVE, body), Ok(Order::Radar(Point::new(4, 0))));
    }
}

#[test]
fn coordinates_that_are_no_whole_numbers_are_unreadable() {
    let shot = |x: &str| wrong(MOVE, format!(r#"{{"type":"shot","x":{x},"y":1}}"#));
    assert_eq!(shot("\"4\""), r#"move: x is "4", not a whole number; the answer: {"type":"shot","x":"4","y":1}"#);
    for (x, told) in [
        ("4.5", "x is 4.5, not a whole number"),
        ("null", "x is null, not a whole number"),
        ("true", "x is true, not a whole number"),
        ("[4]", "x is [4], not a whole number"),
        ("4000000000", "x is 4000000000, far off the board"),
        ("-1e300", "x is -1e+300, far off the board"),
    ] {
        assert!(shot(x).starts_with(&format!("move: {told}; the answer: ")), "{}", shot(x));
    }
    for x in ["NaN", "Infinity", "-", "04", "0x4", "+4", "1e999"] {
        assert!(shot(x).starts_with("move: not JSON: "), "{}", shot(x));
    }
}

#[test]
fn missing_fields_and_unknown_types_are_unreadable() {
    for (body, told) in [
        ("{}", "type is missing"),
        (r#"{"type":"shot","y":1}"#, "x is missing"),
        (r#"{"type":"shot","x":1}"#, "y is missing"),
        (r#"{"type":"shot","center":{"x":1,"y":1}}"#, "x is missing"),
        (r#"{"type":"radar","x":1,"y":1}"#, "center is missing"),
        (r#"{"type":"radar","center":{"x":1}}"#, "center.y is missing"),
        (r#"{"type":"radar","center":[1,1]}"#, "center is [1,1], not an object"),
        (r#"{"type":"Shot","x":1,"y":1}"#, r#"type is "Shot", neither "shot" nor "radar""#),
        (r#"{"type":1,"x":1,"y":1}"#, "type is 1, not a string"),
        (r#"[{"type":"shot","x":1,"y":1}]"#, r#"the answer is [{"type":"shot","x":1,"y":1}], not an object"#),
        ("null", "the answer is null, not an object"),
    ] {
        let why = wrong(MOVE, body);
        assert!(why.starts_with(&format!("move: {told}; the answer: ")), "{why}");
    }
}

#[test]
fn a_placement_tells_where_it_is_unreadable() {
    let fleet = String::from_utf8(SeaBattle::write(&Order::Place(example_fleet())).remove(0).bytes).unwrap();
    assert_eq!(read(PLACEMENT, fleet.clone()), Ok(Order::Place(example_fleet())));
    for (from, to, told) in [
        ("\"ships\"", "\"fleet\"", "ships is missing"),
        ("\"battleship\"", "\"Battleship\"", r#"ships[1].type is "Battleship", not a type of ship"#),
        ("\"type\":\"submarine\",", "", "ships[3].type is missing"),
        ("{\"x\":9,\"y\":2}", "{\"x\":9}", "ships[3].cells[1].y is missing"),
        ("{\"x\":9,\"y\":2}", "{\"x\":9,\"y\":2.5}", "ships[3].cells[1].y is 2.5, not a whole number"),
        ("{\"x\":9,\"y\":2}", "\"9,2\"", r#"ships[3].cells[1] is "9,2", not an object"#),
        ("[{\"x\":2,\"y\":1}]", "{\"x\":2,\"y\":1}", r#"ships[9].cells is {"x":2,"y":1}, not an array"#),
    ] {
        let why = wrong(PLACEMENT, fleet.replacen(from, to, 1));
        assert!(why.starts_with(&format!("placement: {told}; the answer: {{")), "{why}");
    }
    assert!(wrong(PLACEMENT, "{\"ships\":{}}").starts_with("placement: ships is {}, not an array"));
}

#[test]
fn an_answer_of_more_than_64_kib_is_unreadable() {
    let padded = |length| {
        let mut body = br#"{"type":"shot","x":4,"y":7}"#.to_vec();
        body.resize(length, b' ');
        body
    };
    assert!(read(MOVE, padded(65_536)).is_ok());
    assert!(wrong(MOVE, padded(65_537)).starts_with("move: 65537 bytes are more than 65536; the answer: {\"type\""));
}

#[test]
fn nothing_at_all_is_no_answer() {
    assert_eq!(SeaBattle::read(&[]), Err(Fault::NothingWritten));
    assert!(wrong(MOVE, "").ends_with("; the answer: empty"));
    let stranger = Part { name: "radar", bytes: b"{}".to_vec() };
    assert!(SeaBattle::read(&[stranger]).is_err());
}

#[test]
fn unreadable_answers_are_shown_short_and_printable() {
    let why = wrong(MOVE, b"\x1b[31m<h1>502\r\nBad\0 \xFF\xFE\xE2\x80\xAE \xC3\xA9</h1>".to_vec());
    let shown = "\u{fffd}[31m<h1>502 Bad\u{fffd} \u{fffd}\u{fffd}\u{fffd} é</h1>";
    assert!(why.ends_with(&format!("; the answer: {shown}")), "{why:?}");
    let why = wrong(MOVE, "x".repeat(1000));
    assert!(why.ends_with(&format!("; the answer: {}…", "x".repeat(200))), "{why}");
    let why = wrong(MOVE, format!(r#"{{"type":"{}"}}"#, "y".repeat(100)));
    assert!(why.starts_with(&format!("move: type is \"{}…, neither", "y".repeat(39))), "{why}");
}

proptest! {
    #![proptest_config(crate::properties::cases(400))]

    #[test]
    fn any_bytes_can_be_read(bytes in vec(any::<u8>(), 0..300)) {
        for name in [PLACEMENT, MOVE] {
            let _ = read(name, bytes.clone());
        }
    }

    #[test]
    fn almost_right_json_can_be_read(
        body in "\\{\"type\":\"(shot|radar|x)\",(\"x\":[-+]?[0-9]{1,12}(\\.[0-9]|e[0-9]{1,4})?,\"y\":[0-9]|\"center\":[\\[{\"x:1,y}\\]]{0,14})\\}",
    ) {
        if let Ok(order) = read(MOVE, body) {
            prop_assert_eq!(SeaBattle::read(&SeaBattle::write(&order)), Ok(order));
        }
    }

    #[test]
    fn what_is_written_is_read_back(seed in any::<u64>(), x in any::<i32>(), y in any::<i32>()) {
        let at = Point::new(x.max(-i32::MAX), y.max(-i32::MAX));
        let fleet = rules::sea_battle::random_fleet(&mut rules::random(seed));
        for order in [Order::Shoot(at), Order::Radar(at), Order::Place(fleet)] {
            prop_assert_eq!(SeaBattle::read(&SeaBattle::write(&order)), Ok(order));
        }
    }
}
