//! New clients of Salvo, started with the commands that `broadside new` tells.

use crate::salvo_server::{ClientProcess, ServerProcess, verified};
use crate::starters::as_here;
use crate::table::broadside;
use std::path::Path;
use std::process::Command;

/// Makes a client in this folder of the desk, and gives the commands that start a server and the client.
fn made(desk: &Path, sample: &str, folder: &str) -> [String; 2] {
    let told = broadside().current_dir(desk).args(["new", sample, folder]).assert().code(0).get_output().stderr.clone();
    let told = String::from_utf8(told).unwrap();
    let after = |words: &str| {
        let line = told.lines().find_map(|line| line.strip_prefix(words));
        line.unwrap_or_else(|| panic!("{words}; it said {told}")).to_owned()
    };
    [after("Next: "), after("Then, in another terminal: ")]
}

/// A command as a shell understands it, at a port of our own.
fn pasted(desk: &Path, command: &str, port: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.current_dir(desk).args(["-c", &format!("{command} --port {port}")]);
    shell
}

#[test]
fn new_clients_in_python_and_rust_play_and_read_what_we_encrypt() {
    let desk = tempfile::Builder::new().prefix("a desk ").tempdir().unwrap();
    let desk = desk.path();
    let [serve, python] = made(desk, "salvo-python", "of mine/Deep Water");
    let [_, rust] = made(desk, "salvo-rust", "Henkiebunch");
    let dir = desk.join("salvo");
    let serve: Vec<&str> = serve.strip_prefix("broadside salvo serve ").unwrap().split(' ').collect();
    // Both have to be built first, which may take longer than teams should.
    let here = ["--listen", "127.0.0.1:0", "--matches", "1", "--place-seconds", "3600"];
    let mut server = ServerProcess::start(&dir, &[serve.as_slice(), here.as_slice()].concat());
    let rust = ClientProcess::start(as_here(&mut pasted(desk, &rust, server.port()), &desk.join("Henkiebunch")));
    let python = ClientProcess::start(pasted(desk, &python, server.port()).env("PIP_QUIET", "1"));
    let winner = server.winner();
    assert!(["Deep Water", "Henkiebunch"].contains(&winner.as_str()), "{winner}");
    assert_eq!(rust.ended(), format!("Henkiebunch: the winner is {winner}\n"));
    assert_eq!(python.ended(), format!("Deep Water: the winner is {winner}\n"));
    server.ends_well();
    verified(&dir);

    // libsodium reads ours; that we read libsodium's is what the match was.
    let sealed = salvo::Cipher::new().seal("Ahoi \u{2693}", "cockadoodledoo");
    let code = "import sys, bot; print(bot.decrypt(sys.argv[1], 'cockadoodledoo'))";
    let bot = desk.join("of mine/Deep Water");
    let read =
        Command::new(bot.join("venv/bin/python")).current_dir(&bot).args(["-c", code, &sealed]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&read.stdout), "Ahoi \u{2693}\n");
}
