//! Tests of the health of bots.

use super::*;
use crate::state::server_state::tests::{arena, begun, played, registered, state};
use rules::Seat;

const BOT: BotId = BotId(1);

fn parked(now: Instant) -> HealthByBot {
    let mut health = HealthByBot::default();
    let parked: Vec<bool> = (0..3).map(|_| health.never_began(BOT, "refused", now)).collect();
    assert_eq!(parked, [false, false, true]);
    health
}

#[test]
fn a_bot_that_begins_none_of_three_matches_in_a_row_is_parked() {
    let now = Instant::now();
    assert!(parked(now).is_parked(BOT));
    let mut health = HealthByBot::default();
    for _ in 0..5 {
        assert!(!health.never_began(BOT, "refused", now) && !health.never_began(BOT, "refused", now));
        health.began(BOT);
    }
}

#[test]
fn a_parked_bot_is_asked_after_growing_times() {
    let mut now = Instant::now();
    let mut health = parked(now);
    let mut waited = Vec::new();
    for _ in 0..9 {
        let next = health.due(now).unwrap_err().unwrap();
        waited.push((next - now).as_secs());
        now = next;
        assert_eq!(health.due(now), Ok(BOT));
        health.asked_in_vain(BOT, "still refused", now);
    }
    assert_eq!(waited, [5, 10, 20, 40, 80, 160, 300, 300, 300]);
    assert_eq!(health.of(BOT).parked.unwrap().why, "still refused");
    assert!(health.welcome(BOT) && !health.welcome(BOT));
    assert_eq!(health.due(now), Err(None));
    assert!(!health.never_began(BOT, "refused", now), "it has all its chances again");
}

#[test]
fn a_bot_is_slow_if_it_takes_much_of_its_budget_and_much_longer_than_others() {
    let (ms, budget) = (Duration::from_millis, Duration::from_secs(60));
    let bots: Vec<BotId> = (1..=8).map(BotId).collect();
    let slow = |health: &HealthByBot| health.slow_of(&bots, least_of_slow(budget), Instant::now()).bots;
    let mut health = HealthByBot::default();
    for bot in 1..=6 {
        health.took(BotId(bot), ms(300), true);
    }
    health.took(BotId(7), ms(14_900), true);
    health.took(BotId(8), ms(60_000), true);
    health.took(BotId(9), ms(90_000), true);
    assert_eq!(slow(&health), [BotId(8)].into(), "7 takes less than a quarter of the budget, 9 was removed");
    (0..9).for_each(|_| health.took(BotId(8), ms(100), false));
    assert_eq!(slow(&health), [BotId(8)].into(), "those matches ended early");
    health.forget_faults(BotId(8));
    assert_eq!(slow(&health), [BotId(8)].into(), "it has another URL");
    (0..4).for_each(|_| health.took(BotId(8), ms(100), true));
    assert_eq!(slow(&health), [BotId(8)].into(), "it is fast in some matches");
    health.took(BotId(8), ms(100), true);
    assert_eq!(slow(&health), BTreeSet::new(), "it has become faster");
    (4..=8).for_each(|bot| health.took(BotId(bot), ms(50_000), true));
    assert_eq!(slow(&health), BTreeSet::new(), "too many are alike");
}

#[test]
fn a_pairing_is_slow_however_quick_its_bots_are_against_others() {
    let (quick, long, now) = (Duration::from_millis(300), Duration::from_secs(50), Instant::now());
    let bots: Vec<BotId> = (1..=8).map(BotId).collect();
    let [rival, foe] = [BotId(7), BotId(8)];
    let mut health = HealthByBot::default();
    let slow = |health: &HealthByBot, now| health.slow_of(&bots, least_of_slow(Duration::from_secs(60)), now);
    health.took(foe, long, true);
    health.met([rival, foe], long, true, now);
    (0..20).for_each(|_| bots.iter().for_each(|bot| health.took(*bot, quick, true)));
    let known = slow(&health, now);
    assert!(known.bots.is_empty() && known.has(&[foe, rival]) && known.has(&[rival, foe]));
    assert!(!known.has(&[rival, BotId(1)]) && !known.has(&[foe, BotId(1)]));
    let rests = [rival, foe, BotId(1)].map(|bot| known.rests_until(&[bot, BotId(2)]));
    assert_eq!(rests, [Some(now + 3 * long), Some(now + 3 * long), None], "three quarters of the time are for others");
    assert!(!slow(&health, now + REMEMBERED).has(&[rival, foe]), "it is long ago");
    health.met([foe, rival], quick, false, now);
    assert!(slow(&health, now).has(&[rival, foe]), "that match ended early");
    health.met([foe, rival], quick, true, now);
    assert!(!slow(&health, now).has(&[rival, foe]), "they have met again, and were quick");
    health.met([foe, rival], long, false, now);
    health.forget(foe);
    assert!(!slow(&health, now).has(&[rival, foe]), "the bot was removed");
}

#[test]
fn the_pairings_that_are_remembered_are_bounded() {
    let (mut health, now) = (HealthByBot::default(), Instant::now());
    for bot in 1..=MOST_PAIRINGS as u32 + 2 {
        health.met([BOT, BotId(bot + 1)], LONG, true, now + Duration::from_millis(bot.into()));
    }
    assert_eq!(health.long.len(), MOST_PAIRINGS);
    assert!(!health.long.contains_key(&[BOT, BotId(3)]), "the oldest are forgotten");
}

#[test]
fn who_has_answered_before_a_restart_is_missed_after_it() {
    let mut lines = vec![arena(), registered(1, "a"), registered(2, "b"), registered(3, "c"), begun(1, &[1, 2, 3])];
    let (_, pairing) = state(&lines).pairings_left().next().unwrap();
    lines.push(played(1, 1, pairing, Some(Seat::B)));
    let (mut health, now) = (HealthByBot::of_those_that_answered(&state(&lines)), Instant::now());
    for bot in [1, 2, 3].map(BotId) {
        health.absent(bot, now);
        let has_played = pairing.contains(&bot);
        assert_eq!(health.is_absent(bot, now, Duration::from_secs(60)), has_played.then_some(true));
    }
}

#[test]
fn the_last_answer_and_the_last_fault_are_known() {
    let mut health = HealthByBot::default();
    assert_eq!(health.of(BOT), Health::default());
    let now = Instant::now();
    health.absent(BOT, now);
    let minute = Duration::from_secs(60);
    assert_eq!(health.is_absent(BOT, now, minute), None, "it has never come");
    health.began(BOT);
    health.failed(BOT, "refused", false);
    health.absent(BOT, now);
    let absent = |health: &HealthByBot, now| health.is_absent(BOT, now, minute);
    assert_eq!([absent(&health, now), absent(&health, now + minute)], [Some(true), Some(false)]);
    health.answered(BOT, Some(Duration::from_millis(3)));
    assert_eq!(absent(&health, now), Some(false));
    assert_eq!(absent(&parked(now), now), None, "it is no news");
    let health = health.of(BOT);
    assert_eq!((health.reachable, health.fault.as_deref()), (Some(true), Some("refused")));
    assert_eq!(health.latency, Some(Duration::from_millis(3)));
}
