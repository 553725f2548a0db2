//! A single match: prepared, then played before the eyes of an observer.

use crate::folders::{match_folder, spool};
use crate::game_report::GameReport;
use crate::late_players::asked_until_late;
use crate::names;
use crate::{
    Advice, Contestants, GameSetup, MatchFactory, Opening, RunnerError, ScratchFolder, Seating, SideFileOptions,
    TurnFault, fresh_seed,
};
use arena::folder::{MatchFolder, Spool};
use arena::record::{
    Bundle, Clock, DiscardingStore, FolderStore, Header, MatchFiles, MatchStore, SpooledStore, compress_record,
};
use arena::{ArenaError, MatchEvent, Observer, Observers, Sequence, play};
use match_folder::Keep;
use rules::{BySeat, Fault, Game, GameKind, Outcome, Seat};
use std::path::PathBuf;
use std::sync::Arc;

/// Options of a single match. By default: a new seed, the usual sequence, rounds and record in a fresh folder, bundles of
/// faults.
#[derive(Debug, Clone, Default)]
pub struct MatchOptions {
    /// The seed of the match; `None` for a new one.
    pub seed: Option<u64>,
    /// The sequence in which players are asked; `None` for the usual one of the game and its players.
    pub sequence: Option<Sequence>,
    /// The files that the match leaves.
    pub output: MatchOutput,
    /// The folder of the match; `None` for a fresh one in `replays/`.
    pub folder: Option<PathBuf>,
    /// True to compress the record (zstd).
    pub compress: bool,
    /// The turns that are kept as fault bundles.
    pub bundles: Keep,
    /// True not to ask a player any more that was late in five turns in a row.
    pub asks_until_late: bool,
    /// True to remove each player's files when its turn is over, and to restore them at the end (tournament mode).
    pub hide_files: bool,
    /// Folders that bots cannot read, besides that of the match.
    pub closed: Vec<PathBuf>,
    /// True to play with copies of the bots' folders, as tournaments do.
    pub copies: bool,
}

/// The files that a match leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MatchOutput {
    /// The record, and the files of all rounds if the game has such files.
    #[default]
    Folder,
    /// The record only.
    Record,
    /// No files.
    Nothing,
}

/// The state of a match of `G` before its first turn.
///
/// # Errors
/// [`RunnerError::Settings`] if the settings are out of range or the game is not for so many players.
pub fn start<G: Game>(settings: &G::Settings, seats: u8, seed: u64) -> Result<G, RunnerError> {
    G::start(settings, seats, seed).map_err(|error| RunnerError::Settings(error.to_string()))
}

/// A match that is ready to begin. Nothing on the disk has changed yet.
pub struct PreparedMatch<S: GameSetup> {
    setup: S,
    contestants: Contestants<S>,
    options: MatchOptions,
    /// The header of the record, without time limits and sandbox.
    pub header: Header,
    /// The state before the first turn.
    pub first: S::Game,
    sequence: Sequence,
}

impl<S: GameSetup> PreparedMatch<S> {
    /// A match of these contestants, by seat.
    ///
    /// # Errors
    /// [`RunnerError::WrongNumber`] and [`RunnerError::Settings`]; or as for [`GameSetup::check`].
    ///
    /// # Panics
    /// The settings have keys that are not strings; those of our games have none.
    pub fn new(setup: S, contestants: Contestants<S>, options: MatchOptions) -> Result<PreparedMatch<S>, RunnerError> {
        let (named, allowed) = (contestants.len(), S::Game::seats(setup.settings()));
        let seats = u8::try_from(named).ok().filter(|seats| allowed.contains(seats));
        let seats = seats.ok_or(RunnerError::WrongNumber(S::Game::KIND, allowed, named))?;
        let seed = options.seed.unwrap_or_else(fresh_seed);
        let first = start::<S::Game>(setup.settings(), seats, seed)?;
        setup.check(&contestants)?;
        let sequence = options.sequence.unwrap_or_else(|| setup.usual_sequence(&contestants));
        let names = names::told_apart(&contestants.iter().map(names::of_contestant).collect::<Vec<_>>());
        let recorded = contestants.iter().zip(names).map(|(contestant, name)| contestant.recorded(name)).collect();
        let header = Header::new::<S::Game>(setup.settings(), seed, recorded, sequence);
        Ok(PreparedMatch { setup, contestants, options, header, first, sequence })
    }

