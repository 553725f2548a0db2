//! Commands about records of matches.

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
A record is verified line by line and turn by turn. Of a folder with rounds, every state.json, map.txt, roundInfo.json and
roundCommand.json is compared, too; logs are not. The original's folders are told by their files.

Examples:
  broadside verify replays
  broadside verify match.jsonl 'Replays/2017-08-01 12-00-00-000'

Exit status:
  0    all are what the rules make of them
  5    one is not, or is no record, or was not written to its end";

/// What is expanded.
#[derive(Debug, clap::Args)]
pub(crate) struct ExpandArgs {
    /// Record
    pub(crate) record: PathBuf,

    /// Folder for the match, which must not be there yet or be empty
    pub(crate) folder: PathBuf,
}

pub(super) const EXPAND_HELP: &str = "\
Every file is byte for byte what the match wrote or would have written, but for logs: they have what follows from the
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
