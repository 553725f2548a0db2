//! The log of a submission, which its team reads while it grows.

use arena::ArenaError;
use platform::locks::lock;
use players::process::BuildError;
use rules::printable;
use runner::{Report, Reporter};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The most of a compiler's output that is told, in bytes: its end, where errors stand.
const MOST_OF_OUTPUT: usize = 64 << 10;

/// A file with the steps of a submission, and what compilers say about it.
#[derive(Debug)]
pub(crate) struct BuildLog {
    path: PathBuf,
    file: Mutex<File>,
    /// The bot's folder, whose path is the server's own affair.
    bot: PathBuf,
}

impl BuildLog {
    /// A new log at this path, for the bot in a folder.
    ///
    /// # Errors
    /// The disk fails.
    pub(crate) fn new(path: &Path, bot: &Path) -> Result<BuildLog, ArenaError> {
        let file = File::create(path).map_err(|e| ArenaError::disk("write", path, e))?;
        Ok(BuildLog { path: path.to_owned(), file: Mutex::new(file), bot: bot.to_owned() })
    }

    /// A text without the path of the bot's folder.
    pub(crate) fn without_paths(&self, text: &str) -> String {
        without_folder(text, &self.bot)
    }

    /// Adds a text of one line or several. A disk that is full costs the log, not the submission.
    pub(crate) fn add(&self, text: &str) {
        let mut lines = String::new();
        for line in self.without_paths(text).lines() {
            lines.push_str(&printable(line));
            lines.push('\n');
        }
        if let Err(error) = lock(&self.file).write_all(lines.as_bytes()) {
            log::warn!("cannot write {}: {error}", self.path.display());
        }
    }

    fn add_output(&self, of: &Path) {
        let output = fs::read(of).unwrap_or_default();
        let end = &output[output.len().saturating_sub(MOST_OF_OUTPUT)..];
        let text = String::from_utf8_lossy(end);
        // The command is there already.
        let text = text.strip_prefix("$ ").and_then(|rest| rest.split_once('\n')).map_or(&*text, |(_, rest)| rest);
        self.add(text);
        // It is here now.
        let _ = fs::remove_file(of);
    }
}

/// A text without the path of this folder, which is the server's own affair: files in it are told by their names.
pub(crate) fn without_folder(text: &str, folder: &Path) -> String {
    // The folder itself may not be there yet. The real path may have the other one in it.
    let real = folder.parent().and_then(|above| Some(above.canonicalize().ok()?.join(folder.file_name()?)));
    let paths = real.iter().map(PathBuf::as_path).chain([folder]).map(|path| path.display().to_string());
    paths.fold(text.to_owned(), |text, path| {
        text.replace(&format!("bot {path}: "), "").replace(&format!("{path}/"), "").replace(&path, ".")
    })
}

impl Reporter for BuildLog {
    fn report(&self, report: &Report<'_>) {
        match report {
            Report::BuildNote(note) => self.add(&format!("note: {note}")),
            Report::BuildStep(command) => self.add(&format!("$ {command}")),
            Report::BuildEnded(_, Ok(time)) => self.add(&format!("built in {:.1} s", time.as_secs_f64())),
            Report::BuildEnded(_, Err(BuildError::Failed { log, .. })) => self.add_output(log),
            Report::LanguageTime(language, time) => {
                self.add(&format!(
                    "bots in {language} get {} ms more, because it takes them to start",
                    time.as_millis()
                ));
            }
            _ => {}
        }
    }
}
