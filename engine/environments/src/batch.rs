//! Many matches that one call moves on, on several threads.

use crate::action_match::MakeRival;
use crate::{ActionMatch, ActionMatchError, Encoded, Layout, Options, WrongAction};
use arena::ArenaError;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use rules::{Random, Seat, Seats, SetupError};
use std::sync::Arc;
use thiserror::Error;

/// The choices for a [`Batch`] besides those of its matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BatchOptions {
    /// The options of all matches.
    pub action_match: Options,
    /// The number of matches.
    pub matches: usize,
    /// The base of all seeds: match number `n` of slot `i` of `N` has the seed `seed + n * N + i`.
    pub seed: u64,
    /// The number of threads; 0 for one on each processor.
    pub threads: usize,
    /// The time at which a slot whose match is over begins the next one.
    pub auto_reset: AutoReset,
    /// The number of steps after which a match is cut off; `None` to play all to their end.
    pub most_steps: Option<u32>,
}

/// The players of all seats but the learner's.
#[derive(Clone)]
pub struct Rivals<G: Encoded> {
    /// Makes the player of a seat.
    pub make: MakeRival<G>,
    /// The seat of the learner.
    pub learner: Learner,
}

/// The seat of the learner, where the others have players of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Learner {
    /// Another one in each match of a slot, in turn.
    #[default]
    InTurn,
    /// This one.
    Always(Seat),
}

/// The time at which a slot begins its next match. Gymnasium has the same names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AutoReset {
    /// In the step in which the match ends. Observations are those of the next match then.
    #[default]
    SameStep,
    /// In the step after it, whose actions are not looked at. The observations of the last step are those of the end.
    NextStep,
}

/// The memory that a batch writes to. All have one part for each match, and in it one for each seat that is seen: all of
/// them, or the learner's.
#[derive(Debug)]
pub struct Buffers<'a> {
    /// The planes: matches x seats x planes x cells.
    pub planes: &'a mut [u8],
    /// The scalars: matches x seats x scalars.
    pub scalars: &'a mut [f32],
    /// The masks: matches x seats x actions.
    pub masks: &'a mut [i8],
    /// The rewards of the last step: matches x seats.
    pub rewards: &'a mut [f32],
    /// 1 for a match that ended in the last step.
    pub terminated: &'a mut [bool],
    /// 1 for a match that was cut off in the last step.
    pub truncated: &'a mut [bool],
    /// 1 for each seat that is to act: matches x seats.
    pub to_act: &'a mut [bool],
    /// The seat that won the match that ended in the last step, -1 for a draw and where none ended.
    pub winners: &'a mut [i8],
    /// The number of steps of the match so far, or of that which ended in the last step.
    pub steps: &'a mut [u32],
}

/// A failure of a batch.
#[derive(Debug, Error)]
pub enum BatchError {
    /// There is no such action. Nothing has changed.
    #[error("match {number}, seat {seat}: {wrong}")]
    Action {
        /// The number of the match.
        number: usize,
        /// The number of the seat among those that are seen.
        seat: usize,
        /// The mistake.
        wrong: WrongAction,
    },
    /// A rival failed.
    #[error(transparent)]
    Rival(ArenaError),
}

/// The most matches of a batch. Their observations take some hundred megabytes then.
pub const MOST_MATCHES: usize = 1 << 16;

/// Many matches that one call moves on.
pub struct Batch<G: Encoded> {
    slots: Vec<Slot<G>>,
    layout: Arc<Layout>,
    options: BatchOptions,
    rivals: Option<Rivals<G>>,
    seats: u8,
    pool: Option<ThreadPool>,
}

/// One of the matches.
struct Slot<G: Encoded> {
    action_match: ActionMatch<G>,
    number: usize,
    /// The number of matches that this slot has begun.
    matches: u64,
    steps: u32,
    is_over: bool,
    learner: Option<Seat>,
    random: Random,
}

/// The part of the buffers that belongs to a match.
struct Part<'a> {
    planes: &'a mut [u8],
    scalars: &'a mut [f32],
    masks: &'a mut [i8],
    rewards: &'a mut [f32],
    terminated: &'a mut bool,
    truncated: &'a mut bool,
    to_act: &'a mut [bool],
    winner: &'a mut i8,
    steps: &'a mut u32,
}

