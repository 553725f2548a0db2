//! `broadside dev`: builds and plays a bot after every change of its folder.

mod changes;

use super::setup;
use crate::args::DevArgs;
use crate::exit::Exit;
use crate::failure::{self, Failure};
use crate::show::{self, DevReport, EventProgress, FirstFault, OpponentScore, ShownScore, WorkerCount};
use crate::signals;
use arena::folder::remove_folder;
use arena::record;
use arena::{ArenaError, Interrupt};
use changes::Changes;
use players::process::copy_bot;
use rules::Seat;
use rules::entelect_2017::{Entelect2017, Settings};
use runner::{
    BotOptions, Contestant, CpuLimit, GameSetup, KeptGames, PreparedTournament, Program, ProgramSetup, RunnerError,
    TournamentOptions, fresh_seed,
};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use tournament::{Format, GameLine, GameResult, SchedulerEvent, ScoreTable, StopReason, WinDrawLoss};

/// A bot or its opponent.
type Player2017 = Contestant<Entelect2017, Program>;

/// Builds and plays the bot now and after every change of its folder, until somebody ends it.
///
/// # Errors
/// A bot or opponent that cannot be found at the beginning, a folder that cannot be watched, and errors of the engine. A bot
/// that cannot be built later is told; the next change tries again.
pub(crate) fn dev(args: &DevArgs) -> Result<Exit, Failure> {
    let context = setup::context()?;
    let ended = signals::interrupt()?;
    signals::raise(&context.interrupt)?;
    let again = context.interrupt.clone();
    let options = setup::bot_options(&args.programs, false, false)?;
    let bots = BotOptions { cpu: CpuLimit::AsTime, warm: args.programs.warm.unwrap_or(true), ..options };
    let setup = ProgramSetup::new(Settings { size: args.size }, bots, context);
    if !args.bot.is_dir() {
        return Err(not_a_folder(&args.bot, &setup));
    }
    let opponent = setup.find(&args.against)?.remove(0);
    let mut session = Session {
        setup,
        opponent,
        args,
        seed: args.seed.unwrap_or_else(fresh_seed),
        home: temporary()?,
        versions: 0,
        before: None,
    };
    let mut bot = match session.version() {
        Err(error) if !is_of_bot(&error) => return Err(error),
        found => found,
    };
    let mut changes = Changes::watch(&args.bot, again.clone())?;
    loop {
        changes.expect();
        let done = bot.and_then(|bot| session.play(bot, &ended));
        let gone = changes.is_gone();
        match done {
            Err(_) if ended.is_raised() => return Ok(Exit::Interrupted),
            Err(Failure::Engine(ArenaError::Interrupted)) => {}
            Err(_) if gone => {}
            Err(error) if !may_be_mended(&error) => return Err(error),
            Err(error) => failure::tell("", &error),
            Ok(()) => {}
        }
        let bot_folder = args.bot.display();
        if gone {
            show::tell(&format!("{bot_folder} is gone; waiting for it; Ctrl-C ends"));
        } else if !again.is_raised() {
            show::tell(&format!("Waiting for a change in {bot_folder}; Ctrl-C ends"));
        }
        again.wait();
        // In this order: a signal raises both.
        again.clear();
        if ended.is_raised() {
            return Ok(Exit::Interrupted);
        }
        show::clear_screen();
        changes.disregard();
        let content = changes.content();
        bot = session.version();
        if bot.is_err() && changes.content() != content {
            // The build may have seen half of a change.
            bot = session.version();
        }
    }
}

/// The error for a bot that was named otherwise than by a folder that is there.
fn not_a_folder(bot: &Path, setup: &ProgramSetup) -> Failure {
    let shown = match setup.find(&bot.to_string_lossy()) {
        Err(error @ RunnerError::Manifest { .. }) => return error.into(),
        // The URL without its password.
        Err(RunnerError::UrlForFolder(url, _)) => url,
        _ => bot.display().to_string(),
    };
    Failure::Usage {
        what: format!("dev watches a folder: {shown} is not one"),
        hint: "name the folder of a bot, as in broadside dev my-bot; `broadside new` makes one".to_owned(),
    }
}