    /// The names of the players. Bots of one name are told apart by their folders.
    pub fn names(&self) -> BySeat<String> {
        self.header.seats.map(|seat| seat.name().to_owned())
    }

    /// Plays the match. `watch` sees every event after it was recorded. An interrupted or failed match has no winner; what
    /// there is of it stays.
    ///
    /// # Errors
    /// The match could not begin. Failures after its beginning are in [`PlayedMatch::result`].
    pub fn play(self, watch: &mut dyn Observer<S::Game>) -> Result<PlayedMatch, RunnerError> {
        let names = self.names();
        let PreparedMatch { setup, contestants, options, header, first, sequence } = self;
        let context = setup.context().clone();
        let keeps = options.output != MatchOutput::Nothing;
        let kept = keeps.then(|| match_folder(options.folder.as_deref(), &context).map(Arc::new)).transpose()?;
        let (played_in, scratch) = played_in::<S>(&options, kept.as_ref(), setup.context())?;
        let spool = match &kept {
            Some(kept) if options.hide_files && S::PLAYERS_HAVE_FILES => Some(spool(kept.path(), &context)?),
            _ => None,
        };
        let own = [&played_in, &kept].into_iter().flatten().map(|folder| folder.path().to_owned());
        let opening = Opening {
            closed: own.chain(options.closed).collect(),
            spool: spool.as_ref().map(|spool| spool.path().to_owned()),
            scratch,
            copies: options.copies,
        };
        let mut report = GameReport::new(contestants.len() as u8);
        let advice: BySeat<Option<Advice>> = contestants.iter().map(|_| None).collect();
        let faults: BySeat<Option<TurnFault>> = contestants.iter().map(|_| None).collect();
        let played = |result, closed, bundles, report: &GameReport, advice, faults| PlayedMatch {
            game: S::Game::KIND,
            names: names.clone(),
            settings: header.settings.clone(),
            seed: header.seed,
            result,
            closed,
            folder: kept.clone(),
            bundles,
            lost: report.players.iter().map(|player| player.faults.values().sum()).collect(),
            shots: report.players.iter().map(|player| Some((player.shots?, player.specials))).collect(),
            advice,
            faults,
        };
        let seats = contestants.len();
        let factory = match setup.open(contestants, opening) {
            // The match has begun for those who wait for its folder.
            Err(RunnerError::Arena(error)) => {
                return Ok(played(Err(error), Ok(()), Vec::new(), &report, advice, faults));
            }
            opened => opened?,
        };
        let numbers: Vec<usize> = (0..seats).collect();
        let told: Vec<&str> = header.seats.iter().map(|(_, seat)| seat.details.name()).collect();
        let seating = Seating {
            game: "match",
            contestants: &numbers,
            names: &told,
            seed: header.seed,
            player_seed: header.seed,
            folder: played_in.as_ref(),
            hide_files: options.hide_files,
        };
        let wanted = SideFileOptions { rounds: options.output == MatchOutput::Folder, bundles: options.bundles };
        let mut archive = MatchFiles::new(store(kept.as_ref(), spool), factory.side_files(&seating, wanted));
        let programs: BySeat<_> = numbers.iter().map(|&at| (factory.limits(at), factory.start_mode(at))).collect();
        let header = Header { sandbox: factory.sandbox(), ..header.clone().with_programs(&programs) };
        let mut bots = BotObserver { factory: &factory, advice, faults };
        let result = factory.seat(&seating).and_then(|players| {
            let mut players = if options.asks_until_late { asked_until_late(players) } else { players };
            let mut stop = context.interrupt.clone();
            let mut observers = Observers::new();
            observers.add(&mut stop);
            observers.add(&mut report);
            observers.add(&mut bots);
            if keeps || S::PLAYERS_HAVE_FILES {
                archive.begin_record(&header, Clock::Running)?;
                observers.add(&mut archive);
            }
            observers.add(watch);
            play(first, &mut players, sequence, &mut observers)
        });
        let bundles = archive.bundles().to_vec();
        // The files come back however the match ended.
        let closed = archive.close();
        let compress = || kept.as_ref().filter(|_| options.compress).map_or(Ok(()), |kept| compress_record(kept));
        Ok(played(result, closed.and_then(|()| compress()), bundles, &report, bots.advice, bots.faults))
    }
}

