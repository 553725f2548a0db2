//! Whole games with the embedded broker and with a Mosquitto.

use crate::fixture::{
    Mosquitto, OwnedEvent, PATIENCE, RawClient, RunningClient, RunningServer, broker, options, secret, team, verified,
};
use rules::BySeat;
use rules::salvo::body::{self, Request};
use rules::salvo::{Order, Topics, View};
use salvo::BrokerAddress;
use salvo::client::{ClientEvent, FoundInstead, Strategy, Team, play};
use std::sync::mpsc::{Sender, channel};

const NAMES: [&str; 16] = [
    "Henkiebunch",
    "Deep Water",
    "C",
    "D",
    "E",
    "F",
    "G",
    "H",
    "I",
    "J",
    "K",
    "L",
    "M",
    "N",
    "\u{c4}hren & S\u{f6}hne",
    "P",
];

/// Plays a match; server, clients and record agree on the winner.
fn to_the_end(server: RunningServer, names: &[&str], broker: &BrokerAddress) {
    let clients: Vec<RunningClient> =
        names.iter().map(|name| RunningClient::start(team(name, broker.clone()))).collect();
    let OwnedEvent::Begun { record, turns: 0 } = server.wait_for(|told| matches!(told, OwnedEvent::Begun { .. }))
    else {
        panic!()
    };
    let OwnedEvent::Over(outcome, seated) = server.wait_for(|told| matches!(told, OwnedEvent::Over(..))) else {
        panic!()
    };
    assert_eq!(seated.len(), names.len());
    let winner = &seated[outcome.winner.unwrap().index()];
    for client in clients {
        let (ended, strategy) = client.ended();
        assert_eq!(ended.unwrap().winner.as_ref(), Some(winner));
        assert!(strategy.hits >= 17 * (names.len() as u32 - 1), "{} hits", strategy.hits);
        // A salvo may sink the last ship of its target before its last shot.
        let in_vain = "the target is out of the game already";
        assert!(strategy.errors.iter().all(|error| error == in_vain), "{:?}", strategy.errors);
    }
    server.finish();
    assert_eq!(verified(&record), *outcome);
}

fn by_our_own_broker(players: u8) {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(options(&folder, players));
    let broker = broker(server.address);
    to_the_end(server, &NAMES[..usize::from(players)], &broker);
}

fn by_mosquitto(players: u8) {
    let folder = tempfile::tempdir().unwrap();
    let names = &NAMES[..usize::from(players)];
    let Some(mosquitto) = Mosquitto::start(names) else { return };
    let server = RunningServer::through(options(&folder, players), mosquitto.network());
    to_the_end(server, names, &mosquitto.broker());
}

#[test]
fn two_teams_by_our_own_broker() {
    by_our_own_broker(2);
}

#[test]
fn four_teams_by_our_own_broker() {
    by_our_own_broker(4);
}

#[test]
fn sixteen_teams_by_our_own_broker() {
    by_our_own_broker(16);
}

#[test]
fn two_teams_by_mosquitto() {
    by_mosquitto(2);
}

#[test]
fn four_teams_by_mosquitto() {
    by_mosquitto(4);
}

#[test]
fn sixteen_teams_by_mosquitto() {
    by_mosquitto(16);
}

/// A strategy without orders, which passes on all events.
struct Waiting(Sender<String>);

impl Strategy for Waiting {
    fn order(&mut self, _: &View, _: &BySeat<String>) -> Option<Order> {
        None
    }

    fn hear(&mut self, event: &ClientEvent<'_>, _: &View, _: &BySeat<String>) {
        // The test may have ended.
        let _ = match event {
            ClientEvent::NoServer { broker, .. } => self.0.send(format!("server at {broker}")),
            ClientEvent::NoBroker { broker, .. } => self.0.send(format!("{broker}")),
            other => self.0.send(format!("{other:?}")),
        };
    }
}

/// A strategy that passes on what the client finds instead of a server.
struct Finding(Sender<(String, FoundInstead)>);

impl Strategy for Finding {
    fn order(&mut self, _: &View, _: &BySeat<String>) -> Option<Order> {
        None
    }

    fn hear(&mut self, event: &ClientEvent<'_>, _: &View, _: &BySeat<String>) {
        if let ClientEvent::NoServer { topic, found, .. } = event {
            let _ = self.0.send(((*topic).to_owned(), (*found).clone()));
        }
    }
}

#[test]
fn a_client_without_a_server_finds_what_there_is_instead() {
    let Some(_) = test_tools::required("mosquitto") else { return };
    let mosquitto = Mosquitto::open(tempfile::tempdir().unwrap(), "user root\n");
    let other = RawClient::come("other", &mosquitto.broker(), |_| {});
    for (topic, text) in [("/monday/game/state", "lobby"), ("/friday/game/winner", "A"), ("/house/light", "on")] {
        other.client.publish(topic, rumqttc::QoS::AtLeastOnce, true, text).unwrap();
    }
    // The broker has taken in what came before.
    assert!(other.subscribes("/none"));
    let (tell, told) = channel();
    let client = Team { topics: Topics::below("friday").unwrap(), ..team("A", mosquitto.broker()) };
    std::thread::spawn(move || play(&client, &mut Finding(tell), None));
    let (topic, found) = told.recv_timeout(PATIENCE).unwrap();
    assert_eq!(topic, "/friday/game/state");
    assert_eq!(found.prefixes.into_iter().collect::<Vec<_>>(), ["monday"]);
    assert_eq!(found.topics.into_iter().collect::<Vec<_>>(), ["/friday/game/winner"]);
}

#[test]
fn a_client_is_told_what_it_waits_for() {
    let Some(mut mosquitto) = Mosquitto::start(&["A"]) else { return };
    let address = mosquitto.broker();
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::through(options(&folder, 2), mosquitto.network());
    let (tell, told) = channel();
    let client = team("A", address.clone());
    // The client plays until the broker has been away for too long, or the tests are over.
    std::thread::spawn(move || play(&client, &mut Waiting(tell), None));
    // The list of players is of no interest here.
    let hears = || loop {
        let told = told.recv_timeout(PATIENCE).unwrap();
        if !told.starts_with("Players") {
            return told;
        }
    };
    assert_eq!(hears(), "State(\"lobby\")");
    server.stop();
    // The broker that starts has forgotten the game, so the client waits for a server again.
    mosquitto.kill_and_start();
    assert_eq!(hears(), format!("{address}"));
    assert_eq!(hears(), format!("server at {address}"));
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::through(options(&folder, 2), mosquitto.network());
    server.wait_for(|told| matches!(told, OwnedEvent::Joined(_)));
    server.stop();
}

#[test]
fn a_burst_of_messages_is_read_whole_by_mosquitto() {
    let Some(mosquitto) = Mosquitto::start(&NAMES) else { return };
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::through(options(&folder, 16), mosquitto.network());
    let reader = RawClient::come("reader", &mosquitto.broker(), |options| {
        options.set_credentials(NAMES[0], secret(NAMES[0]));
    });
    assert!(reader.subscribes("/players/list"));
    // Each request is answered to everyone, so these answers come closer together than the broker acknowledges them.
    for name in NAMES {
        reader.says(
            "/game/request_participation",
            body::request(&Request { name: name.to_owned(), secret: secret(name), code: None }),
        );
    }
    for count in 0..=NAMES.len() {
        let names = |text: &str| serde_json::from_str::<Vec<String>>(text).unwrap().len();
        reader.hears_until(|_, text| names(text) == count);
    }
    server.stop();
}
