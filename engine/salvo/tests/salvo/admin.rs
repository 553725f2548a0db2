//! The administrator's commands, and others who try to give them.

use crate::fixture::{
    LONG, Mosquitto, OwnedEvent, RawClient, RunningServer, Traffic, broker, options, record, secret, verified,
};
use crate::scripted_team::{A, B, ScriptedTeam, facing};
use arena::ArenaError;
use arena::record::RecordError;
use rules::{Ending, Point};
use salvo::{
    ADMIN_FILE, ADMIN_USER, AdminAccess, AdminCommand, AdminError, BrokerAddress, Cipher, JOURNAL, Network, Options,
};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use tempfile::TempDir;

fn long(folder: &TempDir) -> Options {
    Options { lobby_after: LONG, players: None, matches: None, ..options(folder, 2) }
}

/// The administrator of the server in a folder, with a login at the broker if it has accounts of its own.
struct Administrator<'a>(&'a TempDir, Option<(String, String)>);

impl Administrator<'_> {
    fn says(&self, command: AdminCommand) -> Result<String, String> {
        let access = AdminAccess::read(&self.0.path().join("salvo")).unwrap();
        access.send(command, self.1.clone()).map_err(|error| match error {
            AdminError::Refused(why) => why,
            other => panic!("{other}"),
        })
    }

    fn kicks(&self, team: &str) -> Result<String, String> {
        self.says(AdminCommand::Kick { team: team.to_owned() })
    }

    /// The kinds of the lines of the server's journal.
    fn journal(&self) -> Vec<String> {
        let text = fs::read_to_string(self.0.path().join("salvo").join(JOURNAL)).unwrap();
        let what = |line: &str| serde_json::from_str::<Value>(line).unwrap()["what"].as_str().unwrap().to_owned();
        text.lines().map(what).collect()
    }
}

/// An evening with every command.
fn evening(server: &RunningServer, broker: &BrokerAddress, administrator: &Administrator<'_>) {
    assert_eq!(administrator.says(AdminCommand::Open).unwrap_err(), "the lobby is open already");
    assert_eq!(administrator.says(AdminCommand::End).unwrap_err(), "no match is being played");
    let idle = ScriptedTeam::joined("Idle", broker, server);
    let mut teams = [A, B].map(|name| ScriptedTeam::come(name, broker));
    teams[0].joins_and_places();
    server.wait_for(|told| matches!(told, OwnedEvent::Ready(_)));
    let why = "a match needs two teams that have placed their ships; there are 1";
    assert_eq!(administrator.says(AdminCommand::Start).unwrap_err(), why);

    // A team that is removed cannot come back. The case of the letters is not part of a name.
    let missing = "there is no team \"Idler\" in the lobby; the name is kept out until the next lobby";
    assert_eq!(administrator.kicks("Idler").as_deref(), Ok(missing));
    assert_eq!(administrator.kicks("iDLE").as_deref(), Ok("Idle is removed, and kept out until the next lobby"));
    assert_eq!(idle.error(), "the administrator has removed you from the game");
    idle.asks();
    assert!(idle.waits_for("/game/refused").contains("the administrator has removed this team"));

    teams[1].joins_and_places();
    server.wait_for(|told| matches!(told, OwnedEvent::Ready(_)));
    // What is answered is in the journal.
    assert_eq!(administrator.says(AdminCommand::Start).as_deref(), Ok("a match of 2 teams begins"));
    assert_eq!(administrator.journal().last().unwrap(), "begun");
    let ended = record(server);
    teams.iter().for_each(|team| drop(team.waits_for("/game/current")));
    assert_eq!(administrator.says(AdminCommand::Start).unwrap_err(), "a match is being played; end it first");
    assert_eq!(administrator.kicks("Idle").unwrap_err(), "there is no team \"Idle\" in the match");
    assert!(administrator.says(AdminCommand::End).is_ok());
    assert_eq!(administrator.journal().last().unwrap(), "ended");
    server.wait_for(|told| matches!(told, OwnedEvent::Ended));
    let verdict = match_folder::verify(&match_folder::open(&ended).unwrap()).unwrap_err();
    let is_unfinished = matches!(verdict, ArenaError::Record { source: RecordError::Unfinished { .. }, .. });
    assert!(is_unfinished, "nothing else is wrong with it: {verdict}");
    let [first, second] = teams;
    first.client.hears_until(|topic, text| topic == "/game/state" && text == "over");
    assert!(administrator.says(AdminCommand::End).is_err());
    let before = administrator.journal().len();
    assert_eq!(administrator.says(AdminCommand::Open).as_deref(), Ok("the lobby opens"));
    assert_eq!(administrator.journal()[before..], ["over"]);

    // In a match, a team is out at once if it has the salvo.
    second.client.hears_until(|topic, text| topic == "/game/state" && text == "lobby");
    first.client.hears_until(|topic, text| topic == "/game/state" && text == "lobby");
    let mut teams = [first, second];
    for team in &mut teams {
        team.joins_and_places();
        server.wait_for(|told| matches!(told, OwnedEvent::Ready(_)));
    }
    administrator.says(AdminCommand::Start).unwrap();
    let current = teams[0].waits_for("/game/current");
    let record = record(server);
    let out = format!("{current} is out of the match at its next salvo");
    assert_eq!(administrator.kicks(&current.to_uppercase()), Ok(out));
    server.wait_for(|told| matches!(told, OwnedEvent::Over(..)));
    assert!(matches!(verified(&record).ending, Ending::KilledOff { .. }));
}

#[test]
fn the_administrator_leads_an_evening_by_our_own_broker() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(long(&folder));
    evening(&server, &broker(server.address), &Administrator(&folder, None));
    server.stop();
}

