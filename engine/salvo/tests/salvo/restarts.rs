//! Servers, brokers and clients that end in the middle of a game.

use crate::fixture::{
    Mosquitto, OwnedEvent, RawClient, RunningClient, RunningServer, broker, fleet, options, team, verified,
};
use crate::scripted_team::{A, B, ScriptedTeam, facing};
use rules::salvo::{Settings, body};
use salvo::{BrokerAddress, Network, Options};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

const NAMES: [&str; 2] = [A, B];

/// Starts both clients, and waits for the end of two salvos. Whoever waits has subscribed before the clients come: under load they play
/// the whole match before a later subscription.
fn two_salvos(broker: &BrokerAddress) -> [RunningClient; 2] {
    let watch = RawClient::come("watch", broker, |_| {});
    assert!(watch.subscribes("/game/hits"));
    let clients = NAMES.map(|name| RunningClient::start(team(name, broker.clone())));
    for _ in 0..2 {
        watch.hears_until(|topic, _| topic == "/game/hits");
    }
    clients
}

fn the_end(server: RunningServer, clients: [RunningClient; 2], turns_known: bool) {
    let OwnedEvent::Begun { record, turns } = server.wait_for(|told| matches!(told, OwnedEvent::Begun { .. })) else {
        panic!()
    };
    assert_eq!(turns > 0, turns_known, "{turns}");
    let OwnedEvent::Over(outcome, seated) = server.wait_for(|told| matches!(told, OwnedEvent::Over(..))) else {
        panic!()
    };
    let winner = &seated[outcome.winner.unwrap().index()];
    for client in clients {
        assert_eq!(client.ended().0.unwrap().winner.as_ref(), Some(winner));
    }
    server.stop();
    assert_eq!(verified(&record), *outcome);
}

#[test]
fn a_server_that_is_started_again_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(options(&folder, 2));
    let address = server.address;
    let clients = two_salvos(&broker(address));
    server.stop();
    let server = RunningServer::through(options(&folder, 2), Network::Embedded(address));
    the_end(server, clients, true);
}

#[test]
fn a_server_at_mosquitto_that_is_started_again_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mosquitto) = Mosquitto::start(&NAMES) else { return };
    let server = RunningServer::through(options(&folder, 2), mosquitto.network());
    let clients = two_salvos(&mosquitto.broker());
    server.stop();
    let server = RunningServer::through(options(&folder, 2), mosquitto.network());
    the_end(server, clients, true);
}

#[test]
fn a_broker_that_is_killed_and_started_again_has_the_game_told_anew() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut mosquitto) = Mosquitto::start(&NAMES) else { return };
    let server = RunningServer::through(options(&folder, 2), mosquitto.network());
    let clients = two_salvos(&mosquitto.broker());
    mosquitto.kill_and_start();
    the_end(server, clients, false);
}

#[test]
fn a_lobby_is_found_again_with_its_teams() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(options(&folder, 2));
    let address = server.address;
    let first = RunningClient::start(team(NAMES[0], broker(address)));
    server.wait_for(|told| matches!(told, OwnedEvent::Ready(_)));
    server.stop();
    let server = RunningServer::through(options(&folder, 2), Network::Embedded(address));
    let second = RunningClient::start(team(NAMES[1], broker(address)));
    the_end(server, [first, second], false);
}

/// The result of a match, as a new subscriber hears it.
fn result(broker: &BrokerAddress) -> BTreeMap<String, String> {
    let watch = RawClient::come("watch", broker, |_| {});
    assert!(watch.subscribes("/game/winner") && watch.subscribes("/game/stats/+") && watch.subscribes("/game/state"));
    let mut heard = BTreeMap::new();
    while heard.len() < 8 || heard["/game/state"] != "over" {
        heard.extend(watch.hears_until(|_, _| true));
    }
    heard
}

#[test]
fn a_result_is_found_again_until_the_next_lobby() {
    let folder = tempfile::tempdir().unwrap();
    let long = Options { lobby_after: Duration::from_secs(3600), matches: None, ..options(&folder, 2) };
    let server = RunningServer::start(long.clone());
    let broker = broker(server.address);
    let clients = NAMES.map(|name| RunningClient::start(team(name, broker.clone())));
    clients.into_iter().for_each(|client| drop(client.ended().0.unwrap()));
    let before = result(&broker);
    server.stop();
    for _ in 0..2 {
        let server = RunningServer::start(long.clone());
        assert_eq!(result(&BrokerAddress { port: server.address.port(), ..broker.clone() }), before);
        server.stop();
    }
    // The lobby opens after the time of the result, and then the match is not shown any more.
    let short = Options { lobby_after: Duration::ZERO, ..long };
    for is_over in [true, false] {
        let server = RunningServer::start(short.clone());
        let first = server.wait_for(|_| true);
        assert_eq!(matches!(first, OwnedEvent::Begun { .. }), is_over, "{first:?}");
        if is_over {
            server.wait_for(|told| matches!(told, OwnedEvent::Lobby));
        }
        server.stop();
    }
}