/// Finds the first fault of each bot, and the advice for bots that end badly, by the first run for which there is one. Contestants are
/// numbered by seat.
struct BotObserver<'a, F> {
    factory: &'a F,
    advice: BySeat<Option<Advice>>,
    faults: BySeat<Option<TurnFault>>,
}

impl<F: MatchFactory> Observer<F::Game> for BotObserver<'_, F> {
    fn on(&mut self, event: &MatchEvent<'_, F::Game>) -> Result<(), ArenaError> {
        let MatchEvent::Answered { turn, game, replies } = event else { return Ok(()) };
        for (seat, reply) in *replies {
            let is_of_bot = !matches!(reply.answer, Err(Fault::GaveUp | Fault::NotAsked { .. }));
            if is_of_bot && self.faults[*seat].is_none() {
                self.faults[*seat] = TurnFault::of(*turn, *game, *seat, reply);
            }
            if let Some(run) = reply.run.as_ref().filter(|_| self.advice[*seat].is_none()) {
                self.advice[*seat] = self.factory.advice(seat.index(), run);
            }
        }
        Ok(())
    }
}

/// The folder in which players that are programs find their files: the kept one, or a temporary one.
fn played_in<S: GameSetup>(
    options: &MatchOptions,
    kept: Option<&Arc<MatchFolder>>,
    context: &crate::Context,
) -> Result<(Option<Arc<MatchFolder>>, Option<ScratchFolder>), ArenaError> {
    match kept {
        _ if !S::PLAYERS_HAVE_FILES => Ok((None, None)),
        Some(kept) if options.output == MatchOutput::Folder => Ok((Some(Arc::clone(kept)), None)),
        _ => {
            let scratch = ScratchFolder::make(context)?;
            Ok((Some(Arc::new(MatchFolder::open(scratch.path())?)), Some(scratch)))
        }
    }
}

fn store(kept: Option<&Arc<MatchFolder>>, spool: Option<Spool>) -> Box<dyn MatchStore> {
    let Some(kept) = kept.map(Arc::clone) else { return Box::new(DiscardingStore) };
    match spool {
        Some(spool) => Box::new(SpooledStore::new(kept, spool)),
        None => Box::new(FolderStore::new(kept)),
    }
}

/// A match that was played, as far as it was.
#[derive(Debug)]
pub struct PlayedMatch {
    /// The game.
    pub game: GameKind,
    /// The names of the players.
    pub names: BySeat<String>,
    /// The settings of the game, as the game writes them.
    pub settings: serde_json::Value,
    /// The seed of the match.
    pub seed: u64,
    /// The outcome, or the failure of the engine that ended the match without a winner.
    pub result: Result<Outcome, ArenaError>,
    /// The failure to keep all files of the match. It does not change who won.
    pub closed: Result<(), ArenaError>,
    /// The folder of the match; `None` if nothing was kept.
    pub folder: Option<Arc<MatchFolder>>,
    /// The fault bundles. Without a folder only what they tell is kept.
    pub bundles: Vec<Bundle>,
    /// The number of turns of each player without an order that was obeyed.
    pub lost: BySeat<u32>,
    /// The shots with which each player has sunk all ships of the other, and the special ones among them.
    pub shots: BySeat<Option<(u32, u32)>>,
    /// For each player that is a bot which crashed for want of something that building it would bring, such as packages that its
    /// project names, the flags to build it with.
    pub advice: BySeat<Option<Advice>>,
    /// The first fault of each player.
    pub faults: BySeat<Option<TurnFault>>,
}

