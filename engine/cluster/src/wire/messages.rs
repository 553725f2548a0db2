//! Messages between head and workers: JSON, compressed with zstd where they may be long.

use crate::error::ClusterError;
use crate::wire::signing::{PublicKey, SecretKey, claimed_parts, opened};
use arena::NotesLevel;
use runner::{CpuLimit, KeptGames, TimeLimit};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Read;
use std::time::Duration;
use tournament::{Entrant, Fixture, GameLine, TournamentHeader};

/// The most bytes of a description before it is compressed. What is longer is refused by whoever reads it.
const MOST_BYTES: u64 = 32 << 20;
/// The longest limit of a bot, in milliseconds: a day.
pub(crate) const LONGEST_MS: u64 = 24 * 3600 * 1000;
/// The longest name of a worker, a label or a version.
const LONGEST_NAME: usize = 200;
/// The most games that a worker plays at the same time, as on its command line.
const MOST_SLOTS: usize = 1000;
/// The longest last fault of a worker.
const LONGEST_FAULT: usize = 4000;
/// The most labels of a worker.
const MOST_LABELS: usize = 200;
/// The most jobs that a worker tells of.
const MOST_JOBS: usize = 1000;
/// The most bytes of a state before it is compressed.
const MOST_OF_STATE: u64 = 512 << 10;
/// The most bytes of a request for a job before it is compressed.
const MOST_OF_REQUEST: u64 = 32 << 10;
/// The most bytes of a job before it is compressed.
const MOST_OF_JOB: u64 = 1 << 20;
/// The most bytes of the result of a game before it is compressed: its line and a fault.
const MOST_OF_GAME: u64 = 128 << 10;
/// The largest window of compression that is read, as a power of two: a message of some bytes can ask for much memory.
const WINDOW: u32 = 21;
/// The most memory of a bot, in MiB.
const MOST_MEMORY: u64 = 1 << 20;
/// The level of compression: lines of games are alike.
const LEVEL: i32 = 1;

/// The description of a tournament, for all its jobs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct TournamentMessage {
    /// The name of this run of the head, which no other has: no two tournaments share a description.
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
    /// The key of the worker that asked for it. No other plays it.
    pub(crate) to: String,
    /// The tournament's name, to be shown.
    pub(crate) tournament: String,
    /// The hash of the object with its [`TournamentMessage`].
    pub(crate) description: String,
    pub(crate) games: Vec<Fixture>,
    /// True if no other game may be played on the machine meanwhile.
    pub(crate) is_alone: bool,
    /// The time in milliseconds after which the head gives the games to others, unless the worker tells that it plays them.
    pub(crate) lost_after_ms: u64,
}

/// The request of a worker for a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JobRequest {
    pub(crate) labels: Vec<String>,
    /// The time in milliseconds for which the head may wait until it has one.
    pub(crate) wait_ms: u64,
}

/// The result of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct JobResult {
    pub(crate) worker: String,
    pub(crate) games: Vec<JobGameResult>,
    /// The hash of the archive with records and fault bundles that was sent, if any were kept.
    pub(crate) files: Option<String>,
    /// The reason why games were given back, if it is a failure of the worker.
    pub(crate) why: Option<String>,
}

/// The state of a head, which it sends again and again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HeadState {
    /// The name of this run.
    pub(crate) run: String,
    /// The tournament's name, to be shown.
    pub(crate) tournament: String,
    /// The version of the program and its rules, which a worker must have, too.
    pub(crate) engine: String,
    /// True if it gives no more jobs, and wants no more results.
    pub(crate) is_over: bool,
    /// The numbers of games by what a worker must have for them.
    pub(crate) queues: BTreeMap<String, QueueCounts>,
}

/// The numbers of games that need the same of a worker.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct QueueCounts {
    /// Those that nobody has taken.
    pub(crate) waiting: u64,
    /// Those that workers play.
    pub(crate) running: u64,
    /// Those that were given to another worker because the one before had failed.
    pub(crate) again: u64,
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
}

