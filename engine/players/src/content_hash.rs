//! The hash of the files in a bot's folder.

use crate::process::STAMP;
use arena::{GAMES_JSONL, hex, open_regular};
use platform::files::Folder;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path};
use std::time::{Duration, Instant};
use walkdir::{DirEntry, WalkDir};

/// Folders of version control and of what tools make or fetch, which can be made or fetched again.
pub const LEFT_OUT: [&str; 11] =
    [".git", ".hg", ".svn", ".gradle", ".venv", "__pycache__", "bin", "node_modules", "obj", "target", "venv"];
/// Folders with more bytes than this have no hash.
pub(crate) const MOST_BYTES: u64 = 64 << 20;
/// Folders that take longer than this to read have no hash.
const MOST_TIME: Duration = Duration::from_secs(30);
/// Folders with more files than this have no hash.
pub(crate) const MOST_FILES: usize = 10_000;

/// The SHA-256, in hexadecimal digits, of the files in a bot's folder and of the file that is run, wherever bot.json says that is:
/// for each in the order of their paths (byte by byte), its path in the folder, a zero byte, its length as eight bytes,
/// the lowest first, and what is in it. Folders like `target` and `node_modules` are left out, those of tournaments, and the
/// file in which the engine notes what it built the program of. Nothing is read through a link that leads out of the folder.
///
/// `None` if that is more than 64 MiB or 10,000 files, or cannot be read, or not within 30 seconds.
pub fn content_hash(folder: &Path, run_file: &Path) -> Option<String> {
    hash(folder, run_file).ok().flatten()
}

fn hash(folder: &Path, run_file: &Path) -> io::Result<Option<String>> {
    let mut paths = Vec::new();
    let walk = WalkDir::new(folder).min_depth(1).into_iter().filter_entry(|entry| !is_left_out(entry));
    for entry in walk {
        let entry = entry?;
        if entry.file_type().is_file() {
            paths.push(entry.into_path());
        }
        if paths.len() > MOST_FILES {
            return Ok(None);
        }
    }
    if run_file.is_file() {
        paths.push(run_file.to_owned());
    }
    // By the bytes of the whole path, as the documentation says; a PathBuf would be compared part by part.
    paths.sort_by(|one, other| one.as_os_str().as_encoded_bytes().cmp(other.as_os_str().as_encoded_bytes()));
    paths.dedup();
    let (root, mut budget) = (Folder::open_linked(folder)?, ReadBudget::new());
    let mut hasher = Sha256::new();
    for path in &paths {
        let relative =
            path.strip_prefix(folder).ok().filter(|path| !path.components().any(|part| part == Component::ParentDir));
        // bot.json may name a program outside the folder, but no link of the bot leads there.
        let opened = match relative {
            Some(relative) => root.open_beneath(relative)?,
            None => Some(open_regular(path)?),
        };
        let Some(file) = opened else { continue };
        let mut content = Vec::new();
        budget.read(file, |part| content.extend_from_slice(part))?;
        hasher.update(path.strip_prefix(folder).unwrap_or(path).as_os_str().as_encoded_bytes());
        hasher.update([0]);
        hasher.update((content.len() as u64).to_le_bytes());
        hasher.update(content);
    }
    Ok(Some(hex(&hasher.finalize())))
}

/// What may still be read of a bot's folder. Bytes count as they are read: a file may be longer than it claims to be.
pub(crate) struct ReadBudget {
    bytes: u64,
    until: Instant,
}

impl ReadBudget {
    /// [`MOST_BYTES`] in [`MOST_TIME`] from now.
    pub(crate) fn new() -> ReadBudget {
        ReadBudget::of(MOST_BYTES, MOST_TIME)
    }

    /// So many bytes in this time from now.
    pub(crate) fn of(bytes: u64, time: Duration) -> ReadBudget {
        ReadBudget { bytes, until: Instant::now() + time }
    }

    /// Counts bytes that are read.
    ///
    /// # Errors
    /// The budget is used up.
    pub(crate) fn count(&mut self, bytes: u64) -> io::Result<()> {
        if Instant::now() > self.until {
            return Err(io::Error::new(io::ErrorKind::TimedOut, "reading its files takes too long"));
        }
        let left = self.bytes.checked_sub(bytes);
        self.bytes = left.ok_or_else(|| io::Error::new(io::ErrorKind::FileTooLarge, "its files are too large"))?;
        Ok(())
    }

