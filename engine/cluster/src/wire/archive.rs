//! Archives of folders: tar, compressed with zstd. They come from other machines, so that reading one trusts nothing in it.

use crate::error::ClusterError;
use platform::files::{make_executable, symlink};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};
use tar::EntryType;
use walkdir::WalkDir;

/// The most bytes of an archive before it is compressed: a bot that enters a tournament has no more.
pub(crate) const MOST_BYTES: u64 = 320 << 20;
/// The most files and folders in an archive.
const MOST_ENTRIES: usize = 100_000;
/// The most folders that lie in one another.
const MOST_DEEP: usize = 64;
const LEVEL: i32 = 3;

/// Writes the folder to a temporary file, from its beginning, and gives the SHA-256 of that in hexadecimal digits: folders with
/// the same files have the same. Links stay links.
///
/// # Errors
/// The folder cannot be read, or the file not written. [`ClusterError::Archive`] if it has more than an archive may have.
pub(crate) fn pack(kind: &'static str, folder: &Path) -> Result<(File, String), ClusterError> {
    check(folder)
        .map_err(|e| ClusterError::disk("look through", folder, e))?
        .map_or(Ok(()), |why| Err(ClusterError::Archive(kind, why)))?;
    let packed = || -> io::Result<_> {
        let file = tempfile::tempfile()?;
        let mut builder = tar::Builder::new(zstd::stream::write::Encoder::new(BufWriter::new(file), LEVEL)?);
        builder.follow_symlinks(false);
        // Holes are written as zeros: an archive says how many bytes there are.
        builder.sparse(false);
        // Without owners and times.
        builder.mode(tar::HeaderMode::Deterministic);
        for entry in WalkDir::new(folder).min_depth(1).sort_by_file_name() {
            let entry = entry?;
            let name = entry.path().strip_prefix(folder).map_err(io::Error::other)?;
            builder.append_path_with_name(entry.path(), name)?;
        }
        let mut file = builder.into_inner()?.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(0))?;
        let hash = hash(&file)?;
        file.seek(SeekFrom::Start(0))?;
        Ok((file, hash))
    };
    packed().map_err(|e| ClusterError::disk("pack the folder", folder, e))
}

/// The reason why the folder is too much for an archive, if it is.
fn check(folder: &Path) -> io::Result<Option<String>> {
    let (mut contents, mut bytes) = (Contents::default(), 0);
    for entry in WalkDir::new(folder).min_depth(1) {
        let entry = entry?;
        // A header, and whole blocks of content.
        bytes += 512 + if entry.file_type().is_file() { entry.metadata()?.len().next_multiple_of(512) } else { 0 };
        let path = entry.path().strip_prefix(folder).map_err(io::Error::other)?;
        if let Err(why) = contents.add(path, entry.file_type().is_dir()) {
            return Ok(Some(why));
        }
        if bytes > MOST_BYTES {
            return Ok(Some(format!("it has more than {MOST_BYTES} bytes")));
        }
    }
    Ok(None)
}

/// The contents of an archive, as far as they are limited.
#[derive(Default)]
struct Contents {
    files: usize,
    /// Folders, also those that are only in the paths of others.
    folders: BTreeSet<PathBuf>,
}

impl Contents {
    /// Adds a folder, or something else.
    ///
    /// # Errors
    /// The reason why it is too much.
    fn add(&mut self, path: &Path, is_folder: bool) -> Result<(), String> {
        if path.components().count() > MOST_DEEP {
            return Err(format!("a file in it lies in more than {MOST_DEEP} folders"));
        }
        self.files += usize::from(!is_folder);
        let folders = path.ancestors().skip(usize::from(!is_folder)).filter(|folder| !folder.as_os_str().is_empty());
        // Those above one that is known are known, too.
        for folder in folders {
            if !self.folders.insert(folder.to_owned()) {
                break;
            }
        }
        if self.files + self.folders.len() > MOST_ENTRIES {
            return Err(format!("there are more than {MOST_ENTRIES} files and folders in it"));
        }
        Ok(())
    }
}

/// The SHA-256 of what is read, in hexadecimal digits.
pub(crate) fn hash(mut from: impl Read) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        match from.read(&mut chunk)? {
            0 => return Ok(arena::hex(&hasher.finalize())),
            read => hasher.update(&chunk[..read]),
        }
    }
}

