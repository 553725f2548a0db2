//! The state of a bot's program compared with its sources.

use super::plan::BuildContext;
use super::sources::Sources;
use super::stamp::Stamp;
use crate::process::language::Recipe;
use crate::{Manifest, Tools};
use platform::files::{lock, try_lock};
use std::fs::File;
use std::io;
use std::path::Path;

/// The state of a bot's program compared with its sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Freshness {
    /// The program is what the sources make, or there is nothing to make it of: the bot came without its sources, or the
    /// program is the source.
    Current,
    /// The engine built the program, and a source has changed since.
    Changed {
        /// The path of a source that has changed, in the bot's folder.
        file: String,
        /// True if a file has changed that names packages.
        packages: bool,
    },
    /// Somebody else built the program, and this source was changed later. Times can deceive: those of a checkout do.
    Older {
        /// The path of the source that was changed last, in the bot's folder.
        file: String,
    },
}

impl Freshness {
    /// Compares the program of a bot with its sources: by their content if the engine built it and left a stamp, else by the
    /// times of the files, as `make` does. [`Freshness::Current`] without a program.
    pub fn of(manifest: &Manifest) -> Freshness {
        let (project, run_file) = (manifest.project_path(), manifest.run_path());
        let tools = Tools::in_folders([]);
        let context = BuildContext { bot: &manifest.folder, project: &project, run_file: &run_file, tools: &tools };
        let found = |recipe: &Recipe| context.files(&recipe.project);
        let Some(files) = manifest.language.builds.iter().find_map(found) else { return Freshness::Current };
        let is_source = files.iter().any(|file| is_same(&project.join(file), &run_file));
        let Some(made) = run_file.metadata().and_then(|meta| meta.modified()).ok().filter(|_| !is_source) else {
            return Freshness::Current;
        };
        let sources = Sources { bot: &manifest.folder, project: &project, run_file: &run_file };
        if let Some(stamp) = Stamp::read(sources)
            && let Some(now) = sources.snapshot()
        {
            let changed = stamp.changed(&now);
            let packages = changed.iter().any(|file| names_packages(Path::new(file)));
            return changed.into_iter().next().map_or(Freshness::Current, |file| Freshness::Changed { file, packages });
        }
        match sources.newest() {
            Some((file, changed)) if changed > made => Freshness::Older { file },
            _ => Freshness::Current,
        }
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// True for a file by which packages are chosen that are installed before a build.
fn names_packages(path: &Path) -> bool {
    const NAMES: [&str; 3] = ["package.json", "package-lock.json", "packages.config"];
    path.file_name().is_some_and(|name| NAMES.iter().any(|known| name == *known))
}

/// A lock on the folder of a bot that is being built, so that two programs do not build it at the same time. It ends when it
/// is dropped.
#[derive(Debug)]
pub struct BuildLock {
    _folder: File,
}

impl BuildLock {
    /// Locks the folder. `wait` is called if another program has the lock, and this call then waits for its end.
    ///
    /// # Errors
    /// The folder cannot be opened, or its file system has no locks.
    pub fn of(folder: &Path, wait: impl FnOnce()) -> io::Result<BuildLock> {
        let file = File::open(folder)?;
        if !try_lock(&file).unwrap_or(false) {
            wait();
            lock(&file)?;
        }
        Ok(BuildLock { _folder: file })
    }
}
