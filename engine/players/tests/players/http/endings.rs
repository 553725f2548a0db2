//! However a call goes wrong, it ends in time, and it is said whose fault that is.

use super::server::{Server, good};
use super::{AMPLE, SHORT, answer, ask, asked, bot, client, is_late, request, unreachable};
use arena::{ArenaError, Interrupt};
use players::http::{AllowedHosts, Client, Http};
use rustix::net::{AddressFamily, SocketType, bind, getsockname, listen, socket};
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const NOW_AND_THEN: Duration = Duration::from_millis(20);

#[test]
fn a_bot_that_refuses_connections_is_unreachable() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let why = unreachable(asked(&format!("http://me:secret@{address}/api?token=hidden")));
    assert_eq!(why, format!("http://{address}/api/move: connection refused"));
}

#[test]
fn a_bot_that_closes_the_connection_is_unreachable() {
    let heard = [
        ("", "before it answered"),
        ("HTTP/1.1 200 OK\r\nContent-Length", "in mid-answer"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", "in mid-answer"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nhalf", "in mid-answer"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", "in mid-answer"),
    ];
    for (said, when) in heard {
        let server = Server::once(said);
        let why = unreachable(asked(&server.url()));
        assert_eq!(why, format!("{}/move: closed the connection {when}", server.url()));
        assert_eq!(server.connections(), 1, "asked once only");
    }
}

#[test]
fn a_bot_that_never_answers_is_late() {
    let arrived = is_late(&client("private"), &Server::new(|visit| visit.hang()).url());
    assert_eq!(arrived, "nothing came");
}

#[test]
fn a_bot_that_dribbles_is_late_however_often_it_says_a_byte() {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n";
    let slow = [
        (
            String::new(),
            format!("HTTP/1.1 200 OK\r\nLong: {}", "x".repeat(1000)),
            " bytes came, without the blank line",
        ),
        (head.to_owned(), "x".repeat(1000), " of the 1000 bytes came that Content-Length announces"),
        ("HTTP/1.0 200 OK\r\n\r\n".to_owned(), "x".repeat(1000), " bytes came, and the connection was not closed"),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_owned(),
            "1\r\nx\r\n".repeat(200),
            " bytes came in chunks, without the last one",
        ),
        (String::new(), "HTTP/1.1 100 Continue\r\n\r\n".repeat(100), " bytes came, without the blank line"),
    ];
    for (at_once, slowly, told) in slow {
        let server = Server::new(move |visit| {
            visit.hears();
            visit.say(at_once.as_bytes());
            visit.dribble(slowly.as_bytes(), NOW_AND_THEN);
        });
        let arrived = is_late(&client("private"), &server.url());
        assert!(arrived.contains(told), "{arrived}");
    }
}

#[test]
fn a_bot_that_is_slow_but_in_time_has_answered() {
    let server = Server::new(|visit| {
        visit.hears();
        visit.dribble(good("1").as_bytes(), Duration::from_millis(1));
    });
    assert_eq!(answer(asked(&server.url())), "1");
}

#[test]
fn a_bot_that_does_not_take_connections_is_late() {
    // Room for a connection or two, which are there already.
    let socket = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    bind(&socket, &SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).unwrap();
    listen(&socket, 0).unwrap();
    let address = SocketAddr::try_from(getsockname(&socket).unwrap()).unwrap();
    let connect = || TcpStream::connect_timeout(&address, Duration::from_millis(100));
    let waiting: Vec<TcpStream> = std::iter::from_fn(|| connect().ok()).collect();
    is_late(&client("private"), &format!("http://{address}"));
    drop(waiting);
}

#[test]
fn a_bot_that_does_not_take_a_long_message_is_late() {
    use players::Transport;
    let server = Server::new(|visit| visit.hang());
    let message = request(vec![b' '; 64 << 20]);
    let delivery = bot(&client("private"), &server.url(), SHORT).exchange(rules::Seat::A, &message).unwrap();
    assert!(matches!(delivery.fault, Some(rules::Fault::TimedOut { .. })), "{:?}", delivery.fault);
}

/// A client that never finds a name, and what ends its search.
fn lost() -> (Arc<Client>, Sender<()>) {
    let (end, ended) = channel::<()>();
    let ended = Mutex::new(ended);
    let lookup = move |_: &str, _: u16| {
        let _ = ended.lock().unwrap().recv();
        Err(io::Error::other("never found"))
    };
    (Arc::new(Client::new(AllowedHosts::private()).looking_up(Arc::new(lookup))), end)
}

#[test]
fn the_time_in_which_a_name_is_looked_up_counts() {
    let (client, _end) = lost();
    is_late(&client, "http://bot.example");
}

#[test]
fn a_name_that_is_not_found_is_unreachable() {
    let lookup = |_: &str, _: u16| Err(io::Error::other("no such name"));
    let client = Arc::new(Client::new(AllowedHosts::private()).looking_up(Arc::new(lookup)));
    let why = unreachable(ask(&mut bot(&client, "http://bot.example:81", AMPLE)).unwrap());
    assert_eq!(why, "http://bot.example:81/move: no such name");
}

/// Asks without limit, and raises the interrupt when `begun` says so.
fn interrupted(client: &Arc<Client>, url: &str, begun: impl FnOnce()) {
    let interrupt = Interrupt::new().unwrap();
    let mut bot = Http::new(Arc::clone(client), url.parse().unwrap(), None, interrupt.clone());
    let asked = thread::scope(|scope| {
        let asked = scope.spawn(|| ask(&mut bot));
        begun();
        interrupt.raise();
        asked.join().unwrap()
    });
    assert!(matches!(asked, Err(ArenaError::Interrupted)), "{asked:?}");
}

#[test]
fn a_match_can_be_stopped_while_a_bot_thinks_or_dribbles() {
    for said in ["", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"] {
        let (begin, begun) = channel();
        let server = Server::new(move |visit| {
            visit.hears();
            visit.say(said.as_bytes());
            begin.send(()).unwrap();
            visit.dribble(said.repeat(100).as_bytes(), NOW_AND_THEN);
            visit.hang();
        });
        interrupted(&client("private"), &server.url(), || begun.recv().unwrap());
    }
}

#[test]
fn a_match_can_be_stopped_while_a_name_is_looked_up() {
    let (client, _end) = lost();
    interrupted(&client, "http://bot.example", || {});
}
