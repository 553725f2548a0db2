//! An open HTTP connection: whether it gives way to others, and the responses that are being sent on it.

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use connections::{Admission, Connection};
use hyper::body::{Frame, SizeHint};
use std::future::pending;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::sleep;

/// An open HTTP connection. It gives way to others unless a request is being answered: while it is idle between two
/// requests, and while the client has not sent the head of a request.
#[derive(Debug, Default)]
pub(crate) struct HttpConnection {
    is_answering: AtomicBool,
    /// True once the head of a request has come.
    has_asked: AtomicBool,
    closing: Notify,
}

impl Connection for HttpConnection {
    fn gives_way(&self) -> bool {
        !self.is_answering.load(Ordering::Relaxed)
    }

    fn close(&self) {
        self.closing.notify_one();
    }
}

impl HttpConnection {
    /// Marks the connection as one that does not give way, until the value is dropped.
    pub(crate) fn begin_answer(self: &Arc<HttpConnection>) -> Answering {
        self.is_answering.store(true, Ordering::Relaxed);
        self.has_asked.store(true, Ordering::Relaxed);
        Answering(Arc::clone(self))
    }

    /// Waits until this time has passed, if no head of a request has come by then.
    pub(crate) async fn silent(&self, headers_within: Duration) {
        sleep(headers_within).await;
        if self.has_asked.load(Ordering::Relaxed) {
            pending::<()>().await;
        }
    }

    /// Waits until the connection has to be closed.
    pub(crate) async fn closed(&self) {
        self.closing.notified().await;
    }
}

/// An answer from the head of its request to the last byte of the response's body.
#[derive(Debug)]
pub(crate) struct Answering(Arc<HttpConnection>);

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.is_answering.store(false, Ordering::Relaxed);
    }
}

/// An event stream, for the limit on their number. It never gives way: a browser would not come back.
#[derive(Debug)]
pub(crate) struct OpenEventStream;

impl Connection for OpenEventStream {
    fn gives_way(&self) -> bool {
        false
    }

    fn close(&self) {}
}

/// The body of a response, with permissions that end with it.
#[derive(Debug)]
struct CountedBody {
    body: Body,
    _answering: Answering,
    _stream: Option<Admission<OpenEventStream>>,
}

impl HttpBody for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The response, which holds these permissions until its body is sent.
pub(crate) fn counted(
    response: Response,
    answering: Answering,
    stream: Option<Admission<OpenEventStream>>,
) -> Response {
    response.map(|body| Body::new(CountedBody { body, _answering: answering, _stream: stream }))
}
