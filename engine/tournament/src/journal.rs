//! The journal of a tournament, `games.jsonl`: a line for every game that was finished, and nothing else counts.
//!
//! It only grows. Standings, ratings, what is still to be played, all is made of it alone. docs/journal.md describes its
//! lines for others.

use super::{Fixture, Format, Times};
use arena::record::LimitsLine;
use arena::{JournalFormat, JournalHeader};
use rules::PlayerInfo;
use rules::{BySeat, GameKind, Outcome};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The name of the format, which every journal has in its first line.
const FORMAT: &str = "broadside journal";
/// The version of the format that is written, and the newest that is read.
pub const JOURNAL_VERSION: u32 = 1;
/// Journals of tournaments among those of other programs.
pub(super) const JOURNAL: JournalFormat = JournalFormat {
    title: "journal of a tournament",
    busy: "another tournament is being played in it",
    header: Some(JournalHeader { line: "tournament", format: FORMAT, version: JOURNAL_VERSION }),
    private: false,
};

/// A line of a journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "kebab-case")]
pub enum JournalLine {
    /// The first: what is the same for all games.
    Tournament(TournamentHeader),
    /// Somebody who takes part; they are numbered in this order, from 0.
    Entrant(Entrant),
    /// A game that was finished.
    Game(Box<GameLine>),
    /// A game that the engine could not play, whatever it tried. It is not finished, and counts for nobody.
    Failure(FailedGame),
}

/// What is the same for all games of a tournament.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TournamentHeader {
    format: String,
    version: u32,
    /// The kind of game.
    pub game: GameKind,
    /// What was agreed before each game, as the game writes it.
    pub settings: serde_json::Value,
    /// What bots are spoken to in, where the game has a choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
    /// Who meets whom.
    pub plan: Format,
    /// Rounds of a Swiss tournament, if they were set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// What the seeds of all games are derived from. As text, because not every reader of JSON has numbers of 64 bits.
    pub seed: String,
    /// Which program began it.
    pub engine: String,
}

impl TournamentHeader {
    /// Of this kind, played with this program.
    pub fn new(
        game: GameKind,
        settings: serde_json::Value,
        plan: Format,
        rounds: Option<u32>,
        seed: u64,
    ) -> TournamentHeader {
        let engine = concat!("broadside ", env!("CARGO_PKG_VERSION")).to_owned();
        let seed = seed.to_string();
        let (format, version) = (FORMAT.to_owned(), JOURNAL_VERSION);
        TournamentHeader { format, version, game, settings, dialect: None, plan, rounds, seed, engine }
    }

    /// The same with bots that are spoken to in this dialect.
    #[must_use]
    pub fn spoken(self, dialect: Option<&str>) -> TournamentHeader {
        TournamentHeader { dialect: dialect.map(str::to_owned), ..self }
    }

    /// What the seeds of all games are derived from.
    pub fn base_seed(&self) -> u64 {
        self.seed.parse().unwrap_or_default()
    }
}

/// Somebody who takes part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entrant {
    /// What it is called; no other is called so.
    pub name: String,
    /// Its folder as it was named, its URL without what may be secret, or `builtin:NAME`.
    pub bot: String,
    /// What its bot.json says of it.
    pub details: PlayerInfo,
    /// The SHA-256 of what is in its folder; `None` where there is none, or too much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

/// A game that was finished.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// Which.
    #[serde(flatten)]
    pub fixture: Fixture,
    /// Its seed, as text.
    pub seed: String,
    /// How it ended, by seats: see the pairing and the number for who sat where.
    pub outcome: Outcome,
    /// What there is to tell of the players, by seats.
    pub players: BySeat<PlayerLine>,
    /// Why its time-outs may be the machine's fault, though it was played again; absent if there is no doubt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspect: Option<String>,
    /// How often it was tried before in vain: its time-outs were suspect, or the engine failed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub repeats: u32,
    /// Its record, relative to the journal's folder, if it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// When it ended (RFC 3339).
    pub ended: String,
}

/// What there is to tell of a player in a game.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerLine {
    /// How long its answers took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<Times>,
    /// How long it might take for an answer; `None` without limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<LimitsLine>,
    /// How many turns had no usable order, by the kind of fault; refused orders are among them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub faults: BTreeMap<String, u32>,
}

