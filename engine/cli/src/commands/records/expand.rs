//! `broadside expand`: from a record to the match folder of 2017.

use crate::args::ExpandArgs;
use crate::commands::fresh_folder::fresh_folder;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, printable, with_causes};
use arena::ArenaError;
use arena::folder::MatchFolder;
use arena::record::RecordError;

/// Writes the match folder from a record. An unfinished record gives an unfinished folder and a note.
pub(crate) fn expand(args: &ExpandArgs) -> Result<Exit, Failure> {
    let opened = match_folder::open(&args.record)?;
    fresh_folder(&args.folder)?;
    match match_folder::expand(&opened.record, || MatchFolder::create(&args.folder)) {
        Err(error @ ArenaError::Record { source: RecordError::Unfinished { .. }, .. }) => {
            show::say(&format!("Written up to the end of the record. {}", printable(&with_causes(&error))));
        }
        written => drop(written?),
    }
    show::print(&format!("{}\n", args.folder.display()))?;
    Ok(Exit::Success)
}
