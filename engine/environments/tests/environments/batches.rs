//! Many matches at once.

use crate::{Setup, action_match, for_all_games, observed};
use environments::{
    AutoReset, Batch, BatchError, BatchOptions, Buffers, Encoded, Learner, Options, Placement, Reward, Rivals,
};
use players::BuiltIn;
use rules::Seat;
use std::sync::Arc;

/// The memory of a batch.
struct Memory {
    planes: Vec<u8>,
    scalars: Vec<f32>,
    masks: Vec<i8>,
    rewards: Vec<f32>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    to_act: Vec<bool>,
    winners: Vec<i8>,
    steps: Vec<u32>,
}

impl Memory {
    fn of<G: Encoded>(batch: &Batch<G>) -> Memory {
        let (layout, matches, seen) = (batch.layout(), batch.matches(), batch.matches() * batch.seen());
        Memory {
            planes: vec![9; seen * layout.planes.len() * layout.grid.len()],
            scalars: vec![9.0; seen * layout.scalars.len()],
            masks: vec![9; seen * layout.actions()],
            rewards: vec![9.0; seen],
            terminated: vec![true; matches],
            truncated: vec![true; matches],
            to_act: vec![true; seen],
            winners: vec![9; matches],
            steps: vec![9; matches],
        }
    }

    fn buffers(&mut self) -> Buffers<'_> {
        Buffers {
            planes: &mut self.planes,
            scalars: &mut self.scalars,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            to_act: &mut self.to_act,
            winners: &mut self.winners,
            steps: &mut self.steps,
        }
    }
}

fn batch<G: Encoded>(setup: &Setup<G>, options: BatchOptions, rivals: Option<Rivals<G>>) -> (Batch<G>, Memory) {
    let batch = Batch::new(&setup.settings, setup.seats, options, rivals).unwrap();
    let memory = Memory::of(&batch);
    (batch, memory)
}

/// A batch plays the same matches as one after the other, on one thread and on several.
fn batches_are_tables<G: Encoded>(setup: &Setup<G>) {
    for (threads, placement) in [(1, Placement::Random), (3, Placement::Agents)] {
        let each = Options { placement, reward: Reward::Hits, ..Options::default() };
        let options = BatchOptions { action_match: each, matches: 40, seed: 90, threads, ..BatchOptions::default() };
        let (mut many, mut memory) = batch(setup, options, None);
        many.reset(None, memory.buffers()).unwrap();
        let mut action_matches: Vec<_> = (0..40)
            .map(|nth| {
                let mut action_match = action_match(setup, each);
                action_match.reset(90 + nth).unwrap();
                action_match
            })
            .collect();
        let mut ended = 0;
        let mut actions = vec![0; 40 * usize::from(setup.seats)];
        for _ in 0..400 {
            many.sample(&memory.masks, &mut actions);
            let masks = memory.masks.clone();
            assert!(
                actions
                    .iter()
                    .zip(masks.chunks(many.layout().actions()))
                    .all(|(action, mask)| mask[*action as usize] == 1)
            );
            many.step(&actions, None, memory.buffers()).unwrap();
            for (nth, action_match) in action_matches.iter_mut().enumerate() {
                let chosen: Vec<_> = action_match.seats().filter(|seat| action_match.is_to_act(*seat)).collect();
                for seat in chosen {
                    action_match.act(seat, actions[nth * usize::from(setup.seats) + seat.index()] as usize).unwrap();
                }
                assert_eq!(memory.terminated[nth], action_match.outcome().is_some());
                for seat in action_match.seats().collect::<Vec<_>>() {
                    assert_eq!(
                        memory.rewards[nth * usize::from(setup.seats) + seat.index()],
                        action_match.take_reward(seat)
                    );
                }
                if let Some(outcome) = action_match.outcome() {
                    let winner = outcome.winner.map_or(-1, |seat| seat.index() as i8);
                    assert_eq!(memory.winners[nth], winner);
                    action_match.reset(action_match.seed() + 40).unwrap();
                    ended += 1;
                }
                for seat in action_match.seats() {
                    let (planes, scalars, mask) = observed(action_match, seat);
                    let at = nth * usize::from(setup.seats) + seat.index();
                    assert!(planes == memory.planes[at * planes.len()..][..planes.len()]);
                    assert!(scalars == memory.scalars[at * scalars.len()..][..scalars.len()]);
                    assert!(mask == memory.masks[at * mask.len()..][..mask.len()]);
                    assert_eq!(memory.to_act[at], action_match.is_to_act(seat));
                }
            }
        }
        assert!(ended > 0 || setup.seats > 2, "{}", G::KIND.name());
    }
}

