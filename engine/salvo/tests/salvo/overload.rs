//! Clients that hold more connections than the broker has, while teams play and join.

use crate::fixture::{OwnedEvent, RunningServer, broker, cells, options};
use crate::scripted_team::{A, B, ScriptedTeam, facing};
use salvo::Options;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};
use test_tools::attack::{allow_open_files, connect_from, wait_until_closed};

/// The most connections that the broker allows one address.
const PER_ADDRESS: usize = 128;
/// The most time for the broker to close connections: less than the 10 s that a client has for its login.
const CLOSED_WITHIN: Duration = Duration::from_secs(8);
/// The address of the teams.
const TEAMS: Ipv4Addr = Ipv4Addr::LOCALHOST;
const ATTACKER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 3);
/// The most time for a team to connect and take part: less than the 10 s after which the broker closes silent connections.
const WITHIN: Duration = Duration::from_secs(8);

/// Connects a client without user name, with a clean session and without keep-alive; true if the broker accepts it.
fn anonymous(from: Ipv4Addr, broker: SocketAddr, number: usize) -> (TcpStream, bool) {
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

fn joins_in_time(name: &'static str, server: &RunningServer) -> ScriptedTeam {
    let begun = Instant::now();
    let team = ScriptedTeam::come(name, &broker(server.address));
    team.asks();
    assert_eq!(server.wait_for(|told| matches!(told, OwnedEvent::Joined(_))), OwnedEvent::Joined(name.to_owned()));
    let took = begun.elapsed();
    eprintln!("{name} takes part after {took:?}");
    assert!(took < WITHIN, "{name}: {took:?}");
    team
}

#[test]
fn a_thousand_anonymous_clients_keep_no_team_out() {
    allow_open_files().unwrap();
    for from in [ATTACKER, TEAMS] {
        let folder = tempfile::tempdir().unwrap();
        let server = RunningServer::start(Options { players: None, ..options(&folder, 3) });
        let joined = joins_in_time(A, &server);
        let clients = attack(from, server.address, 1000);
        wait_until_closed(&clients, PER_ADDRESS, CLOSED_WITHIN);
        let late = joins_in_time(B, &server);
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
    wait_until_closed(&silent, PER_ADDRESS, CLOSED_WITHIN);
    joins_in_time(A, &server);
    server.stop();
}

#[test]
fn anonymous_clients_of_ten_addresses_keep_no_team_out() {
    allow_open_files().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(Options { players: None, ..options(&folder, 3) });
    let attackers = (0..10).map(|number| Ipv4Addr::new(127, 0, 1, number));
    let _clients: Vec<_> = attackers.map(|from| attack(from, server.address, PER_ADDRESS)).collect();
    joins_in_time(A, &server);
    joins_in_time(B, &server);
    server.stop();
}
