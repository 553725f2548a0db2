//! A check of one bot: it plays against the built-in random player, and its turns are looked at.

use crate::game_report::suspicion;
use crate::{
    Advice, Contestant, GameSetup, HttpBot, MatchOptions, MatchOutput, PreparedMatch, Program, ProgramSetup,
    RunnerError, ServiceSetup,
};
use arena::record::MATCH_JSONL;
use arena::{ArenaError, MatchEvent, NOTES_JSON, Observer, Observers, Reply, RunReport, Sequence};
use players::OverHttp;
use rules::entelect_2017::files::{COMMAND_TXT, LOG_TXT, MAP_TXT, PLACE_TXT, STATE_JSON};
use rules::entelect_2017::{Entelect2017, MapSize, Settings};
use rules::{BySeat, Fault, Game, Listed, Outcome, Part, PlayerInfo, Seat};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;
use walkdir::WalkDir;

/// One game of a check.
#[derive(Debug)]
pub struct CheckedGame {
    /// The game among those of the check: `7 x 7`, `seat A`.
    pub label: String,
    /// The outcome.
    pub outcome: Outcome,
    /// The turns of the bot.
    pub turns: CheckedTurns,
    /// The time that an answer may take; `None` without limit.
    pub limit: Option<Duration>,
    /// The dialect that was found out by asking; `None` if it was known, or if the bot did not place its ships.
    pub dialect: Option<&'static str>,
    /// The flags to build the bot with, if it crashed for want of something that building it would bring, such as packages that its
    /// project names.
    pub advice: Option<Advice>,
    /// The files that the bot left in its folders of the rounds, besides those of the protocol.
    pub left: BTreeSet<PathBuf>,
}

/// The turns of the bot in one seat. It is an observer of their game.
#[derive(Debug)]
pub struct CheckedTurns {
    /// The seat of the bot.
    pub seat: Seat,
    /// The number of times that the bot was asked.
    pub asked: u32,
    /// The time of each answer.
    pub times: Vec<Duration>,
    /// The run of each turn, if the bot is a program.
    pub runs: Vec<RunReport>,
    /// The number of turns without an order.
    pub missing: u32,
    /// The number of turns among them for which the bot was not asked any more.
    pub not_asked: u32,
    /// The number of turns with an order that was refused.
    pub refused: u32,
    /// The time-outs among them that may be the machine's fault, in words: the bot waited for a processor.
    pub suspect: Vec<String>,
    /// The turns with a fault, in their order.
    pub faults: Vec<TurnFault>,
}

impl CheckedTurns {
    fn of(seat: Seat) -> CheckedTurns {
        let (times, runs, suspect, faults) = Default::default();
        CheckedTurns { seat, asked: 0, times, runs, missing: 0, not_asked: 0, refused: 0, suspect, faults }
    }

    /// The number of turns without an order that was obeyed.
    pub fn lost(&self) -> u32 {
        self.missing + self.refused
    }

    /// True if the bot stayed from one turn to another.
    pub fn has_stayed(&self) -> bool {
        self.runs.iter().any(|run| !run.has_started)
    }

    /// The times of its answers, the shortest first; of a bot that stayed, without the turns for which it was started.
    pub fn times_of_turns(&self) -> Vec<Duration> {
        let mut times = if self.has_stayed() {
            self.runs.iter().filter(|run| !run.has_started).map(|run| run.wall).collect()
        } else {
            self.times.clone()
        };
        times.sort();
        times
    }

    /// The times of the turns for which a bot that stayed was started; none of other bots.
    pub fn starts(&self) -> Vec<Duration> {
        let starts = self.runs.iter().filter(|run| run.has_started && self.has_stayed());
        starts.map(|run| run.wall).collect()
    }
}

