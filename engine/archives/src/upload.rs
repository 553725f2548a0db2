//! The archive of a bot's folder that somebody hands in: zip or tar.gz.

use super::contents::ArchiveLimits;
use super::unpacked_folder::{ArchiveError, UnpackedFolder, refused, told};
use arena::ArenaError;
use arena::folder::remove_folder;
use flate2::read::{DeflateDecoder, GzDecoder};
use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, FileReader, RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipFileHeaderRecord};
use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tar::EntryType;
use walkdir::WalkDir;

/// The most bytes of the headers of one entry, in which long names stand.
const MOST_OF_HEADERS: u64 = 256 << 10;
/// The longest name of a file, in bytes, as Linux has it.
const LONGEST_NAME: usize = 255;
/// The longest target of a link, in bytes.
const LONGEST_TARGET: u64 = 4096;
/// Names of files that systems add to archives by themselves; those of macOS also begin with [`OF_MACOS`].
const ADDED: [&str; 4] = ["__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"];

/// The beginning of the names of files in which macOS keeps what other systems have no place for.
const OF_MACOS: &str = "._";

/// Unpacks the archive of a bot's folder, a zip or a tar.gz, to the new folder `to`. If all lies in one folder, what is in that
/// is the bot. A file can be run if it begins as a program or a script does: libraries for zip files forget such bits.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let archive = folder.path().join("bot.zip");
/// # std::fs::write(&archive, b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0")?;
/// use archives::{ArchiveLimits, unpack_upload};
///
/// let empty = unpack_upload(&archive, &folder.path().join("bot"), ArchiveLimits::UPLOAD);
/// assert_eq!(empty.unwrap_err().to_string(), "there is no file in it");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// The archive is refused: it is damaged, has more than the limits allow, a name or a link that leads out of the folder, or
/// something that is no file, folder or link. Or the disk fails, or there is something at `to`, which stays as it is. Otherwise
/// nothing is left there.
pub fn unpack_upload(archive: &Path, to: &Path, limits: ArchiveLimits) -> Result<(), ArchiveError> {
    let file = File::open(archive).map_err(|e| ArenaError::disk("read", archive, e))?;
    fs::create_dir(to).map_err(|e| ArenaError::disk("make the folder", to, e))?;
    let unpacked = unpack(archive, file, to, limits);
    if unpacked.is_err() {
        // What cannot be removed is found again by who made the name.
        let _ = remove_folder(to);
    }
    unpacked
}

/// Copies the folder `from`, which comes from a stranger, to the new folder `to`, as [`unpack_upload`] would unpack an archive of it. Nothing
/// is read through a link, and folders of git are left out.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let bot = folder.path().join("bot");
/// # std::fs::create_dir(&bot)?;
/// std::fs::write(bot.join("bot.json"), "{}")?;
/// archives::copy_upload(&bot, &folder.path().join("copy"), archives::ArchiveLimits::UPLOAD).unwrap();
/// assert!(folder.path().join("copy/bot.json").is_file());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// As for [`unpack_upload`].
pub fn copy_upload(from: &Path, to: &Path, limits: ArchiveLimits) -> Result<(), ArchiveError> {
    fs::create_dir(to).map_err(|e| ArenaError::disk("make the folder", to, e))?;
    let copied = copy(from, to, limits);
    if copied.is_err() {
        let _ = remove_folder(to);
    }
    copied
}

fn copy(from: &Path, to: &Path, limits: ArchiveLimits) -> Result<(), ArchiveError> {
    let mut folder = UnpackedFolder::at(to, limits, false)?;
    let walk = WalkDir::new(from).min_depth(1).sort_by_file_name().into_iter();
    for entry in walk.filter_entry(|entry| entry.file_name() != ".git") {
        let entry = entry.map_err(|e| ArenaError::disk("read", from, io::Error::from(e)))?;
        let failed = |e| ArenaError::disk("read", entry.path(), e);
        let relative = entry.path().strip_prefix(from).unwrap_or(entry.path());
        let text = relative.to_str().ok_or_else(|| no_text(relative.as_os_str().as_encoded_bytes()))?;
        let Some(name) = name_of(text)? else { continue };
        let kind = entry.file_type();
        if kind.is_dir() {
            folder.folder(&name)?;
        } else if kind.is_symlink() {
            folder.link(&name, &fs::read_link(entry.path()).map_err(failed)?)?;
        } else if kind.is_file() {
            write(&mut folder, &name, &mut arena::open_regular(entry.path()).map_err(failed)?)?;
        } else {
            return Err(refused(&name, "is no file, folder or link"));
        }
    }
    folder.lift_only_folder()?;
    folder.check_links()
}

