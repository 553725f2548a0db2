//! One game of a tournament: seated, played, and kept as far as that is wanted.

use crate::game_report::GameReport;
use crate::late_players::asked_until_late;
use crate::{MatchFactory, Seating, SideFileOptions};
use arena::folder::{MatchFolder, remove_folder};
use arena::record::{Clock, FolderStore, Header, MatchFiles, RecordBuffer, RecordedSeat, save};
use arena::{ArenaError, Interrupt, Observers, Sequence, play};
use match_folder::Keep;
use platform::locks::lock;
use players::BuiltIn;
use players::process::copy_bot;
use rules::Game;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tournament::{Entrant, Fixture, Format, GameLine, GameResult, GameRunner, KnockoutSeeds, PlayerLine};

/// The games of which a tournament keeps record and fault bundles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeptGames {
    /// None.
    Nothing,
    /// Games in which a turn had no order that was obeyed, and the final of a knockout.
    #[default]
    Faults,
    /// Games with faults, and the first [`FIRST_KEPT`] of each pairing.
    First,
    /// All.
    All,
}

/// The number of games of a pairing whose records are kept in [`KeptGames::First`].
pub const FIRST_KEPT: u32 = 20;

/// The first games that were lost by the bot that was named first, up to a number.
#[derive(Debug, Default)]
pub struct LostGames {
    most: usize,
    taken: Mutex<BTreeSet<Fixture>>,
}

impl LostGames {
    /// The first games, no more than `most`.
    pub fn up_to(most: usize) -> LostGames {
        LostGames { most, taken: Mutex::default() }
    }

    /// True if the game is one of them. A game that is played again may become one, or may no longer be.
    fn takes(&self, fixture: Fixture, result: GameResult) -> bool {
        let mut taken = lock(&self.taken);
        taken.remove(&fixture);
        let is_taken = result == GameResult::Loss && taken.len() < self.most;
        if is_taken {
            taken.insert(fixture);
        }
        is_taken
    }
}

/// The folder, in that of a tournament, with the records that are kept.
pub(crate) const RECORDS: &str = "records";
/// The folder, in that of a tournament, with the fault bundles that are kept.
pub const FAULTS: &str = "faults";

/// The name of a game among those of its tournament.
pub fn game_name(fixture: Fixture) -> String {
    format!("{}-{}-{:05}", fixture.first, fixture.second, fixture.number)
}

/// The path of the record of a game in the folder of its tournament.
pub fn record_path(fixture: Fixture) -> String {
    path_of(&game_name(fixture))
}

fn path_of(name: &str) -> String {
    format!("{RECORDS}/{name}.jsonl.zst")
}

/// The record of a game in the folder of its tournament, if it was kept.
pub fn kept_record(folder: &Path, fixture: Fixture) -> Option<PathBuf> {
    Some(folder.join(record_path(fixture))).filter(|path| path.is_file())
}

/// Plays games of a tournament with the matches of a factory.
pub struct FactoryGames<'a, F: MatchFactory> {
    /// The factory. Its contestants are entrants of the tournament.
    pub factory: &'a F,
    /// The number of the entrant that each contestant of the factory is, in the order of the contestants.
    pub contestants: &'a [usize],
    /// The settings of the game.
    pub settings: &'a <F::Game as Game>::Settings,
    /// Stops the games.
    pub interrupt: &'a Interrupt,
    /// The base of the games' seeds.
    pub seed: u64,
    /// All entrants of the tournament.
    pub entrants: &'a [Entrant],
    /// The sequence in which the players of a game are asked.
    pub sequence: Sequence,
    /// The folder for records and fault bundles that are kept.
    pub folder: &'a Path,
    /// The games of which they are kept.
    pub keep: KeptGames,
    /// The lost games that are kept as well.
    pub lost: LostGames,
    /// The format of the tournament.
    pub format: Format,
}

impl<F: MatchFactory> GameRunner for FactoryGames<'_, F> {
    fn play(&self, fixture: Fixture) -> Result<GameLine, ArenaError> {
        let name = game_name(fixture);
        let called = |at: usize| self.entrants[at].name.as_str();
        let pair = [fixture.first, fixture.second].map(called);
        let seated = fixture.seated();
        // All who are graded meet the same player, move by move: their own name has no say in its seed.
        let seeded = if self.format == Format::Grading { ["", pair[1]] } else { pair };
        let contestant = |entrant: usize| {
            let at = self.contestants.iter().position(|contestant| *contestant == entrant);
            at.expect("the factory has the entrants of the game")
        };
        let folder = self.factory.game_folder(&name)?;
        let seating = Seating {
            game: &name,
            contestants: &seated.map(contestant),
            names: &seated.map(called),
            seed: fixture.match_seed(self.seed, seeded, self.format.seeds::<F::Game>(self.settings)),
            player_seed: fixture.player_seed(self.seed, seeded),
            folder: folder.as_ref(),
            // A player must not find the files of the other.
            hide_files: true,
        };
        let played = self.play_seated(fixture, &seating);
        let cleared = self.factory.clear(&name);
        played.and_then(|line| cleared.map(|()| line))
    }
}

