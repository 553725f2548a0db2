//! Tournaments on terminals and in files: progress, standings, verdicts, reports for other programs.

#[cfg(feature = "full")]
pub(crate) mod cluster;
pub(crate) mod event_progress;
pub(crate) mod event_stream;
pub(crate) mod junit;
pub(crate) mod solo;
pub(crate) mod standings;
#[cfg(test)]
mod table_fixture;
pub(crate) mod verdict;
