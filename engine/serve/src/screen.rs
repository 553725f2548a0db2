//! The big screen: a page that shows running matches, and replays matches that are over.

use super::app::{App, AppState};
use super::pages::html;
use super::wire::{BotState, BotView, Leaderboards, TournamentView};
use askama::Template;
use axum::Router;
use axum::http::StatusCode;
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
    boards: Leaderboards,
    tournament: TournamentView,
    /// The parked bots.
    parked: Vec<BotView>,
    /// The facts about the game, as JSON.
    game: String,
    signs: &'static str,
}

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new().route("/view", get(view))
}

async fn view(app: AppState) -> Response {
    let parked = app.bots(false).into_iter().filter(|bot| bot.state == BotState::Parked).collect();
    let page =
        ViewPage { boards: app.leaderboards(), tournament: app.tournament(), parked, game: game(), signs: SIGNS };
    html(StatusCode::OK, &page)
}

/// The facts about the game that the screen needs, in JSON: width and height of a board, if row 0 is drawn at the top, and
/// the kinds of ships with their length in cells, their number in a fleet, and the hits that destroy a cell.
pub(super) fn game() -> String {
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
