//! The big screen: a page that shows running matches, and replays matches that are over; and the overlay for streams.

use crate::http::app::{App, AppState};
use crate::matches::views;
use crate::pages::assets::{Theme, ThemeQuery};
use crate::pages::join_address::{JoinAddress, QrPicture, qr_picture};
use crate::pages::response::html;
use crate::state::leaderboard::LeaderboardRow;
use crate::state::wire::{BotState, BotView, TournamentView};
use askama::Template;
use axum::Router;
use axum::extract::Query;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::get;
use std::sync::Arc;
use web::SIGNS;

#[derive(Template)]
#[template(path = "view.html")]
struct ViewPage {
    theme: Theme,
    rows: Vec<LeaderboardRow>,
    tournament: TournamentView,
    bots: Vec<BotView>,
    address: JoinAddress,
    qr: QrPicture,
    signs: &'static str,
}

impl ViewPage {
    /// True before the first tournament.
    fn is_before_the_start(&self) -> bool {
        self.tournament.number == 0
    }

    fn parked(&self) -> impl Iterator<Item = &BotView> {
        self.bots.iter().filter(|bot| bot.state == BotState::Parked)
    }
}

#[derive(Template)]
#[template(path = "overlay.html")]
pub(crate) struct OverlayPage {
    pub(crate) theme: Theme,
    pub(crate) title: String,
    /// The name of the contest that is shown; empty for tournaments of the server.
    pub(crate) contest: String,
    /// The time for which a moment is shown, in milliseconds.
    pub(crate) pace: u64,
    pub(crate) signs: &'static str,
}

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new().route("/view", get(view)).route("/overlay", get(overlay))
}

async fn view(app: AppState, Query(asked): Query<ThemeQuery>, headers: HeaderMap) -> Response {
    let address = app.reach.join_address(&headers);
    let page = ViewPage {
        theme: asked.theme,
        rows: views::leaderboards(&app.host).tournament,
        tournament: views::tournament(&app.host),
        bots: views::bots(&app.host, false),
        qr: qr_picture(&address.text),
        address,
        signs: SIGNS,
    };
    html(StatusCode::OK, &page)
}

async fn overlay(app: AppState, Query(asked): Query<ThemeQuery>) -> Response {
    let pace = app.host.store.look(|state| state.settings.pace);
    let title = "Sea Battle".to_owned();
    html(StatusCode::OK, &OverlayPage { theme: asked.theme, title, contest: String::new(), pace, signs: SIGNS })
}
