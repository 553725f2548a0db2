//! Bots whose programs run by themselves, without an interpreter, on a machine on which they were not built.

use crate::bots::sandbox::SandboxPolicy;
use crate::{BotOptions, Context, Program, RunnerError, ScratchFolder};
use arena::ArenaError;
use arena::folder::MatchFolder;
use players::Manifest;
use players::process::{BuildError, Launch, LaunchError, copy_bot};
use rules::entelect_2017::Entelect2017;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Folders of a project that hold what compilers made.
const MADE_FOLDERS: [&str; 3] = ["build", "obj", "target"];
/// Endings of files that compilers made.
const MADE_FILES: [&str; 4] = ["a", "lo", "o", "obj"];

impl Program {
    /// The reason why the program of the bot in `folder` cannot be started on this machine; `None` if it can, or if an
    /// interpreter runs it. The program is started once, without a question, in the sandbox, in which the `closed` folders are out
    /// of reach; after a second it is killed.
    ///
    /// # Errors
    /// There is no usable `bot.json` or sandbox, the machine cannot start processes, or the match was interrupted.
    pub fn start_failure(
        folder: &Path,
        closed: Vec<PathBuf>,
        options: &BotOptions,
        context: &Context,
    ) -> Result<Option<String>, RunnerError> {
        let manifest = manifest_of(folder)?;
        if !manifest.language.interpreters().is_empty() {
            return Ok(None);
        }
        let launch = match Launch::of(&manifest, &options.tools) {
            Ok(launch) => launch.with_variables(options.variables.iter().cloned()),
            Err(error) => return Ok(Some(error.to_string())),
        };
        let scratch = ScratchFolder::make(context)?;
        let rounds = MatchFolder::create(&scratch.path().join("match"))?;
        let sandbox = SandboxPolicy::new(options.sandbox, options.memory, closed, context)?;
        let launch = if sandbox.as_ref().is_some_and(SandboxPolicy::keeps_folders) {
            launch
        } else {
            // What it writes does not stay in its folder.
            let copy = scratch.path().join("bot");
            copy_bot(folder, &copy).map_err(|e| ArenaError::disk("copy the bot to", &copy, e))?;
            launch.moved(&copy)
        };
        let launch = match &sandbox {
            Some(sandbox) => sandbox.confine(launch.per_round(), Some(rounds.path()), None)?,
            None => launch,
        };
        Ok(launch.start_failure(rounds.path(), &context.interrupt)?)
    }

    /// Builds the bot in the folder `from` from its sources, in a copy at `to`, which is made. What was made of them elsewhere is
    /// not used.
    ///
    /// # Errors
    /// The bot came without sources, a compiler is missing, the build fails, or the disk does.
    pub fn build_anew(from: &Path, to: &Path, options: &BotOptions, context: &Context) -> Result<(), RunnerError> {
        let failed = |e: io::Error| ArenaError::disk("copy the bot to", to, e);
        copy_bot(from, to).map_err(failed)?;
        let manifest = manifest_of(to)?;
        remove_made(&manifest).map_err(failed)?;
        let options = BotOptions { rebuild: true, ..options.clone() };
        Program::find::<Entelect2017>(to, &options, context).map(drop).map_err(|error| match error {
            // Of which there is nothing to read but that the program is gone.
            RunnerError::Launch { folder, source }
                if matches!(*source, LaunchError::NoRunFile(_) | LaunchError::Build(BuildError::NoProject { .. })) =>
            {
                RunnerError::NoSources(folder)
            }
            error => error,
        })
    }
}

fn manifest_of(folder: &Path) -> Result<Manifest, RunnerError> {
    Manifest::read(folder).map_err(|source| RunnerError::Manifest { folder: folder.to_owned(), source })
}

/// Removes the program of a bot, and what compilers made beside it. Nothing is removed through a link, or outside the bot's folder.
fn remove_made(manifest: &Manifest) -> io::Result<()> {
    let folder = manifest.folder.canonicalize()?;
    let is_inside = |path: &Path| {
        path.parent().and_then(|parent| parent.canonicalize().ok()).is_some_and(|parent| parent.starts_with(&folder))
    };
    for name in MADE_FOLDERS {
        let made = manifest.project_path().join(name);
        if made.symlink_metadata().is_ok_and(|file| file.is_dir()) && is_inside(&made) {
            fs::remove_dir_all(made)?;
        }
    }
    for entry in WalkDir::new(&folder) {
        let entry = entry?;
        let ending = entry.path().extension().unwrap_or_default();
        if entry.file_type().is_file() && MADE_FILES.iter().any(|made| ending == *made) {
            fs::remove_file(entry.path())?;
        }
    }
    let program = manifest.run_path();
    if !is_inside(&program) {
        return Ok(());
    }
    match fs::remove_file(&program) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SandboxLevel;
    use platform::files::make_executable;

    fn bot(kind: &str, file: &str, text: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let manifest = serde_json::json!({
            "Author": "", "Email": "", "NickName": "Bot", "BotType": kind, "ProjectLocation": "", "RunFile": "bot",
        });
        fs::write(folder.path().join("bot.json"), manifest.to_string()).unwrap();
        fs::write(folder.path().join(file), text).unwrap();
        make_executable(&folder.path().join(file)).unwrap();
        folder
    }

    #[test]
    fn a_program_that_cannot_be_started_is_told_from_one_that_fails() {
        let (context, options) = (Context::silent().unwrap(), BotOptions::default());
        for sandbox in [SandboxLevel::On, SandboxLevel::Off] {
            let options = BotOptions { sandbox, ..options.clone() };
            let failure = |text: &str| {
                let folder = bot("Executable", "bot", text);
                Program::start_failure(folder.path(), Vec::new(), &options, &context).unwrap()
            };
            assert_eq!(failure("#!/bin/sh\nexit 1\n"), None);
            assert_eq!(failure("#!/bin/sh\nsleep 60\n"), None, "it runs until it is killed");
            let lacks = failure("#!/no/such/interpreter\n");
            assert!(lacks.is_some(), "{sandbox:?}");
            assert!(failure("\x7fELF of another machine").is_some());
            let lacks = failure("#!/bin/sh\necho libx.so.1: cannot open shared object file >&2\nexit 127\n").unwrap();
            assert!(lacks.contains("libx.so.1"), "{lacks}");
        }
    }

    #[test]
    fn a_program_is_built_anew_from_its_sources_alone() {
        if test_tools::required("cc").is_none() {
            return;
        }
        let (context, options) = (Context::silent().unwrap(), BotOptions::default());
        let to = tempfile::tempdir().unwrap();
        let foreign = bot("C", "bot", "of another machine");
        let build = |name: &str| Program::build_anew(foreign.path(), &to.path().join(name), &options, &context);
        let refused = build("none").unwrap_err();
        assert!(refused.to_string().contains("without sources"), "{refused}");
        fs::write(foreign.path().join("bot.c"), "int main(void) { return 3; }\n").unwrap();
        fs::write(foreign.path().join("bot.o"), "of another machine").unwrap();
        build("built").unwrap();
        let built = to.path().join("built");
        assert_eq!(Program::start_failure(&built, Vec::new(), &options, &context).unwrap(), None);
        assert!(!built.join("bot.o").exists() && foreign.path().join("bot.o").exists());
    }
}
