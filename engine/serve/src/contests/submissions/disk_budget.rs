//! The disk that the versions of a team may use: the oldest ones are removed from it when there are too many.

use crate::contests::contest_folder::version_path;
use crate::contests::contest_host::ContestHost;
use crate::state::contests::contest::{Contest, ContestBot};
use crate::state::contests::contest_line::ContestLine;
use crate::state::contests::contest_settings::ContestName;
use crate::state::contests::version::{Progress, Version};

use crate::state::name::BotId;
use crate::state::request_error::RequestResult;
use arena::folder::remove_folder;
use platform::locks::lock;
use std::fs;
use std::io::{self, ErrorKind};

/// Removes versions of a team until the others have room, and tells why in the journal.
pub(crate) fn keep_within(contests: &ContestHost, contest: &ContestName, bot: BotId) -> RequestResult<()> {
    let outdated = contests.look(contest, |contest| {
        let most = contest.settings.team_disk << 20;
        let is_busy = |version| {
            let path = version_path(bot, version);
            contest
                .tournaments
                .iter()
                .any(|tournament| tournament.is_open() && tournament.plan.entrants.contains(&path))
        };
        contest.bot(bot).map(|entry| outdated(entry, most, is_busy)).unwrap_or_default()
    })?;
    for version in outdated {
        let most = contests.look(contest, |contest| contest.settings.team_disk)?;
        let why =
            format!("the versions of a team have {most} MiB of the disk, and this was the oldest that did not play");
        let removed = contests.enter(contest, ContestLine::Removed { bot, version, why });
        match removed {
            // The team has activated it meanwhile, or is gone.
            Err(error) if error.cause.is_none() => {}
            removed => removed?,
        }
    }
    sweep(contests, contest, bot)
}

/// [`keep_within`] for all teams: settings may have changed.
pub(crate) fn keep_all_within(contests: &ContestHost) {
    let all: Vec<(ContestName, BotId)> = contests.host.store.look(|state| {
        let bots = |(name, contest): (&ContestName, &Contest)| {
            let name = name.clone();
            contest.bots().map(move |(bot, _)| (name.clone(), bot)).collect::<Vec<_>>()
        };
        state.contests.iter().flat_map(bots).collect()
    });
    for (contest, bot) in all {
        if let Err(error) = keep_within(contests, &contest, bot) {
            contests.host.report_trouble(&error);
        }
    }
}

/// Removes from the disk what is removed by the journal: the server may have ended in between.
fn sweep(contests: &ContestHost, contest: &ContestName, bot: BotId) -> RequestResult<()> {
    let removed = contests.look(contest, |contest| {
        let versions = contest.bot(bot).map(|entry| entry.versions.clone()).unwrap_or_default();
        versions.into_iter().filter(|version| version.removed.is_some()).collect::<Vec<Version>>()
    })?;
    let folder = contests.folder(contest);
    for version in removed {
        let bot = folder.version(bot, version.number).bot();
        told(remove_folder(&bot), &bot.display().to_string());
        let _archives = lock(&contests.archives);
        let is_needed = contests.look(contest, |contest| contest.needs_archive(&version.source))?;
        if let Some(archive) = version.source.archive().filter(|_| !is_needed) {
            let path = folder.archive(archive);
            told(fs::remove_file(&path), &path.display().to_string());
        }
    }
    Ok(())
}

fn told(removed: io::Result<()>, path: &str) {
    if let Err(error) = removed
        && error.kind() != ErrorKind::NotFound
    {
        log::warn!("{path} cannot be removed: {error}");
    }
}

/// The versions to be removed so that the others have no more than so many bytes: the oldest first, but neither the one that plays,
/// nor the newest one that was accepted, nor one that is busy in a tournament.
fn outdated(entry: &ContestBot, most: u64, is_busy: impl Fn(u32) -> bool) -> Vec<u32> {
    let size = |version: &Version| match &version.progress {
        Progress::Accepted(accepted) if version.removed.is_none() => {
            version.source.bytes().map(|archive| archive + accepted.folder_bytes.unwrap_or_default())
        }
        _ => None,
    };
    let kept: Vec<(u32, u64)> =
        entry.versions.iter().filter_map(|version| Some((version.number, size(version)?))).collect();
    let mut all: u64 = kept.iter().map(|(_, bytes)| bytes).sum();
    let newest = kept.last().map(|(number, _)| *number);
    let mut removed = Vec::new();
    for (number, bytes) in kept {
        if all <= most {
            break;
        }
        if entry.active != Some(number) && newest != Some(number) && !is_busy(number) {
            all -= bytes;
            removed.push(number);
        }
    }
    removed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::contests::version::VersionSource;
    use submissions::Acceptance;

    fn version(number: u32, folder: Option<u64>) -> Version {
        let accepted = |bytes| Acceptance {
            language: String::new(),
            author: None,
            content: None,
            slowest: None,
            folder_bytes: Some(bytes),
        };
        Version {
            number,
            source: VersionSource::Archive { archive: number.to_string(), bytes: 1 },
            activates: true,
            submitted: String::new(),
            progress: folder.map_or(Progress::Queued, |bytes| Progress::Accepted(accepted(bytes))),
            parked: None,
            removed: None,
        }
    }

    #[test]
    fn the_oldest_versions_go_but_those_that_play_or_wait_stay() {
        let versions = vec![
            version(1, Some(9)),
            version(2, Some(9)),
            version(3, Some(9)),
            version(4, None),
            version(5, Some(99)),
            version(6, None),
        ];
        let mut entry = ContestBot { versions, active: Some(2), ..ContestBot::default() };
        assert_eq!(outdated(&entry, 130, |_| false), [0; 0]);
        assert_eq!(outdated(&entry, 129, |_| false), [1]);
        assert_eq!(outdated(&entry, 119, |_| false), [1, 3], "the second one plays");
        assert_eq!(outdated(&entry, 0, |_| false), [1, 3], "the last one that was accepted stays");
        assert_eq!(outdated(&entry, 0, |version| version == 1), [3], "the first one is in a tournament");
        entry.versions[0].removed = Some("the disk".to_owned());
        assert_eq!(outdated(&entry, 120, |_| false), [0; 0], "what is removed does not count");
        assert_eq!(outdated(&entry, 119, |_| false), [3]);
    }
}
