//! Tests of the next step.

use super::*;
use crate::state::journal_line::ServerJournalLine;
use crate::state::server_state::tests::{arena, begun, line, played, registered, state};
use crate::state::settings::ServerSettings;
use serde_json::json;
use std::slice::from_ref;

fn url(bot: u32) -> ServerJournalLine {
    line(json!({"line": "url-set", "bot": bot, "url": "http://localhost:1"}))
}

fn mode(mode: &str) -> ServerJournalLine {
    line(json!({"line": "mode", "mode": mode}))
}

/// Three bots with a URL, and tournaments are played.
fn three() -> Vec<ServerJournalLine> {
    let mut lines = vec![arena(), mode("running")];
    lines.extend((1..=3).flat_map(|bot| [registered(bot, &format!("bot {bot}")), url(bot)]));
    lines
}

fn step(lines: &[ServerJournalLine], health: &HealthByBot, playing: &[[u32; 2]]) -> NextStep {
    let playing: Vec<Playing> = playing.iter().map(|pairing| play(1, pairing.map(BotId))).collect();
    next(&state(lines), health, &playing, Pauses::default(), Instant::now())
}

fn play(tournament: u32, bots: [BotId; 2]) -> Playing {
    Playing { tournament, bots, begun: Instant::now() }
}

fn waiting(why: &'static str) -> NextStep {
    NextStep::Wait { until: None, why: Some(why) }
}

fn parked(bots: &[u32]) -> HealthByBot {
    let mut health = HealthByBot::default();
    for bot in bots {
        for _ in 0..3 {
            health.never_began(BotId(*bot), "refused", Instant::now());
        }
    }
    health
}

#[test]
fn a_tournament_needs_two_bots_with_a_url_that_answer() {
    let nobody = HealthByBot::default();
    assert_eq!(step(&three()[..5], &nobody, &[]), waiting("two bots with a URL are needed"));
    assert_eq!(step(&three(), &nobody, &[]), NextStep::Begin(vec![BotId(1), BotId(2), BotId(3)]));
    assert_eq!(step(&three(), &parked(&[1, 3]), &[]), waiting("two bots that are not parked are needed"));
    assert_eq!(step(&[&three()[..], &[mode("paused")]].concat(), &nobody, &[]), NOTHING);
}

#[test]
fn one_match_at_a_time_unless_more_are_wanted_and_nobody_plays_two() {
    let mut lines = three();
    lines.extend([registered(4, "bot 4"), url(4), begun(1, &[1, 2, 3, 4])]);
    let nobody = HealthByBot::default();
    let NextStep::Play(1, first) = step(&lines, &nobody, &[]) else { panic!("nobody plays") };
    let playing = [first.map(|bot| bot.0)];
    assert_eq!(step(&lines, &nobody, &playing), NOTHING);
    let settings = ServerSettings { parallel: 2, ..ServerSettings::default() };
    lines.push(line(json!({"line": "settings", "settings": settings})));
    let NextStep::Play(1, second) = step(&lines, &nobody, &playing) else { panic!("nobody else plays") };
    assert!(second.iter().all(|bot| !first.contains(bot)));
    assert_eq!(step(&lines, &nobody, &[[1, 2], [3, 4]]), NOTHING);
}

#[test]
fn a_tournament_ends_when_all_have_met_or_cannot() {
    let mut lines = [three(), vec![begun(1, &[1, 2, 3])]].concat();
    for id in 1..=3 {
        let NextStep::Play(1, pairing) = step(&lines, &HealthByBot::default(), &[]) else { panic!("nobody plays") };
        lines.push(played(id, 1, pairing, None));
    }
    assert_eq!(step(&lines, &HealthByBot::default(), &[]), NextStep::End(1));

    let lines = [three(), vec![begun(1, &[1, 2, 3])]].concat();
    let NextStep::Play(1, pairing) = step(&lines, &parked(&[1]), &[]) else { panic!("nobody plays") };
    assert!(!pairing.contains(&BotId(1)));
    let lines = [&lines[..], from_ref(&played(1, 1, pairing, None))].concat();
    assert_eq!(step(&lines, &parked(&[1]), &[]), NextStep::End(1));
    assert!(matches!(step(&lines, &HealthByBot::default(), &[]), NextStep::Play(..)), "it came back");
}

