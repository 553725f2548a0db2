//! The next step of the scheduler: which bots meet, when a tournament or a final begins and ends. Matches of slow bots do
//! not hold up those of others.

use crate::matches::finals::step::{self, FinalStep};
use crate::matches::health::{HealthByBot, least_of_slow};
use crate::state::final_state::Final;
use crate::state::journal_line::{BotId, TournamentMode};
use crate::state::server_state::ServerState;
use crate::state::tournament::Tournament;
use chrono::{DateTime, Utc};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The longest wait for a time of the wall clock.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// The next step of the scheduler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NextStep {
    /// Begin a tournament of these bots.
    Begin(Vec<BotId>),
    /// Play a match of these bots in this tournament.
    Play(u32, [BotId; 2]),
    /// The next step of a final.
    Final(FinalStep),
    /// End this tournament.
    End(u32),
    /// Wait until something changes, or until this time.
    Wait { until: Option<Instant>, why: Option<&'static str> },
}

const NOTHING: NextStep = NextStep::Wait { until: None, why: None };

/// The times until which nothing begins: pauses between matches, after a match of a slow bot, and after a failure of the server.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pauses {
    pub(super) rest_until: Option<Instant>,
    /// Until then, matches of slow bots only begin if no others can.
    pub(super) slow_after: Option<Instant>,
    pub(super) retry_at: Option<Instant>,
}

/// A match that is being played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Playing {
    /// The number of its tournament, or 0 for a game of a final.
    pub(crate) tournament: u32,
    pub(crate) bots: [BotId; 2],
    /// The time when it began.
    pub(crate) begun: Instant,
}

/// The next step while these matches are being played, at a time of both clocks. A final has precedence over tournaments.
pub(super) fn decide(
    state: &ServerState,
    health: &HealthByBot,
    playing: &[Playing],
    pauses: Pauses,
    (now, time): (Instant, DateTime<Utc>),
) -> NextStep {
    let waits = |until: Option<Instant>| until.filter(|until| now < *until);
    if let Some(until) = waits(pauses.retry_at) {
        return NextStep::Wait { until: Some(until), why: None };
    }
    // The clock of the wall may be set, or go on while the machine sleeps.
    let instant = |at: DateTime<Utc>| now + (at - time).to_std().unwrap_or_default().min(LONGEST_WAIT);
    match step::next(state, health, !playing.is_empty(), time) {
        Some(FinalStep::Wait { why }) => NextStep::Wait { until: None, why },
        // A final begins at its time; its games and its end have pauses of their own.
        Some(step @ FinalStep::Begin(_)) => NextStep::Final(step),
        Some(step) => match waits(pauses.rest_until) {
            Some(until) => NextStep::Wait { until: Some(until), why: None },
            None => NextStep::Final(step),
        },
        None => match next(state, health, playing, pauses, now) {
            NextStep::Wait { until, why } => {
                let begins = state.present_final.as_ref().and_then(Final::to_come).map(instant);
                NextStep::Wait { until: until.into_iter().chain(begins).min(), why }
            }
            step => step,
        },
    }
}

