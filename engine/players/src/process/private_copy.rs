//! Copies of bots' folders: two games of one bot do not disturb each other, and files that it writes in one game do not
//! exist in the next.

mod copy_hash;

use crate::content_hash::{is_stamp, is_tournament};
pub use copy_hash::copy_hash;
use platform::files::{bytes_on_disk, next_data, symlink};
use platform::process::without_spawning;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek};
use std::path::Path;
use walkdir::WalkDir;

/// The largest size of a bot's folder that is copied for games, in bytes.
const LARGEST_COPY: u64 = 256 << 20;
/// Folders of version control, which no bot needs to run.
const LEFT_OUT: [&str; 3] = [".git", ".hg", ".svn"];

/// Copies a bot's folder to `to`, which is created. Links stay links. Version control and tournaments in the folder are
/// left out, and what the engine notes of a build: the copy is not built.
///
/// # Errors
/// A file cannot be read or written; the copy is then incomplete.
pub fn copy_bot(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in entries(from) {
        let entry = entry?;
        let Ok(relative) = entry.path().strip_prefix(from) else { continue };
        let target = to.join(relative);
        let kind = entry.file_type();
        if kind.is_dir() {
            fs::create_dir(&target)?;
        } else if kind.is_symlink() {
            symlink(&fs::read_link(entry.path())?, &target)?;
        } else if kind.is_file() {
            without_spawning(|| copy_file(entry.path(), &target))?;
        }
    }
    Ok(())
}

/// Copies a file with its permissions. Holes stay holes: a small file may claim any length.
fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    let meta = from.metadata()?;
    if bytes_on_disk(&meta) >= meta.len() {
        return fs::copy(from, to).map(drop);
    }
    let (source, mut target) = (File::open(from)?, File::create(to)?);
    target.set_len(meta.len())?;
    target.set_permissions(meta.permissions())?;
    let mut at = 0;
    while let Some(data) = next_data(&source, at)? {
        target.seek(io::SeekFrom::Start(data.start))?;
        (&source).seek(io::SeekFrom::Start(data.start))?;
        io::copy(&mut (&source).take(data.end - data.start), &mut target)?;
        at = data.end;
    }
    Ok(())
}

/// The bytes of a file without its holes.
fn held(path: &Path, meta: &Metadata) -> io::Result<u64> {
    if !meta.is_file() || bytes_on_disk(meta) >= meta.len() {
        return Ok(meta.len());
    }
    let (file, mut bytes, mut at) = (File::open(path)?, 0, 0);
    while let Some(data) = next_data(&file, at)? {
        bytes += data.end - data.start;
        at = data.end;
    }
    Ok(bytes)
}

/// The size of a copy in bytes: what the files hold, not what they claim.
///
/// # Errors
/// A file cannot be examined.
pub(super) fn size_of_copy(from: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in entries(from) {
        let entry = entry?;
        bytes += held(entry.path(), &entry.metadata()?)?;
    }
    Ok(bytes)
}

/// All that is copied of a folder.
fn entries(from: &Path) -> impl Iterator<Item = walkdir::Result<walkdir::DirEntry>> {
    let walk = WalkDir::new(from).min_depth(1).into_iter();
    walk.filter_entry(|entry| {
        !LEFT_OUT.iter().any(|name| entry.file_name() == *name) && !is_tournament(entry) && !is_stamp(entry)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use platform::process::start_other;
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;
    use std::thread;

    #[test]
    fn a_copy_has_all_but_the_history_and_tournaments() {
        let root = tempfile::tempdir().unwrap();
        let (from, to) = (root.path().join("bot"), root.path().join("a/copy"));
        fs::create_dir_all(from.join("src")).unwrap();
        fs::create_dir_all(from.join(".git")).unwrap();
        fs::create_dir_all(from.join("event")).unwrap();
        fs::write(from.join("event/games.jsonl"), "x".repeat(100_000)).unwrap();
        fs::write(from.join("src/run"), "x").unwrap();
        fs::write(from.join(".git/large"), "x".repeat(1000)).unwrap();
        fs::set_permissions(from.join("src/run"), fs::Permissions::from_mode(0o755)).unwrap();
        symlink(Path::new("src/run"), &from.join("link")).unwrap();
        copy_bot(&from, &to).unwrap();
        assert_eq!(fs::metadata(to.join("src/run")).unwrap().permissions().mode() & 0o777, 0o755);
        assert_eq!(fs::read_link(to.join("link")).unwrap(), Path::new("src/run"));
        assert!(!to.join(".git").exists() && !to.join("event").exists());
        assert!(size_of_copy(&from).unwrap() < 10_000);
        assert!(copy_bot(&root.path().join("none"), &root.path().join("b")).is_err());
    }

    #[test]
    fn holes_are_not_filled_and_do_not_count() {
        let root = tempfile::tempdir().unwrap();
        let (from, to) = (root.path().join("bot"), root.path().join("copy"));
        fs::create_dir(&from).unwrap();
        let mut file = File::create(from.join("sparse")).unwrap();
        file.write_all(b"begin").unwrap();
        file.seek(io::SeekFrom::Start(1 << 20)).unwrap();
        file.write_all(b"middle").unwrap();
        file.set_len(1 << 40).unwrap();
        File::create(from.join("empty")).unwrap().set_len(1 << 30).unwrap();
        assert!(size_of_copy(&from).unwrap() < 1 << 18);
        copy_bot(&from, &to).unwrap();
        let mut copy = File::open(to.join("sparse")).unwrap();
        assert_eq!(copy.metadata().unwrap().len(), 1 << 40);
        assert!(bytes_on_disk(&copy.metadata().unwrap()) < 1 << 18);
        let mut at = |position, length| {
            let mut bytes = vec![1; length];
            copy.seek(io::SeekFrom::Start(position)).unwrap();
            copy.read_exact(&mut bytes).unwrap();
            bytes
        };
        assert_eq!((at(0, 6), at(1 << 20, 7)), (b"begin\0".to_vec(), b"middle\0".to_vec()));
        assert_eq!(fs::metadata(to.join("empty")).unwrap().len(), 1 << 30);
    }

    #[test]
    fn a_copy_can_be_executed_while_others_are_made() {
        let root = tempfile::tempdir().unwrap();
        let from = root.path().join("bot");
        fs::create_dir(&from).unwrap();
        fs::copy("/bin/true", from.join("run")).unwrap();
        let games = |thread: usize| {
            for game in 0..100 {
                let copy = root.path().join(format!("{thread} {game}"));
                copy_bot(&from, &copy).unwrap();
                let mut started = start_other(&mut Command::new(copy.join("run"))).unwrap();
                assert!(started.wait().unwrap().success());
            }
        };
        thread::scope(|scope| (0..8).for_each(|thread| drop(scope.spawn(move || games(thread)))));
    }
}
