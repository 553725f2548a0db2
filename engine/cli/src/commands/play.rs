//! Plays one match.

use super::bot_seats::BotSeats;
use super::contestant::{Contestant, contestants};
use super::recording::{self, Place};
use super::seclusion::Cells;
use crate::args::Args;
use crate::exit::Exit;
use crate::failure::{self, Failure};
use crate::show::{self, DebugHalt, Names, Pretty, Progress};
use crate::{settings, signals};
use arena::record::{Archive, Clock, Journal, MatchFolder};
use arena::{ArenaError, Interrupt, Limits, Observers, Player, Players, Sequence};
use chrono::Local;
use players::process::Calibration;
use players::process::guardian::{Care, Guardian};
use players::{Bot, Console, Keyboard, Tools};
use rules::entelect_2017::files::{Entry, Files};
use rules::entelect_2017::{Entelect2017, Settings};
use rules::{BySeat, Eye, Game, Outcome, Seat};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{env, io, thread};
use web::{About, Live};

/// Plays the match that the command line describes.
pub(crate) fn play(args: &Args) -> Result<Exit, Failure> {
    let people = people(args)?;
    recording::check(args)?;
    let tools = settings::tools()?;
    let contestants = contestants(args, people, &tools)?;
    let interrupt = signals::interrupt()?;

    let details: BySeat<_> = contestants.iter().map(|contestant| contestant.details.clone()).collect();
    let files = Files::new(details);
    let names = Names::new(&files);
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let seats = contestants.len() as u8;
    let settings = Settings { size: args.size };
    let game = Entelect2017::start(&settings, seats, seed).expect("two players sit down");
    let mut header = recording::header(settings, seed, &contestants, sequence(args, people));
    // Before anything changes on the disk, because its port may be taken.
    let about = show::about(&header, &game.scene(Eye::Referee), &names);
    let mut live = args.live.map(|port| live_view(&game, &about, port)).transpose()?;

    let place = Place::of(args.record, || match_folder(args))?;
    let journal = match &place.kept {
        Some(folder) if args.tournament_mode => Some(journal(folder.path())?),
        _ => None,
    };
    // Before any bot runs, so that none outlives the engine.
    let care = Care {
        journal: journal.as_ref().map(|journal| journal.path().to_owned()),
        scratch: place.scratch().map(Path::to_owned),
    };
    let _guardian = Guardian::start(&own_program()?, &care)?;
    let bots = contestants.iter().filter_map(|contestant| contestant.bot.as_ref());
    let closed = bots.map(|bot| bot.folder.clone()).chain(place.folders()).collect();
    let cells = Cells::of(args.sandbox(), args.memory, closed)?;
    let cells = cells.as_ref();
    header.sandbox = cells.map(Cells::description);

    let table = Table {
        args,
        cells,
        tools: &tools,
        files: &files,
        folder: &place.played,
        interrupt: &interrupt,
        names: &names,
        seed,
        game: &game,
    };
    let preamble = preamble(&contestants, &files, cells);
    let mut archive = recording::archive(args, &place, journal, &files, preamble, seats);
    let result = table.seat(&contestants).and_then(|Seated { mut players, limits }| {
        if let Some(archive) = &mut archive {
            archive.begin_record(&header.with_limits(&limits), Clock::Running)?;
        }
        let screen = Screen { args, people, names: &names, interrupt: &interrupt };
        screen.show(game.clone(), &mut players, archive.as_mut(), live.as_mut())
    });
    let bundles = archive.as_ref().map(|archive| archive.bundles().to_vec()).unwrap_or_default();
    // In tournament mode the files come back however the match ended.
    let closed = archive.map_or(Ok(()), Archive::close);
    let closed = closed.and_then(|()| if args.zstd { place.compress() } else { Ok(()) });

    let outcome = result.map_err(|error| no_winner(error, place.shown()));
    if let Ok(outcome) = &outcome {
        show::result(outcome, &names, seed, place.shown(), &bundles)?;
    }
    // The match was played; that not everything of it could be kept does not change who won.
    let closed = closed.map_err(|error| failure::report(&error.into()));
    outcome?;
    if let Some(live) = live {
        end_live_view(live, &interrupt);
    }
    Ok(closed.err().unwrap_or(Exit::Played))
}

