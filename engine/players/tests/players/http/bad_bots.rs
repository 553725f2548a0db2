//! Whole matches of Sea Battle against bots that misbehave: each ends as the rulings say, soon, and with little read.

use super::server::{Server, Visit, good};
use super::{AMPLE, SHORT};
use arena::{Interrupt, Observers, Players, Sequence, play};
use players::http::{AllowedHosts, BotUrl, Client};
use players::{BuiltIn, HttpPlayerFactory};
use rules::sea_battle::{BOARD, FLEET, Order, SeaBattle, Settings, Ship, random_fleet};
use rules::{BySeat, Ending, Game, Listed, Outcome, Point, Seat};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Moves after which a match is over that nobody lost before.
const MOVES: u32 = 12;
/// More than sockets hold, and far less than a bot wants to say that does not end.
const LITTLE: usize = 32 << 20;
/// The bytes that a bot without an end wants to send.
const GIGABYTE: usize = 1 << 30;

fn body(order: &Order) -> String {
    String::from_utf8(SeaBattle::write(order).remove(0).bytes).unwrap()
}

/// A fleet that may lie as it does.
fn fleet() -> String {
    body(&Order::Place(random_fleet(&mut rules::random(1))))
}

/// A fleet in which each ship lies beside the next one.
fn touching() -> String {
    let row = |(y, &kind): (usize, _)| Ship { kind, cells: cells(y, kind.length()) };
    body(&Order::Place(FLEET.iter().enumerate().map(row).collect()))
}

fn cells(y: usize, length: u8) -> Vec<Point> {
    (0..i32::from(length)).map(|x| Point::new(x, y as i32)).collect()
}

fn radar() -> String {
    body(&Order::Radar(Point::new(4, 4)))
}

/// A bot that answers as it should, each answer framed by `framed`.
fn plays(framed: impl Fn(&str) -> String + Send + Sync + 'static) -> Server {
    let moves = AtomicUsize::new(0);
    Server::new(move |visit| {
        while visit.hears() {
            let body = if visit.last_request().starts_with("POST /placement ") {
                fleet()
            } else {
                let at = moves.fetch_add(1, Ordering::SeqCst);
                body(&Order::Shoot(BOARD.points().nth(at).unwrap()))
            };
            let answer = framed(&body);
            visit.say(answer.as_bytes());
            if answer.starts_with("HTTP/1.0") {
                return;
            }
        }
    })
}

/// A bot that answers so when it is asked for its fleet.
fn placing(answer: impl Into<String>) -> Server {
    let answer = answer.into();
    places(move |visit| {
        visit.say(answer.as_bytes());
    })
}

/// A bot that does this when it is asked for its fleet.
fn places(does: impl Fn(&mut Visit) + Send + Sync + 'static) -> Server {
    Server::new(move |visit| {
        if visit.hears() {
            does(visit);
        }
    })
}

/// A bot that places its fleet and does this when it is asked for a move, on the same connection.
fn moves(does: impl Fn(&mut Visit) + Send + Sync + 'static) -> Server {
    Server::new(move |visit| {
        while visit.hears() {
            if !visit.last_request().starts_with("POST /placement ") {
                return does(visit);
            }
            visit.say(good(&fleet()).as_bytes());
        }
    })
}

/// A bot that answers every question for a move with this.
fn fires(body: &str) -> Server {
    let body = body.to_owned();
    moves(move |visit| {
        visit.say(good(&body).as_bytes());
        while visit.hears() {
            visit.say(good(&body).as_bytes());
        }
    })
}

/// A bot that answers the first question for a move with this, and goes.
fn says(answer: &str) -> Server {
    let answer = answer.to_owned();
    moves(move |visit| {
        visit.say(answer.as_bytes());
    })
}

/// A bot that begins so and then says the rest again and again, and how much of it could be said.
fn endless(begins: &'static str, rest: &str) -> (Server, Arc<AtomicUsize>) {
    let said = Arc::new(AtomicUsize::new(0));
    let (counted, block) = (Arc::clone(&said), rest.repeat((64 << 10) / rest.len()));
    let server = moves(move |visit| {
        visit.say(begins.as_bytes());
        while counted.load(Ordering::SeqCst) < GIGABYTE && visit.say(block.as_bytes()) {
            counted.fetch_add(block.len(), Ordering::SeqCst);
        }
    });
    (server, said)
}

/// A match of the bot at `url` in seat A against a built-in player.
fn played(url: &str, limit: Duration) -> Outcome {
    let url: BotUrl = url.parse().unwrap();
    let client = Client::new(AllowedHosts::private());
    let caller: HttpPlayerFactory<SeaBattle> =
        HttpPlayerFactory::new(client, &Settings::default(), (), Some(limit), Interrupt::new().unwrap());
    let names: BySeat<Option<String>> = [None, None].into_iter().collect();
    let good = BuiltIn::Random.player(1);
    let mut players: Players<SeaBattle> = [caller.player(&url, Seat::A, 1, &names), good].into_iter().collect();
    let game = SeaBattle::start(&Settings::moves(MOVES), 2, 1).unwrap();
    play(game, &mut players, Sequence::Together, &mut Observers::new()).unwrap()
}

