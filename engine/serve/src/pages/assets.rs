//! The files that pages load.

use crate::state::request_error::{RequestError, RequestResult};
use axum::extract::{Path, Query};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use std::borrow::Cow;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// The modules of the pages' scripts, beside those of [`web::SCRIPTS`], by their paths.
const SCRIPTS: [(&str, &str); 22] = [
    ("final/bracket.js", include_str!("../../assets/final/bracket.js")),
    ("final/main.js", include_str!("../../assets/final/main.js")),
    ("final/podium.js", include_str!("../../assets/final/podium.js")),
    ("pages/drop.js", include_str!("../../assets/pages/drop.js")),
    ("pages/focus.js", include_str!("../../assets/pages/focus.js")),
    ("pages/local_time.js", include_str!("../../assets/pages/local_time.js")),
    ("pages/main.js", include_str!("../../assets/pages/main.js")),
    ("pages/refresh.js", include_str!("../../assets/pages/refresh.js")),
    ("pages/times.js", include_str!("../../assets/pages/times.js")),
    ("screen/effects.js", include_str!("../../assets/screen/effects.js")),
    ("screen/events.js", include_str!("../../assets/screen/events.js")),
    ("screen/match_follower.js", include_str!("../../assets/screen/match_follower.js")),
    ("screen/outlook.js", include_str!("../../assets/screen/outlook.js")),
    ("screen/playlist.js", include_str!("../../assets/screen/playlist.js")),
    ("screen/source.js", include_str!("../../assets/screen/source.js")),
    ("screen/stage.js", include_str!("../../assets/screen/stage.js")),
    ("view/contest.js", include_str!("../../assets/view/contest.js")),
    ("view/controls.js", include_str!("../../assets/view/controls.js")),
    ("view/joining.js", include_str!("../../assets/view/joining.js")),
    ("view/leaderboards.js", include_str!("../../assets/view/leaderboards.js")),
    ("view/main.js", include_str!("../../assets/view/main.js")),
    ("view/overlay.js", include_str!("../../assets/view/overlay.js")),
];
const STYLES: [(&str, &str); 4] = [
    ("pages.css", include_str!("../../assets/pages/pages.css")),
    (
        "view.css",
        concat!(
            include_str!("../../assets/view/view.css"),
            include_str!("../../assets/view/large.css"),
            include_str!("../../assets/view/small.css"),
            include_str!("../../assets/screen/effects.css"),
            include_str!("../../assets/screen/keys.css")
        ),
    ),
    ("overlay.css", include_str!("../../assets/view/overlay.css")),
    (
        "final.css",
        concat!(
            include_str!("../../assets/final/final.css"),
            include_str!("../../assets/screen/effects.css"),
            include_str!("../../assets/screen/keys.css")
        ),
    ),
];

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

/// The file with this name, unless the browser has it: scripts import each other, and each file would cost a transfer.
pub(crate) async fn asset(
    Path(file): Path<String>,
    Query(asked): Query<ThemeQuery>,
    headers: HeaderMap,
) -> RequestResult<Response> {
    let of = |files: &[(&str, &'static str)]| files.iter().find(|(path, _)| *path == file).map(|(_, text)| *text);
    let script = of(&web::SCRIPTS).or_else(|| of(&SCRIPTS));
    let style = of(&web::STYLES).or_else(|| of(&STYLES));
    let (kind, text) = match (script, style) {
        (Some(script), _) => ("text/javascript; charset=utf-8", script.into()),
        (_, Some(style)) => ("text/css; charset=utf-8", asked.theme.style(style)),
        (None, None) => return Err(RequestError::missing("there is no such file")),
    };
    let tag = format!("\"{:x}\"", BuildHasherDefault::<DefaultHasher>::default().hash_one(&*text));
    let is_known = headers.get(IF_NONE_MATCH).is_some_and(|known| known == tag.as_str());
    let headers = [(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache"), (ETAG, &tag)];
    Ok(if is_known { (StatusCode::NOT_MODIFIED, headers).into_response() } else { (headers, text).into_response() })
}
