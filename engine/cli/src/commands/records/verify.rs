//! `broadside verify`: checks that recorded matches follow the rules.

use crate::args::VerifyArgs;
use crate::commands::records::found_matches::{counted, matches_in};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, printable, with_causes};
use arena::ArenaError;
use arena::record::RecordError;
use match_folder::Verified;
use runner::{SoloScore, solo_scores};
use serde_json::{Value, json};
use std::io::{self, IsTerminal};
use std::path::Path;

/// A match that was verified, and the scores at drawn fleets that it certifies.
type Certified = (Verified, Vec<SoloScore>);

/// Verifies every match that the command line names, and prints a line for each.
///
/// # Errors
/// A path without a match, and folders that cannot be read. Matches that are wrong or have no end are in the output and the exit code.
pub(crate) fn verify(args: &VerifyArgs) -> Result<Exit, Failure> {
    let matches = args.paths.iter().map(|path| matches_in(path)).collect::<Result<Vec<_>, _>>()?.concat();
    let mut unverified = 0_usize;
    let mut told = Vec::new();
    let shows_progress = io::stderr().is_terminal() && io::stdout().is_terminal();
    let progress = |text: &str| {
        if shows_progress {
            show::status(text);
        }
    };
    for (done, path) in matches.iter().enumerate() {
        if done % 50 == 1 {
            progress(&format!("{done} of {} …", counted(matches.len())));
        }
        let verdict = match_folder::open(path).and_then(|opened| {
            let verified = match_folder::verify(&opened)?;
            let scores = if verified.outcome.is_some() { solo_scores(&opened.record)? } else { Vec::new() };
            Ok((verified, scores))
        });
        if args.json {
            unverified += usize::from(verdict.is_err());
            told.push(in_json(path, &verdict));
            continue;
        }
        let line = match &verdict {
            Ok(_) if show::is_quiet() => continue,
            Ok(verdict) => format!("ok     {}\n", printable(&format!("{}: {}", path.display(), summary(verdict)))),
            Err(ArenaError::Record { source: RecordError::Unfinished { game, turns }, .. }) => {
                unverified += 1;
                let turns = game.turns(*turns);
                let what = "as the rules have it; the match was stopped then, or the rest of the record is lost";
                format!("no end {}\n", printable(&format!("{}: {turns}, {what}", path.display())))
            }
            Err(error) => {
                unverified += 1;
                format!("WRONG  {}\n", printable(&complaint(path, error)))
            }
        };
        progress("");
        show::print(&line)?;
    }
    progress("");
    if args.json {
        let verified = json!({ "format": "broadside verify", "version": 1, "matches": told });
        show::print(&show::written_json(&verified))?;
    }
    let right = matches.len() - unverified;
    show::say(&format!("{right} of {} verified", counted(matches.len())));
    Ok(if unverified == 0 { Exit::Success } else { Exit::BadRecord })
}

/// A match as JSON: an element of `verify` in docs/results.schema.json.
fn in_json(path: &Path, verdict: &Result<Certified, ArenaError>) -> Value {
    let mut told = json!({ "path": path, "verdict": "ok", "game": null, "turns": null, "outcome": null, "scores": [], "error": null });
    match verdict {
        Ok((verified, scores)) => {
            told["game"] = json!(verified.game);
            told["turns"] = json!(verified.turns);
            told["outcome"] = json!(verified.outcome);
            let score = |score: &SoloScore| {
                let SoloScore { seat, board, shots, specials } = score;
                json!({ "seat": seat, "board": board.to_string(), "shots": shots, "specials": specials })
            };
            told["scores"] = scores.iter().map(score).collect();
        }
        Err(ArenaError::Record { source: RecordError::Unfinished { game, turns }, .. }) => {
            told["verdict"] = json!("no-end");
            told["game"] = json!(game);
            told["turns"] = json!(turns);
        }
        Err(error) => {
            told["verdict"] = json!("wrong");
            told["error"] = json!(complaint(path, error));
        }
    }
    told
}

fn summary((verified, scores): &Certified) -> String {
    let turns = verified.game.turns(verified.turns);
    match &verified.outcome {
        None => format!("{turns}; then the original engine crashed, as it always did when it had to remove a player"),
        Some(outcome) => {
            let points: Vec<String> = outcome.points.iter().map(|(_, points)| points.to_string()).collect();
            let winner = outcome.winner.map_or("a draw".to_owned(), |seat| format!("{seat} won"));
            let unit = if outcome.scoring.is_points() { "" } else { " shots" };
            let sank = |score: &SoloScore| {
                format!("; {} {}", score.seat, show::sank(score.board, (score.shots, score.specials)))
            };
            let scores: String = scores.iter().map(sank).collect();
            format!("{turns}, {winner}, {}{unit}{scores}", points.join(" : "))
        }
    }
}

/// The error with the path that the user gave, unless the error names a path itself.
fn complaint(path: &Path, error: &ArenaError) -> String {
    match error {
        ArenaError::Record { source, .. } => format!("{}: {}", path.display(), with_causes(source)),
        error => with_causes(error),
    }
}