impl<G: Encoded> Batch<G> {
    /// Tables for matches with these settings. All seats are agents', or one in each match if there are rivals. Call [`Batch::reset`]
    /// first.
    ///
    /// # Errors
    /// No match can be played with these settings, or by so many players; there are no matches, or more than [`MOST_MATCHES`]; threads
    /// cannot be started.
    pub fn new(
        settings: &G::Settings,
        seats: u8,
        options: BatchOptions,
        rivals: Option<Rivals<G>>,
    ) -> Result<Batch<G>, SetupError> {
        let first = ActionMatch::<G>::new(settings.clone(), seats, options.action_match)?;
        let layout = Arc::clone(first.layout());
        if !(1..=MOST_MATCHES).contains(&options.matches) {
            let given = options.matches;
            return Err(SetupError::Settings(format!("a batch has 1 to {MOST_MATCHES} matches, not {given}")));
        }
        let slot = |number: usize| {
            let action_match = ActionMatch::new(settings.clone(), seats, options.action_match)?.sharing(&layout);
            let random = Random::seed_from_u64(options.seed ^ (number as u64).rotate_left(32));
            Ok(Slot { action_match, number, matches: 0, steps: 0, is_over: false, learner: None, random })
        };
        let slots = (0..options.matches).map(slot).collect::<Result<_, SetupError>>()?;
        let pool = ThreadPoolBuilder::new().num_threads(options.threads).thread_name(|_| "matches".to_owned()).build();
        let pool = pool.map_err(|error| SetupError::Settings(format!("no threads can be started: {error}")))?;
        // One thread does the work where it is called from.
        let pool = (pool.current_num_threads() > 1).then_some(pool);
        Ok(Batch { slots, layout, options, rivals, seats, pool })
    }

    /// The meaning of actions and observations.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The number of matches.
    pub fn matches(&self) -> usize {
        self.slots.len()
    }

    /// The number of seats of each match that are seen: all, or the learner's.
    pub fn seen(&self) -> usize {
        if self.rivals.is_some() { 1 } else { usize::from(self.seats) }
    }

    /// The seeds of the matches that are played now.
    pub fn seeds(&self) -> impl Iterator<Item = u64> {
        self.slots.iter().map(|slot| slot.action_match.seed())
    }

    /// The state of a match.
    pub fn action_match(&self, number: usize) -> Option<&ActionMatch<G>> {
        self.slots.get(number).map(|slot| &slot.action_match)
    }

    /// The seats of the learners; nothing where all seats are seen.
    pub fn learners(&self) -> impl Iterator<Item = Seat> {
        self.slots.iter().filter_map(|slot| slot.learner)
    }

    /// Begins all matches anew: with this base of seeds, or with the one they had, which gives the same matches again.
    ///
    /// # Errors
    /// A rival failed.
    ///
    /// # Panics
    /// The buffers are not as long as they should be.
    pub fn reset(&mut self, seed: Option<u64>, buffers: Buffers<'_>) -> Result<(), BatchError> {
        if let Some(seed) = seed {
            self.options.seed = seed;
        }
        let (options, rivals) = (&self.options, self.rivals.as_ref());
        let (all, seen) = (options.matches, self.seen());
        let work = |(slot, mut part): (&mut Slot<G>, Part<'_>)| {
            slot.matches = 0;
            slot.random = Random::seed_from_u64(options.seed ^ (slot.number as u64).rotate_left(32));
            slot.begin(options, rivals)?;
            part.rewards.fill(0.0);
            (*part.terminated, *part.truncated, *part.winner, *part.steps) = (false, false, -1, 0);
            slot.observe(&mut part);
            Ok(())
        };
        for_each(self.pool.as_ref(), &mut self.slots, parts(all, seen, &self.layout, buffers), work)
    }