/// Asserts that the bot loses at once, in these words.
fn loses(what: &str, url: &str, limit: Duration, words: &str) {
    let outcome = played(url, limit);
    assert_eq!(outcome.winner, Some(Seat::B), "{what}: {outcome:?}");
    let Ending::KilledOff { seats } = &outcome.ending else { panic!("{what}: {outcome:?}") };
    assert_eq!(seats.len(), 1, "{what}: {outcome:?}");
    assert!(seats[0].0 == Seat::A && seats[0].1.contains(words), "{what}: {outcome:?}");
}

#[test]
fn a_bot_that_answers_badly_loses_its_match_and_it_is_said_why() {
    let elsewhere = Server::saying(good(&fleet()));
    let moved = |target: &str| format!("HTTP/1.1 302 Found\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n");
    let error = "HTTP/1.1 500 Oh no\r\nContent-Length: 0\r\n\r\n";
    let half = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"type\"";
    let shot = |x: &str| fires(&format!(r#"{{"type":"shot","x":{x},"y":1}}"#));
    let cases: Vec<(&str, Server, &str)> = vec![
        ("wrong JSON at placement", placing(good("{\"ships\":[")), "not JSON"),
        ("another JSON at placement", placing(good("[]")), "not an object"),
        ("touching ships", placing(good(&touching())), "touches"),
        ("500 at placement", placing(error), "status 500"),
        ("closes at placement", placing(""), "closed the connection before it answered"),
        ("wrong JSON", fires("{\"type\":"), "not JSON"),
        ("another JSON", fires("{\"shot\":[1,1]}"), "type is missing"),
        ("NaN", shot("NaN"), "not JSON"),
        ("a float", shot("4.5"), "x is not a whole number: 4.5"),
        ("a string for a number", shot("\"4\""), "x is not a whole number: \"4\""),
        ("a large number", shot("1e300"), "far off the board"),
        ("-1", shot("-1"), "broke the rules: the target -1, 1 is off the board"),
        ("10", shot("10"), "broke the rules: the target 10, 1 is off the board"),
        ("a second radar", fires(&radar()), "broke the rules: the radar can be used once only"),
        ("a second fleet", fires(&fleet()), "type is missing"),
        ("500", says(error), "status 500"),
        ("a redirect to a private address", says(&moved(&elsewhere.url())), "redirects are not followed"),
        ("a redirect to a cloud", says(&moved("http://169.254.169.254/")), "redirects are not followed"),
        ("closes in mid-answer", says(half), "closed the connection in mid-answer"),
        (
            "closes a chunked answer",
            says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{"),
            "in mid-answer",
        ),
        ("no HTTP", says("SSH-2.0-x\r\n"), "not HTTP"),
        ("a packed answer", says("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx"), "encoded"),
    ];
    for (what, server, words) in &cases {
        loses(what, &server.url(), AMPLE, words);
    }
    assert_eq!(elsewhere.connections(), 0, "nobody was led there");
}

#[test]
fn a_bot_that_refuses_calls_or_takes_its_time_loses_its_match() {
    let refusing = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    loses("refuses", &format!("http://{refusing}"), AMPLE, "connection refused");
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n";
    let dribbles = move |visit: &mut Visit| visit.dribble(format!("{head}{}", " ".repeat(1000)).as_bytes(), SHORT / 10);
    let late: [(&str, Server); 4] = [
        ("hangs", places(|visit| visit.hang())),
        ("hangs at a move", moves(|visit| visit.hang())),
        ("dribbles", places(dribbles)),
        ("dribbles at a move", moves(dribbles)),
    ];
    for (what, server) in &late {
        loses(what, &server.url(), SHORT, "timed out");
    }
}

#[test]
fn a_gigabyte_is_not_read() {
    let endless: [(Server, Arc<AtomicUsize>); 4] = [
        endless("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n", " "),
        endless("HTTP/1.0 200 OK\r\n\r\n", " "),
        endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "4\r\n    \r\n"),
        endless("HTTP/1.1 500 No\r\nContent-Length: 1073741824\r\n\r\n", "x"),
    ];
    for (at, (server, said)) in endless.iter().enumerate() {
        let words = if at == 3 { "status 500" } else { "longer than 65536 bytes" };
        loses("a gigabyte", &server.url(), AMPLE, words);
        let said = said.load(Ordering::SeqCst);
        assert!(said < LITTLE, "{said} bytes were taken");
    }
}

#[test]
fn a_bot_that_speaks_old_or_chunked_http_plays_its_match() {
    let chunked = |body: &str| {
        let (one, other) = body.split_at(body.len() / 2);
        let chunk = |part: &str| format!("{:x}\r\n{part}\r\n", part.len());
        format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{}{}0\r\n\r\n", chunk(one), chunk(other))
    };
    let old = |body: &str| format!("HTTP/1.0 200 OK\r\n\r\n{body}");
    let old_with_length = |body: &str| format!("HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    for server in [plays(chunked), plays(old), plays(old_with_length), plays(good)] {
        assert_eq!(played(&server.url(), AMPLE).ending, Ending::MoveLimit { moves: 2 * MOVES });
    }
}
