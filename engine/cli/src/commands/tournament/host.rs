//! Plays the games of a tournament.

use super::kit::{Kit, Seating};
use super::observed::Observed;
use crate::args::Kept;
use crate::commands::recording;
use arena::folder::remove_folder;
use arena::record::{Clock, Header, RecordBuffer, RecordedSeat, save};
use arena::{ArenaError, Observers, Sequence, play};
use rules::Game;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tournament::{Entrant, Fixture, GameLine, GameRunner, PlayerLine};

/// What all games of a tournament have in common.
pub(super) struct Arena<'a, K: Kit> {
    pub(super) kit: &'a K,
    pub(super) seed: u64,
    pub(super) entrants: &'a [Entrant],
    pub(super) sequence: Sequence,
    /// Where the journal is, and what is kept.
    pub(super) folder: &'a Path,
    pub(super) keep: Kept,
}

impl<K: Kit> GameRunner for Arena<'_, K> {
    fn play(&self, fixture: Fixture) -> Result<GameLine, ArenaError> {
        let name = name(fixture);
        let paired = [fixture.first, fixture.second].map(|at| self.entrants[at].name.as_str());
        let seed = fixture.seed(self.seed, paired);
        let seated = fixture.seated();
        let names = seated.map(|at| self.entrants[at].name.as_str());
        let seating = Seating { name: &name, seated, names, seed };
        let played = self.play_seated(fixture, &seating);
        let cleared = self.kit.clear(&seating);
        played.and_then(|line| cleared.map(|()| line))
    }
}

/// What the files of a game are called.
fn name(fixture: Fixture) -> String {
    format!("{}-{}-{:05}", fixture.first, fixture.second, fixture.number)
}

impl<K: Kit> Arena<'_, K> {
    fn play_seated(&self, fixture: Fixture, seating: &Seating<'_>) -> Result<GameLine, ArenaError> {
        let began = Instant::now();
        let &Seating { seated, seed, .. } = seating;
        let (mut players, mut beside) = self.kit.seat(seating)?;
        let game = K::Game::start(self.kit.settings(), 2, seed).expect("it could be begun before");

        let wanted = self.keep != Kept::None;
        let mut record = wanted.then(|| RecordBuffer::begin(&self.header(seated, seed), Clock::Running)).transpose()?;
        let mut observed = Observed::new(seated.len() as u8);
        let mut stop = self.kit.interrupt().clone();
        let mut observers = Observers::new();
        observers.add(&mut stop);
        if let Some(record) = &mut record {
            observers.add(record);
        }
        observers.add(&mut observed);
        observers.add(&mut beside);
        let outcome = play(game, &mut players, self.sequence, &mut observers)?;
        drop(observers);
        let suspect = observed.suspect();
        let record = self.keep(seating.name, observed.is_faulty(), record, beside)?;
        let limits = seated.iter().map(|&at| self.kit.limits(at));
        let players = observed.players().into_iter().zip(limits);
        Ok(GameLine {
            fixture,
            seed: seed.to_string(),
            outcome,
            players: players.map(|(player, limits)| PlayerLine { limits, ..player }).collect(),
            suspect,
            repeats: 0,
            record,
            took_ms: began.elapsed().as_millis() as u64,
            ended: Clock::Running.stamp().unwrap_or_default(),
        })
    }

    fn header(&self, seated: [usize; 2], seed: u64) -> Header {
        let sitter = |at: &usize| RecordedSeat {
            details: self.entrants[*at].details.clone(),
            content: self.entrants[*at].content.clone(),
            limits: self.kit.limits(*at),
        };
        let seats = seated.iter().map(sitter).collect();
        let header = recording::header::<K::Game>(self.kit.settings(), seed, seats, self.sequence);
        Header { sandbox: self.kit.sandbox(), ..header }
    }

    /// Keeps the record and what there is beside it, if that is wanted. Gives the record's path in the tournament's folder.
    fn keep(
        &self,
        name: &str,
        faulty: bool,
        written: Option<RecordBuffer>,
        beside: K::Beside,
    ) -> Result<Option<String>, ArenaError> {
        let (record, faults) = (format!("records/{name}.jsonl.zst"), self.folder.join("faults").join(name));
        let kept = self.folder.join(&record);
        // An earlier try that did not count may have left something.
        for left in [&kept, &faults] {
            let removed = if left.is_file() { fs::remove_file(left) } else { remove_folder(left) };
            removed.map_err(|e| ArenaError::disk("remove", left, e))?;
        }
        let Some(written) = written.filter(|_| faulty || self.keep == Kept::All) else { return Ok(None) };
        let made = |path: &PathBuf| fs::create_dir_all(path).map_err(|e| ArenaError::disk("make the folder", path, e));
        let records = self.folder.join("records");
        made(&records)?;
        save(&kept, &written.into_lines())?;
        self.kit.keep(beside, &faults)?;
        Ok(Some(record))
    }
}
