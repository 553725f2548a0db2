//! The names of the workers of a tournament: each belongs to the key that had it first.

use crate::error::ClusterError;
use crate::wire::signing::PublicKey;
use arena::ArenaError;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use tournament::{GAMES_JSONL, ScoreTable};

/// The file in the folder of the tournament: a line for each name, with its key before it.
const NAME: &str = "cluster-workers";

/// The names of the workers that have told results of a tournament.
pub(crate) struct WorkerNames {
    path: PathBuf,
    keys: BTreeMap<String, PublicKey>,
}

impl WorkerNames {
    /// The names in the folder of a tournament.
    ///
    /// # Errors
    /// The file cannot be read, or has something else in it.
    pub(crate) fn open(folder: &Path) -> Result<WorkerNames, ClusterError> {
        let path = folder.join(NAME);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            read => read.map_err(|e| ClusterError::disk("read", &path, e))?,
        };
        // A line that is cut off at the end is that of a worker whose results are not in the journal.
        let (whole, cut_off) = text.split_at(text.rfind('\n').map_or(0, |at| at + 1));
        let names = whole.lines().map(|line| {
            let (key, name) = line.split_once(' ').unwrap_or((line, ""));
            Ok((name.to_owned(), key.parse()?))
        });
        let keys = names.collect::<Result<_, ClusterError>>()?;
        if !cut_off.is_empty() {
            let file = File::options().write(true).open(&path);
            file.and_then(|file| file.set_len(whole.len() as u64))
                .map_err(|e| ClusterError::disk("write", &path, e))?;
        }
        Ok(WorkerNames { path, keys })
    }

    /// The name of the worker with this key that calls itself so: with the beginning of its key if the name is another worker's.
    /// Tells whether the name is new.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn of(&mut self, told: &str, key: PublicKey) -> Result<(String, bool), ClusterError> {
        let text = key.to_string();
        // Nobody has two keys with the same beginning without a search; the whole key is no one else's.
        let names = [told.to_owned(), format!("{told} ({})", &text[..8]), format!("{told} ({text})")];
        for name in names {
            match self.keys.get(&name) {
                Some(known) if *known == key => return Ok((name, false)),
                Some(_) => {}
                None => {
                    let file = File::options().append(true).create(true).open(&self.path);
                    file.and_then(|mut file| file.write_all(format!("{text} {name}\n").as_bytes()))
                        .map_err(|e| ClusterError::disk("write", &self.path, e))?;
                    self.keys.insert(name.clone(), key);
                    return Ok((name, true));
                }
            }
        }
        Err(ClusterError::Message("an answer", format!("another worker has the name {told}")))
    }

    /// All names of the worker with this name, itself included.
    pub(crate) fn of_same_key(&self, name: &str) -> BTreeSet<String> {
        let key = self.keys.get(name);
        let same = self.keys.iter().filter(|(_, other)| Some(*other) == key).map(|(name, _)| name.clone());
        same.chain([name.to_owned()]).collect()
    }
}

/// Removes the games of the tournament in `folder` that this worker has played, under all its names, from the journal. A tournament
/// that goes on plays them again. Gives their number and the worker's names.
///
/// # Errors
/// [`ForgetError::NoGames`] if it has played none; or the files cannot be read or written.
pub fn forget(folder: &Path, worker: &str) -> Result<(u64, BTreeSet<String>), ForgetError> {
    let journal = folder.join(GAMES_JSONL);
    let names = WorkerNames::open(folder)?.of_same_key(worker);
    let removed =
        ScoreTable::remove_games(&journal, |game| !game.machine.as_ref().is_some_and(|by| names.contains(by)))?;
    if removed == 0 {
        let known = ScoreTable::read(&journal)?.machines().keys().cloned().collect();
        return Err(ForgetError::NoGames(worker.to_owned(), known));
    }
    Ok((removed, names))
}

/// The reason why no games of a worker were removed.
#[derive(Debug, thiserror::Error)]
pub enum ForgetError {
    /// The worker of this name has no games in the journal; those with these names have some.
    #[error("the worker {} has played no game of it: {}", rules::printable(.0), if .1.is_empty() { "no worker has".to_owned() } else { format!("its workers are {}", rules::printable(&.1.join(", "))) })]
    NoGames(String, Vec<String>),
    /// The names of workers cannot be read.
    #[error(transparent)]
    Names(#[from] ClusterError),
    /// The journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] ArenaError),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::signing::SecretKey;

    #[test]
    fn a_name_belongs_to_the_key_that_had_it_first() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = [(); 2].map(|()| SecretKey::drawn().public());
        let mut names = WorkerNames::open(folder.path()).unwrap();
        assert_eq!(names.of("ann", one).unwrap(), ("ann".to_owned(), true));
        let second = format!("ann ({})", &other.to_string()[..8]);
        assert_eq!(names.of("ann", other).unwrap(), (second.clone(), true));
        assert_eq!(names.of("bob", one).unwrap(), ("bob".to_owned(), true));
        // Also in the next run of the head, and after a line that was cut off.
        let path = folder.path().join(NAME);
        fs::write(&path, fs::read_to_string(&path).unwrap() + "0123").unwrap();
        let mut names = WorkerNames::open(folder.path()).unwrap();
        assert_eq!(names.of("ann", other).unwrap(), (second.clone(), false));
        assert_eq!(names.of("ann", one).unwrap(), ("ann".to_owned(), false));
        assert_eq!(names.of_same_key("bob"), ["ann", "bob"].map(str::to_owned).into());
        assert_eq!(names.of_same_key(&second), [second].into());
        assert_eq!(names.of_same_key("cid"), ["cid".to_owned()].into());
    }

    #[test]
    fn a_first_line_that_is_cut_off_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let key = SecretKey::drawn().public();
        fs::write(&path, "0123").unwrap();
        WorkerNames::open(folder.path()).unwrap();
        // The next run finds a file that it can read, and so does the one after the first name.
        assert_eq!(WorkerNames::open(folder.path()).unwrap().of("ann", key).unwrap(), ("ann".to_owned(), true));
        assert_eq!(WorkerNames::open(folder.path()).unwrap().of("ann", key).unwrap(), ("ann".to_owned(), false));
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{key} ann\n"));
    }
}
