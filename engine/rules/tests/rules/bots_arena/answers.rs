//! The answers that bots may give.

use super::USUAL;
use rules::bots_arena::{Body, BotsArena, FIGHT, INIT, INIT_JSON, MOST_OF_BODY, Order, PLAY_TURN};
use rules::{Answer, Fault, Listed, Part, Point};

fn read(name: &'static str, bytes: impl Into<Vec<u8>>) -> Answer<Order> {
    crate::started::<BotsArena>().read(&[Part { name, bytes: bytes.into() }])
}

fn why(name: &'static str, bytes: impl Into<Vec<u8>>) -> String {
    match read(name, bytes) {
        Err(Fault::Unreadable { why, .. }) => why,
        other => panic!("{other:?}"),
    }
}

const FLEET: &str = r#"["3,3-3,7","2,1-2,4","0,1-0,3","7,3-7,1","8,8-7,8"]"#;

#[test]
fn white_space_around_an_answer_does_not_matter() {
    let strike = Ok(Order::Strike(Point::new(6, 9)));
    let place = Ok(Order::Place(USUAL.to_vec()));
    for around in ["", " ", "\n", "\r\n", "\t \n", "\u{feff}", "\n\u{feff}\n"] {
        let with = |text: &str| format!("{around}{text}{around}");
        assert_eq!(read(FIGHT, with("6,9")), strike);
        assert_eq!(read(PLAY_TURN, with(r#"{"play":"6,9"}"#)), strike);
        assert_eq!(read(PLAY_TURN, serde_json::json!({ "play": with("6,9") }).to_string()), strike);
        let ship = Ok(Order::Place(USUAL[..1].to_vec()));
        assert_eq!(read(INIT, serde_json::json!([with("3,3-3,7")]).to_string()), ship);
        assert_eq!(read(INIT_JSON, serde_json::json!({ "boats": [with("3,3-3,7")] }).to_string()), ship);
        assert_eq!(read(INIT, with(FLEET)), place);
        assert_eq!(read(INIT_JSON, with(&format!(r#"{{ "boats" : {FLEET} }}"#))), place);
    }
}

/// As PHP writes an array from which something was removed, and as the later arena wants it.
#[test]
fn a_fleet_may_be_an_object_whose_values_are_the_ships() {
    let ships: Vec<String> = serde_json::from_str(FLEET).unwrap();
    let object: serde_json::Map<_, _> =
        ships.iter().enumerate().map(|(at, ship)| (at.to_string(), ship.as_str().into())).collect();
    let boats = serde_json::json!({ "name": "me", "boats": object }).to_string();
    let object = serde_json::to_string(&object).unwrap();
    let place = Ok(Order::Place(USUAL.to_vec()));
    for (name, text) in
        [(INIT, &object), (INIT, &boats), (INIT_JSON, &boats), (INIT, &format!(r#"{{"boats":{FLEET}}}"#))]
    {
        assert_eq!(read(name, text.as_str()), place, "{name}: {text}");
    }
    assert!(why(INIT_JSON, object).starts_with(r#"not an object with "boats", an array of ships: "#));
}

#[test]
fn a_fleet_tells_to_which_requests_it_belongs() {
    let object = r#"{"1":"3,3-3,7"}"#;
    let boats = format!(r#"{{"name":"me","boats":{FLEET}}}"#);
    for (answer, of_form, of_json) in [
        (FLEET, true, false),
        (object, true, false),
        (boats.as_str(), false, true),
        (r#"{"boats":[]}"#, false, false),
        ("[]", false, false),
        ("{}", false, false),
        (r#"{"error":"what?"}"#, false, false),
        ("6,9", false, false),
        ("", false, false),
    ] {
        let found = Body::ALL.map(|body| body.is_fleet(answer.as_bytes()));
        assert_eq!(found, [of_form, of_json, of_form], "{answer}");
    }
}

/// The fault of a record of an earlier version stands.
#[test]
fn answers_that_version_0_1_0_could_not_read_are_known() {
    let new = |name: &'static str, text: &str| BotsArena::is_newly_read(&[Part { name, bytes: text.into() }]);
    let boats = format!(r#"{{"name":"me","boats":{FLEET}}}"#);
    for (name, text) in [
        (FIGHT, "\u{feff}6,9"),
        (PLAY_TURN, r#"{"play":"0,0\n"}"#),
        (INIT, r#"{"0":"3,3-3,7"}"#),
        (INIT, &boats),
        (INIT, r#"[" 3,3-3,7"]"#),
        (INIT_JSON, "\u{feff}{\"boats\":[]}"),
        (INIT_JSON, r#"{"boats":{"a":"3,3-3,7"}}"#),
    ] {
        assert!(new(name, text) && read(name, text).is_ok(), "{name}: {text}");
    }
    for (name, text) in
        [(FIGHT, " 6,9\n"), (PLAY_TURN, "{\"play\":\"6,9\"}\n"), (INIT, FLEET), (INIT_JSON, boats.as_str())]
    {
        assert!(!new(name, text), "{name}: {text}");
    }
}

#[test]
fn an_answer_that_is_written_is_read_as_the_same_order() {
    for (order, bytes) in [(Order::Strike(Point::new(6, 9)), "6,9"), (Order::Place(USUAL.to_vec()), FLEET)] {
        let parts = BotsArena::write(&order);
        assert_eq!(parts[0].bytes, bytes.as_bytes());
        assert_eq!(crate::started::<BotsArena>().read(&parts), Ok(order));
    }
}

#[test]
fn other_fields_in_json_do_not_matter() {
    assert_eq!(read(PLAY_TURN, r#"{"play":"0,10","mood":"good"}"#), Ok(Order::Strike(Point::new(0, 10))));
    assert_eq!(read(INIT_JSON, r#"{"name":7,"boats":[]}"#), Ok(Order::Place(Vec::new())));
}

#[test]
fn a_target_is_two_numbers_and_a_comma() {
    for text in [
        "6;9",
        "6 9",
        "6, 9",
        " 6 ,9",
        "6,9,1",
        "-6,9",
        "+6,9",
        "6.0,9",
        "6,",
        ",9",
        ",",
        "x,y",
        "\"6,9\"",
        "[6,9]",
        "6,9\n1,1",
        "6,\u{669}",
        "99999999999,1",
        "<p>6,9</p>",
    ] {
        assert!(why(FIGHT, text).starts_with("not a target like \"6,9\": \""), "{text}");
        let json = serde_json::json!({ "play": text }).to_string();
        assert!(why(PLAY_TURN, json).starts_with("not a target like \"6,9\": \""), "{text}");
    }
    assert_eq!(read(FIGHT, "06,009"), Ok(Order::Strike(Point::new(6, 9))));
}

#[test]
fn ships_are_texts_of_two_ends_in_an_array() {
    for text in ["3,3", "3,3-3", "3,3-3,7-3,8", "3,3 - 3,7", "3-3,3-7", "3,3--3,7", ""] {
        let json = serde_json::json!([text]).to_string();
        assert!(why(INIT, json).contains("is not a ship like \"3,3-3,7\": \"[\\\""), "{text}");
    }
    for text in
        ["3,3-3,7", "7", r#"{"boats":7}"#, "[1,2]", "[[3,3,3,7]]", r#"{"a":1}"#, r#"["3,3-3,7""#, r#"["3,3-3,7"] x"#]
    {
        assert!(why(INIT, text).starts_with("not a JSON array of ships: "), "{text}");
    }
}

#[test]
fn what_is_wrong_with_an_answer_is_told_with_its_beginning() {
    assert_eq!(why(FIGHT, "I resign\u{7}"), r#"not a target like "6,9": "I resign\u{7}""#);
    let error = why(PLAY_TURN, r#"{"name":"me"}"#);
    assert_eq!(
        error,
        r#"not an object with "play", a target: missing field `play` at line 1 column 13: "{\"name\":\"me\"}""#
    );
    assert!(why(INIT_JSON, FLEET).starts_with(r#"not an object with "boats", an array of ships: "#));
    assert!(why(FIGHT, b"6,9\xFF".to_vec()).starts_with("not UTF-8: "));
    let long = why(FIGHT, "é\n".repeat(10_000));
    assert!(long.chars().count() < 250 && long.ends_with('…'), "{long}");
}

#[test]
fn an_answer_has_64_kib_at_most() {
    let padded = |length: usize| format!("{}6,9", " ".repeat(length - 3));
    assert_eq!(read(FIGHT, padded(MOST_OF_BODY)), Ok(Order::Strike(Point::new(6, 9))));
    assert!(why(FIGHT, padded(MOST_OF_BODY + 1)).starts_with("longer than 64 KiB: "));
    assert!(why(INIT, "[".repeat(MOST_OF_BODY)).starts_with("not a JSON array of ships: "));
}

#[test]
fn an_answer_without_text_is_none() {
    for name in [INIT, FIGHT, INIT_JSON, PLAY_TURN] {
        for text in ["", " \r\n"] {
            assert_eq!(read(name, text), Err(Fault::NothingWritten));
        }
    }
    assert_eq!(crate::started::<BotsArena>().read(&[]), Err(Fault::NothingWritten));
}
