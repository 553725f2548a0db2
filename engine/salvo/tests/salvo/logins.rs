//! Logins that the built-in broker refuses, each with its code and, in MQTT 5, with its reason.

use crate::fixture::RunningServer;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

/// A CONNECT, field by field.
#[derive(Clone)]
struct Connect {
    protocol: &'static str,
    level: u8,
    identifier: String,
    is_clean: bool,
    will: Option<&'static str>,
    login: Option<(String, String)>,
}

fn text(text: &str) -> Vec<u8> {
    [&(text.len() as u16).to_be_bytes()[..], text.as_bytes()].concat()
}

/// A client with a clean session, this identifier, and no login.
fn client(identifier: &str) -> Connect {
    Connect { protocol: "MQTT", level: 4, identifier: identifier.to_owned(), is_clean: true, will: None, login: None }
}

/// A client with a login.
fn of_team(identifier: &str, name: &str, secret: &str) -> Connect {
    Connect { login: Some((name.to_owned(), secret.to_owned())), ..client(identifier) }
}

impl Connect {
    fn bytes(&self) -> Vec<u8> {
        let flags =
            u8::from(self.is_clean) * 2 + u8::from(self.will.is_some()) * 4 + u8::from(self.login.is_some()) * 0xc0;
        let properties = if self.level == 5 { &[0][..] } else { &[] };
        let mut body = [&text(self.protocol)[..], &[self.level, flags, 0, 60], properties].concat();
        body.extend(text(&self.identifier));
        if let Some(will) = self.will {
            body.extend([properties, &text(will), &text("bye")].concat());
        }
        if let Some((name, secret)) = &self.login {
            body.extend([text(name), text(secret)].concat());
        }
        let (low, high) = (body.len() % 128, body.len() / 128);
        [vec![0x10, low as u8 | 0x80, high as u8], body].concat()
    }

    /// The connection, once the broker has accepted it.
    fn comes(&self, broker: SocketAddr) -> TcpStream {
        let mut stream = self.sends(broker);
        let mut answer = [0; 4];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(answer, [0x20, 2, 0, 0], "{:?}", self.identifier);
        stream
    }

    fn sends(&self, broker: SocketAddr) -> TcpStream {
        let mut stream = TcpStream::connect(broker).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        stream.write_all(&self.bytes()).unwrap();
        stream
    }

    /// The whole answer of a broker that refuses the login.
    fn is_refused(&self, broker: SocketAddr) -> Vec<u8> {
        rest(self.sends(broker))
    }
}

/// The bytes that come until the broker ends the connection.
fn rest(mut stream: TcpStream) -> Vec<u8> {
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    answer
}

/// Fails unless the broker answers so in both versions of the protocol.
fn refused(connect: &Connect, broker: SocketAddr, codes: [u8; 2], why: &str) {
    assert_eq!(connect.is_refused(broker), [0x20, 2, 0, codes[0]], "{why}");
    let answer = Connect { level: 5, ..connect.clone() }.is_refused(broker);
    let told = String::from_utf8_lossy(&answer).into_owned();
    assert!(answer[0] == 0x20 && answer.contains(&codes[1]) && told.ends_with(why), "{answer:?}: {told}, not {why}");
}

#[test]
fn a_refused_login_has_the_code_of_its_reason_and_the_reason_in_words() {
    let (server, _) = RunningServer::for_two();
    let broker = server.address;
    let _connected = ["Kraken", "APE"].map(|name| of_team(name, name, "one").comes(broker));
    let identifiers = "a client identifier has at most 128 bytes, without / \\ and control characters, is not . or .., and does \
                       not begin with cert:";
    let names = "a name has 1 to 32 letters, without / + # $ and control characters, and no blanks at its ends";
    let cases = [
        (client("a/b"), [2, 133], identifiers),
        (client("cert:a"), [2, 133], identifiers),
        (client(&"x".repeat(129)), [2, 133], identifiers),
        (
            Connect { will: Some("/game/winner"), ..client("b") },
            [5, 144],
            "a last will is not taken: connect without the one for /game/winner",
        ),
        (of_team("b", "Kraken", "two"), [4, 134], "the name is taken, and the secret is another one"),
        (of_team("b", "kraken", "one"), [4, 134], "the name is taken, and the secret is another one"),
        (
            of_team("b", "\u{410}\u{420}\u{415}", "one"),
            [4, 134],
            "the name looks like that of another team; choose another one",
        ),
        (of_team("b", "a+b", "one"), [4, 134], names),
        (of_team("b", "B", &"x".repeat(1025)), [4, 134], "a secret has 1 to 1024 bytes"),
        (of_team("b", "$admin", "one"), [4, 134], "not the administrator's secret"),
    ];
    for (connect, codes, why) in cases {
        refused(&connect, broker, codes, why);
    }
    let unnamed = Connect { is_clean: false, ..client("") };
    assert_eq!(unnamed.is_refused(broker), [0x20, 2, 0, 2], "MQTT 5 would name it");
    // An older and a later version of the protocol.
    let versions = "the broker speaks MQTT 3.1.1 and 5";
    assert_eq!(Connect { protocol: "MQIsdp", level: 3, ..client("b") }.is_refused(broker), [0x20, 2, 0, 1]);
    let later = Connect { level: 6, ..client("b") }.is_refused(broker);
    assert!(later[3] == 132 && String::from_utf8_lossy(&later).ends_with(versions), "{later:?}");
    server.stop();
}

#[test]
fn a_login_that_comes_in_pieces_is_refused_as_well() {
    let (server, _) = RunningServer::for_two();
    let bytes = Connect { will: Some("/game/winner"), ..client("b") }.bytes();
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.set_nodelay(true).unwrap();
    bytes.chunks(1).for_each(|byte| stream.write_all(byte).unwrap());
    assert_eq!(rest(stream), [0x20, 2, 0, 5]);
    // Nothing, and no login.
    for other in [&b""[..], b"GET / HTTP/1.1\r\n\r\n"] {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.write_all(other).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        assert_eq!(rest(stream), b"");
    }
    server.stop();
}

#[test]
fn the_identifier_of_a_team_s_client_is_for_those_who_know_its_secret() {
    let (server, _) = RunningServer::for_two();
    let broker = server.address;
    let first = of_team("fixed", "Kraken", "one").comes(broker);
    let why = "a client of a team has this client identifier; log in with the name and secret of that team, or use a \
               fresh identifier";
    refused(&client("fixed"), broker, [2, 133], why);
    refused(&of_team("fixed", "Leviathan", "two"), broker, [2, 133], why);
    client("fresh").comes(broker);
    // The first connection may be half open: the same team replaces it.
    let second = of_team("fixed", "Kraken", "one").comes(broker);
    rest(first);
    let more: Vec<_> = (1..8).map(|number| of_team(&number.to_string(), "Kraken", "one").comes(broker)).collect();
    refused(&of_team("ninth", "Kraken", "one"), broker, [3, 151], "the team has 8 connections already");
    drop((second, more));
    server.stop();
}