fn unpack(archive: &Path, mut file: File, to: &Path, limits: ArchiveLimits) -> Result<(), ArchiveError> {
    let failed = |e| ArenaError::disk("read", archive, e);
    let mut first = Vec::new();
    file.by_ref().take(8).read_to_end(&mut first).map_err(failed)?;
    file.seek(SeekFrom::Start(0)).map_err(failed)?;
    let mut folder = UnpackedFolder::at(to, limits, false)?;
    match &first[..] {
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => unpack_zip(file, &mut folder, None)?,
        [0x1f, 0x8b, ..] => unpack_tar(GzDecoder::new(BufReader::new(file)), &mut folder, limits)?,
        _ => return Err(ArchiveError::Refused(not_an_archive(&first))),
    }
    folder.lift_only_folder()?;
    folder.check_links()
}

/// The reason why a file that begins so is refused.
fn not_an_archive(first: &[u8]) -> String {
    let kind = match first {
        [b'R', b'a', b'r', b'!', ..] => "it is a RAR archive",
        [b'7', b'z', 0xbc, 0xaf, ..] => "it is a 7z archive",
        [0xfd, b'7', b'z', b'X', b'Z', ..] => "it is compressed with xz",
        [b'B', b'Z', b'h', ..] => "it is compressed with bzip2",
        [0x28, 0xb5, 0x2f, 0xfd, ..] => "it is compressed with zstd",
        [] => "it is empty",
        _ => "it is neither",
    };
    format!("an archive is a zip or a tar.gz, and {kind}")
}

/// Unpacks the zip of a whole class, as a system for courses hands it out, to the new folder `to`. Nothing is lifted: the name of a
/// folder may be that of its only student. Links stay as they are, wherever they lead. Gives the reasons for the entries that were left
/// out: what is wrong with a file of one student must not keep all others from being read.
///
/// # Errors
/// The file is not a zip, is damaged as a whole, or has more than the limits allow or a thousand entries that are left out. Or the disk
/// fails, or there is something at `to`, which stays as it is. Otherwise nothing is left there.
pub fn unpack_class(archive: &Path, to: &Path, limits: ArchiveLimits) -> Result<Vec<String>, ArchiveError> {
    let file = File::open(archive).map_err(|e| ArenaError::disk("read", archive, e))?;
    fs::create_dir(to).map_err(|e| ArenaError::disk("make the folder", to, e))?;
    let mut left_out = Vec::new();
    let unpacked =
        UnpackedFolder::at(to, limits, false).and_then(|mut folder| unpack_zip(file, &mut folder, Some(&mut left_out)));
    if let Err(error) = unpacked {
        // What cannot be removed is found again by who made the name.
        let _ = remove_folder(to);
        return Err(error);
    }
    Ok(left_out)
}

/// The most entries of the zip of a class that may be left out.
const MOST_LEFT_OUT: usize = 1000;

/// Unpacks a zip. With `left_out`, an entry that is refused adds the reason there, and the others are unpacked.
fn unpack_zip(
    file: File,
    folder: &mut UnpackedFolder,
    mut left_out: Option<&mut Vec<String>>,
) -> Result<(), ArchiveError> {
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_file(file, &mut buffer).map_err(damaged)?;
    let mut entries = archive.entries(&mut buffer);
    while let Some(entry) = entries.next_entry().map_err(damaged)? {
        match (unpack_entry(&archive, &entry, folder), &mut left_out) {
            (Ok(Some(file)), Some(_)) => folder.set_modified(&file, modified(&entry)),
            (Err(ArchiveError::Refused(why)), Some(left_out)) if left_out.len() < MOST_LEFT_OUT => left_out.push(why),
            (unpacked, _) => drop(unpacked?),
        }
    }
    Ok(())
}

