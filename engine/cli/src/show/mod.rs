//! Everything that the program shows: results on standard output, everything else on standard error.

mod about;
mod analysis;
pub(crate) mod board;
mod check_report;
mod debug_halt;
mod dev_report;
pub(crate) mod findings;
pub(crate) mod languages;
pub(crate) mod log;
#[cfg(feature = "full")]
mod marks;
mod matches;
mod pretty;
mod profile;
mod progress;
mod reports;
mod result;
pub(crate) mod results_json;
pub(crate) mod text;
pub(crate) mod tournament;
pub(crate) mod viewer;

pub(crate) use about::about;
pub(crate) use analysis::{analysis_json, analysis_text};
pub(crate) use check_report::CheckReport;
pub(crate) use debug_halt::DebugHalt;
pub(crate) use dev_report::{DevReport, FirstFault, OpponentScore};
pub(crate) use findings::{Finding, State, text as findings_text};
#[cfg(feature = "full")]
pub(crate) use marks::marks_table;
pub(crate) use matches::{ListedMatch, json as matches_json, table as matches_table};
#[cfg(feature = "full")]
pub(crate) use pretty::PACE;
pub(crate) use pretty::{Pretty, SHOW_CURSOR};
pub(crate) use profile::{profile_json, profile_text};
pub(crate) use progress::Progress;
pub(crate) use reports::Reports;
pub(crate) use result::{game_title, result, sank};
pub(crate) use rules::printable;
pub(crate) use runner::with_causes;
pub(crate) use text::colours::set_colours;
pub(crate) use text::json::written as written_json;
pub(crate) use text::names::Names;
pub(crate) use text::output::{STANDARD_OUTPUT, is_quiet, print, say, set_quiet, status, tell};
pub(crate) use text::screen::{clear_screen, clear_text};
pub(crate) use tournament::event_progress::{EventProgress, ShownScore, WorkerCount, mean_points};
pub(crate) use tournament::solo::solo;
pub(crate) use tournament::standings::{GameDetails, StandingsFormat, print_standings, written};
pub(crate) use tournament::verdict::{first_verdict, verdict_of};
