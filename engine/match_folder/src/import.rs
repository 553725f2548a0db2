//! Makes a record of a folder of 2017, ours or one that the original engine left.

use arena::folder::MOST_OF_ANSWER;
use arena::record::{Clock, Header, ImportNote, RecordBuffer, RecordError, RecordedSeat};
use arena::{
    ArenaError, Ask, Limits, MatchEvent, Observer, Observers, Player, Players, Reply, Sequence, TimeUsed, play,
};
use platform::files::Folder;
use rules::entelect_2017::files::{ENGINE_LOG, Files, LOG_TXT, read_round_info};
use rules::entelect_2017::{Entelect2017, Order, Phase, Settings};
use rules::{BySeat, Fault, Game, GameKind, Listed, Part, PlayerInfo, Seat};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The lines of a record of the match in `folder`, made of its players' answers.
///
/// Times are those of the logs, where they have them. A turn with an order in the files, but none in the log, is
/// recorded as timed out: that is the one fault which leaves a readable answer.
///
/// # Errors
/// The folder has no rounds, or its files are not those of a match. The disk fails.
pub fn import(folder: &Path) -> Result<Vec<u8>, ArenaError> {
    import_noting(folder, ImportNote::default())
}

/// The same record for a folder that differs in this way from what the rules make of its answers: the record keeps the
/// difference, and does not verify.
///
/// # Errors
/// As for [`import`].
pub fn import_different(folder: &Path, difference: String) -> Result<Vec<u8>, ArenaError> {
    import_noting(folder, ImportNote { difference: Some(difference) })
}

fn import_noting(folder: &Path, note: ImportNote) -> Result<Vec<u8>, ArenaError> {
    let rounds = Arc::new(RoundFolders::of(folder)?);
    if !rounds.names.contains_key(&0) {
        let what = "the folder has neither match.jsonl nor the folder 'Phase 1 - Round 0'".to_owned();
        return Err(RecordError::NoRecord(what).of(folder));
    }
    let (settings, details) = rounds.info()?;
    let seats = details.map(|details: &PlayerInfo| RecordedSeat::new(details.clone()));
    let header = Header::new::<Entelect2017>(&settings, 0, seats, Sequence::InTurn);
    let engine = format!("{}, from a folder of 2017", header.engine);
    let header = Header { sequence: None, engine, started: None, imported: Some(note), ..header };
    let mut writing = RecordBuffer::begin(&header, Clock::Stopped(None))?;
    let mut end = EndOfFolder(Arc::clone(&rounds));
    let player = |seat| -> Box<dyn Player<Entelect2017>> { Box::new(FromFolder { rounds: Arc::clone(&rounds), seat }) };
    let mut players: Players<Entelect2017> = header.seats.seats().map(player).collect();
    let game = Entelect2017::start(&settings, header.seats.len() as u8, 0)
        .map_err(|e| RecordError::NoRecord(e.to_string()).of(folder))?;
    let mut observers = Observers::new();
    observers.add(&mut end);
    observers.add(&mut writing);
    match play(game, &mut players, Sequence::InTurn, &mut observers) {
        Ok(_) | Err(ArenaError::Record { source: RecordError::Unfinished { .. }, .. }) => {}
        Err(error) => return Err(error),
    }
    Ok(writing.lines())
}

/// The folder of the round that was not played to its end, if there is one in the match in `folder`. The original
/// engine leaves one whenever it removes a player, because it crashes then.
pub(crate) fn unplayed(folder: &Path) -> Result<Option<String>, ArenaError> {
    let rounds = RoundFolders::of(folder)?;
    let Some((number, name)) = rounds.names.last_key_value() else { return Ok(None) };
    // Its players were asked, but it has no log of the engine.
    let asked = folder.join(name).join(Seat::A.to_string()).is_dir();
    Ok((asked && rounds.played(*number).is_none()).then(|| name.clone()))
}

/// Tells whether there are rounds in a folder.
pub(crate) fn has_rounds(folder: &Path) -> bool {
    RoundFolders::of(folder).map_or(true, |rounds| !rounds.names.is_empty())
}

/// The rounds in a folder.
#[derive(Debug)]
struct RoundFolders {
    folder: PathBuf,
    root: Folder,
    /// The names of their folders by their numbers.
    names: BTreeMap<u32, String>,
}

impl RoundFolders {
    fn of(folder: &Path) -> Result<RoundFolders, ArenaError> {
        let failed = |e: io::Error| ArenaError::disk("look through", folder, e);
        let mut names = BTreeMap::new();
        for entry in fs::read_dir(folder).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
            let number = name.rsplit(' ').next().and_then(|number| number.parse::<u32>().ok());
            // Bots may have left others, such as 'Phase 2 - Round 007'.
            let Some(number) = number.filter(|number| is_round(&name, *number)) else { continue };
            if let Some(other) = names.insert(number, name.clone()) {
                let what = format!("there is '{other}' as well");
                return Err(RecordError::File(name, what).of(folder));
            }
        }
        let root = Folder::open_linked(folder).map_err(|e| ArenaError::disk("open the folder", folder, e))?;
        Ok(RoundFolders { folder: folder.to_owned(), root, names })
    }

    /// The folder of a round that was played to its end: it has a log of the engine.
    fn played(&self, round: u32) -> Option<&str> {
        let name = self.names.get(&round)?;
        self.folder.join(name).join(ENGINE_LOG).is_file().then_some(name)
    }

    /// A log, as far as it can be read; `None` if it cannot: no answer depends on it.
    fn log(&self, file: &str) -> Option<String> {
        let bytes = self.root.read_regular(file, MOST_OF_LOG).ok().flatten()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The settings and the players.
    fn info(&self) -> Result<(Settings, BySeat<PlayerInfo>), ArenaError> {
        let file = format!("{}/roundInfo.json", self.names[&0]);
        let wrong = |what: String| RecordError::File(file.clone(), what).of(&self.folder);
        let bytes = self.root.read_regular(&file, MOST_OF_LOG).map_err(|what| wrong(format!("it {what}")))?;
        read_round_info(&bytes.ok_or_else(|| wrong("it is missing".to_owned()))?).map_err(wrong)
    }
}