impl<F: MatchFactory> FactoryGames<'_, F> {
    fn play_seated(&self, fixture: Fixture, seating: &Seating<'_>) -> Result<GameLine, ArenaError> {
        let began = Instant::now();
        let mut players = asked_until_late(self.factory.seat(seating)?);
        let game = F::Game::start(self.settings, 2, seating.seed).expect("the settings were tried before");
        let keeps = self.keep != KeptGames::Nothing;
        let mut record = keeps.then(|| RecordBuffer::begin(&self.header(seating), Clock::Running)).transpose()?;
        let mut files = seating.folder.filter(|_| keeps).map(|folder| {
            let wanted = SideFileOptions { rounds: false, bundles: Keep::Faults };
            MatchFiles::new(Box::new(FolderStore::new(Arc::clone(folder))), self.factory.side_files(seating, wanted))
        });
        let mut report = GameReport::new(seating.contestants.len() as u8);
        let mut stop = self.interrupt.clone();
        let mut observers = Observers::new();
        observers.add(&mut stop);
        if let Some(record) = &mut record {
            observers.add(record);
        }
        observers.add(&mut report);
        if let Some(files) = &mut files {
            observers.add(files);
        }
        let outcome = play(game, &mut players, self.sequence, &mut observers)?;
        drop(observers);
        files.map_or(Ok(()), MatchFiles::close)?;
        let (players, suspect) = report.finish();
        let is_faulty = players.iter().any(|player| !player.faults.is_empty());
        let is_first = self.keep == KeptGames::First && fixture.number < FIRST_KEPT;
        let is_wanted =
            is_faulty || is_first || self.is_final(fixture) || self.lost.takes(fixture, fixture.result(&outcome));
        let record = self.keep(seating, is_wanted, record)?;
        let limits = seating.contestants.iter().map(|&at| self.factory.limits(at).map(Into::into));
        let players = players.into_iter().zip(limits);
        Ok(GameLine {
            fixture,
            seed: seating.seed.to_string(),
            outcome,
            players: players.map(|(player, limits)| PlayerLine { limits, ..player }).collect(),
            suspect,
            repeats: 0,
            record,
            machine: None,
            took_ms: began.elapsed().as_millis() as u64,
            ended: Clock::Running.stamp().unwrap_or_default(),
        })
    }

    /// True if the game decides who wins the tournament.
    fn is_final(&self, fixture: Fixture) -> bool {
        self.format == Format::Knockout && KnockoutSeeds::of(self.entrants).round(fixture).is_final()
    }

    fn header(&self, seating: &Seating<'_>) -> Header {
        let recorded = |&at: &usize| {
            let Entrant { name, bot, details, content, .. } = self.entrants[self.contestants[at]].clone();
            let (limits, start) = (self.factory.limits(at).map(Into::into), self.factory.start_mode(at));
            let bot = Some(bot).filter(|bot| !bot.starts_with(BuiltIn::PREFIX));
            RecordedSeat { bot, content, limits, start, ..RecordedSeat::new(details).called(name) }
        };
        let seats = seating.contestants.iter().map(recorded).collect();
        let header = Header::new::<F::Game>(self.settings, seating.seed, seats, self.sequence);
        Header { sandbox: self.factory.sandbox(), ..header }
    }

    /// Keeps the record and the fault bundles, if that is wanted. Gives the record's path in the folder of the tournament.
    fn keep(
        &self,
        seating: &Seating<'_>,
        is_wanted: bool,
        written: Option<RecordBuffer<F::Game>>,
    ) -> Result<Option<String>, ArenaError> {
        let name = seating.game;
        let (record, faults) = (path_of(name), self.folder.join(FAULTS).join(name));
        let kept = self.folder.join(&record);
        // An earlier try that did not count may have left something.
        for left in [&kept, &faults] {
            let removed = if left.is_file() { fs::remove_file(left) } else { remove_folder(left) };
            removed.map_err(|e| ArenaError::disk("remove", left, e))?;
        }
        let Some(written) = written.filter(|_| is_wanted || self.keep == KeptGames::All) else { return Ok(None) };
        let records = self.folder.join(RECORDS);
        fs::create_dir_all(&records).map_err(|e| ArenaError::disk("make the folder", &records, e))?;
        save(&kept, &written.lines())?;
        if let Some(written) = seating.folder.map(|folder: &Arc<MatchFolder>| folder.path().join("faults"))
            && written.is_dir()
        {
            copy_bot(&written, &faults).map_err(|e| ArenaError::disk("write", &faults, e))?;
        }
        Ok(Some(record))
    }
}
