//! The surroundings of bots that are programs: copies of their folders, the sandbox, and what the guardian cleans up.

use crate::bots::sandbox::SandboxPolicy;
use crate::{BotOptions, Context, Opening, Program, Report, RunnerError, SandboxLevel, ScratchFolder};
use arena::ArenaError;
use arena::folder::remove_folder;
use platform::process::end_missed_orphans;
use players::process::guardian::{Cleanup, RegisteredCleanup};
use players::process::{Launch, Sandbox, copy_bot, copy_hash};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The surroundings of the bots of a match or a tournament that are programs.
pub(crate) struct ProgramHost {
    /// True if all bots were built as asked, so that another build would bring nothing.
    pub(super) are_rebuilt: bool,
    /// True if networks are closed to builds.
    pub(super) are_builds_offline: bool,
    /// True if bots are started by forks where that is possible.
    are_warm: bool,
    sandbox: Option<SandboxPolicy>,
    scratch: Option<ScratchFolder>,
    // Withdrawn after the scratch folder was removed.
    _cleanup: RegisteredCleanup,
}

impl Drop for ProgramHost {
    /// Before the scratch folder is removed: no bot writes there any more.
    fn drop(&mut self) {
        end_missed_orphans();
    }
}

impl ProgramHost {
    /// The surroundings of these programs, each with the number and the name of its contestant. Where each game is to play with
    /// copies, the folder of each that is copied is chosen here.
    ///
    /// # Errors
    /// As for [`GameSetup::open`](crate::GameSetup::open).
    pub(crate) fn open(
        mut programs: Vec<(usize, String, &mut Program)>,
        options: &BotOptions,
        opening: Opening,
        context: &Context,
    ) -> Result<ProgramHost, RunnerError> {
        let Opening { mut closed, spool, scratch, copies } = opening;
        closed.extend(spool.clone());
        let cleanup = Cleanup { journal: spool, scratch: scratch.as_ref().map(|scratch| scratch.path().to_owned()) };
        let cleanup = cleanup.register()?;
        if let Some(scratch) = scratch.as_ref().filter(|_| copies) {
            for (number, name, program) in &mut programs {
                make_template(name, program, &scratch.path().join("bots").join(number.to_string()), context)?;
            }
        }
        closed.extend(programs.iter().map(|(_, _, program)| program.folder.clone()));
        closed.extend(scratch.as_ref().map(|scratch| scratch.path().to_owned()));
        let sandbox = SandboxPolicy::new(options.sandbox, options.memory, closed, context)?;
        // Here, so that a tournament ends before its first game.
        for (_, _, program) in &programs {
            let launch = program.launch.clone();
            // Links stay links in copies: one that leads into the bot's own folder by its full path leads out of a copy.
            let played = program.template.iter().fold(launch, |launch, template| launch.moved(template));
            // The disk of the copies may refuse programs.
            played.check_program().map_err(|source| program.refused(source))?;
            if let Some(sandbox) = &sandbox {
                sandbox.check(&played).map_err(RunnerError::OutsideFolder)?;
            }
        }
        Ok(ProgramHost {
            are_rebuilt: options.rebuild,
            are_builds_offline: options.sandbox != SandboxLevel::Off && !options.build_network,
            are_warm: options.warm,
            sandbox,
            scratch,
            _cleanup: cleanup,
        })
    }

    /// The sandbox of the bots, if there is one.
    pub(crate) fn sandbox(&self) -> Option<&SandboxPolicy> {
        self.sandbox.as_ref()
    }

    /// The line about the sandbox in records.
    pub(crate) fn description(&self) -> Option<String> {
        self.sandbox.as_ref().map(SandboxPolicy::description)
    }

    /// True if the runs of this bot are forks of an interpreter that is started once a match.
    pub(crate) fn is_warm(&self, launch: &Launch) -> bool {
        let is_held = self.sandbox.as_ref().is_none_or(SandboxPolicy::holds_forks);
        self.are_warm && is_held && launch.can_start_warm()
    }

    /// The temporary folder of a game.
    pub(crate) fn root(&self, game: &str) -> Option<PathBuf> {
        self.scratch.as_ref().map(|scratch| scratch.path().join(game))
    }

    /// Removes the temporary files of a game.
    ///
    /// # Errors
    /// The disk failed.
    pub(crate) fn clear(&self, game: &str) -> Result<(), ArenaError> {
        let Some(root) = self.root(game) else { return Ok(()) };
        remove_folder(&root).map_err(|e| ArenaError::disk("remove", &root, e))
    }

    /// The launch of a bot for a game, with its files of the game in `rounds`. If it has a template, it plays in a copy of that,
    /// in the folder `own` of the game, or where what it writes is gone at the end. A run that lasts longer than `kill` is killed.
    ///
    /// # Errors
    /// The bot's folder could not be copied, or its sandbox could not be made.
    pub(crate) fn launch(
        &self,
        program: &Program,
        seed: u64,
        game: &str,
        own: &str,
        rounds: &Path,
        kill: Option<Duration>,
    ) -> Result<Launch, ArenaError> {
        let launch = program.launch.clone().with_seed(seed);
        let launch = match (&program.template, self.root(game)) {
            (Some(template), Some(root)) => {
                let mut folder = template.clone();
                if !self.sandbox.as_ref().is_some_and(SandboxPolicy::keeps_folders) {
                    folder = root.join(own);
                    copy_bot(template, &folder).map_err(|e| ArenaError::disk("copy", template, e))?;
                }
                launch.moved(&folder)
            }
            _ => launch,
        };
        match &self.sandbox {
            Some(sandbox) => sandbox.confine(launch, Some(rounds), kill),
            None => Ok(launch),
        }
    }
}

/// Checks that these programs may run in a sandbox with these options.
///
/// # Errors
/// [`RunnerError::OutsideFolder`].
pub(crate) fn check<'a>(
    programs: impl IntoIterator<Item = &'a Program>,
    options: &BotOptions,
) -> Result<(), RunnerError> {
    // Without a sandbox any file will do.
    if options.sandbox != SandboxLevel::Off
        && let Ok(sandbox) = Sandbox::start()
    {
        let mut launches = programs.into_iter().map(|program| &program.launch);
        let checked = launches.try_for_each(|launch| launch.stays_inside().and_then(|()| launch.is_open_in(&sandbox)));
        checked.map_err(RunnerError::OutsideFolder)?;
    }
    Ok(())
}

/// The hash of the copy that games would be played with.
///
/// # Errors
/// [`RunnerError::NotCopied`].
pub(crate) fn hash_of_copy(folder: &Path) -> Result<String, RunnerError> {
    copy_hash(folder).map_err(|source| RunnerError::NotCopied { folder: folder.to_owned(), source })
}

/// Copies the bot's folder to `place`, as the template of all its games, so that somebody who changes the bot meanwhile does not change
/// who plays. Without room for it, games copy the folder itself. A bot that has a template keeps it.
///
/// # Errors
/// [`RunnerError::NotCopied`].
fn make_template(name: &str, program: &mut Program, place: &Path, context: &Context) -> Result<(), RunnerError> {
    if program.template.is_some() {
        return Ok(());
    }
    let folder = &program.folder;
    hash_of_copy(folder)?;
    if let Err(error) = copy_bot(folder, place) {
        // Half a copy only takes room.
        let _ = remove_folder(place);
        context.report(&Report::FolderNotCopied { bot: name, folder, error: &error });
        program.template = Some(folder.clone());
    } else {
        program.template = Some(place.to_owned());
    }
    Ok(())
}
