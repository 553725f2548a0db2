//! The big screen: a page that shows running matches, and replays matches that are over.

use super::App;
use super::pages::html;
use super::wire::{BotState, BotView, Leaderboards, TournamentView};
use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use rules::sea_battle::{BOARD, ShipKind};
use rules::{FirstRow, GameKind};
use serde::Serialize;
use std::sync::Arc;
use web::SIGNS;
use web::ship_name;
use web::wire::ShipName;

#[derive(Template)]
#[template(path = "view.html")]
struct ViewPage {
    boards: Leaderboards,
    tournament: TournamentView,
    /// The parked bots.
    parked: Vec<BotView>,
    /// [`GameLook`] as JSON.
    game: String,
    signs: &'static str,
}

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new().route("/view", get(view))
}

async fn view(State(app): State<Arc<App>>) -> Response {
    let game = serde_json::to_string(&game()).expect("a look has texts and numbers only");
    let parked = app.bots(false).into_iter().filter(|bot| bot.state == BotState::Parked).collect();
    let page = ViewPage { boards: app.leaderboards(), tournament: app.tournament(), parked, game, signs: SIGNS };
    html(StatusCode::OK, &page)
}

/// The facts about the game that the screen needs.
#[derive(Debug, Serialize)]
struct GameLook {
    /// Width and height of a board.
    grid: [i32; 2],
    /// True if row 0 is drawn at the top.
    first_row_on_top: bool,
    /// The kinds of ships.
    ships: Vec<FleetShip>,
}

/// A kind of ship.
#[derive(Debug, Serialize)]
struct FleetShip {
    #[serde(flatten)]
    look: ShipName,
    /// The length, in cells.
    length: u8,
    /// The number of such ships in a fleet.
    count: usize,
    /// The number of hits that destroy a cell.
    strength: u8,
}

fn game() -> GameLook {
    let look = GameKind::SeaBattle.look();
    let ships = look.ships.iter().filter_map(|shown| {
        let kind = ShipKind::from_name(shown.name)?;
        Some(FleetShip {
            look: ship_name(shown),
            length: kind.length(),
            count: kind.count(),
            strength: kind.strength(),
        })
    });
    GameLook {
        grid: [BOARD.width(), BOARD.height()],
        first_row_on_top: look.first_row == FirstRow::Top,
        ships: ships.collect(),
    }
}
