//! Messages as the text and the original write them.

use super::{c, usual_fleet};
use proptest::collection::vec;
use proptest::prelude::*;
use rules::salvo::body::{self, GameState, PlayerError, Request, Signed, read_player_error};
use rules::salvo::{FIRE, Order, Orientation, Placement, Salvo, ShipKind, TARGET, random_fleet};
use rules::{Answer, Fault, Listed, Part, Point, Seat};

fn placed(text: &str) -> Placement {
    body::read_placement(ShipKind::Carrier, text.as_bytes()).unwrap()
}

fn wrong(text: &str) -> String {
    body::read_placement(ShipKind::Carrier, text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn ships_are_placed_in_the_words_of_the_text() {
    let ship = Placement { ship: ShipKind::Carrier, at: Point::new(3, 4), orientation: Orientation::Horizontal };
    assert_eq!(placed(r#"{"coordinates": "3;4", "Orientation": "HORIZONTAL"}"#), ship);
    assert_eq!(body::placement(ship), r#"{"coordinates":"3;4","Orientation":"HORIZONTAL"}"#);
    let vertical = Placement { orientation: Orientation::Vertical, ..ship };
    assert_eq!(placed(r#"{"coordinates": " 3; 4 ", "Orientation": "VERTICAL"}"#), vertical);
}

#[test]
fn ships_are_placed_in_the_form_of_the_original_too() {
    let ship = Placement { ship: ShipKind::Carrier, at: Point::new(9, 5), orientation: Orientation::Vertical };
    assert_eq!(placed(r#"{"coordinates":{"x":9,"y":5},"orientation":"Vertical"}"#), ship);
    assert_eq!(placed(r#"{"COORDINATES":{"x":"9","y":"5"},"ORIENTATION":"vertical","colour":"red"}"#), ship);
}

#[test]
fn a_message_is_read_behind_a_byte_order_mark() {
    let text = r#"{"coordinates": "3;4", "Orientation": "HORIZONTAL"}"#;
    assert_eq!(placed(&format!("\u{feff}{text}\r\n")), placed(text));
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let error = body::read_placement(ShipKind::Carrier, &wide).unwrap_err();
    assert_eq!(error.to_string(), "not JSON: it is saved as UTF-16; save it as UTF-8");
    let signed = Signed { body: serde_json::json!({"x": 1}), signature: String::new() };
    assert!(signed.is_copied_in("\u{feff}{\"x\":1}"));
}

#[test]
fn a_place_that_cannot_be_read_is_told_why() {
    for (text, why) in [
        ("", "not JSON: EOF"),
        ("[]", "the message is [], not an object"),
        ("{}", "coordinates is missing"),
        (r#"{"coordinates":"3,4","Orientation":"HORIZONTAL"}"#, r#"coordinates is "3,4", not x;y"#),
        (r#"{"coordinates":"3;4;5","Orientation":"HORIZONTAL"}"#, r#"coordinates is "3;4;5", not x;y"#),
        (r#"{"coordinates":"C;4","Orientation":"HORIZONTAL"}"#, r#"coordinates is "C;4", not x;y"#),
        (r#"{"coordinates":{"x":3},"Orientation":"HORIZONTAL"}"#, "y is missing"),
        (r#"{"coordinates":{"x":3,"y":4.5},"Orientation":"HORIZONTAL"}"#, "y is 4.5, not a whole number"),
        (r#"{"coordinates":"3;4"}"#, "orientation is missing"),
        (r#"{"coordinates":"3;4","Orientation":"DIAGONAL"}"#, "orientation is \"DIAGONAL\", neither HORIZONTAL nor"),
    ] {
        assert!(wrong(text).starts_with(why), "{text}: {}", wrong(text));
    }
    let long = format!(r#"{{"coordinates":"{}"}}"#, "x".repeat(70_000));
    assert!(wrong(&long).contains("are more than 65536"));
    assert!(wrong(&format!(r#"{{"coordinates":"{}\u001b","Orientation":1}}"#, "x".repeat(100))).chars().count() < 80);
}

#[test]
fn a_request_is_read_as_in_the_text_and_its_secret_is_not_shown() {
    let request = body::read_request(br#"{"name": "Henkiebunch", "secret": "cockadoodledoo"}"#).unwrap();
    assert_eq!((request.name.as_str(), request.secret.as_str()), ("Henkiebunch", "cockadoodledoo"));
    assert!(!format!("{request:?}").contains("cocka"));
    assert_eq!(body::request(&request), r#"{"name":"Henkiebunch","secret":"cockadoodledoo"}"#);
    // The text's pattern, which is no JSON.
    assert!(body::read_request(br#"{"name": "<teamname>", "secret", "<some_secret>"}"#).is_err());
    assert_eq!(body::read_request(br#"{"name": 7, "secret": ""}"#).unwrap_err().to_string(), "name is 7, not a string");
}

#[test]
fn signed_messages_have_the_names_of_the_text_or_of_the_original() {
    let signature =
        "LRsNengquZ27OARrdN6ZuDjMIlitEopytYBYNeEcYscvNw3rld+fnr+iC0os/n8AhzhUoGYdNkkKAxqLPfzTRw+wI5wO6+U7m+t6fA==";
    let text = format!(r#"{{"payload": {{"a": "b", "c": "d"}}, "signature": "{signature}"}}"#);
    let signed = body::read_signed(text.as_bytes()).unwrap();
    assert_eq!(signed.signature, signature);
    // What the text's signature holds: it has spaces.
    assert!(signed.is_copied_in(r#"{"a": "b", "c": "d"}"#) && signed.is_copied_in(r#"{"c":"d","a":"b"}"#));
    assert!(!signed.is_copied_in(r#"{"a": "b", "c": "e"}"#) && !signed.is_copied_in("nonsense"));
    for text in [r#"{"data": {"x": 3, "y": 4}, "signature": "s"}"#, r#"{"data":{"x":"3","y":"4"},"sign":"s"}"#] {
        let signed = body::read_signed(text.as_bytes()).unwrap();
        assert_eq!((body::shot_in(&signed), signed.signature.as_str()), (Ok(Point::new(3, 4)), "s"));
    }
    assert!(body::read_signed(br#"{"data":{}}"#).unwrap_err().to_string().contains("signature is missing"));
    let written = Signed { body: serde_json::json!({"x": 3, "y": 4}), signature: "s".to_owned() };
    assert_eq!(body::signed(&written), r#"{"data":{"x":3,"y":4},"signature":"s"}"#);
}

#[test]
fn shots_have_numbers_or_numbers_as_texts() {
    let read = |text: &str| body::read_shot(text.as_bytes());
    for text in [r#"{"x":3,"y":4}"#, r#"{ "x": 3.0, "y": "4" }"#, r#"{"y":"4","x":" 3 ","z":0}"#] {
        assert_eq!(read(text), Ok(Point::new(3, 4)), "{text}");
    }
    for text in
        [r#"{"x":3}"#, r#"{"x":3,"y":null}"#, r#"{"x":1e99,"y":4}"#, r#"{"x":"nan","y":4}"#, r#"{"x":"inf","y":4}"#]
    {
        assert!(read(text).is_err(), "{text}");
    }
    assert_eq!(body::cell(Point::new(3, 4)), r#"{"x":3,"y":4}"#);
}

#[test]
fn what_the_server_publishes_is_plain_text_or_json() {
    assert_eq!([GameState::Lobby, GameState::Turn, GameState::Over].map(GameState::name), ["lobby", "turn", "over"]);
    assert_eq!(body::list(["Henkiebunch", "a \"b\""]), r#"["Henkiebunch","a \"b\""]"#);
    assert_eq!(body::by_player([("b", 3.0), ("a", 0.25)]), r#"{"a":0.25,"b":3}"#);
}

fn read(parts: &[Part]) -> Answer<Order> {
    crate::started::<Salvo>().read(parts)
}

fn part(name: &'static str, text: &str) -> Part {
    Part { name, bytes: text.into() }
}

#[test]
fn records_keep_the_ships_one_by_one_and_shots_with_their_target() {
    let fleet = Order::Place(usual_fleet());
    let parts = Salvo::write(&fleet);
    assert_eq!(parts.iter().map(|part| part.name).collect::<Vec<_>>(), ShipKind::ALL.map(ShipKind::name));
    assert_eq!(read(&parts), Ok(fleet));
    let shot = Order::Fire { target: c(), at: Point::new(3, 4) };
    assert_eq!(Salvo::write(&shot), [part(TARGET, "C"), part(FIRE, r#"{"x":3,"y":4}"#)]);
    assert_eq!(read(&[part(FIRE, r#"{"x":"3","y":"4"}"#), part(TARGET, "C")]), Ok(shot));
    assert_eq!(read(&[]), Err(Fault::NothingWritten));
    let some = read(&parts[..2]);
    assert!(matches!(some, Ok(Order::Place(ships)) if ships.len() == 2), "what is missing is for the rules to say");
    for parts in [
        vec![part(TARGET, "C")],
        vec![part(FIRE, r#"{"x":3,"y":4}"#)],
        vec![part(TARGET, "Q"), part(FIRE, r#"{"x":3,"y":4}"#)],
        vec![part(TARGET, "C"), part(FIRE, "3;4")],
        vec![part("carrier", "3;4")],
        vec![part("raft", "{}")],
    ] {
        assert!(matches!(read(&parts), Err(Fault::Unreadable { .. })), "{parts:?}");
    }
}

proptest! {
    #![proptest_config(crate::properties::cases(400))]

    #[test]
    fn any_bytes_can_be_read(bytes in vec(any::<u8>(), 0..300)) {
        let _ = body::read_request(&bytes);
        let _ = body::read_signed(&bytes);
        for name in Salvo::ANSWER_PARTS {
            let _ = read(&[Part { name, bytes: bytes.clone() }]);
        }
    }

    #[test]
    fn what_is_written_is_read_back(seed in any::<u64>(), x in any::<i32>(), y in any::<i32>(), seat in 0..16_u8) {
        let at = Point::new(x.max(-i32::MAX), y.max(-i32::MAX));
        let fleet = random_fleet(&mut rules::random(seed));
        for order in [Order::Fire { target: Seat::new(seat).unwrap(), at }, Order::Place(fleet)] {
            prop_assert_eq!(read(&Salvo::write(&order)), Ok(order));
        }
    }

    #[test]
    fn a_request_is_read_back(name in ".{0,30}", secret in ".{0,30}") {
        let code = secret.is_empty().then(|| name.clone());
        let request = Request { name, secret, code };
        prop_assert_eq!(body::read_request(body::request(&request).as_bytes()), Ok(request));
    }
}

#[test]
fn lost_shots_are_told_from_other_errors() {
    let lost = |shots| PlayerError::ShotsLost { shots, why: "Deep Water took too long: lost: again".to_owned() };
    assert_eq!(lost(1).to_string(), "a shot is lost: Deep Water took too long: lost: again");
    assert_eq!(lost(4).to_string(), "4 shots are lost: Deep Water took too long: lost: again");
    for error in [lost(1), lost(2), lost(16), PlayerError::Other("the signature was used before".to_owned())] {
        assert_eq!(read_player_error(&error.to_string()), error);
    }
    for other in ["it is the turn of a lost: soul", "5 ships are lost: x", "many shots are lost: x", ""] {
        assert_eq!(read_player_error(other), PlayerError::Other(other.to_owned()));
    }
}