impl JobGameResult {
    pub(crate) fn fixture(&self) -> Fixture {
        match self {
            JobGameResult::Played(line) => line.fixture,
            JobGameResult::Failed { fixture, .. } | JobGameResult::GivenBack { fixture } => *fixture,
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
    /// The name of the job, which the head knows.
    pub id: String,
    /// The tournament's name.
    pub tournament: String,
    /// The number of its games.
    pub games: usize,
    /// The number of games that are finished.
    pub done: usize,
}

/// The answer of a head to a worker whose results it does not take.
pub(crate) const REFUSED: &str = "refused";
/// The kinds of messages, in words.
const JOB: &str = "a job";
const REQUEST: &str = "a request for a job";
const RESULT: &str = "an answer";
const DRAIN: &str = "a request to end";
const STATE: &str = "a state";
const HEAD: &str = "a state of a head";

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

/// The job in these bytes, if the head with this key has sent it.
///
/// # Errors
/// As for [`read_description`].
pub(crate) fn read_job(bytes: &[u8], head: PublicKey) -> Result<Job, ClusterError> {
    let (signer, message) = opened(JOB, bytes)?;
    if signer != head {
        return Err(ClusterError::Stranger(signer));
    }
    read(JOB, message, MOST_OF_JOB)
}

/// The bytes of a message for a head: a line of words, which the head needs before it reads the rest, and the rest. `kind` is that
/// of the subject, such as [`names::ANSWER`](crate::wire::names::ANSWER).
pub(crate) fn write_to_head(kind: &str, line: &str, rest: &[u8], key: &SecretKey) -> Vec<u8> {
    key.signed(kind, &[line.as_bytes(), b"\n", rest].concat())
}

/// The signer, the line and the rest of a message for a head.
///
/// # Errors
/// As for [`read_description`].
pub(crate) fn read_to_head<'a>(
    kind: &'static str,
    bytes: &'a [u8],
) -> Result<(PublicKey, &'a str, &'a [u8]), ClusterError> {
    let (signer, _) = opened(kind, bytes)?;
    let wrong = || ClusterError::Message(kind, "it has no first line".to_owned());
    let (_, line, rest) = claimed(bytes).ok_or_else(wrong)?;
    Ok((signer, line, rest))
}

/// The same, as the message claims: nobody has checked its signature.
pub(crate) fn claimed(bytes: &[u8]) -> Option<(PublicKey, &str, &[u8])> {
    let (signer, message) = claimed_parts(bytes)?;
    let at = message.iter().take(LONGEST_NAME).position(|byte| *byte == b'\n')?;
    Some((signer, str::from_utf8(&message[..at]).ok()?, &message[at + 1..]))
}

/// The request of a worker for a job.
///
/// # Errors
/// As for [`read_description`].
pub(crate) fn read_request(bytes: &[u8]) -> Result<JobRequest, ClusterError> {
    let request: JobRequest = read(REQUEST, bytes, MOST_OF_REQUEST)?;
    if request.labels.len() > MOST_LABELS {
        return Err(ClusterError::Message(REQUEST, "it has too many labels".to_owned()));
    }
    Ok(request)
}

/// The result of a job of so many games.
///
/// # Errors
/// As for [`read_description`].
pub(crate) fn read_result(bytes: &[u8], games: usize) -> Result<JobResult, ClusterError> {
    read(RESULT, bytes, MOST_OF_GAME.saturating_mul(games as u64 + 1))
}

/// The bytes of the state of a head with this key.
pub(crate) fn write_head(state: &HeadState, key: &SecretKey) -> Vec<u8> {
    key.signed(HEAD, &write(state))
}

/// The state of a head in these bytes, and the key with which it was signed.
///
/// # Errors
/// As for [`read_description`].
pub(crate) fn read_head(bytes: &[u8]) -> Result<(PublicKey, HeadState), ClusterError> {
    let (signer, message) = opened(HEAD, bytes)?;
    let state: HeadState = read(HEAD, message, MOST_OF_STATE)?;
    // It becomes part of subjects.
    let is_name =
        !state.run.is_empty() && state.run.len() <= LONGEST_NAME && state.run.chars().all(|c| c.is_ascii_hexdigit());
    if !is_name || state.engine.len().max(state.tournament.len()) > LONGEST_NAME {
        return Err(ClusterError::Message(HEAD, "a name in it is not one".to_owned()));
    }
    Ok((signer, state))
}

/// The bytes by which a head with this key asks the worker of this id to end.
pub(crate) fn write_drain(id: &str, key: &SecretKey) -> Vec<u8> {
    key.signed(DRAIN, id.as_bytes())
}

/// The id of the worker that is asked to end, if one of these heads has signed the message.
pub(crate) fn read_drain<'a>(bytes: &'a [u8], heads: &[PublicKey]) -> Option<&'a [u8]> {
    opened(DRAIN, bytes).ok().filter(|(signer, _)| heads.contains(signer)).map(|(_, message)| message)
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
    let names =
        names.into_iter().chain(&state.labels).chain(state.running.iter().flat_map(|job| [&job.id, &job.tournament]));
    let has_long = names.into_iter().any(|name| name.len() > LONGEST_NAME);
    let fault = state.last_fault.as_ref().map_or(0, String::len);
    if has_long || fault > LONGEST_FAULT || state.labels.len() > MOST_LABELS || state.running.len() > MOST_JOBS {
        return Err(ClusterError::Message(STATE, "a text or a list in it is too long".to_owned()));
    }
    state.slots = state.slots.min(MOST_SLOTS);
    Ok((signer, state))
}

