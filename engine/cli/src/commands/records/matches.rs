//! `broadside matches`: lists the matches in a folder, and removes old ones.

use crate::args::MatchesArgs;
use crate::commands::records::found_matches::{counted, matches_in};
use crate::commands::standings::latest;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, ListedMatch};
use arena::ArenaError;
use arena::folder::bytes_in;
use arena::folder::remove_folder;
use chrono::NaiveDateTime;
use runner::REPLAYS;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

/// Lists the matches of a folder, the newest first, or removes old ones.
///
/// # Errors
/// The folder has no matches or cannot be read, a match cannot be removed, or `--clean` without a terminal to ask and `--yes`.
pub(crate) fn matches(args: &MatchesArgs) -> Result<Exit, Failure> {
    let replays = Path::new(REPLAYS);
    let folder = match &args.folder {
        Some(folder) => folder.clone(),
        // Without matches of its own, this folder may have those of a tournament.
        None if !args.clean && !replays.exists() => {
            latest().map_or_else(|_| replays.to_owned(), |path| path.with_file_name(""))
        }
        None => replays.to_owned(),
    };
    let found = listed(&folder)?;
    if args.clean {
        return clean(args, &folder, &found);
    }
    show::print(&if args.json { show::matches_json(&found) } else { show::matches_table(&found) })?;
    if !args.json && io::stdout().is_terminal() {
        let bytes = found.iter().map(|one| one.bytes).sum::<u64>();
        let hint = if found.len() > args.keep { "; --clean removes old ones" } else { "" };
        show::tell(&format!("{}, {}{hint}", counted(found.len()), megabytes(bytes)));
    }
    Ok(Exit::Success)
}

/// The matches in a folder, the newest first.
///
/// # Errors
/// As for [`matches_in`].
pub(crate) fn listed(folder: &Path) -> Result<Vec<ListedMatch>, Failure> {
    if !folder.exists() {
        return Err(Failure::Missing {
            what: format!("there is no folder {}", folder.display()),
            hint: "matches land in replays/ of the folder in which they are played, unless --log names another",
        });
    }
    let mut found: Vec<ListedMatch> = matches_in(folder)?.into_iter().map(listed_match).collect();
    found.sort_by(|one, other| other.started.cmp(&one.started).then_with(|| other.path.cmp(&one.path)));
    Ok(found)
}

/// What a list says of a match. One that cannot be read is listed with the reason.
fn listed_match(path: PathBuf) -> ListedMatch {
    let bytes = bytes_in(&path);
    let read = match_folder::open(&path).map(|opened| opened.record);
    let Ok(record) = read else {
        let wrong = read.err().map(|error| show::with_causes(&error));
        return ListedMatch { path, bytes, wrong, ..ListedMatch::default() };
    };
    let header = record.header();
    ListedMatch {
        path,
        game: Some(header.game),
        started: header.started.clone(),
        seats: header.seats.iter().map(|(_, seat)| seat.clone()).collect(),
        outcome: record.end().map(|end| end.outcome.clone()),
        bytes,
        wrong: None,
    }
}

/// Removes all matches but the newest ones. Only folders that the program has named itself are removed.
fn clean(args: &MatchesArgs, folder: &Path, found: &[ListedMatch]) -> Result<Exit, Failure> {
    let own: Vec<&ListedMatch> = found.iter().filter(|one| is_named_by_us(&one.path)).collect();
    let old = &own[args.keep.min(own.len())..];
    if old.is_empty() {
        show::say(&format!("There are no more than {} matches with names of the program", args.keep));
        return Ok(Exit::Success);
    }
    let bytes = old.iter().map(|one| one.bytes).sum::<u64>();
    let what = format!("{} in {}, {}", counted(old.len()), folder.display(), megabytes(bytes));
    if !args.yes && !is_confirmed(&what)? {
        show::say("Nothing was removed");
        return Ok(Exit::Success);
    }
    for one in old {
        remove_folder(&one.path).map_err(|e| ArenaError::disk("remove", &one.path, e))?;
    }
    show::tell(&format!("Removed {what}"));
    Ok(Exit::Success)
}

/// Asks on the terminal.
fn is_confirmed(what: &str) -> Result<bool, Failure> {
    if !io::stdin().is_terminal() {
        return Err(Failure::Usage {
            what: format!("there is no terminal to ask whether to remove {what}"),
            hint: "add --yes to remove them without asking".to_owned(),
        });
    }
    show::say(&format!("Remove {what}? [y/N]"));
    let mut answer = String::new();
    io::stdin().read_line(&mut answer).map_err(|source| ArenaError::Console { doing: "read from", source })?;
    Ok(["y", "yes"].contains(&answer.trim().to_lowercase().as_str()))
}

/// True for a folder whose name is a time as the program writes it, now or in version 0.1.0, perhaps with a number behind it.
fn is_named_by_us(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let without_number = name.rsplit_once('-').map_or(name, |(rest, _)| rest);
    let is_time = |name: &str| {
        [runner::FOLDER_NAME, "%Y-%m-%d %H-%M-%S-%3f"]
            .iter()
            .any(|format| NaiveDateTime::parse_from_str(name, format).is_ok())
    };
    path.is_dir() && (is_time(name) || is_time(without_number))
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
