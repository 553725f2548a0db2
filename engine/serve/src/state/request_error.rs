//! Errors that requests get as their responses.

use crate::state::journal_line::now;
use arena::ArenaError;
use axum::http::StatusCode;
use std::time::Duration;

/// The reason why a request fails: an HTTP status, and a message for the client.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct RequestError {
    pub(crate) status: StatusCode,
    pub(crate) message: String,
    /// The time after which the client may try again.
    pub(crate) retry: Option<Duration>,
    /// The cause of a failure of the server, for the administrator only.
    pub(crate) cause: Option<String>,
}

/// A failure of the server, for its administrator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trouble {
    /// The cause, in words.
    pub(crate) text: String,
    /// The time since which it has been the same.
    pub(crate) since: String,
}

impl Trouble {
    /// A failure that is noticed now.
    pub(crate) fn now(text: &str) -> Trouble {
        Trouble { text: text.to_owned(), since: now() }
    }
}

/// The result of a request.
pub(crate) type RequestResult<T> = Result<T, RequestError>;

impl RequestError {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> RequestError {
        RequestError { status, message: rules::printable(&message.into()), retry: None, cause: None }
    }

    /// The request makes no sense.
    pub(crate) fn bad(message: impl Into<String>) -> RequestError {
        RequestError::new(StatusCode::BAD_REQUEST, message)
    }

    /// The thing does not exist.
    pub(crate) fn missing(message: impl Into<String>) -> RequestError {
        RequestError::new(StatusCode::NOT_FOUND, message)
    }

    /// The current state does not allow the request.
    pub(crate) fn conflict(message: impl Into<String>) -> RequestError {
        RequestError::new(StatusCode::CONFLICT, message)
    }

    /// The client may not do this.
    pub(crate) fn forbidden(message: impl Into<String>) -> RequestError {
        RequestError::new(StatusCode::FORBIDDEN, message)
    }

    /// The administrator's password is missing or wrong.
    pub(crate) fn unauthorized(message: impl Into<String>) -> RequestError {
        RequestError::new(StatusCode::UNAUTHORIZED, message)
    }

    /// The client sends too many such requests, and may try again after `wait`.
    pub(crate) fn too_often(wait: Duration) -> RequestError {
        let seconds = wait.as_secs_f64().ceil().max(1.0);
        let message = format!("too many requests; try again in {seconds} s");
        RequestError {
            retry: Some(Duration::from_secs(seconds as u64)),
            ..RequestError::new(StatusCode::TOO_MANY_REQUESTS, message)
        }
    }

    /// The server has too much to do.
    pub(crate) fn busy(message: impl Into<String>) -> RequestError {
        RequestError {
            retry: Some(Duration::from_secs(2)),
            ..RequestError::new(StatusCode::SERVICE_UNAVAILABLE, message)
        }
    }

    /// The request took too long.
    pub(crate) fn too_slow() -> RequestError {
        RequestError::new(StatusCode::REQUEST_TIMEOUT, "the request took too long")
    }

    /// The server failed. The cause goes to the log and to the administrator, not to the client.
    pub(crate) fn internal(error: impl std::fmt::Display) -> RequestError {
        let cause = rules::printable(&error.to_string());
        log::error!("{cause}");
        let message = "the server failed; its operator can see why";
        RequestError { cause: Some(cause), ..RequestError::new(StatusCode::INTERNAL_SERVER_ERROR, message) }
    }
}

impl From<ArenaError> for RequestError {
    fn from(error: ArenaError) -> RequestError {
        let causes = std::iter::successors(Some(&error as &dyn std::error::Error), |error| error.source());
        RequestError::internal(causes.map(ToString::to_string).collect::<Vec<_>>().join(": "))
    }
}