#[test]
fn who_is_removed_does_not_play_any_more() {
    let mut lines = [three(), vec![begun(1, &[1, 2, 3])]].concat();
    lines.push(line(json!({"line": "removed", "bot": 2})));
    let NextStep::Play(1, pairing) = step(&lines, &HealthByBot::default(), &[]) else { panic!("nobody plays") };
    assert!(!pairing.contains(&BotId(2)));
    lines.push(played(1, 1, pairing, None));
    assert_eq!(step(&lines, &HealthByBot::default(), &[]), NextStep::End(1));
}

#[test]
fn no_match_begins_when_a_final_is_due_and_the_scheduler_wakes_up_for_it() {
    let (now, time) = (Instant::now(), DateTime::UNIX_EPOCH);
    let planned = |start: &str| {
        let plan = json!({"line": "final-planned", "number": 1, "start": start, "entrants": 2, "best_of": 1});
        state(&[three(), vec![begun(1, &[1, 2, 3]), line(plan)]].concat())
    };
    let decide = |state: &ServerState, playing: &[Playing]| {
        decide(state, &HealthByBot::default(), playing, Pauses::default(), (now, time))
    };
    let soon = planned("1970-01-01T00:00:02Z");
    let NextStep::Play(1, playing) = decide(&soon, &[]) else { panic!("there is time for a match") };
    let until = Some(now + Duration::from_secs(2));
    assert_eq!(decide(&soon, &[play(1, playing)]), NextStep::Wait { until, why: None });
    let far = planned("1971-01-01T00:00:00Z");
    assert_eq!(decide(&far, &[play(1, playing)]), NextStep::Wait { until: Some(now + LONGEST_WAIT), why: None });
    let due = planned("1970-01-01T00:00:00Z");
    assert_eq!(decide(&due, &[play(1, playing)]), NOTHING, "that match is played to its end");
    assert!(matches!(decide(&due, &[]), NextStep::Final(FinalStep::Begin(bots)) if bots.len() == 2));
}

/// Nine bots in tournament 1, of which the first is slow.
fn with_slow(parallel: u32) -> (Vec<ServerJournalLine>, HealthByBot) {
    let settings = ServerSettings { parallel, ..ServerSettings::default() };
    let mut lines = vec![arena(), mode("running"), line(json!({"line": "settings", "settings": settings}))];
    lines.extend((1..=9).flat_map(|bot| [registered(bot, &format!("bot {bot}")), url(bot)]));
    lines.push(begun(1, &NINE));
    let mut health = HealthByBot::default();
    (1..=9).for_each(|bot| health.took(BotId(bot), Duration::from_secs(if bot == 1 { 50 } else { 1 }), true));
    (lines, health)
}

const SLOW: BotId = BotId(1);
const NINE: [u32; 9] = [1, 2, 3, 4, 5, 6, 7, 8, 9];
/// The pairings of eight bots that are not slow.
const FAST: usize = 28;

#[test]
fn after_a_match_of_a_slow_bot_others_come_first_until_they_have_had_their_time() {
    let (lines, health) = with_slow(1);
    let (state, now) = (state(&lines), Instant::now());
    let after = now + Duration::from_secs(150);
    let pauses = Pauses { slow_after: Some(after), ..Pauses::default() };
    let NextStep::Play(1, pairing) = next(&state, &health, &[], pauses, now) else { panic!("nobody plays") };
    assert!(!pairing.contains(&SLOW));
    let (_, first) = state.pairings_left().next().unwrap();
    assert_eq!(next(&state, &health, &[], pauses, after), NextStep::Play(1, first), "the order counts again");
    let pauses = [1, 2, 3, 4, 64].map(|parallel| pause_of_slow(Duration::from_secs(60), parallel).as_secs());
    assert_eq!(pauses, [180, 60, 20, 0, 0], "a quarter of the time of one place, or one place of four");
}

#[test]
fn of_eight_matches_at_the_same_time_two_are_of_slow_bots() {
    let (lines, mut health) = with_slow(8);
    health.took(BotId(2), Duration::from_secs(200), true);
    let slow = SlowBots::of(&state(&lines), &health, Instant::now());
    let pairing = |a, b| play(1, [BotId(a), BotId(b)]);
    assert!(slow.may_play(&[pairing(1, 3), pairing(4, 5)]));
    assert!(!slow.may_play(&[pairing(1, 3), pairing(4, 2)]));
    assert_eq!(slow.others.len(), 7);
}

