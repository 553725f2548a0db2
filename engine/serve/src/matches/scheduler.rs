//! The scheduler: decides which bots meet next, and keeps matches going.

use crate::matches::finals::commands;
use crate::matches::finals::screens;
use crate::matches::finals::step::{self, FinalStep};
use crate::matches::health::HealthByBot;
use crate::matches::host::MatchHost;
use crate::matches::match_run::{ScheduledMatch, play_match};
use crate::matches::match_thread;
use crate::matches::publish;
use crate::matches::running_matches::SchedulerState;
use crate::state::final_state::Final;
use crate::state::journal_line::{BotId, ServerJournalLine, TournamentMode, now};
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::round_robin::derived;
use crate::state::server_state::ServerState;
use arena::ArenaError;
use chrono::{DateTime, Utc};
use std::sync::{Arc, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The longest wait for a time of the wall clock.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// The next step of the scheduler.
#[derive(Debug, Clone, PartialEq, Eq)]
enum NextStep {
    /// Begin a tournament of these bots.
    Begin(Vec<BotId>),
    /// Play a match of these bots.
    Play([BotId; 2]),
    /// The next step of a final.
    Final(FinalStep),
    /// End the tournament. This number of its matches was left out.
    End { unplayed: u32 },
    /// Wait until something changes, or until this time.
    Wait { until: Option<Instant>, why: Option<&'static str> },
}

/// The times until which nothing begins: pauses between matches, and after a failure of the server.
#[derive(Debug, Clone, Copy, Default)]
struct Pauses {
    rest_until: Option<Instant>,
    retry_at: Option<Instant>,
}

/// The next step while these bots are playing, at a time of both clocks. A final has precedence over tournaments.
fn decide(
    state: &ServerState,
    health: &HealthByBot,
    playing: &[BotId],
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
        None => match next(state, health, playing, pauses.rest_until, now) {
            NextStep::Wait { until, why } => {
                let begins = state.present_final.as_ref().and_then(Final::to_come).map(instant);
                NextStep::Wait { until: until.into_iter().chain(begins).min(), why }
            }
            step => step,
        },
    }
}

/// The next step of tournaments while these bots are playing.
fn next(
    state: &ServerState,
    health: &HealthByBot,
    playing: &[BotId],
    rest_until: Option<Instant>,
    now: Instant,
) -> NextStep {
    let nothing = NextStep::Wait { until: None, why: None };
    if state.mode != TournamentMode::Running || playing.len() / 2 >= state.settings.parallel as usize {
        return nothing;
    }
    let until = rest_until.filter(|until| now < *until);
    if until.is_some() {
        return NextStep::Wait { until, why: None };
    }
    if state.tournament.as_ref().is_none_or(|tournament| tournament.is_over) {
        return begin(state, health, playing);
    }
    let mut unplayed = 0;
    let mut busy = false;
    for pairing in state.pairings_left() {
        if pairing.iter().any(|bot| playing.contains(bot)) {
            busy = true;
        } else if pairing.iter().any(|bot| health.is_parked(*bot)) {
            unplayed += 1;
        } else {
            return NextStep::Play(pairing);
        }
    }
    // While a match is played, a parked bot may still come back.
    if busy || !playing.is_empty() { nothing } else { NextStep::End { unplayed } }
}

fn begin(state: &ServerState, health: &HealthByBot, playing: &[BotId]) -> NextStep {
    let with_url: Vec<BotId> = state.bots().filter(|entry| entry.url.is_some()).map(|entry| entry.id).collect();
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

/// Keeps matches going until the server ends.
pub(crate) fn run(host: &Arc<MatchHost>) {
    if let Err(error) = screens::resume(host) {
        host.report_trouble(&error.to_string());
    }
    loop {
        let mut matches = host.running.lock();
        if matches.closing {
            break;
        }
        let playing: Vec<BotId> = matches.running.values().flat_map(|running| running.bots).collect();
        let pauses = Pauses { rest_until: matches.rest_until, retry_at: matches.retry_at };
        let done = match host
            .store
            .look(|state| decide(state, &host.health(), &playing, pauses, (Instant::now(), Utc::now())))
        {
            NextStep::Wait { until, why } => {
                if std::mem::replace(&mut matches.waiting, why) == why {
                    drop(host.running.rest(matches, until));
                } else {
                    drop(matches);
                    publish::tournament(host);
                }
                Ok(())
            }
            // A bot may have been removed meanwhile.
            NextStep::Play(pairing) => match host.store.look(|state| scheduled(state, pairing, &matches)) {
                Some(scheduled) => begin_match(host, matches, scheduled).map_err(RequestError::from),
                None => Ok(()),
            },
            NextStep::Final(FinalStep::Play(fixture)) => {
                match host.store.look(|state| commands::scheduled(state, fixture, matches.last_id)) {
                    Some(scheduled) => begin_match(host, matches, scheduled).map_err(RequestError::from),
                    None => Ok(()),
                }
            }
            NextStep::Final(step) => {
                matches.waiting = None;
                drop(matches);
                match step {
                    FinalStep::Begin(bots) => commands::begin_final(host, &bots),
                    _ => commands::end_final(host),
                }
            }
            NextStep::Begin(bots) => {
                matches.waiting = None;
                drop(matches);
                begin_tournament(host, bots)
            }
            NextStep::End { unplayed } => {
                drop(matches);
                end_tournament(host, unplayed)
            }
        };
        if let Err(error) = done {
            host.report_trouble(&error.to_string());
        }
    }
    // All matches that are still played were interrupted.
    let threads: Vec<JoinHandle<()>> =
        host.running.lock().running.values_mut().filter_map(|running| running.thread.take()).collect();
    threads.into_iter().for_each(|thread| drop(thread.join()));
}

fn scheduled(state: &ServerState, bots: [BotId; 2], matches: &SchedulerState) -> Option<ScheduledMatch> {
    let tournament = state.tournament.as_ref()?;
    let [a, b] = bots.map(|bot| state.bot(bot));
    let (a, b) = (a?, b?);
    let nth = tournament.played.len() + matches.running.len() + 1;
    Some(ScheduledMatch {
        id: state.last_match.max(matches.last_id) + 1,
        tournament: tournament.number,
        place: [nth, tournament.order.len()].map(|number| number as u32),
        final_game: None,
        bots,
        names: [a.name.clone(), b.name.clone()],
        urls: [a.url.clone()?, b.url.clone()?],
        seed: derived(tournament.seed, &bots.map(|bot| bot.0.into())),
        settings: state.settings,
    })
}

fn begin_tournament(host: &Arc<MatchHost>, bots: Vec<BotId>) -> RequestResult<()> {
    host.store.enter(|state| {
        let number = state.next_tournament();
        let seed = derived(state.seed, &[number.into()]).to_string();
        let bots = bots.into_iter().filter(|bot| state.bot(*bot).is_some()).collect();
        Ok(ServerJournalLine::TournamentBegun { number, seed, bots, at: now() })
    })?;
    publish::tournament(host);
    publish::leaderboard(host);
    Ok(())
}

fn end_tournament(host: &Arc<MatchHost>, unplayed: u32) -> RequestResult<()> {
    host.store.enter(|state| {
        let number = state.tournament.as_ref().map_or(0, |tournament| tournament.number);
        Ok(ServerJournalLine::TournamentEnded { number, unplayed, at: now() })
    })?;
    let pause = host.store.look(|state| state.settings.pause_tournament);
    host.running.lock().rest_until = Some(Instant::now() + Duration::from_millis(pause));
    publish::tournament(host);
    Ok(())
}

fn begin_match(
    host: &Arc<MatchHost>,
    matches: MutexGuard<'_, SchedulerState>,
    scheduled: ScheduledMatch,
) -> Result<(), ArenaError> {
    let of_match = (scheduled.id, scheduled.bots, scheduled.final_game.is_some());
    match_thread::start(host, matches, of_match, move |host, interrupt| match scheduled.final_game {
        Some(_) => screens::play(host, &scheduled, interrupt),
        None => play_match(host, &scheduled, interrupt),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
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

    fn step(lines: &[ServerJournalLine], health: &HealthByBot, playing: &[u32]) -> NextStep {
        let playing: Vec<BotId> = playing.iter().map(|bot| BotId(*bot)).collect();
        next(&state(lines), health, &playing, None, Instant::now())
    }

    fn waiting(why: &'static str) -> NextStep {
        NextStep::Wait { until: None, why: Some(why) }
    }

    const NOTHING: NextStep = NextStep::Wait { until: None, why: None };

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
        let NextStep::Play(first) = step(&lines, &nobody, &[]) else { panic!("nobody plays") };
        let playing = first.map(|bot| bot.0);
        assert_eq!(step(&lines, &nobody, &playing), NOTHING);
        let settings = ServerSettings { parallel: 2, ..ServerSettings::default() };
        lines.push(line(json!({"line": "settings", "settings": settings})));
        let NextStep::Play(second) = step(&lines, &nobody, &playing) else { panic!("nobody else plays") };
        assert!(second.iter().all(|bot| !first.contains(bot)));
        assert_eq!(step(&lines, &nobody, &[1, 2, 3, 4]), NOTHING);
    }

    #[test]
    fn a_tournament_ends_when_all_have_met_or_cannot() {
        let mut lines = [three(), vec![begun(1, &[1, 2, 3])]].concat();
        for id in 1..=3 {
            let NextStep::Play(pairing) = step(&lines, &HealthByBot::default(), &[]) else { panic!("nobody plays") };
            lines.push(played(id, 1, pairing, None));
        }
        assert_eq!(step(&lines, &HealthByBot::default(), &[]), NextStep::End { unplayed: 0 });

        let lines = [three(), vec![begun(1, &[1, 2, 3])]].concat();
        let NextStep::Play(pairing) = step(&lines, &parked(&[1]), &[]) else { panic!("nobody plays") };
        assert!(!pairing.contains(&BotId(1)));
        let lines = [&lines[..], from_ref(&played(1, 1, pairing, None))].concat();
        assert_eq!(step(&lines, &parked(&[1]), &[]), NextStep::End { unplayed: 2 });
        assert!(matches!(step(&lines, &HealthByBot::default(), &[]), NextStep::Play(_)), "it came back");
    }

    #[test]
    fn who_is_removed_does_not_play_any_more() {
        let mut lines = [three(), vec![begun(1, &[1, 2, 3])]].concat();
        lines.push(line(json!({"line": "removed", "bot": 2})));
        let NextStep::Play(pairing) = step(&lines, &HealthByBot::default(), &[]) else { panic!("nobody plays") };
        assert!(!pairing.contains(&BotId(2)));
        lines.push(played(1, 1, pairing, None));
        assert_eq!(step(&lines, &HealthByBot::default(), &[]), NextStep::End { unplayed: 0 });
    }

    #[test]
    fn no_match_begins_when_a_final_is_due_and_the_scheduler_wakes_up_for_it() {
        let (now, time) = (Instant::now(), DateTime::UNIX_EPOCH);
        let planned = |start: &str| {
            let plan = json!({"line": "final-planned", "number": 1, "start": start, "entrants": 2, "best_of": 1});
            state(&[three(), vec![begun(1, &[1, 2, 3]), line(plan)]].concat())
        };
        let decide = |state: &ServerState, playing: &[BotId]| {
            decide(state, &HealthByBot::default(), playing, Pauses::default(), (now, time))
        };
        let soon = planned("1970-01-01T00:00:02Z");
        let NextStep::Play(playing) = decide(&soon, &[]) else { panic!("there is time for a match") };
        let until = Some(now + Duration::from_secs(2));
        assert_eq!(decide(&soon, &playing), NextStep::Wait { until, why: None });
        let far = planned("1971-01-01T00:00:00Z");
        assert_eq!(decide(&far, &playing), NextStep::Wait { until: Some(now + LONGEST_WAIT), why: None });
        let due = planned("1970-01-01T00:00:00Z");
        assert_eq!(decide(&due, &playing), NOTHING, "that match is played to its end");
        assert!(matches!(decide(&due, &[]), NextStep::Final(FinalStep::Begin(bots)) if bots.len() == 2));
    }

    #[test]
    fn pauses_are_kept() {
        let now = Instant::now();
        let until = Some(now + Duration::from_secs(1));
        let state = state(&three());
        let nobody = HealthByBot::default();
        assert_eq!(next(&state, &nobody, &[], until, now), NextStep::Wait { until, why: None });
        assert!(matches!(next(&state, &nobody, &[], until, now + Duration::from_secs(1)), NextStep::Begin(_)));
    }
}
