//! Checks that run before every request (host, origin, body size) and headers that go on every response.

use crate::http::app::App;
use crate::state::request_error::{RequestError, RequestResult};
use crate::teams::access::ClientAddress;
use crate::teams::actor::Actor;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request, State};
use axum::http::header::{CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use rules::{InputError, input_json};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;
use web::http_server::{Peer, add_headers, is_of_this_site, names_one_of, names_this_machine};

/// The largest body of a request, in bytes.
pub(crate) const MOST_OF_BODY: usize = 16 << 10;
/// The longest time for a request that is not a test of a bot, besides that for its body.
const WITHIN: Duration = Duration::from_secs(5);
/// The longest time for a test of a bot, besides that for its body.
const PROBE_WITHIN: Duration = Duration::from_secs(30);

/// The longest time for handing a bot in, of which 20 MB take a minute at 3 Mbit/s, and for declaring games void, for which a whole
/// journal is read.
const LONG_WITHIN: Duration = Duration::from_secs(120);

/// The policy of our pages: scripts, styles and pictures of this server, and nothing else.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
     trusted-types 'none'",
);

/// Checks a request, limits its time, and adds the headers to the response.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut response = match check_request(&app, &request) {
        Err(error) => error.into_response(),
        Ok(()) => {
            let is_probe = request.uri().path().ends_with("/test");
            let path = request.uri().path();
            let is_long = changes(&request) && (path.ends_with("/versions") || path.ends_with("/void"));
            let within = if is_long {
                LONG_WITHIN
            } else if is_probe {
                PROBE_WITHIN
            } else {
                WITHIN
            };
            let answered = timeout(app.request_time + within, next.run(request)).await;
            answered.unwrap_or_else(|_| RequestError::too_slow().into_response())
        }
    };
    response.headers_mut().entry(CONTENT_SECURITY_POLICY).or_insert(POLICY);
    add_headers(&mut response);
    response
}

/// True for a request that changes something.
fn changes(request: &Request) -> bool {
    !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS)
}

fn check_request(app: &App, request: &Request) -> RequestResult<()> {
    let headers = request.headers();
    if app.reach.is_local && !names_this_machine(headers) && !names_one_of(headers, &app.reach.public_hosts) {
        let why =
            "this server answers to localhost only; started with --public-host NAME, it answers to that name as well";
        return Err(RequestError::forbidden(why));
    }
    if changes(request) && !is_of_this_site(headers, &app.reach.public_hosts) {
        let why = "the request comes from a page of another site; if it is that of a proxy before this server, start the server \
                   with --public-host and the name that pages have";
        return Err(RequestError::forbidden(why));
    }
    Ok(())
}

impl<S: Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = RequestError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> RequestResult<ClientAddress> {
        let peer = parts.extensions.get::<Peer>().ok_or_else(|| RequestError::internal("a request has no sender"))?;
        let is_proxied = ["forwarded", "x-forwarded-for", "via"].iter().any(|name| parts.headers.contains_key(*name));
        Ok(ClientAddress { ip: peer.0.ip(), is_proxied })
    }
}

/// A body in JSON. The content type must be JSON, which a form of another site cannot send.
#[derive(Debug)]
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for JsonBody<T> {
    type Rejection = RequestError;

    async fn from_request(request: Request, app: &Arc<App>) -> RequestResult<JsonBody<T>> {
        let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if kind != "application/json" {
            let message = "the body must be JSON, with the header Content-Type: application/json";
            return Err(RequestError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
        }
        let bytes = body(request, app).await?;
        read_json(&bytes).map(JsonBody)
    }
}

/// The value in a body. Serde would take an array for the members of an object in their order.
fn read_json<T: DeserializeOwned>(bytes: &[u8]) -> RequestResult<T> {
    let wrong = |why: InputError| RequestError::bad(format!("the body is not valid: {why}"));
    let value: Value = input_json(bytes).map_err(wrong)?;
    let kind = match &value {
        // Read again, so that an error tells its place.
        Value::Object(_) => return input_json(bytes).map_err(wrong),
        Value::Array(_) => "an array",
        Value::String(_) => "a text",
        Value::Number(_) => "a number",
        Value::Bool(_) | Value::Null => "a single value",
    };
    Err(RequestError::bad(format!("the body must be a JSON object, {{…}}, and is {kind}")))
}

/// The body of a request, up to [`MOST_OF_BODY`].
pub(crate) async fn body(request: Request, app: &App) -> RequestResult<Bytes> {
    body_within(app.request_time, request).await
}

async fn body_within(within: Duration, request: Request) -> RequestResult<Bytes> {
    let encoding = request.headers().get(CONTENT_ENCODING).map(|encoding| encoding.to_str().unwrap_or("unreadable"));
    if let Some(encoding) = encoding.filter(|encoding| !encoding.eq_ignore_ascii_case("identity")) {
        let message =
            format!("the body is encoded ({encoding}); send it as it is, without the header Content-Encoding");
        return Err(RequestError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    let read = timeout(within, Bytes::from_request(request, &())).await;
    let read = read.map_err(|_| RequestError::new(StatusCode::REQUEST_TIMEOUT, "the body comes too slowly"))?;
    read.map_err(|rejection| {
        let message = match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => format!("the body has more than {MOST_OF_BODY} bytes"),
            _ => "the body cannot be read".to_owned(),
        };
        RequestError::new(rejection.status(), message)
    })
}

impl FromRequestParts<Arc<App>> for Actor {
    type Rejection = RequestError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> RequestResult<Actor> {
        let from = ClientAddress::from_request_parts(parts, app).await?;
        let header = |name| parts.headers.get(name).and_then(|value| std::str::from_utf8(value.as_bytes()).ok());
        let password = header("x-admin-password")
            .ok_or_else(|| RequestError::unauthorized("the header X-Admin-Password is needed"))?;
        app.access.admit(from, header("x-admin-name").unwrap_or_default(), password).await
    }
}

/// The value of the cookie with this name.
pub(crate) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
    let pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(|(key, _)| *key == name).map(|(_, value)| value).next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use futures_util::{StreamExt, stream};
    use std::convert::Infallible;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn a_body_has_a_time_limit() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let begin = stream::iter([Ok::<_, Infallible>("{")]);
            let request = Request::new(Body::from_stream(begin.chain(stream::pending())));
            let error = body_within(Duration::from_millis(1), request).await.unwrap_err();
            assert_eq!(error.into_response().status(), StatusCode::REQUEST_TIMEOUT);
            let whole = body_within(Duration::from_secs(60), Request::new(Body::from("{}"))).await;
            assert_eq!(&*whole.unwrap(), b"{}");
        });
    }

    #[test]
    fn cookies_are_found_by_their_names() {
        let headers = headers(&[("cookie", "a=1; broadside_form=xyz;b=2"), ("cookie", "c=3")]);
        assert_eq!(cookie(&headers, "broadside_form"), Some("xyz"));
        assert_eq!((cookie(&headers, "c"), cookie(&headers, "form")), (Some("3"), None));
    }
}
