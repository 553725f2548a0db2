//! Advice about a bot that ended badly: what would have helped it.

use super::program::Program;
use super::program_host::ProgramHost;
use arena::{RunReport, error_line};
use players::process::Build;
use std::fmt;
use std::path::Path;

/// The flags of the command line with which a bot is built that lacks its build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuildFlags {
    /// `-f`
    Plain,
    /// `-f --build-network`
    Networked,
}

impl fmt::Display for BuildFlags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BuildFlags::Plain => "-f",
            BuildFlags::Networked => "-f --build-network",
        })
    }
}

/// Advice about a bot that ended badly in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Advice {
    /// To build it with these flags: it lacks something that building it would bring, such as packages that its project names.
    Build(BuildFlags),
    /// To keep to what the sandbox allows, which probably refused it something: its error names it by this path, if by one.
    Sandbox(Option<String>),
    /// To name its files from its own folder, in which it runs: no file was found by this relative path.
    NotFound(String),
}

impl ProgramHost {
    /// The advice for a bot that ended so, if there is one.
    pub(crate) fn advice(&self, program: &Program, run: &RunReport) -> Option<Advice> {
        if run.end.is_success() {
            return None;
        }
        let lines = run.stderr.lines();
        if !self.are_rebuilt && Build::would_help(&program.manifest, &lines.join("\n")) {
            return Some(Advice::Build(match self.are_builds_offline && Build::may_download(&program.manifest) {
                true => BuildFlags::Networked,
                false => BuildFlags::Plain,
            }));
        }
        let refused = self.sandbox().and_then(|_| refused_by_sandbox(&lines, &program.folder));
        refused.or_else(|| not_found(&lines))
    }
}

/// The advice for a bot in a sandbox with this report of a crash, if it was refused something there. A file of the bot itself is
/// where its error was.
fn refused_by_sandbox(lines: &[String], bot: &Path) -> Option<Advice> {
    const SIGNS: [&str; 7] = [
        "Read-only file system",
        "read-only file system",
        "Permission denied",
        "permission denied",
        "Operation not permitted",
        "operation not permitted",
        "UnauthorizedAccessException",
    ];
    let line = error_line(lines).filter(|line| SIGNS.iter().any(|sign| line.contains(sign)))?;
    let refused = words_of(line).rfind(|word| word.contains('/') && !Path::new(word).starts_with(bot));
    Some(Advice::Sandbox(refused.map(str::to_owned)))
}

/// The advice for a bot with this report of a crash, if it found no file by a relative path.
fn not_found(lines: &[String]) -> Option<Advice> {
    const SIGNS: [&str; 3] = ["no such file or directory", "nosuchfileexception", "could not find file"];
    let line = error_line(lines).filter(|line| SIGNS.iter().any(|sign| line.to_lowercase().contains(sign)))?;
    // Words with a point are also names of errors, the place in the code (`bot.rb:3:in`, `bot.pl line 3.`) and numbers.
    let is_path = |word: &&str| {
        let is_other = word.contains([':', '(', '\\']) || word.ends_with("Exception") || word.ends_with("Error");
        word.contains(['/', '.']) && word.contains(char::is_alphabetic) && !word.starts_with('/') && !is_other
    };
    let path = words_of(line).rfind(is_path)?;
    Some(Advice::NotFound(path.to_owned()))
}

/// The words of a report, without what stands around them.
fn words_of(line: &str) -> impl DoubleEndedIterator<Item = &str> {
    const AROUND: [char; 11] = ['\'', '"', '`', '(', ')', '[', ']', ',', ':', ';', '.'];
    line.split_whitespace().map(|word| word.trim_end_matches(AROUND).trim_start_matches(&AROUND[..10]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_a_relative_path_does_not_find_is_known_by_the_words_of_the_system() {
        let advice = |line: &str| not_found(&["Traceback:".to_owned(), line.to_owned()]);
        for line in [
            "FileNotFoundError: [Errno 2] No such file or directory: 'data/a.txt'",
            "Error: ENOENT: no such file or directory, open 'data/a.txt'",
            "java.nio.file.NoSuchFileException: data/a.txt",
            "bot.rb:3:in `initialize': No such file or directory @ rb_sysopen - data/a.txt (Errno::ENOENT)",
            "cannot open data/a.txt: No such file or directory at /b/bot.pl line 3.",
            "panic: open data/a.txt: no such file or directory",
            "java.io.FileNotFoundException: data/a.txt (No such file or directory)",
        ] {
            assert_eq!(advice(line), Some(Advice::NotFound("data/a.txt".to_owned())), "{line}");
        }
        assert_eq!(
            advice("FileNotFoundError: [Errno 2] No such file or directory: '../a.txt'"),
            Some(Advice::NotFound("../a.txt".to_owned()))
        );
        for line in [
            "FileNotFoundError: [Errno 2] No such file or directory: '/data/a.txt'",
            "bot.rb:3:in `read': No such file or directory @ rb_sysopen - weights (Errno::ENOENT)",
            "java.nio.file.NoSuchFileException: weights",
            "cannot open weights: No such file or directory at /b/bot.pl line 3.",
        ] {
            assert_eq!(advice(line), None, "{line}");
        }
        assert_eq!(advice("KeyError: 'a/b'"), None);
    }

    #[test]
    fn what_a_sandbox_refuses_is_known_by_the_words_of_the_system() {
        let advice = |line: &str| refused_by_sandbox(&["Traceback:".to_owned(), line.to_owned()], Path::new("/b"));
        let path = |path: &str| Some(Advice::Sandbox(Some(path.to_owned())));
        assert_eq!(advice("OSError: [Errno 30] Read-only file system: '../../data.txt'"), path("../../data.txt"));
        assert_eq!(advice("Error: EROFS: read-only file system, open '../a'"), path("../a"));
        assert_eq!(advice("java.io.FileNotFoundException: ../a (Permission denied) Exception"), path("../a"));
        assert_eq!(advice("/b/run: 2: cannot create ../a: Permission denied"), path("../a"));
        assert_eq!(advice("cannot write ../a: Read-only file system at /b/bot.pl line 3."), path("../a"));
        assert_eq!(advice("BlockingIOError: Operation not permitted"), Some(Advice::Sandbox(None)));
        assert_eq!(advice("KeyError: 'a/b'"), None);
    }
}
