//! The facts of a match that screens show beside its scenes.

use super::Names;
use arena::record::{Header, shown_time};
use rules::Scene;
use web::About;

/// The facts in the header of a record and the first scene of the match.
pub(crate) fn about(header: &Header, first: &Scene, names: &Names) -> About {
    let size = first.boards.first().map(|board| format!(", {} x {}", board.grid.width(), board.grid.height()));
    About {
        names: names.seats().map(|seat| names.whole(seat).to_owned()).collect(),
        title: format!("{}{}", header.game.title(), size.unwrap_or_default()),
        played: header.started.as_deref().and_then(shown_time).unwrap_or_default(),
        seed: header.imported.is_none().then_some(header.seed),
        engine: header.engine.clone(),
        note: None,
        most_turns: None,
    }
}
