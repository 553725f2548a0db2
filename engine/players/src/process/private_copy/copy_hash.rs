//! The hash of a copy of a bot's folder.

use super::{LARGEST_COPY, entries};
use crate::content_hash::ReadBudget;
use arena::hex;
use platform::files::{Folder, next_data};
use rules::printable_prefix;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::Duration;

/// Folders with more files, links and folders than this are not copied.
const MOST_ENTRIES: usize = 100_000;
/// Folders that take longer than this to read are not copied.
const MOST_TIME: Duration = Duration::from_secs(120);
/// The bytes that are hashed, or left out as a part of a hole, at a time.
const BLOCK: u64 = 4096;
/// The most characters of a path in a message: a bot may nest its folders as deep as it likes.
const SHOWN: usize = 120;

/// The SHA-256, in hexadecimal digits, of all that [`copy_bot`](crate::process::copy_bot) copies of a folder: folders, files and links with
/// their paths and what is in them, but not their rights and times. A folder and its copy have the same hash, also if one of them has
/// holes where the other has zeros. Nothing is read through a link.
///
/// # Errors
/// The copy would have more than 256 MiB or 100,000 entries, or the folder cannot be read, or not within two minutes. The message goes
/// with the name of the bot.
pub fn copy_hash(folder: &Path) -> io::Result<String> {
    let mut found = Vec::new();
    for entry in entries(folder) {
        let entry = entry.map_err(|error| {
            let path = error.path().and_then(|path| path.strip_prefix(folder).ok()).unwrap_or(Path::new(""));
            let (kind, path) = (error.io_error().map_or(io::ErrorKind::Other, io::Error::kind), path.to_owned());
            told(&path, io::Error::new(kind, kind.to_string()))
        })?;
        if found.len() == MOST_ENTRIES {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "its folder has more than 100,000 files"));
        }
        let kind = entry.file_type();
        found.push((entry.into_path(), kind));
    }
    found.sort_by(|(one, _), (other, _)| one.as_os_str().cmp(other.as_os_str()));
    let (root, mut budget) = (Folder::open_linked(folder)?, ReadBudget::of(LARGEST_COPY, MOST_TIME));
    let mut hasher = Sha256::new();
    for (path, kind) in &found {
        let relative = path.strip_prefix(folder).unwrap_or(path);
        let failed = |error| told(relative, error);
        let mut part = |kind: &[u8], bytes: &[u8]| {
            hasher.update(kind);
            hasher.update((bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        let name = relative.as_os_str().as_encoded_bytes();
        if kind.is_dir() {
            part(b"folder", name);
        } else if kind.is_symlink() {
            part(b"link", name);
            part(b"to", fs::read_link(path).map_err(failed)?.as_os_str().as_encoded_bytes());
        } else if kind.is_file() {
            part(b"file", name);
            let opened = root.open_beneath(relative).map_err(failed)?;
            let file = opened.ok_or_else(|| failed(io::Error::other("it is not a file any more")))?;
            part(b"of", &file.metadata().map_err(failed)?.len().to_le_bytes());
            hash_blocks(&file, &mut budget, &mut part).map_err(failed)?;
        }
    }
    Ok(hex(&hasher.finalize()))
}

/// An error with the path in the bot's folder; those of the budget are of the whole folder.
fn told(path: &Path, error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::FileTooLarge => {
            io::Error::new(error.kind(), format!("its files hold more than {} MiB", LARGEST_COPY >> 20))
        }
        io::ErrorKind::TimedOut => error,
        kind => {
            let path = path.to_string_lossy();
            io::Error::new(kind, format!("{} cannot be read: {error}", printable_prefix(&path, SHOWN)))
        }
    }
}

/// Gives all blocks of a file that are not zero to `part`, with their positions.
fn hash_blocks(mut file: &File, budget: &mut ReadBudget, part: &mut impl FnMut(&[u8], &[u8])) -> io::Result<()> {
    let (mut buffer, mut at) = (Vec::new(), 0);
    while let Some(data) = next_data(file, at)? {
        let mut position = data.start / BLOCK * BLOCK;
        file.seek(SeekFrom::Start(position))?;
        while position < data.end {
            buffer.clear();
            let most = (data.end - position).next_multiple_of(BLOCK).min(256 * BLOCK);
            let read = file.take(most).read_to_end(&mut buffer)? as u64;
            budget.count(read)?;
            if read == 0 {
                return Ok(());
            }
            for (block, number) in buffer.chunks(BLOCK as usize).zip(position / BLOCK..) {
                if block.iter().any(|byte| *byte != 0) {
                    part(&number.to_le_bytes(), block);
                }
            }
            position += read;
        }
        at = position.max(data.end);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::copy_bot;
    use std::io::Write;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_copy_has_the_hash_of_the_folder_and_any_change_of_what_is_copied_another() {
        let root = tempfile::tempdir().unwrap();
        let bot = root.path().join("bot");
        for folder in ["bin", "venv/lib", ".git"] {
            fs::create_dir_all(bot.join(folder)).unwrap();
        }
        let write = |name: &str, text: &str| fs::write(bot.join(name), text).unwrap();
        ["bot.json", "bin/core.py", "venv/lib/core.py", ".git/HEAD"].iter().for_each(|name| write(name, "1"));
        symlink("bin/core.py", bot.join("core.py")).unwrap();
        // With a hole that no budget would last for.
        let mut large = File::create(bot.join("model")).unwrap();
        (0..8).for_each(|_| large.write_all(&[7; 1 << 20]).unwrap());
        File::create(bot.join("hole")).unwrap().set_len(1 << 40).unwrap();
        let mut known = vec![copy_hash(&bot).unwrap()];
        copy_bot(&bot, &root.path().join("copy")).unwrap();
        assert_eq!(copy_hash(&root.path().join("copy")).unwrap(), known[0]);
        let mut differs = |change: &dyn Fn()| {
            change();
            let hash = copy_hash(&bot).unwrap();
            assert!(!known.contains(&hash));
            known.push(hash);
        };
        differs(&|| write("bin/core.py", "2"));
        differs(&|| write("venv/lib/core.py", "2"));
        differs(&|| fs::create_dir(bot.join("obj")).unwrap());
        differs(&|| fs::rename(bot.join("obj"), bot.join("objects")).unwrap());
        differs(&|| {
            fs::remove_file(bot.join("core.py")).unwrap();
            symlink("venv/lib/core.py", bot.join("core.py")).unwrap();
        });
        differs(&|| {
            let mut model = File::options().write(true).open(bot.join("model")).unwrap();
            model.seek(SeekFrom::Start(3 << 20)).unwrap();
            model.write_all(&[8]).unwrap();
        });
        differs(&|| {
            let mut hole = File::options().write(true).open(bot.join("hole")).unwrap();
            hole.seek(SeekFrom::Start(1 << 39)).unwrap();
            hole.write_all(&[8]).unwrap();
        });
        write(".git/HEAD", "2");
        assert_eq!(&copy_hash(&bot).unwrap(), known.last().unwrap(), "what is not copied does not count");
    }

    #[test]
    fn zeros_and_holes_are_the_same() {
        let root = tempfile::tempdir().unwrap();
        let (zeros, hole) = (root.path().join("zeros"), root.path().join("hole"));
        [&zeros, &hole].iter().for_each(|folder| fs::create_dir(folder).unwrap());
        fs::write(zeros.join("file"), [&[0; 9000][..], b"end"].concat()).unwrap();
        let mut file = File::create(hole.join("file")).unwrap();
        file.seek(SeekFrom::Start(9000)).unwrap();
        file.write_all(b"end").unwrap();
        assert_eq!(copy_hash(&zeros).unwrap(), copy_hash(&hole).unwrap());
    }

    #[test]
    fn what_cannot_be_copied_is_told_in_a_line() {
        let root = tempfile::tempdir().unwrap();
        let failure = |name: &str| copy_hash(&root.path().join(name)).unwrap_err().to_string();
        assert!(failure("gone").contains("cannot be read"), "{}", failure("gone"));
        let large = root.path().join("large");
        fs::create_dir(&large).unwrap();
        let mut file = File::create(large.join("file")).unwrap();
        (0..257).for_each(|_| file.write_all(&[1; 1 << 20]).unwrap());
        assert_eq!(failure("large"), "its files hold more than 256 MiB");
        let many = root.path().join("many");
        fs::create_dir(&many).unwrap();
        (0..=MOST_ENTRIES).for_each(|number| drop(File::create(many.join(number.to_string())).unwrap()));
        assert_eq!(failure("many"), "its folder has more than 100,000 files");
    }
}
