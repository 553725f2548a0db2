//! Files that a user names, opened so that a FIFO or a device cannot block the program.

use super::regular::is_of_kernel;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Error, ErrorKind};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

/// The longest wait for the first byte of a FIFO.
const PATIENCE: Duration = Duration::from_secs(10);

/// Opens a regular file for reading, or a FIFO that somebody writes to: `/dev/stdin` in a pipeline, and the file that a
/// shell makes of `<(zstdcat match.jsonl.zst)`. For files that the user names; use [`open_regular`] for files that are
/// found in a folder.
///
/// # Errors
/// As [`open_regular`], but a FIFO is an error only if nothing is written to it for ten seconds.
pub fn open_input(path: &Path) -> io::Result<File> {
    open_within(path, PATIENCE)
}

/// Opens a regular file for reading. Never waits for the writer of a FIFO.
///
/// # Errors
/// The file cannot be opened, or it is not a regular file but a folder, a FIFO, a socket, a device or a file of procfs or sysfs; the
/// error says which.
pub fn open_regular(path: &Path) -> io::Result<File> {
    open_within(path, Duration::ZERO)
}

fn open_within(path: &Path, patience: Duration) -> io::Result<File> {
    // NONBLOCK: opening a FIFO must not wait for a writer.
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = File::options().read(true).custom_flags(flags.bits().cast_signed()).open(path)?;
    let refuse = |what: &str| Err(Error::new(ErrorKind::InvalidInput, format!("it is {what}, not a regular file")));
    let kind = file.metadata()?.file_type();
    if kind.is_fifo() && !patience.is_zero() {
        let until = Instant::now() + patience;
        let ready = loop {
            let left = until.saturating_duration_since(Instant::now());
            let left = Timespec::try_from(left).map_err(Error::other)?;
            match poll(&mut [PollFd::new(&file, PollFlags::IN)], Some(&left)) {
                Err(Errno::INTR) => {}
                ready => break ready?,
            }
        };
        if ready == 0 {
            return refuse("a FIFO that nothing is written to");
        }
    } else if !kind.is_file() {
        return refuse(match kind {
            _ if kind.is_dir() => "a folder",
            _ if kind.is_fifo() => "a FIFO",
            _ if kind.is_socket() => "a socket",
            _ => "a device",
        });
    } else if is_of_kernel(&file)? {
        return refuse("a file that the kernel makes (procfs, sysfs)");
    }
    fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    use std::io::{Read as _, Write as _};
    use std::thread;

    fn fifo(folder: &Path) -> std::path::PathBuf {
        let path = folder.join("fifo");
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        path
    }

    #[test]
    fn a_fifo_without_a_writer_does_not_block() {
        let folder = tempfile::tempdir().unwrap();
        let path = fifo(folder.path());
        let why = |opened: io::Result<File>| opened.unwrap_err().to_string();
        assert_eq!(why(open_regular(&path)), "it is a FIFO, not a regular file");
        let brief = Duration::from_millis(1);
        assert_eq!(why(open_within(&path, brief)), "it is a FIFO that nothing is written to, not a regular file");
        assert_eq!(why(open_input(folder.path())), "it is a folder, not a regular file");
        assert_eq!(why(open_input(Path::new("/dev/zero"))), "it is a device, not a regular file");
    }

    #[test]
    fn a_fifo_with_a_writer_is_read_to_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = fifo(folder.path());
        let text = "line\n".repeat(50_000);
        let writer = thread::spawn({
            let (path, text) = (path.clone(), text.clone());
            move || File::options().write(true).open(path).unwrap().write_all(text.as_bytes()).unwrap()
        });
        let mut found = String::new();
        open_input(&path).unwrap().read_to_string(&mut found).unwrap();
        writer.join().unwrap();
        assert!(found == text, "{} bytes", found.len());
    }
}
