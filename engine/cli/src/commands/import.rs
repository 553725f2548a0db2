//! From the folder of a match to a record.

use crate::args::ImportArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, clean, with_causes};
use arena::ArenaError;
use arena::record::{self, MATCH_JSONL, Opened, Record, RecordError};
use std::fs;
use std::sync::Arc;

/// Makes a record of the folder, unless there is one in it, which tells more and is copied.
pub(crate) fn import(args: &ImportArgs) -> Result<Exit, Failure> {
    if !args.folder.is_dir() {
        return Err(Failure::Usage {
            what: format!("there is no folder {}", args.folder.display()),
            hint: "name the folder of a match, which has 'Phase 1 - Round 0' in it".to_owned(),
        });
    }
    let kept = args.folder.join(MATCH_JSONL);
    let lines = if kept.is_file() {
        fs::read(&kept).map_err(|e| ArenaError::disk("read", &kept, e))?
    } else {
        record::import(&args.folder)?
    };
    let record = Arc::new(Record::parse(&args.folder, lines.clone())?);
    match record::verify(&Opened { record, rounds: Some(args.folder.clone()) }) {
        // There may be no more of it.
        Ok(_) | Err(ArenaError::Record { source: RecordError::Unfinished { .. }, .. }) => {}
        Err(error) => {
            show::say(&format!("The folder is not what the rules make of it: {}", clean(&with_causes(&error))))
        }
    }
    record::save(&args.record, &lines)?;
    show::print(&format!("{}\n", args.record.display()))?;
    Ok(Exit::Played)
}
