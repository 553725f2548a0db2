//! The cost of a question over HTTP: `cargo bench -p players --bench http_cost`.
//!
//! A server in this process answers at once and keeps its connection. It is asked in turn over a bare socket, with the
//! HTTP client `ureq`, and by our transport, 20,000 times each with the same bytes. Prints the medians and their ratios.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use arena::Interrupt;
use players::Transport;
use players::http::{AllowedHosts, Client, Http};
use rules::{ContentType, HttpRequest, Seat};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const RUNS: usize = 20_000;
const LIMIT: Duration = Duration::from_secs(2);
/// About as long as the question for a move in the middle of a match.
const QUESTION: &str = "{\"gameId\":\"1\",\"yourShots\":[";
const ANSWER: &str = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 27\r\n\r\n{\"type\":\"fire\",\"x\":3,\"y\":4}";

fn main() {
    let connections = Arc::new(AtomicUsize::new(0));
    let address = serve(Arc::clone(&connections));
    let url = format!("http://{address}/move");
    let body = format!("{QUESTION}{}]}}", vec!["{\"x\":3,\"y\":4,\"result\":\"miss\"}"; 50].join(","));

    let mut socket = TcpStream::connect(address).unwrap();
    socket.set_nodelay(true).unwrap();
    let head = format!(
        "POST /move HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let request = head + &body;
    let mut answer = [0; ANSWER.len()];
    let mut bare = || {
        socket.write_all(request.as_bytes()).unwrap();
        socket.read_exact(&mut answer).unwrap();
    };

    let agent: ureq::Agent = ureq::Agent::config_builder().timeout_global(Some(LIMIT)).build().into();
    let mut with_ureq = || {
        let mut response = agent.post(&url).content_type("application/json").send(body.as_str()).unwrap();
        assert_eq!(response.body_mut().read_to_vec().unwrap().len(), 27);
    };

    let client = Arc::new(Client::new(AllowedHosts::private()));
    let mut bot = Http::new(client, url.parse().unwrap(), Some(LIMIT), Interrupt::new().unwrap());
    let request = HttpRequest { path: None, content: ContentType::Json, body: body.clone().into(), answer: "move" };
    let mut ours = || {
        let delivery = bot.exchange(Seat::A, &request).unwrap();
        assert_eq!(delivery.parts[0].bytes.len(), 27);
    };

    let mut ways: [(&mut dyn FnMut(), Vec<Duration>); 3] =
        [(&mut bare, Vec::new()), (&mut with_ureq, Vec::new()), (&mut ours, Vec::new())];
    for run in 0..=RUNS {
        for (ask, times) in &mut ways {
            let start = Instant::now();
            ask();
            // The first one connects and warms everything up.
            if run > 0 {
                times.push(start.elapsed());
            }
        }
    }
    let [bare, with_ureq, ours] = ways.map(|(_, mut times)| {
        times.sort();
        times[RUNS / 2].as_secs_f64() * 1e6
    });
    assert_eq!(connections.load(Ordering::SeqCst), 3, "connections are kept");
    println!("median of {RUNS} questions of {} bytes", body.len());
    println!("bare socket {bare:.1} µs, ureq {with_ureq:.1} µs, ours {ours:.1} µs");
    println!("ours is {:.2} of ureq, {:.2} of the bare socket", ours / with_ureq, ours / bare);
}

/// Answers whatever it is asked, with a thread for every connection.
fn serve(connections: Arc<AtomicUsize>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            connections.fetch_add(1, Ordering::SeqCst);
            stream.set_nodelay(true).unwrap();
            thread::spawn(move || while hear(&mut stream) && stream.write_all(ANSWER.as_bytes()).is_ok() {});
        }
    });
    address
}

/// Reads a request, and tells whether there was one.
fn hear(stream: &mut TcpStream) -> bool {
    let mut bytes = [0; 16 * 1024];
    let mut end = 0;
    loop {
        match stream.read(&mut bytes[end..]) {
            Ok(0) | Err(_) => return false,
            Ok(read) => end += read,
        }
        let text = std::str::from_utf8(&bytes[..end]).unwrap();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
            if body.len() == length.parse::<usize>().unwrap() {
                return true;
            }
        }
    }
}