fn read<T: DeserializeOwned>(kind: &'static str, bytes: &[u8], most: u64) -> Result<T, ClusterError> {
    let wrong = |why: String| ClusterError::Message(kind, why);
    let mut text = Vec::new();
    let mut decoder = zstd::stream::read::Decoder::new(bytes).map_err(|e| wrong(e.to_string()))?;
    decoder.window_log_max(WINDOW).map_err(|e| wrong(e.to_string()))?;
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
        let [id, to, tournament, description] = ["a-1", "k", "a", "d"].map(str::to_owned);
        let job = Job { id, to, tournament, description, games, is_alone: true, lost_after_ms: 1 };
        let key = SecretKey::drawn();
        let read_job = |bytes: &[u8]| read_job(bytes, key.public());
        assert_eq!(read_job(&write_job(&job, &key)).unwrap(), job);
        assert!(read_job(&write(&job)).is_err() && read_job(&write_job(&job, &SecretKey::drawn())).is_err());
        assert!(read_job(b"{}").is_err() && read_job(&key.signed(HEAD, &write(&job))).is_err());
        let state = HeadState {
            run: "0f".to_owned(),
            tournament: "night".to_owned(),
            engine: "engine".to_owned(),
            is_over: false,
            queues: BTreeMap::new(),
        };
        assert_eq!(read_head(&write_head(&state, &key)).unwrap(), (key.public(), state.clone()));
        for run in ["a.b", "a b", "", ">", &"a".repeat(1000)] {
            assert!(
                read_head(&write_head(&HeadState { run: run.to_owned(), ..state.clone() }, &key)).is_err(),
                "{run:?}"
            );
        }
        let sent = write_to_head("answer", "a-1", b"x\ny", &key);
        assert_eq!(read_to_head("answer", &sent).unwrap(), (key.public(), "a-1", &b"x\ny"[..]));
        assert!(read_to_head("job", &sent).is_err() && read_to_head("answer", &key.signed("answer", b"a-1")).is_err());
        // As long as those of workers can be.
        let running = RunningJob { id: "f".repeat(49), tournament: "f".repeat(16), games: 1000, done: 1000 };
        let state = WorkerState {
            id: "id".to_owned(),
            name: "name".to_owned(),
            key: key.public().to_string(),
            engine: "engine".to_owned(),
            slots: usize::MAX,
            labels: vec!["label".repeat(20); 200],
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
        assert!(read(&WorkerState { labels: vec![String::new(); 201], ..state.clone() }).is_err());
        assert!(read_state(&write(&state)).is_err() && read_state(&write_state(&state, &SecretKey::drawn())).is_err());
        // 80 MB of zeros in some kilobytes.
        let bomb = zstd::encode_all(std::io::repeat(b' ').take(80_000_000), 1).unwrap();
        let refused = read_state(&key.signed(STATE, &bomb)).unwrap_err();
        assert!(refused.to_string().contains("longer than"), "{refused}");
        // As many bytes as an answer of a thousand games, for one of two.
        let bomb = zstd::encode_all(std::io::repeat(b' ').take(1000 * MOST_OF_GAME), 1).unwrap();
        assert!(read_result(&bomb, 2).unwrap_err().to_string().contains("longer than"));
    }
}
