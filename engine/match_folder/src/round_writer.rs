//! Writes the folders of the rounds, `Phase N - Round M/…`, as the original left them.

use arena::record::{Clock, MatchStore};
use arena::{ArenaError, MatchEvent, NOTES_JSON, Output, Reply, RunReport, TimeUsed};
use rules::entelect_2017::files::{
    COMMAND_TXT, ENGINE_LOG, Entry, Files, LOG_TXT, PLACE_TXT, decode, engine_log, player_news,
};
use rules::entelect_2017::{Entelect2017, Event, Order, OrderKind};
use rules::{BySeat, Fault, Game, Part, Seat, Told};

/// Writes the files of a match, but for those that its players' processes have left in the folder.
#[derive(Debug)]
pub struct RoundWriter {
    files: Files,
    clock: Clock,
    /// The first entries of each player's next log.txt.
    news: BySeat<Vec<Entry>>,
    /// The first entries of the first engine.log.
    preamble: Vec<Entry>,
    orders: Vec<(Seat, OrderKind)>,
    /// The folder of the round being played.
    round: String,
}

impl RoundWriter {
    /// A writer for a match of this many seats. `preamble` is the beginning of the first engine.log.
    pub fn new(files: Files, clock: Clock, seats: u8, preamble: Vec<Entry>) -> RoundWriter {
        RoundWriter {
            files,
            clock,
            news: (0..seats).map(|_| Vec::new()).collect(),
            preamble,
            orders: Vec::new(),
            round: String::new(),
        }
    }

    /// Writes the files that an event adds.
    pub(crate) fn on(
        &mut self,
        event: &MatchEvent<'_, Entelect2017>,
        store: &mut dyn MatchStore,
    ) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Opened { game, .. } => {
                self.round = Files::round_folder(game.phase(), game.round());
                self.write_round_files(game, store)
            }
            MatchEvent::Answered { game, replies, .. } => {
                self.orders = replies
                    .iter()
                    .map(|(seat, reply)| (*seat, reply.answer.as_ref().map_or(OrderKind::DoNothing, Order::kind)))
                    .collect();
                replies.iter().try_for_each(|(seat, reply)| self.write_turn(game, *seat, reply, store))
            }
            MatchEvent::Advanced { told, .. } => self.write_engine_log(told, store),
            MatchEvent::Finished { game, .. } => self.write_end(game, store),
        }
    }

    fn write_round_files(&self, game: &Entelect2017, store: &mut dyn MatchStore) -> Result<(), ArenaError> {
        store.write_parts(&Files::round_folder(game.phase(), game.round()), &self.files.round_files(game))
    }

    /// Writes the files that a player was shown, its decoded answer, and its log.
    fn write_turn(
        &mut self,
        game: &Entelect2017,
        seat: Seat,
        reply: &Reply<Order>,
        store: &mut dyn MatchStore,
    ) -> Result<(), ArenaError> {
        let folder = Files::player_folder(game.phase(), game.round(), seat);
        let mut parts = Vec::new();
        // Files that the bot's transport has left in the folder are not written again.
        let ours = !reply.run.as_ref().is_some_and(|run| run.files_left);
        if ours {
            parts.extend(self.files.player_files(&game.view(seat)));
        }
        for given in &reply.given {
            let text = decode(&given.bytes).into_bytes();
            // The bot's own file is kept if decoding does not change it.
            if ours || text != given.bytes {
                parts.push(Part { name: given.name, bytes: text });
            }
        }
        // In the record and, if the bot's files were removed after its turn, in the folder of the match.
        if let Some(notes) = reply.notes.as_deref().filter(|notes| ours && !notes.source().is_empty()) {
            parts.push(Part { name: NOTES_JSON, bytes: notes.source().as_bytes().to_vec() });
        }
        parts.push(Part { name: LOG_TXT, bytes: self.log_of_turn(seat, reply) });
        store.write_parts(&folder, &parts)
    }

    fn log_of_turn(&mut self, seat: Seat, reply: &Reply<Order>) -> Vec<u8> {
        let mut log = std::mem::take(&mut self.news[seat]);
        log.extend(reply.run.iter().flat_map(start_entries));
        log.extend(reply.time.iter().flat_map(time_entries));
        log.extend(reply.run.iter().flat_map(end_entries));
        if let Err(fault) = &reply.answer {
            log.push(fault_entry(fault));
        }
        self.stamp(&log)
    }

    /// The text of a log file: each entry on a line of its own behind an empty first one.
    fn stamp(&self, log: &[Entry]) -> Vec<u8> {
        // A match without a known time has no time in its logs.
        let now = self.clock.now().map(|now| now.format("%d-%m-%Y %H:%M:%S:%3f").to_string()).unwrap_or_default();
        let lines = log.iter().map(|entry| format!("\n{now} - {}: \t{}", entry.level.letter(), entry.text));
        // Some of it comes from bots: their names, their output, their folders.
        rules::printable_text(&lines.collect::<String>()).into_bytes()
    }

    /// Writes engine.log of the round just played, and keeps the entries for the players' next log.txt.
    fn write_engine_log(&mut self, told: &[Told<Event>], store: &mut dyn MatchStore) -> Result<(), ArenaError> {
        let mut log = std::mem::take(&mut self.preamble);
        log.extend(engine_log(&self.files, &self.orders, told));
        log.iter().for_each(log_entry);
        store.write(&self.round, ENGINE_LOG, &self.stamp(&log))?;
        for (seat, news) in self.news.iter_mut() {
            news.extend(player_news(seat, told));
        }
        // No player was asked: this round removed a player, and no later log.txt would report it.
        if self.orders.is_empty() {
            for seat in self.news.seats() {
                let news = std::mem::take(&mut self.news[seat]);
                if !news.is_empty() {
                    store.write(&format!("{}/{seat}", self.round), LOG_TXT, &self.stamp(&news))?;
                }
            }
        }
        Ok(())
    }

    /// Writes the folder of the next round, without players, and the last files of the players in the last
    /// round.
    fn write_end(&self, game: &Entelect2017, store: &mut dyn MatchStore) -> Result<(), ArenaError> {
        self.write_round_files(game, store)?;
        self.news.seats().try_for_each(|seat| {
            store.write_parts(&format!("{}/{seat}", self.round), &self.files.player_files(&game.view(seat)))
        })
    }
}

