//! One message and its answer in HTTP/1.1, on a connection that is there.

use super::call_error::CallError;
use super::connection::Connection;
use super::deadline::Deadline;
use arena::folder::MOST_OF_ANSWER;
use rules::printable_line;
use ureq_proto::client::state::{Prepare, RecvBody, RecvResponse};
use ureq_proto::client::{Call, RecvBodyResult, RecvResponseResult, SendRequestResult};
use ureq_proto::http::{Request, Response, StatusCode, header};
use ureq_proto::{BodyMode, Error};

/// The answers that are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerPolicy {
    /// True if any status from 200 to 299 is as good as 200.
    pub any_success: bool,
    /// True if redirects to the same host are followed that repeat the message there (status 307 and 308).
    pub follows_redirects: bool,
    /// The longest body in bytes.
    pub most_bytes: usize,
}

impl AnswerPolicy {
    /// Status 200 only, no redirects, and 64 KiB.
    pub const STRICT: AnswerPolicy =
        AnswerPolicy { any_success: false, follows_redirects: false, most_bytes: MOST_OF_ANSWER as usize };
    /// Any success, redirects to the same host, and 1 MiB.
    pub const LENIENT: AnswerPolicy = AnswerPolicy { any_success: true, follows_redirects: true, most_bytes: 1 << 20 };

    /// The longest body in bytes after answers of a match that had so many bytes together: the record of the match has to hold
    /// them all.
    pub(crate) fn most_after(self, received: usize) -> usize {
        if received > MOST_OF_MATCH { self.most_bytes.min(MOST_OF_SHORT) } else { self.most_bytes }
    }

    fn takes(self, status: StatusCode) -> bool {
        status == StatusCode::OK || self.any_success && status.is_success()
    }
}

/// The most bytes of all answers of a match together before answers have to be short.
const MOST_OF_MATCH: usize = 16 << 20;
/// The most bytes of a short answer: room for every fleet.
const MOST_OF_SHORT: usize = 4096;
/// The longest head of an answer: status and headers.
const MOST_OF_HEAD: usize = 16 * 1024;
/// The most characters of an answer with another status than 200 that are shown to people.
const MOST_SHOWN: usize = 200;

/// Posts `body` as told by `request`, and gives the body of the answer, if the policy takes it. Also tells whether the
/// connection can be used again.
pub(super) fn post(
    connection: &mut Connection,
    request: Request<()>,
    body: &[u8],
    policy: AnswerPolicy,
    deadline: &mut Deadline<'_>,
) -> Result<(Vec<u8>, bool), CallError> {
    let (message, mut call) = written(Call::new(request).expect("it is a POST of HTTP/1.1"), body);
    // A bot that does not read to the end may have answered all the same.
    let sent = connection.send(&message, deadline);
    if let Err(CallError::Interrupted | CallError::TimedOut(_) | CallError::Ours { .. }) = sent {
        sent?;
    }
    let most = policy.most_bytes;
    // Chunks of one byte take 16 times the room and less.
    let mut reader =
        ResponseReader { connection, deadline, bytes: Vec::new(), received: 0, most: MOST_OF_HEAD + 16 * most };
    let response = head(&mut call, &mut reader)?;
    let (body, can_follow) = match call.proceed().expect("the head is complete") {
        RecvResponseResult::RecvBody(call) => (Some(call), false),
        RecvResponseResult::Redirect(_) => (None, false),
        RecvResponseResult::Cleanup(call) => (None, !call.must_close_connection()),
    };
    if !policy.takes(response.status()) {
        return Err(refused(&response, policy, body, &mut reader));
    }
    if let Some(coding) = response.headers().get(header::CONTENT_ENCODING).filter(|coding| *coding != "identity") {
        let coding = printable_line(coding.as_bytes(), MOST_SHOWN);
        return Err(CallError::Unreadable("the answer is encoded".to_owned(), coding));
    }
    let mut answer = Vec::new();
    let can_follow = match body {
        // A body that is too long need not be received.
        Some(body) if matches!(body.body_mode(), BodyMode::LengthDelimited(length) if length > most as u64) => {
            return Err(too_long(most));
        }
        Some(body) => read(body, &mut answer, most, &mut reader)?,
        None => can_follow,
    };
    Ok((answer, can_follow && reader.bytes.is_empty()))
}

/// The message as it is sent, head and body in one piece.
fn written(call: Call<Prepare>, body: &[u8]) -> (Vec<u8>, Call<RecvResponse>) {
    let mut call = call.proceed();
    let mut message = vec![0; 1024];
    let mut head = 0;
    while !call.can_proceed() {
        match call.write(&mut message[head..]) {
            Ok(written) => head += written,
            Err(Error::OutputOverflow) => message.resize(2 * message.len(), 0),
            Err(error) => unreachable!("all headers are valid: {error}"),
        }
    }
    message.truncate(head);
    message.extend_from_slice(body);
    let call = match call.proceed().expect("it was checked when the head was written").expect("the head is written") {
        SendRequestResult::SendBody(mut call) => {
            call.consume_direct_write(body.len()).expect("the body is as long as the head says");
            call.proceed().expect("the body is written")
        }
        SendRequestResult::RecvResponse(call) => call,
        SendRequestResult::Await100(_) => unreachable!("nothing is expected"),
    };
    (message, call)
}

