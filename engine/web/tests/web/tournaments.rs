//! Tournaments for reports.

use rand::{Rng, RngExt};
use rules::PlayerInfo;
use rules::{BySeat, Ending, GameKind, Outcome, Seat};
use std::time::Duration;
use tournament::{
    Entrant, Fixture, Format, GameLine, NextGame, Plan, PlayerLine, ScoreTable, Standings, Times, TournamentHeader,
};
use web::{ReportAbout, TournamentHistory};

/// A round robin in which the earlier bot mostly wins, with some faults and some records.
pub(crate) fn tournament(names: &[&str], games: u32) -> (ScoreTable, TournamentHistory) {
    let (mut table, mut history) = begun(Format::RoundRobin, names);
    let mut random = rules::random(3);
    for number in 0..games {
        for second in 1..names.len() {
            for first in 0..second {
                let game = game(Fixture { first, second, number }, names.len(), &mut random);
                table.add(&game);
                history.add(&game);
            }
        }
    }
    (table, history)
}

/// The first games of a tournament of this format, in which the earlier bot mostly wins.
pub(crate) fn of_format(format: Format, names: &[&str], games: u32, most: usize) -> (ScoreTable, TournamentHistory) {
    let (mut table, mut history) = begun(format, names);
    let mut random = rules::random(3);
    let mut plan = Plan::new(format, names.len(), games, None);
    for _ in 0..most {
        let NextGame::Play(fixture) = plan.next(table.results()) else { break };
        let game = game(fixture, names.len(), &mut random);
        table.add(&game);
        history.add(&game);
    }
    (table, history)
}

fn begun(format: Format, names: &[&str]) -> (ScoreTable, TournamentHistory) {
    let settings = serde_json::json!({ "size": "medium" });
    let mut table = ScoreTable::new(TournamentHeader::new(GameKind::Entelect2017, settings, format, None, 8128));
    for name in names {
        let (name, details) = ((*name).to_owned(), PlayerInfo::named(name));
        table.enter(Entrant::new(name.clone(), name, details));
    }
    (table, TournamentHistory::new(names.len()))
}

/// A game that the earlier bot mostly wins.
fn game(fixture: Fixture, bots: usize, random: &mut impl Rng) -> GameLine {
    let Fixture { first, second, number } = fixture;
    let lead = (second - first) as f64 / bots as f64;
    let first_wins = random.random_bool(0.5 + 0.45 * lead);
    let winner = if first_wins { fixture.seat_of_first() } else { fixture.seat_of_first().opponent() };
    let outcome = Outcome {
        winner: random.random_bool(0.95).then_some(winner),
        ranking: vec![winner, winner.opponent()],
        points: [420, random.random_range(0..400)].into_iter().collect(),
        scoring: Default::default(),
        ending: Ending::FleetSunk { seats: vec![winner.opponent()] },
        turns: random.random_range(30..70),
    };
    let mut player = || {
        let mut times = Times::default();
        (0..40).for_each(|_| times.add(Duration::from_micros(random.random_range(300..90_000))));
        PlayerLine { times: Some(times), shots: Some(30 + number % 20 + second as u32), ..PlayerLine::default() }
    };
    let mut players: BySeat<PlayerLine> = [player(), player()].into_iter().collect();
    let faulty = random.random_bool(0.02);
    if faulty {
        players[Seat::B].faults.insert("timed-out".to_owned(), 2);
        players[Seat::B].faults.insert("<i>refused</i>".to_owned(), 1);
    }
    let record = format!("records/{first}-{second}-{number:05}.jsonl.zst");
    GameLine {
        fixture,
        seed: number.to_string(),
        outcome,
        players,
        suspect: (faulty && random.random_bool(0.2)).then(|| "the machine was 900 ms late".to_owned()),
        repeats: 0,
        record: (faulty || random.random_bool(0.01)).then_some(record),
        machine: None,
        took_ms: 900,
        ended: "2026-11-21T19:18:23.565+00:00".to_owned(),
    }
}

/// The report of a tournament.
pub(crate) fn reported((table, history): &(ScoreTable, TournamentHistory), about: &ReportAbout) -> String {
    web::report(&Standings::new(table, None), history, about)
}
