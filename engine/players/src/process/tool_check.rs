//! The tools that a language lacks on this machine: programs that are not there, and programs that do not work.

use super::run::{RunRequest, TOOL_TIMEOUT, run};
use super::{Language, Tool};
use crate::Tools;
use crate::tool::missing_tool_hint;
use arena::{ArenaError, Interrupt, Limits, RunEnd, RunReport};
use platform::locks::lock;
use platform::process::CommandLine;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

/// Tells which tools a language lacks on this machine. Each tool is started once, to print its version; a compiler of C or C++
/// also makes a program.
#[derive(Debug)]
pub struct ToolCheck {
    tools: Tools,
    interrupt: Interrupt,
    /// The results so far, by the names of the program.
    known: Mutex<BTreeMap<&'static [&'static str], ToolState>>,
}

/// The purpose for which a language has to have its tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Bots that are built already are run.
    Run,
    /// Bots are built and run.
    Build,
}

/// The state of a tool on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolState {
    /// None of its programs is there.
    Absent,
    /// It is there, and does not work.
    Broken {
        /// The path of the program.
        path: PathBuf,
        /// The first line that it said, or the way in which it ended; or the time within which it did not answer.
        why: String,
    },
    /// It works.
    Works {
        /// The path of the program.
        path: PathBuf,
        /// The first line of its version; `None` if it prints nothing.
        version: Option<String>,
    },
}

/// A tool that a language lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingTool {
    /// The tool.
    pub tool: &'static Tool,
    /// The path and the fault of the program that is there and does not work.
    pub broken: Option<(PathBuf, String)>,
}

/// `tsc, which was not found` or `/usr/bin/c++, which does not work (exit status: 1)`.
impl fmt::Display for MissingTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.broken {
            None => write!(f, "{}, which was not found", self.tool.programs.join(" or ")),
            Some((path, why)) => write!(f, "{}, which does not work ({why})", path.display()),
        }
    }
}

impl MissingTool {
    /// Advice for the user.
    pub fn hint(&self) -> String {
        missing_tool_hint(Some(self.tool), self.tool.programs)
    }

    /// True if the log of a build that failed tells that the build had use for the tool.
    fn is_told_by(&self, log: &str) -> bool {
        let is_absent = |line: &str| line.contains("not found") || line.contains("No such file");
        naming(self.tool, log).any(|line| self.broken.is_some() || is_absent(line))
    }
}

/// The lines of the log of a build that name the tool, except that with its own command: what ends with an error there names
/// itself. Only a compiler without its library does not.
fn naming<'a>(tool: &'static Tool, log: &'a str) -> impl Iterator<Item = &'a str> {
    let lines = log.lines().filter(|line| tool.trial.is_some() || !line.starts_with("$ "));
    lines.filter(|line| {
        let mut words = line.split(|c: char| !(c.is_alphanumeric() || "+-_.".contains(c)));
        words.any(|word| tool.programs.contains(&word.trim_end_matches('.')))
    })
}

impl ToolCheck {
    /// A check of these tools. An interrupt ends it.
    pub fn new(tools: Tools, interrupt: Interrupt) -> ToolCheck {
        ToolCheck { tools, interrupt, known: Mutex::default() }
    }

    /// The tools that this machine lacks for bots in `language`; empty if the language is ready. Of several lists of tools it is
    /// the one of which most is there.
    ///
    /// # Errors
    /// The engine cannot start or watch processes or write a temporary file, or was interrupted.
    pub fn missing(&self, language: &Language, purpose: Purpose) -> Result<Vec<MissingTool>, ArenaError> {
        let missing = lists(language, purpose).into_iter().map(|list| {
            let missing = list.iter().filter_map(|tool| self.missing_tool(tool).transpose());
            let mut missing = missing.collect::<Result<Vec<_>, _>>()?;
            let found = list.len() - missing.len();
            // Compilers that need what runs the bots do not work without it.
            let is_first = |missing: &MissingTool| list.first() == Some(&missing.tool);
            if missing.first().is_some_and(is_first) {
                missing.retain(|missing| missing.broken.is_none() || is_first(missing));
            }
            Ok::<_, ArenaError>((Reverse(found), missing))
        });
        let missing = missing.collect::<Result<Vec<_>, _>>()?;
        let best = missing.into_iter().min_by_key(|(found, missing)| (!missing.is_empty(), *found));
        Ok(best.map(|(_, missing)| missing).unwrap_or_default())
    }

    /// The tools of a language for which a build that failed had use, as its log tells, and which this machine lacks. No others
    /// are started.
    pub(super) fn missing_of_build(&self, language: &Language, log: &str) -> Vec<MissingTool> {
        let tools = language.needs.iter().copied().flatten().filter(|tool| naming(tool, log).next().is_some());
        // That the build has failed is told in any case.
        let missing = tools.filter_map(|tool| self.missing_tool(tool).ok().flatten());
        missing.filter(|missing| missing.is_told_by(log)).collect()
    }

