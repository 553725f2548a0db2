//! Versions of bots: what became of each that was handed in.

use crate::state::bot_address::BotAddress;
use serde::{Deserialize, Serialize};
use submissions::{Acceptance, Rejection};

/// A version of a bot.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Version {
    /// Its number, counted from 1 for each bot.
    pub(crate) number: u32,
    pub(crate) source: VersionSource,
    /// True if it plays as soon as it is accepted.
    pub(crate) activates: bool,
    /// The time when it was handed in.
    pub(crate) submitted: String,
    pub(crate) progress: Progress,
    /// The reason why it plays no games for the time being, if so.
    pub(crate) parked: Option<String>,
    /// The reason why its archive and its folder are not there any more, if so.
    pub(crate) removed: Option<String>,
}

/// The form in which a version was handed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum VersionSource {
    /// As code: the server builds it, and runs it.
    Archive {
        /// The SHA-256 of the archive, in hexadecimal digits.
        archive: String,
        /// The size of the archive, in bytes.
        bytes: u64,
    },
    /// As a web service, which its team runs.
    Url {
        /// The address. Only its team and the administrator see it.
        url: BotAddress,
    },
}

impl VersionSource {
    /// The address, if it is a web service.
    pub(crate) fn url(&self) -> Option<&BotAddress> {
        match self {
            VersionSource::Archive { .. } => None,
            VersionSource::Url { url } => Some(url),
        }
    }

    /// The size of the archive, if it is one.
    pub(crate) fn bytes(&self) -> Option<u64> {
        match self {
            VersionSource::Archive { bytes, .. } => Some(*bytes),
            VersionSource::Url { .. } => None,
        }
    }

    /// The SHA-256 of the archive, if it is one.
    pub(crate) fn archive(&self) -> Option<&str> {
        match self {
            VersionSource::Archive { archive, .. } => Some(archive),
            VersionSource::Url { .. } => None,
        }
    }
}

/// The progress of a version: never another word while it waits.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Progress {
    /// It waits for its turn.
    Queued,
    /// It is unpacked, built and tried. The server has begun that so many times: its end may have come in between.
    Judged { attempts: u32 },
    /// It plays, or may.
    Accepted(Acceptance),
    /// It does not play.
    Rejected(Rejection),
}

impl Version {
    /// True if it was accepted, and is still there.
    pub(crate) fn is_accepted(&self) -> bool {
        matches!(self.progress, Progress::Accepted(_)) && self.removed.is_none()
    }

    /// True if it was rejected.
    pub(crate) fn is_rejected(&self) -> bool {
        matches!(self.progress, Progress::Rejected(_))
    }

    /// True until there is a verdict.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.progress, Progress::Queued | Progress::Judged { .. })
    }
}
