//! Commands of teams in a contest: hand a version in, choose the one that plays.

use crate::contests::contest_host::{ContestHost, PART};
use crate::contests::views::publish_queue;
use crate::state::bot_address::BotAddress;
use crate::state::contests::contest::{Contest, ContestBot};
use crate::state::contests::contest_line::ContestLine;
use crate::state::contests::contest_settings::ContestName;
use crate::state::contests::version::{Version, VersionSource};

use crate::state::journal_line::{ServerJournalLine, now};
use crate::state::name::BotId;
use crate::state::request_error::{RequestError, RequestResult};
use chrono::Utc;
use platform::locks::lock;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// The largest archive, in bytes.
pub(crate) const MOST_OF_ARCHIVE: usize = 20_000_000;
/// The most versions of a bot that wait for a verdict.
const MOST_WAITING: usize = 3;

/// An archive that is being received.
pub(crate) struct Upload {
    file: NamedTempFile,
    hash: Sha256,
    bytes: u64,
    /// The first bytes, by which the kind of archive is known.
    start: Vec<u8>,
}

impl Upload {
    /// An upload of which nothing has come yet.
    pub(crate) fn begin(contests: &ContestHost, contest: &ContestName) -> RequestResult<Upload> {
        let folder = contests.folder(contest).archives();
        let file = tempfile::Builder::new().prefix(PART).tempfile_in(folder).map_err(RequestError::internal)?;
        Ok(Upload { file, hash: Sha256::new(), bytes: 0, start: Vec::new() })
    }

    /// Adds the next bytes.
    pub(crate) fn add(&mut self, bytes: &[u8]) -> RequestResult<()> {
        self.bytes += bytes.len() as u64;
        if self.bytes > MOST_OF_ARCHIVE as u64 {
            return Err(too_large());
        }
        self.start.extend(bytes.iter().take(4 - self.start.len().min(4)));
        self.hash.update(bytes);
        self.file.write_all(bytes).map_err(RequestError::internal)
    }

    /// Keeps the archive in the folder of archives.
    fn kept(self, contests: &ContestHost, contest: &ContestName) -> RequestResult<VersionSource> {
        let (archive, bytes) = (arena::hex(&self.hash.clone().finalize()), self.bytes);
        self.keep(&contests.folder(contest).archive(&archive)).map_err(RequestError::internal)?;
        Ok(VersionSource::Archive { archive, bytes })
    }

    fn check(&self) -> RequestResult<()> {
        match self.start.as_slice() {
            [] => Err(RequestError::bad("the archive is empty; send a zip or a tar.gz of the bot's folder")),
            [b'P', b'K', ..] | [0x1f, 0x8b, ..] => Ok(()),
            _ => Err(RequestError::bad("this is neither a zip nor a tar.gz; pack the bot's folder as one of them")),
        }
    }

    /// Keeps the archive at this path.
    fn keep(self, path: &Path) -> io::Result<()> {
        self.file.persist(path).map_err(|error| error.error)?;
        path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
    }
}

/// The reason why an archive is not taken that has too many bytes.
fn too_large() -> RequestError {
    let message = format!("the archive has more than {} MB", MOST_OF_ARCHIVE / 1_000_000);
    RequestError::new(axum::http::StatusCode::PAYLOAD_TOO_LARGE, message)
}

/// Checks that this team may hand in an archive now.
pub(crate) fn may_upload(contests: &ContestHost, contest: &ContestName, bot: BotId) -> RequestResult<()> {
    if !contests.look(contest, |contest| contest.settings.entries.takes_archives())? {
        return Err(RequestError::conflict("this contest takes bots by their URLs, not as archives"));
    }
    if let Some(why) = &contests.refusal {
        return Err(RequestError::busy(format!("no bots can be handed in on this server: {why}")));
    }
    may_submit(contests, contest, bot)
}

/// Checks that this team may hand in a version now.
fn may_submit(contests: &ContestHost, contest: &ContestName, bot: BotId) -> RequestResult<()> {
    if let Some(why) = contests.look(contest, |contest| contest.settings.is_shut(Utc::now()))? {
        return Err(RequestError::conflict(why));
    }
    let name = contests.host.store.look(|state| state.bot(bot).map(|bot| bot.name.clone()));
    let name = name.ok_or_else(|| RequestError::missing("the bot was removed"))?;
    let admits = |contest: &Contest| contest.settings.registration.admits(&name, &contest.settings.teams);
    contests.look(contest, admits)?.map_err(RequestError::forbidden)?;
    contests.look(contest, |contest| may_wait(contest, bot))?
}

