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
use rules::sea_battle::{BOARD, ShipKind};
use rules::{FirstRow, GameKind};
use serde_json::{Value, json};
use std::sync::Arc;
use web::{SIGNS, ship_name};

#[derive(Template)]
#[template(path = "view.html")]
struct ViewPage {
    theme: Theme,
    rows: Vec<LeaderboardRow>,
    tournament: TournamentView,
    bots: Vec<BotView>,
    address: JoinAddress,
    qr: QrPicture,
    /// The facts about the game, as JSON.
    game: String,
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
struct OverlayPage {
    theme: Theme,
    game: String,
    signs: &'static str,
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
        game: game(),
        signs: SIGNS,
    };
    html(StatusCode::OK, &page)
}

async fn overlay(Query(asked): Query<ThemeQuery>) -> Response {
    html(StatusCode::OK, &OverlayPage { theme: asked.theme, game: game(), signs: SIGNS })
}
/// The facts about the game that the screen needs, in JSON: width and height of a board, if row 0 is drawn at the top, and
/// the kinds of ships with their length in cells, their number in a fleet, and the hits that destroy a cell.
pub(crate) fn game() -> String {
    let look = GameKind::SeaBattle.look();
    let ships = look.ships.iter().filter_map(|shown| {
        let (kind, ship) = (ShipKind::from_name(shown.name)?, ship_name(shown));
        Some(json!({
            "letter": ship.letter, "name": ship.name, "hue": ship.hue,
            "length": kind.length(), "count": kind.count(), "strength": kind.strength(),
        }))
    });
    let ships: Vec<Value> = ships.collect();
    let on_top = look.first_row == FirstRow::Top;
    json!({ "grid": [BOARD.width(), BOARD.height()], "first_row_on_top": on_top, "ships": ships }).to_string()
}
