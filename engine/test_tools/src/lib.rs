//! The programs that tests look for on the machine, and the Debian packages that have them; and [connections](attack) from
//! many addresses.
//!
//! `.ci/tools` is the list, `.ci/install-tools` installs it. A test asks for a tool by [`required`], or reports by [`missing`]
//! that the engine did not find one. Where the tool is not there, the test is skipped with a line on standard error; where
//! the variable `CI` is set, it fails with the packages to install.
//!
//! ```no_run
//! let Some(mosquitto) = test_tools::required("mosquitto") else { return };
//! assert!(std::process::Command::new(mosquitto).arg("-h").output().is_ok());
//! ```

pub mod attack;
mod modules;

pub use modules::assert_layers;

use std::env;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

const LIST: &str = include_str!("../../../.ci/tools");
/// Names of modules of Python and of Node.js, and of packages of the npm registry, begin with these.
const PYTHON_MODULE: &str = "python3:";
const NODE_MODULE: &str = "node:";
const NPM_PACKAGE: &str = "npm:";
/// Where Debian has the modules of Node.js.
const NODE_PATH: &str = "/usr/share/nodejs";

/// One line of `.ci/tools`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// The names that the program may have, at least one, or `python3:MODULE`, `node:MODULE` or `npm:NAME@VERSION`. Any of
    /// them will do.
    pub names: Vec<&'static str>,
    /// The Debian packages to install, at least one.
    pub packages: Vec<&'static str>,
}

impl Tool {
    /// All tools that tests look for, in the order of the file.
    ///
    /// # Panics
    /// When a line of `.ci/tools` has no package.
    pub fn all() -> Vec<Tool> {
        let lines = LIST.lines().filter(|line| !line.starts_with('#'));
        let tool = |line: &'static str| {
            let mut words = line.split_whitespace();
            let names = words.next().into_iter().flat_map(|names| names.split(',')).collect();
            let packages: Vec<_> = words.collect();
            assert!(!packages.is_empty(), "{line:?} of .ci/tools has no package");
            Tool { names, packages }
        };
        lines.map(tool).collect()
    }

    /// The tool of which this is one of the names; `None` if `.ci/tools` does not have it.
    pub fn named(name: &str) -> Option<Tool> {
        Tool::all().into_iter().find(|tool| tool.names.contains(&name))
    }
}

/// The environment in which tests look for tools.
#[derive(Debug, Clone)]
pub struct Machine {
    /// The folders that are searched, in this order.
    pub folders: Vec<PathBuf>,
    /// A missing tool makes a test fail.
    pub is_ci: bool,
}

/// The result of a search for a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Search {
    /// The path of the program; for a module that of the interpreter that has it, for a package of npm its folder.
    Found(PathBuf),
    /// The line that says why a test is skipped, or what it leaves out.
    Skip(String),
    /// The message with which a test fails.
    Fail(String),
}

impl Machine {
    /// The folders of the variable `PATH`, and whether the variable `CI` is set.
    pub fn here() -> Machine {
        let folders = env::split_paths(&env::var_os("PATH").unwrap_or_default()).collect();
        Machine { folders, is_ci: env::var_os("CI").is_some() }
    }

    /// Looks for the tool of which this is one of the names.
    pub fn search(&self, name: &str) -> Search {
        let Some(tool) = Tool::named(name) else {
            return Search::Fail(format!("add {name} and its Debian package to .ci/tools"));
        };
        if let Some(path) = tool.names.iter().find_map(|name| self.find(name)) {
            return Search::Found(path);
        }
        if let Some(package) = name.strip_prefix(NPM_PACKAGE) {
            let how = format!("npm install --global {package}");
            let (needed, skipped) = (format!("needs {package}: {how}"), format!("skipped: needs {package} ({how})"));
            return if self.is_ci { Search::Fail(needed) } else { Search::Skip(skipped) };
        }
        let packages = tool.packages.join(" ");
        if self.is_ci {
            return Search::Fail(format!("needs {name}: apt-get install -y {packages}"));
        }
        let s = if tool.packages.len() == 1 { "" } else { "s" };
        Search::Skip(format!("skipped: needs {name} (Debian package{s} {packages})"))
    }

