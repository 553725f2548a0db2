//! From the folder of a match to a record.

use crate::args::ImportArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, printable, with_causes};
use arena::ArenaError;
use arena::record::{self, RecordError};

/// Makes a record of the folder. If there is one in it, that tells more and is copied.
pub(crate) fn import(args: &ImportArgs) -> Result<Exit, Failure> {
    let opened = record::open(&args.folder)?;
    match record::verify(&opened) {
        // There may be no more of it.
        Ok(_) | Err(ArenaError::Record { source: RecordError::Unfinished { .. }, .. }) => {}
        Err(error) => {
            show::say(&printable(&format!("The folder is not what the rules make of it: {}", with_causes(&error))));
        }
    }
    record::save(&args.record, opened.record.text().as_bytes())?;
    show::print(&format!("{}\n", args.record.display()))?;
    Ok(Exit::Success)
}
