//! Everything that the program shows: results on standard output, everything else on standard error.

mod about;
pub(crate) mod board;
mod check_report;
mod colours;
mod debug_halt;
mod escaped;
mod event_progress;
mod event_stream;
mod json;
mod junit;
pub(crate) mod languages;
pub(crate) mod log;
mod names;
mod output;
mod pretty;
mod progress;
mod reports;
mod result;
mod screen;
mod standings;
mod verdict;
pub(crate) mod viewer;

pub(crate) use about::about;
pub(crate) use check_report::CheckReport;
pub(crate) use debug_halt::DebugHalt;
pub(crate) use event_progress::EventProgress;
pub(crate) use names::Names;
pub(crate) use output::{STANDARD_OUTPUT, print, say, status};
pub(crate) use pretty::{Pretty, SHOW_CURSOR};
pub(crate) use progress::Progress;
pub(crate) use reports::Reports;
pub(crate) use result::result;
pub(crate) use rules::printable;
pub(crate) use runner::with_causes;
pub(crate) use standings::{GameDetails, StandingsFormat, print_standings, written};
pub(crate) use verdict::{first_verdict, verdict_of};
