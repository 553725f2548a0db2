//! Salvo from the command line: a server and its clients, and a server that is killed.

use crate::salvo::server::{ClientProcess, ServerProcess, verified};
use crate::sample_server::rust_program;
use crate::screens::live::asked;
use crate::screens::terminal::Terminal;
use crate::table::{USUAL_SIGNALS, broadside, signalled};
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

#[test]
fn two_bots_of_ours_play() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("salvo");
    let mut server = ServerProcess::start(&dir, &["--listen", "127.0.0.1:0", "--players", "2", "--matches", "1"]);
    let url = server.url();
    let hunter = ClientProcess::ours("Hunter", &url, &["--seed", "1"]);
    let random = ClientProcess::ours("Random", &url, &["--with", "random", "--seed", "2"]);
    server.says("Hunter has placed all ships");
    let winner = server.winner();
    for (client, name) in [(hunter, "Hunter"), (random, "Random")] {
        let own = if name == winner { " (this one)" } else { "" };
        assert_eq!(client.ended(), format!("Winner: {winner}{own}\n"));
    }
    server.ends_well();
    verified(&dir);
    let journal = fs::read_to_string(dir.join("salvo.jsonl")).unwrap();
    assert!(journal.ends_with("{\"what\":\"over\"}\n"), "{journal}");
}

#[test]
fn an_address_cannot_fill_the_lobby_of_others_unless_nobody_else_can_come() {
    for (listen, has_room) in [("0.0.0.0:0", false), ("127.0.0.1:0", true)] {
        let folder = tempfile::tempdir().unwrap();
        let mut server = ServerProcess::start(folder.path(), &["--listen", listen, "--place-seconds", "3600"]);
        let url = format!("mqtt://127.0.0.1:{}", server.port());
        let names = ["Ann", "Bob", "Cid", "Dan", "Eve", "Flo", "Gus", "Hal"];
        let _clients = names.map(|name| {
            let client = ClientProcess::ours(name, &url, &[]);
            server.says(&format!("{name} takes part"));
            client
        });
        if has_room {
            let _ninth = ClientProcess::ours("Ida", &url, &[]);
            server.says("Ida takes part");
        } else {
            let refused = broadside().args(["salvo", "join", "Ida", "--broker", &url]).assert().failure();
            refused.stderr(contains("your address has 8 teams already"));
        }
    }
}

#[test]
fn a_server_that_is_killed_goes_on_with_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("salvo");
    let mut server =
        ServerProcess::start(&dir, &["--listen", "127.0.0.1:0", "--players", "2", "--matches", "1", "--live"]);
    let (url, address) = (server.url(), server.address.clone());
    let live = server.live();
    let sample = ClientProcess::start(Command::new(rust_program("salvo-rust")).args(["Rust", "--port", server.port()]));
    let ours = ClientProcess::ours("Hunter", &url, &[]);
    server.says("The match begins");
    // Two salvos and a few shots.
    let page = TcpStream::connect(&live).unwrap();
    write!(&page, "GET /events HTTP/1.1\r\nHost: {live}\r\n\r\n").unwrap();
    let frames = BufReader::new(page).lines().map(Result::unwrap).filter(|line| line == "event: frame");
    assert_eq!(frames.take(13).count(), 13);
    server.kill();
    let mut server = ServerProcess::start(&dir, &["--listen", &address, "--players", "2", "--matches", "1"]);
    server.says("The match goes on after");
    let winner = server.winner();
    assert_eq!(sample.ended(), format!("Rust: the winner is {winner}\n"));
    ours.ended();
    server.ends_well();
    verified(&dir);
}