fn no_winner(error: ArenaError, folder: Option<&Path>) -> Failure {
    let left = folder.map(|folder| format!(" What there is of it: {}", folder.display())).unwrap_or_default();
    show::say(&format!("No winner: the match was not played to its end.{left}"));
    error.into()
}

/// Shows the match in browsers.
fn live_view(game: &Entelect2017, about: &About, port: u16) -> Result<Live, Failure> {
    let live = Live::start(game, about, port)?;
    show::say(&format!("Live: {}", live.url()));
    Ok(live)
}

/// How long a browser is waited for that has not come yet.
const PATIENCE: Duration = Duration::from_secs(30);

/// Leaves time to open the page: many matches are over sooner than that.
fn end_live_view(live: Live, interrupt: &Interrupt) {
    if !live.has_viewers() {
        show::say(&format!("Open {} within {} seconds to see it, or press Ctrl-C", live.url(), PATIENCE.as_secs()));
        live.wait_for_viewers(PATIENCE, interrupt);
    }
    live.finish();
}

/// What is needed to show a match.
struct Screen<'a> {
    args: &'a Args,
    people: u8,
    names: &'a Names,
    interrupt: &'a Interrupt,
}

impl Screen<'_> {
    /// Plays the match before the eyes of everyone who watches.
    fn show(
        &self,
        game: Entelect2017,
        players: &mut Players<Entelect2017>,
        archive: Option<&mut Archive>,
        live: Option<&mut Live>,
    ) -> Result<Outcome, ArenaError> {
        let Screen { args, people, names, interrupt } = *self;
        let mut pretty = (args.pretty && people == 0).then(|| Pretty::start(names.clone(), args.pace, interrupt));
        let catch_up = pretty.as_ref().and_then(Pretty::catch_up);
        let mut debug = args.debug.then(|| DebugHalt::new(names.clone(), interrupt, catch_up));
        let mut progress = Progress::new(names.clone(), args.pretty || args.clog || people > 0);
        let mut observers = Observers::new();
        if let Some(archive) = archive {
            observers.add(archive);
        }
        observers.add(&mut progress);
        if let Some(live) = live {
            observers.add(live);
        }
        if let Some(pretty) = &mut pretty {
            observers.add(pretty);
        }
        if let Some(debug) = &mut debug {
            observers.add(debug);
        }
        let result = arena::play(game, players, sequence(args, people), &mut observers);
        drop(observers);
        // It holds on to the drawing, which ends when nobody does.
        drop(debug);
        progress.clear();
        if let Some(pretty) = pretty {
            pretty.finish();
        }
        result
    }
}

/// How many people play; two where nobody was named at all, as in 2017.
fn people(args: &Args) -> Result<u8, Failure> {
    let (bots, people) = (args.bots.len(), usize::from(args.console));
    match bots + people {
        2 => Ok(args.console),
        0 if io::stdin().is_terminal() => Ok(2),
        0 => Err(usage("nobody was named who is to play")),
        _ => Err(usage(&format!("a match is for two players; these are {bots} bots and {people} people"))),
    }
}

fn usage(what: &str) -> Failure {
    Failure::Usage {
        what: what.to_owned(),
        hint: "broadside -b BOT BOT, or broadside -c 1 -b BOT; see broadside --help".to_owned(),
    }
}

pub(super) fn own_program() -> Result<PathBuf, ArenaError> {
    env::current_exe().map_err(|e| ArenaError::process("find the program of", "broadside", e))
}

/// The folder of the match, clear of the rounds of earlier matches.
fn match_folder(args: &Args) -> Result<MatchFolder, ArenaError> {
    let now = Local::now().format("%Y-%m-%d %H-%M-%S-%3f").to_string();
    let Some(path) = &args.log else { return MatchFolder::create_fresh(&Path::new("replays").join(now)) };
    let folder = MatchFolder::create(path)?;
    let aside = format!("previous {now}");
    if folder.move_rounds_aside(&aside)? {
        show::say(&format!("The match that was in {} is now in its folder '{aside}'", path.display()));
    }
    Ok(folder)
}

