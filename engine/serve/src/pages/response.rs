//! Responses with pages: notices, tokens of forms, cookies, and the pages for missing addresses and refused forms.

use crate::http::guard::cookie;
use crate::state::random::token;
use crate::state::request_error::{RequestError, RequestResult};
use crate::teams::access::Access;
use askama::Template;
use axum::http::header::{ACCEPT, CONTENT_SECURITY_POLICY, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{Html, IntoResponse, Redirect, Response};

/// The name of the cookie that CSRF tokens follow from.
pub(crate) const FORM_COOKIE: &str = "broadside_form";
/// The name of the administrator's cookie.
pub(crate) const ADMIN_COOKIE: &str = "broadside_admin";
/// The name of the cookie of a team that is logged in.
pub(crate) const TEAM_COOKIE: &str = "broadside_team";

/// The response to a request for a page: the page, or the reason why the request fails, in JSON.
pub(crate) type PageResult = RequestResult<Response>;

/// The message of a page about the last action.
#[derive(Debug, Clone, Default)]
pub(crate) enum Notice {
    #[default]
    Nothing,
    Done(&'static str),
    /// The action failed; the status is that of the page.
    Wrong(StatusCode, String),
}

impl From<RequestError> for Notice {
    fn from(error: RequestError) -> Notice {
        let message = error.to_string();
        let mut letters = message.chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
        Notice::Wrong(error.status, format!("{first}{}.", letters.as_str()))
    }
}

/// The response with a page that has forms. `page` makes the page of its notice and the CSRF token of its forms. The
/// response sets a new cookie if the browser has none yet.
pub(crate) fn form_page<T: Template>(
    access: &Access,
    headers: &HeaderMap,
    notice: Notice,
    page: impl FnOnce(Notice, String) -> T,
) -> Response {
    let known = cookie(headers, FORM_COOKIE);
    let fresh = known.is_none().then(token);
    let csrf_token = access.csrf_tokens.token_for(known.or(fresh.as_deref()).unwrap_or_default());
    let status = if let Notice::Wrong(status, _) = notice { status } else { StatusCode::OK };
    let mut response = html(status, &page(notice, csrf_token));
    if let Some(fresh) = fresh {
        set_cookie(&mut response, &format!("{FORM_COOKIE}={fresh}; Path=/"));
    }
    response
}

pub(crate) fn html(status: StatusCode, page: &impl Template) -> Response {
    match page.render() {
        Ok(html) => (status, Html(html)).into_response(),
        Err(error) => RequestError::internal(error).into_response(),
    }
}

/// The response with a page that needs no other file, and has a content security policy of its own.
pub(crate) fn whole_page(page: String) -> Response {
    ([(CONTENT_SECURITY_POLICY, "frame-ancestors 'none'")], Html(page)).into_response()
}

/// Sets a cookie that neither scripts nor other sites can use.
pub(crate) fn set_cookie(response: &mut Response, value: &str) {
    if let Ok(value) = HeaderValue::from_str(&format!("{value}; HttpOnly; SameSite=Strict")) {
        response.headers_mut().append(SET_COOKIE, value);
    }
}

#[derive(Template)]
#[template(path = "missing.html")]
struct MissingPage<'a> {
    title: &'static str,
    what: &'a str,
}

pub(crate) fn not_found(what: &str) -> Response {
    html(StatusCode::NOT_FOUND, &MissingPage { title: "Not found", what })
}

/// The response to a form that is refused: a page for browsers, else JSON.
pub(crate) fn refused(error: RequestError, headers: &HeaderMap) -> Response {
    match Notice::from(error.clone()) {
        Notice::Wrong(status, what) if wants_page(headers) => {
            html(status, &MissingPage { title: "Not done", what: &what })
        }
        _ => error.into_response(),
    }
}

fn wants_page(headers: &HeaderMap) -> bool {
    headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).is_some_and(|accept| accept.contains("text/html"))
}

/// The answer for addresses that do not exist. One that ends with a slash may be right without it. The browser asks there again;
/// two slashes at the beginning would be another host, and a browser takes \ for /.
pub(crate) async fn missing(uri: Uri, headers: HeaderMap) -> Response {
    let shorter = uri.path().trim_end_matches('/');
    if shorter != uri.path() && shorter.starts_with('/') && !shorter.starts_with("//") && !shorter.contains('\\') {
        let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
        return Redirect::permanent(&format!("{shorter}{query}")).into_response();
    }
    if uri.path().starts_with("/api/") || !wants_page(&headers) {
        return RequestError::missing("there is nothing at this address").into_response();
    }
    not_found("There is nothing at this address.")
}
