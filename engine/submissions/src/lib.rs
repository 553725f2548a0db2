//! Bots that are handed in as code: [`judge`] unpacks the archive, builds the bot in the sandbox, and lets it play a few games. The verdict
//! is that it is accepted, or the step at which it failed, with the reason and a log for its team.

mod build_log;
mod judge;
mod submission_folder;
mod time_limit;
mod verdict;

pub use build_log::{add_to_log, without_folder};
pub use judge::{Handed, JudgeSettings, Submission, judge};
pub use submission_folder::{SubmissionFolder, TRIAL, bytes_in};
pub use verdict::{Acceptance, JudgeStep, Rejection, Verdict};
