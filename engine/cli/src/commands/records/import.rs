//! `broadside import`: from a match folder to a record.

use crate::args::ImportArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, printable, with_causes};
use arena::ArenaError;
use arena::record::{self, RecordError};

/// Makes a record from a match folder. A record in the folder is copied, because it holds more than the other files.
///
/// # Errors
/// The folder has no match, or the record cannot be written. A folder that does not follow the rules is imported; the
/// difference is in the message, in the record and in the exit code.
pub(crate) fn import(args: &ImportArgs) -> Result<Exit, Failure> {
    let opened = match_folder::open(&args.folder)?;
    let wrong = match match_folder::verify(&opened) {
        // An unfinished match is imported as far as it goes.
        Ok(_) | Err(ArenaError::Record { source: RecordError::Unfinished { .. }, .. }) => None,
        Err(error @ ArenaError::Record { .. }) => Some(error),
        // It says nothing about the folder.
        Err(error) => return Err(error.into()),
    };
    let is_made = opened.rounds.as_deref() == Some(opened.record.path());
    match &wrong {
        Some(ArenaError::Record { source, .. }) if is_made => {
            let record = match_folder::import_different(&args.folder, with_causes(source))?;
            record::save(&args.record, &record)?;
        }
        _ => record::save(&args.record, opened.record.text().as_bytes())?,
    }
    show::print(&format!("{}\n", args.record.display()))?;
    let Some(error) = wrong else { return Ok(Exit::Success) };
    show::say(&printable(&format!("The folder does not follow the rules: {}", with_causes(&error))));
    if is_made {
        show::say(
            "  hint: the record has what the rules make of the answers in the folder; `broadside verify` calls it wrong",
        );
    }
    Ok(Exit::BadRecord)
}
