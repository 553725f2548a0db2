//! People who play in the browser, with links that the program prints.

use crate::table::signalled;
use assert_cmd::Command;
use match_folder::{open, verify};
use predicates::str::contains;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStderr, Stdio};
use std::time::Duration;

fn broadside() -> Command {
    assert_cmd::cargo::cargo_bin_cmd!("broadside")
}

/// A running program and the links that it printed.
fn started(folder: &Path, arguments: &[&str], people: usize) -> (Child, BufReader<ChildStderr>, Vec<String>) {
    let mut engine = signalled();
    engine.current_dir(folder).args(arguments);
    let mut engine = engine.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(engine.stderr.take().unwrap());
    let mut links = Vec::new();
    while links.len() < people {
        let mut line = String::new();
        assert!(said.read_line(&mut line).unwrap() > 0, "{links:?}");
        links.extend(line.trim().split_once(": http://").map(|(_, link)| link.to_owned()));
    }
    (engine, said, links)
}

/// Reads the stream of a page up to a question of this kind, and gives its number.
fn asked(stream: &mut impl BufRead, kind: &str) -> u64 {
    let beginning = format!("data: {{\"kind\":\"{kind}\",\"number\":");
    loop {
        let mut line = String::new();
        assert!(stream.read_line(&mut line).unwrap() > 0, "no question to {kind}");
        if let Some(rest) = line.strip_prefix(&beginning) {
            return rest.split(',').next().unwrap().parse().unwrap();
        }
    }
}

fn events(link: &str) -> BufReader<TcpStream> {
    let (host, path) = link.split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    write!(stream, "GET /{path}events HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    BufReader::new(stream)
}

fn act(link: &str, number: u64, act: &str) -> serde_json::Value {
    let (host, path) = link.split_once('/').unwrap();
    let body = format!("{{\"ask\":{number},{act}}}");
    let mut stream = TcpStream::connect(host).unwrap();
    write!(
        stream,
        "POST /{path}order HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
}

/// Places a fleet at random.
fn place(link: &str, page: &mut impl BufRead) {
    let number = asked(page, "place");
    let ships = act(link, number, r#""act":"random""#)["ships"].clone();
    assert_eq!(act(link, number, &format!(r#""act":"fleet","ships":{ships}"#))["ok"], true);
}

/// Answers the next question for an order.
fn order(link: &str, page: &mut impl BufRead, given: &str) {
    let number = asked(page, "order");
    let answer = act(link, number, given);
    assert_eq!(answer["ok"], true, "{given}: {answer}");
}

/// Waits for the end of the program, and checks its result and its record.
fn assert_ends(mut engine: Child, folder: &Path, result: &str) {
    assert_eq!(engine.wait().unwrap().code(), Some(0));
    let mut told = String::new();
    engine.stdout.take().unwrap().read_to_string(&mut told).unwrap();
    assert!(told.contains(result), "{told}");
    verify(&open(&folder.join("match")).unwrap()).unwrap();
}

#[test]
fn two_people_play_with_a_link_each_and_leave_a_record_as_ever() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["play", "--web", "-s", "1", "--log", "match", "--seed", "7"];
    let (engine, _said, links) = started(folder.path(), &arguments, 2);
    let mut pages: Vec<_> = links.iter().map(|link| events(link)).collect();
    // The second one places first, and is the first to pass: nobody waits for the other.
    for (link, page) in links.iter().zip(&mut pages).rev() {
        place(link, page);
    }
    for given in [r#""act":"pass""#, r#""act":"order","word":"fire","target":"B","x":3,"y":4"#] {
        order(&links[1], &mut pages[1], r#""act":"pass""#);
        order(&links[0], &mut pages[0], given);
    }
    order(&links[1], &mut pages[1], r#""act":"pass""#);
    order(&links[0], &mut pages[0], r#""act":"resign""#);
    drop(pages);
    assert_ends(engine, folder.path(), "Player 2 wins");
}

#[test]
fn a_person_plays_salvo_against_two_others() {
    let folder = tempfile::tempdir().unwrap();
    let arguments =
        ["play", "--game", "salvo", "--web", "--people", "1", "--log", "match", "builtin:random", "builtin:hunter"];
    let (engine, _said, links) = started(folder.path(), &arguments, 1);
    let mut page = events(&links[0]);
    place(&links[0], &mut page);
    for target in ["A", "B"] {
        let shot = format!(r#""act":"order","word":"fire","target":"{target}","x":9,"y":9"#);
        order(&links[0], &mut page, &shot);
    }
    order(&links[0], &mut page, r#""act":"resign""#);
    drop(page);
    assert_ends(engine, folder.path(), " wins");
}

#[test]
fn an_interrupt_ends_a_match_that_waits_for_a_person() {
    let folder = tempfile::tempdir().unwrap();
    // One person who names no opponent plays a built-in player.
    let arguments = ["play", "--game", "sea-battle", "--web", "--people", "1", "--record", "none"];
    let (mut engine, _said, links) = started(folder.path(), &arguments, 1);
    asked(&mut events(&links[0]), "place");
    rustix::process::kill_process(rustix::process::Pid::from_child(&engine), rustix::process::Signal::INT).unwrap();
    assert_eq!(engine.wait().unwrap().code(), Some(130));
}

#[test]
fn a_port_that_is_taken_and_seats_that_do_not_exist_are_told_before_the_match() {
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = format!("--web={}", taken.local_addr().unwrap().port());
    broadside().args(["play", "--game", "sea-battle", &port, "builtin:hunter"]).assert().code(1);
    let play = |arguments: &[&str]| broadside().arg("play").args(arguments).assert().code(2);
    play(&["--game", "sea-battle", "--web", "builtin:hunter", "builtin:random"])
        .stderr(contains("2 named players and 0 in the browser do not make a match of 2"));
    play(&["--game", "salvo", "--web", "--people", "16", "builtin:hunter"]).stderr(contains("a match of 2 to 16"));
    play(&["--web=nowhere"]).stderr(contains("expected a port such as 8080"));
    play(&["--people", "2", "builtin:hunter"]).stderr(contains("--web"));
    play(&["--web", "-c", "1", "builtin:hunter"]).stderr(contains("cannot be used with"));
}
