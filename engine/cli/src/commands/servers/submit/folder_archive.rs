//! The folder of a bot as a tar.gz. A folder with the same files is the same archive, whenever and by whomever they were written.

use super::error::SubmitError;
use super::folder_parts::{Part, PartKind, parts};
use arena::ArenaError;
use flate2::Compression;
use flate2::write::GzEncoder;
use platform::files::{is_executable, open_regular};
use players::Manifest;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use tar::{Builder, EntryType, Header};

/// The most bytes of an archive.
pub(super) const MOST_BYTES: u64 = 20_000_000;
/// The number of files that are named when an archive is too large.
const NAMED: usize = 3;

/// A folder that is packed.
pub(super) struct FolderArchive {
    pub(super) bytes: Vec<u8>,
    /// The number of files and links in it.
    pub(super) files: usize,
    /// The paths in the folder of files and folders that were left out.
    pub(super) left_out: Vec<PathBuf>,
}

impl FolderArchive {
    /// Packs the folder of a bot.
    ///
    /// # Errors
    /// There is no bot in it, or something that cannot be packed, or it is too large. Or the disk fails.
    pub(super) fn pack(folder: &Path) -> Result<FolderArchive, SubmitError> {
        FolderArchive::of(&Manifest::read(folder)?.folder, MOST_BYTES)
    }

    /// Packs this folder, whose path has no links in it, to at most this many bytes.
    fn of(folder: &Path, most: u64) -> Result<FolderArchive, SubmitError> {
        let (parts, left_out) = parts(folder)?;
        let mut builder =
            Builder::new(GzEncoder::new(LimitedBytes { bytes: Vec::new(), most }, Compression::default()));
        let written = parts.iter().try_for_each(|part| add(&mut builder, folder, part));
        let finished = written.and_then(|()| {
            let failed = |e| SubmitError::from(ArenaError::disk("pack", folder, e));
            builder.into_inner().and_then(GzEncoder::finish).map_err(failed)
        });
        let bytes = match finished {
            Ok(limited) => limited.bytes,
            Err(SubmitError::Engine(ArenaError::Disk { source, .. })) if source.kind() == ErrorKind::FileTooLarge => {
                return Err(SubmitError::TooLarge { folder: folder.to_owned(), largest: largest(&parts) });
            }
            Err(error) => return Err(error),
        };
        let files = parts.iter().filter(|part| !matches!(part.kind, PartKind::Folder)).count();
        Ok(FolderArchive { bytes, files, left_out })
    }
}

/// Adds a part to an archive, without its owner and time.
fn add(builder: &mut Builder<impl Write>, folder: &Path, part: &Part) -> Result<(), SubmitError> {
    let path = folder.join(&part.name);
    let failed = |e| SubmitError::from(ArenaError::disk("pack", &path, e));
    let mut header = Header::new_gnu();
    header.set_mtime(0);
    header.set_uid(0);
    header.set_gid(0);
    header.set_size(0);
    header.set_mode(0o755);
    match &part.kind {
        PartKind::Folder => {
            header.set_entry_type(EntryType::Directory);
            builder.append_data(&mut header, &part.name, io::empty()).map_err(failed)
        }
        PartKind::Link { target } => {
            header.set_entry_type(EntryType::Symlink);
            builder.append_link(&mut header, &part.name, target).map_err(failed)
        }
        PartKind::File { .. } => {
            let file = open_regular(&path).map_err(failed)?;
            let metadata = file.metadata().map_err(failed)?;
            header.set_entry_type(EntryType::Regular);
            header.set_size(metadata.len());
            header.set_mode(if is_executable(&metadata) { 0o755 } else { 0o644 });
            let mut content = file.take(metadata.len());
            builder.append_data(&mut header, &part.name, &mut content).map_err(failed)?;
            // The header says how many bytes there are.
            if content.limit() == 0 { Ok(()) } else { Err(SubmitError::Changed(path)) }
        }
    }
}

/// The largest files, each with its size.
fn largest(parts: &[Part]) -> Vec<String> {
    let sized = |part: &Part| match part.kind {
        PartKind::File { bytes } => Some((bytes, part.name.display().to_string())),
        _ => None,
    };
    let mut files: Vec<(u64, String)> = parts.iter().filter_map(sized).collect();
    files.sort_by(|(one, _), (other, _)| other.cmp(one));
    files.into_iter().take(NAMED).map(|(bytes, name)| format!("{name} ({})", size(bytes))).collect()
}

/// A number of bytes in words.
pub(super) fn size(bytes: u64) -> String {
    let (number, unit) = match bytes {
        0..1_000 => return rules::counted(bytes as u32, "byte"),
        1_000..1_000_000 => (bytes as f64 / 1e3, "kB"),
        _ => (bytes as f64 / 1e6, "MB"),
    };
    format!("{} {unit}", format!("{number:.1}").trim_end_matches(".0"))
}

/// Bytes in memory, up to a limit.
struct LimitedBytes {
    bytes: Vec<u8>,
    most: u64,
}

