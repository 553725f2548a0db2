//! The matches of a bridge, each with a thread that owns the process of its bot.

use crate::OnMatch;
use arena::ArenaError;
use players::process::Lines;
use players::{Delivery, Transport};
use rules::{ContentType, HttpRequest, Seat};
use runner::LineBots;
use std::collections::HashMap;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// The most matches at the same time. One more ends the match that has not been heard of for the longest time.
const MOST_MATCHES: usize = 64;
/// The time without a request after which a match is taken for over: matches do not tell their end.
const IDLE: Duration = Duration::from_secs(300);

/// Something that happened to the bot of a match.
#[derive(Debug, Clone, Copy)]
pub enum MatchEvent<'a> {
    /// The match with this name has begun.
    Begun(&'a str),
    /// The bot of the match gave no usable answer, for this reason.
    Fault(&'a str, &'a str),
    /// The match is over, or is taken for over, after so many answers.
    Ended(&'a str, u32),
}

/// A question for the thread of a match, and where the answer goes.
struct Question {
    line: Vec<u8>,
    answer: oneshot::Sender<Result<Delivery, ArenaError>>,
}

struct OpenMatch {
    number: u64,
    questions: Sender<Question>,
    asked: Instant,
    thread: JoinHandle<()>,
}

/// All matches of a bridge.
pub(crate) struct Matches {
    shared: Arc<Shared>,
    open: Mutex<OpenMatches>,
}

#[derive(Default)]
struct OpenMatches {
    by_name: HashMap<String, OpenMatch>,
    /// The number of the next match.
    next: u64,
    is_over: bool,
}

/// The things that the threads of all matches use.
struct Shared {
    bots: LineBots,
    on_match: OnMatch,
}

impl Matches {
    pub(crate) fn new(bots: LineBots, on_match: OnMatch) -> Matches {
        Matches { shared: Arc::new(Shared { bots, on_match }), open: Mutex::default() }
    }

    fn open(&self) -> MutexGuard<'_, OpenMatches> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the bot of the match with this name. With `is_first`, or if there is no such match, a match begins: the same name means
    /// another match then, as in two matches of the same seed. The answer comes by the receiver, unless
    /// the bridge ends.
    ///
    /// # Errors
    /// The system gives no thread.
    pub(crate) fn ask(
        &self,
        name: &str,
        is_first: bool,
        line: Vec<u8>,
    ) -> Result<oneshot::Receiver<Result<Delivery, ArenaError>>, ArenaError> {
        let (answer, answered) = oneshot::channel();
        let mut question = Question { line, answer };
        let mut open = self.open();
        if open.is_over {
            return Ok(answered);
        }
        if is_first {
            // The thread of a match ends when nobody can ask it any more.
            open.by_name.remove(name);
        }
        if let Some(found) = open.by_name.get_mut(name) {
            found.asked = Instant::now();
            match found.questions.send(question) {
                Ok(()) => return Ok(answered),
                // It has just ended by itself.
                Err(mpsc::SendError(unsent)) => question = unsent,
            }
        }
        open.by_name.retain(|_, found| !found.thread.is_finished());
        if open.by_name.len() >= MOST_MATCHES
            && let Some(oldest) = open.by_name.iter().min_by_key(|(_, found)| found.asked).map(|(name, _)| name.clone())
        {
            open.by_name.remove(&oldest);
        }
        let number = open.next;
        open.next += 1;
        let (questions, asked) = mpsc::channel();
        let _ = questions.send(question);
        let (shared, own) = (Arc::clone(&self.shared), name.to_owned());
        let play = move || shared.play(&own, &format!("match-{number}"), &asked);
        let thread = thread::Builder::new().name("match".to_owned()).spawn(play);
        let thread = thread.map_err(|e| ArenaError::process("start a thread for", name.to_owned(), e))?;
        open.by_name.insert(name.to_owned(), OpenMatch { number, questions, asked: Instant::now(), thread });
        Ok(answered)
    }

    /// Ends all matches, and their processes. No more begin.
    pub(crate) fn end(&self) {
        let mut open = self.open();
        open.is_over = true;
        let mut ended: Vec<OpenMatch> = open.by_name.drain().map(|(_, ended)| ended).collect();
        drop(open);
        ended.sort_by_key(|ended| ended.number);
        let threads: Vec<_> = ended.into_iter().map(|OpenMatch { thread, .. }| thread).collect();
        threads.into_iter().for_each(|thread| drop(thread.join()));
    }
}

impl Shared {
    /// Plays a match until nobody asks any more.
    fn play(&self, name: &str, place: &str, questions: &Receiver<Question>) {
        (self.on_match)(MatchEvent::Begun(name));
        let mut bot: Option<Lines> = None;
        let mut answers = 0;
        loop {
            let Question { line, answer } = match questions.recv_timeout(IDLE) {
                Ok(question) => question,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            };
            let given = self.exchange(&mut bot, name, place, line);
            match &given {
                Ok(Delivery { fault: Some(fault), .. }) => {
                    (self.on_match)(MatchEvent::Fault(name, &fault.to_string()));
                }
                Ok(Delivery { parts, run: Some(run), .. }) if parts.is_empty() => {
                    (self.on_match)(MatchEvent::Fault(name, &run.end.to_string()));
                }
                Ok(_) => answers += 1,
                Err(error) => (self.on_match)(MatchEvent::Fault(name, &error.to_string())),
            }
            // Whoever asked may have left.
            let _ = answer.send(given);
        }
        drop(bot);
        let _ = self.bots.clear(place);
        (self.on_match)(MatchEvent::Ended(name, answers));
    }

    fn exchange(
        &self,
        bot: &mut Option<Lines>,
        name: &str,
        place: &str,
        body: Vec<u8>,
    ) -> Result<Delivery, ArenaError> {
        let bot = match bot {
            Some(bot) => bot,
            none => none.insert(self.bots.bot(name, place)?),
        };
        let request = HttpRequest { path: None, content: ContentType::Json, body, answer: "answer" };
        bot.exchange(Seat::A, &request)
    }
}
