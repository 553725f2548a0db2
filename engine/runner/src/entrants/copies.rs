//! The copies of bots' folders in the folder of a tournament: a bot that has entered plays from its copy, whatever becomes of its folder.

use super::{Named, entry};
use crate::{Contestant, ContestantOf, GameSetup, RunnerError};
use arena::folder::remove_folder;
use players::process::{copy_bot, copy_hash};
use players::{BuiltIn, content_hash};
use std::path::{Component, Path, PathBuf};
use std::{fs, io};
use tournament::Entrant;

/// The copies of a tournament, in a folder for each entrant by its number.
pub(crate) struct Copies {
    path: PathBuf,
}

impl Copies {
    /// The copies in this folder, which need not be there.
    pub(crate) fn new(path: PathBuf) -> Copies {
        Copies { path }
    }

    fn place(&self, number: usize) -> PathBuf {
        self.path.join(number.to_string())
    }

    /// True if the copy of an entrant is there, and is what the entrant was when it entered.
    pub(super) fn has<S: GameSetup>(&self, setup: &S, number: usize, old: &Entrant) -> bool {
        let place = self.place(number);
        let is_folder = place.symlink_metadata().is_ok_and(|copy| copy.is_dir());
        is_folder
            && match &old.copy {
                Some(hash) => copy_hash(&place).is_ok_and(|found| found == *hash),
                // It entered with an older version.
                None => {
                    old.content.is_some() && setup.find_built(&place).is_ok_and(|found| found.content == old.content)
                }
            }
    }

    /// The contestant that an entrant was when it entered: its copy, or a built-in player; `None` without either.
    pub(super) fn as_entered<S: GameSetup>(&self, setup: &S, number: usize, old: &Entrant) -> Option<ContestantOf<S>> {
        let is_built_in = old.bot.starts_with(BuiltIn::PREFIX);
        if !is_built_in && !self.has(setup, number, old) {
            return None;
        }
        setup.entered(old, Some(self.place(number)).filter(|_| !is_built_in).as_deref()).ok()
    }

    /// The contestant, as it was found in its folder, with the copy that is there.
    pub(super) fn playing<S: GameSetup>(&self, number: usize, mut contestant: ContestantOf<S>) -> ContestantOf<S> {
        if let Some(program) = contestant.bot_mut().and_then(S::program) {
            program.template = Some(self.place(number));
        }
        contestant
    }

    /// The same contestant with a copy of its folder, unless it has one, and its entry with what is in that. Somebody may have changed the bot since it was
    /// found: then it is what is in the copy. Without room here, it is copied elsewhere when the tournament is opened.
    ///
    /// # Errors
    /// The bot has changed into one that cannot play.
    pub(super) fn copied<S: GameSetup>(
        &self,
        setup: &S,
        number: usize,
        mut named: Named<ContestantOf<S>>,
    ) -> Result<Named<ContestantOf<S>>, RunnerError> {
        let Some(program) = named.contestant.bot_mut().and_then(S::program) else { return Ok(named) };
        if program.template.is_some() {
            return Ok(named);
        }
        let (folder, manifest) = (program.folder.clone(), program.manifest.clone());
        let Ok(hash) = self.make(number, &folder) else { return Ok(named) };
        let place = self.place(number);
        let run_file = manifest.run_path();
        let inside = run_file.strip_prefix(&folder).ok();
        let is_as_found = match inside.filter(|path| !path.components().any(|part| part == Component::ParentDir)) {
            Some(path) => {
                named.contestant.content.is_some()
                    && content_hash(&place, &place.join(path)) == named.contestant.content
            }
            // A program elsewhere is not copied.
            None => true,
        };
        let contestant = if is_as_found {
            self.playing::<S>(number, named.contestant)
        } else {
            let found = setup.find_built(&place)?;
            let old = named.contestant.info;
            let found = if old.nick_name == manifest.details.nick_name { found } else { found.called(old.name()) };
            Contestant { source: named.contestant.source, ..found }
        };
        let entrant = Entrant { copy: Some(hash), ..entry(&contestant) };
        Ok(Named { entrant, contestant, place: named.place })
    }

    /// Copies a folder as that of an entrant, and gives the hash of the copy. A copy that was there is replaced when the new one is
    /// complete.
    fn make(&self, number: usize, folder: &Path) -> io::Result<String> {
        let (place, fresh) = (self.place(number), self.path.join(format!("{number}.new")));
        let copied = remove(&fresh)
            .and_then(|()| copy_bot(folder, &fresh))
            .and_then(|()| copy_hash(&fresh))
            .and_then(|hash| remove(&place).and_then(|()| fs::rename(&fresh, &place)).map(|()| hash));
        if copied.is_err() {
            // Half a copy only takes room.
            let _ = remove(&fresh);
        }
        copied
    }
}

/// Removes what is at this path. No link is followed.
fn remove(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(found) if !found.is_dir() => fs::remove_file(path),
        _ => remove_folder(path),
    }
}