/// The next step of tournaments while these matches are being played.
fn next(state: &ServerState, health: &HealthByBot, playing: &[Playing], pauses: Pauses, now: Instant) -> NextStep {
    if state.mode != TournamentMode::Running {
        return NOTHING;
    }
    let is_parked = |pairing: &[BotId; 2]| pairing.iter().any(|bot| health.is_parked(*bot));
    let is_played = |open: &Tournament| playing.iter().any(|running| running.tournament == open.number);
    let slow = SlowBots::of(state, health, now);
    // Matches of other bots are never given up: one of them may have been busy with a slow bot.
    let others_left =
        |open: &Tournament| state.left_in(open).any(|pairing| !is_parked(&pairing) && !slow.has(&pairing));
    if let Some(given_up) = state.given_up().iter().find(|open| !is_played(open) && !others_left(open)) {
        return NextStep::End(given_up.number);
    }
    if playing.len() >= state.settings.parallel as usize {
        return NOTHING;
    }
    let until = pauses.rest_until.filter(|until| now < *until);
    if until.is_some() {
        return NextStep::Wait { until, why: None };
    }
    let Some(current) = state.tournament.as_ref().filter(|current| !current.is_over) else {
        return begin(state, health);
    };
    // Those that are being played are left until they are over. Until then, a parked bot may come back.
    let is_left = state.left_in(current).any(|pairing| !is_parked(&pairing));
    if !is_left && !is_played(current) {
        return NextStep::End(current.number);
    }
    let is_busy = |bot: &BotId| playing.iter().any(|running| running.bots.contains(bot));
    let given_up = state.given_up().iter().map(|open| open.number).max().unwrap_or(0);
    let ready = || {
        let left = state.all_pairings_left().filter(|(_, pairing)| !is_parked(pairing) && !pairing.iter().any(is_busy));
        left.filter(|(number, pairing)| *number > given_up || !slow.has(pairing))
    };
    let has_only_slow = playing.iter().all(|running| slow.plays(running));
    // At once, they play in the next tournament.
    let has_others = slow.others.iter().filter(|bot| !is_busy(bot)).count() >= 2;
    if is_left && has_others && has_only_slow && ready().all(|(_, pairing)| slow.has(&pairing)) {
        return NextStep::Begin(with_url(state));
    }
    let waits_until = pauses.slow_after.filter(|after| now < *after);
    let may_be_slow = slow.may_play(playing);
    let next = ready().find(|(_, pairing)| may_be_slow && waits_until.is_none() || !slow.has(pairing));
    // A slow bot plays on if there is nobody else.
    match next.or_else(|| ready().next().filter(|_| playing.is_empty())) {
        Some((tournament, pairing)) => NextStep::Play(tournament, pairing),
        None => {
            let slow_again = waits_until.filter(|_| may_be_slow && ready().next().is_some());
            let turns_slow = playing.iter().map(|running| running.begun + slow.least).filter(|at| now < *at);
            NextStep::Wait { until: slow_again.into_iter().chain(turns_slow).min(), why: None }
        }
    }
}

/// The bots that take much longer than others. While others wait, their matches take at most a quarter of the matches at the same
/// time, and of the time.
struct SlowBots {
    slow: BTreeSet<BotId>,
    /// The bots that may play and are not slow.
    others: Vec<BotId>,
    most: usize,
    /// The time after which a match that is being played is one of a slow bot, whoever plays.
    least: Duration,
    now: Instant,
}

/// The part of the time, and of the matches at the same time, that matches of slow bots take at most.
const SLOW_PART: u32 = 4;

impl SlowBots {
    fn of(state: &ServerState, health: &HealthByBot, now: Instant) -> SlowBots {
        let mut others = with_url(state);
        others.retain(|bot| !health.is_parked(*bot));
        let slow = health.slow_bots(state);
        others.retain(|bot| !slow.contains(bot));
        let most = (state.settings.parallel / SLOW_PART).max(1) as usize;
        SlowBots { slow, others, most, least: least_of_slow(state.settings.budget()), now }
    }

    fn has(&self, pairing: &[BotId; 2]) -> bool {
        pairing.iter().any(|bot| self.slow.contains(bot))
    }

    /// True for a match of a slow bot, and for one that takes as long.
    fn plays(&self, running: &Playing) -> bool {
        self.has(&running.bots) || running.begun + self.least <= self.now
    }

    /// True if one more match of a slow bot may begin beside these.
    fn may_play(&self, playing: &[Playing]) -> bool {
        playing.iter().filter(|running| self.plays(running)).count() < self.most
    }
}

/// The pause after a match of a slow bot until the next one, which gives others the rest of the time.
pub(super) fn pause_of_slow(took: Duration, parallel: u32) -> Duration {
    took * SLOW_PART.saturating_sub(parallel) / parallel.max(1)
}

fn with_url(state: &ServerState) -> Vec<BotId> {
    state.bots().filter(|entry| entry.url.is_some()).map(|entry| entry.id).collect()
}

fn begin(state: &ServerState, health: &HealthByBot) -> NextStep {
    let with_url = with_url(state);
    let why = if with_url.len() < 2 {
        "two bots with a URL are needed"
    } else if with_url.iter().filter(|bot| !health.is_parked(**bot)).count() < 2 {
        "two bots that are not parked are needed"
    } else {
        return NextStep::Begin(with_url);
    };
    NextStep::Wait { until: None, why: Some(why) }
}

#[cfg(test)]
mod tests {
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
    fn the_scheduler_wakes_up_when_a_slow_bot_may_play_again() {
        let (mut lines, health) = with_slow(2);
        let now = Instant::now();
        let until = now + Duration::from_secs(9);
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
}
