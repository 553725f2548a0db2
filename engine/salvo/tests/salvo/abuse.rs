//! Careless and malicious clients, which must not stop the game.

use crate::fixture::{
    Mosquitto, OwnedEvent, RawClient, RunningClient, RunningServer, Traffic, broker, cells, options, secret, team,
    verified,
};
use crate::scripted_team::{A, B, ScriptedTeam, facing};
use rules::Point;
use rules::salvo::body;
use salvo::{BrokerAddress, Network};
use std::sync::mpsc::channel;
use std::time::Duration;

/// A time limit that a test waits for.
const BRIEF: Duration = Duration::from_millis(300);

/// With a broker that `knows_senders` the server reports every mistake; with another one it reports those of signed
/// shots only.
fn shots_that_do_not_count(server: RunningServer, broker: &BrokerAddress, knows_senders: bool) {
    let (mut first, mut second) = facing(broker);
    let target = second.name;
    let at = Point::new(0, 0);

    // These are reported to nobody, in particular not to the current player.
    let forged = second.shot_with(at, at, "another secret");
    let client = RawClient::come("client", broker, |_| {});
    client.says(&format!("/players/{target}/fire"), forged.as_str());
    client.says("/players/Nobody/fire", forged.as_str());
    client.says(&format!("/players/{target}/fire"), "BOOM");
    let own = second.shot(at);
    second.fires(first.name, &own);
    if knows_senders {
        assert_eq!(second.error(), format!("it is the turn of {}", first.name));
    }

    let right = first.shot(at);
    let other = first.shot_with(at, Point::new(1, 0), &secret(first.name));
    let off_board = first.shot(Point::new(10, 0));
    let signed = [
        (target, other.as_str(), "the signature is that of another shot"),
        (target, &off_board, "10, 0 is off the board"),
        (first.name, &right, "nobody may fire at its own board"),
    ];
    let unsigned = [
        ("Nobody", right.as_str(), "there is no player \"Nobody\""),
        (
            target,
            &first.shot_with(at, at, "another secret"),
            "the signature: it was not encrypted with the team's secret",
        ),
        (target, r#"{"x":1,"y":1}"#, "data is missing"),
        (target, r#"{"data":{"x":1,"y":1},"signature":"me"}"#, "the signature: it is not base64 of at least 56 bytes"),
        (target, "BOOM", "not JSON: expected value at line 1 column 1"),
    ];
    for (at, message, error) in unsigned.into_iter().filter(|_| knows_senders).chain(signed) {
        first.fires(at, message);
        assert_eq!(first.error(), error, "{message}");
    }

    // None of these counted as a shot: five are left.
    let shots: Vec<String> = cells().take(5).map(|at| first.shot(at)).collect();
    first.fires(target, &shots[0]);
    first.fires(target, &shots[0]);
    if knows_senders {
        assert_eq!(first.error(), "the signature was used before");
    }
    shots[1..].iter().for_each(|shot| first.fires(target, shot));
    assert_eq!(first.waits_for("/game/hits"), "5");
    assert_eq!(first.waits_for("/game/current"), target);

    let heard = second.client.hears_until(|topic, _| topic == "/game/hits");
    let hit = format!("/players/{target}/hit");
    let told: Vec<&str> = heard.iter().filter(|(topic, _)| *topic == hit).map(|(_, text)| text.as_str()).collect();
    assert_eq!(told, cells().take(5).map(body::cell).collect::<Vec<_>>(), "where they fell, in their order");

    // One shot beyond the end of the salvo, and one of an earlier salvo.
    let surplus = first.shot(Point::new(9, 9));
    first.fires(target, &surplus);
    if knows_senders {
        assert_eq!(first.error(), format!("it is the turn of {target}"));
    }
    let own_board = second.shot(at);
    second.fires(target, &own_board);
    let heard = second.client.hears_until(|topic, _| topic.ends_with("/error"));
    let errors = heard.iter().filter(|(topic, _)| topic.ends_with("/error"));
    let errors: Vec<&str> = errors.map(|(_, text)| text.as_str()).collect();
    assert_eq!(errors, ["nobody may fire at its own board"], "the first that it hears of since its turn began");
    server.stop();
}

#[test]
fn shots_that_do_not_count_by_our_own_broker() {
    let (server, broker) = RunningServer::for_two();
    shots_that_do_not_count(server, &broker, true);
}

#[test]
fn shots_that_do_not_count_by_mosquitto() {
    let Some((mosquitto, server)) = RunningServer::for_two_by_mosquitto(&[A, B]) else { return };
    shots_that_do_not_count(server, &mosquitto.broker(), false);
}

#[test]
fn a_flood_of_forged_shots_does_not_stop_the_game() {
    let (server, broker) = RunningServer::for_two();
    let (mut first, second) = facing(&broker);
    let shots: Vec<String> = cells().take(5).map(|at| first.shot(at)).collect();
    let client = RawClient::come("flood", &broker, |_| {});
    let forged = first.shot_with(Point::new(0, 0), Point::new(0, 0), "another secret");
    for _ in 0..1000 {
        client
            .client
            .publish(format!("/players/{}/fire", second.name), rumqttc::QoS::AtMostOnce, false, forged.as_str())
            .unwrap();
    }
    shots.iter().for_each(|shot| first.fires(second.name, shot));
    assert_eq!(first.waits_for("/game/hits"), "5");
    server.stop();
}

#[test]
fn who_keeps_sending_cannot_hold_the_time_up() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(salvo::Options { turn: Duration::from_millis(500), ..options(&folder, 2) });
    let broker = broker(server.address);
    let (mut first, second) = facing(&broker);
    let forged = first.shot_with(Point::new(0, 0), Point::new(0, 0), "another secret");
    let flooder = RawClient::come("flood", &broker, |_| {});
    let topic = format!("/players/{}/fire", second.name);
    let (tell, told) = channel();
    // The thread ends with the connection.
    let flood = std::thread::spawn(move || {
        tell.send(()).unwrap();
        while flooder.client.publish(&topic, rumqttc::QoS::AtMostOnce, false, forged.as_str()).is_ok() {}
    });
    told.recv().unwrap();
    // Who comes now hears the current player first, and then of salvos that end during the flood.
    let watch = RawClient::come("watch", &broker, |_| {});
    assert!(watch.subscribes("/game/current"));
    let current = [(); 3].map(|()| watch.hears_until(|topic, _| topic == "/game/current").pop().unwrap().1);
    assert!(current[0] != current[1] && current[0] == current[2], "{current:?}");
    server.stop();
    flood.join().unwrap();
}

#[test]
fn too_long_and_unreadable_messages_are_dropped() {
    let (server, broker) = RunningServer::for_two();
    let (mut first, second) = facing(&broker);
    let topic = format!("/players/{}/fire", second.name);
    let client = RawClient::come("long", &broker, |_| {});
    client.says(&topic, vec![b'{'; 60_000]);
    client.says(&topic, vec![0xff; 100]);
    // A packet above the limit of the broker ends the connection.
    client.says(&topic, vec![b'x'; 100_000]);
    while !matches!(client.next(), Traffic::Gone(_)) {}
    for at in cells().take(5) {
        let shot = first.shot(at);
        first.fires(second.name, &shot);
    }
    assert_eq!(first.waits_for("/game/hits"), "5");
    server.stop();
}

#[test]
fn what_a_stranger_writes_on_long_topics_reaches_no_team() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(options(&folder, 2));
    let broker = broker(server.address);
    let team = ScriptedTeam::come(A, &broker);
    assert!(team.client.subscribes(&format!("/players/{A}/ships/#")));
    team.asks();
    server.wait_for(|told| matches!(told, OwnedEvent::Joined(_)));
    let stranger = RawClient::come("stranger", &broker, |_| {});
    let separators = "-".repeat(60_000);
    for ship in [format!("carrier{separators}"), format!("raft{separators}"), "Carrier".to_owned()] {
        stranger.says(&format!("/players/{A}/ships/{ship}/place"), "garbage");
    }
    let heard = team.client.hears_until(|topic, _| topic == format!("/players/{A}/ships/Carrier/error"));
    assert!(heard.iter().all(|(topic, text)| topic.len() < 100 && text.len() < 100), "{heard:?}");
    server.stop();
}

