//! Clients that hold more connections than the broker has, while teams play and join.

use crate::fixture::{OwnedEvent, RunningServer, broker, cells, options};
use crate::scripted_team::{A, B, ScriptedTeam, facing};
use salvo::Options;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Instant;
use test_tools::attack::{allow_open_files, connect_from, count_open};

/// The most connections that the broker allows one address.
const PER_ADDRESS: usize = 128;
/// The address of the teams.
const TEAMS: Ipv4Addr = Ipv4Addr::LOCALHOST;
const ATTACKER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 3);

/// Connects a client without user name, with a clean session and without keep-alive; true if the broker accepts it.
pub(crate) fn anonymous(from: Ipv4Addr, broker: SocketAddr, number: usize) -> (TcpStream, bool) {
    let mut stream = connect_from(from, broker).unwrap();
    let identifier = format!("{from} {number:04}");
    let mut packet = vec![0x10, 12 + identifier.len() as u8, 0, 4];
    packet.extend(b"MQTT\x04\x02\0\0\0");
    packet.push(identifier.len() as u8);
    packet.extend(identifier.as_bytes());
    let mut answer = [0; 4];
    let accepted = stream.write_all(&packet).and_then(|()| stream.read_exact(&mut answer)).is_ok();
    (stream, accepted && answer == [0x20, 2, 0, 0])
}

/// So many clients from this address that connect and do nothing.
fn attack(from: Ipv4Addr, broker: SocketAddr, clients: usize) -> Vec<TcpStream> {
    let clients: Vec<_> = (0..clients).map(|number| anonymous(from, broker, number)).collect();
    eprintln!("{} clients from {from} are accepted", clients.iter().filter(|(_, accepted)| *accepted).count());
    clients.into_iter().map(|(stream, _)| stream).collect()
}

/// A team that connects and takes part. The broker refuses a client at once if it has no room, so that no time limit is needed.
fn joins(name: &'static str, server: &RunningServer) -> ScriptedTeam {
    let begun = Instant::now();
    let team = ScriptedTeam::come(name, &broker(server.address));
    team.asks();
    assert_eq!(server.wait_for(|told| matches!(told, OwnedEvent::Joined(_))), OwnedEvent::Joined(name.to_owned()));
    eprintln!("{name} takes part after {:?}", begun.elapsed());
    team
}

/// Fails if the broker holds more of these connections than it allows. They were made before a team that takes part now, so the
/// broker has dealt with them.
fn closed_all_but_the_most(connections: &[TcpStream]) {
    let open = count_open(connections).unwrap();
    assert!(open <= PER_ADDRESS, "{open} connections are open");
}

#[test]
fn a_thousand_anonymous_clients_keep_no_team_out() {
    allow_open_files().unwrap();
    for from in [ATTACKER, TEAMS] {
        let folder = tempfile::tempdir().unwrap();
        let server = RunningServer::start(Options { players: None, ..options(&folder, 3) });
        let joined = joins(A, &server);
        let clients = attack(from, server.address, 1000);
        let late = joins(B, &server);
        closed_all_but_the_most(&clients);
        let both = format!("[\"{A}\",\"{B}\"]");
        for team in [joined, late] {
            // A team that was disconnected does not hear this.
            team.client.hears_until(|topic, text| topic == "/players/list" && text == both);
        }
        server.stop();
    }
}

#[test]
fn a_match_goes_on_while_a_thousand_anonymous_clients_connect() {
    allow_open_files().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(options(&folder, 2));
    let (mut first, second) = facing(&broker(server.address));
    let _clients = attack(TEAMS, server.address, 1000);
    for at in cells().take(5) {
        let shot = first.shot(at);
        first.fires(second.name, &shot);
    }
    assert_eq!(first.waits_for("/game/hits"), "5");
    assert_eq!(second.waits_for("/game/hits"), "5");
    server.stop();
}

#[test]
fn clients_that_never_log_in_keep_no_team_out() {
    allow_open_files().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(Options { players: None, ..options(&folder, 3) });
    let silent: Vec<_> = (0..1000).map(|_| connect_from(ATTACKER, server.address).unwrap()).collect();
    joins(A, &server);
    closed_all_but_the_most(&silent);
    server.stop();
}

#[test]
fn anonymous_clients_of_ten_addresses_keep_no_team_out() {
    allow_open_files().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(Options { players: None, ..options(&folder, 3) });
    let attackers = (0..10).map(|number| Ipv4Addr::new(127, 0, 1, number));
    let _clients: Vec<_> = attackers.map(|from| attack(from, server.address, PER_ADDRESS)).collect();
    joins(A, &server);
    joins(B, &server);
    server.stop();
}