fn head(call: &mut Call<RecvResponse>, reader: &mut ResponseReader<'_, '_>) -> Result<Response<()>, CallError> {
    loop {
        let (used, response) = call.try_response(&reader.bytes, false).map_err(|e| no_answer(&e, &reader.bytes))?;
        reader.bytes.drain(..used);
        match response {
            Some(response) => return Ok(response),
            // An announcement such as 100 Continue; the answer may be there already.
            None if used > 0 => continue,
            None if reader.bytes.len() >= MOST_OF_HEAD => {
                return Err(CallError::unreadable(format!("the answer has more than {MOST_OF_HEAD} bytes of headers")));
            }
            None => {
                let more = reader.more();
                if !more.map_err(|error| error.after(|| part_of_head(reader.received)))? {
                    return Err(reader.ended());
                }
            }
        }
    }
}

/// Reads a body of `most` bytes at most into `body`, and tells whether another message can follow on the connection.
fn read(
    mut call: Call<RecvBody>,
    body: &mut Vec<u8>,
    most: usize,
    reader: &mut ResponseReader<'_, '_>,
) -> Result<bool, CallError> {
    let mode = call.body_mode();
    let until_closed = mode == BodyMode::CloseDelimited;
    let mut window = [0; 8 * 1024];
    while until_closed || !call.can_proceed() {
        let (used, written) = call.read(&reader.bytes, &mut window).map_err(|e| nonsense(&e))?;
        reader.bytes.drain(..used);
        body.extend_from_slice(&window[..written]);
        if body.len() > most {
            return Err(too_long(most));
        }
        if used == 0 && (until_closed || !call.can_proceed()) {
            let more = reader.more();
            if more.map_err(|error| error.after(|| part_of_body(mode, body.len())))? {
                continue;
            }
            if until_closed || call.is_ended_chunked() {
                return Ok(false);
            }
            return Err(reader.ended());
        }
    }
    match call.proceed() {
        Some(RecvBodyResult::Cleanup(call)) => Ok(!call.must_close_connection()),
        Some(RecvBodyResult::Redirect(_)) | None => Ok(false),
    }
}

/// The part of an answer that arrived without a complete head, in words: this number of bytes.
fn part_of_head(received: usize) -> String {
    match received {
        0 => "nothing came".to_owned(),
        _ => format!("{received} bytes came, without the blank line that ends the head of an answer"),
    }
}

/// The part of an answer that arrived without a complete body, in words: this number of bytes of the body.
fn part_of_body(mode: BodyMode, received: usize) -> String {
    match mode {
        BodyMode::LengthDelimited(announced) => {
            format!("{received} of the {announced} bytes came that Content-Length announces")
        }
        BodyMode::Chunked => format!("{received} bytes came in chunks, without the last one, of length 0"),
        _ => format!("{received} bytes came, and the connection was not closed: send Content-Length"),
    }
}

/// The failure that an answer with another status than 200 means.
fn refused(
    response: &Response<()>,
    policy: AnswerPolicy,
    body: Option<Call<RecvBody>>,
    reader: &mut ResponseReader<'_, '_>,
) -> CallError {
    let status = response.status();
    let why = match status.canonical_reason() {
        Some(reason) => format!("status {} {reason}", status.as_str()),
        None => format!("status {}", status.as_str()),
    };
    if let Some(location) = response.headers().get(header::LOCATION).filter(|_| status.is_redirection()) {
        // The others ask for a GET of the new place, which has no message.
        let is_same_message = matches!(status, StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT);
        if let (true, true, Ok(place)) = (policy.follows_redirects, is_same_message, location.to_str()) {
            return CallError::Moved(place.to_owned());
        }
        let location = printable_line(location.as_bytes(), MOST_SHOWN);
        return CallError::Unreadable(format!("{why}, and redirects are not followed"), location);
    }
    let mut shown = Vec::new();
    if let Some(body) = body {
        // What matters is the status, however its explanation ends.
        if let Err(failure @ (CallError::Interrupted | CallError::Ours { .. })) =
            read(body, &mut shown, MOST_SHOWN, reader)
        {
            return failure;
        }
    }
    let shown = printable_line(&shown, MOST_SHOWN);
    CallError::Unreadable(why, shown)
}

fn too_long(most: usize) -> CallError {
    CallError::unreadable(too_long_text(most))
}

/// The words about an answer of more than `most` bytes.
pub(crate) fn too_long_text(most: usize) -> String {
    format!("the answer is longer than {most} bytes")
}

fn nonsense(error: &Error) -> CallError {
    CallError::unreadable(format!("not HTTP: {error}"))
}

/// The failure that bytes in the place of an answer mean.
fn no_answer(error: &Error, received: &[u8]) -> CallError {
    match received {
        // An alert or a handshake, of any version: servers that encrypt complain so of those who do not.
        [0x15 | 0x16, 3, ..] => CallError::unreadable("not HTTP, but TLS; is it https:// where it listens?"),
        _ => nonsense(error),
    }
}

/// Reads a response from a connection; holds the bytes that are not parsed yet.
struct ResponseReader<'a, 'w> {
    connection: &'a mut Connection,
    deadline: &'a mut Deadline<'w>,
    bytes: Vec<u8>,
    received: usize,
    most: usize,
}

impl ResponseReader<'_, '_> {
    /// Receives more; `false` when there is no more.
    fn more(&mut self) -> Result<bool, CallError> {
        let mut window = [0; 8 * 1024];
        let received = self.connection.receive(&mut window, self.deadline)?;
        self.bytes.extend_from_slice(&window[..received]);
        self.received += received;
        if self.received > self.most {
            return Err(CallError::unreadable(format!("the answer takes more than {} bytes to send", self.most)));
        }
        Ok(received > 0)
    }

    /// The bot went before the end of its answer.
    fn ended(&self) -> CallError {
        let when = if self.connection.heard { "in mid-answer" } else { "before it answered" };
        CallError::Gone(format!("closed the connection {when}"))
    }
}