/// A journal in a folder of the user's own, outside the match folder and the bots'.
fn journal(match_folder: &Path) -> Result<Journal, ArenaError> {
    let state = env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/state"));
    // Not a folder that others can write in: they could plant a journal.
    let folder = state.or_else(home).ok_or_else(|| {
        let nowhere = io::Error::new(io::ErrorKind::NotFound, "neither XDG_STATE_HOME nor HOME is set");
        ArenaError::disk("find a place for", "the journal", nowhere)
    })?;
    let folder = folder.join("broadside");
    for restored in arena::record::restore_leftovers(&folder) {
        show::say(&format!("Restored the files of an interrupted match: {}", restored.display()));
    }
    Journal::create(&folder.join(format!("{}-{:016x}.journal", std::process::id(), fresh_seed())), match_folder)
}

/// A number nobody chose.
pub(super) fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    RandomState::new().hash_one(now)
}

fn sequence(args: &Args, people: u8) -> Sequence {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let together = args.together || (!args.in_turn && processors > 1);
    // Two people share one keyboard; and what one bot is shown is on the disk as long as it runs.
    if together && people < 2 && !args.tournament_mode { Sequence::Together } else { Sequence::InTurn }
}

/// What the original's first engine.log begins with.
fn preamble(contestants: &[Contestant], files: &Files, cells: Option<&Cells>) -> Vec<Entry> {
    let bots = contestants.iter().filter_map(|contestant| contestant.bot.as_ref());
    let loaded = bots.map(|bot| format!("Loaded bot {}", bot.folder.display()));
    let seats = (0..contestants.len() as u8).filter_map(rules::Seat::new);
    let registered = seats.map(|seat| format!("Registered player {}", files.name(seat)));
    let sandbox = cells.map(Cells::description);
    loaded.chain(registered).chain(sandbox).chain(["\tOK!".to_owned()]).map(Entry::info).collect()
}

/// Players in their seats.
struct Seated {
    players: Players<Entelect2017>,
    /// How long each may take; `None` without limit.
    limits: BySeat<Option<Limits>>,
}

/// What is needed to seat players.
struct Table<'a> {
    args: &'a Args,
    cells: Option<&'a Cells>,
    tools: &'a Tools,
    files: &'a Files,
    folder: &'a Arc<MatchFolder>,
    interrupt: &'a Interrupt,
    names: &'a Names,
    seed: u64,
    game: &'a Entelect2017,
}

impl Table<'_> {
    fn seat(&self, contestants: &[Contestant]) -> Result<Seated, ArenaError> {
        let keyboard = Keyboard::stdin(self.interrupt.clone())?;
        let question = self.files.player_files(&self.game.view(Seat::A));
        let mut calibration = Calibration::new(question, self.tools.clone(), self.interrupt.clone());
        let mut bots = BotSeats {
            extra: (!self.args.nolimit).then_some(self.args.calibration),
            calibration: &mut calibration,
            cells: self.cells,
            folder: Arc::clone(self.folder),
            leave_files: !self.args.tournament_mode,
            interrupt: self.interrupt.clone(),
            seed: self.seed,
        };
        let people = contestants.iter().filter(|contestant| contestant.bot.is_none()).count();
        let mut players: Vec<Box<dyn Player<Entelect2017>>> = Vec::new();
        let mut limits = Vec::new();
        for (contestant, seat) in contestants.iter().zip(self.names.seats()) {
            match &contestant.bot {
                Some(bot) => {
                    let (bot, limit) = bots.seat(bot, seat)?;
                    players.push(Box::new(Bot::new(self.files.clone(), bot)));
                    limits.push(limit);
                }
                None => {
                    let names = self.names.clone();
                    let draw = move |scene: &rules::Scene| show::board::for_person(scene, &names);
                    let seed = rules::seat_seed(self.seed, seat);
                    let name = self.names.of(seat).to_owned();
                    players.push(Box::new(Console::new(name, people > 1, seed, keyboard.clone(), draw, io::stdout())));
                    limits.push(None);
                }
            }
        }
        Ok(Seated { players: players.into_iter().collect(), limits: limits.into_iter().collect() })
    }
}
