//! Copies of bots' folders: two games of one bot must not disturb each other, and what it writes in one game is not there
//! in the next.

use super::lineage::undisturbed;
use crate::content::is_tournament;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;
use walkdir::WalkDir;

/// Folders of version control, which no bot needs to run.
const LEFT_OUT: [&str; 3] = [".git", ".hg", ".svn"];

/// Copies a bot's folder to `to`, which is made. Links stay links. Histories and tournaments in it are left out.
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
            undisturbed(|| fs::copy(entry.path(), &target))?;
        }
    }
    Ok(())
}

/// How many bytes a copy would have; no more than a little above `most` are counted.
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
    use super::super::lineage::start_other;
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
