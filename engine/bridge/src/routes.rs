//! The requests of a bridge.

use crate::matches::Matches;
use arena::ArenaError;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use players::Delivery;
use rules::{input_json, without_mark};
use serde_json::Value;
use std::sync::Arc;
use web::http_server::add_headers;

/// The longest question in bytes: a match of botsArena with every strike on the largest board.
const LONGEST: usize = 16 << 20;
/// The most bytes of the name of a match.
const LONGEST_NAME: usize = 200;

/// Every path is answered: what is asked is in the body.
pub(crate) fn routes(matches: Arc<Matches>) -> Router {
    Router::new().fallback(answer).with_state(matches)
}

async fn answer(State(matches): State<Arc<Matches>>, request: Request) -> Response {
    let mut response = answered(&matches, request).await.unwrap_or_else(|(status, why)| {
        let why = format!("{why}\n");
        (status, why).into_response()
    });
    add_headers(&mut response);
    response
}

async fn answered(matches: &Matches, request: Request) -> Result<Response, (StatusCode, String)> {
    if request.method() != Method::POST {
        return Err((StatusCode::METHOD_NOT_ALLOWED, "this is a bot: it answers requests with POST".to_owned()));
    }
    let body = to_bytes(request.into_body(), LONGEST).await;
    let body = body.map_err(|e| (StatusCode::PAYLOAD_TOO_LARGE, format!("the request cannot be read: {e}")))?;
    let question: Value = input_json(&body).map_err(|e| {
        (StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("the bridge understands requests in JSON only: {e}"))
    })?;
    let (name, is_first) = name(&question).ok_or_else(|| {
        let why = "the request names no match: match in Battleship, gameId in Sea Battle, game-id and player-index in botsArena";
        (StatusCode::BAD_REQUEST, why.to_owned())
    })?;
    // As it came, if it is one line.
    let line = if body.contains(&b'\n') { question.to_string().into_bytes() } else { without_mark(&body).to_vec() };
    let failed = |error: &ArenaError| (StatusCode::INTERNAL_SERVER_ERROR, format!("the bridge failed: {error}"));
    let answered = matches.ask(&name, is_first, line).map_err(|error| failed(&error))?;
    let ended = || (StatusCode::SERVICE_UNAVAILABLE, "the match was ended".to_owned());
    let Delivery { parts, fault, run, .. } = answered.await.map_err(|_| ended())?.map_err(|error| failed(&error))?;
    let why = fault.map(|fault| fault.to_string());
    match (why, parts.into_iter().next(), run) {
        (None, Some(part), _) => {
            let json = HeaderValue::from_static("application/json");
            Ok(([(CONTENT_TYPE, json)], Body::from(part.bytes)).into_response())
        }
        (Some(why), _, _) => Err((StatusCode::BAD_GATEWAY, format!("the bot gave no answer: {why}"))),
        (None, None, Some(run)) => Err((StatusCode::BAD_GATEWAY, format!("the bot gave no answer: {}", run.end))),
        (None, None, None) => Err((StatusCode::BAD_GATEWAY, "the bot gave no answer".to_owned())),
    }
}

/// The name of the match in a question, and true if it is the question for the ships, with which a match begins.
fn name(question: &Value) -> Option<(String, bool)> {
    let short = |name: &str| (name.len() <= LONGEST_NAME).then(|| name.to_owned());
    if let Some(name) = question["match"].as_str() {
        // A refused fleet is asked for again.
        return Some((short(name)?, question["act"] == "place" && question["refused"].is_null()));
    }
    if let Some(name) = question["gameId"].as_str() {
        return Some((short(name)?, !question["boardSize"].is_null()));
    }
    let (game, player) = (question["game-id"].as_u64()?, question["player-index"].as_u64()?);
    Some((format!("{game}-{player}"), question["action"] == "init"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_match_is_told_by_its_name_in_each_game() {
        let told = |question: Value| name(&question).unwrap();
        assert_eq!(told(json!({"gameId": "abc", "boardSize": 10})), ("abc".to_owned(), true));
        assert_eq!(told(json!({"gameId": "abc", "turn": 1})), ("abc".to_owned(), false));
        assert_eq!(told(json!({"game-id": 7, "player-index": 1, "action": "init"})), ("7-1".to_owned(), true));
        assert_eq!(told(json!({"game-id": 7, "player-index": 1, "action": "play-turn"})), ("7-1".to_owned(), false));
        assert_eq!(told(json!({"match": "abc", "act": "place"})), ("abc".to_owned(), true));
        assert_eq!(told(json!({"match": "abc", "act": "place", "refused": "no ships"})), ("abc".to_owned(), false));
        assert_eq!(told(json!({"match": "abc", "act": "fire"})), ("abc".to_owned(), false));
        assert_eq!(name(&json!({"game-id": 7})), None);
        assert_eq!(name(&json!([1])), None);
        assert_eq!(name(&json!({"gameId": "x".repeat(201)})), None);
    }
}
