//! The files that pages load.

use crate::state::request_error::{RequestError, RequestResult};
use axum::extract::{Path, Query};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use std::borrow::Cow;

const COLOURS: &str = include_str!("../../../web/assets/colours.css");
const ELEMENTS: &str = include_str!("../../../web/assets/elements.css");
const STYLE: &str = include_str!("../../assets/pages/pages.css");
/// The parts of the pages' script; they share one scope.
const PAGES_SCRIPT: &str = concat!(
    include_str!("../../assets/pages/times.js"),
    include_str!("../../assets/pages/focus.js"),
    include_str!("../../assets/pages/refresh.js"),
);
const VIEW_STYLE: &str = concat!(
    include_str!("../../../web/assets/board.css"),
    include_str!("../../assets/view/view.css"),
    include_str!("../../assets/view/large.css"),
    include_str!("../../assets/view/small.css"),
    include_str!("../../assets/view/effects.css"),
    include_str!("../../assets/view/keys.css")
);
/// The parts of the scripts of all screens: a match made of events, and how it is drawn.
macro_rules! drawing_script {
    () => {
        concat!(
            include_str!("../../../web/assets/elements.js"),
            include_str!("../../../web/assets/match.js"),
            include_str!("../../../web/assets/text.js"),
            include_str!("../../../web/assets/board.js"),
            include_str!("../../assets/view/clock.js"),
            include_str!("../../assets/view/match_feed.js"),
            include_str!("../../assets/view/effects.js"),
            include_str!("../../assets/view/fleet.js"),
        )
    };
}

/// The parts of the big screen's script, each after the parts that it needs while it is loaded. They share one scope.
const VIEW_SCRIPT: &str = concat!(
    include_str!("../../../web/assets/spoilers.js"),
    drawing_script!(),
    include_str!("../../assets/view/match_view.js"),
    include_str!("../../assets/view/leaderboards.js"),
    include_str!("../../assets/view/match_list.js"),
    include_str!("../../assets/view/playback.js"),
    include_str!("../../assets/view/events.js"),
    include_str!("../../assets/view/joining.js"),
    include_str!("../../assets/view/controls.js"),
    include_str!("../../assets/view/main.js"),
);
const OVERLAY_STYLE: &str = include_str!("../../assets/view/overlay.css");
/// The parts of the overlay's script.
const OVERLAY_SCRIPT: &str = concat!(
    drawing_script!(),
    include_str!("../../assets/view/match_view.js"),
    include_str!("../../assets/view/match_list.js"),
    include_str!("../../assets/view/playback.js"),
    include_str!("../../assets/view/events.js"),
    include_str!("../../assets/view/overlay.js"),
);

const FINAL_STYLE: &str = concat!(
    include_str!("../../../web/assets/board.css"),
    include_str!("../../assets/final/final.css"),
    include_str!("../../assets/view/effects.css"),
    include_str!("../../assets/view/keys.css")
);
/// The parts of the script of the page of a final, as those of the big screen's.
const FINAL_SCRIPT: &str = concat!(
    drawing_script!(),
    include_str!("../../assets/final/boards.js"),
    include_str!("../../assets/final/bracket.js"),
    include_str!("../../assets/final/podium.js"),
    include_str!("../../assets/final/main.js"),
);
const PLAN_SCRIPT: &str = include_str!("../../assets/final/plan.js");

/// A choice of colours, whatever the visitor's system prefers: `?theme=dark` or `?theme=light`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Theme {
    Dark,
    Light,
    /// The colours that the system of the visitor prefers; also for all other words.
    #[default]
    #[serde(other)]
    Preferred,
}

impl Theme {
    /// The query of the addresses of styles in these colours.
    pub(crate) fn query(self) -> &'static str {
        match self {
            Theme::Dark => "?theme=dark",
            Theme::Light => "?theme=light",
            Theme::Preferred => "",
        }
    }

    /// A style in these colours.
    fn style(self, text: &'static str) -> Cow<'static, str> {
        let (media, scheme) = match self {
            Theme::Dark => ("@media all", "color-scheme: dark"),
            Theme::Light => ("@media not all", "color-scheme: light"),
            Theme::Preferred => return text.into(),
        };
        text.replace("@media (prefers-color-scheme: dark)", media).replace("color-scheme: light dark", scheme).into()
    }
}

/// The query of pages and styles that come in two themes.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub(crate) struct ThemeQuery {
    #[serde(default)]
    pub(crate) theme: Theme,
}

/// The file with this name.
pub(crate) async fn asset(Path(file): Path<String>, Query(asked): Query<ThemeQuery>) -> RequestResult<Response> {
    let (kind, text) = match file.as_str() {
        "colours.css" => ("text/css; charset=utf-8", COLOURS),
        "pages.js" => ("text/javascript; charset=utf-8", PAGES_SCRIPT),
        "elements.css" => ("text/css; charset=utf-8", ELEMENTS),
        "pages.css" => ("text/css; charset=utf-8", STYLE),
        "overlay.css" => ("text/css; charset=utf-8", OVERLAY_STYLE),
        "overlay.js" => ("text/javascript; charset=utf-8", OVERLAY_SCRIPT),
        "view.css" => ("text/css; charset=utf-8", VIEW_STYLE),
        "view.js" => ("text/javascript; charset=utf-8", VIEW_SCRIPT),
        "final.css" => ("text/css; charset=utf-8", FINAL_STYLE),
        "final.js" => ("text/javascript; charset=utf-8", FINAL_SCRIPT),
        "plan.js" => ("text/javascript; charset=utf-8", PLAN_SCRIPT),
        _ => return Err(RequestError::missing("there is no such file")),
    };
    let text = if kind.starts_with("text/css") { asked.theme.style(text) } else { text.into() };
    Ok(([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache")], text).into_response())
}
