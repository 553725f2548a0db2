//! The page of a final, for everyone to watch.

use crate::http::app::{App, AppState};
use crate::matches::finals::view::FinalView;
use crate::matches::views;
use crate::pages::response::html;
use askama::Template;
use axum::Router;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use std::sync::Arc;
use web::SIGNS;

#[derive(Template)]
#[template(path = "final.html")]
struct FinalPage {
    present: FinalView,
    signs: &'static str,
}

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new().route("/final", get(page))
}

async fn page(app: AppState) -> Response {
    html(StatusCode::OK, &FinalPage { present: views::present_final(&app.host), signs: SIGNS })
}
