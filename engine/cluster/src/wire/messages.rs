//! Messages between head and workers: JSON, compressed with zstd where they may be long.

use crate::error::ClusterError;
use crate::wire::signing::{PublicKey, SecretKey, opened};
use arena::NotesLevel;
use runner::{CpuLimit, KeptGames, TimeLimit};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::time::Duration;
use tournament::{Entrant, Fixture, GameLine, TournamentHeader};

/// The most bytes of a description or an answer before it is compressed. What is longer is refused by whoever reads it.
const MOST_BYTES: u64 = 32 << 20;
/// The longest limit of a bot, in milliseconds: a day.
pub(crate) const LONGEST_MS: u64 = 24 * 3600 * 1000;
/// The longest name of a worker, a label or a version.
const LONGEST_NAME: usize = 200;
/// The most games that a worker plays at the same time, as on its command line.
const MOST_SLOTS: usize = 1000;
/// The longest last fault of a worker.
const LONGEST_FAULT: usize = 4000;
/// The most labels of a worker, and the most jobs that it tells of.
const MOST_OF_WORKER: usize = 1000;
/// The most bytes of a state before it is compressed.
const MOST_OF_STATE: u64 = 512 << 10;
/// The most memory of a bot, in MiB.
const MOST_MEMORY: u64 = 1 << 20;
/// The level of compression: lines of games are alike.
const LEVEL: i32 = 1;

/// The description of a tournament, for all its jobs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct TournamentMessage {
    /// The tournament's name: no two tournaments share a description.
    pub(crate) name: String,
    /// Different in every run of the head: a message that stops the games of one run stops none of the next.
    pub(crate) run: String,
    /// The version of the program and its rules, which the worker must have, too.
    pub(crate) engine: String,
    pub(crate) header: TournamentHeader,
    pub(crate) entrants: Vec<Entrant>,
    /// The hash of the archive of each entrant's folder; `None` for a built-in player.
    pub(crate) archives: Vec<Option<String>>,
    /// The language that a worker must have for each entrant, as a token of [`names`](crate::wire::names), if it needs one.
    pub(crate) needs: Vec<Option<String>>,
    /// True for each entrant whose program runs by itself, and can be started on the head.
    pub(crate) are_native: Vec<bool>,
    /// The kind of the head's machine, for which these programs were built.
    pub(crate) machine: String,
    pub(crate) is_together: bool,
    pub(crate) keep: KeptGames,
    pub(crate) limits: BotLimits,
    /// The time for an answer in a game over HTTP, in milliseconds; `None` without limit.
    pub(crate) answer_ms: Option<u64>,
}

/// The limits of all bots of a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BotLimits {
    /// The time beyond that of the rules, in milliseconds; `None` to measure each language on the worker.
    pub(crate) extra_ms: Option<u64>,
    /// True without any limit of time.
    pub(crate) is_unlimited: bool,
    /// The processor time of an answer in milliseconds; `None` for as much as the time limit.
    pub(crate) cpu_ms: Option<u64>,
    pub(crate) has_cpu_limit: bool,
    /// In MiB.
    pub(crate) memory: u64,
    pub(crate) is_warm: bool,
    /// Heads of earlier versions do not tell.
    #[serde(default)]
    pub(crate) notes: NotesLevel,
}

impl BotLimits {
    pub(crate) fn of(bots: &runner::BotOptions) -> BotLimits {
        let ms = |time: Duration| time.as_millis() as u64;
        let extra_ms = if let TimeLimit::Extra(extra) = bots.time { Some(ms(extra)) } else { None };
        let cpu_ms = if let CpuLimit::Exactly(time) = bots.cpu { Some(ms(time)) } else { None };
        BotLimits {
            extra_ms,
            is_unlimited: bots.time == TimeLimit::Unlimited,
            cpu_ms,
            has_cpu_limit: bots.cpu != CpuLimit::Unlimited,
            memory: bots.memory,
            is_warm: bots.warm,
            notes: bots.notes,
        }
    }

    pub(crate) fn time(self) -> TimeLimit {
        match self.extra_ms {
            _ if self.is_unlimited => TimeLimit::Unlimited,
            Some(extra) => TimeLimit::Extra(Duration::from_millis(extra.min(LONGEST_MS))),
            None => TimeLimit::Measured,
        }
    }

    pub(crate) fn cpu(self) -> CpuLimit {
        match self.cpu_ms {
            _ if !self.has_cpu_limit => CpuLimit::Unlimited,
            Some(time) => CpuLimit::Exactly(Duration::from_millis(time.min(LONGEST_MS))),
            None => CpuLimit::AsTime,
        }
    }
}

/// Games that one worker plays one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Job {
    /// Its name, which no other job has.
    pub(crate) id: String,
    /// The tournament's name.
    pub(crate) tournament: String,
    /// The name of the object with its [`TournamentMessage`].
    pub(crate) description: String,
    pub(crate) games: Vec<Fixture>,
    /// True if no other game may be played on the machine meanwhile.
    pub(crate) is_alone: bool,
    /// The keys of workers that have played these games: they leave them to others.
    pub(crate) not_for: Vec<String>,
}

