//! Copies of bots' folders: two games of one bot do not disturb each other, and files that it writes in one game do not
//! exist in the next.

use super::process_tree::without_spawning;
use crate::content::is_tournament;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;
use walkdir::WalkDir;

/// Folders of version control, which no bot needs to run.
const LEFT_OUT: [&str; 3] = [".git", ".hg", ".svn"];

/// Copies a bot's folder to `to`, which is created. Links stay links. Version control and tournaments in the folder are
/// left out.
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
            symlink(fs::read_link(entry.path())?, &target)?;
        } else if kind.is_file() {
            without_spawning(|| fs::copy(entry.path(), &target))?;
        }
    }
    Ok(())
}

/// The size of a copy in bytes. Counting stops a little above `most`.
///
/// # Errors
/// A file cannot be examined.
pub fn size_of_copy(from: &Path, most: u64) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in entries(from) {
        bytes += entry?.metadata()?.len();
        if bytes > most {
            break;
        }
    }
    Ok(bytes)
}

fn entries(from: &Path) -> impl Iterator<Item = walkdir::Result<walkdir::DirEntry>> {
    let walk = WalkDir::new(from).min_depth(1).into_iter();
    walk.filter_entry(|entry| !LEFT_OUT.iter().any(|name| entry.file_name() == *name) && !is_tournament(entry))
}

#[cfg(test)]
mod tests {
    use super::super::process_tree::start_other;
    use super::*;
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
        symlink("src/run", from.join("link")).unwrap();
        copy_bot(&from, &to).unwrap();
        assert_eq!(fs::metadata(to.join("src/run")).unwrap().permissions().mode() & 0o777, 0o755);
        assert_eq!(fs::read_link(to.join("link")).unwrap(), Path::new("src/run"));
        assert!(!to.join(".git").exists() && !to.join("event").exists());
        assert!(size_of_copy(&from, 1 << 20).unwrap() < 10_000);
        assert!(copy_bot(&root.path().join("none"), &root.path().join("b")).is_err());
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