    fn missing_tool(&self, tool: &'static Tool) -> Result<Option<MissingTool>, ArenaError> {
        Ok(match self.state(tool)? {
            ToolState::Absent => Some(MissingTool { tool, broken: None }),
            ToolState::Broken { path, why } => Some(MissingTool { tool, broken: Some((path, why)) }),
            ToolState::Works { .. } => None,
        })
    }

    /// Tries the tools of all languages for this purpose, as many at a time as there are processors: some take most of a second.
    pub fn try_all(&self, purpose: Purpose) {
        let tools = Language::all().iter().flat_map(|language| lists(language, purpose).into_iter().flatten());
        let mut tools: Vec<&'static Tool> = tools.collect();
        tools.sort_by_key(|tool| tool.programs);
        tools.dedup_by_key(|tool| tool.programs);
        let tools = Mutex::new(tools.into_iter());
        let next = || lock(&tools).next();
        thread::scope(|scope| {
            for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
                // An error comes again when the tool is asked for.
                scope.spawn(|| while next().is_some_and(|tool| self.state(tool).is_ok()) {});
            }
        });
    }

    /// The state of a tool.
    ///
    /// # Errors
    /// As for [`ToolCheck::missing`].
    pub fn state(&self, tool: &'static Tool) -> Result<ToolState, ArenaError> {
        let known = || lock(&self.known);
        if let Some(state) = known().get(tool.programs) {
            return Ok(state.clone());
        }
        let state = match tool.programs.iter().find_map(|name| self.tools.find(name)) {
            None => ToolState::Absent,
            Some(path) => match self.version(tool, &path)? {
                Ok(version) => ToolState::Works { path, version },
                Err(why) => ToolState::Broken { path, why },
            },
        };
        known().insert(tool.programs, state.clone());
        Ok(state)
    }

    /// The version that a program prints, or the reason why it does not work.
    fn version(&self, tool: &Tool, path: &Path) -> Result<Result<Option<String>, String>, ArenaError> {
        let report = self.run(path, tool.version, Path::new("/"))?;
        let version = first_line(&report, false);
        if report.end != RunEnd::Exited(0) {
            return Ok(Err(fault(&report)));
        }
        let Some((name, source)) = tool.trial else { return Ok(Ok(version)) };
        let folder = tempfile::tempdir().map_err(|e| ArenaError::disk("make a folder in", std::env::temp_dir(), e))?;
        let file = folder.path().join(name);
        fs::write(&file, source).map_err(|e| ArenaError::disk("write", &file, e))?;
        let report = self.run(path, &["-o", "tiny", name], folder.path())?;
        Ok(match report.end {
            RunEnd::Exited(0) if folder.path().join("tiny").is_file() => Ok(version),
            RunEnd::Exited(0) => Err("it makes no program".to_owned()),
            _ => Err(fault(&report)),
        })
    }

    fn run(&self, path: &Path, arguments: &[&str], folder: &Path) -> Result<RunReport, ArenaError> {
        let command = CommandLine::new(path, folder).args(arguments).env("PATH", self.tools.search_path());
        let text = format!("{} {}", path.display(), arguments.join(" "));
        run(RunRequest::of(command, text), Some(Limits::exactly(TOOL_TIMEOUT, TOOL_TIMEOUT)), &self.interrupt)
    }
}

/// The lists of tools of which any is enough for this purpose.
fn lists(language: &Language, purpose: Purpose) -> Vec<Vec<&'static Tool>> {
    match purpose {
        Purpose::Run => language.interpreters().iter().map(|one| vec![one.tool]).collect(),
        Purpose::Build => language.needs.iter().map(|list| list.to_vec()).collect(),
    }
}

/// The reason why a program that did not end well does not work.
fn fault(run: &RunReport) -> String {
    match run.end {
        RunEnd::Killed => format!("did not answer within {} s", TOOL_TIMEOUT.as_secs()),
        _ => first_line(run, true).unwrap_or_else(|| run.end.to_string()),
    }
}

