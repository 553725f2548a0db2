//! Shell scripts that play Salvo with nothing but `docs/protocols/salvo.md`: `mosquitto_pub` and `mosquitto_sub` for
//! MQTT, libsodium for the encryption.

use crate::salvo::server::{ClientProcess, ServerProcess, verified};
use crate::table::broadside;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The Python that has libsodium; `None` if a tool is missing that the scripts need: the tests are skipped.
fn python() -> Option<PathBuf> {
    for tool in ["bash", "mosquitto", "mosquitto_pub", "mosquitto_sub", "mosquitto_passwd"] {
        test_tools::required(tool)?;
    }
    // Debian's package is for Debian's own Python, which need not be the first one.
    test_tools::required("python3:nacl")
}

fn secret(name: &str) -> String {
    format!("secret of {name}")
}

/// The script as a team; `mqtt` is the version of the protocol as `mosquitto_sub` calls it.
fn script(python: &Path, name: &str, port: &str, mqtt: &str) -> ClientProcess {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/salvo-shell/client.sh");
    let mut bash = Command::new("bash");
    bash.arg(script).args(["127.0.0.1", port, name, &secret(name)]);
    ClientProcess::start(bash.env("PYTHON", python).env("MQTT", mqtt))
}

#[test]
fn scripts_play_a_match_of_three_by_our_own_broker() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("salvo");
    let mut server = ServerProcess::start(&dir, &["--listen", "127.0.0.1:0", "--players", "3", "--matches", "1"]);
    let teams = [("Deep Water", "311"), ("Henkiebunch", "5")];
    let scripts = teams.map(|(name, mqtt)| script(&python, name, server.port(), mqtt));
    let ours = ClientProcess::ours("Hunter", &server.url(), &[]);
    let winner = server.winner();
    for client in scripts {
        assert_eq!(client.ended(), format!("winner: {winner}\n"));
    }
    ours.ended();
    server.ends_well();
    verified(&dir);
}

/// A Mosquitto with the access list and the users of `broadside salvo acl`. It ends when this is dropped.
struct Mosquitto(Child);

impl Mosquitto {
    fn start(folder: &Path, port: u16, users: &[(&str, &str)]) -> Mosquitto {
        let list = broadside().args(["salvo", "acl"]).args(users.iter().map(|(name, _)| name)).assert().success();
        fs::write(folder.join("acl"), &list.get_output().stdout).unwrap();
        fs::write(folder.join("passwords"), "").unwrap();
        for (name, password) in users.iter().chain([&("broadside", "of the server")]) {
            let mut made = Command::new("mosquitto_passwd");
            assert!(made.current_dir(folder).args(["-b", "passwords", name, password]).status().unwrap().success());
        }
        let config = format!("listener {port} 127.0.0.1\nacl_file acl\npassword_file passwords\nuser root\n");
        fs::write(folder.join("mosquitto.conf"), config + "set_tcp_nodelay true\n").unwrap();
        let mut mosquitto = Command::new("mosquitto");
        mosquitto.current_dir(folder).args(["-c", "mosquitto.conf"]).stderr(Stdio::piped());
        let mut mosquitto = mosquitto.spawn().unwrap();
        let mut log = BufReader::new(mosquitto.stderr.take().unwrap()).lines();
        assert!(log.any(|line| line.unwrap().contains(" running")));
        // Mosquitto would block if nobody read its log.
        std::thread::spawn(move || log.for_each(drop));
        Mosquitto(mosquitto)
    }
}

impl Drop for Mosquitto {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_script_plays_by_a_mosquitto_set_up_as_we_tell() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let dir: PathBuf = folder.path().join("salvo");
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let users = ["Deep Water", "Hunter"].map(|name| (name, secret(name)));
    let users = users.each_ref().map(|(name, secret)| (*name, secret.as_str()));
    let _mosquitto = Mosquitto::start(folder.path(), port, &users);
    let url = format!("mqtt://127.0.0.1:{port}");
    let mut server = ServerProcess::by_broker(&dir, &url, "of the server", &["--players", "2", "--matches", "1"]);
    let script = script(&python, "Deep Water", &port.to_string(), "5");
    let ours = ClientProcess::ours("Hunter", &url, &[]);
    let winner = server.winner();
    assert_eq!(script.ended(), format!("winner: {winner}\n"));
    ours.ended();
    server.ends_well();
    verified(&dir);
}