/// Log entries on the start of a process and its output.
fn start_entries(run: &RunReport) -> Vec<Entry> {
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
    // As in the original, an entry without text ends each stream.
    let lines = |output: &Output| output.lines().into_iter().chain([String::new()]).collect::<Vec<_>>();
    log.extend(lines(&run.stderr).into_iter().map(|line| Entry::error(format!("Output from bot: {line}"))));
    log.extend(lines(&run.stdout).into_iter().map(|line| Entry::info(format!("Output from bot: {line}"))));
    log
}

/// Log entries on the time of an answer.
fn time_entries(time: &TimeUsed) -> Vec<Entry> {
    let wall = Entry::info(format!("Your bots total execution time was {}", span(time.wall)));
    let cpu = time.cpu.map(|cpu| Entry::info(format!("Your bots processor time was {}", span(cpu))));
    [wall].into_iter().chain(cpu).collect()
}

/// Log entries on the end of a process.
fn end_entries(run: &RunReport) -> Vec<Entry> {
    let mut log = vec![Entry::info(format!("Your bots peak memory was {} kB", run.peak_memory / 1024))];
    if !run.end.is_success() {
        log.push(Entry::info(format!("Your bot {}", run.end)));
    }
    if run.removed > 0 {
        let mib = (run.removed >> 20).max(1);
        log.push(Entry::info(format!("Your bot left {mib} MiB in its folder of the round, which were removed")));
    }
    if let Some(why) = &run.bad_notes {
        log.push(Entry::info(format!("The notes of your bot were dropped: {NOTES_JSON} {why}")));
    }
    log
}

fn fault_entry(fault: &Fault) -> Entry {
    match fault {
        // These files have no excerpts.
        Fault::Unreadable { why, .. } => Entry::error(format!("Failed to read move file from bot: {why}")),
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

/// Passes an entry to the program's log.
fn log_entry(entry: &Entry) {
    use rules::entelect_2017::files::Level;
    let level = match entry.level {
        Level::Debug => log::Level::Debug,
        Level::Info => log::Level::Info,
        Level::Error => log::Level::Error,
    };
    log::log!(target: "engine", level, "{}", entry.text);
}