impl Write for LimitedBytes {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        if (self.bytes.len() + more.len()) as u64 > self.most {
            return Err(ErrorKind::FileTooLarge.into());
        }
        self.bytes.write(more)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use archives::{ArchiveLimits, unpack_upload};
    use flate2::read::GzDecoder;
    use platform::files::{make_executable, symlink};
    use std::fs::{self, File, FileTimes};
    use std::os::unix::fs::PermissionsExt;
    use std::time::SystemTime;
    use tempfile::TempDir;

    const MANIFEST: &str = r#"{"NickName": "Kraken", "BotType": "Python3", "RunFile": "bot.py"}"#;

    /// A folder with these empty files, a bot.json and a bot.py.
    fn folder(files: &[&str]) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("bot.json"), MANIFEST).unwrap();
        fs::write(folder.path().join("bot.py"), "print()").unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        folder
    }

    fn packed(folder: &TempDir) -> FolderArchive {
        FolderArchive::pack(folder.path()).unwrap()
    }

    /// The names in an archive, in their order.
    fn names(archive: &FolderArchive) -> Vec<String> {
        let mut archive = tar::Archive::new(GzDecoder::new(&archive.bytes[..]));
        archive.entries().unwrap().map(|entry| entry.unwrap().path().unwrap().display().to_string()).collect()
    }

    #[test]
    fn the_same_files_are_the_same_archive_whoever_wrote_them_and_when() {
        let long = format!("deep/{}/file", "long".repeat(40));
        let (one, other) = (folder(&["b", "a", &long]), folder(&[&long, "a", "b"]));
        let bot = |folder: &TempDir| folder.path().join("bot.py");
        for (folder, mode) in [(&one, 0o700), (&other, 0o755)] {
            fs::set_permissions(bot(folder), fs::Permissions::from_mode(mode)).unwrap();
            symlink(Path::new("bot.py"), &folder.path().join("link")).unwrap();
        }
        fs::set_permissions(one.path().join("a"), fs::Permissions::from_mode(0o600)).unwrap();
        File::open(bot(&one)).unwrap().set_times(FileTimes::new().set_modified(SystemTime::UNIX_EPOCH)).unwrap();
        let (one, other) = (packed(&one), packed(&other));
        assert!(one.bytes == other.bytes);
        assert_eq!((one.files, one.left_out.len()), (6, 0));
        let mut archive = tar::Archive::new(GzDecoder::new(&one.bytes[..]));
        for entry in archive.entries().unwrap() {
            let entry = entry.unwrap();
            let header = entry.header();
            assert_eq!((header.mtime().unwrap(), header.uid().unwrap(), header.gid().unwrap()), (0, 0, 0));
            let name = entry.path().unwrap().display().to_string();
            let mode = if ["a", "b", "bot.json"].contains(&&*name) || name.ends_with("file") { 0o644 } else { 0o755 };
            assert_eq!(header.mode().unwrap(), mode, "{name}");
        }
        let names = names(&one);
        assert_eq!(names[..5], ["a", "b", "bot.json", "bot.py", "deep"]);
        assert_eq!(names[6..], [long.as_str(), "link"]);
    }

    #[test]
    fn a_server_unpacks_what_was_packed() {
        let from = folder(&["deep/er/file", "run.sh"]);
        make_executable(&from.path().join("run.sh")).unwrap();
        fs::create_dir(from.path().join("empty")).unwrap();
        symlink(Path::new("../../bot.py"), &from.path().join("deep/er/link")).unwrap();
        let to = tempfile::tempdir().unwrap();
        let archive = to.path().join("bot.tar.gz");
        fs::write(&archive, packed(&from).bytes).unwrap();
        let to = to.path().join("bot");
        unpack_upload(&archive, &to, ArchiveLimits::UPLOAD).unwrap();
        assert_eq!(fs::read_to_string(to.join("deep/er/link")).unwrap(), "print()");
        assert!(to.join("empty").is_dir() && to.join("deep/er/file").is_file());
        assert_eq!(FolderArchive::of(&fs::canonicalize(&from).unwrap(), MOST_BYTES).unwrap().files, 5);
    }

    #[test]
    fn a_folder_needs_a_bot() {
        let nothing = tempfile::tempdir().unwrap();
        let refused = FolderArchive::pack(nothing.path()).err().unwrap();
        assert!(refused.to_string().starts_with("there is no bot.json in "));
        assert!(refused.hint().unwrap().starts_with("write one: "));
    }

    #[test]
    fn an_archive_that_is_too_large_is_told_with_the_largest_files() {
        let folder = folder(&[]);
        // Numbers that no compression makes smaller by much.
        let mut state = 1_u64;
        let mut noise = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        };
        for (name, bytes) in [("small", 100), ("third", 20_000), ("first", 50_000), ("second", 30_500)] {
            fs::write(folder.path().join(name), (0..bytes).map(|_| noise()).collect::<Vec<u8>>()).unwrap();
        }
        let path = fs::canonicalize(&folder).unwrap();
        let told = FolderArchive::of(&path, 100_000).err().unwrap().to_string();
        assert!(told.ends_with("; the largest files are first (50 kB), second (30.5 kB), third (20 kB)"), "{told}");
        assert!(FolderArchive::of(&path, 110_000).is_ok());
    }
}