/// The time of an entry. That of a place is taken for UTC: times of one archive are compared with each other only.
fn modified(entry: &ZipFileHeaderRecord<'_>) -> SystemTime {
    let time = entry.last_modified();
    let (month, day) = (time.month(), time.day());
    let time = UtcDateTime::from_components(
        time.year(),
        month,
        day,
        time.hour(),
        time.minute(),
        time.second(),
        time.nanosecond(),
    );
    let seconds = time.map_or(0, |time| time.to_unix());
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds.max(0).unsigned_abs())
}

/// Unpacks an entry. Gives its name if it is a file.
fn unpack_entry(
    archive: &ZipArchive<FileReader>,
    entry: &ZipFileHeaderRecord<'_>,
    folder: &mut UnpackedFolder,
) -> Result<Option<PathBuf>, ArchiveError> {
    let bytes = entry.file_path().as_bytes().to_owned();
    // As some programs for Windows write them.
    let text = String::from_utf8(bytes).map_err(|e| no_text(e.as_bytes()))?.replace('\\', "/");
    let Some(name) = name_of(&text)? else { return Ok(None) };
    if entry.flags().is_encrypted() {
        return Err(refused(&name, "is encrypted"));
    }
    let kind = entry.mode().value() & 0o170_000;
    if text.ends_with('/') || kind == 0o040_000 {
        return folder.folder(&name).map(|()| None);
    }
    let (method, wayfinder) = (entry.compression_method(), entry.wayfinder());
    let content = archive.get_entry(wayfinder).map_err(damaged)?;
    let mut reader: Box<dyn Read> = match method {
        CompressionMethod::STORE => Box::new(content.verifying_reader(content.reader())),
        CompressionMethod::DEFLATE => Box::new(content.verifying_reader(DeflateDecoder::new(content.reader()))),
        _ => {
            let method = method.name().unwrap_or("an unknown method");
            return Err(refused(&name, &format!("is compressed with {method}; deflate is what all programs read")));
        }
    };
    match kind {
        0o100_000 | 0 => write(folder, &name, &mut reader).map(|_| Some(name)),
        0o120_000 => {
            let mut target = String::new();
            let read = reader.take(LONGEST_TARGET).read_to_string(&mut target);
            read.map_err(|e| refused(&name, &format!("is damaged: {e}")))?;
            folder.link(&name, Path::new(&target)).map(|()| None)
        }
        _ => Err(refused(&name, "is no file, folder or link")),
    }
}

fn damaged(error: rawzip::Error) -> ArchiveError {
    ArchiveError::Refused(told(&format!("the zip is damaged: {error}")))
}

fn unpack_tar(gzip: impl Read, folder: &mut UnpackedFolder, limits: ArchiveLimits) -> Result<(), ArchiveError> {
    let damaged = |e: std::io::Error| ArchiveError::Refused(told(&format!("the tar.gz is damaged: {e}")));
    // The reader ends there, so no header can hold more. Each entry has a header and the rest of a block besides its content.
    let most = limits.bytes + 2048 * limits.entries as u64;
    let left = Cell::new(0);
    let mut archive = tar::Archive::new(Headers { from: gzip.take(most), left: &left });
    let mut entries = archive.entries().map_err(damaged)?;
    loop {
        // Names may be as long as a file, and are read whole.
        left.set(MOST_OF_HEADERS);
        let Some(entry) = entries.next() else { break };
        let mut entry = entry.map_err(damaged)?;
        left.set(u64::MAX);
        let kind = entry.header().entry_type();
        if matches!(kind, EntryType::XGlobalHeader) {
            skip(&mut entry).map_err(damaged)?;
            continue;
        }
        let bytes = entry.path_bytes().into_owned();
        let text = String::from_utf8(bytes).map_err(|e| no_text(e.as_bytes()))?;
        let Some(name) = name_of(&text)? else {
            skip(&mut entry).map_err(damaged)?;
            continue;
        };
        match kind {
            EntryType::Directory => folder.folder(&name)?,
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {
                let size = entry.size();
                if write(folder, &name, &mut entry)? != size {
                    return Err(refused(&name, "is cut off"));
                }
            }
            EntryType::Symlink => {
                let target = entry.link_name().map_err(damaged)?;
                let target = target.ok_or_else(|| refused(&name, "is a link that leads nowhere"))?.into_owned();
                folder.link(&name, &target)?;
            }
            EntryType::Link => return Err(refused(&name, "is a hard link; hand in the file itself")),
            _ => return Err(refused(&name, "is no file, folder or link")),
        }
    }
    Ok(())
}

