//! Test bots.

use rules::Listed;
use rules::sea_battle::{BOARD, Order, SeaBattle, random_fleet};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The text of the notes in every answer of a bot that plays: nothing that the server shows has it.
pub(crate) const SECRET: &str = "SECRET-THOUGHT";

/// The behaviour of a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Plays: fires at one cell after the other.
    Plays,
    /// Reads the request, and never answers.
    Hangs,
    /// Uses its radar, and hangs at the next move.
    HangsAfterRadar,
    /// Plays so many moves, and hangs at the next one.
    HangsAfter(usize),
    /// Plays, and takes this time for each answer.
    Takes(Duration),
    /// Answers with this status.
    Status(u16),
    /// Answers everything with this text.
    Says(&'static str),
}

/// A bot on this machine. It runs until the tests end.
pub(crate) struct TestBot {
    pub(crate) url: String,
    way: Arc<Mutex<Way>>,
    asked: Arc<AtomicUsize>,
    matches: Arc<Mutex<Vec<String>>>,
}

impl TestBot {
    pub(crate) fn start(way: Way) -> TestBot {
        TestBot::listen(way, true, 1)
    }

    /// A bot that plays, with a host of its own: 127.0.0.`number`.
    pub(crate) fn plays_at(number: u8) -> TestBot {
        TestBot::listen(Way::Plays, true, number)
    }

    /// A bot that plays, and serves the next connection when the one before is closed.
    pub(crate) fn plays_on_one_connection() -> TestBot {
        TestBot::listen(Way::Plays, false, 1)
    }

    /// A bot that serves its connections at the same time, or one after the other.
    fn listen(way: Way, at_the_same_time: bool, host: u8) -> TestBot {
        let listener = TcpListener::bind((Ipv4Addr::new(127, 0, 0, host), 0)).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let way = Arc::new(Mutex::new(way));
        let asked = Arc::new(AtomicUsize::new(0));
        let matches = Arc::new(Mutex::new(Vec::new()));
        let (ways, count, names) = (Arc::clone(&way), Arc::clone(&asked), Arc::clone(&matches));
        thread::spawn(move || {
            for (number, stream) in listener.incoming().flatten().enumerate() {
                let (ways, count, names) = (Arc::clone(&ways), Arc::clone(&count), Arc::clone(&names));
                let connection = thread::spawn(move || serve(stream, &ways, &count, &names, number as u64));
                if !at_the_same_time {
                    connection.join().unwrap();
                }
            }
        });
        TestBot { url, way, asked, matches }
    }

    pub(crate) fn plays() -> TestBot {
        TestBot::start(Way::Plays)
    }

    /// A URL at which nobody listens.
    pub(crate) fn nobody() -> String {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        format!("http://{address}")
    }

    pub(crate) fn changes(&self, way: Way) {
        *self.way.lock().unwrap() = way;
    }

    /// The ids of the matches for which the bot was asked to place its fleet, in order.
    pub(crate) fn matches(&self) -> Vec<String> {
        self.matches.lock().unwrap().clone()
    }

    /// The number of requests so far.
    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

fn serve(stream: TcpStream, way: &Mutex<Way>, asked: &AtomicUsize, matches: &Mutex<Vec<String>>, seed: u64) {
    let mut answers = stream.try_clone().unwrap();
    answers.set_nodelay(true).unwrap();
    let mut requests = BufReader::new(stream);
    let mut random = rules::random(seed);
    while let Some((path, body)) = request(&mut requests) {
        asked.fetch_add(1, Ordering::SeqCst);
        if path.ends_with("/placement") {
            matches.lock().unwrap().extend(body["gameId"].as_str().map(str::to_owned));
        }
        let way = *way.lock().unwrap();
        if let Way::Takes(time) = way {
            // The next request comes after the answer to this one, so there is nothing to read until then.
            answers.set_read_timeout(Some(time)).unwrap();
            let _ = answers.read(&mut [0; 1]);
            answers.set_read_timeout(None).unwrap();
        }
        let (status, text) = match way {
            Way::Hangs => return hang(requests),
            Way::HangsAfterRadar if body["radarUsed"] == true => return hang(requests),
            Way::HangsAfter(moves) if body["yourShots"].as_array().map(Vec::len) >= Some(moves) => {
                return hang(requests);
            }
            Way::Status(status) => (status, "{}".to_owned()),
            Way::Says(text) => (200, text.to_owned()),
            Way::Plays | Way::Takes(_) | Way::HangsAfterRadar | Way::HangsAfter(_) => {
                let order = match path.rsplit('/').next() {
                    Some("placement") => Order::Place(random_fleet(&mut random)),
                    _ if way == Way::HangsAfterRadar => Order::Radar(rules::Point::new(4, 4)),
                    _ => Order::Shoot(target(&body)),
                };
                let mut answer: Value = serde_json::from_slice(&SeaBattle::write(&order)[0].bytes).unwrap();
                answer["notes"] = serde_json::json!({"text": SECRET});
                (200, answer.to_string())
            }
        };
        let head =
            format!("HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n", text.len());
        if answers.write_all((head + &text).as_bytes()).is_err() {
            return;
        }
    }
}

/// Waits until the client gives up.
fn hang(mut requests: BufReader<TcpStream>) {
    let _ = requests.read(&mut [0; 1]);
}

fn request(from: &mut BufReader<TcpStream>) -> Option<(String, Value)> {
    let mut line = String::new();
    from.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut length = 0;
    loop {
        line.clear();
        from.read_line(&mut line).ok()?;
        match line.trim_end().split_once(':') {
            None => break,
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.trim().parse().ok()?,
            Some(_) => {}
        }
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body).ok()?;
    Some((path, serde_json::from_slice(&body).ok()?))
}

/// The first cell without a shot.
fn target(asked: &Value) -> rules::Point {
    let shots = asked["yourShots"].as_array().unwrap();
    let is_fresh = |cell: &rules::Point| shots.iter().all(|shot| (shot["x"] != cell.x) || (shot["y"] != cell.y));
    BOARD.points().find(is_fresh).unwrap_or_default()
}
