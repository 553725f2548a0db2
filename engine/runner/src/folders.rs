//! Folders of matches: those that stay, and those that do not.

use crate::{Context, Report};
use arena::ArenaError;
use arena::folder::{MatchFolder, Spool, remove_folder, restore_spools};
use chrono::Local;
use match_folder::move_match_aside;
use platform::files::symlink;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The folder of the folders of matches.
pub const REPLAYS: &str = "replays";
/// The folder of the folders of tournaments that were given none.
pub const TOURNAMENTS: &str = "tournaments";
/// The link in [`REPLAYS`] to the folder of the latest match.
pub const LATEST: &str = "latest";
/// The format of the name of a match's folder, for [`chrono`].
pub const FOLDER_NAME: &str = "%Y-%m-%dT%H-%M-%S";

/// A temporary folder, in memory where the system has such a place. It is removed at the end, whatever bots have done in
/// it.
#[derive(Debug)]
pub struct ScratchFolder {
    path: PathBuf,
    context: Context,
}

impl ScratchFolder {
    /// A new folder in `/dev/shm`, else in the system's temporary folder.
    ///
    /// # Errors
    /// [`ArenaError::Disk`] if neither can be written to.
    pub fn make(context: &Context) -> Result<ScratchFolder, ArenaError> {
        let mut builder = tempfile::Builder::new();
        builder.prefix("broadside-");
        let made = builder.tempdir_in("/dev/shm").or_else(|_| builder.tempdir());
        let path = made.map_err(|e| ArenaError::disk("make a folder in", env::temp_dir(), e))?.keep();
        Ok(ScratchFolder { path, context: context.clone() })
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        if let Err(error) = &remove_folder(&self.path) {
            self.context.report(&Report::FolderLeft(&self.path, error));
        }
    }
}

/// Lets the link `latest` beside the folder of a match lead to it. Where there can be no link, or something else has its name,
/// everything stays as it is: nothing but comfort is lost.
fn point_to_latest(folder: &Path) {
    let (Some(name), Some(replays)) = (folder.file_name(), folder.parent()) else { return };
    let latest = replays.join(LATEST);
    let is_free = latest.symlink_metadata().map_or(true, |there| there.file_type().is_symlink());
    // Renamed into its place, so that it is there at any time, also if several matches begin at once.
    let fresh = replays.join(format!(".{LATEST}-{:016x}", crate::fresh_seed()));
    if is_free && symlink(name.as_ref(), &fresh).is_ok() && fs::rename(&fresh, &latest).is_err() {
        let _ = fs::remove_file(&fresh);
    }
}

/// The folder of a match: `wanted`, from which an earlier match is moved aside, or a fresh one in `replays/`.
pub(crate) fn match_folder(wanted: Option<&Path>, context: &Context) -> Result<MatchFolder, ArenaError> {
    let now = Local::now();
    let Some(path) = wanted else {
        let folder = MatchFolder::create_fresh(&Path::new(REPLAYS).join(now.format(FOLDER_NAME).to_string()))?;
        point_to_latest(folder.path());
        return Ok(folder);
    };
    let folder = MatchFolder::create(path)?;
    let to = &format!("previous-{}", now.format("%Y-%m-%dT%H-%M-%S-%3f"));
    if move_match_aside(&folder, to)? {
        context.report(&Report::EarlierMatchMoved(path, to));
    }
    Ok(folder)
}

/// The folder of the program's state, which is only the present user's: `broadside` in `$XDG_STATE_HOME`, else in `~/.local/state`.
///
/// # Errors
/// [`ArenaError::Disk`] without both; `kept` says for what there is no place.
pub fn state_folder(kept: &'static str) -> Result<PathBuf, ArenaError> {
    let state = env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/state"));
    let folder = state.or_else(home).ok_or_else(|| {
        let nowhere = io::Error::new(io::ErrorKind::NotFound, "neither XDG_STATE_HOME nor HOME is set");
        ArenaError::disk("find a place for", kept, nowhere)
    })?;
    Ok(folder.join("broadside"))
}

/// A spool for the files of the match in `folder`, in a folder of the user's own, outside the match's and the bots' folders.
pub(crate) fn spool(folder: &Path, context: &Context) -> Result<Spool, ArenaError> {
    // Not a folder that others can write in: they could plant a spool.
    let spools = state_folder("the journal")?;
    for restored in restore_spools(&spools) {
        context.report(&Report::FilesRestored(&restored));
    }
    Spool::create(&spools.join(format!("{}-{:016x}.journal", std::process::id(), crate::fresh_seed())), folder)
}
