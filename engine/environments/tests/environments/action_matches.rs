//! Matches that are played by actions.

use crate::{Setup, action_match, all_options, for_all_games, observed, play, usual_match};
use arena::record::{Clock, Header, Record, RecordedSeat, replay_record};
use arena::{Observers, Sequence};
use environments::{Action, ActionMatchError, Encoded, Options, Placement, WrongAction};
use rules::entelect_2017::Entelect2017;
use rules::sea_battle::SeaBattle;
use rules::{Ending, Fault, PlayerInfo, Seat};
use std::sync::Arc;

fn every_allowed_action_is_obeyed_and_matches_end<G: Encoded>(setup: &Setup<G>) {
    for options in all_options() {
        let mut action_match = action_match(setup, options);
        for seed in 0..6 {
            action_match.reset(seed).unwrap();
            let mut random = rules::random(seed);
            let mut rewards = vec![0.0; usize::from(setup.seats)];
            play(&mut action_match, &mut random, 20_000, |action_match, seat, action| {
                let mask = observed(action_match, seat).2;
                for other in action_match.seats().filter(|other| !action_match.is_to_act(*other)) {
                    let mask = observed(action_match, other).2;
                    assert!(mask[0] == 1 && mask[1..].iter().all(|allowed| *allowed == 0));
                }
                assert_eq!(mask[action], 1);
                assert!(!action_match.game().is_placing() || mask[0] == 0, "ships have room");
                if let Some(Action::Order { kind, cell }) = action_match.layout().action(action) {
                    let order = G::order(&setup.settings, setup.seats, seat, kind, cell);
                    assert!(action_match.game().check(seat, &order).is_ok(), "{order:?} is refused");
                }
            });
            let outcome = action_match.outcome().expect("20,000 actions are enough").clone();
            let is_removed = matches!(outcome.ending, Ending::KilledOff { .. });
            // Where nothing is always allowed, a player may do it too often.
            assert!(!is_removed || G::KIND == rules::GameKind::Entelect2017, "{outcome:?}");
            for seat in action_match.seats().collect::<Vec<_>>() {
                rewards[seat.index()] += action_match.take_reward(seat);
            }
            if let Some(winner) = outcome.winner {
                let best = rewards.iter().copied().fold(f32::MIN, f32::max);
                assert_eq!(rewards[winner.index()], best, "{rewards:?}");
            }
            if setup.seats == 2 {
                assert!(rewards.iter().sum::<f32>().abs() < 1e-4, "{rewards:?}");
            }
        }
    }
}

#[test]
fn allowed_actions_are_obeyed_and_matches_end() {
    for_all_games!(every_allowed_action_is_obeyed_and_matches_end);
}

fn records_are_those_of_the_rules<G: Encoded>(setup: &Setup<G>) {
    for options in all_options() {
        let mut action_match = action_match(setup, options);
        action_match.reset(11).unwrap();
        play(&mut action_match, &mut rules::random(3), 20_000, |_, _, _| {});
        let named = action_match.seats().map(|seat| RecordedSeat::new(PlayerInfo::named(&seat.letter().to_string())));
        let header = Header::new::<G>(action_match.settings(), action_match.seed(), named.collect(), Sequence::InTurn);
        let lines = action_match.record(&header, Clock::Stopped(None)).unwrap().unwrap();
        let record = Arc::new(Record::parse("match.jsonl".as_ref(), lines).unwrap());
        let outcome = replay_record::<G>(&record, &mut Observers::new()).unwrap();
        assert_eq!(Some(&outcome), action_match.outcome());
    }
}

#[test]
fn a_match_of_actions_leaves_a_record_that_verifies_itself() {
    for_all_games!(records_are_those_of_the_rules);
}

fn a_fork_is_the_same_match<G: Encoded>(setup: &Setup<G>) {
    let mut action_match = action_match(setup, Options::default());
    action_match.reset(5).unwrap();
    play(&mut action_match, &mut rules::random(1), 41, |_, _, _| {});
    let mut fork = action_match.fork().unwrap();
    let mut told = [Vec::new(), Vec::new()];
    for (action_match, told) in [&mut action_match, &mut fork].into_iter().zip(&mut told) {
        play(action_match, &mut rules::random(2), 20_000, |action_match, seat, action| {
            told.push((seat, action, observed(action_match, seat)));
        });
    }
    assert!(told[0] == told[1] && !told[0].is_empty());
    assert_eq!(action_match.outcome(), fork.outcome());
}

#[test]
fn a_fork_goes_on_as_the_match_does() {
    for_all_games!(a_fork_is_the_same_match);
}

#[test]
fn wrong_actions_change_nothing() {
    let mut action_match = usual_match::<SeaBattle>(Options::default());
    action_match.reset(1).unwrap();
    let mover = action_match.seats().find(|seat| action_match.is_to_act(*seat)).unwrap();
    let before = observed(&action_match, mover);
    let actions = action_match.layout().actions();
    assert!(matches!(
        action_match.act(mover, actions),
        Err(ActionMatchError::Action(WrongAction::NoSuchAction { number, .. })) if number == actions as i64
    ));
    let wrong = action_match.act(mover.opponent(), 1).unwrap_err();
    assert_eq!(wrong.to_string(), format!("{} is not to act now", mover.opponent()));
    assert_eq!(observed(&action_match, mover), before);
}

/// What the rules make of mistakes is the same as for bots.
#[test]
fn illegal_orders_cost_what_the_rules_say() {
    let agents = Options { placement: Placement::Agents, ..Options::default() };
    // Ten ships in the same place lose a match of Sea Battle.
    let mut sea_battle = usual_match::<SeaBattle>(agents);
    sea_battle.reset(1).unwrap();
    let place = 1 + sea_battle.layout().order_kinds() * 100;
    for _ in 0..10 {
        sea_battle.act(Seat::A, place).unwrap();
    }
    assert!(sea_battle.outcome().is_none());
    sea_battle.fail(Seat::B, Fault::GaveUp).unwrap();
    let lost = sea_battle.outcome().unwrap().ending.told(|seat| seat.to_string());
    assert!(
        lost.contains("A broke the rules: a fourdeck and a battleship overlap") && lost.contains("B gave up"),
        "{lost}"
    );

    // They make the first phase of 2017 begin again.
    let mut entelect = usual_match::<Entelect2017>(agents);
    entelect.reset(1).unwrap();
    let place = 1 + entelect.layout().order_kinds() * 100;
    for seat in [Seat::A, Seat::B] {
        for _ in 0..5 {
            entelect.act(seat, place).unwrap();
        }
    }
    assert!(entelect.game().is_placing() && entelect.game().round() == 1);
    assert_eq!(entelect.game().player(Seat::A).failed_first_phase_commands, 1);
    let (planes, _, mask) = observed(&entelect, Seat::A);
    assert!(planes.iter().all(|value| *value == 0), "all ships are taken off");
    assert_eq!(mask.iter().filter(|allowed| **allowed == 1).count(), 2 * 8 * 10, "the submarine has three cells");
    // A shot in the first phase is refused, too.
    entelect.act(Seat::A, 1).unwrap();
    for action in 0..5 {
        entelect.act(Seat::B, place + action * 10).unwrap();
    }
    assert!(entelect.game().is_placing() && entelect.game().round() == 2);
}
