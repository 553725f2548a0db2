//! A match in the browser while it is played.

use crate::table::{Table, signalled};
use predicates::prelude::*;
use predicates::str::contains;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStderr, Stdio};

/// A running program with a live view, and the address that it printed.
fn started(table: &Table) -> (Child, BufReader<ChildStderr>, String) {
    let mut engine = signalled();
    engine.current_dir(table.folder.path()).args(table.arguments()).args(["--live", "--pace", "1"]);
    let mut engine = engine.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(engine.stderr.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("Live: http://").and_then(|line| line.strip_suffix('/')).unwrap().to_owned();
    (engine, said, address)
}

pub fn asked(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_viewer_is_told_the_whole_match_and_the_program_ends() {
    let table = Table::new();
    let (mut engine, _said, address) = started(&table);
    let events = asked(&address, "/events");
    assert!(events.contains("event: setup") && events.contains(r#"data: {"finished":true,"#), "{events}");
    assert_eq!(events.matches("event: frame").count(), table_rounds(&table) + 1);
    assert_eq!(engine.wait().unwrap().code(), Some(0));
}

fn table_rounds(table: &Table) -> usize {
    // The header and the outcome are not rounds.
    table.read("match.jsonl").lines().count() - 2
}

#[test]
fn the_match_waits_for_a_viewer_until_it_is_ended() {
    let table = Table::new();
    let (mut engine, mut said, address) = started(&table);
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    assert_eq!(line, "The match begins as soon as this page is open in a browser. Ctrl-C ends the program.\n");
    // A program that loads the page does not watch it.
    assert!(asked(&address, "/").starts_with("HTTP/1.1 200 "));
    let so_far = asked(&address, "/match.html");
    assert_eq!(so_far.matches(r#"{"titles":"#).count(), 1, "only the start");
    rustix::process::kill_process(rustix::process::Pid::from_child(&engine), rustix::process::Signal::INT).unwrap();
    assert_eq!(engine.wait().unwrap().code(), Some(130));
    let mut told = String::new();
    engine.stdout.take().unwrap().read_to_string(&mut told).unwrap();
    assert_eq!(told, "");
}

#[test]
fn a_port_that_is_taken_is_told_before_the_match() {
    let table = Table::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let mut command = table.command();
    command.arg("--tournamentMode").env("XDG_STATE_HOME", table.folder.path().join("state"));
    command.arg(format!("--live={port}")).assert().code(1).stderr(
        contains(format!("cannot show the match at 127.0.0.1:{port}"))
            .and(contains("use --live or --web without a number to take any free port")),
    );
    assert_eq!(std::fs::read_dir(table.folder.path()).unwrap().count(), 0, "nothing was begun");
}
