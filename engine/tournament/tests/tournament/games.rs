//! Made-up entrants and games.

use arena::record::LimitsLine;
use rules::{Ending, GameKind, Outcome, PlayerInfo, Seat};
use std::time::Duration;
use tournament::{Entrant, Fixture, Format, GameLine, GameResult, PlayerLine, ScoreTable, Times, TournamentHeader};

pub fn header(plan: Format) -> TournamentHeader {
    TournamentHeader::new(GameKind::Entelect2017, serde_json::json!({"size": "small"}), plan, None, u64::MAX)
}

pub fn entrant(name: &str) -> Entrant {
    let details = PlayerInfo::named(name);
    Entrant::new(name.to_owned(), format!("builtin:{name}"), details)
}

/// A game with this winner, in which the player in seat A made every kind of mistake.
pub fn game_line(fixture: Fixture, winner: Option<Seat>) -> GameLine {
    let first = winner.unwrap_or(Seat::A);
    let mut times = Times::default();
    [1, 2, 2000].into_iter().for_each(|ms| times.add(Duration::from_millis(ms)));
    let faults = ["timed-out", "crashed", "nothing-written", "unreadable", "gave-up", "refused"];
    let busy = PlayerLine {
        times: Some(times),
        limits: Some(LimitsLine { answer_ms: 2000, kill_ms: 4000, cpu_ms: Some(2000) }),
        faults: faults.map(|kind| (kind.to_owned(), 1)).into(),
        ..PlayerLine::default()
    };
    GameLine {
        fixture,
        seed: "17".to_owned(),
        outcome: Outcome {
            winner,
            ranking: vec![first, first.opponent()],
            points: [Seat::A, Seat::B].map(|seat| if seat == first { 30 } else { 10 }).into_iter().collect(),
            scoring: Default::default(),
            ending: Ending::KilledOff { seats: vec![(first.opponent(), "did nothing".to_owned())] },
            turns: 20,
        },
        players: [busy, PlayerLine::default()].into_iter().collect(),
        suspect: None,
        repeats: 0,
        record: None,
        machine: None,
        took_ms: 12,
        ended: "2026-11-21T12:00:00.000+00:00".to_owned(),
    }
}

/// A table of as many bots, a, b, c …, with these games, of whose players nothing is told.
pub fn table(plan: Format, bots: u8, games: &[(Fixture, GameResult)]) -> ScoreTable {
    let mut table = ScoreTable::new(header(plan));
    for letter in (b'a'..).take(usize::from(bots)) {
        table.enter(entrant(&char::from(letter).to_string()));
    }
    for &(fixture, result) in games {
        let winner = match result {
            GameResult::Win => Some(fixture.seat_of_first()),
            GameResult::Draw => None,
            GameResult::Loss => Some(fixture.seat_of_first().opponent()),
        };
        let players = [PlayerLine::default(), PlayerLine::default()].into_iter().collect();
        table.add(&GameLine { players, ..game_line(fixture, winner) });
    }
    table
}

/// A pair of games.
pub fn pair(first: usize, second: usize, results: [GameResult; 2]) -> [(Fixture, GameResult); 2] {
    [0, 1].map(|number| (Fixture { first, second, number }, results[number as usize]))
}
