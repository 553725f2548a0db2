//! Results as JSON for programs, as docs/results.schema.json describes them.

use super::{CheckReport, with_causes};
use crate::failure::Failure;
use crate::show::tournament::verdict::first_verdict;
use rules::{GameKind, Outcome};
use runner::{Advice, CheckedGame, PlayedMatch};
use serde_json::{Value, json};
use std::time::Duration;
use tournament::{Estimate, ScoreTable, Sprt, Verdict};

/// The result of a match, whose `outcome` it is: `match` of the schema.
pub(crate) fn match_result(played: &PlayedMatch, outcome: &Outcome) -> Value {
    let folder = played.folder.as_ref().map(|folder| folder.path());
    let players = played.names.iter().map(|(seat, name)| {
        let faults = played.bundles.iter().filter(|bundle| bundle.seat == seat);
        let faults = faults.filter_map(|bundle| {
            let report = folder.map(|folder| folder.join(&bundle.folder).join("report.txt"));
            Some(json!({ "turn": bundle.round, "why": bundle.why.as_ref()?, "report": report }))
        });
        let mut faults: Vec<Value> = faults.collect();
        if let Some(first) = played.faults[seat].as_ref().filter(|_| faults.is_empty()) {
            faults.push(json!({ "turn": first.turn, "why": first.why, "report": null }));
        }
        json!({
            "seat": seat,
            "name": name,
            (outcome.scoring.unit()): outcome.points[seat],
            "turns_lost": played.lost[seat],
            "lacks_build": matches!(played.advice[seat], Some(Advice::Build(_))),
            "faults": faults,
        })
    });
    json!({
        "format": "broadside match",
        "version": 1,
        "game": played.game,
        "seed": played.seed.to_string(),
        "outcome": outcome,
        "players": players.collect::<Vec<_>>(),
        "replay": folder,
    })
}

/// The findings about one bot: `check` of the schema.
pub(crate) fn check(report: &CheckReport<'_>) -> Value {
    json!({
        "format": "broadside check",
        "version": 1,
        "game": report.kind,
        "name": report.name,
        "bot": report.source,
        "dialect": report.dialect,
        "seed": report.seed.to_string(),
        "ready": report.is_sound(),
        "games_not_played": report.not_played,
        "games": report.games.iter().map(checked_game).collect::<Vec<_>>(),
        "new_files": report.left,
        "error": null,
        "hint": null,
    })
}

/// A bot that was named so and cannot be checked: `check` of the schema.
pub(crate) fn unusable(game: GameKind, named: &str, failure: &Failure) -> Value {
    json!({
        "format": "broadside check",
        "version": 1,
        "game": game,
        "name": null,
        "bot": named,
        "dialect": null,
        "seed": null,
        "ready": false,
        "games_not_played": 0,
        "games": [],
        "new_files": [],
        "error": with_causes(failure),
        "hint": failure.hint(),
    })
}

fn checked_game(game: &CheckedGame) -> Value {
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    let turns = &game.turns;
    let times = turns.times_of_turns();
    let starts = turns.starts();
    let faults = turns.faults.iter().map(|fault| {
        let given = fault.given.iter().map(|(file, lines)| json!({ "name": file, "lines": lines }));
        json!({
            "turn": fault.turn,
            "why": fault.why,
            "stderr": fault.said,
            "answer": given.collect::<Vec<_>>(),
            "see": fault.see,
        })
    });
    json!({
        "label": game.label,
        "seat": turns.seat,
        "outcome": game.outcome,
        "turns": turns.asked,
        "turns_without_order": turns.missing,
        "turns_not_asked": turns.not_asked,
        "turns_refused": turns.refused,
        "limit_ms": game.limit.map(ms),
        "median_ms": times.get(times.len() / 2).copied().map(ms),
        "most_ms": times.last().copied().map(ms),
        "stays": turns.has_stayed(),
        "starts": starts.len(),
        "start_ms": starts.iter().max().copied().map(ms),
        "most_cpu_ms": turns.runs.iter().map(|run| run.cpu).max().map(ms),
        "most_memory": turns.runs.iter().map(|run| run.peak_memory).max(),
        "suspect_timeouts": turns.suspect,
        "lacks_build": matches!(game.advice, Some(Advice::Build(_))),
        "faults": faults.collect::<Vec<_>>(),
        "files_left": game.left,
    })
}

/// The comparison of two bots, and the answer of the test: `comparison` of the schema.
pub(crate) fn comparison(table: &ScoreTable, first: usize, second: usize, sprt: &Sprt) -> (Value, Verdict) {
    let (tested, verdict) = first_verdict(table, first, second, sprt);
    let pairs = table.pairs_between(first, second);
    let estimate = Estimate::of_pairs(&pairs);
    let games = table.between(first, second);
    // Without pairs there is nothing to estimate from.
    let known = |number: f64| Some(number).filter(|_| pairs.pairs() > 0).filter(|number| number.is_finite());
    let bots = [first, second].map(|at| {
        let (entrant, row) = (&table.entrants()[at], &table.rows()[at]);
        json!({ "name": entrant.name, "bot": entrant.bot, "content": entrant.content, "faults": row.faults })
    });
    let (elo0, elo1) = sprt.elo();
    let (lower, upper) = sprt.bounds();
    let value = json!({
        "format": "broadside comparison",
        "version": 1,
        "bots": bots,
        "games": games.games(), "wins": games.wins, "draws": games.draws, "losses": games.losses,
        "pairs": pairs.pairs(),
        "pairs_by_points": pairs,
        "shots": table.shots_between(first, second),
        "elo": known(estimate.elo()), "elo_error_95": known(estimate.error()),
        "normalized_elo": known(estimate.normalized_elo()), "normalized_elo_error_95": known(estimate.normalized_error()),
        "superiority": known(estimate.superiority()),
        "sprt": {
            "test": sprt.to_string(), "elo0": elo0, "elo1": elo1,
            "pairs": tested.pairs(), "llr": sprt.log_likelihood_ratio(&tested), "lower": lower, "upper": upper,
        },
        "verdict": match verdict {
            Verdict::AcceptH1 => "stronger",
            Verdict::AcceptH0 => "not-stronger",
            Verdict::Continue => "undecided",
        },
    });
    (value, verdict)
}