/// Reads the rest of an entry, so that it does not count as headers of the next one.
fn skip(entry: &mut impl Read) -> io::Result<u64> {
    io::copy(entry, &mut io::sink())
}

/// An archive of which so many bytes may be read until more are allowed.
struct Headers<'a, R> {
    from: R,
    left: &'a Cell<u64>,
}

impl<R: Read> Read for Headers<'_, R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.left.get() == 0 {
            return Err(io::Error::other("a name in it is too long"));
        }
        let most = usize::try_from(self.left.get()).unwrap_or(usize::MAX).min(to.len());
        let read = self.from.read(&mut to[..most])?;
        self.left.set(self.left.get() - read as u64);
        Ok(read)
    }
}

/// Writes a file, which can be run if it begins as what can. Gives its size.
fn write(folder: &mut UnpackedFolder, name: &Path, from: &mut dyn Read) -> Result<u64, ArchiveError> {
    let (size, first) = folder.file(name, from)?;
    if first.starts_with(b"#!") || first.starts_with(b"\x7fELF") {
        folder.let_run(name)?;
    }
    Ok(size)
}

/// True for the name of a file that a system adds to folders and archives by itself, such as `__MACOSX` and `.DS_Store`.
pub fn is_added(name: &str) -> bool {
    ADDED.contains(&name) || name.starts_with(OF_MACOS)
}

fn no_text(name: &[u8]) -> ArchiveError {
    ArchiveError::Refused(format!("{} has a name that is not UTF-8", told(&String::from_utf8_lossy(name))))
}

/// The name of an entry as a path below the folder; `None` for what a system has added.
fn name_of(text: &str) -> Result<Option<PathBuf>, ArchiveError> {
    let refused = |why: &str| Err(ArchiveError::Refused(format!("{} {why}", told(text))));
    if text.starts_with('/') || matches!(text.as_bytes(), [drive, b':', ..] if drive.is_ascii_alphabetic()) {
        return refused("is an absolute path");
    }
    if text.chars().any(char::is_control) {
        return refused("has a character in its name that no name may have");
    }
    let mut name = PathBuf::new();
    for part in text.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." {
            return refused("leads out of the folder");
        }
        if part.len() > LONGEST_NAME {
            return refused("has a name that is too long");
        }
        if is_added(part) {
            return Ok(None);
        }
        name.push(part);
    }
    Ok((!name.as_os_str().is_empty()).then_some(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_folder_is_copied_as_an_archive_is_unpacked() {
        let root = tempfile::tempdir().unwrap();
        let (from, to) = (root.path().join("from"), root.path().join("to"));
        fs::create_dir_all(from.join("bot/.git")).unwrap();
        fs::write(from.join("bot/.git/index"), "x").unwrap();
        fs::write(from.join("bot/run"), "#!/bin/sh").unwrap();
        fs::write(from.join("bot/.DS_Store"), "x").unwrap();
        let copied = || copy_upload(&from, &to, ArchiveLimits::UPLOAD).map_err(|error| error.to_string());
        copied().unwrap();
        let names: Vec<_> = WalkDir::new(&to).into_iter().map(|entry| entry.unwrap().file_name().to_owned()).collect();
        assert_eq!(names, ["to", "run"], "the only folder is the bot");
        for (name, target, why) in
            [("out", "/etc/passwd", "leads out"), ("up", "../x", "leads"), ("none", "x", "leads nowhere")]
        {
            fs::remove_dir_all(&to).unwrap_or_default();
            symlink(target, from.join("bot").join(name)).unwrap();
            let refused = copied().unwrap_err();
            assert!(refused.contains(why) && refused.contains(name) && !to.exists(), "{refused}");
            fs::remove_file(from.join("bot").join(name)).unwrap();
        }
        let small = ArchiveLimits { bytes: 4, ..ArchiveLimits::UPLOAD };
        assert!(copy_upload(&from, &to, small).is_err() && !to.exists());
    }
}
