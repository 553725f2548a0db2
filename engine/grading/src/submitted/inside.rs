//! A student's folder: the bot or the archive in it.

use super::Source;
use super::entries::{Entry, EntryKind, archive_stem};
use arena::ArenaError;
use players::LEFT_OUT;
use rules::printable_prefix;
use std::error::Error;
use std::path::{Path, PathBuf};

/// The deepest folder in which a bot.json is looked for.
const DEEPEST: usize = 6;
/// The most entries of a student's folder that are looked at.
const MOST: usize = 20_000;

/// The bot or the archive of a student's entry.
#[derive(Debug)]
pub(super) struct Inside {
    pub(super) path: PathBuf,
    pub(super) source: Source,
    /// Archives that a later one replaces.
    pub(super) earlier: Vec<PathBuf>,
}

impl Inside {
    /// Nothing that can be a bot, for this reason.
    pub(super) fn unusable(path: &Path, why: String) -> Inside {
        Inside { path: path.to_owned(), source: Source::Unusable(why), earlier: Vec::new() }
    }
}

/// The bot's folder in an archive that was unpacked: the one with bot.json nearest to the top, else that of the archive.
///
/// # Errors
/// There is more than one bot, or none but in another archive, or the folder cannot be read: the reason, in words for the student.
pub fn bot_folder(unpacked: &Path) -> Result<PathBuf, String> {
    let Inside { path, source, .. } = look_inside(unpacked, Path::new("")).unwrap_or_else(|error| {
        // Students see the reason, which has no path of the teacher's.
        Inside::unusable(Path::new(""), unreadable(&error))
    });
    match source {
        // Nothing joined would be a slash at the end.
        Source::Folder if path.as_os_str().is_empty() => Ok(unpacked.to_owned()),
        Source::Folder => Ok(unpacked.join(path)),
        Source::Unusable(why) => Err(why),
        Source::Archive => {
            let name = printable_prefix(&path.display().to_string(), 200);
            Err(format!("{name} is another archive, which is not unpacked"))
        }
    }
}

/// The reason why a folder cannot be read, without its path.
pub(super) fn unreadable(error: &ArenaError) -> String {
    format!("it cannot be read: {}", error.source().map(ToString::to_string).unwrap_or_default())
}

/// Finds the bot in a student's folder, by its path in `root`: the folder nearest to the top that has a bot.json, else the latest of
/// the archives nearest to the top, else the folder itself.
///
/// # Errors
/// The disk fails.
pub(super) fn look_inside(root: &Path, folder: &Path) -> Result<Inside, ArenaError> {
    let unusable = |why| Inside::unusable(folder, why);
    let (mut level, mut archives) = (vec![folder.to_owned()], Vec::new());
    let (mut looked_at, mut has_files) = (0, false);
    for _ in 0..DEEPEST {
        let (mut bots, mut here, mut below) = (Vec::new(), Vec::new(), Vec::new());
        for at in &level {
            let entries = Entry::all_in(root, at)?;
            looked_at += entries.len();
            if looked_at > MOST {
                return Ok(unusable(format!("there are more than {MOST} files and folders in it")));
            }
            for entry in entries.into_iter().filter(|entry| entry.of_systems().is_none()) {
                match entry.kind {
                    EntryKind::File if entry.name == "bot.json" => bots.push(at.clone()),
                    EntryKind::File if archive_stem(&entry.name).is_some() => here.push(entry),
                    EntryKind::File => has_files = true,
                    EntryKind::Folder if !LEFT_OUT.contains(&entry.name.as_str()) => below.push(entry.path),
                    EntryKind::Folder | EntryKind::Link | EntryKind::Other => {}
                }
            }
        }
        match bots.len() {
            0 => {}
            1 => return Ok(Inside { path: bots.remove(0), source: Source::Folder, earlier: Vec::new() }),
            _ => {
                let below =
                    |bot: &PathBuf| bot.strip_prefix(folder).unwrap_or(bot).join("bot.json").display().to_string();
                let names: Vec<_> = bots.iter().map(below).collect();
                return Ok(unusable(format!(
                    "there is more than one bot in it: {}",
                    printable_prefix(&names.join(", "), 200)
                )));
            }
        }
        if archives.is_empty() {
            archives = here;
        }
        level = below;
    }
    archives.sort_by(|one, other| (one.modified, &one.path).cmp(&(other.modified, &other.path)));
    Ok(match archives.pop() {
        Some(latest) => {
            let earlier = archives.into_iter().map(|archive| archive.path).collect();
            Inside { path: latest.path, source: Source::Archive, earlier }
        }
        None if has_files => Inside { path: folder.to_owned(), source: Source::Folder, earlier: Vec::new() },
        None => unusable("there is no file in it".to_owned()),
    })
}
