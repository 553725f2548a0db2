//! The log of a submission, which its team reads while it grows.

use arena::ArenaError;
use platform::locks::lock;
use players::process::BuildError;
use rules::printable;
use runner::{Report, Reporter};
use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The most of the output of builds that is told at once, in bytes.
const MOST_AT_ONCE: usize = 64 << 10;
/// The most of what comes after that, of which the end is told when the command ends, in bytes: errors stand there.
const MOST_OF_END: usize = 32 << 10;

/// A file with the steps of a submission, and what compilers say about it.
#[derive(Debug)]
pub(crate) struct BuildLog {
    path: PathBuf,
    written: Mutex<Written>,
    /// The paths of the bot's folder, which are not for its team.
    hidden: Vec<String>,
}

/// The log as far as it is written.
#[derive(Debug)]
struct Written {
    file: File,
    /// The bytes of output that were told at once.
    at_once: usize,
    /// The last lines of the output that came after that.
    end: VecDeque<String>,
    end_bytes: usize,
    /// The bytes of output that are told neither at once nor at the end.
    left_out: u64,
}

/// Adds a line to the log at this path, which nobody writes now. The attempt of which it tells may have broken off within a line.
pub fn add_to_log(path: &Path, line: &str) {
    let added = || {
        let begins_line = fs::read(path).is_ok_and(|log| log.last().is_none_or(|byte| *byte == b'\n'));
        let mut file = File::options().append(true).create(true).open(path)?;
        writeln!(file, "{}{line}", if begins_line { "" } else { "\n" })
    };
    if let Err(error) = added() {
        log::warn!("cannot write {}: {error}", path.display());
    }
}

impl BuildLog {
    /// A new log at this path, for the bot in a folder, which need not be there yet.
    ///
    /// # Errors
    /// The disk fails.
    pub(crate) fn new(path: &Path, bot: &Path) -> Result<BuildLog, ArenaError> {
        let file = File::create(path).map_err(|e| ArenaError::disk("write", path, e))?;
        let written = Written { file, at_once: 0, end: VecDeque::new(), end_bytes: 0, left_out: 0 };
        Ok(BuildLog { path: path.to_owned(), written: Mutex::new(written), hidden: paths_of(bot) })
    }

    /// A text without the path of the bot's folder.
    pub(crate) fn without_paths(&self, text: &str) -> String {
        without(text, &self.hidden)
    }

    /// Adds a text of one line or several. A disk that is full costs the log, not the submission.
    pub(crate) fn add(&self, text: &str) {
        let mut written = lock(&self.written);
        let mut lines = written.take_end();
        for line in self.without_paths(text).lines() {
            lines.push_str(&printable(&line.replace('\t', "    ")));
            lines.push('\n');
        }
        self.write(&mut written, &lines);
    }

    /// Adds a line that a compiler wrote.
    fn add_output(&self, line: &[u8]) {
        let line = printable(&self.without_paths(&String::from_utf8_lossy(line)).replace('\t', "    ")) + "\n";
        let mut written = lock(&self.written);
        if written.at_once + line.len() <= MOST_AT_ONCE {
            written.at_once += line.len();
            self.write(&mut written, &line);
        } else {
            if written.at_once < MOST_AT_ONCE {
                written.at_once = MOST_AT_ONCE;
                self.write(&mut written, "... the end of what it says from here on follows when it has ended ...\n");
            }
            written.keep_end(line);
        }
    }

    fn write(&self, written: &mut Written, text: &str) {
        if let Err(error) = written.file.write_all(text.as_bytes()) {
            log::warn!("cannot write {}: {error}", self.path.display());
        }
    }
}

impl Written {
    /// Keeps a line until the command ends, or until there are too many later ones.
    fn keep_end(&mut self, line: String) {
        self.end_bytes += line.len();
        self.end.push_back(line);
        while self.end_bytes > MOST_OF_END
            && let Some(first) = self.end.pop_front()
        {
            self.end_bytes -= first.len();
            self.left_out += first.len() as u64;
        }
    }

    /// The lines that were kept, and how much was left out before them.
    fn take_end(&mut self) -> String {
        let (left_out, end) = (std::mem::take(&mut self.left_out), std::mem::take(&mut self.end));
        self.end_bytes = 0;
        let gap = (left_out > 0).then(|| format!("... {left_out} bytes are left out here ...\n"));
        gap.into_iter().chain(end).collect()
    }
}

/// A text without the path of this folder, which is not for its team: files in it are told by their names.
pub fn without_folder(text: &str, folder: &Path) -> String {
    without(text, &paths_of(folder))
}

/// The paths by which a folder is known.
fn paths_of(folder: &Path) -> Vec<String> {
    // The folder itself may not be there yet. The real path may have the other one in it.
    let real = folder.parent().and_then(|above| Some(above.canonicalize().ok()?.join(folder.file_name()?)));
    real.iter().map(PathBuf::as_path).chain([folder]).map(|path| path.display().to_string()).collect()
}

fn without(text: &str, paths: &[String]) -> String {
    paths.iter().fold(text.to_owned(), |text, path| {
        if !text.contains(path) {
            return text;
        }
        text.replace(&format!("bot {path}: "), "").replace(&format!("{path}/"), "").replace(path, ".")
    })
}

impl Reporter for BuildLog {
    fn report(&self, report: &Report<'_>) {
        match report {
            Report::BuildNote(note) => self.add(&format!("note: {note}")),
            Report::BuildStep(command) => self.add(&format!("$ {command}")),
            Report::BuildOutput(line) => self.add_output(line),
            Report::BuildEnded(_, Ok(time)) => self.add(&format!("built in {:.1} s", time.as_secs_f64())),
            // Its output is here already.
            Report::BuildEnded(_, Err(BuildError::Failed { log, .. })) => drop(fs::remove_file(log)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_follows_what_was_broken_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.txt");
        for (before, after) in [("", "rejected\n"), ("$ make\n", "$ make\nrejected\n"), ("$ ma", "$ ma\nrejected\n")] {
            fs::write(&path, before).unwrap();
            add_to_log(&path, "rejected");
            assert_eq!(fs::read_to_string(&path).unwrap(), after);
        }
    }

    #[test]
    fn of_an_endless_output_the_beginning_and_the_end_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let (path, bot) = (folder.path().join("log.txt"), folder.path().join("bot"));
        let log = BuildLog::new(&path, &bot).unwrap();
        let lines = 100_000;
        for number in 0..lines {
            log.report(&Report::BuildOutput(format!("{}/a.c: line {number}\x1b[0m", bot.display()).as_bytes()));
        }
        let told = || fs::read_to_string(&path).unwrap();
        assert!(told().starts_with("a.c: line 0\u{fffd}[0m\na.c: line 1"), "at once");
        assert!(told().ends_with("follows when it has ended ...\n"), "{}", &told()[told().len() - 200..]);
        log.report(&Report::BuildStep("make"));
        let end = format!("a.c: line {}\u{fffd}[0m\n$ make\n", lines - 1);
        assert!(told().ends_with(&end) && told().contains(" bytes are left out here ...\n"), "{end}");
        assert!(told().len() < MOST_AT_ONCE + MOST_OF_END + 1000, "{}", told().len());
        log.report(&Report::BuildOutput(b"\tmore"));
        log.add("rejected");
        assert!(told().ends_with("$ make\n    more\nrejected\n"));
    }
}