/// The first line that a program printed, with that of its `errors` before the other: some print their version as an error.
fn first_line(run: &RunReport, errors: bool) -> Option<String> {
    let mut lines = [&run.stdout, &run.stderr].map(|output| String::from_utf8_lossy(&output.bytes).into_owned());
    if errors {
        lines.reverse();
    }
    let mut lines = lines.iter().flat_map(|text| text.lines()).map(str::trim);
    lines.find(|line| !line.is_empty()).map(ToOwned::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::run;
    use arena::Invocation;
    use platform::files::symlink;
    use tempfile::TempDir;

    /// Programs that are links to others: a script that was just written may be busy.
    fn check(links: &[(&str, &str)]) -> (TempDir, ToolCheck) {
        let folder = tempfile::tempdir().unwrap();
        links.iter().for_each(|(name, to)| symlink(Path::new(to), &folder.path().join(name)).unwrap());
        let tools = Tools::in_folders([folder.path().to_owned()]);
        (folder, ToolCheck::new(tools, Interrupt::new().unwrap()))
    }

    fn lacks(check: &ToolCheck, language: &str, purpose: Purpose) -> Vec<String> {
        let missing = check.missing(Language::from_name(language).unwrap(), purpose).unwrap();
        missing.iter().map(|missing| missing.tool.programs[0].to_owned()).collect()
    }

    #[test]
    fn a_language_lacks_what_the_nearest_list_of_its_tools_lacks() {
        let (_folder, check) = check(&[("mono", "/bin/true")]);
        assert_eq!(lacks(&check, "C#", Purpose::Build), ["mcs"]);
        assert_eq!(lacks(&check, "C#", Purpose::Run), [""; 0]);
        let (_folder, nothing) = self::check(&[]);
        assert_eq!(lacks(&nothing, "C#", Purpose::Build), ["mono", "mcs"]);
        assert_eq!(lacks(&nothing, "C#", Purpose::Run), ["mono"]);
        let (_folder, dotnet) = self::check(&[("dotnet", "/bin/true")]);
        assert_eq!(lacks(&dotnet, "C#", Purpose::Build), [""; 0]);
        assert_eq!(lacks(&dotnet, "executable", Purpose::Build), [""; 0], "it runs by itself");
    }

    #[test]
    fn a_program_that_ends_with_an_error_or_makes_no_program_does_not_work() {
        let (folder, check) = check(&[("c++", "/bin/false"), ("cc", "/bin/true"), ("make", "/bin/true")]);
        let missing = check.missing(Language::from_name("c++").unwrap(), Purpose::Build).unwrap();
        let told = missing.iter().map(ToString::to_string).collect::<Vec<_>>();
        let path = folder.path().join("c++");
        assert!(
            told.len() == 1 && told[0].starts_with(&format!("{}, which does not work (", path.display())),
            "{told:?}"
        );
        assert!(
            missing[0].hint().starts_with("install a C++ compiler, e.g. the package g++; or give the place of c++")
        );
        assert_eq!(lacks(&check, "c", Purpose::Build), ["cc"], "it makes nothing");
        assert_eq!(lacks(&check, "rust", Purpose::Build), ["cargo"], "without cargo nobody knows of what it needs");
    }

    #[test]
    fn a_log_tells_of_a_tool_that_is_not_there_and_names_one_that_does_not_work() {
        let tool = Tool::of(&["tsc"]).unwrap();
        let absent = MissingTool { tool, broken: None };
        assert!(absent.is_told_by("> build\n> tsc\n\nsh: 1: tsc: not found\n"));
        assert!(absent.is_told_by("make: tsc: No such file or directory"));
        assert!(!absent.is_told_by("> tsc\nbot.ts:1: error TS2304: Cannot find name 'x'."));
        assert!(!absent.is_told_by("my-tsc: not found"));
        assert!(MissingTool { broken: Some(("tsc".into(), String::new())), ..absent }.is_told_by("> tsc\n"));
        assert!(MissingTool { tool: Tool::of(&["cargo"]).unwrap(), broken: None }.is_told_by("cargo not found."));
    }

    #[test]
    fn a_build_that_failed_starts_only_the_tools_that_its_log_names() {
        let links = ["node", "npm", "tsc", "java", "javac", "jar", "cc", "make"].map(|name| (name, "/bin/false"));
        let started = |language: &str, log: &str| {
            let (_folder, check) = check(&links);
            let missing = check.missing_of_build(Language::from_name(language).unwrap(), log);
            let started = check.known.into_inner().unwrap().into_keys().map(|programs| programs[0]);
            (missing.len(), started.collect::<Vec<_>>())
        };
        assert_eq!(started("TypeScript", "$ npm run build\nbot.ts:1: error TS2304"), (0, vec![]));
        assert_eq!(started("TypeScript", "$ npm run build\n> tsc\n"), (1, vec!["tsc"]));
        assert_eq!(started("Java", "$ javac -d build ./Bot.java\n./Bot.java:1: error: x"), (0, vec![]));
        let no_header = "$ cc -o bot ./bot.c\n./bot.c:1:10: fatal error: stdio.h: No such file or directory";
        assert_eq!(started("C", no_header), (1, vec!["cc"]));
    }

    #[test]
    fn a_tool_that_takes_too_long_did_not_answer_whatever_it_said_before() {
        let ended = |end| {
            let mut run = run::unused(String::new(), Invocation::default(), None, end);
            run.stdout.bytes = b"some 1.0\n".to_vec();
            fault(&run)
        };
        assert_eq!(ended(RunEnd::Killed), "did not answer within 120 s");
        assert_eq!(ended(RunEnd::Exited(1)), "some 1.0");
    }

    #[test]
    fn every_language_needs_what_runs_it_and_every_step_is_done_by_a_tool() {
        for language in Language::all() {
            for interpreter in language.interpreters() {
                let is_needed = language.needs.iter().any(|list| list.contains(&interpreter.tool));
                assert!(is_needed, "{}: {interpreter:?}", language.name);
            }
            let recipes = language.packages.iter().chain(language.builds);
            for step in recipes.flat_map(|recipe| recipe.alternatives.iter().copied().flatten()) {
                let is_made = step.programs[0].contains('/');
                assert!(
                    is_made || Tool::of(step.programs).is_some_and(|tool| tool.programs == step.programs),
                    "{step:?}"
                );
            }
        }
    }
}
