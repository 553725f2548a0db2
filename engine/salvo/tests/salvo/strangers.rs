//! Strangers in the lobby, who must not keep teams out.

use crate::fixture::{Mosquitto, OwnedEvent, RawClient, RunningClient, RunningServer, broker, options, secret, team};
use crate::overload::anonymous;
use crate::scripted_team::{A, B, ScriptedTeam};
use rules::salvo::body::{self, Request};
use salvo::client::Team;
use salvo::{BrokerAddress, Options};
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

const REQUEST: &str = "/game/request_participation";

fn request(name: &str, code: Option<&str>) -> String {
    body::request(&Request { name: name.to_owned(), secret: secret(name), code: code.map(str::to_owned) })
}

/// A client at this address that asks to take part under an invented name.
fn invents(from: Ipv4Addr, broker: SocketAddr, number: usize) -> TcpStream {
    let (mut stream, accepted) = anonymous(from, broker, number);
    assert!(accepted);
    let request = request(&format!("Invented {number}"), None);
    let mut packet = vec![0x30, (2 + REQUEST.len() + request.len()) as u8, 0, REQUEST.len() as u8];
    packet.extend(REQUEST.as_bytes());
    packet.extend(request.as_bytes());
    assert!(packet.len() < 128, "the length is one byte");
    stream.write_all(&packet).unwrap();
    stream
}

#[test]
fn an_address_has_a_few_teams() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(Options { teams_per_address: 2, ..options(&folder, 2) });
    let broker = broker(server.address);
    let watch = RawClient::come("watch", &broker, |_| {});
    assert!(watch.subscribes("/game/refused"));
    let _strangers: Vec<_> =
        (0..5).map(|number| invents(Ipv4Addr::new(127, 0, 0, 3), server.address, number)).collect();
    for _ in 2..5 {
        let refused = watch.hears_until(|topic, _| topic == "/game/refused").pop().unwrap().1;
        assert!(refused.contains("your address has 2 teams already"), "{refused}");
    }
    let clients = [A, B].map(|name| RunningClient::start(team(name, broker.clone())));
    clients.into_iter().for_each(|client| drop(client.ended().0.unwrap()));
    server.stop();
}

#[test]
fn a_lobby_full_of_strangers_is_free_again() {
    let folder = tempfile::tempdir().unwrap();
    let place = Duration::from_millis(500);
    let server = RunningServer::start(Options { place, players: None, ..options(&folder, 2) });
    let team = ScriptedTeam::come(A, &broker(server.address));
    let _strangers: Vec<_> = (0..16).map(|number| invents(Ipv4Addr::LOCALHOST, server.address, number)).collect();
    server.wait_for(|told| matches!(told, OwnedEvent::Late(_)));
    team.asks();
    assert_eq!(server.wait_for(|told| *told == OwnedEvent::Joined(A.to_owned())), OwnedEvent::Joined(A.to_owned()));
    server.stop();
}

/// Takes part with the code only.
fn needs_code(server: &RunningServer, broker: &BrokerAddress) {
    let stranger = RawClient::come("stranger", broker, |_| {});
    assert!(stranger.subscribes("/game/refused"));
    for code in [None, Some(""), Some("krakens")] {
        stranger.says(REQUEST, request("Stranger", code));
        let refused = stranger.hears_until(|topic, _| topic == "/game/refused").pop().unwrap().1;
        assert_eq!(refused, r#"{"name":"Stranger","error":"the join code is missing or wrong"}"#, "{code:?}");
    }
    let with_code = |name| Team { join_code: Some("kraken".to_owned()), ..team(name, broker.clone()) };
    let clients = [A, B].map(|name| RunningClient::start(with_code(name)));
    let mut joined = [A, B].map(|_| server.wait_for(|told| matches!(told, OwnedEvent::Joined(_))));
    joined.sort_by_key(|told| format!("{told:?}"));
    assert_eq!(joined, [B, A].map(|name| OwnedEvent::Joined(name.to_owned())));
    clients.into_iter().for_each(|client| drop(client.ended().0.unwrap()));
}

#[test]
fn who_guesses_the_join_code_waits_for_each_answer_and_the_right_one_counts() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(Options { join_code: Some("0731".to_owned()), ..options(&folder, 2) });
    let guesser = RawClient::come("guesser", &broker(server.address), |_| {});
    assert!(guesser.subscribes("/game/refused"));
    let begun = Instant::now();
    for guess in 0..11 {
        guesser.says(REQUEST, request("Guesser", Some(&guess.to_string())));
        guesser.hears_until(|topic, _| topic == "/game/refused");
    }
    // The delay is 3 s. After 5 s, one more is free.
    assert!(begun.elapsed() >= Duration::from_secs(3), "{:?}", begun.elapsed());
    guesser.says(REQUEST, request("Guesser", Some("0731")));
    server.wait_for(|told| matches!(told, OwnedEvent::Joined(_)));
    server.stop();
}

#[test]
fn who_lacks_the_join_code_does_not_take_part_by_our_own_broker() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(Options { join_code: Some("kraken".to_owned()), ..options(&folder, 2) });
    needs_code(&server, &broker(server.address));
    server.stop();
}

#[test]
fn who_lacks_the_join_code_does_not_take_part_by_mosquitto() {
    let Some(mosquitto) = Mosquitto::start(&[A, B]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let options = Options { join_code: Some("kraken".to_owned()), ..options(&folder, 2) };
    let server = RunningServer::through(options, mosquitto.network());
    needs_code(&server, &mosquitto.broker());
    server.stop();
}
