//! Whole matches of clients in Python that were written by the page of the game alone: they subscribe to all of their topics
//! before they ask to take part, and spell the names of ships as the page does.

use crate::fixture::{Mosquitto, OwnedEvent, RunningServer, broker, options, secret, verified};
use crate::scripted_team::{A, B};
use salvo::{BrokerAddress, Network};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A client, which ends with its value.
struct TextClient(Child);

impl Drop for TextClient {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl TextClient {
    /// `None` where Python or its packages are missing.
    fn start(broker: &BrokerAddress, name: &str, patrol_boat: &str, salts: &str) -> Option<TextClient> {
        let (python, _) = (test_tools::required("python3:paho")?, test_tools::required("python3:nacl")?);
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/text-clients/salvo.py");
        let mut command = Command::new(python);
        command.arg("-u").arg(script).args([&broker.host, &broker.port.to_string(), name, &secret(name)]);
        command.args([patrol_boat, salts]);
        let command = command.env("PYTHONDONTWRITEBYTECODE", "1").stdin(Stdio::null()).stdout(Stdio::piped());
        Some(TextClient(command.spawn().unwrap()))
    }

    /// The lines that it wrote until it ended.
    fn ended(mut self) -> Vec<String> {
        let output = std::io::read_to_string(self.0.stdout.take().unwrap()).unwrap();
        assert!(self.0.wait().unwrap().success(), "{output}");
        output.lines().map(str::to_owned).collect()
    }
}

/// A match of two such clients. All of their shots count, so no salvo waits for the end of its time. The second has `salts`:
/// `one` for all of its messages, as the first, or `new-salts=10` for ten of them, as the clients of 2021 for all, each of which
/// costs a key.
fn played(server: RunningServer, broker: &BrokerAddress, salts: &str) {
    let clients = [(A, "Patrol boat", "one"), (B, "patrol_boat", salts)];
    let clients =
        clients.map(|(name, patrol_boat, salts)| (TextClient::start(broker, name, patrol_boat, salts), patrol_boat));
    if clients.iter().any(|(client, _)| client.is_none()) {
        return;
    }
    let OwnedEvent::Begun { record, .. } = server.wait_for(|told| matches!(told, OwnedEvent::Begun { .. })) else {
        panic!()
    };
    let mut winners = Vec::new();
    for (client, patrol_boat) in clients {
        let lines = client.unwrap().ended();
        for ship in ["Carrier", "Battleship", "Destroyer", "Submarine", patrol_boat] {
            assert!(lines.contains(&format!("{ship} approved: true")), "{ship}: {lines:?}");
        }
        assert!(lines.iter().any(|line| line.starts_with("shot at us: {")), "what only the team may read: {lines:?}");
        winners.extend(lines.iter().find_map(|line| line.strip_prefix("winner: ")).map(str::to_owned));
    }
    server.wait_for(|told| matches!(told, OwnedEvent::Over(..)));
    server.stop();
    assert!(winners.len() == 2 && winners[0] == winners[1], "{winners:?}");
    let outcome = verified(&record);
    assert!(outcome.winner.is_some());
    // Each turn is a shot. No client fires at a cell again before it has fired at all cells, so all lie on the board.
    assert!(outcome.turns <= 200, "{}", outcome.turns);
}

fn quick(folder: &tempfile::TempDir) -> salvo::Options {
    salvo::Options { lobby_after: Duration::from_secs(5), ..options(folder, 2) }
}

#[test]
fn clients_that_know_only_the_text_play_a_match_by_our_own_broker() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(quick(&folder));
    let broker = broker(server.address);
    // Those of all ships and of a salvo.
    played(server, &broker, "new-salts=10");
}

#[test]
fn clients_that_know_only_the_text_play_a_match_by_mosquitto() {
    let Some(_) = test_tools::required("mosquitto") else { return };
    let folder = tempfile::tempdir().unwrap();
    let mosquitto = Mosquitto::open(tempfile::tempdir().unwrap(), "user root\n");
    let server = RunningServer::through(quick(&folder), Network::External(mosquitto.broker()));
    played(server, &mosquitto.broker(), "one");
}
