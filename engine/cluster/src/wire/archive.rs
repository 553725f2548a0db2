//! Archives of folders: tar, compressed with zstd. They come from other machines, so that reading one trusts nothing in it.

use crate::error::ClusterError;
use archives::{ArchiveContents, ArchiveError, ArchiveLimits, UnpackedFolder};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use tar::EntryType;
use walkdir::WalkDir;

/// The most bytes of an archive before it is compressed: a bot that enters a tournament has no more.
pub(crate) const MOST_BYTES: u64 = 320 << 20;
const LIMITS: ArchiveLimits = ArchiveLimits { bytes: MOST_BYTES, entries: 100_000, depth: 64 };
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
    let (mut contents, mut bytes) = (ArchiveContents::default(), 0);
    for entry in WalkDir::new(folder).min_depth(1) {
        let entry = entry?;
        // A header, and whole blocks of content.
        bytes += 512 + if entry.file_type().is_file() { entry.metadata()?.len().next_multiple_of(512) } else { 0 };
        let path = entry.path().strip_prefix(folder).map_err(io::Error::other)?;
        if let Err(why) = contents.add(path, entry.file_type().is_dir(), LIMITS) {
            return Ok(Some(why));
        }
        if bytes > MOST_BYTES {
            return Ok(Some(format!("it has more than {MOST_BYTES} bytes")));
        }
    }
    Ok(None)
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
    let refused = |why: String| ClusterError::Archive(kind, why);
    let unreadable = |e: io::Error| refused(e.to_string());
    let told = |error: ArchiveError| match error {
        ArchiveError::Refused(why) => refused(why),
        ArchiveError::Disk(error) => error.into(),
    };
    let decoder = zstd::stream::read::Decoder::new(BufReader::new(archive)).map_err(unreadable)?;
    // The reader ends there: an archive that goes on is cut off, and so damaged.
    let mut archive = tar::Archive::new(decoder.take(most));
    let mut unpacked = UnpackedFolder::at(folder, LIMITS, true).map_err(told)?;
    for entry in archive.entries().map_err(unreadable)? {
        let mut entry = entry.map_err(unreadable)?;
        let path: PathBuf = entry.path().map_err(unreadable)?.components().collect();
        let name = || rules::printable(&path.display().to_string());
        let entry_type = entry.header().entry_type();
        if !may_be(&path, entry_type) {
            return Err(refused(format!("{} does not belong there", name())));
        }
        match entry_type {
            EntryType::Directory => unpacked.folder(&path).map_err(told)?,
            EntryType::Regular => {
                let (mode, size) = (entry.header().mode().map_err(unreadable)?, entry.size());
                if unpacked.file(&path, &mut entry).map_err(told)?.0 != size {
                    return Err(refused(format!("{} is cut off", name())));
                }
                if mode & 0o111 != 0 {
                    unpacked.let_run(&path).map_err(told)?;
                }
            }
            EntryType::Symlink if kind == BOT => {
                let target = entry.link_name().map_err(unreadable)?;
                let target = target.ok_or_else(|| refused(format!("{} leads nowhere", name())))?;
                unpacked.link(&path, &target).map_err(told)?;
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
    use platform::files::symlink;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn an_archive_has_limits_on_both_ways() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let deep: PathBuf = ["d"; LIMITS.depth + 1].iter().collect();
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