#[test]
fn the_administrator_leads_an_evening_by_mosquitto() {
    let Some(mosquitto) = Mosquitto::start(&[A, B, "Idle", ADMIN_USER]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::through(long(&folder), mosquitto.network());
    let login = (ADMIN_USER.to_owned(), secret(ADMIN_USER));
    evening(&server, &mosquitto.broker(), &Administrator(&folder, Some(login)));
    server.stop();
}

#[test]
fn a_team_that_is_removed_before_a_restart_is_out_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let options = options(&folder, 2);
    let server = RunningServer::start(options.clone());
    let address = server.address;
    let (first, second) = facing(&broker(address));
    let path = record(&server);
    assert!(Administrator(&folder, None).kicks(second.name).is_ok());
    server.stop();
    let server = RunningServer::through(options, Network::Embedded(address));
    let mut first = ScriptedTeam::come(first.name, &broker(address));
    for _ in 0..5 {
        let shot = first.shot(Point::new(9, 9));
        first.fires(second.name, &shot);
    }
    server.wait_for(|told| matches!(told, OwnedEvent::Over(..)));
    server.stop();
    assert!(matches!(verified(&path).ending, Ending::KilledOff { .. }));
}

#[test]
fn a_team_that_is_removed_stays_out_under_names_that_look_like_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(long(&folder));
    let broker = broker(server.address);
    let gone = ScriptedTeam::joined("Kraken mil", &broker, &server);
    assert!(Administrator(&folder, None).kicks("Kraken mil").is_ok());
    gone.client.leaves();
    for name in ["Kraken mil.", "Kraken m\u{ed}l", "KRAKEN-MIL", "Krakenmil"] {
        let again = ScriptedTeam::come(name, &broker);
        again.asks();
        let refused = again.waits_for("/game/refused");
        assert!(refused.contains("the administrator has removed this team"), "{name}: {refused}");
        again.client.leaves();
    }
    ScriptedTeam::joined("Kraken mild", &broker, &server);
    server.stop();
}

#[test]
fn who_was_removed_from_an_ended_match_is_out_while_its_result_is_shown_also_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let options = long(&folder);
    let server = RunningServer::start(Options { players: Some(3), ..options.clone() });
    let (address, administrator) = (server.address, Administrator(&folder, None));
    let mut teams = [A, B, "Third"].map(|name| ScriptedTeam::come(name, &broker(address)));
    teams.iter_mut().for_each(ScriptedTeam::joins_and_places);
    let first = teams[0].waits_for("/game/current");
    assert!(administrator.kicks(&first).is_ok());
    while teams[0].waits_for("/game/current") == first {}
    assert_eq!(administrator.kicks(&first), Err(format!("{first} is out of the match already")));
    assert!(administrator.says(AdminCommand::End).is_ok());
    server.wait_for(|told| matches!(told, OwnedEvent::Ended));
    server.stop();
    let server = RunningServer::through(options, Network::Embedded(address));
    server.wait_for(|told| matches!(told, OwnedEvent::Ended));
    let watch = RawClient::come("watch", &broker(address), |_| {});
    assert!(watch.subscribes("/game/state"));
    assert_eq!(watch.hears_until(|_, _| true).pop().unwrap().1, "over");
    let why = "the match is over; open the lobby first";
    assert_eq!(administrator.kicks(&first).unwrap_err(), why);
    assert_eq!(administrator.says(AdminCommand::Open).as_deref(), Ok("the lobby opens"));
    assert_eq!(server.wait_for(|_| true), OwnedEvent::Lobby);
    server.stop();
}

#[test]
fn an_access_file_that_is_a_fifo_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(ADMIN_FILE);
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    let error = AdminAccess::read(folder.path()).err().unwrap();
    let expected = format!("cannot read {}: it is a FIFO, not a regular file", path.display());
    assert_eq!(error.to_string(), expected);
}

#[test]
fn nobody_else_gives_commands() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(options(&folder, 2));
    let path = folder.path().join("salvo").join(ADMIN_FILE);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let login = |password: &str| BrokerAddress {
        login: Some((ADMIN_USER.to_owned(), password.to_owned())),
        ..broker(server.address)
    };
    for password in ["", "guess"] {
        let Traffic::Gone(error) = RawClient::come("guest", &login(password), |_| {}).next() else { panic!() };
        assert!(error.contains("BadUserNamePassword"), "{error}");
    }
    // A team cannot write the topic, not even a command that is sealed rightly.
    let text = fs::read_to_string(&path).unwrap();
    let known = serde_json::from_str::<Value>(&text).unwrap()["secret"].as_str().unwrap().to_owned();
    let kick = |secret: &str| Cipher::default().seal(&format!(r#"{{"id":"1","command":"kick","team":"{A}"}}"#), secret);
    let (first, second) = facing(&broker(server.address));
    second.client.says("/admin/command", kick(&known));
    assert_eq!(second.error(), "/admin/command: only the administrator writes this topic");
    // Nor does the right login give commands without the secret, and no command counts twice.
    let administrator = RawClient::come("administrator", &login(&known), |_| {});
    assert!(administrator.subscribes("/admin/answer"));
    administrator.says("/admin/command", kick("another"));
    let unknown = kick(&known).replace(' ', "");
    administrator.says("/admin/command", unknown.as_str());
    administrator.says("/admin/command", unknown.as_str());
    let end = Cipher::default().seal(r#"{"id":"2","command":"end"}"#, &known);
    administrator.says("/admin/command", end);
    let heard = administrator.hears_until(|_, text| text.contains(r#""id":"2""#));
    assert_eq!(heard.iter().filter(|(_, text)| text.contains(r#""id":"1""#)).count(), 1, "{heard:?}");
    drop(first);
    server.stop();
}
