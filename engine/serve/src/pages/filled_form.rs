//! Forms of pages as they come: with a CSRF token, and times of the visitor's place.

use crate::http::app::App;
use crate::http::guard::{body, cookie};
use crate::pages::response::{FORM_COOKIE, refused};
use crate::state::journal_line::written;
use crate::state::request_error::{RequestError, RequestResult};
use axum::extract::{FromRequest, Request};
use axum::http::HeaderMap;
use axum::response::Response;
use chrono::{NaiveDateTime, TimeDelta};
use std::sync::Arc;

/// A form with a valid CSRF token.
pub(crate) struct FilledForm {
    fields: Vec<(String, String)>,
    pub(crate) headers: HeaderMap,
}

impl FilledForm {
    pub(crate) fn get(&self, name: &str) -> &str {
        self.fields.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    /// Fills a field.
    pub(crate) fn set(&mut self, name: &str, value: String) {
        self.fields.retain(|(key, _)| key != name);
        self.fields.push((name.to_owned(), value));
    }

    /// A number; `None` if the field is empty.
    pub(crate) fn number<T: std::str::FromStr>(&self, name: &str) -> RequestResult<Option<T>> {
        match self.get(name).trim() {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| RequestError::bad(format!("{name} is a whole number"))),
        }
    }
}

impl FromRequest<Arc<App>> for FilledForm {
    type Rejection = Response;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<FilledForm, Response> {
        let headers = request.headers().clone();
        FilledForm::read(request, app).await.map_err(|error| refused(error, &headers))
    }
}

impl FilledForm {
    async fn read(request: Request, app: &Arc<App>) -> RequestResult<FilledForm> {
        let headers = request.headers().clone();
        let bytes = body(request, app).await?;
        let fields: Vec<(String, String)> =
            serde_urlencoded::from_bytes(&bytes).map_err(|_| RequestError::bad("the form cannot be read"))?;
        let filled = FilledForm { fields, headers };
        let known = cookie(&filled.headers, FORM_COOKIE).unwrap_or_default();
        if known.is_empty() || !app.access.csrf_tokens.is_valid(known, filled.get("csrf_token")) {
            let message = "the form is too old, or comes from another site; load the page again";
            return Err(RequestError::forbidden(message));
        }
        Ok(filled)
    }
}

/// The time in a form, in RFC 3339: `local` is a time of day at the administrator's place, `offset` the minutes from there to UTC,
/// as a browser tells them. Without an offset the time is UTC; `None` if there is no time.
pub(crate) fn form_time(local: &str, offset: &str) -> RequestResult<Option<String>> {
    let (local, offset) = (local.trim(), offset.trim());
    if local.is_empty() {
        return Ok(None);
    }
    let bad = || RequestError::bad("a time is a date and a time of day");
    let formats = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"];
    let parsed = formats.iter().find_map(|format| NaiveDateTime::parse_from_str(local, format).ok()).ok_or_else(bad)?;
    let minutes: i64 = if offset.is_empty() { 0 } else { offset.parse().map_err(|_| bad())? };
    let minutes = TimeDelta::try_minutes(minutes).filter(|minutes| minutes.num_days() == 0).ok_or_else(bad)?;
    let utc = parsed.checked_add_signed(minutes).ok_or_else(bad)?;
    Ok(Some(written(utc.and_utc())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_in_a_form_is_that_of_the_browser() {
        let utc = |local, offset| form_time(local, offset).map_err(|error| error.to_string());
        assert_eq!(utc("", ""), Ok(None));
        assert_eq!(utc("2026-11-24T19:00", "-60").unwrap().as_deref(), Some("2026-11-24T18:00:00.000Z"));
        assert_eq!(utc("2026-11-24T23:30:10", "300").unwrap().as_deref(), Some("2026-11-25T04:30:10.000Z"));
        assert_eq!(utc("2026-11-24T19:00", "").unwrap().as_deref(), Some("2026-11-24T19:00:00.000Z"));
        for (local, offset) in [("tonight", "0"), ("2026-11-24T19:00", "x"), ("2026-11-24T19:00", "99999999999999999")]
        {
            assert!(utc(local, offset).is_err(), "{local} {offset}");
        }
    }
}