/// A game that the engine could not play.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailedGame {
    /// Which.
    #[serde(flatten)]
    pub fixture: Fixture,
    /// What the engine could not do.
    pub error: String,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ScoreTable;
    use arena::{ArenaError, GAMES_JSONL, JournalError};
    use rules::{Ending, Seat};
    use std::fs;
    use std::path::{Path, PathBuf};

    fn event() -> TournamentHeader {
        TournamentHeader::new(
            GameKind::Entelect2017,
            serde_json::json!({"size": "small"}),
            Format::RoundRobin,
            None,
            u64::MAX,
        )
    }

    fn entrant(name: &str) -> JournalLine {
        let details = PlayerInfo::named(name);
        JournalLine::Entrant(Entrant { name: name.to_owned(), bot: format!("builtin:{name}"), details, content: None })
    }

    fn game(number: u32) -> JournalLine {
        let mut times = Times::default();
        times.add(std::time::Duration::from_millis(3));
        let player = PlayerLine { times: Some(times), limits: None, faults: [("timed-out".to_owned(), 2)].into() };
        JournalLine::Game(Box::new(GameLine {
            fixture: Fixture { first: 0, second: 1, number },
            seed: "17".to_owned(),
            outcome: Outcome {
                winner: Some(Seat::B),
                ranking: vec![Seat::B, Seat::A],
                points: [10, 420].into_iter().collect(),
                ending: Ending::FleetSunk { seats: vec![Seat::A] },
                turns: 40,
            },
            players: [player, PlayerLine::default()].into_iter().collect(),
            suspect: None,
            repeats: 0,
            record: Some("records/x.jsonl.zst".to_owned()),
            took_ms: 12,
            ended: "2026-11-21T12:00:00.000+00:00".to_owned(),
        }))
    }

    /// With a letter of two bytes, which can be cut in two.
    const NAMES: [&str; 2] = ["Jörg", "two"];

    /// A journal of so many games, and its folder.
    fn written(games: u32) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("event").join(GAMES_JSONL);
        let (mut writer, _) = ScoreTable::open(&path, &event()).unwrap();
        NAMES.iter().for_each(|name| writer.append(&entrant(name)).unwrap());
        (0..games).for_each(|number| writer.append(&game(number)).unwrap());
        writer.sync().unwrap();
        (folder, path)
    }

    fn numbers(path: &Path) -> Result<Vec<u32>, String> {
        let mut numbers = Vec::new();
        let read = ScoreTable::read_with(path, |line| {
            if let JournalLine::Game(game) = line {
                numbers.push(game.fixture.number);
            }
        });
        read.map(|_| numbers).map_err(|e| std::error::Error::source(&e).unwrap().to_string())
    }

    #[test]
    fn what_was_written_is_read() {
        let (_folder, path) = written(3);
        let mut games = Vec::new();
        let table = ScoreTable::read_with(&path, |line| games.push(line.clone())).unwrap();
        assert_eq!((table.event(), table.event().base_seed()), (&event(), u64::MAX));
        assert_eq!(table.entrants().iter().map(|e| e.name.as_str()).collect::<Vec<_>>(), NAMES);
        assert_eq!(games[1..], [entrant(NAMES[0]), entrant(NAMES[1]), game(0), game(1), game(2)]);
    }

    #[test]
    fn a_journal_that_was_cut_off_anywhere_is_repaired_and_goes_on() {
        let (_folder, path) = written(3);
        let text = fs::read(&path).unwrap();
        for cut in 0..text.len() {
            fs::write(&path, &text[..cut]).unwrap();
            let (mut writer, table) = ScoreTable::open(&path, &event()).unwrap();
            let left = table.results().games() as u32;
            for name in NAMES.iter().skip(table.entrants().len()) {
                writer.append(&entrant(name)).unwrap();
            }
            (left..3).for_each(|number| writer.append(&game(number)).unwrap());
            drop(writer);
            assert_eq!(fs::read(&path).unwrap(), text, "cut at {cut}");
        }
    }

    #[test]
    fn two_do_not_write_to_one_journal() {
        let (_folder, path) = written(1);
        let (writer, _) = ScoreTable::open(&path, &event()).unwrap();
        let error = ScoreTable::open(&path, &event()).unwrap_err();
        assert!(matches!(error, ArenaError::Journal { source: JournalError::Locked(_), .. }), "{error}");
        drop(writer);
        ScoreTable::open(&path, &event()).unwrap();
    }

    #[test]
    fn what_is_no_journal_is_told_and_not_touched() {
        let (_folder, path) = written(2);
        let good = fs::read_to_string(&path).unwrap();
        let wrong = |text: String| {
            fs::write(&path, &text).unwrap();
            let told = numbers(&path).unwrap_err();
            assert!(ScoreTable::open(&path, &event()).is_err());
            assert_eq!(fs::read_to_string(&path).unwrap(), text, "{told}");
            told
        };
        assert!(wrong("hello\n".to_owned()).contains("its first line is not that of a journal"));
        assert!(wrong("a file of somebody's without a line".to_owned()).contains("this is not a journal"));
        let long = format!("{good}{}", " ".repeat(1 << 20));
        assert!(wrong(long).starts_with("line 6: it is longer than 1048576 bytes"));
        assert!(wrong(good.replacen("\"version\":1", "\"version\":2", 1)).contains("its format is version 2"));
        assert!(wrong(good.replacen("\"second\":1", "\"second\":2", 1)).starts_with("line 4: it is a game of 0 and 2"));
        assert!(wrong(good.replacen("\"ranking\"", "\"order\"", 1)).starts_with("line 4: missing field `ranking`"));
        assert!(wrong(format!("{good}{good}")).contains("a second tournament begins"));
    }
}