/// Writes what is in the archive to `folder`, which is made. Files, folders and, in bots, links with names below the folder are
/// allowed, as far as `may_be` allows their names. Of their modes only that a file can be run stays. A file takes the place of
/// one that is there. `most` are the bytes that it may have in all.
///
/// # Errors
/// [`ClusterError::Archive`] if there is something else in it, or too much; then the folder holds a part of it. Or the disk
/// failed.
pub(crate) fn unpack(
    kind: &'static str,
    archive: impl Read,
    folder: &Path,
    most: u64,
    may_be: impl Fn(&Path, EntryType) -> bool,
) -> Result<(), ClusterError> {
    let make = |folder: &Path| fs::create_dir_all(folder).map_err(|e| ClusterError::disk("make the folder", folder, e));
    make(folder)?;
    let refused = |why: String| ClusterError::Archive(kind, why);
    let unreadable = |e: io::Error| refused(e.to_string());
    let decoder = zstd::stream::read::Decoder::new(BufReader::new(archive)).map_err(unreadable)?;
    // The reader ends there: an archive that goes on is cut off, and so damaged.
    let mut archive = tar::Archive::new(decoder.take(most));
    // Nothing is written through a link, and all links of the folder come from the archive.
    let mut links: BTreeSet<PathBuf> = BTreeSet::new();
    let mut contents = Contents::default();
    for entry in archive.entries().map_err(unreadable)? {
        let mut entry = entry.map_err(unreadable)?;
        let path: PathBuf = entry.path().map_err(unreadable)?.components().collect();
        let name = || rules::printable(&path.display().to_string());
        let entry_type = entry.header().entry_type();
        contents.add(&path, entry_type == EntryType::Directory).map_err(refused)?;
        let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
        if !is_below || path.as_os_str().is_empty() || !may_be(&path, entry_type) {
            return Err(refused(format!("{} does not belong there", name())));
        }
        if path.ancestors().any(|ancestor| links.contains(ancestor)) {
            return Err(refused(format!("{} lies behind a link", name())));
        }
        let to = folder.join(&path);
        let failed = |e: io::Error| ClusterError::disk("write", &to, e);
        if entry_type != EntryType::Directory {
            make(to.parent().unwrap_or(folder))?;
        }
        match entry_type {
            EntryType::Directory => make(&to)?,
            EntryType::Regular => {
                let mode = entry.header().mode().map_err(unreadable)?;
                if to.symlink_metadata().is_ok() {
                    fs::remove_file(&to).map_err(failed)?;
                }
                let mut file = File::create_new(&to).map_err(failed)?;
                let size = entry.size();
                if io::copy(&mut entry, &mut file).map_err(failed)? != size {
                    return Err(refused(format!("{} is cut off", name())));
                }
                if mode & 0o111 != 0 {
                    make_executable(&to).map_err(failed)?;
                }
            }
            EntryType::Symlink if kind == BOT => {
                let target = entry.link_name().map_err(unreadable)?;
                let target = target.ok_or_else(|| refused(format!("{} leads nowhere", name())))?;
                symlink(&target, &to).map_err(failed)?;
                links.insert(path);
            }
            _ => return Err(refused(format!("{} is no file and no folder", name()))),
        }
    }
    Ok(())
}