/// The result of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct JobResult {
    pub(crate) job: String,
    pub(crate) worker: String,
    pub(crate) games: Vec<JobGameResult>,
    /// The name of an object with an archive of records and fault bundles, if any were kept.
    pub(crate) files: Option<String>,
    /// The reason why games were given back, if it is a failure of the worker.
    pub(crate) why: Option<String>,
}

/// The end of a game of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum JobGameResult {
    Played(Box<GameLine>),
    Failed {
        fixture: Fixture,
        error: String,
    },
    /// The worker has not played it: another shall.
    GivenBack {
        fixture: Fixture,
    },
    /// The job was delivered too often: whoever played it died or fell silent.
    SetAside {
        fixture: Fixture,
        deliveries: u32,
    },
}

impl JobGameResult {
    pub(crate) fn fixture(&self) -> Fixture {
        match self {
            JobGameResult::Played(line) => line.fixture,
            JobGameResult::Failed { fixture, .. }
            | JobGameResult::GivenBack { fixture }
            | JobGameResult::SetAside { fixture, .. } => *fixture,
        }
    }
}

/// The state of a worker, which it sends again and again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkerState {
    /// The identity: no other worker has it, also if it has the same name.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The key with which it signs its results, as [`PublicKey`] writes it.
    pub key: String,
    /// The version of the program and its rules.
    pub engine: String,
    /// The number of games at the same time.
    pub slots: usize,
    /// Labels: languages whose bots it can run, and those that were given.
    pub labels: Vec<String>,
    /// Its machine.
    pub machine: MachineState,
    /// The jobs that it plays.
    pub running: Vec<RunningJob>,
    /// The number of games that it has finished.
    pub games: u64,
    /// Games a second, over the last half minute.
    pub games_per_second: f64,
    /// The last failure.
    pub last_fault: Option<String>,
    /// True if it takes no more jobs.
    pub is_draining: bool,
}

/// The machine of a worker, as it was measured there.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MachineState {
    /// The number of processors.
    pub processors: usize,
    /// Whole games between built-in players a second, on one processor: a measure of speed.
    pub speed: f64,
    /// How late a thread woke up at worst of late, in milliseconds.
    pub lag_ms: f64,
}

/// A job that a worker plays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunningJob {
    /// The tournament's name.
    pub tournament: String,
    /// The number of its games.
    pub games: usize,
    /// The number of games that are finished.
    pub done: usize,
}

/// The kinds of messages that are signed.
const JOB: &str = "a job";
const RESULT: &str = "an answer";
const STOP: &str = "a stop";
const DRAIN: &str = "a request to end";
const STATE: &str = "a state";

/// The bytes of a message.
pub(crate) fn write<T: Serialize>(message: &T) -> Vec<u8> {
    let text = serde_json::to_vec(message).expect("messages have keys that are text");
    zstd::encode_all(&text[..], LEVEL).expect("nothing fails in memory")
}

/// The description of a tournament in these bytes.
///
/// # Errors
/// [`ClusterError::Message`]: it is something else, or too long. So for the other messages.
pub(crate) fn read_description(bytes: &[u8]) -> Result<TournamentMessage, ClusterError> {
    let mut message: TournamentMessage = read("a description", bytes, MOST_BYTES)?;
    message.limits.memory = message.limits.memory.min(MOST_MEMORY);
    Ok(message)
}

/// The bytes of a job that a head with this key sends.
pub(crate) fn write_job(job: &Job, key: &SecretKey) -> Vec<u8> {
    key.signed(JOB, &write(job))
}

/// The bytes of a result that a worker with this key sends.
pub(crate) fn write_result(result: &JobResult, key: &SecretKey) -> Vec<u8> {
    key.signed(RESULT, &write(result))
}

/// The job in these bytes, and the key with which it was signed.
pub(crate) fn read_job(bytes: &[u8]) -> Result<(PublicKey, Job), ClusterError> {
    let (signer, message) = opened(JOB, bytes)?;
    let job: Job = read(JOB, message, 1 << 20)?;
    // They become parts of subjects and headers.
    let is_name = |name: &String| {
        !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    if ![&job.id, &job.tournament, &job.description].into_iter().all(is_name) {
        return Err(ClusterError::Message(JOB, "a name in it has characters that names do not have".to_owned()));
    }
    Ok((signer, job))
}

/// The answer in these bytes, and the key with which it was signed.
pub(crate) fn read_result(bytes: &[u8]) -> Result<(PublicKey, JobResult), ClusterError> {
    let (signer, message) = opened(RESULT, bytes)?;
    Ok((signer, read(RESULT, message, MOST_BYTES)?))
}

/// The bytes by which a head with this key stops the games of the tournament with this description.
pub(crate) fn write_stop(description: &str, key: &SecretKey) -> Vec<u8> {
    key.signed(STOP, description.as_bytes())
}

/// The description in a message that stops games, if one of these heads has signed it.
pub(crate) fn read_stop<'a>(bytes: &'a [u8], heads: &[PublicKey]) -> Option<&'a [u8]> {
    of_head(STOP, bytes, heads)
}

