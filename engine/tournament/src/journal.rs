//! The journal of a tournament, `games.jsonl`: a line for every game that was finished, and nothing else counts.
//!
//! It only grows. Standings, ratings, what is still to be played, all is made of it alone. docs/journal.md describes its
//! lines for others.

use super::{Fixture, Format, ScoreTable, Times, TournamentError};
use arena::record::LimitsLine;
use arena::{ArenaError, LineFile};
use rules::PlayerInfo;
use rules::{BySeat, GameKind, Outcome};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// What every journal says it is.
const FORMAT: &str = "broadside journal";
/// The version of the format that is written, and the newest that is read.
pub const JOURNAL_VERSION: u32 = 1;
/// What every journal begins with.
const BEGIN: &[u8] = br#"{"line":"tournament","format":"broadside journal","version":"#;
/// No line is longer than that, in bytes: whatever has longer ones is no journal, and may have no end.
const MOST_OF_LINE: u64 = 1 << 20;

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

/// Why a journal cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JournalError {
    /// It is something else.
    #[error("this is no journal of a tournament: {0}")]
    NoJournal(String),
    /// A newer program wrote it.
    #[error("its format is version {0}, and this program knows versions up to {JOURNAL_VERSION}")]
    Newer(u32),
    /// One of its lines makes no sense.
    #[error("line {line}: {what}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// Another program is at work on it.
    #[error("another tournament is being played in it")]
    Locked,
}

/// What is in a journal.
#[derive(Debug, Clone, PartialEq)]
pub struct JournalContents {
    /// What is the same for all games.
    pub event: TournamentHeader,
    /// Who takes part.
    pub entrants: Vec<Entrant>,
    /// Games that the engine could not play at some time; they may be finished by now.
    pub failures: Vec<FailedGame>,
    /// How many bytes its whole lines have.
    whole: u64,
    /// How many bytes at its end were cut off in the middle of a line, and do not count.
    pub cut_off: u64,
}

impl JournalContents {
    /// Reads the journal at `path`, and gives its lines to `each`, in their order.
    pub fn read(path: &Path, mut each: impl FnMut(JournalLine)) -> Result<JournalContents, TournamentError> {
        let failed = |e| ArenaError::disk("read", path, e);
        let wrong = |source| TournamentError::Journal { path: path.to_owned(), source };
        let mut file = BufReader::new(File::open(path).map_err(failed)?);
        let mut line = Vec::new();
        let mut next = |line: &mut Vec<u8>| {
            line.clear();
            file.by_ref().take(MOST_OF_LINE).read_until(b'\n', line).map_err(failed)
        };
        next(&mut line)?;
        let mut journal = JournalContents {
            event: event(&line).map_err(wrong)?,
            entrants: Vec::new(),
            failures: Vec::new(),
            whole: 0,
            cut_off: 0,
        };
        each(JournalLine::Tournament(journal.event.clone()));
        for number in 2.. {
            journal.whole += line.len() as u64;
            let length = next(&mut line)? as u64;
            if !line.ends_with(b"\n") && length < MOST_OF_LINE {
                journal.cut_off = length;
                break;
            }
            journal.take(&line, &mut each).map_err(|what| wrong(JournalError::Line { line: number, what }))?;
        }
        Ok(journal)
    }

    /// Takes in a line after the first.
    fn take(&mut self, line: &[u8], each: &mut impl FnMut(JournalLine)) -> Result<(), String> {
        let line: JournalLine = serde_json::from_slice(line).map_err(|e| e.to_string())?;
        match &line {
            JournalLine::Tournament(_) => return Err("a second tournament begins".to_owned()),
            JournalLine::Entrant(entrant) => self.entrants.push(entrant.clone()),
            JournalLine::Failure(failure) => {
                self.check(failure.fixture)?;
                self.failures.push(failure.clone());
            }
            JournalLine::Game(game) => {
                self.check(game.fixture)?;
                if game.players.len() != 2 || game.outcome.points.len() != 2 {
                    return Err("it is not a game of two players".to_owned());
                }
            }
        }
        each(line);
        Ok(())
    }

    /// That a game is of two who take part.
    fn check(&self, Fixture { first, second, .. }: Fixture) -> Result<(), String> {
        let entrants = self.entrants.len();
        if first == second || first.max(second) >= entrants {
            return Err(format!("it is a game of {first} and {second}, and there are {entrants} entrants"));
        }
        Ok(())
    }
}

fn event(line: &[u8]) -> Result<TournamentHeader, JournalError> {
    #[derive(Deserialize)]
    struct Begin {
        format: String,
        version: u32,
    }
    let none = || JournalError::NoJournal("its first line is not that of a journal".to_owned());
    if !line.ends_with(b"\n") {
        return Err(none());
    }
    let begin: Begin = serde_json::from_slice(line).map_err(|_| none())?;
    match begin {
        Begin { format, .. } if format != FORMAT => Err(none()),
        Begin { version, .. } if version > JOURNAL_VERSION => Err(JournalError::Newer(version)),
        _ => match serde_json::from_slice(line).map_err(|e| JournalError::Line { line: 1, what: e.to_string() })? {
            JournalLine::Tournament(event) if event.seed.parse::<u64>().is_ok() => Ok(event),
            _ => Err(JournalError::Line { line: 1, what: "seed: it is no number of 64 bits".to_owned() }),
        },
    }
}

/// A journal that is written to. As long as it is open, nobody else can write to it.
#[derive(Debug)]
pub struct JournalWriter {
    lines: LineFile,
    cut_off: u64,
}

