//! Whole games, by the broker of our own and by Mosquitto.

use crate::table::{Mosquitto, Running, Sailing, Told, broker, options, team, verified};
use salvo::Broker;

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

/// All clients play, the server says who won, and so do they and the record.
fn to_the_end(server: Running, names: &[&str], broker: &Broker) {
    let clients: Vec<Sailing> = names.iter().map(|name| Sailing::start(team(name, broker.clone()))).collect();
    let Told::Begun { record, turns: 0 } = server.wait_for(|told| matches!(told, Told::Begun { .. })) else { panic!() };
    let Told::Over(outcome, seated) = server.wait_for(|told| matches!(told, Told::Over(..))) else { panic!() };
    assert_eq!(seated.len(), names.len());
    let winner = &seated[outcome.winner.unwrap().index()];
    for client in clients {
        let (ended, captain) = client.ended();
        assert_eq!(ended.unwrap().winner.as_ref(), Some(winner));
        assert!(captain.hits >= 17 * (names.len() as u32 - 1), "{} hits", captain.hits);
        // A salvo may sink the last ship of its target before its last shot.
        let in_vain = "the target is out of the game already";
        assert!(captain.errors.iter().all(|error| error == in_vain), "{:?}", captain.errors);
    }
    server.finish();
    assert_eq!(verified(&record), *outcome);
}

fn by_our_own_broker(players: u8) {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(options(&folder, players));
    let broker = broker(server.address);
    to_the_end(server, &NAMES[..usize::from(players)], &broker);
}

fn by_mosquitto(players: u8) {
    let folder = tempfile::tempdir().unwrap();
    let names = &NAMES[..usize::from(players)];
    let Some(mosquitto) = Mosquitto::start(names) else { return };
    let server = Running::through(options(&folder, players), mosquitto.network());
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
