//! Errors that requests get as their responses.

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
}

/// The result of a request.
pub(crate) type RequestResult<T> = Result<T, RequestError>;

impl RequestError {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> RequestError {
        RequestError { status, message: rules::printable(&message.into()), retry: None }
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

    /// The server failed. The cause goes to the log, not to the client.
    pub(crate) fn internal(error: impl std::fmt::Display) -> RequestError {
        log::error!("{}", rules::printable(&error.to_string()));
        RequestError::new(StatusCode::INTERNAL_SERVER_ERROR, "the server failed; its operator can see why")
    }
}

impl From<ArenaError> for RequestError {
    fn from(error: ArenaError) -> RequestError {
        let causes = std::iter::successors(Some(&error as &dyn std::error::Error), |error| error.source());
        RequestError::internal(causes.map(ToString::to_string).collect::<Vec<_>>().join(": "))
    }
}
