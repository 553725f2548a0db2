//! The decision what the scheduler does next: which bots meet, when a tournament or a final begins and ends. Matches of slow bots do
//! not hold up those of others.

use crate::matches::finals::step::{self, FinalStep};
use crate::matches::health::HealthByBot;
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

/// The next step while matches of these bots are being played, at a time of both clocks. A final has precedence over tournaments.
pub(super) fn decide(
    state: &ServerState,
    health: &HealthByBot,
    playing: &[[BotId; 2]],
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

/// The next step of tournaments while matches of these bots are being played.
fn next(state: &ServerState, health: &HealthByBot, playing: &[[BotId; 2]], pauses: Pauses, now: Instant) -> NextStep {
    if state.mode != TournamentMode::Running || playing.len() >= state.settings.parallel as usize {
        return NOTHING;
    }
    let until = pauses.rest_until.filter(|until| now < *until);
    if until.is_some() {
        return NextStep::Wait { until, why: None };
    }
    let Some(current) = state.tournament.as_ref().filter(|current| !current.is_over) else {
        return match (&state.previous, playing.is_empty()) {
            (Some(previous), true) => NextStep::End(previous.number),
            _ => begin(state, health, playing),
        };
    };
    let slow = SlowBots::of(state, health);
    let may_be_slow = slow.may_play(playing) && pauses.slow_after.is_none_or(|after| after <= now);
    let is_free = |pairing: &[BotId; 2]| pairing.iter().all(|bot| !playing.iter().flatten().any(|busy| busy == bot));
    let is_parked = |pairing: &[BotId; 2]| pairing.iter().any(|bot| health.is_parked(*bot));
    let ready = || state.pairings_left().filter(|(_, pairing)| is_free(pairing) && !is_parked(pairing));
    if let Some((tournament, pairing)) = ready().find(|(_, pairing)| may_be_slow || !slow.has(pairing)) {
        return NextStep::Play(tournament, pairing);
    }
    // All that is left, or will be when the matches that are being played are over.
    let has_only_slow = |open: &Tournament| {
        let mut left = state.left_in(open).filter(|pairing| !is_parked(pairing)).peekable();
        left.peek().is_some() && left.all(|pairing| slow.has(&pairing))
    };
    if has_only_slow(current) && slow.others >= 2 && playing.iter().all(|pairing| slow.has(pairing)) {
        return match &state.previous {
            None => NextStep::Begin(with_url(state)),
            // What is left of it is given up, or slow bots would be further behind with each tournament.
            Some(previous) if playing.is_empty() => NextStep::End(previous.number),
            Some(_) => NOTHING,
        };
    }
    if !playing.is_empty() {
        // When they are over, a parked bot may have come back.
        return NOTHING;
    }
    match ready().next() {
        Some((tournament, pairing)) => NextStep::Play(tournament, pairing),
        None => NextStep::End(state.previous.as_ref().unwrap_or(current).number),
    }
}

/// The bots that take much longer than others. While others wait, their matches take at most a quarter of the matches at the same
/// time, and of the time.
struct SlowBots {
    slow: BTreeSet<BotId>,
    /// The number of bots that may play and are not slow.
    others: usize,
    most: usize,
}

/// The part of the time, and of the matches at the same time, that matches of slow bots take at most.
const SLOW_PART: u32 = 4;

impl SlowBots {
    fn of(state: &ServerState, health: &HealthByBot) -> SlowBots {
        let slow = health.slow(state.settings.budget());
        let others = with_url(state).iter().filter(|bot| !slow.contains(bot) && !health.is_parked(**bot)).count();
        SlowBots { slow, others, most: (state.settings.parallel / SLOW_PART).max(1) as usize }
    }

    fn has(&self, pairing: &[BotId; 2]) -> bool {
        pairing.iter().any(|bot| self.slow.contains(bot))
    }

    /// True if one more match of a slow bot may begin beside these.
    fn may_play(&self, playing: &[[BotId; 2]]) -> bool {
        playing.iter().filter(|pairing| self.has(pairing)).count() < self.most
    }
}

/// The pause after a match of a slow bot until the next one, which gives others the rest of the time.
pub(super) fn pause_of_slow(took: Duration, parallel: u32) -> Duration {
    took * SLOW_PART.saturating_sub(parallel) / parallel.max(1)
}

fn with_url(state: &ServerState) -> Vec<BotId> {
    state.bots().filter(|entry| entry.url.is_some()).map(|entry| entry.id).collect()
}

fn begin(state: &ServerState, health: &HealthByBot, playing: &[[BotId; 2]]) -> NextStep {
    let with_url = with_url(state);
    let why = if with_url.len() < 2 {
        Some("two bots with a URL are needed")
    } else if with_url.iter().filter(|bot| !health.is_parked(**bot)).count() < 2 {
        Some("two bots that are not parked are needed")
    } else if playing.is_empty() {
        return NextStep::Begin(with_url);
    } else {
        None
    };
    NextStep::Wait { until: None, why }
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
        let playing: Vec<[BotId; 2]> = playing.iter().map(|pairing| pairing.map(BotId)).collect();
        next(&state(lines), health, &playing, Pauses::default(), Instant::now())
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
        let decide = |state: &ServerState, playing: &[[BotId; 2]]| {
            decide(state, &HealthByBot::default(), playing, Pauses::default(), (now, time))
        };
        let soon = planned("1970-01-01T00:00:02Z");
        let NextStep::Play(1, playing) = decide(&soon, &[]) else { panic!("there is time for a match") };
        let until = Some(now + Duration::from_secs(2));
        assert_eq!(decide(&soon, &[playing]), NextStep::Wait { until, why: None });
        let far = planned("1971-01-01T00:00:00Z");
        assert_eq!(decide(&far, &[playing]), NextStep::Wait { until: Some(now + LONGEST_WAIT), why: None });
        let due = planned("1970-01-01T00:00:00Z");
        assert_eq!(decide(&due, &[playing]), NOTHING, "that match is played to its end");
        assert!(matches!(decide(&due, &[]), NextStep::Final(FinalStep::Begin(bots)) if bots.len() == 2));
    }

    /// Five bots in tournament 1, of which the first is slow.
    fn with_slow(parallel: u32) -> (Vec<ServerJournalLine>, HealthByBot) {
        let settings = ServerSettings { parallel, ..ServerSettings::default() };
        let mut lines = vec![arena(), mode("running"), line(json!({"line": "settings", "settings": settings}))];
        lines.extend((1..=5).flat_map(|bot| [registered(bot, &format!("bot {bot}")), url(bot)]));
        lines.push(begun(1, &[1, 2, 3, 4, 5]));
        let mut health = HealthByBot::default();
        (1..=5).for_each(|bot| health.took(BotId(bot), Duration::from_secs(if bot == 1 { 50 } else { 1 })));
        (lines, health)
    }

    const SLOW: BotId = BotId(1);

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
        health.took(BotId(2), Duration::from_secs(200));
        let slow = SlowBots::of(&state(&lines), &health);
        let pairing = |a, b| [BotId(a), BotId(b)];
        assert!(slow.may_play(&[pairing(1, 3), pairing(4, 5)]));
        assert!(!slow.may_play(&[pairing(1, 3), pairing(4, 2)]));
        assert_eq!(slow.others, 3);
    }

    #[test]
    fn the_next_tournament_begins_beside_what_is_left_of_slow_bots() {
        let (mut lines, health) = with_slow(1);
        let now = Instant::now();
        let pauses = Pauses { slow_after: Some(now + Duration::from_secs(150)), ..Pauses::default() };
        let mut id = 0;
        let mut play = |lines: &mut Vec<ServerJournalLine>, number| {
            for _ in 0..6 {
                let step = next(&state(lines), &health, &[], pauses, now);
                let NextStep::Play(of, pairing) = step else { panic!("{step:?}") };
                assert!(of == number && !pairing.contains(&SLOW));
                id += 1;
                lines.push(played(id, number, pairing, None));
            }
        };
        play(&mut lines, 1);
        let all = (1..=5).map(BotId).collect::<Vec<_>>();
        assert_eq!(next(&state(&lines), &health, &[], pauses, now), NextStep::Begin(all.clone()));
        let (_, slow) = state(&lines).pairings_left().next().unwrap();
        assert_eq!(next(&state(&lines), &health, &[slow], pauses, now), NOTHING, "there is one place");
        lines.push(begun(2, &[1, 2, 3, 4, 5]));
        play(&mut lines, 2);
        let step = |pauses| next(&state(&lines), &health, &[], pauses, now);
        assert_eq!(step(pauses), NextStep::End(1), "the next one begins then");
        assert_eq!(step(Pauses::default()), NextStep::Play(1, slow), "those of the tournament before come first");
    }

    #[test]
    fn a_slow_bot_plays_on_if_there_is_nobody_else() {
        let mut health = HealthByBot::default();
        health.took(BotId(1), Duration::from_secs(1));
        health.took(BotId(2), Duration::from_secs(50));
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