/// Ends the match where the folder ends.
struct EndOfFolder(Arc<RoundFolders>);

impl Observer<Entelect2017> for EndOfFolder {
    fn on(&mut self, event: &MatchEvent<'_, Entelect2017>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Opened { turn, .. } if self.0.played(*turn).is_none() => {
                Err(RecordError::Unfinished { game: GameKind::Entelect2017, turns: *turn }.of(&self.0.folder))
            }
            _ => Ok(()),
        }
    }
}

/// Gives the answers that lie in the folder.
struct FromFolder {
    rounds: Arc<RoundFolders>,
    seat: Seat,
}

impl Player<Entelect2017> for FromFolder {
    fn decide(&mut self, ask: &Ask<'_, Entelect2017>) -> Result<Reply<Order>, ArenaError> {
        let rounds = &self.rounds;
        let round = rounds.played(ask.turn).unwrap_or_default();
        let folder = format!("{round}/{}", self.seat);
        let mut given = Vec::new();
        let mut strange = None;
        for name in Entelect2017::ANSWER_PARTS {
            match rounds.root.read_regular(format!("{folder}/{name}"), MOST_OF_ANSWER) {
                Ok(bytes) => given.extend(bytes.map(|bytes| Part { name, bytes: as_given(bytes) })),
                Err(what) => strange = Some(Fault::unreadable(&format!("{name} {what}"))),
            }
        }
        let time = rounds.log(&format!("{folder}/{LOG_TXT}")).and_then(|log| time_in(&log));
        if let Some(fault) = strange {
            return Ok(Reply { answer: Err(fault), given: Vec::new(), time, run: None, notes: None });
        }
        let did_nothing = rounds.log(&format!("{round}/{ENGINE_LOG}")).is_some_and(|log| did_nothing(&log, self.seat));
        let answer = match ask.read(&given) {
            Ok(order) if order != Order::DoNothing && did_nothing => {
                let used = time.map(|time| time.wall).unwrap_or_default();
                Err(Fault::timed_out(used, Limits::ANSWER))
            }
            answer => answer,
        };
        Ok(Reply { answer, given, time, run: None, notes: None })
    }
}

/// Tells whether this is the name of the folder of a round.
fn is_round(name: &str, round: u32) -> bool {
    [Phase::One, Phase::Two].iter().any(|phase| name == Files::round_folder(*phase, round))
}

/// The largest log or roundInfo.json that is read, in bytes.
const MOST_OF_LOG: u64 = 4 << 20;

/// An answer that would be written as this text: the engine writes files without their byte order mark, so a mark
/// that is still there is part of the text.
fn as_given(text: Vec<u8>) -> Vec<u8> {
    const MARK: &[u8] = "\u{FEFF}".as_bytes();
    if text.starts_with(MARK) { [MARK, &text].concat() } else { text }
}

/// Tells whether the player in `seat` did nothing by the log, which has one line for each player, in their order.
fn did_nothing(log: &str, seat: Seat) -> bool {
    let command = log.lines().filter_map(|line| line.split_once("Added Command ")).nth(seat.index());
    command.is_some_and(|(_, command)| command.contains("DoNothing"))
}

/// The time that the bot took, as its log tells it: `hh:mm:ss.fffffff`.
fn time_in(log: &str) -> Option<TimeUsed> {
    let of = |label: &str| {
        let (_, span) = log.split_once(label)?;
        let (hours, rest) = span.split_once(':')?;
        let (minutes, rest) = rest.split_once(':')?;
        let seconds: f64 = rest.lines().next()?.trim().parse().ok()?;
        let minutes = hours.trim().parse::<f64>().ok()? * 60.0 + minutes.parse::<f64>().ok()?;
        Duration::try_from_secs_f64(minutes * 60.0 + seconds).ok()
    };
    Some(TimeUsed { wall: of("total execution time was ")?, cpu: of("processor time was ") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_that_is_text_stays_text() {
        let text = "\u{FEFF}1,2,3".as_bytes().to_vec();
        assert_eq!(rules::entelect_2017::files::decode(&as_given(text.clone())).into_bytes(), text);
        assert_eq!(as_given(b"1,2,3".to_vec()), b"1,2,3");
    }

    #[test]
    fn times_are_read_from_logs() {
        let log = "\nx - I: \tYour bots total execution time was 00:01:02.0018926\nx - I: \tmore";
        assert_eq!(time_in(log), Some(TimeUsed { wall: Duration::new(62, 1_892_600), cpu: None }));
        assert_eq!(time_in("total execution time was {SPAN}"), None);
    }
}