/// Plays three tournaments with so many matches at the same time, of which those of the slow bot never end.
fn plays_on(parallel: u32) {
    let (mut lines, health) = with_slow(parallel);
    let now = Instant::now();
    let mut playing: Vec<Playing> = Vec::new();
    let (mut id, mut number, mut played_fast) = (0, 1, [0; 4]);
    while number < 4 {
        let pauses =
            Pauses { slow_after: (parallel < 4).then_some(now + Duration::from_secs(150)), ..Pauses::default() };
        match next(&state(&lines), &health, &playing, pauses, now) {
            NextStep::Play(tournament, pairing) => playing.push(Playing { tournament, bots: pairing, begun: now }),
            NextStep::Begin(bots) => {
                assert_eq!(bots.len(), 9);
                // All but those of the bot that is playing against the slow one.
                let least = if playing.is_empty() { FAST } else { FAST - 7 };
                assert!(played_fast[number as usize] >= least, "with {parallel}: {played_fast:?}");
                number += 1;
                lines.push(begun(number, &NINE));
            }
            NextStep::End(number) => {
                lines.push(line(json!({"line": "tournament-ended", "number": number, "unplayed": 8})));
            }
            step => {
                let fast = playing.iter().position(|running| !running.bots.contains(&SLOW));
                let Some(at) = fast else { panic!("{parallel}: {step:?} in {number}") };
                let Playing { tournament, bots: pairing, .. } = playing.remove(at);
                id += 1;
                played_fast[tournament as usize] += 1;
                lines.push(played(id, tournament, pairing, None));
            }
        }
        // One of which a match is being played, one that is given up next, and the one before.
        assert!(state(&lines).previous.len() <= 3);
    }
    assert!(playing.len() <= 1, "one bot plays one match");
}

#[test]
fn the_next_tournament_begins_beside_what_is_left_of_slow_bots() {
    [1, 2, 4, 8].into_iter().for_each(plays_on);
}

#[test]
fn matches_of_slow_bots_are_given_up_for_those_of_the_tournament_after_the_next_and_no_others() {
    let (mut lines, health) = with_slow(1);
    lines.push(begun(2, &NINE));
    let now = Instant::now();
    let of_first = |lines: &[ServerJournalLine], has_slow: bool| {
        let left: Vec<_> = state(lines).all_pairings_left().collect();
        let is_wanted = |(number, pairing): &(u32, [BotId; 2])| *number == 1 && pairing.contains(&SLOW) == has_slow;
        left.into_iter().filter(is_wanted).map(|(_, pairing)| pairing).collect::<Vec<_>>()
    };
    lines.push(begun(3, &NINE));
    let held = play(1, of_first(&lines, true)[0]);
    let step = |lines: &[ServerJournalLine], playing: &[Playing]| {
        next(&state(lines), &health, playing, Pauses::default(), now)
    };
    // A bot was busy with the slow one while the others have met.
    let others = of_first(&lines, false);
    for (id, pairing) in others[1..].iter().enumerate() {
        lines.push(played(id as u64 + 1, 1, *pairing, None));
    }
    assert_eq!(step(&lines, &[]), NextStep::Play(1, others[0]));
    lines.push(played(99, 1, others[0], None));
    assert_eq!(step(&lines, &[]), NextStep::End(1));
    assert!(matches!(step(&lines, &[held]), NextStep::Wait { .. }), "its match is played to the end");
    assert!(state(&lines).pairings_left().all(|(number, _)| number > 1));
}

#[test]
fn a_match_that_takes_as_long_as_one_of_a_slow_bot_holds_nobody_up() {
    let (mut lines, _) = with_slow(2);
    let health = HealthByBot::default();
    let now = Instant::now();
    let (_, [a, b]) = state(&lines).pairings_left().next().unwrap();
    let long = play(1, [a, b]);
    let busy = |pairing: &[BotId; 2]| pairing.contains(&a) || pairing.contains(&b);
    let others: Vec<_> = state(&lines).pairings_left().filter(|(_, pairing)| !busy(pairing)).collect();
    for (id, (_, pairing)) in others.iter().enumerate() {
        lines.push(played(id as u64 + 1, 1, *pairing, None));
    }
    let step = |now| next(&state(&lines), &health, &[long], Pauses::default(), now);
    let turns_slow = long.begun + Duration::from_secs(15);
    assert_eq!(step(now), NextStep::Wait { until: Some(turns_slow), why: None });
    assert!(matches!(step(turns_slow), NextStep::Begin(_)), "the others play in the next tournament");
}

