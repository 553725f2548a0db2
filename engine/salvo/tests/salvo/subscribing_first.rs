//! Clients without a login that subscribe to private topics before they say who they are.

use crate::fixture::{OwnedEvent, RawClient, RunningClient, RunningServer, broker, options, secret, team};
use crate::scripted_team::{A, B, ScriptedTeam};
use rules::salvo::body;
use rumqttc::v5::mqttbytes::v5::{Filter, Packet, SubscribeProperties};
use rumqttc::v5::{self, mqttbytes};
use salvo::BrokerAddress;

fn says_who(client: &RawClient, name: &str) {
    let request = body::Request { name: name.to_owned(), secret: secret(name), code: None };
    client.says("/game/request_participation", body::request(&request));
}

/// Lets the server write on `/players/NAME/error`.
fn provokes_an_error(team: &ScriptedTeam) {
    team.client.says(&format!("/players/{}/ships/raft/place", team.name), "x");
}

fn anonymous(identifier: &str, broker: &BrokerAddress) -> RawClient {
    RawClient::come(identifier, broker, |_| {})
}

#[test]
fn who_subscribes_first_is_served_as_soon_as_it_says_who_it_is() {
    let (server, broker) = RunningServer::for_two();
    let client = anonymous("first", &broker);
    for path in ["hit", "error", "ships/Carrier/error", "ships/+/approved"] {
        assert!(client.subscribes(&format!("/players/{A}/{path}")), "{path}");
    }
    says_who(&client, A);
    client.says(&format!("/players/{A}/ships/Carrier/place"), "not encrypted");
    let heard = client.hears_until(|topic, _| topic.ends_with("/ships/Carrier/error"));
    let reason = "it is not base64 of at least 56 bytes";
    assert_eq!(heard.last().unwrap().1, reason);
    assert!(heard.contains(&(format!("/players/{A}/error"), format!("carrier: {reason}"))), "{heard:?}");
    server.stop();
}

#[test]
fn what_comes_while_a_subscription_waits_is_not_delivered_and_what_comes_later_is() {
    let (server, broker) = RunningServer::for_two();
    let a = ScriptedTeam::joined(A, &broker, &server);
    let waits = anonymous("waits", &broker);
    assert!(waits.subscribes(&format!("/players/{A}/#")) && waits.subscribes("/game/refused"));
    for _ in 0..3 {
        provokes_an_error(&a);
        assert!(a.error().contains("there is no ship \"raft\""));
    }
    // Again while it waits: the broker has removed the subscription from its routing by now.
    assert!(waits.subscribes(&format!("/players/{A}/error")));
    provokes_an_error(&a);
    a.error();
    // The first message that it hears shows that nothing came before.
    says_who(&waits, A);
    waits.says("/players/x/ships/raft/place", "x");
    let heard = waits.hears_until(|topic, _| topic == format!("/players/{A}/error"));
    assert_eq!(heard, [(format!("/players/{A}/error"), "the ships of x are not yours".to_owned())]);
    provokes_an_error(&a);
    assert!(waits.hears_until(|_, text| text.contains("raft")).len() < 5);
    server.stop();
}

