//! Why the server does not do what it was asked for.

use super::secret::SecretError;
use super::wire::Problem;
use arena::ArenaError;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use std::time::Duration;

/// Why the server does not do what it was asked for, in words for whoever asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{words}")]
pub struct Refusal {
    status: StatusCode,
    words: String,
    retry: Option<Duration>,
}

impl Refusal {
    fn new(status: StatusCode, words: impl Into<String>) -> Refusal {
        Refusal { status, words: words.into(), retry: None }
    }

    /// What was asked makes no sense.
    pub(super) fn bad(words: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, words)
    }

    /// There is no such thing.
    pub(super) fn missing(words: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, words)
    }

    /// It cannot be done as things are.
    pub(super) fn conflict(words: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, words)
    }

    /// Whoever asks may not ask for it.
    pub(super) fn forbidden(words: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, words)
    }

    /// Only the administrator may.
    pub(super) fn unauthorized(words: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::UNAUTHORIZED, words)
    }

    /// It was asked too often; it may be asked again after so long.
    pub(super) fn too_often(wait: Duration) -> Refusal {
        let seconds = wait.as_secs_f64().ceil().max(1.0);
        let words = format!("too many requests; try again in {seconds} s");
        Refusal {
            retry: Some(Duration::from_secs(seconds as u64)),
            ..Refusal::new(StatusCode::TOO_MANY_REQUESTS, words)
        }
    }

    /// There is too much to do.
    pub(super) fn busy(words: impl Into<String>) -> Refusal {
        Refusal { retry: Some(Duration::from_secs(2)), ..Refusal::new(StatusCode::SERVICE_UNAVAILABLE, words) }
    }

    /// It took too long.
    pub(super) fn too_slow() -> Refusal {
        Refusal::new(StatusCode::REQUEST_TIMEOUT, "the request took too long")
    }

    /// With another status.
    pub(super) fn with_status(status: StatusCode, words: impl Into<String>) -> Refusal {
        Refusal::new(status, words)
    }

    /// The server failed. What happened is told to its operator only.
    pub(super) fn internal(error: impl std::fmt::Display) -> Refusal {
        log::error!("{error}");
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "the server failed; its operator can see why")
    }

    pub(super) fn status(&self) -> StatusCode {
        self.status
    }
}

impl From<ArenaError> for Refusal {
    fn from(error: ArenaError) -> Refusal {
        let causes = std::iter::successors(Some(&error as &dyn std::error::Error), |error| error.source());
        Refusal::internal(causes.map(ToString::to_string).collect::<Vec<_>>().join(": "))
    }
}

impl From<SecretError> for Refusal {
    fn from(error: SecretError) -> Refusal {
        match error {
            SecretError::Length => Refusal::bad(error.to_string()),
            SecretError::Busy => Refusal::busy(error.to_string()),
            SecretError::Hash(_) => Refusal::internal(error),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let json = serde_json::to_vec(&Problem { error: self.words }).expect("it is a text");
        let mut response = (self.status, json).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(retry) = self.retry {
            headers.insert(RETRY_AFTER, retry.as_secs().into());
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("X-Admin-Password"));
        }
        response
    }
}
