//! The tables of what differs between a command on a page and the command that is tested.

use super::page::Page;

/// The ports on pages. Each is replaced by a free one.
pub const PORTS: [&str; 6] = ["1883", "3000", "4000", "8000", "8001", "8080"];

/// Commands that run until they are ended, by words in them, and the words that they print when they are ready.
pub const SERVERS: [(&str, &str); 9] = [
    ("broadside serve", "http://"),
    ("broadside dev ", "Waiting for a change"),
    ("broadside salvo serve", "Clients connect to "),
    // The person is the last to join, so the others have joined as well.
    ("broadside salvo join Hunter", "The game: "),
    ("cargo run --release --manifest-path my-client", ""),
    ("broadside salvo join Me --with person", "The game: turn"),
    // The match waits for a browser.
    (" --live -b ", "Live: http://"),
    ("python3 my-", "listening on "),
    ("php -S", "Development Server"),
];

/// The beginning of a command or another text in it, its replacement, and the reason. A line end stands for the end of the command.
const CHANGES: [(&str, &str, &str); 20] = [
    ("cargo run --release --manifest-path my-client/Cargo.toml --", "\"$CLIENT\" --port 1883", "it is built already"),
    ("cargo run --release --", "broadside", "the same program, which is built already"),
    (
        "broadside check my-bot",
        "broadside check --calibration 2000 -s 1 my-bot",
        "many tests run at the same time, and `starters.rs` tests all maps",
    ),
    ("-b my-bot bots/random-python", "-s 1 -b my-bot bots/random-python", "a shorter game"),
    ("broadside check --game", "broadside check --limit 60000 --game", "many tests run at the same time"),
    ("broadside play --game", "broadside play --limit 60000 --game", "many tests run at the same time"),
    (
        "broadside compare my-bot old-bot\n",
        "broadside compare my-bot old-bot --games 2 -s 1",
        "a verdict takes hundreds of games",
    ),
    (
        "compare my-bot old-bot --sprt",
        "compare my-bot old-bot --games 2 -s 1 --sprt",
        "a verdict takes hundreds of games",
    ),
    ("compare my-bot old-bot --verdict --games 400", "compare my-bot old-bot --verdict --games 2 -s 1", "the same"),
    ("--dir games\n", "--dir games || test $? = 11", "two games give no verdict"),
    ("--games 20 ", "--games 2 -s 1 ", "fewer and shorter games"),
    ("--games 100\n", "--games 2 -s 1", "fewer and shorter games"),
    ("--format jsonl |", "--format jsonl --games 2 -s 1 |", "fewer and shorter games"),
    ("broadside serve\n", "broadside serve --listen 127.0.0.1:3000", "the usual port may be in use"),
    (
        "broadside salvo serve --players",
        "broadside salvo serve --listen 127.0.0.1:1883 --players",
        "the usual port may be in use",
    ),
    ("broadside salvo join", "broadside salvo join --broker mqtt://127.0.0.1:1883", "the port of that server"),
    ("ADDRESS", "127.0.0.1", "the page says to put the address here"),
    ("192.168.0.7", "127.0.0.1", "a bot on the machine of the test"),
    ("curl ", "curl --silent --show-error --fail-with-body ", "a refused request is a failure"),
    ("localhost", "127.0.0.1", "some machines have two addresses of that name"),
];

/// The command with its changes and with free ports.
pub fn as_tested(command: &str, ports: &[(&str, u16)]) -> String {
    let changed = CHANGES.iter().fold(format!("{command}\n"), |command, (from, to, _)| command.replace(from, to));
    with_ports(changed.trim_end(), ports)
}

/// The text with every number that is one of these ports replaced.
fn with_ports(text: &str, ports: &[(&str, u16)]) -> String {
    let mut replaced = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let end = rest[start..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |length| start + length);
        let number = &rest[start..end];
        let port = ports.iter().find(|(port, _)| *port == number).map(|(_, free)| free.to_string());
        replaced.push_str(&rest[..start]);
        replaced.push_str(port.as_deref().unwrap_or(number));
        rest = &rest[end..];
    }
    replaced + rest
}

#[test]
fn every_row_of_the_tables_is_about_a_page() {
    let text: String = Page::all().into_iter().map(|page| page.text).collect();
    let changed = CHANGES.iter().map(|(from, _, _)| *from);
    for words in changed.chain(SERVERS.map(|(words, _)| words)).chain(PORTS) {
        assert!(text.contains(words), "no page has {words:?}");
    }
}
