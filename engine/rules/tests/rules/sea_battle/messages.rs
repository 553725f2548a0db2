//! The messages to bots. The files in `sample-state/sea-battle` are the examples of the text, word for word.

use super::{Match, cells};
use rules::sea_battle::{Json, MOVE, Order, PLACEMENT, Scan, SeaBattle, Shot, ShotResult, View};
use rules::{ContentType, Dialect, Game, Listed, Point, Seat};
use serde_json::Value;

const PLACEMENT_REQUEST: &str = include_str!("../../../../../sample-state/sea-battle/placement-request.json");
const MOVE_REQUEST: &str = include_str!("../../../../../sample-state/sea-battle/move-request.json");
const NOTED: [(&str, &str); 3] = [
    (PLACEMENT, include_str!("../../../../../sample-state/sea-battle/placement-answer.json")),
    (MOVE, include_str!("../../../../../sample-state/sea-battle/shot-answer.json")),
    (MOVE, include_str!("../../../../../sample-state/sea-battle/radar-answer.json")),
];

fn ask(view: &View) -> (String, String) {
    let request = Json::new("abc-123-def").ask(Seat::A, view);
    assert_eq!((request.content, request.path), (ContentType::Json, Some(request.answer)));
    (request.answer.to_owned(), String::from_utf8(request.body).unwrap())
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn bots_are_asked_for_fleets_as_in_the_text() {
    let (address, body) = ask(&Match::new(120).game.view(Seat::A));
    assert_eq!((address.as_str(), json(&body)), ("placement", json(PLACEMENT_REQUEST)));
    assert_eq!(body, r#"{"gameId":"abc-123-def","boardSize":10}"#);
}

/// In the example of the text `radarUsed` is false, although there is a scan. In a match it is true then.
#[test]
fn bots_are_asked_for_moves_as_in_the_text() {
    let shot = |(x, y, result)| Shot { at: Point::new(x, y), result };
    let view = View {
        turn: 12,
        own_shots: [(1, 1, ShotResult::Miss), (3, 5, ShotResult::Hit), (3, 6, ShotResult::Sunk)].map(shot).to_vec(),
        opponent_shots: [(0, 0, ShotResult::Miss), (2, 2, ShotResult::Hit)].map(shot).to_vec(),
        radar_used: false,
        scans: vec![Scan { centre: Point::new(5, 5), visible: cells(&[(5, 4), (6, 5)]) }],
    };
    let (address, body) = ask(&view);
    assert_eq!((address.as_str(), json(&body)), ("move", json(MOVE_REQUEST)));
    assert_eq!(
        body,
        concat!(
            r#"{"gameId":"abc-123-def","turn":12,"#,
            r#""yourShots":[{"x":1,"y":1,"result":"miss"},{"x":3,"y":5,"result":"hit"},{"x":3,"y":6,"result":"sunk"}],"#,
            r#""opponentShots":[{"x":0,"y":0,"result":"miss"},{"x":2,"y":2,"result":"hit"}],"#,
            r#""radarUsed":false,"#,
            r#""radarHistory":[{"center":{"x":5,"y":5},"visibleCells":[{"x":5,"y":4},{"x":6,"y":5}]}]}"#
        )
    );
}

#[test]
fn a_real_match_is_told_move_by_move() {
    let mut table = Match::set(120);
    assert_eq!(
        ask(&table.game.view(Seat::A)).1,
        concat!(
            r#"{"gameId":"abc-123-def","turn":1,"yourShots":[],"opponentShots":[],"#,
            r#""radarUsed":false,"radarHistory":[]}"#
        )
    );
    table.shoot(4, 6).radar(5, 2).shoot(4, 6).shoot(0, 0).shoot(4, 6);
    assert_eq!(
        ask(&table.game.view(Seat::B)).1,
        concat!(
            r#"{"gameId":"abc-123-def","turn":6,"yourShots":[{"x":0,"y":0,"result":"sunk"}],"#,
            r#""opponentShots":[{"x":4,"y":6,"result":"hit"},{"x":4,"y":6,"result":"hit"},{"x":4,"y":6,"result":"miss"}],"#,
            r#""radarUsed":true,"radarHistory":[{"center":{"x":5,"y":2},"visibleCells":[{"x":5,"y":1},{"x":6,"y":1},"#,
            r#"{"x":4,"y":3},{"x":5,"y":3},{"x":6,"y":3}]}]}"#
        )
    );
}

#[test]
fn answers_are_written_as_in_the_text() {
    let orders = [Order::Place(super::example_fleet()), Order::Shoot(Point::new(4, 7)), Order::Radar(Point::new(5, 5))];
    for (order, (name, example)) in orders.into_iter().zip(NOTED) {
        let [part] = <[rules::Part; 1]>::try_from(SeaBattle::write(&order)).unwrap();
        assert_eq!(part.name, name);
        assert_eq!(serde_json::from_slice::<Value>(&part.bytes).unwrap(), json(example));
        let noted = rules::Part { name, bytes: example.into() };
        assert_eq!(crate::started::<SeaBattle>().read(&[noted]), Ok(order.clone()), "the example is read");
        assert_eq!(crate::started::<SeaBattle>().read(&[part]), Ok(order), "and what we write");
    }
    let shot = SeaBattle::write(&Order::Shoot(Point::new(4, 7))).remove(0);
    assert_eq!(String::from_utf8(shot.bytes).unwrap(), r#"{"type":"shot","x":4,"y":7}"#);
}
