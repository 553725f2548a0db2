//! Teams that vanish or are silent during a match, which must not cost the others their time.

use crate::fixture::{Mosquitto, OwnedEvent, RunningClient, RunningServer, broker, options, record, team, verified};
use crate::scripted_team::{A, B, ScriptedTeam, facing};
use rules::salvo::Settings;
use rules::{Ending, Point};
use salvo::{Absence, BrokerAddress, Network, Options};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// A time limit that a test waits for, and in which all teams that act fire their shots.
const BRIEF: Duration = Duration::from_secs(2);
const GRACE: Duration = Duration::from_millis(50);

fn absence() -> Absence {
    Absence { grace: GRACE, ..Absence::default() }
}

/// The faults of a team's salvos in a record.
fn recorded_faults(record: &Path, name: &str) -> Vec<Value> {
    let text = fs::read_to_string(record).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut seats = ["A", "B", "C"].into_iter().zip(lines[0]["seats"].as_array().unwrap());
    let seat = seats.find(|(_, seat)| seat["details"]["NickName"] == name).unwrap().0;
    lines.iter().map(|line| line["answers"][seat]["fault"].clone()).filter(|fault| !fault.is_null()).collect()
}

/// The faults of a team's salvos in a record, each with its reason if there is one.
fn faults(record: &Path, name: &str) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    recorded_faults(record, name).iter().map(|fault| (text(&fault["kind"]), text(&fault["why"]))).collect()
}

fn kinds(record: &Path, name: &str) -> Vec<String> {
    faults(record, name).into_iter().map(|(kind, _)| kind).collect()
}

/// The team fires its next salvo into the water.
fn fires_a_salvo(team: &mut ScriptedTeam, target: &str) {
    while team.waits_for("/game/current") != team.name {}
    fires(team, target);
}

/// The team fires the salvo of its turn into the water.
fn fires(team: &mut ScriptedTeam, target: &str) {
    for _ in 0..5 {
        let shot = team.shot(Point::new(9, 9));
        team.fires(target, &shot);
    }
    team.waits_for("/game/hits");
}

#[test]
fn who_has_vanished_costs_no_turn() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(Options { absence: absence(), ..options(&folder, 3) });
    let mut vanishing = ScriptedTeam::come("Gone", &broker(server.address));
    vanishing.joins_and_places();
    server.wait_for(|told| matches!(told, OwnedEvent::Ready(_)));
    let clients = [A, B].map(|name| RunningClient::start(team(name, broker(server.address))));
    let record = record(&server);
    vanishing.client.leaves();
    clients.into_iter().for_each(|client| drop(client.ended().0.unwrap()));
    server.wait_for(|told| matches!(told, OwnedEvent::Over(..)));
    server.stop();
    let faults = faults(&record, "Gone");
    assert!(faults.len() >= 3 && faults.iter().all(|(kind, _)| kind == "unreachable"), "{faults:?}");
    assert!(faults[..2].iter().all(|(_, why)| why == "it has no connection"), "{faults:?}");
    assert!(faults[2..].iter().all(|(_, why)| why.starts_with("it is passed over after ")), "{faults:?}");
    verified(&record);
}

#[test]
fn who_fires_one_shot_a_salvo_soon_has_little_time_for_the_next_also_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { turn: BRIEF, ..options(&folder, 2) };
    let server = RunningServer::start(options.clone());
    let address = server.address;
    let (mut half, mut acts) = facing(&broker(address));
    let path = record(&server);
    for salvo in 0..3 {
        while salvo > 0 && half.waits_for("/game/current") != half.name {}
        let shot = half.shot(Point::new(9, 9));
        half.fires(acts.name, &shot);
        if salvo < 2 {
            fires_a_salvo(&mut acts, half.name);
        }
    }
    while acts.waits_for("/game/current") != acts.name {}
    let lost = |text: &str| text.ends_with("shots are lost: Henkiebunch took too long: it had 0.4 s");
    half.client.hears_until(|topic, text| topic.ends_with("/error") && lost(&text.replace(half.name, A)));
    server.stop();
    let server = RunningServer::through(options, Network::Embedded(address));
    let mut acts = ScriptedTeam::come(acts.name, &broker(address));
    fires_a_salvo(&mut acts, half.name);
    while acts.waits_for("/game/current") != acts.name {}
    server.stop();
    let faults = recorded_faults(&path, half.name);
    let limits: Vec<f64> = faults.iter().filter_map(|fault| fault["limit_ms"].as_f64()).collect();
    assert!(limits.len() == 4 && limits[0] == 2000.0 && limits[2..] == [400.0, 400.0], "{faults:?}");
}

/// The faults of a team that says nothing, in five salvos.
fn silent(server: RunningServer, broker: &BrokerAddress) -> Vec<String> {
    let (first, second) = facing(broker);
    let record = record(&server);
    let (mut acts, silent) = (second, first);
    for _ in 0..5 {
        fires_a_salvo(&mut acts, silent.name);
    }
    let told = silent.client.hears_until(|topic, text| topic.ends_with("/error") && text.contains("passed over"));
    let lost = "5 shots are lost: ";
    assert!(told.last().unwrap().1.starts_with(lost), "clients do not answer this by another shot: {told:?}");
    server.stop();
    kinds(&record, silent.name)
}

