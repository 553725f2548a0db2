//! A connection to a bot, plain or encrypted. Nothing here blocks but [`Deadline`].

use super::deadline::Deadline;
use super::failure::{Failure, in_words};
use super::url::Origin;
use rustix::event::PollFlags;
use rustls::{CertificateError, ClientConnection, StreamOwned};
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;

/// A connection on which one message after the other can be sent.
pub(super) struct Connection {
    pub(super) origin: Origin,
    stream: Stream,
    heard: bool,
}

/// The sockets are non-blocking.
enum Stream {
    Plain(TcpStream),
    Tls(Box<StreamOwned<ClientConnection, TcpStream>>),
}

/// A probable mistake of the other side.
#[derive(Debug, Clone, Copy)]
enum TlsProblem {
    /// The bot closed the connection when encryption was to begin.
    Silent,
    /// The bot talks, but does not encrypt.
    OtherwiseSpoken,
    /// The bot's certificate is not signed by an authority that browsers trust.
    Unvouched,
}

/// The probable mistake behind an error, before or after the other side has begun to encrypt. Alerts and defects of good
/// certificates explain themselves.
fn tls_problem(error: &io::Error, begun: bool) -> Option<TlsProblem> {
    let gone = [ErrorKind::UnexpectedEof, ErrorKind::ConnectionReset, ErrorKind::BrokenPipe];
    match error.get_ref().and_then(|error| error.downcast_ref::<rustls::Error>()) {
        // An authority that is no authority for itself is among the others.
        Some(rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer | CertificateError::Other(_))) => {
            Some(TlsProblem::Unvouched)
        }
        Some(rustls::Error::InvalidMessage(_)) if !begun => Some(TlsProblem::OtherwiseSpoken),
        None if !begun && gone.contains(&error.kind()) => Some(TlsProblem::Silent),
        _ => None,
    }
}

impl Connection {
    /// A plain one.
    pub(super) fn plain(socket: TcpStream, origin: Origin) -> Connection {
        Connection { origin, stream: Stream::Plain(socket), heard: false }
    }

    /// An encrypted one, once both sides have agreed how.
    pub(super) fn encrypted(
        socket: TcpStream,
        tls: ClientConnection,
        origin: Origin,
        deadline: &mut Deadline<'_>,
    ) -> Result<Connection, Failure> {
        let stream = Stream::Tls(Box::new(StreamOwned::new(tls, socket)));
        let mut connection = Connection { origin, stream, heard: false };
        let mut problem = None;
        let agreed = connection.through(PollFlags::IN, deadline, |stream| match stream {
            Stream::Tls(stream) if stream.conn.is_handshaking() => {
                let agreed = stream.conn.complete_io(&mut stream.sock).map(drop);
                // Before a version is agreed on, nothing was heard that is TLS.
                let begun = stream.conn.protocol_version().is_some();
                problem = agreed.as_ref().err().and_then(|error| tls_problem(error, begun));
                agreed
            }
            _ => Ok(()),
        });
        let told = |why: String| match problem {
            None => format!("TLS: {why}"),
            Some(TlsProblem::Silent) => format!("TLS: {why}; does it speak https?"),
            Some(TlsProblem::Unvouched) => format!("TLS: {why}; it must be one that browsers trust"),
            Some(TlsProblem::OtherwiseSpoken) => "TLS: it answered something else; does it speak https?".to_owned(),
        };
        match agreed {
            Ok(()) => Ok(connection),
            Err(Failure::Gone(why)) => Err(Failure::Gone(told(why))),
            Err(failure) => Err(failure),
        }
    }

    /// True if anything was received since the last message began.
    pub(super) fn has_heard(&self) -> bool {
        self.heard
    }

    /// Sends a message whole.
    pub(super) fn send(&mut self, mut bytes: &[u8], deadline: &mut Deadline<'_>) -> Result<(), Failure> {
        self.heard = false;
        while !bytes.is_empty() {
            let sent = self.through(PollFlags::OUT, deadline, |stream| stream.write(bytes))?;
            bytes = &bytes[sent..];
        }
        self.through(PollFlags::OUT, deadline, Stream::flush)
    }

    /// Receives what is there, at least a byte; 0 when the bot has closed the connection.
    pub(super) fn receive(&mut self, into: &mut [u8], deadline: &mut Deadline<'_>) -> Result<usize, Failure> {
        let received = self.through(PollFlags::IN, deadline, |stream| stream.read(into))?;
        self.heard |= received > 0;
        Ok(received)
    }

    /// True if the connection can be used again: open, and nothing was received on it unasked.
    pub(super) fn is_quiet(&mut self) -> bool {
        matches!(self.stream.read(&mut [0]), Err(e) if e.kind() == ErrorKind::WouldBlock)
    }

    /// Does something with the stream as soon as that is possible.
    fn through<T>(
        &mut self,
        events: PollFlags,
        deadline: &mut Deadline<'_>,
        mut act: impl FnMut(&mut Stream) -> io::Result<T>,
    ) -> Result<T, Failure> {
        loop {
            match act(&mut self.stream) {
                Ok(done) => return Ok(done),
                Err(e) if e.kind() == ErrorKind::WouldBlock => {}
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                // Encryption says in many words that the other side did not say goodbye.
                Err(e) if e.kind() == ErrorKind::UnexpectedEof => {
                    let when = if self.heard { " in mid-answer" } else { "" };
                    return Err(Failure::Gone(format!("closed the connection{when}")));
                }
                Err(e) if e.raw_os_error().is_none() => return Err(Failure::Gone(in_words(&e))),
                Err(e) => return Err(Failure::of("use a socket", e)),
            }
            match &self.stream {
                Stream::Plain(socket) => deadline.until(socket, events)?,
                Stream::Tls(tls) if tls.conn.wants_write() => {
                    deadline.until(&tls.sock, PollFlags::IN | PollFlags::OUT)?
                }
                Stream::Tls(tls) => deadline.until(&tls.sock, PollFlags::IN)?,
            }
        }
    }
}

impl Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Stream::Plain(stream) => stream.write(bytes),
            Stream::Tls(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Stream::Plain(_) => Ok(()),
            Stream::Tls(stream) => stream.flush(),
        }
    }

    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Plain(stream) => stream.read(into),
            Stream::Tls(stream) => stream.read(into),
        }
    }
}
