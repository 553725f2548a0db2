//! Sea Battle by the text and as the public server of earlier events plays it: each row of the table in
//! `docs/protocols/sea-battle.md` is played over HTTP by both profiles.

use super::server::{Server, good};
use arena::{Ask, Interrupt};
use players::http::{AllowedHosts, Client};
use players::{HttpPlayerFactory, OverHttp};
use rules::sea_battle::{MoveLimit, Order, PLACEMENT, Profile, SeaBattle, Settings, Ship, ShipKind};
use rules::{BySeat, Ending, Game, Listed, Part, Point, Seat};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A seed by which A moves first.
const A_FIRST: u64 = 0;
const PAGE: &str = include_str!("../../../../../docs/protocols/sea-battle.md");

/// The fleet of the page's example.
fn fleet() -> Vec<Ship> {
    let (_, example) = PAGE.split_once("```json\n{\n  \"ships\"").unwrap();
    let (rest, _) = example.split_once("```").unwrap();
    let bytes = format!("{{\"ships\"{rest}").into_bytes();
    let game = SeaBattle::start(&Settings::default(), 2, A_FIRST).unwrap();
    let Ok(Order::Place(ships)) = game.read(&[Part { name: PLACEMENT, bytes }]) else { panic!("{rest}") };
    ships
}

fn body(fleet: Vec<Ship>) -> String {
    String::from_utf8(SeaBattle::write(&Order::Place(fleet)).remove(0).bytes).unwrap()
}

/// The fleet of the text with a change.
fn changed(change: impl FnOnce(&mut Vec<Ship>)) -> Vec<String> {
    let mut ships = fleet();
    change(&mut ships);
    vec![good(&body(ships))]
}

/// The body of the fleet of the text with a change.
fn written(from: &str, to: &str) -> Vec<String> {
    let text = body(fleet());
    assert!(text.contains(from), "{from}");
    vec![good(&text.replacen(from, to, 1))]
}

/// The fleet of the text, and then these moves.
fn moves<const MOVES: usize>(moves: [&str; MOVES]) -> Vec<String> {
    std::iter::once(body(fleet())).chain(moves.map(str::to_owned)).map(|body| good(&body)).collect()
}