    /// Takes one action for every seat that is seen, and moves every match on. Any action will do for a seat that is not to act.
    /// `only` tells which matches are moved on; the others stay as they are.
    ///
    /// # Errors
    /// [`BatchError::Action`]: there is no such action, and nothing has changed. A rival failed.
    ///
    /// # Panics
    /// The buffers, `actions` or `only` are not as long as they should be.
    pub fn step(&mut self, actions: &[i64], only: Option<&[bool]>, buffers: Buffers<'_>) -> Result<(), BatchError> {
        let seen = self.seen();
        let most = self.layout.actions();
        if let Some(at) = actions.iter().position(|action| !(0..most as i64).contains(action)) {
            let wrong = WrongAction::NoSuchAction { number: actions[at], actions: most };
            return Err(BatchError::Action { number: at / seen, seat: at % seen, wrong });
        }
        let (options, rivals) = (&self.options, self.rivals.as_ref());
        let all = options.matches;
        assert_eq!(actions.len(), all * seen, "an action for every seat that is seen");
        let work = |(slot, mut part): (&mut Slot<G>, Part<'_>)| {
            let number = slot.number;
            if only.is_some_and(|only| !only[number]) {
                return Ok(());
            }
            slot.step(&actions[number * seen..][..seen], options, rivals, &mut part)
        };
        for_each(self.pool.as_ref(), &mut self.slots, parts(all, seen, &self.layout, buffers), work)
    }

    /// Chooses one of the allowed actions of each seat with equal chances.
    ///
    /// # Panics
    /// The slices are not as long as they should be.
    pub fn sample(&mut self, masks: &[i8], actions: &mut [i64]) {
        let (seen, most) = (self.seen(), self.layout.actions());
        let choose = |slot: &mut Slot<G>, actions: &mut [i64]| {
            for (nth, action) in actions.iter_mut().enumerate() {
                let mask = &masks[(slot.number * seen + nth) * most..][..most];
                *action = sample(mask, &mut slot.random) as i64;
            }
        };
        match &self.pool {
            None => self
                .slots
                .iter_mut()
                .zip(actions.chunks_exact_mut(seen))
                .for_each(|(slot, actions)| choose(slot, actions)),
            Some(pool) => pool.install(|| {
                let slots = self.slots.par_iter_mut().zip(actions.par_chunks_exact_mut(seen));
                slots.with_min_len(LEAST).for_each(|(slot, actions)| choose(slot, actions));
            }),
        }
    }
}

/// The least matches that a thread takes at once.
const LEAST: usize = 16;

/// One of the places of a mask that are 1, with equal chances; 0 if there is none.
fn sample(mask: &[i8], random: &mut Random) -> usize {
    const BLOCK: usize = 64;
    let count = |part: &[i8]| part.iter().map(|allowed| u8::from(*allowed == 1)).sum::<u8>() as usize;
    let all: usize = mask.chunks(BLOCK).map(count).sum();
    if all == 0 {
        return 0;
    }
    let mut nth = random.random_range(0..all);
    for (block, part) in mask.chunks(BLOCK).enumerate() {
        let here = count(part);
        if nth < here {
            let place = part.iter().enumerate().filter(|(_, allowed)| **allowed == 1).nth(nth);
            return block * BLOCK + place.map_or(0, |(at, _)| at);
        }
        nth -= here;
    }
    0
}

/// The buffers in parts, one for each match.
fn parts<'a>(matches: usize, seen: usize, layout: &Layout, buffers: Buffers<'a>) -> Vec<Part<'a>> {
    let planes = seen * layout.planes.len() * layout.grid.len();
    let all = buffers.planes.chunks_exact_mut(planes);
    let all = all.zip(buffers.scalars.chunks_exact_mut(seen * layout.scalars.len()));
    let all = all.zip(buffers.masks.chunks_exact_mut(seen * layout.actions()));
    let all = all.zip(buffers.rewards.chunks_exact_mut(seen).zip(buffers.to_act.chunks_exact_mut(seen)));
    let all = all.zip(buffers.terminated.iter_mut().zip(buffers.truncated));
    let all = all.zip(buffers.winners.iter_mut().zip(buffers.steps));
    let part = |(((((planes, scalars), masks), (rewards, to_act)), (terminated, truncated)), (winner, steps))| Part {
        planes,
        scalars,
        masks,
        rewards,
        terminated,
        truncated,
        to_act,
        winner,
        steps,
    };
    let all: Vec<Part<'a>> = all.map(part).collect();
    assert_eq!(all.len(), matches, "buffers of another batch");
    all
}

