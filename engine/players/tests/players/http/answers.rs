//! The requests that bots get, and the parts of their answers that count.

use super::server::{Server, good};
use super::{AMPLE, answer, ask, asked, bot, client, unreachable, unreadable};
use arena::Interrupt;
use players::Transport;
use players::http::{AnswerPolicy, Http};
use rules::sea_battle::{MOVE, SeaBattle, Settings};
use rules::{ContentType, Game, HttpRequest, Listed, Part, Seat};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[test]
fn a_message_is_posted_below_the_url_and_the_body_is_the_answer() {
    let server = Server::saying(good("{\"x\":3}"));
    let delivery = asked(&format!("{}/api/", server.url().replace("//", "//me:secret@")));
    let time = delivery.time.unwrap();
    assert!(time.wall > Duration::ZERO && time.cpu.is_none());
    assert_eq!(answer(delivery), "{\"x\":3}");
    let request = server.requests().remove(0);
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let mut lines: Vec<&str> = head.lines().collect();
    lines.sort();
    let host = format!("host: {}", server.address);
    let expected = [
        "POST /api/move HTTP/1.1",
        "authorization: Basic bWU6c2VjcmV0",
        "content-length: 10",
        "content-type: application/json",
        &host,
        concat!("user-agent: broadside/", env!("CARGO_PKG_VERSION")),
    ];
    assert_eq!(lines, expected);
    assert_eq!(body, "{\"turn\":1}");
}

#[test]
fn a_form_is_posted_to_the_url_itself() {
    let server = Server::saying(good("3,4"));
    let url = format!("{}/bot.php?key=1", server.url()).parse().unwrap();
    let mut bot = Http::new(client("private"), url, None, Interrupt::new().unwrap());
    let body = b"act=fight".to_vec();
    let request = HttpRequest { path: None, content: ContentType::Form, body, answer: "fight" };
    let delivery = bot.exchange(Seat::A, &request).unwrap();
    assert_eq!(delivery.parts, [Part { name: "fight", bytes: b"3,4".to_vec() }]);
    let request = server.requests().remove(0);
    assert!(request.starts_with("POST /bot.php?key=1 HTTP/1.1\r\n"), "{request}");
    assert!(request.contains("content-type: application/x-www-form-urlencoded\r\n"), "{request}");
}

#[test]
fn long_answers_are_read_until_they_are_too_much_together() {
    let answers = Arc::new(AtomicUsize::new(0));
    let server = Server::new({
        let answers = Arc::clone(&answers);
        move |visit| {
            let long = good(&format!("3,4{}", " ".repeat((64 << 10) - 3)));
            while visit.hears() {
                let nth = answers.fetch_add(1, Ordering::SeqCst);
                visit.say(if nth < 258 { long.as_bytes() } else { good("3,4").leak().as_bytes() });
            }
        }
    });
    let mut bot = Http::new(client("private"), server.url().parse().unwrap(), None, Interrupt::new().unwrap());
    let request = HttpRequest { path: None, content: ContentType::Form, body: b"act=fight".to_vec(), answer: "fight" };
    let mut ask = || bot.exchange(Seat::A, &request).unwrap();
    let faults: Vec<_> = (0..258).map(|_| ask().fault.map(|fault| fault.to_string())).collect();
    assert!(faults[..257].iter().all(Option::is_none), "16 MiB, and the answer that makes it more");
    assert_eq!(faults[257].as_deref(), Some("unreadable answer: the answer is longer than 4096 bytes"));
    assert_eq!(ask().parts[0].bytes, b"3,4");
}

