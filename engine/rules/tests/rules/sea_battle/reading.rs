//! The answers that bots may give, and the messages about all others.

use super::example_fleet;
use proptest::collection::vec;
use proptest::prelude::*;
use rules::sea_battle::{MOVE, Order, PLACEMENT, SeaBattle};
use rules::{Answer, Fault, Listed, Part, Point};

fn read(name: &'static str, bytes: impl Into<Vec<u8>>) -> Answer<Order> {
    crate::started::<SeaBattle>().read(&[Part { name, bytes: bytes.into() }])
}

/// The message about a wrong answer. Its first part has no text of the answer.
fn wrong(name: &'static str, bytes: impl Into<Vec<u8>>) -> String {
    match read(name, bytes) {
        Err(Fault::Unreadable { why, excerpt }) => format!("{why}: {excerpt}"),
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
    assert_eq!(shot("\"4\""), r#"move: x is not a whole number: "4" in {"type":"shot","x":"4","y":1}"#);
    for (x, told) in [
        ("4.5", "x is not a whole number: 4.5 in "),
        ("null", "x is not a whole number: null in "),
        ("true", "x is not a whole number: true in "),
        ("[4]", "x is not a whole number: [4] in "),
        ("4000000000", "x is far off the board: 4000000000 in "),
        ("-1e300", "x is far off the board: -1e+300 in "),
    ] {
        assert!(shot(x).starts_with(&format!("move: {told}")), "{}", shot(x));
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
        (r#"{"type":"radar","center":[1,1]}"#, "center is not an object: [1,1] in "),
        (r#"{"type":"Shot","x":1,"y":1}"#, r#"type is neither "shot" nor "radar": "Shot" in "#),
        (r#"{"type":1,"x":1,"y":1}"#, "type is not a string: 1 in "),
        (r#"[{"type":"shot","x":1,"y":1}]"#, r#"the answer is not an object: [{"type":"shot","x":1,"y":1}] in "#),
        ("null", "the answer is not an object: null in null"),
    ] {
        let why = wrong(MOVE, body);
        assert!(why.starts_with(&format!("move: {told}")), "{why}");
    }
}

#[test]
fn a_placement_tells_where_it_is_unreadable() {
    let fleet = String::from_utf8(SeaBattle::write(&Order::Place(example_fleet())).remove(0).bytes).unwrap();
    assert_eq!(read(PLACEMENT, fleet.clone()), Ok(Order::Place(example_fleet())));
    for (from, to, told) in [
        ("\"ships\"", "\"fleet\"", "ships is missing"),
        ("\"battleship\"", "\"Battleship\"", r#"ships[1].type is not a type of ship: "Battleship" in "#),
        ("\"type\":\"submarine\",", "", "ships[3].type is missing"),
        ("{\"x\":9,\"y\":2}", "{\"x\":9}", "ships[3].cells[1].y is missing"),
        ("{\"x\":9,\"y\":2}", "{\"x\":9,\"y\":2.5}", "ships[3].cells[1].y is not a whole number: 2.5 in "),
        ("{\"x\":9,\"y\":2}", "\"9,2\"", r#"ships[3].cells[1] is not an object: "9,2" in "#),
        ("[{\"x\":2,\"y\":1}]", "{\"x\":2,\"y\":1}", r#"ships[9].cells is not an array: {"x":2,"y":1} in "#),
    ] {
        let why = wrong(PLACEMENT, fleet.replacen(from, to, 1));
        assert!(why.starts_with(&format!("placement: {told}")), "{why}");
    }
    assert!(wrong(PLACEMENT, "{\"ships\":{}}").starts_with("placement: ships is not an array: {} in "));
}

#[test]
fn an_answer_of_more_than_64_kib_is_unreadable() {
    let padded = |length| {
        let mut body = br#"{"type":"shot","x":4,"y":7}"#.to_vec();
        body.resize(length, b' ');
        body
    };
    assert!(read(MOVE, padded(65_536)).is_ok());
    assert!(wrong(MOVE, padded(65_537)).starts_with("move: 65537 bytes are more than 65536: {\"type\""));
}

#[test]
fn nothing_at_all_is_no_answer() {
    assert_eq!(crate::started::<SeaBattle>().read(&[]), Err(Fault::NothingWritten));
    assert!(wrong(MOVE, "").ends_with(": empty"));
    let stranger = Part { name: "radar", bytes: b"{}".to_vec() };
    assert!(crate::started::<SeaBattle>().read(&[stranger]).is_err());
}

#[test]
fn unreadable_answers_are_shown_short_and_printable() {
    let why = wrong(MOVE, b"\x1b[31m<h1>502\r\nBad\0 \xFF\xFE\xE2\x80\xAE \xC3\xA9</h1>".to_vec());
    let shown = "\u{fffd}[31m<h1>502 Bad\u{fffd} \u{fffd}\u{fffd}\u{fffd} é</h1>";
    assert!(why.ends_with(&format!(": {shown}")), "{why:?}");
    let why = wrong(MOVE, "x".repeat(1000));
    assert!(why.ends_with(&format!(": {}…", "x".repeat(200))), "{why}");
    let why = wrong(MOVE, format!(r#"{{"type":"{}"}}"#, "y".repeat(100)));
    assert!(
        why.starts_with(&format!("move: type is neither \"shot\" nor \"radar\": \"{}… in", "y".repeat(39))),
        "{why}"
    );
}

/// A server that calls strangers tells a reason without its excerpt: what answered may be no bot.
#[test]
fn no_reason_has_a_part_of_the_answer() {
    let bodies = [
        "SECRET",
        "\"SECRET\"",
        "[\"SECRET\"]",
        "{\"type\":{\"SECRET\":1}}",
        "{\"type\":\"SECRET\"}",
        "{\"type\":\"shot\",\"x\":\"SECRET\",\"y\":1}",
        "{\"ships\":[{\"kind\":\"SECRET\",\"position\":\"SECRET\"}]}",
        "{\"ships\":\"SECRET\"}",
    ];
    for (body, name) in bodies.iter().flat_map(|body| [PLACEMENT, MOVE].map(|name| (*body, name))) {
        let Err(Fault::Unreadable { why, excerpt }) = read(name, body) else { panic!("{body}") };
        assert!(why.starts_with(name) && !why.contains("SECRET") && excerpt.contains("SECRET"), "{body}: {why}");
    }
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
            prop_assert_eq!(crate::started::<SeaBattle>().read(&SeaBattle::write(&order)), Ok(order));
        }
    }

    #[test]
    fn what_is_written_is_read_back(seed in any::<u64>(), x in any::<i32>(), y in any::<i32>()) {
        let at = Point::new(x.max(-i32::MAX), y.max(-i32::MAX));
        let fleet = rules::sea_battle::random_fleet(&mut rules::random(seed));
        for order in [Order::Shoot(at), Order::Radar(at), Order::Place(fleet)] {
            prop_assert_eq!(crate::started::<SeaBattle>().read(&SeaBattle::write(&order)), Ok(order));
        }
    }
}
