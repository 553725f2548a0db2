//! A look at a program before it is started: what Linux would refuse to run is told in words.

use super::elf::{self, Elf, ElfError};
use super::{Launch, LaunchError};
use crate::process::{Sandbox, SandboxError};
use crate::{Manifest, is_executable};
use arena::open_regular;
use platform::files::{forbids_programs, has_program_format};
use std::env;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The most bytes of a `#!` line that Linux reads (`BINPRM_BUF_SIZE`, with the end of the line).
const MOST_OF_LINE: usize = 255;
/// The most programs that run each other by `#!` lines.
const MOST_SCRIPTS: usize = 5;

/// A program that Linux refuses to run.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {reason}", file.display())]
pub struct ProgramError {
    /// The file that is wrong: the program, or one that runs it.
    pub file: PathBuf,
    /// The fault of the file.
    pub reason: ProgramFault,
}

/// The reason why Linux refuses to run a file.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgramFault {
    /// A carriage return belongs to the `#!` line.
    #[error("its first line ends with a carriage return (a file with Windows line ends), so no program {0:?} is found")]
    CarriageReturn(String),
    /// A byte order mark stands before `#!`.
    #[error("a byte order mark stands before the #! of its first line")]
    ByteOrderMark,
    /// The file is text of two bytes a character.
    #[error("it is saved as UTF-16, which Linux does not run")]
    Utf16,
    /// The `#!` line is cut off.
    #[error("its first line has {0} bytes, of which Linux reads {MOST_OF_LINE}")]
    LongLine(usize),
    /// The `#!` line names nothing.
    #[error("its first line names no program after #!")]
    NoName,
    /// The program that the `#!` line names is missing.
    #[error("its first line names {}, which is missing", .0.display())]
    NoInterpreter(PathBuf),
    /// The program that the `#!` line lets `env` look for is missing.
    #[error("its first line names {0}, which is in no folder of the PATH")]
    NotOnPath(String),
    /// The `#!` line gives `env` several words, which Linux passes as one.
    #[error("its first line lets env look for one program with the name {0:?}")]
    EnvWords(String),
    /// The program that the `#!` line names has no run bit.
    #[error("its first line names {}, which may not be executed", .0.display())]
    InterpreterNotExecutable(PathBuf),
    /// The `#!` lines never lead to a program that runs by itself.
    #[error("the #! lines of more than {MOST_SCRIPTS} files lead from one to the next")]
    Loop,
    /// The file has no bytes.
    #[error("it is empty")]
    Empty,
    /// The file is text without a `#!` line.
    #[error("it is a text without a first line that names its interpreter")]
    NoLine,
    /// The file is a program of Windows.
    #[error("it is a program for Windows")]
    Windows,
    /// The file is a program of macOS.
    #[error("it is a program for macOS")]
    MacOs,
    /// The file is no program at all.
    #[error("it is neither a program of Linux nor a script with a #! line")]
    NoProgram,
    /// The file is a damaged program, or another kind of ELF file.
    #[error("{0}")]
    Elf(ElfError),
    /// The loader of the program is missing.
    #[error("its loader {} is missing", .0.display())]
    NoLoader(PathBuf),
    /// The disk is mounted so that no program on it runs.
    #[error("it is on a disk that is mounted with noexec: no program there may be run")]
    NoExec,
}

impl ProgramError {
    /// Advice for the user.
    pub fn hint(&self) -> String {
        let file = crate::shell_word(&self.file);
        match &self.reason {
            ProgramFault::CarriageReturn(_) => format!(r"save it with Unix line ends: sed -i 's/\r$//' {file}"),
            ProgramFault::ByteOrderMark => {
                format!(r"save it as UTF-8 without a byte order mark: sed -i '1s/^\xEF\xBB\xBF//' {file}")
            }
            ProgramFault::Utf16 => "save it as UTF-8 without a byte order mark".to_owned(),
            ProgramFault::LongLine(_) => "shorten the line, for example by a link to the interpreter".to_owned(),
            ProgramFault::NoInterpreter(_) | ProgramFault::NotOnPath(_) | ProgramFault::InterpreterNotExecutable(_) => {
                "install it, or correct the line".to_owned()
            }
            ProgramFault::EnvWords(words) => format!("let env take it apart: #!/usr/bin/env -S {words}"),
            ProgramFault::NoName | ProgramFault::NoLine | ProgramFault::Loop => {
                "let its first line be #! and the path of its interpreter, such as #!/usr/bin/env python3".to_owned()
            }
            ProgramFault::Empty | ProgramFault::NoProgram | ProgramFault::Windows | ProgramFault::MacOs => {
                "build it for Linux, or correct BotType or RunFile in bot.json".to_owned()
            }
            ProgramFault::Elf(_) => {
                "build it for this machine: broadside check -f builds a bot from its sources".to_owned()
            }
            ProgramFault::NoLoader(_) => {
                "build it on this machine, or link it statically: it was made for another system".to_owned()
            }
            ProgramFault::NoExec => "move the bot to another disk, or mount this one with exec".to_owned(),
        }
    }
}