/// The bytes by which a head with this key asks the worker of this id to end.
pub(crate) fn write_drain(id: &str, key: &SecretKey) -> Vec<u8> {
    key.signed(DRAIN, id.as_bytes())
}

/// The id of the worker that is asked to end, if one of these heads has signed the message.
pub(crate) fn read_drain<'a>(bytes: &'a [u8], heads: &[PublicKey]) -> Option<&'a [u8]> {
    of_head(DRAIN, bytes, heads)
}

fn of_head<'a>(kind: &'static str, bytes: &'a [u8], heads: &[PublicKey]) -> Option<&'a [u8]> {
    opened(kind, bytes).ok().filter(|(signer, _)| heads.contains(signer)).map(|(_, message)| message)
}

/// The bytes of a state that a worker with this key sends.
pub(crate) fn write_state(state: &WorkerState, key: &SecretKey) -> Vec<u8> {
    key.signed(STATE, &write(state))
}

/// The state of a worker in these bytes, and the key with which it was signed, which the state names.
pub(crate) fn read_state(bytes: &[u8]) -> Result<(PublicKey, WorkerState), ClusterError> {
    let (signer, message) = opened(STATE, bytes)?;
    let mut state: WorkerState = read(STATE, message, MOST_OF_STATE)?;
    if state.key != signer.to_string() {
        return Err(ClusterError::Message(STATE, "another worker has signed it".to_owned()));
    }
    let names = [&state.id, &state.name, &state.engine];
    let names = names.into_iter().chain(&state.labels).chain(state.running.iter().map(|job| &job.tournament));
    let has_long = names.into_iter().any(|name| name.len() > LONGEST_NAME);
    let fault = state.last_fault.as_ref().map_or(0, String::len);
    if has_long || fault > LONGEST_FAULT || state.labels.len().max(state.running.len()) > MOST_OF_WORKER {
        return Err(ClusterError::Message(STATE, "a text or a list in it is too long".to_owned()));
    }
    state.slots = state.slots.min(MOST_SLOTS);
    Ok((signer, state))
}

fn read<T: DeserializeOwned>(kind: &'static str, bytes: &[u8], most: u64) -> Result<T, ClusterError> {
    let wrong = |why: String| ClusterError::Message(kind, why);
    let mut text = Vec::new();
    let decoder = zstd::stream::read::Decoder::new(bytes).map_err(|e| wrong(e.to_string()))?;
    decoder.take(most + 1).read_to_end(&mut text).map_err(|e| wrong(e.to_string()))?;
    if text.len() as u64 > most {
        return Err(wrong(format!("it is longer than {most} bytes")));
    }
    serde_json::from_slice(&text).map_err(|e| wrong(e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_as_it_was_written_and_others_are_refused() {
        let games = vec![Fixture { first: 0, second: 1, number: 6 }];
        let [id, tournament, description] = ["a-1", "a", "d"].map(str::to_owned);
        let job = Job { id, tournament, description, games, is_alone: true, not_for: Vec::new() };
        let key = SecretKey::drawn();
        let named = |id: &str| read_job(&write_job(&Job { id: id.to_owned(), ..job.clone() }, &key));
        for id in ["a\nb: c", "a b", "", &"a".repeat(1000)] {
            assert!(named(id).is_err(), "{id:?}");
        }
        assert_eq!(read_job(&write_job(&job, &key)).unwrap(), (key.public(), job.clone()));
        assert!(read_job(&write(&job)).is_err() && read_result(&write_job(&job, &key)).is_err());
        assert!(read_job(b"{}").is_err());
        // As long as those of workers can be.
        let running = RunningJob { tournament: "f".repeat(16), games: 1000, done: 1000 };
        let state = WorkerState {
            id: "id".to_owned(),
            name: "name".to_owned(),
            key: key.public().to_string(),
            engine: "engine".to_owned(),
            slots: usize::MAX,
            labels: vec!["label".repeat(20); 100],
            machine: MachineState { processors: 1, speed: 1.0, lag_ms: 0.0 },
            running: vec![running; 1000],
            games: 0,
            games_per_second: 0.0,
            last_fault: Some("\u{1f6a2}".repeat(500)),
            is_draining: false,
        };
        let read = |state: &WorkerState| read_state(&write_state(state, &key));
        assert_eq!(read(&state).unwrap(), (key.public(), WorkerState { slots: MOST_SLOTS, ..state.clone() }));
        assert!(read(&WorkerState { last_fault: Some("x".repeat(5000)), ..state.clone() }).is_err());
        assert!(read(&WorkerState { labels: vec![String::new(); 1001], ..state.clone() }).is_err());
        assert!(read_state(&write(&state)).is_err() && read_state(&write_state(&state, &SecretKey::drawn())).is_err());
        // 80 MB of zeros in some kilobytes.
        let bomb = zstd::encode_all(std::io::repeat(b' ').take(80_000_000), 1).unwrap();
        let refused = read_state(&key.signed(STATE, &bomb)).unwrap_err();
        assert!(refused.to_string().contains("longer than"), "{refused}");
    }
}