#[test]
fn who_says_to_be_somebody_else_gets_nothing_of_what_it_subscribed_to() {
    let (server, broker) = RunningServer::for_two();
    let spies = ["one", "other"].map(|identifier| anonymous(identifier, &broker));
    for spy in &spies {
        for path in ["hit", "error", "ships/+/error", "#"] {
            assert!(spy.subscribes(&format!("/players/{A}/{path}")), "{path}");
        }
        assert!(spy.subscribes(&format!("$share/spies//players/{B}/hit")));
        assert!(spy.subscribes("/players/Spy/error") && spy.subscribes("/game/state"));
    }
    // One of them says who it is, which is not A; the other one guesses the secret of A.
    says_who(&spies[0], "Spy");
    let told = spies[0].hears_until(|_, text| text.contains("$share")).into_iter().map(|(_, text)| text);
    let told: Vec<String> = told.filter(|text| text.contains("only")).collect();
    assert_eq!(told.len(), 5, "{told:?}");
    assert!(told.contains(&format!("/players/{A}/hit: only {A} may read this")), "{told:?}");
    server.wait_for(|told| matches!(told, OwnedEvent::Joined(_)));
    let guess = format!(r#"{{"name":"{A}","secret":"guess"}}"#);
    let clients = [A, B].map(|name| RunningClient::start(team(name, broker.clone())));
    server.wait_for(|told| matches!(told, OwnedEvent::Begun { .. }));
    spies[1].says("/game/request_participation", guess);
    clients.into_iter().for_each(|client| drop(client.ended().0.unwrap()));
    for spy in &spies {
        let heard = spy.hears_until(|topic, text| topic == "/game/state" && text == "over");
        let private = ["/hit", "/error", "/place", "/fire"];
        let own = "/players/Spy/error";
        for (topic, text) in heard {
            assert!(topic == own || !private.iter().any(|end| topic.ends_with(end)), "{topic} {text}");
        }
    }
    server.stop();
}

#[test]
fn a_session_that_ends_while_it_waits_leaves_nothing_to_the_next() {
    let (server, broker) = RunningServer::for_two();
    let a = ScriptedTeam::joined(A, &broker, &server);
    let keeps_its_session = || {
        RawClient::come("session", &broker, |options| {
            options.set_clean_session(false);
        })
    };
    let before = keeps_its_session();
    assert!(before.subscribes(&format!("/players/{A}/error")));
    before.client.disconnect().unwrap();
    drop(before);
    provokes_an_error(&a);
    a.error();
    let after = keeps_its_session();
    assert!(after.subscribes("/game/state"));
    let heard = after.hears_until(|topic, _| topic == "/game/state");
    assert_eq!(heard, [("/game/state".to_owned(), "lobby".to_owned())]);
    server.stop();
}

#[test]
fn only_some_subscriptions_of_a_connection_wait() {
    let (server, broker) = RunningServer::for_two();
    let client = anonymous("greedy", &broker);
    let granted = (0..40).filter(|n| client.subscribes(&format!("/players/{A}/ships/{n}/error"))).count();
    assert_eq!(granted, 32);
    assert!(client.subscribes(&format!("/players/{A}/ships/0/error")), "one that waits already");
    assert!(client.subscribes("/game/state"), "and public topics are free");
    server.stop();
}

#[test]
fn a_subscription_that_has_ended_does_not_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(options(&folder, 2));
    let broker = broker(server.address);
    let a = ScriptedTeam::come(A, &broker);
    a.asks();
    server.wait_for(|told| matches!(told, OwnedEvent::Joined(_)));
    let client = anonymous("changes its mind", &broker);
    let error = format!("/players/{A}/error");
    assert!(client.subscribes(&error));
    provokes_an_error(&a);
    a.error();
    client.client.unsubscribe(&error).unwrap();
    // As many as may wait: the one that has ended is not counted.
    assert!((0..32).all(|n| client.subscribes(&format!("/players/{A}/ships/{n}/error"))));
    assert!(client.subscribes("/game/refused"));
    says_who(&client, A);
    // The answer to the second request shows that the first one was read.
    says_who(&client, "Another");
    client.hears_until(|topic, _| topic == "/game/refused");
    provokes_an_error(&a);
    a.error();
    says_who(&client, "Another");
    let heard = client.hears_until(|topic, _| topic == "/game/refused");
    assert!(heard.iter().all(|(topic, _)| *topic != error), "{heard:?}");
    server.stop();
}

#[test]
fn a_subscription_that_has_waited_has_the_options_of_mqtt_5() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(options(&folder, 2));
    let broker = broker(server.address);
    let mut a = ScriptedTeam::come(A, &broker);
    a.asks();
    server.wait_for(|told| matches!(told, OwnedEvent::Joined(_)));
    let (client, mut connection) = v5::Client::new(v5::MqttOptions::new("new", &broker.host, broker.port), 100);
    let mut filter = Filter::new(format!("/players/{A}/#"), mqttbytes::QoS::ExactlyOnce);
    filter.preserve_retain = true;
    let properties = SubscribeProperties { id: Some(7), user_properties: Vec::new() };
    client.subscribe_many_with_properties([filter], properties).unwrap();
    let mut packets = connection.iter().filter_map(|event| match event.unwrap() {
        v5::Event::Incoming(packet) => Some(packet),
        v5::Event::Outgoing(_) => None,
    });
    packets.find(|packet| matches!(packet, Packet::SubAck(_))).unwrap();
    // The broker removes the subscription from its routing.
    provokes_an_error(&a);
    a.error();
    let request = body::Request { name: A.to_owned(), secret: secret(A), code: None };
    let topic = "/game/request_participation";
    client.publish(topic, mqttbytes::QoS::AtLeastOnce, false, body::request(&request)).unwrap();
    packets.find(|packet| matches!(packet, Packet::PubAck(_))).unwrap();
    provokes_an_error(&a);
    a.joins_and_places();
    let mut heard = packets.filter_map(|packet| match packet {
        Packet::Publish(message) => Some(message),
        _ => None,
    });
    for (end, retain) in [("/error", false), ("/approved", true)] {
        let message = heard.find(|message| message.topic.ends_with(end.as_bytes())).unwrap();
        assert_eq!((message.properties.unwrap().subscription_identifiers, message.retain), (vec![7], retain), "{end}");
    }
    server.stop();
}
