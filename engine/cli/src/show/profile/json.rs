//! Profiles as JSON: `profile` of docs/results.schema.json.

use rules::FirstRow;
use serde_json::{Value, json};
use tournament::OpponentResults;
use web::{ProfileAbout, ProfiledBot};

/// The profiles for programs.
pub(crate) fn profile_json(bots: &[ProfiledBot], about: &ProfileAbout) -> Value {
    let board = &about.board;
    let first_row = if board.first_row == FirstRow::Top { "top" } else { "bottom" };
    let bot = |bot: &ProfiledBot| {
        let mut json = serde_json::to_value(&bot.profile).expect("a profile has numbers and texts only");
        json["opponents"] = bot.opponents.iter().map(opponent).collect();
        json
    };
    json!({
        "format": "broadside profile",
        "version": 1,
        "game": board.game,
        "board": { "width": board.grid.width(), "height": board.grid.height(), "first_row": first_row, "ships": board.ships },
        "sources": about.sources,
        "notes": about.notes,
        "bots": bots.iter().map(bot).collect::<Vec<Value>>(),
    })
}

fn opponent(results: &OpponentResults) -> Value {
    let games = results.games;
    json!({
        "name": results.name,
        "games": games.games(),
        "wins": games.wins,
        "draws": games.draws,
        "losses": games.losses,
        "score": games.mean_score(),
        "score_95": results.interval(),
    })
}