/// The kind of archive of a bot's folder.
pub(crate) const BOT: &str = "a bot";
/// The kind of archive of records and fault bundles.
pub(crate) const FILES: &str = "records";

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn an_archive_has_limits_on_both_ways() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let deep: PathBuf = ["d"; MOST_DEEP + 1].iter().collect();
        let refused =
            |archive: &[u8]| unpack(BOT, archive, to.path(), MOST_BYTES, |_, _| true).unwrap_err().to_string();
        let of_deep = archive_with(|builder| {
            builder.append_data(&mut header(EntryType::Regular, 1), &deep, &b"x"[..]).unwrap();
        });
        assert!(refused(&of_deep).contains("more than 64 folders"));
        fs::create_dir_all(from.path().join(&deep)).unwrap();
        assert!(pack(BOT, from.path()).unwrap_err().to_string().contains("more than 64 folders"));
        fs::remove_dir_all(from.path().join("d")).unwrap();
        File::create(from.path().join("large")).unwrap().set_len(MOST_BYTES).unwrap();
        assert!(pack(BOT, from.path()).unwrap_err().to_string().contains("more than 335544320 bytes"));
    }

    #[test]
    fn folders_in_the_paths_of_files_count() {
        let sixty: PathBuf = ["d"; 60].iter().collect();
        let mut contents = Contents::default();
        let refused =
            (0..).find(|number| contents.add(&PathBuf::from(number.to_string()).join(&sixty), false).is_err());
        assert_eq!(refused, Some(MOST_ENTRIES as u32 / 61));
    }

    fn archive_with(change: impl FnOnce(&mut tar::Builder<Vec<u8>>)) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        change(&mut builder);
        zstd::encode_all(&builder.into_inner().unwrap()[..], 1).unwrap()
    }

    fn header(kind: EntryType, size: u64) -> tar::Header {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_mode(0o6755);
        header.set_size(size);
        header
    }

    #[test]
    fn a_folder_arrives_as_it_was() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::create_dir_all(from.path().join("deep/er")).unwrap();
        fs::write(from.path().join("deep/er/bot.py"), "print()").unwrap();
        fs::set_permissions(from.path().join("deep/er/bot.py"), fs::Permissions::from_mode(0o755)).unwrap();
        symlink(Path::new("deep/er/bot.py"), &from.path().join("link")).unwrap();
        let (packed, hash) = pack(BOT, from.path()).unwrap();
        unpack(BOT, packed, &to.path().join("new"), MOST_BYTES, |_, _| true).unwrap();
        assert_eq!(pack(BOT, &to.path().join("new")).unwrap().1, hash);
        let file = to.path().join("new/deep/er/bot.py");
        assert_eq!(fs::read_to_string(&file).unwrap(), "print()");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o755);
        assert_eq!(fs::read_link(to.path().join("new/link")).unwrap(), Path::new("deep/er/bot.py"));
        let refused =
            unpack(FILES, pack(FILES, from.path()).unwrap().0, &to.path().join("files"), MOST_BYTES, |_, _| true)
                .unwrap_err();
        assert!(refused.to_string().contains("link is no file"), "{refused}");
    }

    #[test]
    fn nothing_is_written_outside_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, outside) = (folder.path().join("inside"), folder.path().join("outside"));
        fs::create_dir(&outside).unwrap();
        let refused = |archive: Vec<u8>| {
            unpack(BOT, &archive[..], &inside, MOST_BYTES, |path, _| !path.starts_with("closed"))
                .unwrap_err()
                .to_string()
        };
        // `Header::set_path` refuses what a hostile program writes.
        let raw = |path: &str| {
            let mut header = header(EntryType::Regular, 1);
            header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
            header.set_cksum();
            archive_with(|builder| builder.append(&header, &b"x"[..]).unwrap())
        };
        assert!(refused(raw("../outside/file")).contains("does not belong there"));
        assert!(refused(raw("/etc/file")).contains("does not belong there"));
        assert!(refused(raw("closed/file")).contains("does not belong there"));
        let by_link = archive_with(|builder| {
            builder.append_link(&mut header(EntryType::Symlink, 0), "way", &outside).unwrap();
            builder.append_data(&mut header(EntryType::Regular, 1), "way/file", &b"x"[..]).unwrap();
        });
        assert!(refused(by_link).contains("lies behind a link"));
        let sparse = archive_with(|builder| {
            builder.append_data(&mut header(EntryType::GNUSparse, 1), "holes", &b"x"[..]).unwrap();
        });
        refused(sparse);
        let device = archive_with(|builder| {
            builder.append_data(&mut header(EntryType::Char, 0), "device", io::empty()).unwrap();
        });
        assert!(refused(device).contains("no file and no folder"));
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
        // Bits that give rights are not kept.
        let setuid = archive_with(|builder| {
            builder.append_data(&mut header(EntryType::Regular, 1), "tool", &b"x"[..]).unwrap();
        });
        unpack(BOT, &setuid[..], &inside, MOST_BYTES, |_, _| true).unwrap();
        assert_eq!(fs::metadata(inside.join("tool")).unwrap().permissions().mode() & 0o7777, 0o755);
    }
}