#[test]
fn a_page_shows_the_lobby_and_all_boards() {
    let folder = tempfile::tempdir().unwrap();
    let once = ["--listen", "127.0.0.1:0", "--players", "2", "--matches", "1", "--live"];
    let mut server = ServerProcess::start(&folder.path().join("salvo"), &once);
    let live = server.live();
    let address = live.as_str();
    assert!(asked(address, "/").contains(r#"{"events":"events"}"#));
    let page = TcpStream::connect(address).unwrap();
    write!(&page, "GET /events HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let mut told = BufReader::new(page).lines().map(Result::unwrap);
    let mut data = |about: &str| told.find(|line| line.starts_with("data: ") && line.contains(about)).unwrap();
    let place = format!("Teams connect by MQTT at {}.", server.url());
    assert_eq!(data("teams"), format!(r#"data: {{"teams":[],"how":"{place}"}}"#));
    // The page skips states that nobody has read in time, so the test waits for one that lasts.
    let first = ClientProcess::ours("A", &server.url(), &[]);
    data(r#"{"teams":[{"name":"A","ready":true}],"#);
    let clients = [first, ClientProcess::ours("B", &server.url(), &[])];
    assert!(data("format").contains(r#""eyes":["everyone"]"#));
    // The page shows all ships when the match is over.
    assert!(data(r#""eyes":["referee"]"#).contains(r#""names":["#));
    assert!(data("winner").contains("finished"));
    clients.into_iter().for_each(|client| drop(client.ended()));
    server.ends_well();
}

#[test]
fn a_person_hears_what_happens_while_a_shot_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("salvo");
    let server = ServerProcess::start(&dir, &["--listen", "127.0.0.1:0", "--players", "2", "--turn-seconds", "2"]);
    let _random = ClientProcess::ours("Random", &server.url(), &["--with", "random"]);
    let mut person = signalled();
    person.args(["salvo", "join", "Me", "--with", "person", "--broker", &server.url()]);
    let mut person = person.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut keys = person.stdin.take().unwrap();
    let mut said = BufReader::new(person.stderr.take().unwrap()).lines().map(Result::unwrap);
    // The lines up to one with these words.
    let mut says = |words: &str| {
        let mut lines = Vec::new();
        while !lines.last().is_some_and(|line: &String| line.contains(words)) {
            lines.push(said.next().unwrap_or_else(|| panic!("{words}: {lines:?}")));
        }
        lines
    };
    says("Your ships are placed at random");
    says("Shot 1 of 5: TARGET COLUMN ROW");
    keys.write_all(b"?\n").unwrap();
    says(" 3 4 fires at column 3");
    // On a busy machine a salvo may be over before its shot is typed; then the next one will do. It has fewer shots if a ship was
    // sunk meanwhile.
    let mut is_typed_in_time = false;
    while !is_typed_in_time {
        // One of the last two has the own letter.
        keys.write_all(b"Z 0 0\nA 3 4\nB 3 4\n").unwrap();
        // Events are shown while a line is waited for.
        let lines = says("took too long");
        says("Random fires");
        says("Shot 1 of ");
        let expected = ["That is not a shot: type the letter of a player", "Shot 2 of ", "lost: Me took too long"];
        is_typed_in_time = expected.iter().all(|words| lines.iter().any(|line| line.contains(words)));
    }
    drop(keys);
    says("Standard input has ended: your shots lapse");
    says("lost: Me took too long");
    person.kill().unwrap();
    person.wait().unwrap();
}

#[test]
fn a_person_at_a_terminal_places_ships_and_finds_help_at_any_time() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("salvo");
    let server = ServerProcess::start(&dir, &["--listen", "127.0.0.1:0", "--players", "2", "--turn-seconds", "600"]);
    let program = assert_cmd::cargo::cargo_bin!("broadside");
    let (program, url) = (program.display(), server.url());
    let line = format!("exec env {USUAL_SIGNALS} '{program}' salvo join Me --with person --broker {url}");
    let Some(mut terminal) = Terminal::run(folder.path(), &line, false) else { return };
    terminal.wait_for("Place your ships, e.g.: carrier 0 3 horizontal").wait_for("to place: ").press("help\n");
    terminal.wait_for("directions: horizontal vertical").press("carrier 0 0 h\n").wait_for(" 0  C C C C C ~");
    terminal.wait_for("to place: battleship (4), destroyer").press("\n").wait_for("Your ships are placed");
    terminal.press("shoot\n").wait_for("It is not your turn; help and map work at any time");
    terminal.press("help\n").wait_for("B 3 4 fires at column 3").press("map\n").wait_for("and your shots: * a hit");
    let _random = ClientProcess::ours("Random", &url, &["--with", "random"]);
    terminal.wait_for("such as B 3 4 or 3 4 (? for help)").press("3 4\n").wait_for("Shot 2 of 5");
    terminal.press("B D4\n").wait_for("You fired at B 3 4 already: again? y/N").press("y\n").wait_for("Shot 3 of 5");
    terminal.press("0 0\n").wait_for("Shot 4 of 5").press("1 0\n").wait_for("Shot 5 of 5").press("2,0\n");
    terminal.wait_for("Me has ").wait_for("Random fires").wait_for("Random has ").press("\x03");
    let (screen, code) = terminal.end();
    assert_eq!(code, Some(130), "{screen}");
}

#[test]
fn a_person_who_waits_for_a_broker_is_told_so_and_leaves_by_ctrl_d() {
    let folder = tempfile::tempdir().unwrap();
    let refuses = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let program = assert_cmd::cargo::cargo_bin!("broadside");
    let arguments = format!("salvo join Me --with person --broker mqtt://{refuses}");
    let line = format!("exec env {USUAL_SIGNALS} '{}' {arguments}", program.display());
    let Some(mut terminal) = Terminal::run(folder.path(), &line, false) else { return };
    terminal.wait_for("Waiting for the broker").press("3 4\n").wait_for("There is no game yet").press("\x04");
    let (screen, code) = terminal.end();
    assert_eq!(code, Some(130), "{screen}");
    assert!(screen.contains("Left before the team had joined"), "{screen}");
}

#[test]
fn mistakes_are_told() {
    let wrong = |arguments: &[&str], words: &str, code: i32| {
        broadside().arg("salvo").args(arguments).assert().code(code).stderr(contains(words));
    };
    wrong(&["serve", "--broker", "localhost"], "localhost is not a broker", 2);
    wrong(&["serve", "--topic-prefix", "a/b"], "--topic-prefix: \"a/b\" cannot be part of a topic", 2);
    wrong(&["serve", "--players", "17"], "17 is not in 2..=16", 2);
    wrong(&["acl", "A", "a/b"], "\"a/b\" cannot be the user name of a team", 2);
    wrong(&["acl", "A", "B", "A"], "it is named twice", 2);
    wrong(&["acl", "broadside"], "the server has this name", 2);
    wrong(&["acl", "builtin:hunter"], "no user names with a colon", 2);
    wrong(&["join", "a/b"], "the server refuses a/b: a name has 1 to 32 letters", 2);
    wrong(&["serve", "--turn-seconds", "0"], "expected a number of seconds, such as 30 or 0.5, more than 0", 2);
    wrong(&["serve", "--turn-seconds", "soon"], "expected a number of seconds", 2);
    wrong(&["serve", "--live=here"], "expected a port, such as 8080, or an address and a port", 2);
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    wrong(&["serve", "--broker", &format!("mqtt://{free}"), "--dir", "/dev/null/x"], "/dev/null/x", 1);
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().to_str().unwrap();
    wrong(&["serve", "--broker", &format!("mqtt://{free}"), "--dir", dir], &format!("mqtt://{free}"), 1);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let live = format!("--live={}", taken.local_addr().unwrap());
    wrong(&["serve", "--listen", "127.0.0.1:0", "--dir", dir, &live], "cannot show the match at 127.0.0.1:", 1);
    fs::write(folder.path().join("salvo.jsonl"), "{}\n").unwrap();
    wrong(&["serve", "--listen", "127.0.0.1:0", "--dir", dir], "salvo.jsonl, line 1", 5);
}

#[test]
fn the_access_list_has_the_topics_below_the_prefix() {
    let list = broadside().args(["salvo", "acl", "A", "O'Neil", "--topic-prefix", "monday"]).assert().success();
    let list =
        list.stdout(contains("topic read /monday/game/state\n").and(contains("pattern read /monday/players/%u/hit\n")));
    list.stderr(contains(r"mosquitto_passwd passwords 'O'\''Neil'"));
}

#[test]
fn a_client_without_a_broker_tells_what_it_waits_for() {
    // One port refuses connections, the other accepts them and never answers.
    let refuses = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    for (address, why) in [(refuses, "Connection refused"), (silent.local_addr().unwrap(), "no answer yet")] {
        let mut client = signalled();
        client.args(["salvo", "join", "Me", "--broker", &format!("mqtt://{address}")]);
        let mut client = client.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(client.stderr.take().unwrap()).lines();
        let line = lines.next().unwrap().unwrap();
        assert!(
            line.starts_with(&format!("Waiting for the broker at mqtt://{address}, trying every second: ")),
            "{line}"
        );
        assert!(line.contains(why), "{line}");
        let hint = lines.next().unwrap().unwrap();
        assert!(hint.starts_with("  hint: start `broadside salvo serve`, or name the broker"), "{hint}");
        client.kill().unwrap();
        client.wait().unwrap();
    }
}
