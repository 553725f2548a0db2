//! The big screen: a page that shows running matches, and any match that is over again.

use super::Venue;
use super::pages::html;
use super::wire::{BotState, BotView, Leaderboards, TournamentView};
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
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
    /// The bots that do not play for now.
    parked: Vec<BotView>,
    /// [`GameLook`] as JSON.
    game: String,
    signs: &'static str,
}

pub(super) async fn view(State(venue): State<Arc<Venue>>) -> Response {
    let game = serde_json::to_string(&game()).expect("a look has texts and numbers only");
    let parked = venue.bots(false).into_iter().filter(|bot| bot.state == BotState::Parked).collect();
    let page = ViewPage { boards: venue.leaderboards(), tournament: venue.tournament(), parked, game, signs: SIGNS };
    html(StatusCode::OK, &page)
}

/// What the screen has to know of the game, beside what is told of a match.
#[derive(Debug, Serialize)]
struct GameLook {
    /// Width and height of a board.
    grid: [i32; 2],
    /// Whether row 0 is drawn at the top.
    first_row_on_top: bool,
    /// The kinds of ships.
    ships: Vec<FleetShip>,
}

/// A kind of ship, and how many a fleet has.
#[derive(Debug, Serialize)]
struct FleetShip {
    #[serde(flatten)]
    look: ShipName,
    /// How many cells it has.
    length: u8,
    /// How many of them a fleet has.
    count: usize,
    /// How many hits destroy a cell.
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