/// A turn with a fault.
#[derive(Debug, Clone)]
pub struct TurnFault {
    /// The number of the turn, counted from 0.
    pub turn: u32,
    /// The fault, in words.
    pub why: String,
    /// The first and the last lines that the bot wrote to standard error in this turn, if it gave no order.
    pub said: Vec<String>,
    /// The lines of its answer, as it gave them, if that was refused or could not be read: each file by its name.
    pub given: Vec<(&'static str, Vec<String>)>,
    /// The file that has the details; empty if there is none.
    pub see: PathBuf,
}

/// The most lines of standard error, at each end, and of an answer that a fault is told with.
const MOST_LINES: usize = 6;

/// Makes an observer for the game with this label ([`CheckedGame::label`]) between players of these names.
pub type WatchGame<'a, G> = dyn FnMut(&str, &BySeat<String>) -> Box<dyn Observer<G>> + 'a;

/// The bot plays in seat A on the map of each of these `sizes`, but on no more of them once it is late in so many turns that it is not
/// asked any more. The matches go to `folder`; gives a report of each, and the files that are new in the bot's own folder.
///
/// # Errors
/// A match could not be played.
pub fn check_program(
    setup: &ProgramSetup,
    bot: &Contestant<Entelect2017, Program>,
    sizes: &[MapSize],
    folder: &Path,
    seed: u64,
    watch: &mut WatchGame<'_, Entelect2017>,
) -> Result<(Vec<CheckedGame>, Vec<PathBuf>), RunnerError> {
    let own = bot.bot().map(|program| program.folder.clone()).unwrap_or_default();
    let before = files_in(&own);
    let mut games = Vec::new();
    for &size in sizes {
        let label = format!("{side} x {side}", side = size.side());
        let path = folder.join(&label);
        let mut setup = setup.clone();
        setup.settings = Settings { size };
        let mut game = play(setup, bot, Seat::A, label, &path, seed, watch)?;
        game.left = left_in_rounds(&path);
        let is_late = game.turns.not_asked > 0;
        games.push(game);
        if is_late {
            break;
        }
    }
    Ok((games, files_in(&own).difference(&before).cloned().collect()))
}

/// The bot plays in both seats, or in one if it is late in so many turns that it is not asked any more. The records go to `folder`; gives a report of each game. `setup` is called once for each
/// game.
///
/// # Errors
/// A match could not be played.
pub fn check_service<G: OverHttp>(
    setup: impl Fn() -> ServiceSetup<G>,
    bot: &Contestant<G, HttpBot>,
    folder: &Path,
    seed: u64,
    watch: &mut WatchGame<'_, G>,
) -> Result<Vec<CheckedGame>, RunnerError> {
    let mut games = Vec::new();
    for seat in [Seat::A, Seat::B] {
        let label = format!("seat {seat}");
        let (setup, path) = (setup(), folder.join(&label));
        let (limit, found) = (setup.limit(), setup.found_dialects());
        let game = play(setup, bot, seat, label, &path, seed, watch)?;
        let dialect = bot.bot().and_then(HttpBot::as_service).and_then(|bot| found.name_of(&bot.url));
        let is_late = game.turns.not_asked > 0;
        games.push(CheckedGame { limit, dialect, ..game });
        if is_late {
            break;
        }
    }
    Ok(games)
}

/// Plays one game and gives its report.
fn play<S: GameSetup>(
    setup: S,
    bot: &Contestant<S::Game, S::Bot>,
    seat: Seat,
    label: String,
    folder: &Path,
    seed: u64,
    watch: &mut WatchGame<'_, S::Game>,
) -> Result<CheckedGame, RunnerError>
where
    S::Bot: Clone,
{
    let partner = Contestant { info: PlayerInfo::named("Sparring partner"), ..Contestant::built_in("random")? };
    let contestants = if seat == Seat::A { vec![bot.clone(), partner] } else { vec![partner, bot.clone()] };
    let options = MatchOptions {
        seed: Some(seed),
        sequence: Some(Sequence::InTurn),
        output: MatchOutput::Folder,
        asks_until_late: true,
        folder: Some(folder.to_owned()),
        ..MatchOptions::default()
    };
    let prepared = PreparedMatch::new(setup, contestants, options)?;
    let mut turns = CheckedTurns::of(seat);
    let mut other = watch(&label, &prepared.names());
    let mut observers = Observers::new();
    observers.add(&mut turns);
    observers.add(other.as_mut());
    let played = prepared.play(&mut observers)?;
    drop(observers);
    played.closed?;
    let outcome = played.result?;
    let record = folder.join(MATCH_JSONL);
    for fault in &mut turns.faults {
        fault.see.clone_from(&record);
        // Only the first turns have a bundle.
        if let Some(bundle) = played.bundles.iter().find(|bundle| bundle.seat == seat && bundle.round == fault.turn) {
            fault.see = folder.join(&bundle.folder).join("report.txt");
            fault.why = bundle.why.clone().unwrap_or_default();
        }
    }
    let limit = turns.runs.iter().find_map(|run| run.limits).map(|limits| limits.answer());
    let (advice, left) = (played.advice[seat].clone(), BTreeSet::new());
    Ok(CheckedGame { label, outcome, turns, limit, dialect: None, advice, left })
}

impl<G: Listed> Observer<G> for CheckedTurns {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Answered { turn, game, replies } => {
                for (seat, reply) in replies.iter().filter(|(seat, _)| *seat == self.seat) {
                    self.times.extend(reply.time.map(|time| time.wall));
                    self.runs.extend(reply.run.clone());
                    self.missing += u32::from(reply.answer.is_err());
                    if matches!(reply.answer, Err(Fault::NotAsked { .. })) {
                        self.not_asked += 1;
                        // It was late by its own fault.
                        self.suspect.clear();
                        continue;
                    }
                    self.asked += 1;
                    self.suspect.extend(suspicion(G::KIND, *turn, *seat, reply));
                    self.faults.extend(TurnFault::of(*turn, *game, *seat, reply));
                }
            }
            MatchEvent::Advanced { turn, told, .. } => {
                // A missing order may be refused, too; it was counted above.
                let refused = told.iter().filter(|told| G::refused(&told.event) == Some(self.seat)).count() as u32;
                self.refused += refused;
                // For a reason that the player could not know.
                if refused > 0 && self.faults.last().is_none_or(|fault| fault.turn != *turn) {
                    let (said, given) = Default::default();
                    let fault = TurnFault { turn: *turn, why: "refused".to_owned(), said, given, see: PathBuf::new() };
                    self.faults.push(fault);
                }
            }
            MatchEvent::Opened { .. } | MatchEvent::Finished { .. } => {}
        }
        Ok(())
    }
}

