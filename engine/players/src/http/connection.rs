//! A connection to a bot, plain or encrypted. Only [`Deadline`] blocks.

use super::call_error::{CallError, in_words};
use super::deadline::Deadline;
use super::url::Origin;
use platform::sockets;
use platform::wait::WaitSet;
#[cfg(feature = "https")]
use rustls::{ClientConnection, StreamOwned};
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;

/// A connection on which one message after the other can be sent.
pub(super) struct Connection {
    pub(super) origin: Origin,
    stream: Stream,
    /// True if anything was received since the last message began.
    pub(super) heard: bool,
}

/// The sockets are non-blocking.
enum Stream {
    Plain(TcpStream),
    #[cfg(feature = "https")]
    Tls(Box<StreamOwned<ClientConnection, TcpStream>>),
}

/// The state of a plain socket in which something can be done with it.
#[derive(Clone, Copy)]
enum Awaited {
    Readable,
    Writable,
}

impl Connection {
    /// A plain connection.
    pub(super) fn plain(socket: TcpStream, origin: Origin) -> Connection {
        Connection { origin, stream: Stream::Plain(socket), heard: false }
    }

    /// An encrypted connection, once both sides have agreed how.
    #[cfg(feature = "https")]
    pub(super) fn encrypted(
        socket: TcpStream,
        tls: ClientConnection,
        origin: Origin,
        deadline: &mut Deadline<'_>,
    ) -> Result<Connection, CallError> {
        let stream = Stream::Tls(Box::new(StreamOwned::new(tls, socket)));
        let mut connection = Connection { origin, stream, heard: false };
        let mut told: fn(&str) -> String = |why| format!("TLS: {why}");
        let agreed = connection.through(Awaited::Readable, deadline, |stream| match stream {
            Stream::Tls(stream) if stream.conn.is_handshaking() => {
                let agreed = stream.conn.complete_io(&mut stream.sock).map(drop);
                // Before a version is agreed on, nothing was heard that is TLS.
                let begun = stream.conn.protocol_version().is_some();
                agreed.inspect_err(|error| told = super::tls::problem(error, begun))
            }
            _ => Ok(()),
        });
        match agreed {
            Ok(()) => Ok(connection),
            Err(CallError::Gone(why)) => Err(CallError::Gone(told(&why))),
            Err(failure) => Err(failure),
        }
    }

    /// Sends a message whole.
    pub(super) fn send(&mut self, mut bytes: &[u8], deadline: &mut Deadline<'_>) -> Result<(), CallError> {
        self.heard = false;
        while !bytes.is_empty() {
            let sent = self.through(Awaited::Writable, deadline, |stream| stream.io().write(bytes))?;
            bytes = &bytes[sent..];
        }
        self.through(Awaited::Writable, deadline, |stream| stream.io().flush())
    }

    /// Receives what is there, at least a byte; 0 when the bot has closed the connection.
    pub(super) fn receive(&mut self, into: &mut [u8], deadline: &mut Deadline<'_>) -> Result<usize, CallError> {
        sockets::acknowledge_at_once(match &self.stream {
            Stream::Plain(socket) => socket,
            #[cfg(feature = "https")]
            Stream::Tls(tls) => &tls.sock,
        });
        let received = self.through(Awaited::Readable, deadline, |stream| stream.io().read(into))?;
        self.heard |= received > 0;
        Ok(received)
    }

    /// True if the connection can be used again: open, and nothing was received on it unasked.
    pub(super) fn is_quiet(&mut self) -> bool {
        matches!(self.stream.io().read(&mut [0]), Err(e) if e.kind() == ErrorKind::WouldBlock)
    }

    /// Does something with the stream as soon as that is possible.
    fn through<T>(
        &mut self,
        awaited: Awaited,
        deadline: &mut Deadline<'_>,
        mut act: impl FnMut(&mut Stream) -> io::Result<T>,
    ) -> Result<T, CallError> {
        loop {
            match act(&mut self.stream) {
                Ok(done) => return Ok(done),
                Err(e) if e.kind() == ErrorKind::WouldBlock => {}
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                // Encryption says in many words that the other side did not say goodbye.
                Err(e) if e.kind() == ErrorKind::UnexpectedEof => {
                    let when = if self.heard { " in mid-answer" } else { "" };
                    return Err(CallError::Gone(format!("closed the connection{when}")));
                }
                Err(e) if e.raw_os_error().is_none() => return Err(CallError::Gone(in_words(&e))),
                Err(e) => return Err(CallError::of("use a socket", e)),
            }
            let set = WaitSet::new();
            deadline.until(match (&self.stream, awaited) {
                (Stream::Plain(socket), Awaited::Readable) => set.readable(socket),
                (Stream::Plain(socket), Awaited::Writable) => set.writable(socket),
                #[cfg(feature = "https")]
                (Stream::Tls(tls), _) if tls.conn.wants_write() => set.readable_or_writable(&tls.sock),
                #[cfg(feature = "https")]
                (Stream::Tls(tls), _) => set.readable(&tls.sock),
            })?;
        }
    }
}

trait ReadWrite: Read + Write {}

impl<T: Read + Write> ReadWrite for T {}

impl Stream {
    fn io(&mut self) -> &mut dyn ReadWrite {
        match self {
            Stream::Plain(stream) => stream,
            #[cfg(feature = "https")]
            Stream::Tls(stream) => stream,
        }
    }
}
