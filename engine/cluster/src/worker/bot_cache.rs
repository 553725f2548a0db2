//! The bots that a worker keeps from one run to the next, each in a folder with the hash of its archive as its name.

use crate::error::ClusterError;
use crate::wire::archive::{self, BOT};
use crate::wire::names;
use crate::worker::head_link::HeadLink;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// The time after which a bot that no tournament had is removed.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);
/// The time after which what an interrupted worker left half made is removed.
const HALF_MADE: Duration = Duration::from_secs(24 * 3600);
/// The beginning of the names of folders that are being made.
const NEW: &str = "new-";

/// The folder with the bots.
fn bots(cache: &Path) -> PathBuf {
    cache.join("bots")
}

/// The file whose time of change tells when a tournament had the bot of this hash last.
fn mark(cache: &Path, hash: &str) -> PathBuf {
    cache.join("used").join(hash)
}

/// The folder with the bot of this archive, from the cache or the head.
///
/// # Errors
/// The head does not have it, or the disk failed. [`ClusterError::Changed`]: it is not what its hash says.
/// [`ClusterError::Archive`]: it is no archive of a bot.
pub(crate) fn fetched(hash: &str, head: HeadLink<'_>, cache: &Path) -> Result<PathBuf, ClusterError> {
    if hash.len() != 64 || !hash.chars().all(|c| c.is_ascii_hexdigit()) {
        return Err(ClusterError::Message("a description", "an archive has no hash".to_owned()));
    }
    let folder = bots(cache).join(hash);
    touch(&mark(cache, hash))?;
    if folder.is_dir() {
        // A bot that was changed in the cache would play other games than the one that was sent.
        if archive::pack(BOT, &folder).is_ok_and(|(_, found)| found == hash) {
            return Ok(folder);
        }
        remove(&folder);
    }
    let scratch = new_folder(cache)?;
    let (archive, unpacked) = (scratch.path().join("archive"), scratch.path().join("bot"));
    head.fetch(BOT, hash, &archive)?;
    let packed = File::open(&archive).map_err(|e| ClusterError::disk("read", &archive, e))?;
    archive::unpack(BOT, packed, &unpacked, archive::MOST_BYTES, |_, _| true)?;
    put(&unpacked, &folder)?;
    Ok(folder)
}

/// The folder of a bot whose program was built on a machine of this kind: the one in the cache, or one that `build` makes; or the
/// reason why it could not be built.
///
/// # Errors
/// The disk failed.
pub(crate) fn built<E>(
    hash: &str,
    machine: &str,
    cache: &Path,
    build: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<Result<PathBuf, E>, ClusterError> {
    let name = format!("{hash}-{}", names::token(machine));
    let folder = bots(cache).join(&name);
    touch(&mark(cache, &name))?;
    if folder.is_dir() {
        return Ok(Ok(folder));
    }
    let scratch = new_folder(cache)?;
    let made = scratch.path().join("bot");
    match build(&made) {
        Ok(()) => put(&made, &folder).map(|()| Ok(folder)),
        Err(error) => Ok(Err(error)),
    }
}

/// A folder in the cache for a bot that is being made.
fn new_folder(cache: &Path) -> Result<TempDir, ClusterError> {
    let bots = bots(cache);
    fs::create_dir_all(&bots).map_err(|e| ClusterError::disk("make the folder", &bots, e))?;
    let scratch = tempfile::Builder::new().prefix(NEW).tempdir_in(&bots);
    scratch.map_err(|e| ClusterError::disk("make a folder in", &bots, e))
}

/// Gives a bot that was made its name.
fn put(made: &Path, folder: &Path) -> Result<(), ClusterError> {
    match fs::rename(made, folder) {
        // Another slot or worker was faster.
        Err(_) if folder.is_dir() => Ok(()),
        Err(error) => Err(ClusterError::disk("make the folder", folder, error)),
        Ok(()) => Ok(()),
    }
}

/// Removes the folder of a bot. What cannot be removed stays.
fn remove(folder: &Path) {
    // First of all another name, so that nobody finds half a bot.
    let Some(bots) = folder.parent() else { return };
    let doomed = tempfile::Builder::new().prefix(NEW).tempdir_in(bots);
    // The new folder is removed with what is in it.
    let _ = doomed.and_then(|doomed| fs::rename(folder, doomed.path().join("bot")));
}

/// Notes that a file is used now.
fn touch(mark: &Path) -> Result<(), ClusterError> {
    let marks = mark.parent().unwrap_or(mark);
    fs::create_dir_all(marks).map_err(|e| ClusterError::disk("make the folder", marks, e))?;
    let touched = File::create(mark).and_then(|file| file.set_modified(SystemTime::now()));
    touched.map_err(|e| ClusterError::disk("write", mark, e))
}

/// Removes bots that nobody has used for thirty days. Whatever cannot be removed stays.
pub(crate) fn prune(cache: &Path) {
    prune_at(cache, SystemTime::now());
}

fn prune_at(cache: &Path, now: SystemTime) {
    let age = |path: &Path| {
        let changed = fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
        changed.map(|changed| now.duration_since(changed).unwrap_or_default())
    };
    for entry in fs::read_dir(bots(cache)).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if name.starts_with(NEW) {
            if age(&path).is_some_and(|age| age > HALF_MADE) {
                let _ = fs::remove_dir_all(&path);
            }
            continue;
        }
        let mark = mark(cache, &name);
        if age(&mark).is_none_or(|age| age > KEPT) {
            remove(&path);
            let _ = fs::remove_file(&mark);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_that_nobody_uses_any_more_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let (cache, [old, used]) = (folder.path(), ["a".repeat(64), "b".repeat(64)]);
        for hash in [&old, &used, &format!("{NEW}x")] {
            fs::create_dir_all(bots(cache).join(hash)).unwrap();
        }
        touch(&mark(cache, &old)).unwrap();
        touch(&mark(cache, &used)).unwrap();
        let days = |days: u64| SystemTime::now() + Duration::from_secs(days * 24 * 3600);
        let left = || fs::read_dir(bots(cache)).unwrap().count();
        prune_at(cache, SystemTime::now());
        assert_eq!(left(), 3, "everything is young");
        File::open(mark(cache, &used)).unwrap().set_modified(days(5)).unwrap();
        prune_at(cache, days(31));
        assert!(!bots(cache).join(&old).exists() && bots(cache).join(&used).is_dir());
        assert_eq!(left(), 1);
    }
}