#[test]
fn a_name_is_taken_once() {
    let (server, broker) = RunningServer::for_two();
    let client = RawClient::come("client", &broker, |_| {});
    assert!(client.subscribes("/game/refused"));
    let request = |name: &str, secret: &str| format!(r#"{{"name": "{name}", "secret": "{secret}"}}"#);
    let other = RawClient::come("another client", &broker, |_| {});
    let asks = |text: &str| other.says("/game/request_participation", text);
    let asks_again = |text: &str| client.says("/game/request_participation", text);
    // The example of the published text.
    asks_again(r#"{"name": "Henkiebunch", "secret": "cockadoodledoo"}"#);
    assert_eq!(server.wait_for(|told| matches!(told, OwnedEvent::Joined(_))), OwnedEvent::Joined(A.to_owned()));
    let refused = || client.hears_until(|topic, _| topic == "/game/refused").pop().unwrap().1;
    asks(&request(A, "another"));
    assert_eq!(refused(), r#"{"name":"Henkiebunch","error":"the name is taken, and the secret is another one"}"#);
    asks(&request("henkiebunch", "cockadoodledoo"));
    assert_eq!(refused(), r#"{"name":"henkiebunch","error":"the name is taken, and the secret is another one"}"#);
    asks(&request("a/b", "x"));
    assert!(refused().starts_with(r#"{"name":"a/b","error":"a name has 1 to 32 letters"#));
    asks(&request("C", ""));
    assert_eq!(refused(), r#"{"name":"C","error":"a secret has 1 to 1024 bytes"}"#);
    asks("let me in");
    assert!(refused().starts_with(r#"{"name":"","error":"not JSON"#));
    // A team may repeat its request, but its connection cannot request another name: it could not read the answers.
    asks_again(&request(A, "cockadoodledoo"));
    asks_again(&request("D", "x"));
    assert_eq!(refused(), r#"{"name":"D","error":"the name is not the one that you came to the broker with"}"#);
    asks(&request("D", "x"));
    assert_eq!(server.wait_for(|told| matches!(told, OwnedEvent::Joined(_))), OwnedEvent::Joined("D".to_owned()));
    server.stop();
}

#[test]
fn nobody_comes_in_as_somebody_else_or_leaves_a_will() {
    let (server, broker) = RunningServer::for_two();
    let a = ScriptedTeam::come(A, &broker);
    let gone = |client: &RawClient| match client.next() {
        Traffic::Gone(error) => error,
        other => panic!("{other:?}"),
    };
    let login = |password: &str| BrokerAddress { login: Some((A.to_owned(), password.to_owned())), ..broker.clone() };
    let error = gone(&RawClient::come("other", &login("guess"), |_| {}));
    assert!(error.contains("BadUserNamePassword"), "{error}");
    // With the identifier of that team's client it would disconnect that client.
    gone(&RawClient::come(A, &broker, |_| {}));
    let will = rumqttc::LastWill::new("/game/winner", "me", rumqttc::QoS::AtMostOnce, true);
    let error = gone(&RawClient::come("will", &broker, |options| {
        options.set_last_will(will);
    }));
    assert!(error.contains("NotAuthorized"), "{error}");
    assert!(a.client.subscribes("/game/state"), "it is still connected");
    server.stop();
}

/// A spy subscribes to every topic while two teams play.
fn spied_on(server: RunningServer, broker: &BrokerAddress, refuses: bool) {
    let spy = RawClient::come("spy", broker, |_| {});
    let filters = [
        "#",
        "/#",
        "+/#",
        "/players/#",
        "/players/+/hit",
        "/players/+/fire",
        "/players/Henkiebunch/hit",
        "/players/+/ships/+/place",
        "/players/+/ships/+/error",
        "/players/+/error",
        "/game/request_participation",
        "$share/spies//players/+/hit",
    ];
    for filter in filters {
        let may = spy.subscribes(filter);
        // Messages for the server are never routed, so the broker allows these filters. A filter for one player waits until
        // the client says who it is, which the spy never does.
        let harmless = filter.ends_with("fire") || filter.ends_with("place") || filter.ends_with("participation");
        let waits = filter == "/players/Henkiebunch/hit";
        assert!(!refuses || may == (harmless || waits), "{filter}: {may}");
    }
    assert!(spy.subscribes("/game/#") && spy.subscribes("/player/#") && spy.subscribes("/players/+/ships/+/sunk"));
    let clients = [A, B].map(|name| RunningClient::start(team(name, broker.clone())));
    let heard = spy.hears_until(|topic, text| topic == "/game/state" && text == "over");
    clients.into_iter().for_each(|client| drop(client.ended().0.unwrap()));
    assert!(heard.iter().any(|(topic, _)| topic.ends_with("/sunk")), "it heard what everyone may hear");
    for (topic, text) in &heard {
        let secret = text.contains("secret") || text.contains("\"x\"") || text.contains("coordinates");
        let private = ["/hit", "/fire", "/place", "/error", "participation"].iter().any(|end| topic.ends_with(end));
        assert!(!secret && !private, "{topic} {text}");
    }
    server.stop();
}

#[test]
fn a_spy_at_our_own_broker_learns_nothing() {
    let (server, broker) = RunningServer::for_two();
    spied_on(server, &broker, true);
}

#[test]
fn a_spy_at_mosquitto_learns_nothing() {
    let Some((mosquitto, server)) = RunningServer::for_two_by_mosquitto(&[A, B]) else { return };
    spied_on(server, &mosquitto.broker(), false);
}

#[test]
fn who_vanishes_loses_its_salvos_and_the_game_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    // A shot of the other team that comes too late is fired again.
    let server = RunningServer::start(salvo::Options { turn: Duration::from_millis(500), ..options(&folder, 2) });
    let broker = broker(server.address);
    let mut vanishing = ScriptedTeam::come(A, &broker);
    vanishing.joins_and_places();
    assert_eq!(server.wait_for(|told| matches!(told, OwnedEvent::Ready(_))), OwnedEvent::Ready(A.to_owned()));
    drop(vanishing);
    let stays = RunningClient::start(team(B, broker));
    let OwnedEvent::Begun { record, .. } = server.wait_for(|told| matches!(told, OwnedEvent::Begun { .. })) else {
        panic!()
    };
    assert_eq!(stays.ended().0.unwrap().winner.as_deref(), Some(B));
    server.wait_for(|told| matches!(told, OwnedEvent::Over(..)));
    server.stop();
    assert_eq!(verified(&record).ranking.len(), 2);
}

#[test]
fn who_does_not_place_in_time_is_out() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(salvo::Options { place: BRIEF, ..options(&folder, 2) });
    let idle = ScriptedTeam::joined("Idle", &broker(server.address), &server);
    assert_eq!(server.wait_for(|told| matches!(told, OwnedEvent::Late(_))), OwnedEvent::Late("Idle".to_owned()));
    assert_eq!(idle.error(), "not all ships were placed in time; ask again to take part");
    server.stop();
}

#[test]
fn a_match_begins_without_who_does_not_place_in_time() {
    let Some(mosquitto) = Mosquitto::start(&[A, B, "Idle"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let usual = || salvo::Options { players: None, ..options(&folder, 2) };
    let server = RunningServer::through(usual(), mosquitto.network());
    let idle = ScriptedTeam::joined("Idle", &mosquitto.broker(), &server);
    let clients = [A, B].map(|name| RunningClient::start(team(name, mosquitto.broker())));
    clients.iter().for_each(|_| drop(server.wait_for(|told| matches!(told, OwnedEvent::Ready(_)))));
    server.stop();
    // A server that is started again counts the time anew. So two teams had all the time that they needed.
    let server = RunningServer::through(salvo::Options { place: BRIEF, ..usual() }, mosquitto.network());
    assert_eq!(server.wait_for(|told| matches!(told, OwnedEvent::Late(_))), OwnedEvent::Late("Idle".to_owned()));
    let OwnedEvent::Over(_, names) = server.wait_for(|told| matches!(told, OwnedEvent::Over(..))) else { panic!() };
    assert_eq!(names.len(), 2);
    clients.into_iter().for_each(|client| drop(client.ended().0.unwrap()));
    drop(idle);
    server.stop();
}

#[test]
fn there_is_no_server_without_a_broker() {
    let folder = tempfile::tempdir().unwrap();
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = salvo::Server::open(options(&folder, 2), Network::External(broker(nobody))).err().unwrap();
    assert!(error.to_string().contains(&format!("mqtt://{nobody}")), "{error}");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let error = salvo::Server::open(options(&folder, 2), Network::Embedded(address)).err().unwrap();
    assert!(error.to_string().contains(&address.to_string()), "{error}");
}