#[test]
fn connections_to_where_a_redirect_led_end_with_the_match() {
    let (ended, is_over) = channel();
    let ended = Mutex::new(ended);
    let target = Server::new(move |visit| {
        while visit.hears() {
            visit.say(good("3,4").as_bytes());
        }
        ended.lock().unwrap().send(()).unwrap();
    });
    let place = target.url();
    let first = Server::new(move |visit| {
        while visit.hears() {
            let head = format!("HTTP/1.1 307 Temporary Redirect\r\nLocation: {place}/\r\nContent-Length: 0\r\n\r\n");
            visit.say(head.as_bytes());
        }
    });
    let bot = Http::new(client("private"), first.url().parse().unwrap(), None, Interrupt::new().unwrap());
    let mut bot = bot.taking(AnswerPolicy::LENIENT);
    let request = HttpRequest { path: None, content: ContentType::Form, body: b"act=fight".to_vec(), answer: "fight" };
    assert_eq!(bot.exchange(Seat::A, &request).unwrap().parts[0].bytes, b"3,4");
    assert!(is_over.try_recv().is_err(), "it is kept during the match");
    drop(bot);
    is_over.recv_timeout(AMPLE).unwrap();
}

#[test]
fn bodies_of_all_kinds_are_read() {
    let chunked =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\n{\"x\r\n4\r\n\":3}\r\n0\r\nEnd: x\r\n\r\n";
    let old = "HTTP/1.0 200 OK\r\n\r\n{\"x\":3}";
    let bare = "HTTP/1.1 200\r\n\r\n{\"x\":3}";
    let announced =
        format!("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n{}", good("{\"x\":3}"));
    for body in [chunked, old, bare, &announced] {
        assert_eq!(answer(asked(&Server::once(body).url())), "{\"x\":3}", "{body}");
    }
    assert_eq!(answer(asked(&Server::once("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").url())), "");
    assert_eq!(
        answer(asked(
            &Server::at("[::1]:0", |visit| {
                visit.hears();
                visit.say(good("six").as_bytes());
            })
            .url()
        )),
        "six"
    );
}

#[test]
fn a_connection_is_used_again_in_a_match_and_closed_at_its_end() {
    for body in [good("1"), "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n1\r\n0\r\n\r\n".to_owned()] {
        let server = Server::saying(body);
        let client = client("private");
        for _ in 0..3 {
            let mut bot = bot(&client, &server.url(), AMPLE);
            assert_eq!(answer(ask(&mut bot).unwrap()), "1");
            assert_eq!(answer(ask(&mut bot).unwrap()), "1");
        }
        assert_eq!((server.connections(), server.requests().len()), (3, 6));
    }
}

#[test]
fn a_connection_that_cannot_or_should_not_be_used_again_is_not() {
    let more_than_said = format!("{}{}", good("1"), good("2"));
    let closing = good("1").replace("Content-Type", "Connection: close\r\nContent-Type");
    let old = good("1").replace("1.1", "1.0");
    for body in [more_than_said, closing, old] {
        let server = Server::saying(body);
        let client = client("private");
        for asked in 1..=3 {
            assert_eq!(answer(ask(&mut bot(&client, &server.url(), AMPLE)).unwrap()), "1");
            assert_eq!(server.connections(), asked);
        }
    }
}

/// A server whose first connection answers one request, reads another, and then says this.
fn tires(last_words: &'static str) -> Server {
    Server::new(move |visit| {
        visit.hears();
        visit.say(good("first").as_bytes());
        if visit.hears() {
            visit.say(if visit.number == 1 { last_words.as_bytes() } else { b"HTTP/1.1 500 No\r\n\r\n" });
        }
    })
}

#[test]
fn a_connection_that_the_bot_closed_while_it_was_idle_is_no_fault() {
    let server = Server::once(good("1"));
    let mut bot = bot(&client("private"), &server.url(), AMPLE);
    for asked in 1..=5 {
        assert_eq!(answer(ask(&mut bot).unwrap()), "1");
        assert_eq!(server.connections(), asked);
    }
}

#[test]
fn what_a_bot_says_unasked_is_not_the_answer_to_the_next_message() {
    let (say, said) = channel();
    let (go, going) = channel::<()>();
    let going = Mutex::new(going);
    let server = Server::new(move |visit| {
        visit.hears();
        visit.say(good("asked").as_bytes());
        if visit.number == 1 {
            going.lock().unwrap().recv().unwrap();
            visit.say(good("unasked").as_bytes());
            say.send(()).unwrap();
            visit.hang();
        }
    });
    let mut bot = bot(&client("private"), &server.url(), AMPLE);
    assert_eq!(answer(ask(&mut bot).unwrap()), "asked");
    go.send(()).unwrap();
    said.recv().unwrap();
    assert_eq!(answer(ask(&mut bot).unwrap()), "asked");
    assert_eq!(server.connections(), 2);
}

#[test]
fn a_message_on_a_used_connection_is_sent_once_more_if_nothing_comes_back() {
    let server = tires("");
    let mut bot = bot(&client("private"), &server.url(), AMPLE);
    assert_eq!(answer(ask(&mut bot).unwrap()), "first");
    assert_eq!(answer(ask(&mut bot).unwrap()), "first");
    assert_eq!((server.connections(), server.requests().len()), (2, 3));
}

#[test]
fn a_message_to_which_something_came_back_is_not_sent_again() {
    let server = tires("HTTP/1.1 200 OK\r\nContent-");
    let mut bot = bot(&client("private"), &server.url(), AMPLE);
    assert_eq!(answer(ask(&mut bot).unwrap()), "first");
    assert!(unreachable(ask(&mut bot).unwrap()).ends_with("closed the connection in mid-answer"));
    assert_eq!((server.connections(), server.requests().len()), (1, 2));
}

#[test]
fn other_statuses_are_unreadable_and_told_with_what_they_say() {
    let status = |head: &str, body: &str| {
        unreadable(asked(
            &Server::once(format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\n\r\n{body}", body.len())).url(),
        ))
    };
    assert_eq!(
        status("503 Whatever", "try\r\n\tagain\x1b[2J later"),
        "status 503 Service Unavailable: try again\u{fffd}[2J later"
    );
    assert_eq!(status("500 x", ""), "status 500 Internal Server Error");
    assert_eq!(status("204 x", ""), "status 204 No Content");
    assert_eq!(status("201 Created", "{}"), "status 201 Created: {}");
    assert_eq!(status("799 x", ""), "status 799");
    assert_eq!(status("404 x", &"long ".repeat(100)), format!("status 404 Not Found: {}…", "long ".repeat(40)));
    let half = "HTTP/1.1 502 x\r\nContent-Length: 100\r\n\r\nhalf";
    assert_eq!(unreadable(asked(&Server::once(half).url())), "status 502 Bad Gateway: half");
}

#[test]
fn a_status_counts_even_if_the_bot_does_not_listen_to_the_message() {
    let server = Server::new(|visit| {
        visit.say(b"HTTP/1.1 503 x\r\nContent-Length: 4\r\n\r\nbusy");
        // Else the system would reset the connection and might lose the answer.
        visit.hears();
    });
    assert_eq!(unreadable(asked(&server.url())), "status 503 Service Unavailable: busy");
}

#[test]
fn redirects_are_told_and_not_followed() {
    let elsewhere = Server::saying(good("1"));
    for target in [format!("{}/x", elsewhere.url()), "http://192.0.2.1/".to_owned(), "/there".to_owned()] {
        for status in [301, 302, 303, 307, 308] {
            let server =
                Server::once(format!("HTTP/1.1 {status} x\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n"));
            let why = unreadable(asked(&server.url()));
            assert!(why.ends_with(&format!(", and redirects are not followed: {target}")), "{why}");
        }
    }
    assert_eq!(elsewhere.connections(), 0);
}

#[test]
fn an_answer_is_64_kib_at_most() {
    let most = "x".repeat(64 * 1024);
    let chunks = |body: &str| {
        let size = body.len();
        format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{size:x}\r\n{body}\r\n0\r\n\r\n")
    };
    let closing = |body: &str| format!("HTTP/1.0 200 OK\r\n\r\n{body}");
    for framed in [&good, &chunks, &closing] as [&dyn Fn(&str) -> String; 3] {
        assert_eq!(answer(asked(&Server::once(framed(&most)).url())).len(), 64 * 1024);
        let why = unreadable(asked(&Server::once(framed(&format!("{most}x"))).url()));
        assert_eq!(why, "the answer is longer than 65536 bytes");
    }
    let bytewise =
        format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{}0\r\n\r\n", "1\r\nx\r\n".repeat(64 * 1024));
    assert_eq!(answer(asked(&Server::once(bytewise).url())), most);
}

#[test]
fn endless_answers_are_given_up_soon() {
    let endless = [
        ("HTTP/1.0 200 OK\r\n\r\n", "x", "longer than 65536 bytes"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n", "x", "longer than 65536 bytes"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n", "longer than 65536 bytes"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "More: trailers\r\n", "bytes to send"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "0", "bytes to send"),
        ("HTTP/1.1 200 OK\r\nLong: ", "x", "more than 16384 bytes of headers"),
        ("HTTP/1.1 200 OK\r\n", "X: y\r\n", "too many headers"),
        ("", "HTTP/1.1 100 Continue\r\n\r\n", "bytes to send"),
        ("", "\r\n", "bytes of headers"),
        ("HTTP/1.1 404 x\r\n\r\n", "x", "status 404 Not Found: xxx"),
    ];
    for (beginning, again, expected) in endless {
        let sent = Arc::new(AtomicUsize::new(0));
        let theirs = Arc::clone(&sent);
        let server = Server::new(move |visit| {
            visit.hears();
            visit.say(beginning.as_bytes());
            let block = again.repeat(10_000);
            // A gigabyte if it is let.
            while theirs.load(Ordering::SeqCst) < 1 << 30 && visit.say(block.as_bytes()) {
                theirs.fetch_add(block.len(), Ordering::SeqCst);
            }
        });
        let why = unreadable(asked(&server.url()));
        assert!(why.contains(expected), "{beginning:?}: {why}");
        // What the sockets hold.
        assert!(sent.load(Ordering::SeqCst) < 64 << 20, "{beginning:?}");
    }
}

#[test]
fn what_is_not_http_is_unreadable() {
    let wrong = [
        "SSH-2.0-OpenSSH_9.2\r\n",
        "HTTP/2 200 OK\r\n\r\n",
        "HTTP/1.1 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n1",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n1",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n12",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n1\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n12\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n1\r\n0\r\n\r\n",
    ];
    for body in wrong {
        let why = unreadable(asked(&Server::once(body).url()));
        assert!(why.starts_with("not HTTP: "), "{body:?}: {why}");
    }
    let packed = good("x").replace("Content-Type: application/json", "Content-Encoding: gzip");
    assert_eq!(unreadable(asked(&Server::once(packed).url())), "the answer is encoded: gzip");
}

#[test]
fn a_length_that_is_too_short_cuts_the_answer() {
    let short = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n3,4 and more";
    assert_eq!(answer(asked(&Server::once(short).url())), "3,4");
}

#[test]
fn a_fault_repeats_nothing_that_a_terminal_would_obey() {
    let nasty = "a\u{202e}b\u{1b}[2Jc\u{e0041}d";
    let clean = "a\u{fffd}b\u{fffd}[2Jc\u{fffd}d";
    let length = nasty.len();
    let failing = format!("HTTP/1.1 500 X\r\nContent-Length: {length}\r\n\r\n{nasty}");
    let why = unreadable(asked(&Server::once(failing).url()));
    assert_eq!(why, format!("status 500 Internal Server Error: {clean}"));
    let moved = "HTTP/1.1 302 X\r\nLocation: /\u{202e}\r\nContent-Length: 0\r\n\r\n";
    let why = unreadable(asked(&Server::once(moved).url()));
    assert!(why.ends_with("are not followed: /\u{fffd}"), "{why:?}");
    // A dialect that cannot read an answer quotes it.
    let told = answer(asked(&Server::once(good(nasty)).url()));
    let game = SeaBattle::start(&Settings::default(), 2, 1).unwrap();
    let fault = game.read(&[Part { name: MOVE, bytes: told.into() }]).unwrap_err();
    assert!(fault.to_string().ends_with(&format!(": {clean}")), "{fault:?}");
}