#[test]
fn a_match_that_takes_longer_than_is_usual_holds_nobody_up() {
    let (mut lines, health) = with_slow(2);
    let now = Instant::now();
    let all = state(&lines).pairings_left().map(|(_, pairing)| pairing).collect::<Vec<_>>();
    let fast: Vec<_> = all.into_iter().filter(|pairing| !pairing.contains(&SLOW)).collect();
    for (id, pairing) in fast[1..].iter().enumerate() {
        lines.push(played(id as u64 + 1, 1, *pairing, None));
    }
    let long = play(1, fast[0]);
    let pauses = Pauses { slow_after: Some(now + Duration::from_secs(150)), ..Pauses::default() };
    let step = |now| next(&state(&lines), &health, &[long], pauses, now);
    let turns_long = long.begun + Duration::from_secs(5);
    assert_eq!(step(now), NextStep::Wait { until: Some(turns_long), why: None });
    assert!(matches!(step(turns_long), NextStep::Begin(_)), "a bot of this pairing may be just below slow");
}

/// Four tournaments, of which nothing is left but one match of two quick bots, and the whole last one.
fn with_one_left_in_each(parallel: u32) -> (Vec<ServerJournalLine>, [BotId; 2]) {
    let (mut lines, _) = with_slow(parallel);
    let left = [BotId(2), BotId(3)];
    let mut id = 0;
    for number in 1..=4 {
        if number > 1 {
            lines.push(begun(number, &NINE));
        }
        for (_, pairing) in state(&lines).pairings_left().filter(|(of, _)| *of == number) {
            if number < 4 && !left.iter().all(|bot| pairing.contains(bot)) {
                id += 1;
                lines.push(played(id, number, pairing, None));
            }
        }
    }
    (lines, left)
}

fn quick(bots: &[u32]) -> HealthByBot {
    let mut health = HealthByBot::default();
    bots.iter().for_each(|bot| health.took(BotId(*bot), Duration::from_millis(300), true));
    health
}

#[test]
fn no_more_tournaments_begin_than_are_played_to_their_ends() {
    let (mut lines, left) = with_one_left_in_each(2);
    let health = quick(&NINE);
    assert_eq!(state(&lines).previous.len(), MOST_BEHIND);
    let now = Instant::now();
    let long_ago = now.checked_sub(Duration::from_secs(9)).unwrap();
    let held = Playing { begun: long_ago, ..play(1, left) };
    let (mut id, mut others) = (1000, 0);
    while let NextStep::Play(4, pairing) = next(&state(&lines), &health, &[held], Pauses::default(), now) {
        (id, others) = (id + 1, others + 1);
        lines.push(played(id, 4, pairing, None));
    }
    assert_eq!(others, 21, "all that are free have met");
    let step = next(&state(&lines), &health, &[held], Pauses::default(), now);
    assert!(matches!(step, NextStep::Wait { .. }), "{step:?}");
    // Their matches are quick ones, so none is given up.
    assert!(matches!(next(&state(&lines), &health, &[], Pauses::default(), now), NextStep::Play(1, _)));
}

#[test]
fn only_matches_that_take_long_are_given_up_however_little_of_the_budget_that_is() {
    let (lines, left) = with_one_left_in_each(2);
    let (mut health, now) = (quick(&NINE), Instant::now());
    let step =
        |lines: &[ServerJournalLine], health: &HealthByBot| next(&state(lines), health, &[], Pauses::default(), now);
    assert!(matches!(step(&lines, &health), NextStep::Play(1, _)));
    // Less than a quarter of the budget, but much longer than others.
    health.met(left, Duration::from_secs(14), true, now);
    assert_eq!(step(&lines, &health), NextStep::End(1));
    // Then few enough are open, and it is not slow any more.
    let ended = line(json!({"line": "tournament-ended", "number": 1, "unplayed": 1}));
    assert!(matches!(step(&[&lines[..], &[ended]].concat(), &health), NextStep::Play(2, _)));
}

