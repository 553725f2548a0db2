//! The stamp of a build: the program that it made, and the sources that it made it of.

use super::sources::{Snapshot, Sources, is_written};
use platform::files::readable_by_all;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::SystemTime;

/// The name of the stamp's file in the bot's folder. Copies and hashes of the folder leave it out.
pub(crate) const STAMP: &str = ".broadside-build";
/// The largest stamp that is read, in bytes.
const MOST_OF_STAMP: u64 = 8 << 20;

/// The stamp of the last build of a bot.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Stamp {
    /// The hash of the program.
    program: String,
    /// The hashes of the sources: as they were before the build, because a compiler may have read a file before somebody
    /// changed it; files that the build made itself as they were after it.
    sources: Snapshot,
}

impl Stamp {
    /// The stamp of a build that has just ended well, with the sources as they were `before` it.
    pub(super) fn of(sources: Sources<'_>, before: Snapshot) -> Option<Stamp> {
        let mut stamped = sources.snapshot()?;
        stamped.extend(before);
        Some(Stamp { program: sources.program()?, sources: stamped })
    }

    /// The stamp in the folder of the bot, if it is that of the program which is there.
    pub(super) fn read(sources: Sources<'_>) -> Option<Stamp> {
        let (stamp, _) = Stamp::last(sources.bot)?;
        (sources.program()? == stamp.program).then_some(stamp)
    }

    /// The stamp of the last build of the bot in this folder, and its time.
    fn last(bot: &Path) -> Option<(Stamp, SystemTime)> {
        let file = arena::open_regular(&bot.join(STAMP)).ok()?;
        let (mut text, time) = (Vec::new(), file.metadata().and_then(|meta| meta.modified()).ok()?);
        file.take(MOST_OF_STAMP).read_to_end(&mut text).ok()?;
        Some((serde_json::from_slice(&text).ok()?, time))
    }

    /// Gives the current time to the sources that have changed since the last build but have an older time, as a copy of an
    /// earlier version can have: cargo, make and others go by times, and would not compile them.
    pub(super) fn touch_changed(sources: Sources<'_>, now: &Snapshot) {
        let Some((stamp, built)) = Stamp::last(sources.bot) else { return };
        for path in stamp.changed(now).iter().map(|name| sources.bot.join(name)) {
            let Ok(meta) = path.symlink_metadata() else { continue };
            // What a link leads to may belong to somebody else.
            if meta.is_file() && meta.modified().is_ok_and(|time| time <= built) {
                let touched = File::open(&path).and_then(|file| file.set_modified(SystemTime::now()));
                if let Err(error) = touched {
                    ::log::warn!("cannot change the time of {}: {error}", path.display());
                }
            }
        }
    }

    /// Writes the stamp into the bot's folder, in place of an older one.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub(super) fn write(&self, bot: &Path) -> io::Result<()> {
        let mut builder = tempfile::Builder::new();
        // Other users may play with the bot. In one step, and not through a link of the bot's.
        let mut file = readable_by_all(builder.prefix(STAMP)).tempfile_in(bot)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        file.persist(bot.join(STAMP)).map_err(|e| e.error)?;
        Ok(())
    }

    /// The files that have changed since the build: those with other content, and those that are new or gone and are
    /// written for compilers. Other new files are those that bots leave in their folders.
    pub(super) fn changed(&self, now: &Snapshot) -> Vec<String> {
        let other = now.iter().filter(|(name, hash)| match self.sources.get(*name) {
            Some(before) => before != *hash,
            None => is_written(Path::new(name)),
        });
        let gone = self.sources.keys().filter(|name| !now.contains_key(*name) && is_written(Path::new(name)));
        other.map(|(name, _)| name).chain(gone).cloned().collect()
    }
}
