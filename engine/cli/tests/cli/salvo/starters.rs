//! New clients of Salvo, started with the commands that `broadside new` prints.

use crate::bots::starters::as_here;
use crate::salvo::server::{ClientProcess, ServerProcess, verified};
use crate::table::broadside;
use std::path::Path;
use std::process::Command;

/// Creates a client in this folder of `parent`, and gives the printed commands for a server and the client.
fn made(parent: &Path, sample: &str, folder: &str) -> [String; 2] {
    let told =
        broadside().current_dir(parent).args(["new", sample, folder]).assert().code(0).get_output().stderr.clone();
    let told = String::from_utf8(told).unwrap();
    let after = |words: &str| {
        let line = told.lines().find_map(|line| line.strip_prefix(words));
        line.unwrap_or_else(|| panic!("{words}; it said {told}")).to_owned()
    };
    [after("Next: "), after("Then, in another terminal: ")]
}

/// A printed command for the shell, with the port of the test.
fn pasted(parent: &Path, command: &str, port: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.current_dir(parent).args(["-c", &format!("{command} --port {port}")]);
    shell
}

#[test]
fn new_clients_in_python_and_rust_play_and_read_what_we_encrypt() {
    if test_tools::required("python3:ensurepip").is_none() {
        return;
    }
    let parent = tempfile::Builder::new().prefix("a folder ").tempdir().unwrap();
    let parent = parent.path();
    let [serve, python] = made(parent, "salvo-python", "of mine/Deep Water");
    let [_, rust] = made(parent, "salvo-rust", "Henkiebunch");
    let dir = parent.join("salvo");
    let serve: Vec<&str> = serve.strip_prefix("broadside salvo serve ").unwrap().split(' ').collect();
    // The clients are built first, which may take longer than the usual time limit.
    let here = ["--listen", "127.0.0.1:0", "--matches", "1", "--place-seconds", "3600"];
    let mut server = ServerProcess::start(&dir, &[serve.as_slice(), here.as_slice()].concat());
    let rust = ClientProcess::start(as_here(&mut pasted(parent, &rust, server.port()), &parent.join("Henkiebunch")));
    let python = ClientProcess::start(pasted(parent, &python, server.port()).env("PIP_QUIET", "1"));
    let winner = server.winner();
    assert!(["Deep Water", "Henkiebunch"].contains(&winner.as_str()), "{winner}");
    assert_eq!(rust.ended(), format!("Henkiebunch: the winner is {winner}\n"));
    assert_eq!(python.ended(), format!("Deep Water: the winner is {winner}\n"));
    server.ends_well();
    verified(&dir);

    // libsodium reads our messages; the match has proved the other direction.
    let sealed = salvo::Cipher::default().seal("Ahoi \u{2693}", "cockadoodledoo");
    let code = "import sys, bot; print(bot.decrypt(sys.argv[1], 'cockadoodledoo'))";
    let bot = parent.join("of mine/Deep Water");
    let read =
        Command::new(bot.join("venv/bin/python")).current_dir(&bot).args(["-c", code, &sealed]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&read.stdout), "Ahoi \u{2693}\n");
}
