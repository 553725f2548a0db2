//! Starting a command line.

use super::bot_process::BotProcess;
use super::command_line::{CommandLine, Input, entry};
use super::guardian_table::GroupPlace;
use super::spawn::{SpawnRequest, spawn};
use crate::wait::Handle;
use rustix::fd::AsFd;
use rustix::io::ioctl_fionbio;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::pipe::{PipeFlags, pipe_with};
use std::ffi::{CString, OsStr};
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::sync::OnceLock;
use std::time::Instant;

/// A bot that was started, with the pipes of its streams.
#[derive(Debug)]
pub struct StartedBot {
    /// The process.
    pub process: BotProcess,
    /// The engine's end of its standard input, which never blocks; `None` if that is empty.
    pub stdin: Option<Handle>,
    /// Its standard output.
    pub stdout: Handle,
    /// Its standard error.
    pub stderr: Handle,
    /// The time of its start.
    pub at: Instant,
}

/// Opens a file once and keeps it open. A failure is not kept: the next call tries again.
pub(super) fn kept_open<'a>(file: &'a OnceLock<File>, path: &str) -> io::Result<&'a File> {
    match file.get() {
        Some(file) => Ok(file),
        None => File::open(path).map(|opened| file.get_or_init(|| opened)),
    }
}

impl CommandLine {
    /// Starts the program in a process group of its own, which it enters in this place, with the standard input that it asks for.
    /// Returns as soon as the program has replaced the engine in the new process, or could not.
    pub(super) fn start(&self, place: &GroupPlace) -> io::Result<StartedBot> {
        let at = Instant::now();
        static NOTHING: OnceLock<File> = OnceLock::new();
        let nothing = kept_open(&NOTHING, "/dev/null")?;
        let ends = match self.input {
            Input::Nothing => None,
            Input::Pipe => Some(pipe_with(PipeFlags::CLOEXEC)?),
            Input::Socket => Some(socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?),
        };
        let (input, stdin) = ends.unzip();
        stdin.as_ref().map(|stdin| ioctl_fionbio(stdin, true)).transpose()?;
        let (stdout, to_stdout) = pipe_with(PipeFlags::CLOEXEC)?;
        let (stderr, to_stderr) = pipe_with(PipeFlags::CLOEXEC)?;
        let (program, folder) = (c_string(&self.program)?, c_string(&self.folder)?);
        let arguments = self.arguments.iter().map(c_string).collect::<io::Result<Vec<_>>>()?;
        let variables = self.variables.iter().map(|(name, value)| Ok(CString::new(entry(name, value))?));
        let variables = variables.collect::<io::Result<Vec<_>>>()?;
        let process = spawn(&SpawnRequest {
            program: &program,
            file: self.file.as_ref().map(|file| file.as_fd()),
            namespaces: self.namespaces.as_ref().map(|namespaces| (namespaces.as_fd(), namespaces.kinds)),
            arguments: &arguments,
            environment: &self.environment(&variables),
            folder: &folder,
            streams: [input.as_ref().map_or(nothing.as_fd(), AsFd::as_fd), to_stdout.as_fd(), to_stderr.as_fd()],
            lock_limit: self.lock_limit,
            place,
        })?;
        Ok(StartedBot { process: BotProcess::of(process), stdin, stdout, stderr, at })
    }

    /// The whole environment: inherited variables are replaced by `variables` of the same name.
    fn environment<'a>(&'a self, variables: &'a [CString]) -> Vec<&'a CString> {
        let is_own = |inherited: &&CString| {
            let mut names = self.variables.iter().map(|(name, _)| name.as_encoded_bytes());
            names.any(|name| inherited.as_bytes().strip_prefix(name).is_some_and(|rest| rest.starts_with(b"=")))
        };
        self.inherited.iter().filter(|entry| !is_own(entry)).chain(variables).collect()
    }
}

fn c_string(text: impl AsRef<OsStr>) -> io::Result<CString> {
    Ok(CString::new(text.as_ref().to_owned().into_vec())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::command_line::InheritedEnvironment;
    use std::path::Path;

    #[test]
    fn what_is_set_takes_the_place_of_what_is_inherited() {
        let base: InheritedEnvironment = ["A=1", "AB=2", "B=3"].map(|entry| CString::new(entry).unwrap()).into();
        let line = CommandLine { inherited: base, ..CommandLine::new("x", Path::new("/")) }.env("A", "4").env("C", "5");
        let own = ["A=4", "C=5"].map(|entry| CString::new(entry).unwrap());
        let all: Vec<_> = line.environment(&own).into_iter().map(|entry| entry.to_str().unwrap()).collect();
        assert_eq!(all, ["AB=2", "B=3", "A=4", "C=5"]);
    }

    /// The standard output of a program.
    fn output(line: &CommandLine) -> String {
        let started = line.start(&GroupPlace::take().unwrap()).unwrap();
        // It is reaped when it is dropped.
        io::read_to_string(File::from(started.stdout)).unwrap()
    }

    #[test]
    fn a_program_is_told_what_was_said_and_no_more() {
        let alone = |program: &str| CommandLine {
            inherited: InheritedEnvironment::from([]),
            ..CommandLine::new(program, Path::new("/usr"))
        };
        let line = alone("/bin/sh").env("A", "one two").args(["-c", "pwd; echo $A; echo $0 $1", "x", "y z"]);
        assert_eq!(output(&line), "/usr\none two\nx y z\n");
        assert_eq!(output(&alone("/bin/cat").env("A", "one two").args(["/proc/self/environ"])), "A=one two\0");
    }

    #[test]
    fn a_program_has_a_group_of_its_own_and_signals_as_it_expects_them() {
        let status =
            output(&CommandLine::new("/bin/cat", Path::new("/")).args(["/proc/self/status", "/proc/self/stat"]));
        let of = |name: &str| {
            let field = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            u64::from_str_radix(field.trim(), 16).unwrap()
        };
        let pipe = 1 << (libc::SIGPIPE - 1);
        assert_eq!((of("SigBlk:"), of("SigIgn:") & pipe), (0, 0));
        let fields: Vec<&str> = status.lines().last().unwrap().split(' ').collect();
        assert_eq!(fields[0], fields[4], "its number and that of its group");
    }

    #[test]
    fn what_cannot_be_started_tells_why() {
        let place = GroupPlace::take().unwrap();
        let start = |program: &str, folder: &str| {
            CommandLine::new(program, Path::new(folder)).start(&place).unwrap_err().kind()
        };
        assert_eq!(start("/bin/no such program", "/"), io::ErrorKind::NotFound);
        assert_eq!(start("/bin/sh", "/no such folder"), io::ErrorKind::NotFound);
        assert_eq!(start("/etc/passwd", "/"), io::ErrorKind::PermissionDenied);
    }

    #[test]
    fn what_no_program_can_be_given_is_an_error() {
        let started = CommandLine::new("/bin/true", Path::new("/")).args(["a\0b"]).start(&GroupPlace::take().unwrap());
        assert_eq!(started.unwrap_err().kind(), io::ErrorKind::InvalidInput);
    }
}