impl Launch {
    /// Checks, before anything is built, that the run file is not a source of a language that is built: the build would write the program in
    /// its place, or the runtime would refuse it.
    ///
    /// # Errors
    /// [`LaunchError::Source`].
    pub fn check_run_file(manifest: &Manifest) -> Result<(), LaunchError> {
        let (file, language) = (manifest.run_path(), manifest.language);
        if language.is_source(&file) && !has_marks(&file) {
            return Err(LaunchError::Source { file, language: language.name });
        }
        Ok(())
    }

    /// Checks that Linux can run the program, before it is started.
    ///
    /// # Errors
    /// [`LaunchError::Refused`] with the file and what is wrong with it.
    pub fn check_program(&self) -> Result<(), LaunchError> {
        self.needed_files().map(drop)
    }

    fn needed_files(&self) -> Result<Vec<PathBuf>, LaunchError> {
        Ok(needed_files(&self.program, &self.folder)?)
    }

    /// Checks that `sandbox` lets the bot read what Linux needs to run its program: interpreters that `#!` lines name, and the
    /// loader. What Linux refuses in any case is not told here.
    ///
    /// # Errors
    /// [`SandboxError::Closed`] with the first file that is closed.
    pub fn is_open_in(&self, sandbox: &Sandbox) -> Result<(), SandboxError> {
        let needed = self.needed_files().unwrap_or_default();
        let closed = needed.into_iter().find(|file| !sandbox.opens(file, &self.folder, self.tool.as_deref()));
        closed.map_or(Ok(()), |file| {
            Err(SandboxError::Closed { bot: self.folder.clone(), program: self.program.clone(), file })
        })
    }
}

/// True for a file that begins with a `#!` line.
pub(super) fn is_script(program: &Path) -> bool {
    begins_with(program, b"#!")
}

/// True for a file that begins as scripts and programs do.
fn has_marks(program: &Path) -> bool {
    is_script(program) || begins_with(program, &elf::MAGIC)
}

fn begins_with(program: &Path, marks: &[u8]) -> bool {
    let mut start = vec![0; marks.len()];
    open_regular(program).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == marks
}

/// The files that Linux needs to run a program that is started in `folder`: the interpreters that `#!` lines name, and the loader.
///
/// A file that cannot be read is not refused: the start will tell.
///
/// # Errors
/// Linux refuses to run the program.
fn needed_files(program: &Path, folder: &Path) -> Result<Vec<PathBuf>, ProgramError> {
    let mut needed = Vec::new();
    let mut program = program.to_owned();
    for _ in 0..MOST_SCRIPTS {
        let refuse = |reason| ProgramError { file: program.clone(), reason };
        match kind(&program).map_err(refuse)? {
            Kind::Unknown => return Ok(needed),
            Kind::Elf(elf) => {
                needed.extend(loader(elf, folder).map_err(refuse)?);
                return Ok(needed);
            }
            Kind::Script(line) => {
                let found = interpreters(&line, folder).map_err(refuse)?;
                let last = found.last().expect("a line names a program").clone();
                needed.extend(found);
                program = last;
            }
        }
    }
    Err(ProgramError { file: program, reason: ProgramFault::Loop })
}

/// The kind of a program, by its first bytes.
enum Kind {
    /// A script with the text of its `#!` line.
    Script(Vec<u8>),
    /// A program that the kernel loads.
    Elf(Elf),
    /// A file that cannot be read, or that the kernel runs by a rule of the administrator's.
    Unknown,
}

