//! Submissions: bots that are handed in as code get their verdict. Depends on the state of contests, and not on matches or requests.

pub(crate) mod build_log;
pub(crate) mod verdict;
