//! Answers: those that are read, and the messages about all others.

use super::{cells, fire, fire_at};
use rules::battleship::{Battleship, FIRE, MOST_OF_BODY, Order, PLACE, Placed, Target};
use rules::{Answer, Fault, Listed, Part, Point, Seat, printable};

fn read(bytes: impl Into<Vec<u8>>) -> Answer<Order> {
    crate::started::<Battleship>().read(&[Part { name: FIRE, bytes: bytes.into() }])
}

/// The reason why an answer cannot be read, without its text.
fn wrong(bytes: impl Into<Vec<u8>>) -> String {
    match read(bytes) {
        Err(fault @ Fault::Unreadable { .. }) => {
            let text = fault.to_string();
            assert!(text == printable(&text) && text.chars().count() < 400, "{text}");
            let Fault::Unreadable { why, .. } = fault else { unreachable!() };
            why
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn answers_are_read() {
    assert_eq!(read(r#"{"shots":[[3,4]]}"#), fire(&[(3, 4)]));
    assert_eq!(read("\u{feff} {\"shots\":[[3.0,4e0,\"B\"]],\"note\":{\"x\":[1]}}\r\n"), fire_at(Seat::B, 3, 4));
    assert_eq!(read(r#"{"shots":[]}"#), fire(&[]), "the rules say what that costs");
    assert_eq!(read(r#"{"shots":[[-1,100]]}"#), fire(&[(-1, 100)]));
    let aim = Target::cell(Point::new(3, 4));
    assert_eq!(read(r#"{"special":"radar","aim":[3,4]}"#), Ok(Order::Use { special: "radar".to_owned(), aim }));
    let ship = |name: Option<&str>| Placed { name: name.map(str::to_owned), cells: cells(&[(0, 0), (1, 0)]) };
    let ships = r#"{"ships":[[[0,0],[1,0]],{"cells":[[0,0],[1,0]]},{"name":"a","cells":[[0,0],[1,0]]},{"name":null,"cells":[[0,0],[1,0]]}]}"#;
    assert_eq!(read(ships), Ok(Order::Place(vec![ship(None), ship(None), ship(Some("a")), ship(None)])));
    for order in [fire(&[(3, 4), (5, 6)]), fire_at(Seat::B, 1, 2), read(ships)] {
        assert_eq!(crate::started::<Battleship>().read(&Battleship::write(order.as_ref().unwrap())), order);
    }
}

#[test]
fn an_answer_without_text_is_none() {
    assert_eq!([read(""), read(" \r\n")], [Err(Fault::NothingWritten), Err(Fault::NothingWritten)]);
    assert_eq!(crate::started::<Battleship>().read(&[]), Err(Fault::NothingWritten));
    let part = |name| Part { name, bytes: b"{}".to_vec() };
    let two = crate::started::<Battleship>().read(&[part(PLACE), part(FIRE)]);
    assert_eq!(two.unwrap_err().to_string(), "unreadable answer: an answer has one part");
}

#[test]
fn a_fault_names_the_place_of_the_mistake() {
    let one_of = "the answer has one of \"ships\", \"shots\" and \"special\"";
    for (answer, why) in [
        ("[]", "the answer is not an object"),
        ("3", "the answer is not an object"),
        ("{}", one_of),
        (r#"{"shots":[[1,2]],"ships":[]}"#, one_of),
        (r#"{"shots":{"x":1}}"#, r#"shots is not a list: {"x":1}"#),
        (r#"{"shots":[3,4]}"#, "shots[0] is not a cell like [3,4]: 3"),
        (r#"{"shots":[[1,2],[3]]}"#, "shots[1] is not a cell like [3,4]: [3]"),
        (r#"{"shots":[[1,2,"B",4]]}"#, r#"shots[0] is not a cell like [3,4]: [1,2,"B",4]"#),
        (r#"{"shots":[[1.5,2]]}"#, "shots[0] is not a cell like [3,4]: [1.5,2]"),
        (r#"{"shots":[["1",2]]}"#, r#"shots[0] is not a cell like [3,4]: ["1",2]"#),
        (r#"{"shots":[[1e30,2]]}"#, "shots[0] is not a cell like [3,4]: [1e+30,2]"),
        (r#"{"shots":[[1,2,"BB"]]}"#, r#"shots[0] is not a cell like [3,4]: [1,2,"BB"]"#),
        (r#"{"shots":[[1,2,"Z"]]}"#, r#"shots[0] is not a cell like [3,4]: [1,2,"Z"]"#),
        (r#"{"shots":[[1,2,""]]}"#, r#"shots[0] is not a cell like [3,4]: [1,2,""]"#),
        (r#"{"special":7}"#, "special is not a name: 7"),
        (r#"{"special":"radar"}"#, "aim is not a cell like [3,4]: null"),
        (r#"{"ships":7}"#, "ships is not a list: 7"),
        (r#"{"ships":[7]}"#, "ships[0] is neither an object nor a list of cells: 7"),
        (r#"{"ships":[{"name":"a"}]}"#, "ships[0].cells is missing"),
        (r#"{"ships":[{"name":1,"cells":[]}]}"#, "ships[0].name is not a text: 1"),
        (r#"{"ships":[[[0,0]],[[0,"1"]]]}"#, r#"ships[1][0] is not a cell like [3,4]: [0,"1"]"#),
        (r#"{"ships":[{"cells":[[0,0],[1,0,"A"]]}]}"#, r#"ships[0].cells[1] is not a cell without a seat: [1,0,"A"]"#),
        (r#"{"ships":[{"cells":5}]}"#, "ships[0].cells is not a list: 5"),
    ] {
        assert_eq!(wrong(answer), why, "{answer}");
    }
    for answer in ["{", "{\"shots\":[[1,2]]", "{'shots':[]}", "{\"shots\":[[NaN,1]]}", "shots", "\u{1b}[31m"] {
        assert!(wrong(answer).starts_with("not JSON: "), "{answer}");
    }
    assert!(wrong(b"{\"shots\":[[\xff]]}".to_vec()).starts_with("not JSON: "));
    assert!(wrong("[".repeat(100_000)).starts_with("not JSON: "), "it is nested deeply");
}

#[test]
fn a_long_answer_is_not_read() {
    let long = format!("{{\"shots\":[[1,2]],\"note\":\"{}\"}}", "x".repeat(MOST_OF_BODY));
    assert_eq!(wrong(long.clone()), format!("{} bytes are more than {MOST_OF_BODY}", long.len()));
}

/// A hundred ships of a hundred cells, with names as long as they may be.
#[test]
fn the_largest_fleet_can_be_written_and_read() {
    let row = |y| Placed { name: Some("n".repeat(40)), cells: (0..100).map(|x| Point::new(x, y)).collect() };
    let order = Order::Place((0..100).map(row).collect());
    assert_eq!(crate::started::<Battleship>().read(&Battleship::write(&order)), Ok(order));
}
