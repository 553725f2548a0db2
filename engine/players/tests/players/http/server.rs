//! A server on loopback that does what a script says, with a thread for every connection.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

/// Ends with its value, and all its connections with it.
pub struct Server {
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    connections: AtomicUsize,
    requests: Mutex<Vec<String>>,
    open: Mutex<Vec<TcpStream>>,
    is_over: AtomicBool,
    over: Condvar,
}

/// A connection to the server.
pub struct Visit {
    pub stream: TcpStream,
    /// Counted from 1.
    pub number: usize,
    shared: Arc<Shared>,
}

impl Server {
    /// A server that does this with every connection, and then closes it.
    pub fn new(serve: impl Fn(&mut Visit) + Send + Sync + 'static) -> Server {
        Server::at("127.0.0.1:0", serve)
    }

    pub fn at(address: &str, serve: impl Fn(&mut Visit) + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind(address).unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
        let (serve, theirs) = (Arc::new(serve), Arc::clone(&shared));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let stream = stream.unwrap();
                if theirs.is_over.load(Ordering::SeqCst) {
                    return;
                }
                let number = theirs.connections.fetch_add(1, Ordering::SeqCst) + 1;
                theirs.open.lock().unwrap().push(stream.try_clone().unwrap());
                let mut visit = Visit { stream, number, shared: Arc::clone(&theirs) };
                let serve = Arc::clone(&serve);
                thread::spawn(move || {
                    serve(&mut visit);
                    let _ = visit.stream.shutdown(Shutdown::Write);
                });
            }
        });
        Server { address, shared }
    }

    /// A server that answers every request with this, for as long as the client likes.
    pub fn saying(answer: impl Into<Vec<u8>>) -> Server {
        let answer = answer.into();
        Server::new(move |visit| {
            while visit.hears() {
                visit.say(&answer);
            }
        })
    }

    /// A server that reads a request, says this and closes.
    pub fn once(answer: impl Into<Vec<u8>>) -> Server {
        let answer = answer.into();
        Server::new(move |visit| {
            visit.hears();
            visit.say(&answer);
        })
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The number of connections that were made to the server.
    pub fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }

    /// The requests it heard.
    pub fn requests(&self) -> Vec<String> {
        self.shared.requests.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        let open = self.shared.open.lock().unwrap();
        self.shared.over.notify_all();
        for stream in &*open {
            let _ = stream.shutdown(Shutdown::Both);
        }
        let _ = TcpStream::connect(self.address);
    }
}

/// A whole request, head and body, or `None` if there is none any more.
pub fn request(stream: &mut impl Read) -> Option<String> {
    let mut bytes = Vec::new();
    let mut window = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
            if body.len() >= length.parse::<usize>().unwrap() {
                return Some(text.into_owned());
            }
        }
        match stream.read(&mut window) {
            Ok(0) => return None,
            Ok(read) => bytes.extend_from_slice(&window[..read]),
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

impl Visit {
    /// Waits for a request, and tells whether there is one.
    pub fn hears(&mut self) -> bool {
        let request = request(&mut self.stream);
        let heard = request.is_some();
        self.shared.requests.lock().unwrap().extend(request);
        heard
    }

    /// The latest message on any connection.
    pub fn last_request(&self) -> String {
        self.shared.requests.lock().unwrap().last().cloned().unwrap_or_default()
    }

    /// Says something, and tells whether anybody listens.
    pub fn say(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).is_ok()
    }

    /// Says one byte every so often.
    pub fn dribble(&mut self, bytes: &[u8], every: Duration) {
        for byte in bytes {
            if !self.say(&[*byte]) || self.waits(every) {
                return;
            }
        }
    }

    /// Does nothing until the server ends.
    pub fn hang(&self) {
        while !self.waits(Duration::from_secs(60)) {}
    }

    /// Waits for so long or until the server ends, and tells whether it has.
    fn waits(&self, time: Duration) -> bool {
        let open = self.shared.open.lock().unwrap();
        let is_over = || self.shared.is_over.load(Ordering::SeqCst);
        drop(self.shared.over.wait_timeout_while(open, time, |_| !is_over()).unwrap());
        is_over()
    }
}

/// A good answer with this body.
pub fn good(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}