#[test]
fn a_batch_plays_the_matches_that_tables_play() {
    for_all_games!(batches_are_tables);
}

/// Learners against built-in players win and lose, and get the reward of it.
fn learners_meet_built_in_players<G: Encoded>(setup: &Setup<G>) {
    if setup.seats == 1 {
        return;
    }
    let rivals = Rivals::<G> { make: Arc::new(|_, seed| BuiltIn::Random.player(seed)), learner: Learner::InTurn };
    let options =
        BatchOptions { matches: 24, seed: 5, threads: 2, auto_reset: AutoReset::NextStep, ..BatchOptions::default() };
    let (mut many, mut memory) = batch(setup, options, Some(rivals));
    many.reset(None, memory.buffers()).unwrap();
    let learners: Vec<Seat> = many.learners().collect();
    assert_eq!(learners[..2], [Seat::A, Seat::B]);
    let (mut won, mut lost) = (0, 0);
    let mut actions = vec![0; 24];
    let mut over = vec![false; 24];
    for _ in 0..700 {
        assert!(memory.to_act.iter().zip(&over).all(|(acts, over)| *acts || *over));
        many.sample(&memory.masks, &mut actions);
        many.step(&actions, None, memory.buffers()).unwrap();
        for (nth, over) in over.iter_mut().enumerate() {
            if *over {
                assert!(!memory.terminated[nth] && memory.rewards[nth] == 0.0 && memory.steps[nth] == 0);
            } else if memory.terminated[nth] {
                let learner = many.learners().nth(nth).unwrap();
                let is_won = memory.winners[nth] == learner.index() as i8;
                assert_eq!(memory.rewards[nth] == 1.0, is_won);
                (won, lost) = if memory.rewards[nth] > 0.0 { (won + 1, lost) } else { (won, lost + 1) };
            }
            *over = memory.terminated[nth];
        }
    }
    assert!(won > 0 && lost > 0, "{} {won} {lost}", G::KIND.name());
}

#[test]
fn a_learner_meets_built_in_players() {
    for_all_games!(learners_meet_built_in_players);
}

#[test]
fn matches_are_cut_off_and_left_alone() {
    type G = rules::bots_arena::BotsArena;
    let options = BatchOptions { matches: 3, most_steps: Some(4), threads: 1, ..BatchOptions::default() };
    let (mut many, mut memory) = batch(&Setup::<G>::usual(2), options, None);
    many.reset(Some(7), memory.buffers()).unwrap();
    assert_eq!(many.seeds().collect::<Vec<_>>(), [7, 8, 9]);
    let mut actions = vec![0; 6];
    for step in 1..=4 {
        many.sample(&memory.masks, &mut actions);
        let before = memory.planes.clone();
        many.step(&actions, Some(&[true, false, true]), memory.buffers()).unwrap();
        let cells = memory.planes.len() / 3;
        assert_eq!(memory.planes[cells..2 * cells], before[cells..2 * cells]);
        assert_eq!(memory.steps, [step, 0, step]);
        assert_eq!(memory.truncated, [step == 4, false, step == 4]);
    }
    assert_eq!(many.seeds().collect::<Vec<_>>(), [10, 8, 12]);
    actions[3] = 101;
    let before = memory.planes.clone();
    let wrong = many.step(&actions, None, memory.buffers()).unwrap_err();
    assert_eq!(wrong.to_string(), "match 1, seat 1: there is no action 101; they go from 0 to 100");
    assert!(matches!(wrong, BatchError::Action { number: 1, seat: 1, .. }) && memory.planes == before);
    let none = Batch::<G>::new(&Default::default(), 2, BatchOptions::default(), None);
    assert_eq!(none.err().unwrap().to_string(), "a batch has 1 to 65536 matches, not 0");
}
