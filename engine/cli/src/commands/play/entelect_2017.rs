//! Plays a match of the Entelect Challenge 2017.

use super::screen::{Screen, live_view};
use super::{Played, fresh_seed, match_folder, own_program, sequence};
use crate::args::MatchArgs;
use crate::commands::bot_seats::BotSeats;
use crate::commands::contestant::{Contestant, Who, contestants};
use crate::commands::recording::{self, Place};
use crate::commands::seclusion::Cells;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, Names};
use crate::{settings, signals};
use arena::folder::{MatchFolder, Spool};
use arena::record::{Archive, Clock};
use arena::{ArenaError, Interrupt, Limits, Player, Players};
use players::process::Calibration;
use players::process::guardian::{Care, Guardian};
use players::{Bot, Console, Keyboard, Tools};
use rules::entelect_2017::files::{Entry, Files};
use rules::entelect_2017::{Entelect2017, Settings};
use rules::{BySeat, Eye, Game, GameKind, Seat};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, io};

/// Plays the match that the command line describes.
pub(super) fn play(args: &MatchArgs) -> Result<Exit, Failure> {
    let people = people(args)?;
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
    let sequence = sequence(args, people);
    let sitters = contestants.iter().map(Contestant::sitter).collect();
    let mut header = recording::header::<Entelect2017>(&settings, seed, sitters, sequence);
    // Before anything changes on the disk, because its port may be taken.
    let about = show::about(&header, &game.scene(Eye::Referee), &names);
    let mut live = args.live.map(|port| live_view(&game, &about, port)).transpose()?;

    let place = Place::of(args.record, || match_folder(args))?;
    let journal = match place.kept.folder() {
        Some(folder) if args.tournament_mode => Some(journal(folder.path())?),
        _ => None,
    };
    // Before any bot runs, so that none outlives the engine.
    let care = Care {
        journal: journal.as_ref().map(|journal| journal.path().to_owned()),
        scratch: place.scratch().map(Path::to_owned),
    };
    let _guardian = Guardian::start(&own_program()?, &care)?;
    let bots = contestants.iter().filter_map(Contestant::program);
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
        let screen = Screen { args, people, names: &names, interrupt: &interrupt, sequence };
        let archive = archive.as_mut().map(|archive| archive as _);
        screen.show(game.clone(), &mut players, archive, live.as_mut())
    });
    let bundles = archive.as_ref().map(|archive| archive.bundles().to_vec()).unwrap_or_default();
    // In tournament mode the files come back however the match ended.
    let closed = archive.map_or(Ok(()), Archive::close);
    let closed = closed.and_then(|()| if args.zstd { place.kept.compress() } else { Ok(()) });
    let (kept, bundles) = (&place.kept, &bundles[..]);
    Played { game: GameKind::Entelect2017, result, closed, names: &names, seed, kept, bundles }.tell(live, &interrupt)
}

/// How many people play; two where nobody was named at all, as in 2017.
fn people(args: &MatchArgs) -> Result<u8, Failure> {
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

/// A journal in a folder of the user's own, outside the match folder and the bots'.
fn journal(match_folder: &Path) -> Result<Spool, ArenaError> {
    let state = env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/state"));
    // Not a folder that others can write in: they could plant a journal.
    let folder = state.or_else(home).ok_or_else(|| {
        let nowhere = io::Error::new(io::ErrorKind::NotFound, "neither XDG_STATE_HOME nor HOME is set");
        ArenaError::disk("find a place for", "the journal", nowhere)
    })?;
    let folder = folder.join("broadside");
    for restored in arena::folder::restore_spools(&folder) {
        show::say(&format!("Restored the files of an interrupted match: {}", restored.display()));
    }
    Spool::create(&folder.join(format!("{}-{:016x}.journal", std::process::id(), fresh_seed())), match_folder)
}

/// What the original's first engine.log begins with.
fn preamble(contestants: &[Contestant], files: &Files, cells: Option<&Cells>) -> Vec<Entry> {
    let bots = contestants.iter().filter_map(Contestant::program);
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
    args: &'a MatchArgs,
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
        let people = contestants.iter().filter(|contestant| contestant.who.is_none()).count();
        let mut players: Vec<Box<dyn Player<Entelect2017>>> = Vec::new();
        let mut limits = Vec::new();
        for (contestant, seat) in contestants.iter().zip(self.names.seats()) {
            match &contestant.who {
                Some(Who::BuiltIn(built_in)) => {
                    players.push(built_in.player(rules::seat_seed(self.seed, seat)));
                    limits.push(None);
                }
                Some(Who::Bot(bot)) => {
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
