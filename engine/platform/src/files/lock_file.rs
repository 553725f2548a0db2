//! A lock file: a file that a program holds for as long as it lives, with a text about the holder.

use super::{try_lock, unlock};
use rustix::fs::OFlags;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// The most bytes of the text about a holder that are read.
const MOST_OF_HOLDER: u64 = 1024;

/// A lock file that this program holds. The kernel ends the lock with the process, also with one that is killed. The file itself
/// means nothing then; one that is left behind is taken over.
#[derive(Debug)]
pub struct LockFile {
    path: PathBuf,
    file: File,
}

impl LockFile {
    /// Locks the file at `path` and writes the text `holder` to it. A missing file is created. If another program holds it, its
    /// text is given as the inner error; the text is empty if that program has not written it yet.
    ///
    /// # Errors
    /// The path leads to something that is not a regular file, the file system has no locks, or the disk fails.
    pub fn take(path: &Path, holder: &str) -> io::Result<Result<LockFile, String>> {
        let mut options = File::options();
        // Somebody else may have put a link or a FIFO there.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        options.read(true).write(true).create(true).truncate(false).custom_flags(flags.bits() as i32);
        loop {
            let file = options.open(path)?;
            let metadata = file.metadata()?;
            // The text would take the place of what another name of the file has.
            if !metadata.is_file() || metadata.nlink() > 1 {
                let what = "it is not a regular file of one name";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
            }
            if !try_lock(&file)? {
                let mut text = Vec::new();
                file.take(MOST_OF_HOLDER).read_to_end(&mut text)?;
                return Ok(Err(String::from_utf8_lossy(&text).into_owned()));
            }
            let identity = |metadata: &fs::Metadata| (metadata.dev(), metadata.ino());
            // The holder before may have removed the file after it was opened here.
            if fs::symlink_metadata(path).is_ok_and(|present| identity(&present) == identity(&metadata)) {
                // The lock counts, and not the text, for which a full disk has no room.
                let _ = file.set_len(0).and_then(|()| (&file).write_all(holder.as_bytes()));
                return Ok(Ok(LockFile { path: path.to_owned(), file }));
            }
        }
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
        // A process that another thread starts at this moment has a copy of the descriptor until it runs its program, and the lock
        // would last as long.
        let _ = unlock(&self.file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;

    #[test]
    fn a_lock_file_says_who_holds_it_and_goes_with_its_holder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        // A program that was killed has left it.
        fs::write(&path, "somebody who is gone").unwrap();
        let held = LockFile::take(&path, "the first").unwrap().unwrap();
        assert_eq!(LockFile::take(&path, "the second").unwrap().unwrap_err(), "the first");
        drop(held);
        assert!(!path.exists());
        assert!(LockFile::take(&path, "the second").unwrap().is_ok());
        symlink(folder.path().join("elsewhere"), &path).unwrap();
        assert!(LockFile::take(&path, "the third").is_err());
        assert!(!folder.path().join("elsewhere").exists());
        fs::remove_file(&path).unwrap();
        let precious = folder.path().join("precious");
        fs::write(&precious, "text").unwrap();
        fs::hard_link(&precious, &path).unwrap();
        assert!(LockFile::take(&path, "the fourth").is_err());
        assert_eq!(fs::read_to_string(&precious).unwrap(), "text");
    }

    #[test]
    fn one_at_a_time_holds_a_lock_file_that_is_removed_again_and_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let holders = AtomicU32::new(0);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let Ok(held) = LockFile::take(&path, "a thread").unwrap() else { continue };
                        assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                        holders.fetch_sub(1, Ordering::SeqCst);
                        drop(held);
                    }
                });
            }
        });
    }
}
