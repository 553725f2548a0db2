//! Commands about records of matches.

use rules::Seat;
use std::path::PathBuf;

/// What is verified.
#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {
    /// Records, folders of matches, and folders with such in them
    #[arg(required = true, value_name = "RECORD|FOLDER")]
    pub(crate) paths: Vec<PathBuf>,

    /// Tell only what is wrong
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

pub(super) const VERIFY_HELP: &str = "\
A record is verified line by line and turn by turn. Of a folder with rounds, every state.json, map.txt, roundInfo.json and \
roundCommand.json is compared, too; logs are not. The original's folders are told by their files.

Examples:
  broadside verify replays
  broadside verify match.jsonl 'Replays/2017-08-01 12-00-00-000'

Exit status:
  0    all are what the rules make of them
  5    one is not, or is no record, or was not written to its end";

/// What is watched, and how.
#[derive(Debug, clap::Args)]
pub(crate) struct ReplayArgs {
    /// Record, or folder of a match
    pub(crate) record: PathBuf,

    /// Write a page to this file instead, which opens in any browser and needs nothing else
    #[arg(long, value_name = "FILE", conflicts_with_all = ["print", "round", "eyes"])]
    pub(crate) html: Option<PathBuf>,

    /// Print the boards instead, as where there is no terminal
    #[arg(long)]
    pub(crate) print: bool,

    /// Print only what is seen after this round or turn
    #[arg(long, value_name = "NUMBER")]
    pub(crate) round: Option<usize>,

    /// Print what one player may see, A or B [default: what the referee sees]
    #[arg(long, value_name = "SEAT", value_parser = seat)]
    pub(crate) eyes: Option<Seat>,
}

pub(super) const REPLAY_HELP: &str = "\
Keys: space plays and pauses, left and right step, ? shows all others.

Examples:
  broadside replay 'replays/2026-11-21 12-00-00-000'
  broadside replay match.jsonl --html match.html
  broadside replay match.jsonl --print --round 12 --eyes A";

/// What is expanded.
#[derive(Debug, clap::Args)]
pub(crate) struct ExpandArgs {
    /// Record
    pub(crate) record: PathBuf,

    /// Folder for the match, which must not be there yet or be empty
    pub(crate) folder: PathBuf,
}

pub(super) const EXPAND_HELP: &str = "\
Every file is byte for byte what the match wrote or would have written, but for logs: they have what follows from the \
record, at the time when the match began.

Example:
  broadside expand match.jsonl match";

/// What is imported.
#[derive(Debug, clap::Args)]
pub(crate) struct ImportArgs {
    /// Folder of a match
    pub(crate) folder: PathBuf,

    /// File for the record; compressed if its name ends with .zst
    pub(crate) record: PathBuf,
}

pub(super) const IMPORT_HELP: &str = "\
Example:
  broadside import 'Replays/2017-08-01 12-00-00-000' match.jsonl.zst";

fn seat(text: &str) -> Result<Seat, String> {
    let mut letters = text.chars();
    match (letters.next().map(|letter| Seat::try_from(letter.to_ascii_uppercase())), letters.next()) {
        (Some(Ok(seat)), None) => Ok(seat),
        _ => Err("a seat is a letter: A, B".to_owned()),
    }
}