#[test]
fn who_is_silent_is_passed_over_by_our_own_broker() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(Options { turn: BRIEF, ..options(&folder, 2) });
    let broker = broker(server.address);
    let expected = ["timed-out", "timed-out", "unreachable", "unreachable", "unreachable"];
    assert_eq!(silent(server, &broker)[..5], expected);
}

#[test]
fn who_is_silent_is_passed_over_and_tried_again_by_mosquitto() {
    let Some(mosquitto) = Mosquitto::start(&[A, B]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::through(Options { turn: BRIEF, ..options(&folder, 2) }, mosquitto.network());
    let expected = ["timed-out", "timed-out", "unreachable", "unreachable", "timed-out"];
    assert_eq!(silent(server, &mosquitto.broker())[..5], expected);
}

#[test]
fn who_comes_back_is_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(Options { absence: absence(), ..options(&folder, 2) });
    let broker = broker(server.address);
    let (gone, mut stays) = facing(&broker);
    let name = gone.name;
    gone.client.leaves();
    for _ in 0..4 {
        fires_a_salvo(&mut stays, name);
    }
    let _again = RunningClient::start(team(name, broker));
    let hit = format!("/players/{}/hit", stays.name);
    let mut heard = stays.client.hears_until(|topic, _| topic == "/game/current");
    while !heard.iter().any(|(topic, _)| *topic == hit) {
        if heard.last().unwrap().1 == stays.name {
            (0..5).for_each(|_| {
                let shot = stays.shot(Point::new(9, 9));
                stays.fires(name, &shot);
            });
        }
        heard = stays.client.hears_until(|topic, _| topic == "/game/current" || *topic == hit);
    }
    server.stop();
}

#[test]
fn who_comes_back_is_asked_once_more_before_it_forfeits() {
    let folder = tempfile::tempdir().unwrap();
    let absence = Absence { pass_after: Some(1), forfeit_after: Some(4), grace: GRACE };
    let server = RunningServer::start(Options { absence, ..options(&folder, 2) });
    let broker = broker(server.address);
    let (gone, mut stays) = facing(&broker);
    let path = record(&server);
    let name = gone.name;
    gone.client.leaves();
    fires_a_salvo(&mut stays, name);
    // It is passed over once, is back, and vanishes in its turn, so it would have to lose six salvos to be asked again.
    while stays.waits_for("/game/current") != stays.name {}
    let again = ScriptedTeam::come(name, &broker);
    fires(&mut stays, name);
    while again.waits_for("/game/current") != name {}
    again.client.leaves();
    fires_a_salvo(&mut stays, name);
    while stays.waits_for("/game/current") != stays.name {}
    let mut back = ScriptedTeam::come(name, &broker);
    fires(&mut stays, name);
    fires_a_salvo(&mut back, stays.name);
    assert_eq!(kinds(&path, name), ["unreachable"; 4]);
    // It is back for good, and vanishes again: nothing that it lost before counts.
    back.client.leaves();
    fires_a_salvo(&mut stays, name);
    fires_a_salvo(&mut stays, name);
    server.stop();
}

#[test]
fn who_has_lost_too_many_salvos_is_out_also_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let absence = Absence { pass_after: None, forfeit_after: Some(3), grace: GRACE };
    let options = Options { absence, ..options(&folder, 2) };
    let server = RunningServer::start(options.clone());
    let address = server.address;
    let (gone, mut stays) = facing(&broker(address));
    let name = gone.name;
    gone.client.leaves();
    fires_a_salvo(&mut stays, name);
    fires_a_salvo(&mut stays, name);
    server.stop();
    let server = RunningServer::through(options, Network::Embedded(address));
    let path = record(&server);
    let mut stays = ScriptedTeam::come(stays.name, &broker(address));
    // It has not come again since the restart, so it would have the whole turn.
    ScriptedTeam::come(name, &broker(address)).client.leaves();
    fires_a_salvo(&mut stays, name);
    let OwnedEvent::Over(outcome, names) = server.wait_for(|told| matches!(told, OwnedEvent::Over(..))) else {
        panic!()
    };
    server.stop();
    assert_eq!(names[outcome.winner.unwrap().index()], stays.name);
    assert!(matches!(outcome.ending, Ending::KilledOff { .. }), "{outcome:?}");
    assert_eq!(kinds(&path, name), ["unreachable", "unreachable", "unreachable", "gave-up"]);
    assert_eq!(verified(&path), *outcome);
}

#[test]
fn a_match_without_anybody_keeps_its_pace() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { rounds_without_sinking: 2 };
    let absence = Absence { pass_after: Some(1), forfeit_after: Some(1), grace: GRACE };
    let turn = Duration::from_millis(500);
    let server = RunningServer::start(Options { turn, absence, settings, ..options(&folder, 2) });
    let (first, second) = facing(&broker(server.address));
    [first, second].into_iter().for_each(|team| team.client.leaves());
    let record = record(&server);
    server.wait_for(|told| matches!(told, OwnedEvent::Over(..)));
    server.stop();
    let mut kinds = [A, B].map(|name| kinds(&record, name)).concat();
    // The first to vanish may have had a short time, until the other one had vanished as well.
    let short = kinds.iter().position(|kind| kind == "unreachable");
    short.map(|at| kinds.remove(at));
    assert!(kinds.iter().all(|kind| kind == "timed-out"), "{kinds:?}");
}