#[test]
fn what_is_kept_of_a_game_is_taken_back_before_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(salvo::Options { matches: Some(2), ..options(&folder, 2) });
    let broker: BrokerAddress = broker(server.address);
    for game in 0..2 {
        let clients = NAMES.map(|name| RunningClient::start(team(name, broker.clone())));
        clients.into_iter().for_each(|client| drop(client.ended().0.unwrap()));
        if game == 0 {
            let late = RawClient::come("late", &broker, |_| {});
            assert!(late.subscribes("/game/state"));
            late.hears_until(|_, text| text == "lobby");
            assert!(late.subscribes("/game/#") && late.subscribes("/player/#"));
            let heard = late.hears_until(|topic, _| topic == "/game/state");
            assert!(heard.iter().all(|(topic, text)| topic == "/game/state" || text.is_empty()), "{heard:?}");
        }
    }
    server.finish();
}

#[test]
fn what_an_earlier_server_has_left_at_mosquitto_is_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mosquitto) = Mosquitto::start(&NAMES) else { return };
    let left = ["/game/current", "/players/Henkiebunch/ships/submarine/sunk", "/player/Somebody/defeated"];
    let earlier = RawClient::come("earlier", &mosquitto.as_server(), |_| {});
    for topic in left {
        earlier.client.publish(topic, rumqttc::QoS::ExactlyOnce, true, "Somebody").unwrap();
        assert!(earlier.subscribes(topic));
    }
    let server = RunningServer::through(options(&folder, 2), mosquitto.network());
    for topic in left {
        earlier.hears_until(|heard, text| heard == topic && text.is_empty());
    }
    let clients = NAMES.map(|name| RunningClient::start(team(name, mosquitto.broker())));
    the_end(server, clients, false);
}

#[test]
fn a_client_that_comes_again_in_the_lobby_places_its_ships() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(options(&folder, 2));
    let broker = broker(server.address);
    // This client sends a request and vanishes before it has placed a ship.
    let gone = ScriptedTeam::come(A, &broker);
    gone.asks();
    server.wait_for(|told| matches!(told, OwnedEvent::Joined(_)));
    drop(gone);
    let clients = NAMES.map(|name| RunningClient::start(team(name, broker.clone())));
    the_end(server, clients, false);
}

#[test]
fn a_client_that_comes_again_in_its_own_turn_fires() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(options(&folder, 2));
    let broker = broker(server.address);
    let (first, second) = facing(&broker);
    let name = first.name;
    drop(first);
    let again = RunningClient::start(team(name, broker.clone()));
    second.waits_for(&format!("/players/{}/hit", second.name));
    second.waits_for("/game/current");
    drop(second);
    let clients = if name == A {
        [again, RunningClient::start(team(B, broker))]
    } else {
        [RunningClient::start(team(A, broker)), again]
    };
    the_end(server, clients, false);
}

/// The lines of a journal with two complete fleets.
fn journal() -> String {
    let lines = NAMES.iter().flat_map(|name| {
        let placed = fleet().into_iter().map(move |ship| {
            json!({ "what": "placed", "name": name, "ship": ship.ship.name(), "place": body::placement(ship) })
        });
        [json!({ "what": "joined", "name": name, "secret": "x" })].into_iter().chain(placed)
    });
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_record_that_was_cut_anywhere_at_its_end_is_completed() {
    let folder = tempfile::tempdir().unwrap();
    // Nobody fires, so that the match ends by itself after a round.
    let options = Options {
        turn: Duration::from_millis(1),
        lobby_after: Duration::ZERO,
        settings: Settings { rounds_without_sinking: 1 },
        ..options(&folder, 2)
    };
    let (file, record) = (options.folder.join(salvo::JOURNAL), "records/0001/match.jsonl");
    fs::create_dir_all(&options.folder).unwrap();
    fs::write(&file, journal()).unwrap();
    RunningServer::start(options.clone()).finish();
    let path = options.folder.join(record);
    let (whole, outcome) = (fs::read(&path).unwrap(), verified(&path));
    let last_turn = String::from_utf8_lossy(&whole).rfind("{\"turn\":").unwrap();
    let unfinished = format!("{}{}\n", journal(), json!({ "what": "begun", "record": record }));
    for cut in last_turn..=whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        fs::write(&file, &unfinished).unwrap();
        let server = RunningServer::start(options.clone());
        let end = server.wait_for(|told| matches!(told, OwnedEvent::Over(..)));
        server.finish();
        assert_eq!(end, OwnedEvent::Over(Box::new(outcome.clone()), NAMES.map(str::to_owned).to_vec()), "{cut}");
        assert_eq!(verified(&path), outcome, "{cut} of {} bytes", whole.len());
    }
}
