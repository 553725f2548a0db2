//! Plays the games of a tournament, each in a folder of its own.

use super::super::seclusion::Cells;
use super::entrants::{Ready, Who};
use super::observed::Observed;
use crate::args::Kept;
use arena::record::{Archive, Clock, Header, InMemory, InPlace, Keep, MatchFolder, Sitter, remove_folder, save};
use arena::tournament::{Fixture, GameLine, Host, PlayerLine};
use arena::{ArenaError, Interrupt, Limits, Observers, Player, Players, Sequence, play};
use players::Bot;
use players::process::{PerRound, copy_bot};
use rules::entelect_2017::files::{BotDetails, Files};
use rules::entelect_2017::{Entelect2017, Settings};
use rules::{BySeat, Game, Seat};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// What all games of a tournament have in common.
pub(super) struct Arena<'a> {
    pub(super) settings: Settings,
    pub(super) seed: u64,
    pub(super) entrants: &'a [Ready],
    /// How long each may take, by entrant.
    pub(super) limits: Vec<Option<Limits>>,
    pub(super) cells: Option<&'a Cells>,
    pub(super) sequence: Sequence,
    pub(super) interrupt: &'a Interrupt,
    /// Where games are played.
    pub(super) scratch: &'a Path,
    /// Where the journal is, and what is kept.
    pub(super) folder: &'a Path,
    pub(super) keep: Kept,
}

impl Host for Arena<'_> {
    fn play(&self, fixture: Fixture) -> Result<GameLine, ArenaError> {
        let name = name(fixture);
        let root = self.scratch.join(&name);
        let played = self.play_in(fixture, &name, &root);
        let removed = remove_folder(&root).map_err(|e| ArenaError::disk("remove", &root, e));
        played.and_then(|line| removed.map(|()| line))
    }
}

/// What the files of a game are called.
fn name(fixture: Fixture) -> String {
    format!("{}-{}-{:05}", fixture.first, fixture.second, fixture.number)
}

impl Arena<'_> {
    fn play_in(&self, fixture: Fixture, name: &str, root: &Path) -> Result<GameLine, ArenaError> {
        let began = Instant::now();
        let names = [fixture.first, fixture.second].map(|at| self.entrants[at].entrant.name.as_str());
        let seed = fixture.seed(self.seed, names);
        let seated = fixture.seated();
        let details: BySeat<BotDetails> = seated.iter().map(|&at| self.entrants[at].entrant.details.clone()).collect();
        let files = Files::new(details);
        let folder = Arc::new(MatchFolder::create(&root.join("match"))?);
        let game = Entelect2017::start(&self.settings, 2, seed).expect("two players sit down");
        let mut players = Vec::new();
        for (seat, at) in [Seat::A, Seat::B].into_iter().zip(seated) {
            players.push(self.player(at, seat, seed, &files, &folder, &root.join(seat.to_string()))?);
        }
        let mut players: Players<Entelect2017> = players.into_iter().collect();

        let mut record = InMemory::begin(&self.header(seated, seed), Clock::Running);
        let mut observed = Observed::new(seated.len() as u8);
        let keep = if self.keep == Kept::None { Keep::Nothing } else { Keep::Faults };
        let mut bundles = Archive::new(Box::new(InPlace::new(Arc::clone(&folder)))).with_bundles(files, keep);
        let mut observers = Observers::new();
        observers.add(&mut record);
        observers.add(&mut observed);
        observers.add(&mut bundles);
        let outcome = play(game, &mut players, self.sequence, &mut observers)?;
        drop(observers);
        let faulty = !bundles.bundles().is_empty();
        bundles.close()?;
        let suspect = observed.suspect();
        let record = self.keep(name, faulty, &record.into_lines(), folder.path())?;
        let limits = seated.iter().map(|&at| self.limits[at].map(Into::into));
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
        let sitter = |at: &usize| Sitter {
            details: self.entrants[*at].entrant.details.clone(),
            content: self.entrants[*at].entrant.content.clone(),
            limits: self.limits[*at].map(Into::into),
        };
        Header {
            game: Entelect2017::KIND,
            settings: serde_json::to_value(self.settings).expect("settings have string keys"),
            seed,
            seats: seated.iter().map(sitter).collect(),
            sequence: Some(self.sequence),
            sandbox: self.cells.map(Cells::description),
            engine: concat!("broadside ", env!("CARGO_PKG_VERSION")).to_owned(),
            started: Clock::Running.stamp(),
        }
    }

    /// The player in `seat`; a bot in a copy of its folder.
    fn player(
        &self,
        at: usize,
        seat: Seat,
        seed: u64,
        files: &Files,
        folder: &Arc<MatchFolder>,
        copy: &Path,
    ) -> Result<Box<dyn Player<Entelect2017>>, ArenaError> {
        let seed = rules::seat_seed(seed, seat);
        match &self.entrants[at].who {
            Who::BuiltIn(built_in) => Ok(built_in.player(seed)),
            Who::Bot { program, pattern } => {
                let mut launch = program.launch.clone().with_seed(seed);
                if let Some(pattern) = pattern {
                    copy_bot(pattern, copy).map_err(|e| ArenaError::disk("copy", pattern, e))?;
                    launch = launch.moved(copy);
                }
                if let Some(cells) = self.cells {
                    launch = cells.confine(launch, self.limits[at].map(Limits::kill))?;
                }
                let interrupt = self.interrupt.clone();
                // Nothing that a player was shown stays where the other could look.
                let transport = PerRound::new(launch, Arc::clone(folder), self.limits[at], false, interrupt);
                Ok(Box::new(Bot::new(files.clone(), transport)))
            }
        }
    }

    /// Keeps the record and the bundles of a game, if that is wanted. Gives the record's path in the tournament's folder.
    fn keep(&self, name: &str, faulty: bool, lines: &[u8], played: &Path) -> Result<Option<String>, ArenaError> {
        let (record, bundles) = (format!("records/{name}.jsonl.zst"), self.folder.join("faults").join(name));
        let kept = self.folder.join(&record);
        // An earlier try that did not count may have left something.
        for left in [&kept, &bundles] {
            let removed = if left.is_file() { fs::remove_file(left) } else { remove_folder(left) };
            removed.map_err(|e| ArenaError::disk("remove", left, e))?;
        }
        let wanted = match self.keep {
            Kept::None => false,
            Kept::Faults => faulty,
            Kept::All => true,
        };
        if !wanted {
            return Ok(None);
        }
        let made = |path: &PathBuf| fs::create_dir_all(path).map_err(|e| ArenaError::disk("make the folder", path, e));
        let records = self.folder.join("records");
        made(&records)?;
        save(&kept, lines)?;
        let faults = played.join("faults");
        if faulty && faults.is_dir() {
            copy_bot(&faults, &bundles).map_err(|e| ArenaError::disk("write", &bundles, e))?;
        }
        Ok(Some(record))
    }
}
