//! A bot, a folder and one question.

use arena::folder::MatchFolder;
use arena::{Ask, Interrupt, Limits, NotesLevel, Player, Reply};
use fake_bot::BotFolder;
use players::process::{Launch, PerRound};
use players::{Bot, Manifest, Tools};
use rules::PlayerInfo;
use rules::entelect_2017::files::Files;
use rules::entelect_2017::{Entelect2017, Order, Settings};
use rules::{Game, Seat};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// A fake bot in seat A of a new match.
pub struct Table {
    pub bot: BotFolder,
    pub interrupt: Interrupt,
    pub leave_files: bool,
    pub notes: NotesLevel,
    pub limits: Option<Limits>,
    pub folder: TempDir,
}

impl Table {
    pub fn new(script: &str) -> Table {
        Table {
            bot: BotFolder::new("Fake", script),
            interrupt: Interrupt::new().unwrap(),
            leave_files: true,
            notes: NotesLevel::On,
            limits: Some(Limits::exactly(Duration::from_secs(20), Duration::from_secs(20))),
            folder: tempfile::Builder::new().prefix("match folder ").tempdir().unwrap(),
        }
    }

    /// A table whose bot has three seconds: enough for a busy machine, and not long to wait for.
    pub fn hurried(script: &str) -> Table {
        let short = Duration::from_secs(3);
        Table { limits: Some(Limits::exactly(short, short)), ..Table::new(script) }
    }

    /// Asks the bot in the first round.
    pub fn ask(&self) -> Reply<Order> {
        self.try_ask().unwrap()
    }

    pub fn try_ask(&self) -> Result<Reply<Order>, arena::ArenaError> {
        let manifest = Manifest::read(self.bot.path()).unwrap();
        let launch = Launch::of(&manifest, &Tools::on_path()).unwrap().with_seed(7);
        let folder = Arc::new(MatchFolder::create(self.folder.path()).unwrap());
        let transport = PerRound::new(launch, folder, self.limits, self.leave_files, self.interrupt.clone());
        let transport = transport.with_notes(self.notes);
        let files = Files::new(["Alpha", "Bravo"].map(PlayerInfo::named).into_iter().collect());
        let game = Entelect2017::start(&Settings::default(), 2, 0).unwrap();
        Bot::new(files, transport).decide(&Ask::new(&game, Seat::A, 0))
    }

    /// The bot's folder in the first round.
    pub fn round_folder(&self) -> PathBuf {
        self.folder.path().join("Phase 1 - Round 0").join("A")
    }

    /// The number in a file that the bot left in its own folder, and whether that process still lives.
    pub fn left_alive(&self, pid_file: &str) -> bool {
        let pid = std::fs::read_to_string(self.bot.path().join(pid_file)).unwrap();
        PathBuf::from("/proc").join(pid.trim()).exists()
    }
}