/// True if another version of the bot may be without the error.
fn is_of_bot(error: &Failure) -> bool {
    matches!(error, Failure::Runner(error) if error.is_of_bot())
}

/// True if the next edit may fix the error, e.g. a missing bot.json.
fn may_be_mended(error: &Failure) -> bool {
    is_of_bot(error) || matches!(error, Failure::Usage { .. } | Failure::Runner(RunnerError::Manifest { .. }))
}

fn temporary() -> Result<TempDir, ArenaError> {
    let made = tempfile::Builder::new().prefix("broadside-dev-").tempdir();
    made.map_err(|e| ArenaError::disk("make a folder in", std::env::temp_dir(), e))
}

/// A version of the bot, in a copy of its folder that nobody changes.
struct Version {
    bot: Player2017,
    copy: PathBuf,
    /// The score against the opponent.
    score: WinDrawLoss,
    /// The points in these games, its own and the opponent's.
    points: [u64; 2],
}

/// The state between two changes.
struct Session<'a> {
    setup: ProgramSetup,
    opponent: Player2017,
    args: &'a DevArgs,
    seed: u64,
    /// The folder of copies and games.
    home: TempDir,
    /// The number of versions so far.
    versions: u32,
    /// The last version that played all its games and lost no turn.
    before: Option<Version>,
}