    /// Decides between skip and failure when the engine has found none of these programs: programs that `.ci/tools` does not
    /// list are not in Debian, so a test that needs them is skipped.
    pub fn search_missing(&self, names: &[&str]) -> Search {
        let Some(name) = names.iter().find(|name| Tool::named(name).is_some()) else {
            return Search::Skip(format!("leaves out {}, which no Debian package has", names.join(" or ")));
        };
        match self.search(name) {
            Search::Found(path) => Search::Fail(format!("{name} is {}, which was not taken", path.display())),
            skip_or_fail => skip_or_fail,
        }
    }

    /// The consequence where the engine has found this program and it does not work.
    pub fn search_broken(&self, name: &str, why: &str) -> Search {
        let what = format!("needs {name}, which does not work ({why})");
        if self.is_ci { Search::Fail(what) } else { Search::Skip(format!("skipped: {what}")) }
    }

    fn find(&self, name: &str) -> Option<PathBuf> {
        if let Some((package, version)) = name.strip_prefix(NPM_PACKAGE).and_then(|package| package.rsplit_once('@')) {
            // A program in bin/ has its packages in lib/node_modules/.
            let mut folders = self.folders.iter().map(|folder| folder.join("../lib/node_modules").join(package));
            return folders.find(|folder| is_package(folder, version));
        }
        let (program, code) = if let Some(module) = name.strip_prefix(PYTHON_MODULE) {
            ("python3", Some(format!("import {module}")))
        } else if let Some(module) = name.strip_prefix(NODE_MODULE) {
            ("node", Some(format!("require({module:?})")))
        } else {
            (name, None)
        };
        let mut programs = self.folders.iter().map(|folder| folder.join(program)).filter(|path| is_program(path));
        programs.find(|program| code.as_ref().is_none_or(|code| runs(program, code)))
    }
}

/// True if this is the folder of a package of npm in this version.
fn is_package(folder: &Path, version: &str) -> bool {
    let description = std::fs::read_to_string(folder.join("package.json")).unwrap_or_default();
    description.contains(&format!("\"version\": \"{version}\""))
}

fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

/// True if an interpreter, of Python or of Node.js, runs this without an error.
fn runs(interpreter: &Path, code: &str) -> bool {
    let flag = if interpreter.ends_with("node") { "-e" } else { "-c" };
    let mut command = Command::new(interpreter);
    command.args([flag, code]).env("NODE_PATH", NODE_PATH).stdin(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// The path of a tool that a test needs; `None` where it is not installed, which is told on standard error.
///
/// # Panics
/// When it is not installed and the variable `CI` is set, and when `.ci/tools` does not have it.
pub fn required(name: &str) -> Option<PathBuf> {
    act_on(Machine::here().search(name))
}

/// Reports that the engine found none of these programs, any of which would do: the test is skipped.
///
/// # Panics
/// When one of them can be installed and the variable `CI` is set, and when one of them is there after all.
pub fn missing(names: &[&str]) {
    act_on(Machine::here().search_missing(names));
}

/// Reports that the engine found this program and that it does not work, for this reason: the test is skipped.
///
/// # Panics
/// When the variable `CI` is set.
pub fn broken(name: &str, why: &str) {
    act_on(Machine::here().search_broken(name, why));
}

#[expect(clippy::panic, reason = "that is how a test fails")]
fn act_on(search: Search) -> Option<PathBuf> {
    match search {
        Search::Found(path) => Some(path),
        Search::Skip(why) => {
            say(&why);
            None
        }
        Search::Fail(why) => panic!("{why}"),
    }
}

/// Waits for a millisecond: what a test does before it looks again for something that another process is to do, to which it
/// leaves the processor meanwhile.
pub fn pause() {
    thread::park_timeout(Duration::from_millis(1));
}

/// Tells on standard error that a test is skipped because the system does not let it do something.
pub fn not_allowed(what: &str) {
    say(&format!("skipped: this system does not allow {what}"));
}

/// `cargo test` keeps what tests that pass have printed to itself, but not what is written so. The thread of a test has the test's
/// name.
fn say(line: &str) {
    let test = thread::current().name().unwrap_or("unnamed").to_owned();
    // Nobody may be listening.
    let _ = writeln!(std::io::stderr(), "{test} {line}");
}
