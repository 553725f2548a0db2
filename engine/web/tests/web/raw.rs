//! Connections without a browser.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A connection that speaks HTTP without a library.
pub(crate) struct Raw(BufReader<TcpStream>);

impl Raw {
    pub(crate) fn ask(address: &str, path: &str, headers: &str) -> Raw {
        let host = address.trim_start_matches("http://").trim_end_matches('/');
        let mut stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        let host = if headers.contains("Host:") { String::new() } else { format!("Host: {host}\r\n") };
        write!(stream, "GET {path} HTTP/1.1\r\n{host}{headers}\r\n").unwrap();
        Raw(BufReader::new(stream))
    }

    /// The lines up to and including the first with this beginning.
    pub(crate) fn until(&mut self, beginning: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert!(self.0.read_line(&mut line).unwrap() > 0, "no {beginning:?} in {lines:?}");
            lines.push(line.trim_end().to_owned());
            if line.starts_with(beginning) {
                return lines;
            }
        }
    }

    /// Reads up to a megabyte, if there is any.
    pub(crate) fn read_a_little(&mut self) {
        // The server may have closed the connection.
        let _ = (&mut self.0).take(1 << 20).read_to_end(&mut Vec::new());
    }

    /// Everything up to the end.
    pub(crate) fn rest(&mut self) -> String {
        let mut text = String::new();
        while self.0.read_line(&mut text).unwrap() > 0 {}
        text
    }
}
