//! Keeps a match in memory until its record is wanted.

use super::{Clock, Header, RecordWriter};
use crate::play::answer_of;
use crate::{ArenaError, MatchEvent, Notes, Observer, Reply, TimeUsed};
use rules::{Fault, Game, Outcome, Part, Seat};
use std::convert::Infallible;

/// Keeps a match in memory, and makes its record when that is asked for.
///
/// Most matches of a tournament leave no record, and serialising and hashing each state takes longer than playing. So this keeps
/// the first state and the answers, in about as much memory as the record takes, and the rules play the match again for the
/// record. The record is the same, byte for byte, as one that a [`RecordWriter`] writes while the match is played.
///
/// ```
/// use arena::record::{Clock, Header, Record, RecordBuffer};
/// use arena::{MatchEvent, Observer, Sequence};
/// use rules::sea_battle::SeaBattle;
/// use rules::{Fault, Game, PlayerInfo};
///
/// let seats = ["one", "two"].map(|name| arena::record::RecordedSeat::new(PlayerInfo::named(name)));
/// let header = Header::new::<SeaBattle>(&Default::default(), 7, seats.into_iter().collect(), Sequence::InTurn);
/// let mut record = RecordBuffer::begin(&header, Clock::Running)?;
///
/// // The arena does this in a match.
/// let mut game = SeaBattle::start(&Default::default(), 2, 7)?;
/// record.on(&MatchEvent::Answered { turn: 0, game: &game, replies: &[] })?;
/// let told = game.step(|_| Err(&Fault::NothingWritten)).to_vec();
/// record.on(&MatchEvent::Advanced { turn: 0, game: &game, told: &told })?;
///
/// let record = Record::parse("match.jsonl".as_ref(), record.lines())?;
/// assert_eq!((record.header(), record.len()), (&header, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RecordBuffer<G: Game> {
    writer: RecordWriter,
    header_line: Vec<u8>,
    clock: Clock,
    kept: KeptMatch<G>,
}

/// A match so far: what the rules need to play it again.
#[derive(Debug)]
struct KeptMatch<G: Game> {
    /// The number of the first turn, and the state before it.
    first: Option<(u32, G)>,
    answers: KeptAnswers<G::Order>,
    /// The number of answers of the last turn.
    asked: usize,
    /// The number of answers of each turn that was played.
    turns: Vec<u8>,
    /// The outcome, and the clock stopped at the end of the match.
    end: Option<(Outcome, Clock)>,
}

impl<G: Game> RecordBuffer<G> {
    /// Begins a record in memory.
    ///
    /// # Errors
    /// As [`RecordWriter::begin`].
    pub fn begin(header: &Header, clock: Clock) -> Result<RecordBuffer<G>, ArenaError> {
        let (writer, header_line) = RecordWriter::begin(header, clock)?;
        let kept = KeptMatch { first: None, answers: KeptAnswers::default(), asked: 0, turns: Vec::new(), end: None };
        Ok(RecordBuffer { writer, header_line, clock, kept })
    }

    /// The lines of the record so far.
    pub fn lines(&self) -> Vec<u8> {
        let (mut writer, mut lines) = (self.writer.clone(), self.header_line.clone());
        if let Some((_, clock)) = self.kept.end {
            writer.set_clock(clock);
        }
        let written: Result<(), Infallible> = self.kept.replay(|event| {
            lines.extend(writer.write(event));
            Ok(())
        });
        let Ok(()) = written;
        lines
    }

    /// Plays the match so far again. `watch` sees the answers, turns and end that this record has seen.
    ///
    /// # Errors
    /// Those of `watch`.
    pub fn replay(&self, watch: &mut dyn Observer<G>) -> Result<(), ArenaError> {
        self.kept.replay(|event| watch.on(event))
    }
}

