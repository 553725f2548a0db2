//! Bots of botsArena whose dialect is not known before the match.

use super::client;
use super::server::{Server, good};
use arena::{Interrupt, Observers, Player, Players, Sequence, play};
use players::http::BotUrl;
use players::{BuiltIn, HttpPlayerFactory};
use rules::bots_arena::{Body, BotsArena, Settings};
use rules::{BySeat, Ending, Game, Outcome, Seat};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const FLEET: &str = r#"["3,3-3,7","2,1-2,4","0,1-0,3","7,3-7,1","8,8-7,8"]"#;
const NO: &str = "HTTP/1.1 400 x\r\nContent-Length: 7\r\n\r\nforms! ";

/// The dialect of a request.
fn dialect_of(request: &str) -> Body {
    let types = [(Body::Json, "application/json"), (Body::Multipart, "multipart/form-data")];
    types.iter().find(|(_, mime)| request.contains(mime)).map_or(Body::Form, |(body, _)| *body)
}

fn is_init(request: &str) -> bool {
    ["act=init", "name=\"act\"\r\n\r\ninit", r#""action":"init""#].iter().any(|sign| request.contains(sign))
}

/// A bot that understands one dialect, strikes row by row, and gives `other` to all other requests.
fn speaks(only: Body, other: &'static str) -> Server {
    Server::new(move |visit| {
        while visit.hears() {
            let request = visit.last_request();
            let own = request.split("his_strikes").next().unwrap_or_default().matches("target").count();
            let target = format!("{},{}", own % 10, own / 10);
            let answer = match (dialect_of(&request) == only, is_init(&request), only) {
                (false, ..) => other.to_owned(),
                (true, true, Body::Json) => good(&format!(r#"{{"name":"me","boats":{FLEET}}}"#)),
                (true, true, _) => good(FLEET),
                (true, false, Body::Json) => good(&format!(r#"{{"play":"{target}"}}"#)),
                (true, false, _) => good(&target),
            };
            if answer.is_empty() || !visit.say(answer.as_bytes()) {
                return;
            }
        }
    })
}

/// The dialects that were found, in the order of the reports.
type Found = Arc<Mutex<Vec<&'static str>>>;

fn factory(speech: Option<Body>, limit: Duration) -> (HttpPlayerFactory<BotsArena>, Found) {
    let found = Found::default();
    let reports = Arc::clone(&found);
    let factory =
        HttpPlayerFactory::new(client("private"), &Settings::default(), speech, Some(limit), Interrupt::new().unwrap());
    let on_found = move |_: &BotUrl, dialect| reports.lock().unwrap().push(dialect);
    (factory.reporting(Arc::new(on_found)), found)
}

/// A match of the bot in seat A against the random player.
fn played(factory: &HttpPlayerFactory<BotsArena>, server: &Server) -> Outcome {
    let names: BySeat<Option<String>> = [None, None].into_iter().collect();
    let bot: Box<dyn Player<BotsArena>> = factory.player(&server.url().parse().unwrap(), Seat::A, 1, &names);
    let mut players: Players<BotsArena> = [bot, BuiltIn::Random.player(1)].into_iter().collect();
    let game = BotsArena::start(&Settings::default(), 2, 1).unwrap();
    play(game, &mut players, Sequence::InTurn, &mut Observers::new()).unwrap()
}

fn match_of(server: &Server) -> (Outcome, Vec<Body>) {
    let (factory, _) = factory(None, super::AMPLE);
    (played(&factory, server), asked(server))
}

/// The dialects of all requests so far.
fn asked(server: &Server) -> Vec<Body> {
    server.requests().iter().map(|request| dialect_of(request)).collect()
}

fn why(outcome: &Outcome) -> &str {
    match &outcome.ending {
        Ending::KilledOff { seats } => &seats[0].1,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_bot_is_asked_in_every_dialect_at_init_until_it_places_its_ships() {
    for (only, tried) in [
        (Body::Form, vec![Body::Form]),
        (Body::Json, vec![Body::Form, Body::Json]),
        (Body::Multipart, vec![Body::Form, Body::Json, Body::Multipart]),
    ] {
        // It refuses, closes, gives something else, or finds no ships to place.
        for other in
            [NO, "", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]"]
        {
            let (outcome, asked) = match_of(&speaks(only, other));
            assert!(matches!(outcome.ending, Ending::FleetSunk { .. }), "{only:?} {other:?}: {outcome:?}");
            assert_eq!(asked[..tried.len()], tried, "{only:?} {other:?}");
            assert!(asked[tried.len()..].iter().all(|body| *body == only), "only init is asked in several");
        }
    }
}

#[test]
fn a_bot_that_hangs_when_it_is_asked_in_another_dialect_is_asked_in_its_own() {
    let server = Server::new(|visit| {
        while visit.hears() {
            let request = visit.last_request();
            if dialect_of(&request) != Body::Json {
                return visit.hang();
            }
            // Its second answer is no target, and ends the match.
            visit.say(good(&format!(r#"{{"boats":{FLEET}}}"#)).as_bytes());
        }
    });
    let (factory, _) = factory(None, super::SHORT);
    let outcome = played(&factory, &server);
    assert!(why(&outcome).contains("not an object with \"play\""), "{outcome:?}");
    assert_eq!(asked(&server), [Body::Form, Body::Json, Body::Json]);
}

#[test]
fn a_bot_that_fails_in_every_dialect_gets_the_fault_of_the_first() {
    let server = Server::new(|visit| {
        while visit.hears() {
            let status = 500 + Body::ALL.iter().position(|body| *body == dialect_of(&visit.last_request())).unwrap();
            visit.say(format!("HTTP/1.1 {status} x\r\nContent-Length: 0\r\n\r\n").as_bytes());
        }
    });
    let (outcome, asked) = match_of(&server);
    assert!(why(&outcome).contains("status 500 "), "{outcome:?}");
    assert_eq!(asked, Body::ALL);
}

#[test]
fn ships_that_break_the_rules_are_no_reason_to_ask_again() {
    let server = Server::saying(good(r#"["0,0-0,0"]"#));
    let (outcome, asked) = match_of(&server);
    assert!(why(&outcome).contains("illegal order"), "{outcome:?}");
    assert_eq!(asked, [Body::Form]);
}

#[test]
fn a_bot_that_places_the_same_ships_whatever_it_is_asked_is_known_by_their_form() {
    let boats: &'static str = good(&format!(r#"{{"boats":{FLEET}}}"#)).leak();
    let (outcome, asked) = match_of(&speaks(Body::Json, boats));
    assert!(matches!(outcome.ending, Ending::FleetSunk { .. }), "{outcome:?}");
    assert_eq!(asked[..3], [Body::Form, Body::Json, Body::Json]);
}

#[test]
fn a_fleet_in_the_form_of_another_dialect_counts_if_there_is_no_other() {
    let server = Server::new(|visit| {
        while visit.hears() {
            let request = visit.last_request();
            let answer = if is_init(&request) { format!(r#"{{"boats":{FLEET}}}"#) } else { "x".to_owned() };
            visit.say(if dialect_of(&request) == Body::Form { good(&answer) } else { NO.to_owned() }.as_bytes());
        }
    });
    let (outcome, asked) = match_of(&server);
    assert!(why(&outcome).contains("not a target"), "{outcome:?}");
    assert_eq!(asked, [Body::Form, Body::Json, Body::Multipart, Body::Form]);
}

#[test]
fn the_next_match_asks_first_in_the_dialect_that_was_found() {
    let server = speaks(Body::Json, NO);
    let (factory, found) = factory(None, super::AMPLE);
    played(&factory, &server);
    let before = asked(&server).len();
    played(&factory, &server);
    assert!(asked(&server)[before..].iter().all(|body| *body == Body::Json));
    assert_eq!(*found.lock().unwrap(), ["json"], "it is reported once");
    assert_eq!(factory.found().name_of(&server.url().parse().unwrap()), Some("json"));
}

#[test]
fn a_bot_whose_dialect_is_named_is_asked_in_that_one_only() {
    let server = speaks(Body::Json, NO);
    let (factory, found) = factory(Some(Body::Form), super::AMPLE);
    let outcome = played(&factory, &server);
    assert!(why(&outcome).contains("status 400"), "{outcome:?}");
    assert_eq!(asked(&server), [Body::Form]);
    assert!(found.lock().unwrap().is_empty());
}