impl JournalWriter {
    /// Opens the journal at `path` for writing, locks it, and reads it once. A missing journal is created with `header` as
    /// its first line; an incomplete line at its end is removed. Gives the table of all games in it, which also has the
    /// journal's own header and its entrants.
    ///
    /// # Errors
    /// Another program writes to the journal, the file is not a journal that this program knows, or the disk fails.
    pub fn open(path: &Path, header: &TournamentHeader) -> Result<(JournalWriter, ScoreTable), TournamentError> {
        let Some(lines) = LineFile::open(path)? else {
            return Err(TournamentError::Journal { path: path.to_owned(), source: JournalError::Locked });
        };
        let mut writer = JournalWriter { lines, cut_off: 0 };
        let found = writer.lines.beginning()?;
        let begun = BEGIN.starts_with(&found) || found.starts_with(BEGIN);
        if begun && writer.lines.length() == found.len() as u64 && !found.contains(&b'\n') {
            // Nothing, or less than a first line: it was cut off when it was begun.
            writer.lines.cut(0)?;
            writer.write(&JournalLine::Tournament(header.clone()))?;
            writer.sync()?;
        }
        let (table, contents) = ScoreTable::read_with_contents(path)?;
        if contents.cut_off > 0 {
            writer.lines.cut(contents.whole)?;
            writer.cut_off = contents.cut_off;
        }
        Ok((writer, table))
    }

    /// The bytes of an incomplete last line that were removed when the journal was opened; 0 if its last line was whole.
    pub fn cut_off(&self) -> u64 {
        self.cut_off
    }

    /// Adds a line.
    ///
    /// # Errors
    /// The disk fails. The journal is then as before.
    pub fn write(&mut self, line: &JournalLine) -> Result<(), ArenaError> {
        self.lines.write(line)
    }

    /// Waits until all lines are on the disk.
    ///
    /// # Errors
    /// The disk fails.
    pub fn sync(&mut self) -> Result<(), ArenaError> {
        self.lines.sync()
    }

    /// The path of the journal.
    pub fn path(&self) -> &Path {
        self.lines.path()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::GAMES_JSONL;
    use rules::{Ending, Seat};
    use std::fs;
    use std::path::PathBuf;

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
        let (mut writer, _) = JournalWriter::open(&path, &event()).unwrap();
        NAMES.iter().for_each(|name| writer.write(&entrant(name)).unwrap());
        (0..games).for_each(|number| writer.write(&game(number)).unwrap());
        writer.sync().unwrap();
        (folder, path)
    }

    fn numbers(path: &Path) -> Result<Vec<u32>, String> {
        let mut numbers = Vec::new();
        let read = JournalContents::read(path, |line| {
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
        let journal = JournalContents::read(&path, |line| games.push(line)).unwrap();
        assert_eq!((&journal.event, journal.event.base_seed(), journal.cut_off), (&event(), u64::MAX, 0));
        assert_eq!(journal.entrants.iter().map(|e| e.name.as_str()).collect::<Vec<_>>(), NAMES);
        assert_eq!(games[1..], [entrant(NAMES[0]), entrant(NAMES[1]), game(0), game(1), game(2)]);
    }

    #[test]
    fn a_journal_that_was_cut_off_anywhere_is_repaired_and_goes_on() {
        let (_folder, path) = written(3);
        let text = fs::read(&path).unwrap();
        for cut in 0..text.len() {
            fs::write(&path, &text[..cut]).unwrap();
            let (mut writer, table) = JournalWriter::open(&path, &event()).unwrap();
            let left = table.results().games() as u32;
            for name in NAMES.iter().skip(table.entrants().len()) {
                writer.write(&entrant(name)).unwrap();
            }
            (left..3).for_each(|number| writer.write(&game(number)).unwrap());
            drop(writer);
            assert_eq!(fs::read(&path).unwrap(), text, "cut at {cut}");
        }
    }

    #[test]
    fn two_do_not_write_to_one_journal() {
        let (_folder, path) = written(1);
        let (writer, _) = JournalWriter::open(&path, &event()).unwrap();
        let error = JournalWriter::open(&path, &event()).unwrap_err();
        assert!(matches!(error, TournamentError::Journal { source: JournalError::Locked, .. }), "{error}");
        drop(writer);
        JournalWriter::open(&path, &event()).unwrap();
    }

    #[test]
    fn what_is_no_journal_is_told_and_not_touched() {
        let (_folder, path) = written(2);
        let good = fs::read_to_string(&path).unwrap();
        let wrong = |text: String| {
            fs::write(&path, &text).unwrap();
            let told = numbers(&path).unwrap_err();
            assert!(JournalWriter::open(&path, &event()).is_err());
            assert_eq!(fs::read_to_string(&path).unwrap(), text, "{told}");
            told
        };
        assert!(wrong("hello\n".to_owned()).contains("its first line is not that of a journal"));
        assert!(wrong("a file of somebody's without a line".to_owned()).contains("this is no journal"));
        let long = format!("{good}{}", " ".repeat(MOST_OF_LINE as usize));
        assert!(wrong(long).starts_with("line 6: EOF"));
        assert!(wrong(good.replacen("\"version\":1", "\"version\":2", 1)).contains("its format is version 2"));
        assert!(wrong(good.replacen("\"second\":1", "\"second\":2", 1)).starts_with("line 4: it is a game of 0 and 2"));
        assert!(wrong(good.replacen("\"ranking\"", "\"order\"", 1)).starts_with("line 4: missing field `ranking`"));
        assert!(wrong(format!("{good}{good}")).contains("a second tournament begins"));
    }
}