fn kind(program: &Path) -> Result<Kind, ProgramFault> {
    if forbids_programs(program).unwrap_or(false) {
        return Err(ProgramFault::NoExec);
    }
    let Ok(mut file) = open_regular(program) else { return Ok(Kind::Unknown) };
    let mut start = Vec::new();
    if file.by_ref().take(1 << 16).read_to_end(&mut start).is_err() {
        return Ok(Kind::Unknown);
    }
    of_bytes(&start, &file).or_else(|reason| match has_program_format(program, &start) {
        true => Ok(Kind::Unknown),
        false => Err(reason),
    })
}

/// The kind of a program that begins with these bytes.
fn of_bytes(start: &[u8], file: &File) -> Result<Kind, ProgramFault> {
    if start.starts_with(&elf::MAGIC) {
        return elf::read(file, start, own_header()).map(Kind::Elf).map_err(ProgramFault::Elf);
    }
    match start {
        [b'#', b'!', rest @ ..] => {
            let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
            // Linux leaves out the blanks at the end.
            let length = 2 + line.trim_ascii_end().len();
            let is_long = length > MOST_OF_LINE;
            if is_long { Err(ProgramFault::LongLine(length)) } else { Ok(Kind::Script(line.to_owned())) }
        }
        [0xEF, 0xBB, 0xBF, b'#', b'!', ..] => Err(ProgramFault::ByteOrderMark),
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => Err(ProgramFault::Utf16),
        [] => Err(ProgramFault::Empty),
        [b'M', b'Z', rest @ ..] if rest.contains(&0) => Err(ProgramFault::Windows),
        [0xCF | 0xCE, 0xFA, 0xED, 0xFE, ..] => Err(ProgramFault::MacOs),
        text if !text.contains(&0) => Err(ProgramFault::NoLine),
        _ => Err(ProgramFault::NoProgram),
    }
}

/// The first bytes of the engine itself, which runs on this machine.
fn own_header() -> Option<Vec<u8>> {
    let mut start = Vec::new();
    let own = open_regular(&env::current_exe().ok()?).ok()?;
    own.take(64).read_to_end(&mut start).ok()?;
    Some(start)
}

/// The programs that a `#!` line names, by their paths: the interpreter, and the one that `env` looks for on the PATH.
fn interpreters(line: &[u8], folder: &Path) -> Result<Vec<PathBuf>, ProgramFault> {
    let line = String::from_utf8_lossy(line);
    let blank = [' ', '\t'];
    let line = line.trim_matches(blank);
    let (name, argument) = line.split_once(blank).map_or((line, ""), |(name, rest)| (name, rest.trim_matches(blank)));
    if name.trim().is_empty() {
        return Err(ProgramFault::NoName);
    }
    let is = |known: &str| Path::new(name).file_name().is_some_and(|name| name == known);
    let looked_for = if is("env") { argument } else { "" };
    // Perl takes no notice of a carriage return after its options.
    let is_harmless = argument.starts_with('-') && is("perl");
    if line.ends_with('\r') && !is_harmless {
        let named = [looked_for, name].into_iter().find(|named| named.ends_with('\r')).unwrap_or(argument);
        return Err(ProgramFault::CarriageReturn(named.to_owned()));
    }
    let interpreter = folder.join(name);
    if !interpreter.exists() {
        return Err(ProgramFault::NoInterpreter(interpreter));
    }
    if !is_executable(&interpreter) {
        return Err(ProgramFault::InterpreterNotExecutable(interpreter));
    }
    let mut found = vec![interpreter];
    // Options and variables of `env` are not understood here.
    let is_name = !looked_for.is_empty() && !looked_for.starts_with('-') && !looked_for.contains(['=', '/']);
    if is_name && looked_for.contains(blank) {
        return Err(ProgramFault::EnvWords(looked_for.to_owned()));
    }
    if is_name {
        let path = env::var_os("PATH").unwrap_or_default();
        let mut programs = env::split_paths(&path).map(|place| folder.join(place).join(looked_for));
        let program = programs.find(|program| is_executable(program));
        found.push(program.ok_or_else(|| ProgramFault::NotOnPath(looked_for.to_owned()))?);
    }
    Ok(found)
}

/// The loader of a program that is linked with libraries.
fn loader(elf: Elf, folder: &Path) -> Result<Option<PathBuf>, ProgramFault> {
    let Some(loader) = elf.loader else { return Ok(None) };
    let loader = folder.join(loader);
    if loader.exists() { Ok(Some(loader)) } else { Err(ProgramFault::NoLoader(loader)) }
}

#[cfg(test)]
mod tests;
