//! A journal: a file of JSON lines that only grows, written by one program at a time.
//!
//! Tournaments, the tournament server and Salvo's server keep their journals with it, and a record that grows over
//! several runs of a server is continued with it.

use crate::folder_lock::lock_folder;
use crate::{ArenaError, JournalError, open_input};
use platform::files::{LockFile, close_to_others, open_private, try_lock, unlock, without_link};
use rules::{EncodingError, input_text, without_mark};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// The longest line, in bytes, with its end. Longer ones are neither written nor read: a file of somebody else's may have
/// lines without an end.
const MOST_OF_LINE: usize = 1 << 20;

/// A kind of journal.
///
/// With a header, the first line is an object that begins with the keys `line`, `format` and `version`, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JournalFormat {
    /// Its name for people, such as `journal of a tournament`.
    pub title: &'static str,
    /// The marks of its first line; `None` if its lines are all alike.
    pub header: Option<JournalHeader>,
    /// True if only the present user may read the file.
    pub private: bool,
}

/// The marks of a journal's first line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JournalHeader {
    /// The value of `line`.
    pub line: &'static str,
    /// The value of `format`.
    pub format: &'static str,
    /// The version that is written, and the newest that is read.
    pub version: u32,
}

/// A journal that is open for writing. No other program can open it or another journal in its folder meanwhile.
///
/// ```
/// use arena::{Journal, JournalFormat};
///
/// let format = JournalFormat { title: "list of words", header: None, private: false };
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("words.jsonl");
/// let mut journal = Journal::open(&path, format)?;
/// journal.append(&"one")?;
/// journal.append(&"two")?;
/// journal.sync()?;
/// drop(journal);
///
/// // The next program reads the lines, and continues.
/// let mut words: Vec<String> = Vec::new();
/// let mut journal = Journal::open(&path, format)?;
/// journal.resume(|word, _bytes| Ok(words.push(word)))?;
/// assert_eq!(words, ["one", "two"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    format: JournalFormat,
    length: u64,
    cut_off: u64,
    unsynced: bool,
    _lock: LockFile,
}

impl Drop for Journal {
    fn drop(&mut self) {
        // As of a lock file: a process that another thread starts at this moment would hold the lock until it runs its program.
        let _ = unlock(&self.file);
    }
}

