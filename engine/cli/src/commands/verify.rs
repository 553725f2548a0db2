//! `broadside verify`: checks that recorded matches follow the rules.

use crate::args::VerifyArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, printable, with_causes};
use arena::ArenaError;
use arena::record::{self, MATCH_JSONL, MATCH_JSONL_ZST, Verified};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use tournament::GAMES_JSONL;
use walkdir::{DirEntry, WalkDir};

/// The journal of a Salvo server.
const SALVO_JSONL: &str = "salvo.jsonl";

/// Verifies every match that the command line names, and prints a line for each.
///
/// # Errors
/// A path without a match, and folders that cannot be read. Matches that are wrong are in the output and the exit code.
pub(crate) fn verify(args: &VerifyArgs) -> Result<Exit, Failure> {
    let matches = args.paths.iter().map(|path| matches_in(path)).collect::<Result<Vec<_>, _>>()?.concat();
    let mut wrong = 0_usize;
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
        let verdict = record::open(path).and_then(|opened| record::verify(&opened));
        let line = match &verdict {
            Ok(_) if args.quiet => continue,
            Ok(verified) => format!("ok     {}\n", printable(&format!("{}: {}", path.display(), summary(verified)))),
            Err(error) => {
                wrong += 1;
                format!("WRONG  {}\n", printable(&complaint(path, error)))
            }
        };
        progress("");
        show::print(&line)?;
    }
    progress("");
    let right = matches.len() - wrong;
    show::say(&format!("{right} of {} verified", counted(matches.len())));
    Ok(if wrong == 0 { Exit::Success } else { Exit::BadRecord })
}

fn counted(matches: usize) -> String {
    if matches == 1 { "1 match".to_owned() } else { format!("{matches} matches") }
}

/// The matches at a path: the path itself, or all matches in a folder that is not a match itself.
fn matches_in(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() || is_match(path) {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    let mut walk = WalkDir::new(path).min_depth(1).sort_by_file_name().into_iter();
    while let Some(entry) = walk.next() {
        let entry = entry.map_err(|e| ArenaError::disk("look through", path, e))?;
        if is_of_bots(&entry) {
            walk.skip_current_dir();
        } else if entry.file_type().is_dir() && is_match(entry.path()) {
            walk.skip_current_dir();
            found.push(entry.into_path());
        } else if entry.file_type().is_file() && is_record(entry.path()) {
            found.push(entry.into_path());
        }
    }
    if found.is_empty() {
        return Err(Failure::Usage {
            what: format!("there is no match in {}", path.display()),
            hint: "a match is a folder with match.jsonl or 'Phase 1 - Round 0' in it, or a file NAME.jsonl or NAME.jsonl.zst".to_owned(),
        });
    }
    Ok(found)
}

/// True for the folder of a tournament in which its bots are: their files are not matches.
fn is_of_bots(entry: &DirEntry) -> bool {
    let has_journal = || entry.path().parent().is_some_and(|folder| folder.join(GAMES_JSONL).is_file());
    entry.file_type().is_dir() && entry.file_name() == runner::TEMPLATES && has_journal()
}

fn is_match(folder: &Path) -> bool {
    [MATCH_JSONL, MATCH_JSONL_ZST].iter().any(|name| folder.join(name).is_file())
        || folder.join("Phase 1 - Round 0").is_dir()
}

fn is_record(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    // Journals of tournaments and of Salvo servers are not records.
    ![GAMES_JSONL, SALVO_JSONL].contains(&&*name) && (name.ends_with(".jsonl") || name.ends_with(".jsonl.zst"))
}

fn summary(verified: &Verified) -> String {
    let turns = verified.game.turns(verified.turns);
    match &verified.outcome {
        None => format!("{turns}; then the original engine crashed, as it always did when it had to remove a player"),
        Some(outcome) => {
            let points: Vec<String> = outcome.points.iter().map(|(_, points)| points.to_string()).collect();
            let winner = outcome.winner.map_or("a draw".to_owned(), |seat| format!("{seat} won"));
            format!("{turns}, {winner}, {}", points.join(" : "))
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

#[cfg(all(test, feature = "servers"))]
mod tests {
    #[test]
    fn the_journal_of_salvo_is_known_by_its_name() {
        assert_eq!(super::SALVO_JSONL, salvo::JOURNAL);
    }
}