impl Session<'_> {
    /// The bot as it is now: built, and copied.
    fn version(&mut self) -> Result<Version, Failure> {
        let copy = self.home.path().join(format!("version-{}", self.versions + 1));
        loop {
            let mut bot = self.built()?;
            let Some(content) = bot.content.clone() else {
                return Err(Failure::Usage {
                    what: format!("{} has more than 64 MiB or 10,000 files", self.args.bot.display()),
                    hint: "broadside dev looks through the folder after every change: move large files out of it"
                        .to_owned(),
                });
            };
            self.setup.may_enter(&mut bot)?;
            let folder = bot.bot().map(|program| program.folder.clone()).unwrap_or_default();
            match remove_folder(&copy).and_then(|()| copy_bot(&folder, &copy)) {
                // A file has gone meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                copied => copied.map_err(|e| ArenaError::disk("copy the bot to", &copy, e))?,
            }
            // A copy of something else was made while the folder was changing.
            let copied = self.setup.find_built(&copy).ok();
            if let Some(copied) = copied.filter(|copied| copied.content.as_ref() == Some(&content)) {
                let bot = Player2017 { source: bot.source, info: bot.info, ..copied };
                self.versions += 1;
                return Ok(Version { bot, copy, score: WinDrawLoss::default(), points: [0, 0] });
            }
        }
    }

    /// The bot, built of what its folder has now.
    fn built(&self) -> Result<Player2017, Failure> {
        let find = || Ok::<_, Failure>(self.setup.find(&self.args.bot.to_string_lossy())?.remove(0));
        let mut found = find()?;
        // A source may have changed during the build.
        loop {
            let again = find()?;
            if again.content == found.content {
                return Ok(found);
            }
            found = again;
        }
    }

    /// Plays the games of a version and shows the result. Without a result if a change or a signal stopped the games.
    fn play(&mut self, mut version: Version, ended: &Interrupt) -> Result<(), Failure> {
        let before = self.before.iter().map(|before| before.bot.clone().called("version before"));
        let folder = self.home.path().join(format!("games-{}", self.versions));
        let bots = [version.bot.clone(), self.opponent.clone()].into_iter().chain(before).collect();
        let options = TournamentOptions {
            format: Format::Gauntlet,
            games: self.args.games,
            seed: Some(self.seed),
            folder: Some(folder.clone()),
            keep: KeptGames::All,
            concurrency: self.args.concurrency.map(usize::from),
            ..TournamentOptions::default()
        };
        let prepared = PreparedTournament::new(self.setup.clone(), bots, options)?;
        let (total, score) = (prepared.total(), ShownScore::OfFirst);
        let mut progress = EventProgress::new(&prepared.table, total, false, WorkerCount::default(), score);
        let mut last = None;
        let mut lost = None;
        let mut faulty = None;
        let played = prepared.play(&mut |event, table| {
            progress.on(&event, table);
            if let SchedulerEvent::Finished(line) = &event {
                last = Some((*line).clone());
                if lost.is_none() && line.fixture.result(&line.outcome) == GameResult::Loss {
                    lost = line.record.as_ref().map(|record| folder.join(record));
                }
                let is_lost = lost_every_turn(line);
                if faulty.is_none() {
                    faulty = first_fault(&folder, line);
                    if let Some(fault) = faulty.as_ref().filter(|_| !is_lost) {
                        progress.clear();
                        show::tell(&format!("A turn was lost; the games go on\n{}", FirstFault(fault)));
                    }
                }
                if is_lost {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        })?;
        progress.clear();
        if played.stopped == StopReason::Interrupted || ended.is_raised() {
            return Ok(());
        }
        let ended_early = played.stopped == StopReason::Enough;
        let scores = scores(&played.table, self.before.as_ref().filter(|_| !ended_early));
        let line = last.as_ref().and_then(|line| Some((line, line.record.as_ref()?)));
        let board = line.map(|(line, path)| -> Result<_, Failure> {
            let record = match_folder::open(&folder.join(path))?.record;
            Ok((line, record::show(&record)?.history))
        });
        let report = DevReport {
            version: self.versions,
            table: &played.table,
            scores,
            fault: faulty.as_deref(),
            ended_early,
            lost: lost.as_deref(),
            last: board.transpose()?,
        };
        show::print(&report.to_string())?;
        (version.score, version.points) = (played.table.between(0, 1), played.table.points_between(0, 1));
        if played.table.rows()[0].faults.values().all(|count| *count == 0) {
            self.before = Some(version);
        }
        self.clean(&folder)
    }

    /// Removes the copies and games of earlier versions, except for the copy of the version before the next.
    fn clean(&self, games: &Path) -> Result<(), Failure> {
        let copy = self.before.as_ref().map(|version| version.copy.as_path());
        let home = self.home.path();
        let entries = home.read_dir().map_err(|e| ArenaError::disk("look through", home, e))?;
        for path in
            entries.flatten().map(|entry| entry.path()).filter(|path| Some(path.as_path()) != copy && path != games)
        {
            remove_folder(&path).map_err(|e| ArenaError::disk("remove", &path, e))?;
        }
        Ok(())
    }
}

/// The scores of the bot against each opponent, with that of the version before against the first.
fn scores(table: &ScoreTable, before: Option<&Version>) -> Vec<OpponentScore> {
    let score = |at: usize| OpponentScore {
        games: table.between(0, at),
        points: table.points_between(0, at),
        before: before.filter(|_| at == 1).map(|version| (version.score, version.points)),
    };
    (1..table.entrants().len()).map(score).collect()
}

/// True if no turn of the bot in a game had an order that was obeyed.
fn lost_every_turn(line: &GameLine) -> bool {
    let Some(player) = seat_of_bot(line).map(|seat| &line.players[seat]) else { return false };
    let lost: u64 = player.faults.values().map(|count| u64::from(*count)).sum();
    lost > 0 && player.times.as_ref().is_none_or(|times| lost >= times.count())
}

/// The seat of the bot, which is entrant 0.
fn seat_of_bot(line: &GameLine) -> Option<Seat> {
    let seat = line.fixture.seated().iter().position(|entrant| *entrant == 0)?;
    Seat::new(u8::try_from(seat).ok()?)
}

/// The folder of the first fault bundle of the bot in a game.
fn first_fault(folder: &Path, line: &GameLine) -> Option<PathBuf> {
    let seat = seat_of_bot(line)?;
    let name = Path::new(line.record.as_deref()?).file_name()?.to_string_lossy().into_owned();
    let bundles = folder.join("faults").join(name.strip_suffix(".jsonl.zst")?);
    let mut found: Vec<PathBuf> = bundles.read_dir().ok()?.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(&format!(" {seat}"))));
    found.sort();
    found.into_iter().next()
}