impl Journal {
    /// Opens the journal at `path` and locks its folder. A missing file is created, with its folders.
    ///
    /// # Errors
    /// [`JournalError::Locked`] if another program keeps a journal in the folder; the path is a link; a failure of the disk.
    pub fn open(path: &Path, format: JournalFormat) -> Result<Journal, ArenaError> {
        let failed = |doing| move |e: io::Error| ArenaError::disk(doing, path, e);
        let folder = path.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder).map_err(|e| ArenaError::disk("make the folder", folder, e))?;
        let lock = lock_folder(folder)?;
        let mut options = File::options();
        without_link(options.read(true).append(true).create(true));
        let file = if format.private { open_private(&mut options, path) } else { options.open(path) };
        let is_link = || fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
        let refused =
            || io::Error::new(io::ErrorKind::InvalidInput, "it is a link, not a regular file; put the file there");
        let file = file.map_err(|error| if is_link() { refused() } else { error });
        let file = file.map_err(failed("open"))?;
        if format.private {
            close_to_others(&file).map_err(failed("close to others"))?;
        }
        let metadata = file.metadata().map_err(failed("read"))?;
        if !metadata.is_file() {
            return Err(failed("open")(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")));
        }
        // Somebody may have removed the lock file, and older programs lock the journal only.
        if !try_lock(&file).map_err(failed("lock"))? {
            return Err(JournalError::Locked("another program".to_owned()).of(folder));
        }
        let length = metadata.len();
        Ok(Journal { path: path.to_owned(), file, format, length, cut_off: 0, unsynced: false, _lock: lock })
    }

    /// Gives all whole lines to `each`, with their lengths in bytes, and removes an incomplete line at the end. A journal
    /// that was cut off within its first line is empty afterwards.
    ///
    /// # Errors
    /// [`JournalError::Foreign`], [`JournalError::Newer`], or [`JournalError::Line`] for a line that cannot be read or
    /// that `each` refuses. The file is not changed then. A failure of the disk.
    pub fn resume<L: DeserializeOwned>(
        &mut self,
        each: impl FnMut(L, u64) -> Result<(), String>,
    ) -> Result<(), ArenaError> {
        self.file.rewind().map_err(|e| ArenaError::disk("read", &self.path, e))?;
        self.cut_off = read_lines(&self.file, &self.path, self.format, each)?;
        if self.cut_off > 0 { self.cut(self.length - self.cut_off) } else { Ok(()) }
    }

    /// Makes `lines` the content of the file. The beginning that both have in common is not written again.
    ///
    /// # Errors
    /// The disk fails.
    pub fn resume_after(&mut self, lines: &[u8]) -> Result<(), ArenaError> {
        let failed = |e| ArenaError::disk("read", &self.path, e);
        self.file.rewind().map_err(failed)?;
        let mut present = Vec::new();
        (&self.file).take(lines.len() as u64).read_to_end(&mut present).map_err(failed)?;
        let common = present.iter().zip(lines).take_while(|(one, other)| one == other).count();
        self.cut(common as u64)?;
        self.append_bytes(&lines[common..])
    }

    /// Reads the journal at `path`, which another program may write meanwhile. Gives all whole lines to `each`, with their
    /// lengths in bytes. An incomplete line at the end is left out.
    ///
    /// # Errors
    /// As [`Journal::resume`]; [`JournalError::Foreign`] also if the first line is missing or incomplete.
    pub fn read<L: DeserializeOwned>(
        path: &Path,
        format: JournalFormat,
        mut each: impl FnMut(L, u64) -> Result<(), String>,
    ) -> Result<(), ArenaError> {
        let file = open_input(path).map_err(|e| ArenaError::disk("read", path, e))?;
        let mut is_empty = true;
        read_lines(&file, path, format, |line, bytes| {
            is_empty = false;
            each(line, bytes)
        })?;
        match format.header {
            Some(_) if is_empty => Err(JournalError::Foreign(format.title).of(path)),
            _ => Ok(()),
        }
    }

    /// Adds a line, or nothing at all if that fails.
    ///
    /// # Errors
    /// [`JournalError::TooLong`]; a failure of the disk.
    pub fn append(&mut self, line: &impl Serialize) -> Result<(), ArenaError> {
        let mut text = serde_json::to_vec(line).expect("lines have string keys and numbers that are finite");
        text.push(b'\n');
        if text.len() > MOST_OF_LINE {
            return Err(JournalError::TooLong { bytes: text.len(), most: MOST_OF_LINE }.of(&self.path));
        }
        self.append_bytes(&text)
    }

    /// Adds a line and waits until it is on the disk. A line for which that fails is removed again: the journal holds only
    /// what took effect. If the removal fails as well, the next line reports it.
    ///
    /// # Errors
    /// As [`Journal::append`].
    pub fn append_durably(&mut self, line: &impl Serialize) -> Result<(), ArenaError> {
        let before = self.length;
        self.append(line).and_then(|()| self.sync()).inspect_err(|_| {
            let _ = self.cut(before);
        })
    }

    /// Adds whole lines that are text already, or nothing at all if that fails.
    ///
    /// # Errors
    /// The disk fails.
    pub fn append_bytes(&mut self, lines: &[u8]) -> Result<(), ArenaError> {
        self.unsynced = true;
        if let Err(error) = self.file.write_all(lines) {
            // Half a line would spoil the next one.
            let _ = self.cut(self.length);
            return Err(ArenaError::disk("write", &self.path, error));
        }
        self.length += lines.len() as u64;
        Ok(())
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// The disk fails.
    pub fn sync(&mut self) -> Result<(), ArenaError> {
        if std::mem::take(&mut self.unsynced) {
            self.file.sync_data().map_err(|e| ArenaError::disk("write", &self.path, e))?;
        }
        Ok(())
    }

    /// Marks the journal as one of this version, in its first line and on the disk, so that a program that knows only older versions
    /// refuses it. Does nothing if the journal is of that version or a newer one. Both versions are written with one digit: the
    /// change of one byte cannot be torn.
    ///
    /// # Errors
    /// [`JournalError::Foreign`] for a journal without marks; a failure of the disk.
    pub fn raise_version(&mut self, version: u32) -> Result<(), ArenaError> {
        let foreign = || JournalError::Foreign(self.format.title).of(&self.path);
        let JournalHeader { line, format, .. } = self.format.header.ok_or_else(foreign)?;
        let begin = format!(r#"{{"line":"{line}","format":"{format}","version":"#);
        let digit = char::from_digit(version, 10).ok_or_else(foreign)? as u8;
        let mut marks = vec![0; "\u{feff}".len() + begin.len() + 2];
        let read = self.file.rewind().and_then(|()| (&self.file).read_exact(&mut marks));
        read.map_err(|e| ArenaError::disk("read", &self.path, e))?;
        let at = marks.len() - without_mark(&marks).len();
        let marks = &marks[at..at + begin.len() + 2];
        match marks.strip_prefix(begin.as_bytes()) {
            Some([present, b',' | b'}']) if present.is_ascii_digit() && *present >= digit => return Ok(()),
            Some([present, b',' | b'}']) if present.is_ascii_digit() => {}
            _ => return Err(foreign()),
        }
        // What the journal's own descriptor writes goes to the end.
        let mut file =
            File::options().write(true).open(&self.path).map_err(|e| ArenaError::disk("open", &self.path, e))?;
        let written = file.seek(io::SeekFrom::Start((at + begin.len()) as u64)).and_then(|_| file.write_all(&[digit]));
        let written = written.and_then(|()| file.sync_data());
        written.map_err(|e| ArenaError::disk("write", &self.path, e))
    }

    fn cut(&mut self, length: u64) -> Result<(), ArenaError> {
        self.file.set_len(length).map_err(|e| ArenaError::disk("repair", &self.path, e))?;
        self.length = length;
        Ok(())
    }

    /// The path of the journal.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The length of the journal in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The bytes of an incomplete last line that [`Journal::resume`] has removed; 0 if the last line was whole.
    pub fn cut_off(&self) -> u64 {
        self.cut_off
    }
}

/// Gives the whole lines of a file to `each`. Gives the number of bytes of an incomplete line at the end.
fn read_lines<L: DeserializeOwned>(
    file: &File,
    path: &Path,
    format: JournalFormat,
    mut each: impl FnMut(L, u64) -> Result<(), String>,
) -> Result<u64, ArenaError> {
    let mut file = BufReader::new(file);
    let mut text = Vec::new();
    for line in 1.. {
        text.clear();
        let length = file.by_ref().take(MOST_OF_LINE as u64).read_until(b'\n', &mut text);
        let length = length.map_err(|e| ArenaError::disk("read", path, e))?;
        if line == 1 {
            // An editor may have saved the file.
            if let Err(error @ EncodingError::Wide(_)) = input_text(&text) {
                return Err(JournalError::Line(1, error.to_string()).of(path));
            }
            text.drain(..text.len() - without_mark(&text).len());
        }
        if let Some(header) = format.header.filter(|_| line == 1) {
            header.check(&text, format.title).map_err(|e| e.of(path))?;
        }
        if !text.ends_with(b"\n") && length < MOST_OF_LINE {
            return Ok(length as u64);
        }
        let parsed = if !text.ends_with(b"\n") {
            Err(format!("it is longer than {MOST_OF_LINE} bytes"))
        } else if text.trim_ascii().is_empty() {
            Err("it is blank: remove it".to_owned())
        } else {
            serde_json::from_slice(&text).map_err(|e| rules::json_mistake(&e))
        };
        let taken = parsed.and_then(|parsed| each(parsed, length as u64));
        taken.map_err(|what| JournalError::Line(line, what).of(path))?;
    }
    unreachable!("every file has an end")
}

impl JournalHeader {
    /// Checks the first line, which may be incomplete.
    fn check(self, text: &[u8], title: &'static str) -> Result<(), JournalError> {
        #[derive(serde::Deserialize)]
        struct Marks {
            format: String,
            version: u32,
        }
        let JournalHeader { line, format, version: known } = self;
        if !text.ends_with(b"\n") {
            let begin = format!(r#"{{"line":"{line}","format":"{format}","version":"#);
            let is_begun = text.starts_with(begin.as_bytes()) || begin.as_bytes().starts_with(text);
            return if is_begun { Ok(()) } else { Err(JournalError::Foreign(title)) };
        }
        match serde_json::from_slice(text) {
            Ok(Marks { format: found, version }) if found == format && version > known => {
                Err(JournalError::Newer { version, known })
            }
            Ok(Marks { format: found, .. }) if found == format => Ok(()),
            _ => Err(JournalError::Foreign(title)),
        }
    }
}
