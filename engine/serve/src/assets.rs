//! The files that pages load.

use super::Refusal;
use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

const COLOURS: &str = include_str!("../../web/assets/colours.css");
const ELEMENTS: &str = include_str!("../../web/assets/elements.css");
const STYLE: &str = include_str!("../assets/pages/pages.css");
const FRESH_SCRIPT: &str = include_str!("../assets/pages/fresh.js");
const VIEW_STYLE: &str = concat!(
    include_str!("../../web/assets/board.css"),
    include_str!("../assets/view/view.css"),
    include_str!("../assets/view/effects.css")
);
/// The parts of the big screen's script, each after those it needs while it is loaded. They share one scope.
const VIEW_SCRIPT: &str = concat!(
    include_str!("../../web/assets/elements.js"),
    include_str!("../../web/assets/match.js"),
    include_str!("../../web/assets/text.js"),
    include_str!("../../web/assets/board.js"),
    include_str!("../assets/view/course.js"),
    include_str!("../assets/view/effects.js"),
    include_str!("../assets/view/fleet.js"),
    include_str!("../assets/view/stage.js"),
    include_str!("../assets/view/ranks.js"),
    include_str!("../assets/view/programme.js"),
    include_str!("../assets/view/runner.js"),
    include_str!("../assets/view/remote.js"),
    include_str!("../assets/view/begin.js"),
);

/// A file by its name.
pub(super) async fn asset(Path(file): Path<String>) -> Result<Response, Refusal> {
    let (kind, text) = match file.as_str() {
        "colours.css" => ("text/css; charset=utf-8", COLOURS),
        "fresh.js" => ("text/javascript; charset=utf-8", FRESH_SCRIPT),
        "elements.css" => ("text/css; charset=utf-8", ELEMENTS),
        "pages.css" => ("text/css; charset=utf-8", STYLE),
        "view.css" => ("text/css; charset=utf-8", VIEW_STYLE),
        "view.js" => ("text/javascript; charset=utf-8", VIEW_SCRIPT),
        _ => return Err(Refusal::missing("there is no such file")),
    };
    Ok(([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache")], text).into_response())
}