impl<G: Game> KeptMatch<G> {
    fn replay<E>(&self, mut show: impl FnMut(&MatchEvent<'_, G>) -> Result<(), E>) -> Result<(), E> {
        let Some((first_turn, mut game)) = self.first.clone() else { return Ok(()) };
        let mut answers = self.answers.replies();
        let mut turn = first_turn;
        for asked in &self.turns {
            let replies: Vec<_> = answers.by_ref().take(usize::from(*asked)).collect();
            show(&MatchEvent::Answered { turn, game: &game, replies: &replies })?;
            let told = game.step(|seat| answer_of(&replies, seat)).to_vec();
            show(&MatchEvent::Advanced { turn, game: &game, told: &told })?;
            turn += 1;
        }
        // The turn that was answered, and not played yet.
        let replies: Vec<_> = answers.collect();
        if !replies.is_empty() {
            show(&MatchEvent::Answered { turn, game: &game, replies: &replies })?;
        }
        match &self.end {
            Some((outcome, _)) => show(&MatchEvent::Finished { outcome, game: &game }),
            None => Ok(()),
        }
    }
}

impl<G: Game> Observer<G> for RecordBuffer<G> {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        let kept = &mut self.kept;
        match event {
            MatchEvent::Opened { .. } => {}
            MatchEvent::Answered { turn, game, replies } => {
                kept.first.get_or_insert_with(|| (*turn, (*game).clone()));
                replies.iter().for_each(|(seat, reply)| kept.answers.add(*seat, reply));
                kept.asked = replies.len();
            }
            MatchEvent::Advanced { .. } => kept.turns.push(kept.asked as u8),
            MatchEvent::Finished { outcome, game } => {
                kept.first.get_or_insert_with(|| (0, (*game).clone()));
                kept.end = Some(((*outcome).clone(), Clock::Stopped(self.clock.now())));
            }
        }
        Ok(())
    }
}

/// Replies in the order in which they were added, without the runs of the bots' processes, which are not in records.
///
/// The parts and times of all are in three lists: a `Reply` with lists of its own takes several times the memory.
#[derive(Debug)]
struct KeptAnswers<O> {
    answers: Vec<KeptAnswer<O>>,
    /// The names and lengths of all parts.
    parts: Vec<(&'static str, usize)>,
    /// The bytes of all parts.
    bytes: Vec<u8>,
    times: Vec<TimeUsed>,
}

#[derive(Debug)]
struct KeptAnswer<O> {
    seat: Seat,
    parts: u32,
    is_timed: bool,
    /// Boxed, because faults are larger than orders, and few.
    answer: Result<O, Box<Fault>>,
    notes: Option<Box<Notes>>,
}

impl<O> Default for KeptAnswers<O> {
    fn default() -> KeptAnswers<O> {
        KeptAnswers { answers: Vec::new(), parts: Vec::new(), bytes: Vec::new(), times: Vec::new() }
    }
}

impl<O: Clone> KeptAnswers<O> {
    fn add(&mut self, seat: Seat, reply: &Reply<O>) {
        let answer = reply.answer.clone().map_err(Box::new);
        let (parts, is_timed) = (reply.given.len() as u32, reply.time.is_some());
        self.answers.push(KeptAnswer { seat, parts, is_timed, answer, notes: reply.notes.clone() });
        for Part { name, bytes } in &reply.given {
            self.parts.push((name, bytes.len()));
            self.bytes.extend_from_slice(bytes);
        }
        self.times.extend(reply.time);
    }

    fn replies(&self) -> impl Iterator<Item = (Seat, Reply<O>)> {
        let (mut parts, mut times, mut at) = (self.parts.iter(), self.times.iter(), 0);
        self.answers.iter().map(move |kept| {
            let given = parts.by_ref().take(kept.parts as usize).map(|(name, length)| {
                at += length;
                Part { name, bytes: self.bytes[at - length..at].to_vec() }
            });
            let given = given.collect();
            let time = if kept.is_timed { times.next().copied() } else { None };
            let answer = kept.answer.clone().map_err(|fault| *fault);
            (kept.seat, Reply { answer, given, time, run: None, notes: kept.notes.clone() })
        })
    }
}
