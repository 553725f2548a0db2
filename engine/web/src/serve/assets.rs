//! The files that pages load.

use super::Refusal;
use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

const COLOURS: &str = include_str!("../../assets/colours.css");
const STYLE: &str = include_str!("../../assets/serve.css");
const VIEW_SCRIPT: &str = include_str!("../../assets/view.js");
const VIEW_STYLE: &str = include_str!("../../assets/view.css");

/// A file by its name.
pub(super) async fn asset(Path(file): Path<String>) -> Result<Response, Refusal> {
    let (kind, text) = match file.as_str() {
        "colours.css" => ("text/css; charset=utf-8", COLOURS),
        "serve.css" => ("text/css; charset=utf-8", STYLE),
        "view.css" => ("text/css; charset=utf-8", VIEW_STYLE),
        "view.js" => ("text/javascript; charset=utf-8", VIEW_SCRIPT),
        _ => return Err(Refusal::missing("there is no such file")),
    };
    Ok(([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache")], text).into_response())
}
