//! The response to a request that fails.

use crate::state::request_error::RequestError;
use crate::state::wire::Problem;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

impl IntoResponse for RequestError {
    fn into_response(self) -> Response {
        let json = serde_json::to_vec(&Problem { error: self.message }).expect("it is a text");
        let mut response = (self.status, json).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(retry) = self.retry {
            headers.insert(RETRY_AFTER, retry.as_secs().into());
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("X-Admin-Password, Bearer"));
        }
        response
    }
}