fn shot(x: &str, y: &str) -> String {
    format!(r#"{{"type":"shot","x":{x},"y":{y}}}"#)
}

fn radar(x: &str, y: &str) -> String {
    format!(r#"{{"type":"radar","center":{{"x":{x},"y":{y}}}}}"#)
}

/// The fleet of the text, in an answer that begins so.
fn answered(head: &str) -> Vec<String> {
    let body = body(fleet());
    vec![format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\n\r\n{body}", body.len())]
}

/// A redirect to this place, where the fleet of the text is.
fn redirected(to: &str) -> Vec<String> {
    let redirect = format!("HTTP/1.1 307 Temporary Redirect\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n");
    std::iter::once(redirect).chain(answered("200 OK")).collect()
}

/// The answers of bot A in each case.
fn cases() -> Vec<(&'static str, Vec<String>)> {
    let at = |x, y| vec![Point::new(x, y)];
    let long = format!("{}{}", body(fleet()), " ".repeat(64 << 10));
    let (water, hit) = (shot("9", "9"), shot("3", "3"));
    let armour = shot("4", "6");
    vec![
        ("the fleet of the text", changed(|_| ())),
        ("its ships in another order", changed(|ships| ships.reverse())),
        ("two ships share an edge", changed(|ships| ships[6].cells = at(7, 3))),
        ("two ships share a corner only", changed(|ships| ships[6].cells = at(7, 4))),
        ("two ships overlap", changed(|ships| ships[6].cells = at(6, 3))),
        ("a ship is off the board", changed(|ships| ships[6].cells = at(10, 0))),
        ("a ship is bent", changed(|ships| ships[2].cells[2] = Point::new(1, 7))),
        ("a ship has a gap", changed(|ships| ships[2].cells[2] = Point::new(3, 8))),
        ("a ship is missing", changed(|ships| ships.truncate(9))),
        ("a ship too many", changed(|ships| ships.push(Ship { kind: ShipKind::Oneship, cells: at(0, 9) }))),
        ("a second threeship for the battleship", changed(|ships| ships[1].kind = ShipKind::Threeship)),
        ("a ship of another length", changed(|ships| ships[2].cells.truncate(2))),
        ("an unknown type of ship", written("\"submarine\"", "\"uboat\"")),
        ("a type of ship in capitals", written("\"submarine\"", "\"Submarine\"")),
        ("cells with numbers as strings", written("{\"x\":9,\"y\":2}", "{\"x\":\"9\",\"y\":\"2\"}")),
        ("a cell without y", written("{\"x\":9,\"y\":2}", "{\"x\":9}")),
        ("no field `ships`", written("\"ships\"", "\"fleet\"")),
        ("fields that nobody asked for", written("{\"ships\"", "{\"bot\":\"mine\",\"ships\"")),
        ("a byte order mark before the JSON", vec![good(&format!("\u{feff}{}", body(fleet())))]),
        ("no JSON", vec![good("<h1>hello</h1>")]),
        ("an empty body", vec![good("")]),
        ("status 201", answered("201 Created")),
        ("status 404", answered("404 Not Found")),
        ("status 500", answered("500 Internal Server Error")),
        ("a redirect (307) to the same host", redirected("/elsewhere")),
        ("a redirect (307) to another host", redirected("http://other.invalid/placement")),
        ("a body of more than 64 KiB", vec![good(&long)]),
        ("a shot at water", moves([&water])),
        ("a shot at a ship", moves([&hit])),
        ("a shot at a oneship", moves([&shot("0", "0")])),
        ("a second shot at water", moves([&water, &water])),
        ("a second shot at a hit cell", moves([&hit, &hit])),
        ("a second shot at a sunk ship", moves([&shot("0", "0"), &shot("0", "0")])),
        ("a first shot at armour", moves([&armour])),
        ("a second shot at the same armour", moves([&armour, &armour])),
        ("a third shot at the same armour", moves([&armour, &armour, &armour])),
        ("a shot off the board", moves([&shot("10", "3")])),
        ("a shot at x = 3.5", moves([&shot("3.5", "3")])),
        ("a shot without x", moves([r#"{"type":"shot","y":3}"#])),
        ("a shot with a number as a string", moves([&shot("\"3\"", "3")])),
        ("a shot at x = 3.0", moves([&shot("3.0", "3")])),
        ("a shot with a centre instead of x and y", moves([r#"{"type":"shot","center":{"x":3,"y":3}}"#])),
        ("an unknown type of move", moves([r#"{"type":"torpedo","x":3,"y":3}"#])),
        ("a type of move in capitals", moves([r#"{"type":"Shot","x":3,"y":3}"#])),
        ("no type of move", moves([r#"{"x":3,"y":3}"#])),
        ("radar in the middle", moves([&radar("4", "7")])),
        ("radar at the corner", moves([&radar("0", "0")])),
        ("radar over a submarine", moves([&radar("9", "2")])),
        ("radar over a cell that was hit", moves([&hit, &radar("3", "3")])),
        ("radar off the board", moves([&radar("12", "4")])),
        ("radar without a centre", moves([r#"{"type":"radar"}"#])),
        ("radar a second time", moves([&radar("4", "4"), &radar("5", "5")])),
    ]
}

/// Plays the answers of bot A, and tells what came of them.
fn told(answers: &[String], other: &Order, profile: Profile) -> String {
    let settings = Settings::of(profile);
    let queue = Arc::new(Mutex::new(answers.iter().cloned().collect::<VecDeque<_>>()));
    let waiting = Arc::clone(&queue);
    let server = Server::new(move |visit| {
        while visit.hears() {
            let Some(answer) = waiting.lock().unwrap().pop_front() else { return };
            visit.say(answer.as_bytes());
        }
    });
    let client = Client::new(AllowedHosts::private());
    let limit = Some(SeaBattle::usual_limit(&settings));
    let factory: HttpPlayerFactory<SeaBattle> =
        HttpPlayerFactory::new(client, &settings, (), limit, Interrupt::new().unwrap());
    let names: BySeat<Option<String>> = [None, None].into_iter().collect();
    let mut bot = factory.player(&server.url().parse().unwrap(), Seat::A, 1, &names);
    let mut game = SeaBattle::start(&settings, 2, A_FIRST).unwrap();
    while game.outcome().is_none() && (game.is_placing() || !queue.lock().unwrap().is_empty()) {
        let decide = |seat| match seat {
            Seat::A => (seat, bot.decide(&Ask::new(&game, seat, game.moves())).unwrap().answer),
            _ if game.is_placing() => (seat, Ok(other.clone())),
            _ => (seat, Ok(Order::Shoot(Point::new(9, 9)))),
        };
        let given = game.awaited().iter().map(decide).collect();
        game.advance(given);
    }
    let view = game.view(Seat::A);
    match (game.outcome().map(|outcome| outcome.ending), view.scans.first(), view.own_shots.last()) {
        (Some(Ending::KilledOff { seats }), ..) => match &seats[..] {
            [_, _] => "both lose".to_owned(),
            [(seat, _)] => format!("{seat} loses"),
            _ => unreachable!("somebody lost"),
        },
        (_, Some(scan), _) => format!("sees {}", rules::counted(scan.visible.len() as u32, "cell")),
        (_, None, Some(shot)) => format!("{:?}", shot.result).to_lowercase(),
        (_, None, None) => "accepted".to_owned(),
    }
}

/// A row of the table: a case, and its results by both profiles.
fn row(name: &str, told: impl Fn(Profile) -> String) -> String {
    format!("| {name} | {} | {} |", told(Profile::Text), told(Profile::PublicServer))
}

#[test]
fn both_profiles_play_as_the_table_of_the_page_says() {
    let placed = Order::Place(fleet());
    let mut rows: Vec<String> =
        cases().iter().map(|(name, answers)| row(name, |profile| told(answers, &placed, profile))).collect();
    let none = changed(|ships| ships.clear());
    rows.push(row("both fleets are wrong", |profile| told(&none, &Order::Place(Vec::new()), profile)));
    rows.push(row("an answer after 2.5 s", |profile| {
        let limit = SeaBattle::usual_limit(&Settings::of(profile));
        if limit < Duration::from_millis(2500) { "A loses" } else { "accepted" }.to_owned()
    }));
    rows.push(row("the first move", |profile| {
        let mut first = (0..50).map(|seed| SeaBattle::start(&Settings::of(profile), 2, seed).unwrap().mover(1));
        if first.all(|seat| seat == Seat::A) { "that of A" } else { "drawn from the seed" }.to_owned()
    }));
    rows.push(row("the moves after which hits are compared", |profile| match Settings::of(profile).max_moves {
        MoveLimit::Each(moves) => format!("{moves} of each"),
        MoveLimit::Together(moves) => format!("{moves} of both"),
    }));
    let table = rows.join("\n");
    assert!(PAGE.contains(&format!("\n{table}\n")), "docs/protocols/sea-battle.md needs this table:\n{table}");
}