impl TurnFault {
    /// The fault in a reply, with its details; `None` if the order is obeyed.
    pub(crate) fn of<G: Game>(turn: u32, game: &G, seat: Seat, reply: &Reply<G::Order>) -> Option<TurnFault> {
        let why = match &reply.answer {
            Err(_) => reply.fault(),
            Ok(order) => game.check(seat, order).err().map(|illegal| format!("refused: {illegal}")),
        }?;
        let has_answer = matches!(reply.answer, Ok(_) | Err(Fault::Unreadable { .. }));
        let lines = |part: &Part| -> Vec<String> {
            let text = String::from_utf8_lossy(&part.bytes);
            text.lines().take(MOST_LINES).map(str::to_owned).collect()
        };
        let given = reply.given.iter().filter(|_| has_answer).map(|part| (part.name, lines(part))).collect();
        let run = reply.run.as_ref().filter(|_| !has_answer);
        let said = run.map(|run| run.stderr.both_ends(MOST_LINES)).unwrap_or_default();
        Some(TurnFault { turn, why, said, given, see: PathBuf::new() })
    }
}

/// All files in a folder, as paths in it.
fn files_in(folder: &Path) -> BTreeSet<PathBuf> {
    let files = WalkDir::new(folder).into_iter().flatten().filter(|entry| entry.file_type().is_file());
    files.filter_map(|file| Some(file.path().strip_prefix(folder).ok()?.to_owned())).collect()
}

/// The files that the bot left in its folders of the rounds, without those of the protocol.
fn left_in_rounds(folder: &Path) -> BTreeSet<PathBuf> {
    let own = [STATE_JSON, MAP_TXT, PLACE_TXT, COMMAND_TXT, LOG_TXT, NOTES_JSON].map(PathBuf::from);
    let rounds = folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    let rounds =
        rounds.filter(|path| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"Phase ")));
    rounds.flat_map(|round| files_in(&round.join(Seat::A.to_string()))).filter(|file| !own.contains(file)).collect()
}