/// Does the work for all matches, on the threads of the pool if there is one.
fn for_each<G: Encoded, F>(
    pool: Option<&ThreadPool>,
    slots: &mut [Slot<G>],
    parts: Vec<Part<'_>>,
    work: F,
) -> Result<(), BatchError>
where
    F: Fn((&mut Slot<G>, Part<'_>)) -> Result<(), BatchError> + Send + Sync,
{
    match pool {
        None => slots.iter_mut().zip(parts).try_for_each(work),
        Some(pool) => pool.install(|| slots.par_iter_mut().zip(parts).with_min_len(LEAST).try_for_each(work)),
    }
}

impl<G: Encoded> Slot<G> {
    /// Begins the next match.
    fn begin(&mut self, options: &BatchOptions, rivals: Option<&Rivals<G>>) -> Result<(), BatchError> {
        let seed = options
            .seed
            .wrapping_add(self.matches.wrapping_mul(options.matches as u64))
            .wrapping_add(self.number as u64);
        let seats = self.action_match.seats().count() as u64;
        self.learner = rivals.map(|rivals| match rivals.learner {
            Learner::Always(seat) => seat,
            Learner::InTurn => Seat::new(((self.number as u64 + self.matches) % seats) as u8).unwrap_or(Seat::A),
        });
        self.matches += 1;
        (self.steps, self.is_over) = (0, false);
        let learner = self.learner;
        let rival = |seat: Seat| {
            let rivals = rivals.filter(|_| learner != Some(seat))?;
            Some((rivals.make)(seat, rules::seat_seed(seed, seat)))
        };
        self.action_match.reset_with(seed, rival).map_err(BatchError::Rival)
    }

    fn seen(&self) -> impl Iterator<Item = Seat> + use<G> {
        let learner = self.learner;
        self.action_match.seats().filter(move |seat| learner.is_none_or(|learner| learner == *seat))
    }

    fn step(
        &mut self,
        actions: &[i64],
        options: &BatchOptions,
        rivals: Option<&Rivals<G>>,
        part: &mut Part<'_>,
    ) -> Result<(), BatchError> {
        (*part.terminated, *part.truncated, *part.winner) = (false, false, -1);
        if self.is_over {
            self.begin(options, rivals)?;
            part.rewards.fill(0.0);
            *part.steps = 0;
            self.observe(part);
            return Ok(());
        }
        // Who is to act is settled before the first of them acts: the answer of the last one may begin a new turn.
        let acting: Seats = self.seen().filter(|seat| self.action_match.is_to_act(*seat)).collect();
        for (seat, action) in self.seen().zip(actions).filter(|(seat, _)| acting.contains(*seat)) {
            match self.action_match.act(seat, *action as usize) {
                Ok(()) | Err(ActionMatchError::Action(_)) => {}
                Err(ActionMatchError::Player(error)) => return Err(BatchError::Rival(error)),
            }
        }
        self.steps += 1;
        for (seat, reward) in self.seen().zip(part.rewards.iter_mut()) {
            *reward = self.action_match.take_reward(seat);
        }
        *part.steps = self.steps;
        // A learner that has left the game has no more to do in it.
        let has_left = self.learner.is_some_and(|learner| !self.action_match.is_in(learner));
        let ended = self.action_match.outcome().is_some() || has_left;
        let cut_off = !ended && options.most_steps.is_some_and(|most| self.steps >= most);
        if ended || cut_off {
            (*part.terminated, *part.truncated) = (ended, cut_off);
            let winner = self.action_match.outcome().and_then(|outcome| outcome.winner);
            *part.winner = winner.map_or(-1, |seat| seat.index() as i8);
            match options.auto_reset {
                AutoReset::SameStep => self.begin(options, rivals)?,
                AutoReset::NextStep => self.is_over = true,
            }
        }
        self.observe(part);
        Ok(())
    }

    fn observe(&self, part: &mut Part<'_>) {
        let seen = part.to_act.len();
        let (planes, scalars, mask) = (part.planes.len() / seen, part.scalars.len() / seen, part.masks.len() / seen);
        for (nth, seat) in self.seen().enumerate() {
            part.to_act[nth] = self.action_match.is_to_act(seat);
            self.action_match.observe(
                seat,
                &mut part.planes[nth * planes..][..planes],
                &mut part.scalars[nth * scalars..][..scalars],
                &mut part.masks[nth * mask..][..mask],
            );
        }
    }
}
