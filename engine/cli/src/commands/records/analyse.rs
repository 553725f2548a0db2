//! `broadside analyse`: what a recorded match owes to skill and luck.

use super::replay::latest;
use crate::args::AnalyseArgs;
use crate::exit::Exit;
use crate::failure::{self, Failure};
use crate::show::{self, printable, with_causes};
use analysis::RecordAnalysis;
use arena::ArenaError;
use arena::record::RecordError;

/// Prints the analysis of a record as text or JSON.
///
/// # Errors
/// A record that cannot be read. One that breaks the rules is analysed up to that turn; the error is then in the message and the
/// exit code.
pub(crate) fn analyse(args: &AnalyseArgs) -> Result<Exit, Failure> {
    let path = args.record.clone().map_or_else(latest, Ok)?;
    let record = match_folder::open(&path)?.record;
    let RecordAnalysis { analysis, failure } = analysis::analyse_record(&record, args.chances)?;
    let text = match args.json {
        true => show::written_json(&show::analysis_json(&record, &analysis)),
        false => show::analysis_text(&record, &analysis),
    };
    show::print(&text)?;
    match failure {
        None => Ok(Exit::Success),
        Some(error @ ArenaError::Record { source: RecordError::Unfinished { .. }, .. }) => {
            show::say(&printable(&with_causes(&error)));
            Ok(Exit::Success)
        }
        Some(error) => Ok(failure::report(&error.into())),
    }
}