#[test]
fn a_pairing_that_took_long_is_given_up_and_no_other_match_of_its_bots() {
    let (mut lines, left) = with_one_left_in_each(2);
    let (mut health, now) = (quick(&NINE), Instant::now());
    lines.push(line(json!({"line": "tournament-ended", "number": 1, "unplayed": 1})));
    lines.push(begun(5, &NINE));
    health.met(left, Duration::from_secs(50), true, now);
    let step = next(&state(&lines), &health, &[], Pauses::default(), now);
    assert_eq!(step, NextStep::End(2));
    assert!(!health.slow(&state(&lines), now).has(&[left[0], BotId(4)]));
}

#[test]
fn the_scheduler_wakes_up_when_a_slow_bot_may_play_again() {
    let (mut lines, health) = with_slow(2);
    let now = Instant::now();
    let until = now + Duration::from_secs(1);
    let pauses = Pauses { slow_after: Some(until), ..Pauses::default() };
    let fast: Vec<_> = state(&lines).pairings_left().filter(|(_, pairing)| !pairing.contains(&SLOW)).collect();
    for (id, (_, pairing)) in fast[1..].iter().enumerate() {
        lines.push(played(id as u64 + 1, 1, *pairing, None));
    }
    let playing = [play(1, fast[0].1)];
    let step = next(&state(&lines), &health, &playing, pauses, now);
    assert_eq!(step, NextStep::Wait { until: Some(until), why: None });
    assert!(matches!(next(&state(&lines), &health, &playing, pauses, until), NextStep::Play(1, _)));
}

/// Bots that are slow against one rival only would take all of its time, one after the other.
#[test]
fn who_has_had_a_long_match_plays_quick_ones_until_it_has_had_its_time() {
    let (mut lines, _) = with_slow(4);
    let (rival, long, now) = (BotId(2), Duration::from_secs(50), Instant::now());
    let mut health = quick(&NINE);
    [3, 4].into_iter().for_each(|foe| health.met([rival, BotId(foe)], long, true, now));
    let others: Vec<_> = state(&lines).pairings_left().filter(|(_, pairing)| !pairing.contains(&rival)).collect();
    for (id, (_, pairing)) in others.iter().enumerate() {
        lines.push(played(id as u64 + 1, 1, *pairing, None));
    }
    for id in 100..106 {
        let NextStep::Play(1, pairing) = next(&state(&lines), &health, &[], Pauses::default(), now) else {
            panic!("its quick matches come first")
        };
        assert!(pairing.contains(&rival) && !pairing.iter().any(|bot| [BotId(3), BotId(4)].contains(bot)));
        lines.push(played(id, 1, pairing, None));
    }
    lines.push(begun(2, &NINE));
    let slow = |after| {
        let quick = Playing { begun: now + after, ..play(2, [BotId(5), BotId(6)]) };
        matches!(next(&state(&lines), &health, &[quick], Pauses::default(), now + after), NextStep::Play(1, _))
    };
    assert_eq!([slow(2 * long), slow(3 * long)], [false, true]);
}

#[test]
fn a_slow_bot_plays_on_if_there_is_nobody_else() {
    let mut health = HealthByBot::default();
    health.took(BotId(1), Duration::from_secs(1), true);
    health.took(BotId(2), Duration::from_secs(50), true);
    let lines = [&three()[..6], &[begun(1, &[1, 2])]].concat();
    let now = Instant::now();
    let pauses = Pauses { slow_after: Some(now + Duration::from_secs(150)), ..Pauses::default() };
    assert!(matches!(next(&state(&lines), &health, &[], pauses, now), NextStep::Play(1, _)));
}

#[test]
fn pauses_are_kept() {
    let now = Instant::now();
    let until = Some(now + Duration::from_secs(1));
    let (state, pauses) = (state(&three()), Pauses { rest_until: until, ..Pauses::default() });
    let nobody = HealthByBot::default();
    assert_eq!(next(&state, &nobody, &[], pauses, now), NextStep::Wait { until, why: None });
    assert!(matches!(next(&state, &nobody, &[], pauses, now + Duration::from_secs(1)), NextStep::Begin(_)));
}