impl PlayedMatch {
    /// The name of the winner; `None` for a draw or a match that was not played to its end.
    pub fn winner(&self) -> Option<&str> {
        let seat: Seat = self.result.as_ref().ok()?.winner?;
        Some(&self.names[seat])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BuiltInSetup, Context, PreparedTournament, TournamentOptions};
    use rules::battleship::{Battleship, Rules};
    use rules::{Ending, Scoring};
    use std::ops::ControlFlow;
    use tournament::Standings;

    fn setup(rules: &str) -> BuiltInSetup<Battleship> {
        let settings: Rules = serde_json::from_str(rules).unwrap();
        BuiltInSetup { settings, context: Context::silent().unwrap() }
    }

    const SOLO: &str = r#"{"name": "alone", "turns": "solo", "seats": 3, "limit": {"turns": 100}}"#;

    #[test]
    fn a_player_plays_alone_where_the_rules_say_so() {
        let folder = tempfile::tempdir().unwrap();
        let setup = setup(SOLO);
        let contestants = setup.find_all(["builtin:hunter"]).unwrap();
        let folder = folder.path().join("match");
        let options = MatchOptions { seed: Some(7), folder: Some(folder.clone()), ..MatchOptions::default() };
        let played = PreparedMatch::new(setup, contestants, options).unwrap().play(&mut ()).unwrap();
        let outcome = played.result.unwrap();
        assert_eq!(outcome.ending, Ending::Solved { seats: vec![Seat::A] });
        let record = match_folder::open(&folder.join("match.jsonl")).unwrap();
        assert_eq!(match_folder::verify(&record).unwrap().outcome, Some(outcome));
    }

    #[test]
    fn the_rules_of_a_battleship_say_how_many_can_play() {
        let refused = |rules: &str, count: usize| {
            let setup = setup(rules);
            let contestants = setup.find_all(vec!["builtin:random"; count]).unwrap();
            PreparedMatch::new(setup, contestants, MatchOptions::default()).err().map(|error| error.to_string())
        };
        assert_eq!(refused("{}", 2), None);
        assert_eq!(refused("{}", 1).as_deref(), Some("Battleship needs two players, but you named 1"));
        assert_eq!(refused(SOLO, 4).as_deref(), Some("Battleship needs 1 to 3 players, but you named 4"));
    }

    #[test]
    fn all_bots_of_a_tournament_in_solo_meet_the_same_boards() {
        let folder = tempfile::tempdir().unwrap();
        let setup = setup(SOLO);
        let contestants = setup.find_all(["builtin:random", "builtin:hunter", "builtin:hunt-and-target"]).unwrap();
        let options =
            TournamentOptions { games: 6, folder: Some(folder.path().to_owned()), ..TournamentOptions::default() };
        let tournament = PreparedTournament::new(setup, contestants, options).unwrap();
        let mut boards = Vec::new();
        let played = tournament.play(&mut |event, _| {
            if let tournament::SchedulerEvent::Finished(line) = event {
                boards.push((line.fixture.number, line.seed.clone()));
            }
            ControlFlow::Continue(())
        });
        let table = played.unwrap().table;
        // On each board one of the three sits with a bot that has played it.
        assert_eq!((boards.len(), table.scoring()), (12, Scoring::Shots));
        boards.sort_unstable();
        boards.dedup();
        boards.dedup_by(|one, other| one.1 == other.1);
        assert_eq!(boards.len(), 6, "the number of a game says which board it has");
        let standings = Standings::new(&table, None);
        let names: Vec<&str> = standings.all().iter().map(|one| &one.entrant.name[..]).collect();
        assert_eq!(names, ["builtin:hunter", "builtin:hunt-and-target", "builtin:random"], "the fewest shots first");
        let [best, .., last] = standings.all() else { panic!("three bots play") };
        let [fewest, most] = [best, last].map(|one| one.shots.unwrap());
        let behind = last.shots_behind.unwrap();
        assert_eq!((fewest.boards, behind.boards, best.shots_behind), (6, 6, None));
        assert!((behind.mean - (most.mean - fewest.mean)).abs() < 1e-9 && behind.is_settled(), "{behind:?}");
        assert!(behind.mean > 20.0 && standings.order().starts_with("By the mean shots"), "{behind:?}");
        assert_eq!(table.shots_between(best.number, last.number).unwrap().mean, -behind.mean);
    }
}
