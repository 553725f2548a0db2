//! Tables and games for tests.

use rules::{Ending, GameKind, Outcome, PlayerInfo, Seat};
use tournament::{Entrant, Fixture, Format, GameLine, PlayerLine, ScoreTable, TournamentHeader};

/// A table of bots with these names, without games.
pub(super) fn table(plan: Format, names: &[&str]) -> ScoreTable {
    let header = TournamentHeader::new(GameKind::SeaBattle, serde_json::json!({}), plan, None, 1);
    let mut table = ScoreTable::new(header);
    for name in names {
        let (name, details) = ((*name).to_owned(), PlayerInfo::named(name));
        table.enter(Entrant::new(name.clone(), name, details));
    }
    table
}

/// A game without faults that the player in this seat won.
pub(super) fn game(fixture: Fixture, winner: Seat) -> GameLine {
    GameLine {
        fixture,
        seed: "1".to_owned(),
        outcome: Outcome {
            winner: Some(winner),
            ranking: vec![winner, winner.opponent()],
            points: [0, 0].into_iter().collect(),
            scoring: Default::default(),
            ending: Ending::FleetSunk { seats: vec![winner.opponent()] },
            turns: 9,
        },
        players: [PlayerLine::default(), PlayerLine::default()].into_iter().collect(),
        suspect: None,
        repeats: 0,
        record: None,
        machine: None,
        took_ms: 1,
        ended: String::new(),
    }
}
