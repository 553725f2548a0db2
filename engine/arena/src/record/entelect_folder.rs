//! The folder of an Entelect match as the original left it: `Phase N - Round M/…`.

use super::bundles::{Bundle, Bundles, Keep};
use super::shelf::Shelf;
use super::{Journal, MatchFolder};
use crate::{ArenaError, MatchEvent, Observer, Reply, RunEnd, RunReport};
use chrono::Local;
use rules::entelect_2017::files::{
    COMMAND_TXT, ENGINE_LOG, Entry, Files, LOG_TXT, PLACE_TXT, decode, engine_log, player_news,
};
use rules::entelect_2017::{Entelect2017, Event, Order, OrderKind};
use rules::{BySeat, Fault, Game, Part, Seat, Told};
use std::sync::Arc;

/// Writes the files of a match that its players do not write themselves.
///
/// In tournament mode nothing of this is on the disk where bots can read it before the match is over: it goes to a
/// journal, together with what was taken away from the players' folders.
pub struct EntelectFolder {
    files: Files,
    shelf: Shelf,
    /// What each player's next log.txt begins with.
    news: BySeat<Vec<Entry>>,
    /// What the first engine.log begins with.
    preamble: Vec<Entry>,
    orders: Vec<(Seat, OrderKind)>,
    /// The folder of the round being played.
    round: String,
    bundles: Bundles,
}

impl EntelectFolder {
    /// For a match in `folder`. `preamble` is what the first engine.log begins with. With a journal, files reach the
    /// folder only when [`EntelectFolder::close`] is called.
    pub fn new(
        files: Files,
        folder: Arc<MatchFolder>,
        journal: Option<Journal>,
        seats: u8,
        preamble: Vec<Entry>,
    ) -> EntelectFolder {
        EntelectFolder {
            files,
            shelf: Shelf::new(folder, journal),
            news: (0..seats).map(|_| Vec::new()).collect(),
            preamble,
            orders: Vec::new(),
            round: String::new(),
            bundles: Bundles::new(Keep::Faults),
        }
    }

    /// The same with other turns kept as bundles than those with a fault.
    #[must_use]
    pub fn keeping(self, keep: Keep) -> EntelectFolder {
        EntelectFolder { bundles: Bundles::new(keep), ..self }
    }

    /// The bundles that were written so far.
    pub fn bundles(&self) -> &[Bundle] {
        self.bundles.written()
    }

    /// Brings everything that is still in the journal to its place. To be called however the match ended.
    pub fn close(self) -> Result<(), ArenaError> {
        self.shelf.close()
    }

    fn write_round_files(&mut self, game: &Entelect2017) -> Result<(), ArenaError> {
        let folder = Files::round_folder(game.phase(), game.round());
        let parts = self.files.round_files(game);
        self.shelf.write_parts(&folder, &parts)
    }

    /// What a player was shown, what it wrote, decoded, and its log.
    fn write_turn(&mut self, game: &Entelect2017, seat: Seat, reply: &Reply<Order>) -> Result<(), ArenaError> {
        let folder = Files::player_folder(game.phase(), game.round(), seat);
        let mut parts = Vec::new();
        // A bot's process leaves these in its folder, where they stay unless a journal keeps everything.
        let ours = reply.run.is_none() || self.shelf.holds_back();
        if ours {
            parts.extend(self.files.player_files(&game.view(seat)));
        }
        for given in &reply.given {
            let text = decode(&given.bytes).into_bytes();
            // The bot's own file is as good if it needed no decoding.
            if ours || text != given.bytes {
                parts.push(Part { name: given.name, bytes: text });
            }
        }
        let log = self.log_of_turn(seat, reply);
        parts.push(Part { name: LOG_TXT, bytes: log });
        self.shelf.write_parts(&folder, &parts)
    }

    fn log_of_turn(&mut self, seat: Seat, reply: &Reply<Order>) -> Vec<u8> {
        let mut log = std::mem::take(&mut self.news[seat]);
        if let Some(run) = &reply.run {
            log.extend(run_entries(run));
        }
        if let Err(fault) = &reply.answer {
            log.push(fault_entry(fault));
        }
        stamp(&log)
    }

    /// engine.log of the round just played, and what its players will read of it in their next log.txt.
    fn write_engine_log(&mut self, told: &[Told<Event>]) -> Result<(), ArenaError> {
        let mut log = std::mem::take(&mut self.preamble);
        log.extend(engine_log(&self.files, &self.orders, told));
        for entry in &log {
            log_entry(entry);
        }
        let bytes = stamp(&log);
        let folder = self.round.clone();
        self.shelf.write(&folder, ENGINE_LOG, &bytes)?;
        for (seat, news) in self.news.iter_mut() {
            news.extend(player_news(seat, told));
        }
        // Nobody was asked: this round removed a player, and no later log.txt would tell it why.
        if self.orders.is_empty() {
            for seat in self.news.seats().collect::<Vec<_>>() {
                let news = std::mem::take(&mut self.news[seat]);
                if !news.is_empty() {
                    let bytes = stamp(&news);
                    self.shelf.write(&format!("{folder}/{seat}"), LOG_TXT, &bytes)?;
                }
            }
        }
        Ok(())
    }

