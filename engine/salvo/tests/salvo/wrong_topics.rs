//! Messages and subscriptions on topics that the game does not have, and ships whose names are spelled in other ways.

use crate::fixture::{OwnedEvent, RawClient, RunningServer, fleet, secret};
use crate::scripted_team::{A, ScriptedTeam};
use rules::salvo::body;
use rumqttc::QoS;
use salvo::BrokerAddress;

#[test]
fn what_is_written_on_a_wrong_topic_is_acknowledged_and_explained() {
    let (server, broker) = RunningServer::for_two();
    let team = ScriptedTeam::joined(A, &broker, &server);
    for qos in [QoS::AtMostOnce, QoS::AtLeastOnce, QoS::ExactlyOnce] {
        for (topic, why) in [
            (
                format!("/players/{A}/ships/raft/place"),
                "there is no ship \"raft\"; the ships are carrier, battleship, ",
            ),
            ("/players/Var/ships/Carrier/place".to_owned(), "the ships of Var are not yours"),
            ("/game/state".to_owned(), "/game/state: only the server writes this topic"),
            ("/game/request_participatoin".to_owned(), "/game/request_participatoin: there is no such topic"),
        ] {
            team.client.client.publish(&topic, qos, false, "x").unwrap();
            let told = team.error();
            assert!(told.starts_with(why), "{topic}: {told}");
        }
    }
    assert!(team.client.subscribes("/players/count"), "it is still connected");
    server.stop();
}

#[test]
fn what_is_subscribed_to_in_vain_is_explained() {
    let (server, address) = RunningServer::for_two();
    let team = ScriptedTeam::come(A, &address);
    let wrong = "/game/states";
    assert!(team.client.subscribes(wrong));
    assert_eq!(team.error(), "/game/states: no message can arrive there, there is no such topic");
    assert!(!team.client.subscribes("/players/Others/hit"));
    assert!(team.error().starts_with("/players/Others/hit: the subscription is refused"));
    // A client without a login is told as soon as it says who it is.
    let first = RawClient::come("first", &address, |_| {});
    assert!(first.subscribes(wrong) && first.subscribes("/players/First/error"));
    first.says("/game/request_participation", r#"{"name":"First","secret":"x"}"#);
    let told = first.hears_until(|topic, _| topic == "/players/First/error").pop().unwrap().1;
    assert!(told.starts_with(wrong), "{told}");
    server.stop();
}

/// Ships are placed under spelled names, and answered there and under the usual names.
fn ships_have_many_names(server: &RunningServer, broker: &BrokerAddress) {
    let mut team = ScriptedTeam::joined(A, broker, server);
    assert!(team.client.subscribes(&format!("/players/{A}/ships/+/approved")));
    assert!(team.client.subscribes(&format!("/players/{A}/ships/+/error")));
    let spelled = ["Carrier", "BATTLESHIP", "destroyer", "Sub-marine", "Patrol boat"];
    for (ship, spelled) in fleet().into_iter().zip(spelled) {
        let path = |spelled: &str, end: &str| format!("/players/{A}/ships/{spelled}/{end}");
        // First a wrong one, then the right one.
        for (text, approved) in [("[3,4]".to_owned(), "false"), (body::placement(ship), "true")] {
            let sealed = team.cipher.seal(&text, &secret(A));
            team.client.says(&path(spelled, "place"), sealed);
            let end = if approved == "true" { "approved" } else { "error" };
            let heard = team.client.hears_until(|topic, _| topic == path(spelled, end));
            for name in [ship.ship.name(), spelled] {
                assert!(heard.contains(&(path(name, "approved"), approved.to_owned())), "{name} {heard:?}");
                let reason = r#"the message is [3,4], not an object such as {"coordinates": "3;4", "Orientation": "HORIZONTAL"}"#;
                assert!(approved == "true" || heard.contains(&(path(name, "error"), reason.to_owned())), "{heard:?}");
            }
        }
    }
    assert_eq!(server.wait_for(|told| matches!(told, OwnedEvent::Ready(_))), OwnedEvent::Ready(A.to_owned()));
}

#[test]
fn names_of_ships_may_be_spelled_in_many_ways_by_our_own_broker() {
    let (server, broker) = RunningServer::for_two();
    ships_have_many_names(&server, &broker);
}

#[test]
fn names_of_ships_may_be_spelled_in_many_ways_by_mosquitto() {
    let Some((mosquitto, server)) = RunningServer::for_two_by_mosquitto(&[A]) else { return };
    ships_have_many_names(&server, &mosquitto.broker());
}

/// A placement that cannot be decrypted is not approved, and one of an unknown sender does not touch a ship that is placed.
fn undecrypted(server: &RunningServer, broker: &BrokerAddress, knows_senders: bool) {
    let mut team = ScriptedTeam::joined(A, broker, server);
    for path in ["approved", "error"] {
        assert!(team.client.subscribes(&format!("/players/{A}/ships/+/{path}")), "{path}");
    }
    let path = |end: &str| format!("/players/{A}/ships/carrier/{end}");
    let forged = team.cipher.seal(&body::placement(fleet()[0]), "another secret");
    let reason = "it was not encrypted with the team's secret";
    team.client.says(&path("place"), forged.as_str());
    let heard = team.client.hears_until(|topic, _| topic == path("error"));
    for (topic, text) in [
        (format!("/players/{A}/error"), format!("carrier: {reason}")),
        (path("approved"), "false".to_owned()),
        (path("error"), reason.to_owned()),
    ] {
        assert!(heard.contains(&(topic, text)), "{heard:?}");
    }
    let sealed = team.cipher.seal(&body::placement(fleet()[0]), &secret(A));
    team.client.says(&path("place"), sealed);
    team.client.hears_until(|topic, text| topic == path("approved") && text == "true");
    // Now by somebody whom the broker does not know, and then by the team.
    let stranger = RawClient::come("stranger", broker, |_| {});
    stranger.says(&path("place"), forged.as_str());
    let complaint = |topic: &str, _: &str| topic == format!("/players/{A}/error");
    let mut heard = team.client.hears_until(complaint);
    team.client.says(&path("place"), forged.as_str());
    heard.extend(team.client.hears_until(complaint));
    assert!(!heard.iter().any(|(topic, _)| topic == &path("approved")), "{heard:?}");
    if knows_senders {
        team.client.hears_until(|topic, text| topic == path("approved") && text == "false");
    }
}

#[test]
fn a_placement_that_cannot_be_decrypted_is_not_approved_by_our_own_broker() {
    let (server, broker) = RunningServer::for_two();
    undecrypted(&server, &broker, true);
}

#[test]
fn a_placement_that_cannot_be_decrypted_is_not_approved_by_mosquitto() {
    let Some((mosquitto, server)) = RunningServer::for_two_by_mosquitto(&[A]) else { return };
    undecrypted(&server, &mosquitto.broker(), false);
}
