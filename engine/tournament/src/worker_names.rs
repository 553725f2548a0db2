//! The names of the workers that have played a tournament on a cluster: each belongs to the key that had it first.

use crate::{GAMES_JSONL, ScoreTable};
use arena::ArenaError;
use rules::input_text;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{Error, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The file in the folder of the tournament: a line for each name, with its key before it.
const NAME: &str = "cluster-workers";

/// The most names of one key. Another name after these is the last of them.
const MOST_NAMES: usize = 100;
/// The length of a key: hexadecimal digits.
const KEY: usize = 64;

/// The names of the workers that have told results of a tournament, each with the key by which its worker signs.
#[derive(Debug)]
pub struct WorkerNames {
    path: PathBuf,
    keys: BTreeMap<String, String>,
}

impl WorkerNames {
    /// The names in the folder of a tournament.
    ///
    /// # Errors
    /// The file cannot be read, or has something else in it.
    pub fn open(folder: &Path) -> Result<WorkerNames, ArenaError> {
        let path = folder.join(NAME);
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            read => read.map_err(|e| ArenaError::disk("read", &path, e))?,
        };
        let text =
            input_text(&bytes).map_err(|e| ArenaError::disk("read", &path, Error::new(ErrorKind::InvalidData, e)))?;
        let before = bytes.len() - text.len();
        // A line that is cut off at the end is that of a worker whose results are not in the journal.
        let (whole, cut_off) = text.split_at(text.rfind('\n').map_or(0, |at| at + 1));
        let is_key = |key: &str| key.len() == KEY && key.bytes().all(|byte| byte.is_ascii_hexdigit());
        let names = whole.lines().zip(1..).map(|(line, number)| match line.split_once(' ') {
            Some((key, name)) if is_key(key) => Ok((name.to_owned(), key.to_owned())),
            _ => {
                let why = format!("it is damaged: line {number} is not a key with the name of a worker behind it");
                Err(ArenaError::disk("read", &path, Error::new(ErrorKind::InvalidData, why)))
            }
        });
        let keys = names.collect::<Result<_, _>>()?;
        if !cut_off.is_empty() {
            let file = File::options().write(true).open(&path);
            file.and_then(|file| file.set_len((before + whole.len()) as u64))
                .map_err(|e| ArenaError::disk("write", &path, e))?;
        }
        Ok(WorkerNames { path, keys })
    }

    /// The name of the worker with this key, 64 hexadecimal digits, that calls itself so: with the beginning of its key if the name is
    /// another worker's. Tells whether the name is new.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn of(&mut self, told: &str, key: &str) -> Result<(String, bool), ArenaError> {
        let mut known = self.keys.iter().filter(|(_, known)| *known == key).map(|(name, _)| name);
        if let Some(name) = known.nth(MOST_NAMES - 1) {
            let name = if self.keys.get(told).is_some_and(|known| known == key) { told } else { name };
            return Ok((name.to_owned(), false));
        }
        // Nobody has two keys with the same beginning without a search; the whole key is no one else's, and so is its name, unless
        // somebody else has taken it on purpose.
        let beginning = key.get(..8).unwrap_or(key);
        let names = [told.to_owned(), format!("{told} ({beginning})"), format!("{told} ({key})")];
        let numbered = (2..).map(|number| format!("{told} ({key} {number})"));
        let is_free = |name: &String| self.keys.get(name).is_none_or(|known| known == key);
        let name = names.into_iter().chain(numbered).find(is_free).unwrap_or_default();
        if self.keys.contains_key(&name) {
            return Ok((name, false));
        }
        let file = File::options().append(true).create(true).open(&self.path);
        file.and_then(|mut file| file.write_all(format!("{key} {name}\n").as_bytes()))
            .map_err(|e| ArenaError::disk("write", &self.path, e))?;
        self.keys.insert(name.clone(), key.to_owned());
        Ok((name, true))
    }

    /// All names of the worker with this name, itself included.
    pub fn of_same_key(&self, name: &str) -> BTreeSet<String> {
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
pub fn forget_worker(folder: &Path, worker: &str) -> Result<(u64, BTreeSet<String>), ForgetError> {
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
    /// The names of workers, or the journal, cannot be read or written.
    #[error(transparent)]
    Journal(#[from] ArenaError),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_belongs_to_the_key_that_had_it_first() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["1f", "2e"].map(|byte| byte.repeat(32));
        let [one, other] = [one.as_str(), &other];
        let mut names = WorkerNames::open(folder.path()).unwrap();
        assert_eq!(names.of("ann", one).unwrap(), ("ann".to_owned(), true));
        let second = format!("ann ({})", &other[..8]);
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
    fn a_line_that_is_damaged_is_told_with_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let key = "1f".repeat(32);
        fs::write(folder.path().join(NAME), format!("{key} ann\nwhat\n")).unwrap();
        let told = format!("{:?}", WorkerNames::open(folder.path()).unwrap_err());
        assert!(told.contains("cluster-workers") && told.contains("line 2"), "{told}");
    }

    #[test]
    fn a_first_line_that_is_cut_off_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let key = "1f".repeat(32);
        fs::write(&path, "0123").unwrap();
        WorkerNames::open(folder.path()).unwrap();
        // The next run finds a file that it can read, and so does the one after the first name.
        assert_eq!(WorkerNames::open(folder.path()).unwrap().of("ann", &key).unwrap(), ("ann".to_owned(), true));
        assert_eq!(WorkerNames::open(folder.path()).unwrap().of("ann", &key).unwrap(), ("ann".to_owned(), false));
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{key} ann\n"));
    }
}