    /// The folder of the coming round, without players, and the last word in the folders of the players of the last.
    fn write_end(&mut self, game: &Entelect2017) -> Result<(), ArenaError> {
        self.write_round_files(game)?;
        for seat in self.news.seats().collect::<Vec<_>>() {
            let parts = self.files.player_files(&game.view(seat));
            let folder = format!("{}/{seat}", self.round);
            self.shelf.write_parts(&folder, &parts)?;
        }
        Ok(())
    }
}

impl Observer<Entelect2017> for EntelectFolder {
    fn on(&mut self, event: &MatchEvent<'_, Entelect2017>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Opened { game, .. } => {
                self.round = Files::round_folder(game.phase(), game.round());
                self.write_round_files(game)
            }
            MatchEvent::Answered { game, replies, .. } => {
                self.orders = replies
                    .iter()
                    .map(|(seat, reply)| (*seat, reply.answer.as_ref().map_or(OrderKind::DoNothing, Order::kind)))
                    .collect();
                self.bundles.answered(game, replies);
                replies.iter().try_for_each(|(seat, reply)| self.write_turn(game, *seat, reply))
            }
            MatchEvent::Advanced { told, .. } => {
                self.write_engine_log(told)?;
                self.bundles.advanced(told, &self.files, &mut self.shelf)
            }
            MatchEvent::Finished { game, .. } => self.write_end(game),
        }
    }
}

fn run_entries(run: &RunReport) -> Vec<Entry> {
    let mut log = vec![
        Entry::debug(format!("Executing bot with following commands {}", run.command)),
        Entry::info(format!("Executing process {}", run.command)),
    ];
    if let Some(limits) = run.limits {
        log.push(Entry::info(format!(
            "Bot has {}ms to run before it will be forcefully killed",
            limits.kill().as_millis()
        )));
    }
    // Like the original, one entry without text ends each stream.
    let lines = |output: &crate::Output| output.lines().into_iter().chain([String::new()]).collect::<Vec<_>>();
    log.extend(lines(&run.stderr).into_iter().map(|line| Entry::error(format!("Output from bot: {line}"))));
    log.extend(lines(&run.stdout).into_iter().map(|line| Entry::info(format!("Output from bot: {line}"))));
    log.push(Entry::info(format!("Your bots total execution time was {}", span(run.wall))));
    log.push(Entry::info(format!(
        "Your bots processor time was {} and its peak memory {} kB",
        span(run.cpu),
        run.peak_memory / 1024
    )));
    if run.end != RunEnd::Exited(0) {
        log.push(Entry::info(format!("Your bot {}", run.end)));
    }
    if run.removed > 0 {
        let mib = (run.removed >> 20).max(1);
        log.push(Entry::info(format!("Your bot left {mib} MiB in its folder of the round, which were removed")));
    }
    log
}

fn fault_entry(fault: &Fault) -> Entry {
    match fault {
        Fault::Unreadable { why } => Entry::error(format!("Failed to read move file from bot: {why}")),
        Fault::NothingWritten => {
            Entry::error(format!("Failed to read move file from bot: neither {PLACE_TXT} nor {COMMAND_TXT} is there"))
        }
        fault => Entry::error(format!("No move from bot: {fault}")),
    }
}

/// A time as `hh:mm:ss.fffffff`.
fn span(time: std::time::Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{hours:02}:{minutes:02}:{seconds:02}.{:07}", time.subsec_nanos() / 100)
}

/// Passes an entry on to whoever listens to the program's log.
fn log_entry(entry: &Entry) {
    use rules::entelect_2017::files::Level;
    let level = match entry.level {
        Level::Debug => log::Level::Debug,
        Level::Info => log::Level::Info,
        Level::Error => log::Level::Error,
    };
    log::log!(target: "engine", level, "{}", entry.text);
}

/// The text of a log file: each entry on a line of its own behind an empty first one.
fn stamp(log: &[Entry]) -> Vec<u8> {
    let now = Local::now().format("%d-%m-%Y %H:%M:%S:%3f").to_string();
    let lines = log.iter().map(|entry| format!("\n{now} - {}: \t{}", entry.level.letter(), entry.text));
    lines.collect::<String>().into_bytes()
}
