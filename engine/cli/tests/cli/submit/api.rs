//! A server on loopback that plays the API of contests, with one bot.

use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

pub const BOT: &str = "Deep Water";
pub const PASSWORD: &str = "a secret password";
/// The path of the versions of the bot.
pub const VERSIONS: &str = "/api/contests/autumn/bots/Deep%20Water/versions";

/// Ends with its value.
pub struct Api {
    pub address: SocketAddr,
    state: Arc<Mutex<State>>,
    is_over: Arc<AtomicBool>,
}

/// The state of the server.
pub struct State {
    /// The names of contests.
    pub contests: Vec<&'static str>,
    /// The only token that is taken.
    pub token: String,
    /// The states of the version when it is asked for, one after the other; the last stays. Each adds a text to the log.
    pub states: VecDeque<(Value, &'static str)>,
    log: String,
    /// The URL to which requests to hand in are redirected.
    pub leads_to: Option<String>,
    /// The number of times that the server fails when it is asked for the version.
    pub failures: u32,
    pub requests: Vec<Request>,
}

#[derive(Clone)]
pub struct Request {
    /// The method and the path.
    pub line: String,
    pub headers: String,
    pub body: Vec<u8>,
}

impl Request {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.lines().filter_map(|line| line.split_once(": "));
        headers.find(|(header, _)| header.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

/// A version in this state, with these keys in addition.
pub fn version(state: &str, more: &Value) -> Value {
    let mut version = json!({
        "version": 3, "state": state, "place": null, "isActive": true, "reason": null, "archive": "00", "bytes": 9,
    });
    version.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    version
}

impl Api {
    /// A server with one contest, on which the version of the bot has these states one after the other.
    pub fn with(states: &[(Value, &'static str)]) -> Api {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(Mutex::new(State {
            contests: vec!["autumn"],
            token: "token-1".to_owned(),
            states: states.iter().cloned().collect(),
            log: String::new(),
            leads_to: None,
            failures: 0,
            requests: Vec::new(),
        }));
        let is_over = Arc::<AtomicBool>::default();
        let (theirs, ends) = (Arc::clone(&state), Arc::clone(&is_over));
        thread::spawn(move || {
            for stream in listener.incoming() {
                if ends.load(Ordering::SeqCst) {
                    return;
                }
                // A program that was stopped is gone in the middle.
                let _ = answer(&stream.unwrap(), &theirs);
            }
        });
        Api { address, state, is_over }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// The methods and paths of all requests.
    pub fn asked(&self) -> Vec<String> {
        self.state().requests.iter().map(|request| request.line.clone()).collect()
    }
}

impl Drop for Api {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
    }
}

/// Answers one request, and closes the connection.
fn answer(mut stream: &TcpStream, state: &Mutex<State>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut headers = String::new();
    while !headers.ends_with("\r\n\r\n") && reader.read_line(&mut headers)? > 2 {}
    let line = first.trim_end().trim_end_matches(" HTTP/1.1").to_owned();
    let mut request = Request { line, headers, body: Vec::new() };
    let refusal = state.lock().unwrap().refusal(&request);
    let length = request.header("content-length").map_or(0, |length| length.parse().unwrap());
    let waits = request.header("expect").is_some();
    if waits && refusal.is_none() {
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    if !waits || refusal.is_none() {
        request.body.resize(length, 0);
        reader.read_exact(&mut request.body)?;
    }
    let mut state = state.lock().unwrap();
    let (status, body) = refusal.unwrap_or_else(|| state.answer(&request));
    let to = state.leads_to.iter().filter(|_| status == 307).map(|to| format!("Location: {to}\r\n"));
    let head = format!("HTTP/1.1 {status} Words\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    let head = to.fold(head, |head, to| head + &to);
    state.requests.push(request);
    drop(state);
    write!(stream, "{head}\r\n{body}")
}

impl State {
    /// The answer to a request that is refused before its body is read.
    fn refusal(&self, request: &Request) -> Option<(u16, String)> {
        let needs_token = request.line.contains("/versions");
        let has_token = request.header("authorization") == Some(&format!("Bearer {}", self.token));
        let is_moved = self.leads_to.is_some() && request.line.starts_with("POST ");
        match (needs_token && !has_token, is_moved) {
            (_, true) => Some((307, String::new())),
            (true, false) => Some(problem(401, "log in again")),
            (false, false) => None,
        }
    }

    fn answer(&mut self, request: &Request) -> (u16, String) {
        let (path, query) = request.line.split_once('?').unwrap_or((&request.line, ""));
        let contest =
            |name: &&str| json!({ "name": name, "title": format!("The {name} contest"), "game": "sea-battle" });
        if path == "GET /api/contests" {
            return (200, Value::from(self.contests.iter().map(contest).collect::<Vec<_>>()).to_string());
        }
        if path == "POST /api/bots/token" {
            let asked: Value = serde_json::from_slice(&request.body).unwrap();
            return match (&asked["name"], &asked["password"]) {
                (name, _) if name != BOT => problem(404, "there is no such bot"),
                (_, password) if password != PASSWORD => problem(403, "the password is wrong"),
                _ => {
                    self.token.push('1');
                    (200, json!({ "token": self.token }).to_string())
                }
            };
        }
        if path == format!("POST {VERSIONS}") {
            return (201, version("queued", &json!({ "place": 2 })).to_string());
        }
        if path == format!("GET {VERSIONS}/3/log") {
            let from: usize = query.strip_prefix("from=").unwrap().parse().unwrap();
            return (200, self.log[from..].to_owned());
        }
        if path == format!("GET {VERSIONS}/3") && self.failures > 0 {
            self.failures -= 1;
            return (503, "no room".to_owned());
        }
        if path == format!("GET {VERSIONS}/3") {
            let (told, log) = self.states[0].clone();
            self.log.push_str(log);
            if self.states.len() > 1 {
                self.states.pop_front();
            } else {
                self.states[0].1 = "";
            }
            return (200, told.to_string());
        }
        problem(404, "there is nothing here")
    }
}

fn problem(status: u16, words: &str) -> (u16, String) {
    (status, json!({ "error": words }).to_string())
}
