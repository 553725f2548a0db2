//! The folder of a contest in that of the server, `contests/NAME`.

use crate::state::contests::contest_settings::ContestName;
use crate::state::name::BotId;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use submissions::SubmissionFolder;

/// The name of the folder of all contests in the server's folder.
const CONTESTS: &str = "contests";
/// The name of the folder of records in that of a contest, as in each tournament.
const RECORDS: &str = "records";
/// The end of the name of a record.
const RECORD: &str = ".jsonl.zst";
/// The name of the folder of versions in that of a contest.
const VERSIONS: &str = "versions";

/// The folder of a contest. It is that of a tournament, of the format ladder, with the archives that were handed in (`archives/SHA256`)
/// the folders of the versions (`versions/BOT-NUMBER`), those of its tournaments (`tournaments/NUMBER`), and
/// the games from which marks follow (`marks/GAMES`).
#[derive(Debug, Clone)]
pub(crate) struct ContestFolder {
    path: PathBuf,
}

impl ContestFolder {
    pub(crate) fn of(server: &Path, contest: &ContestName) -> ContestFolder {
        ContestFolder { path: server.join(CONTESTS).join(contest.as_str()) }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The folder of the archives.
    pub(crate) fn archives(&self) -> PathBuf {
        self.path.join("archives")
    }

    /// The archive with this hash.
    pub(crate) fn archive(&self, hash: &str) -> PathBuf {
        self.archives().join(hash)
    }

    /// The record of the game of this name.
    pub(crate) fn record(&self, game: &str) -> PathBuf {
        self.path.join(RECORDS).join(format!("{game}{RECORD}"))
    }

    /// The names of the games whose records are there.
    pub(crate) fn records(&self) -> BTreeSet<String> {
        let entries = fs::read_dir(self.path.join(RECORDS)).into_iter().flatten().flatten();
        entries.filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(RECORD)?.to_owned())).collect()
    }

    /// The folder of a tournament of this number.
    pub(crate) fn tournament(&self, number: u32) -> ContestFolder {
        ContestFolder { path: self.tournaments().join(number.to_string()) }
    }

    /// The folder of tournaments.
    pub(crate) fn tournaments(&self) -> PathBuf {
        self.path.join("tournaments")
    }

    /// The folder of the games from which marks follow, of plans that need the same ones.
    pub(crate) fn marks(&self, games: &str) -> PathBuf {
        self.path.join("marks").join(games)
    }

    /// The folder of the versions.
    pub(crate) fn versions(&self) -> PathBuf {
        self.path.join(VERSIONS)
    }

    /// The folder of the records.
    pub(crate) fn records_folder(&self) -> PathBuf {
        self.path.join(RECORDS)
    }

    /// The folder of a version.
    pub(crate) fn version(&self, bot: BotId, number: u32) -> SubmissionFolder {
        SubmissionFolder::at(self.path.join(version_path(bot, number)))
    }
}

/// The path of the folder of a version in that of its contest, by which the ladder knows the version.
pub(crate) fn version_path(bot: BotId, number: u32) -> String {
    format!("{VERSIONS}/{bot}-{number}")
}

/// The version of which this is the path.
pub(crate) fn version_at(path: &str) -> Option<(BotId, u32)> {
    let (bot, number) = path.strip_prefix(VERSIONS)?.strip_prefix('/')?.split_once('-')?;
    Some((BotId(bot.parse().ok()?), number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_known_by_its_path() {
        assert_eq!(version_at(&version_path(BotId(12), 3)), Some((BotId(12), 3)));
        assert_eq!((version_at("builtin:random"), version_at("versions/x-1")), (None, None));
    }
}
