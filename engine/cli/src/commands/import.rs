//! `broadside import`: from a match folder to a record.

use crate::args::ImportArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, printable, with_causes};
use arena::ArenaError;
use arena::record::{self, RecordError};

/// Makes a record from a match folder. A record in the folder is copied, because it holds more than the other files.
pub(crate) fn import(args: &ImportArgs) -> Result<Exit, Failure> {
    let opened = record::open(&args.folder)?;
    match record::verify(&opened) {
        // An unfinished match is imported as far as it goes.
        Ok(_) | Err(ArenaError::Record { source: RecordError::Unfinished { .. }, .. }) => {}
        Err(error) => {
            show::say(&printable(&format!("The folder does not follow the rules: {}", with_causes(&error))));
        }
    }
    record::save(&args.record, opened.record.text().as_bytes())?;
    show::print(&format!("{}\n", args.record.display()))?;
    Ok(Exit::Success)
}