    /// Reads a file to its end, and gives its parts to `each`.
    ///
    /// # Errors
    /// The budget is used up, or the file cannot be read.
    pub(crate) fn read(&mut self, mut file: File, mut each: impl FnMut(&[u8])) -> io::Result<()> {
        let mut buffer = vec![0; 1 << 16];
        loop {
            let read = match file.read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            self.count(read as u64)?;
            if read == 0 {
                return Ok(());
            }
            each(&buffer[..read]);
        }
    }
}

fn is_left_out(entry: &DirEntry) -> bool {
    let is_output = entry.file_type().is_dir() && LEFT_OUT.iter().any(|name| entry.file_name() == *name);
    is_output || is_tournament(entry) || is_stamp(entry)
}

/// True for the file in which the engine notes what it built the bot of.
pub(crate) fn is_stamp(entry: &DirEntry) -> bool {
    entry.depth() == 1 && entry.file_name() == STAMP
}

/// True for the folder of a tournament. A tournament that is played in a bot's folder is not a part of the bot: playing
/// would make another bot of it.
pub(crate) fn is_tournament(entry: &DirEntry) -> bool {
    entry.file_type().is_dir() && entry.path().join(GAMES_JSONL).is_file()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    /// The hash of a bot with these files; of two with the same name the second counts.
    fn bot(files: &[(&str, &str)]) -> String {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        content_hash(folder.path(), &folder.path().join("target/bot")).unwrap()
    }

    #[test]
    fn copies_of_a_bot_have_one_hash_and_others_have_another() {
        let files = [("bot.json", "{}"), ("src/main.rs", "x"), ("target/bot", "1")];
        let hash = bot(&files);
        let with = |more: &[(&str, &str)]| bot(&[&files, more].concat());
        assert_eq!(hash, with(&[("target/lib", "2")]), "what a build leaves besides does not count");
        let left = [("events/one/games.jsonl", ""), ("events/one/records/1", "")];
        assert_eq!(hash, with(&left), "what a tournament leaves does not count");
        assert_eq!(hash, with(&[(STAMP, "{}")]), "what the engine notes of a build does not count");
        for (name, content) in [("src/main.rs", "y"), ("target/bot", "2"), ("notes", "")] {
            assert_ne!(hash, with(&[(name, content)]), "{name}: {content:?}");
        }
        assert_ne!(hash, bot(&[files[0], ("src/main2.rs", "x"), files[2]]), "another name");
    }

    #[test]
    fn a_folder_that_is_too_large_has_no_hash() {
        let folder = tempfile::tempdir().unwrap();
        File::create(folder.path().join("large")).unwrap().set_len(MOST_BYTES + 1).unwrap();
        assert_eq!(content_hash(folder.path(), &folder.path().join("bot")), None);
        assert_eq!(content_hash(&folder.path().join("none"), Path::new("bot")), None);
    }
    #[test]
    fn a_link_out_of_the_folder_tells_nothing_of_what_it_leads_to() {
        let root = tempfile::tempdir().unwrap();
        let (bot, secret) = (root.path().join("bot"), root.path().join("secret"));
        fs::create_dir(&bot).unwrap();
        symlink(&secret, bot.join("run")).unwrap();
        let hash = |run: &str| content_hash(&bot, &bot.join(run)).unwrap();
        let hashes = ["one", "two"].map(|text| {
            fs::write(&secret, text).unwrap();
            (hash("run"), hash("../secret"))
        });
        assert_eq!(hashes[0].0, hashes[1].0);
        // A program that bot.json names openly plays without a sandbox only, and is a part of the bot.
        assert_ne!(hashes[0].1, hashes[1].1);
        // Neither is waited for.
        for endless in ["/proc/kmsg", "/dev/zero"] {
            fs::remove_file(bot.join("run")).unwrap();
            symlink(endless, bot.join("run")).unwrap();
            assert_eq!(hash("run"), hashes[0].0);
        }
        assert_eq!(content_hash(&bot, Path::new("/proc/kmsg")), None);
    }
}