/// Checks that fewer versions of a bot wait for their verdict than may.
fn may_wait(contest: &Contest, bot: BotId) -> RequestResult<()> {
    let waiting = contest.queue().iter().filter(|(other, _)| *other == bot).count();
    if waiting >= MOST_WAITING {
        return Err(RequestError::conflict(format!("{waiting} of your versions wait for their verdict; wait for one")));
    }
    Ok(())
}

/// Hands an archive in. Gives the number of the version, and if it is new: the same archive again is the same version.
pub(crate) fn submit(
    contests: &ContestHost,
    contest: &ContestName,
    bot: BotId,
    upload: Upload,
    activates: bool,
) -> RequestResult<(u32, bool)> {
    upload.check()?;
    // Others do not wait for that.
    upload.file.as_file().sync_all().map_err(RequestError::internal)?;
    let _archives = lock(&contests.archives);
    let source = upload.kept(contests, contest)?;
    enter(contests, contest, bot, source, activates)
}

/// Hands a web service in. Gives the number of the version, and if it is new: the same URL again is the same version, unless that was rejected.
pub(crate) fn submit_url(
    contests: &ContestHost,
    contest: &ContestName,
    bot: BotId,
    url: BotAddress,
    activates: bool,
) -> RequestResult<(u32, bool)> {
    may_submit(contests, contest, bot)?;
    enter(contests, contest, bot, VersionSource::Url { url }, activates)
}

fn enter(
    contests: &ContestHost,
    contest: &ContestName,
    bot: BotId,
    source: VersionSource,
    activates: bool,
) -> RequestResult<(u32, bool)> {
    let mut same = None;
    // No other version comes in between.
    let entered = contests.host.store.enter(|state| {
        state.bot(bot).ok_or_else(|| RequestError::missing("the bot was removed"))?;
        let known = state.contests.get(contest).ok_or_else(|| RequestError::missing("there is no such contest"))?;
        let versions = known.bot(bot).map_or(&[][..], |bot| &bot.versions);
        // What was wrong with a service may be better now.
        let is_same = |version: &&Version| {
            let is_there = version.removed.is_none() && (source.archive().is_some() || !version.is_rejected());
            version.source == source && is_there
        };
        if let Some(version) = versions.iter().find(is_same) {
            same = Some(version.number);
            return Err(RequestError::conflict("this version was handed in before"));
        }
        may_wait(known, bot)?;
        let version = known.next_version(bot);
        let change = ContestLine::Submitted { bot, version, source: source.clone(), activates };
        known.check(&change).map_err(RequestError::conflict)?;
        Ok(ServerJournalLine::Contest { contest: contest.clone(), change, at: now() })
    });
    if let Some(number) = same {
        return Ok((number, false));
    }
    let ServerJournalLine::Contest { change: ContestLine::Submitted { version, .. }, .. } = entered? else {
        unreachable!("it was just made")
    };
    contests.queue.tell();
    publish_queue(contests, contest);
    Ok((version, true))
}

/// Lets an accepted version play, in the place of the one that plays now. One that is parked plays again.
pub(crate) fn activate(contests: &ContestHost, contest: &ContestName, bot: BotId, version: u32) -> RequestResult<()> {
    let (is_active, is_parked) = contests.look(contest, |contest| {
        let entry = contest.bot(bot);
        let playing = entry.and_then(ContestBot::playing).map(|version| version.number);
        let is_parked = entry.and_then(|entry| entry.version(version)).is_some_and(|version| version.parked.is_some());
        (playing == Some(version), is_parked)
    })?;
    if !is_active {
        contests.enter(contest, ContestLine::Activated { bot, version })?;
    }
    if is_parked {
        contests.enter(contest, ContestLine::Parked { bot, version, why: None })?;
    }
    contests.ladder(contest)?.changed.tell();
    Ok(())
}

/// The log of a version from this byte on.
pub(crate) fn log_from(
    contests: &ContestHost,
    contest: &ContestName,
    bot: BotId,
    version: u32,
    from: u64,
) -> RequestResult<String> {
    contests
        .look(contest, |contest| contest.bot(bot).and_then(|bot| bot.version(version)).map(|_| ()))?
        .ok_or_else(|| RequestError::missing("there is no such version"))?;
    // It is made when the version is begun.
    let log = fs::read(contests.folder(contest).version(bot, version).log()).unwrap_or_default();
    let from = usize::try_from(from).unwrap_or(usize::MAX).min(log.len());
    Ok(String::from_utf8_lossy(&log[from..]).into_owned())
}
