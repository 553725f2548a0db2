//! The scheduler: keeps matches, tournaments and finals going.

use crate::matches::finals::commands;
use crate::matches::finals::screens;
use crate::matches::finals::step::FinalStep;
use crate::matches::host::MatchHost;
use crate::matches::match_run::{ScheduledMatch, play_match};
use crate::matches::match_thread;
use crate::matches::next_step::{NextStep, Pauses, decide, pause_of_slow};
use crate::matches::publish;
use crate::matches::records;
use crate::matches::running_matches::SchedulerState;
use crate::state::journal_line::{ServerJournalLine, now};
use crate::state::name::BotId;
use crate::state::request_error::{RequestError, RequestResult, Trouble};
use crate::state::round_robin::derived;
use crate::state::server_state::ServerState;
use arena::ArenaError;
use chrono::Utc;
use std::sync::{Arc, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Keeps matches going until the server ends.
pub(crate) fn run(host: &Arc<MatchHost>) {
    if let Err(error) = screens::resume(host) {
        host.report_trouble(&error);
    }
    loop {
        let mut matches = host.running.lock();
        if matches.closing {
            break;
        }
        if let Some(trouble) = matches.trouble.clone()
            && matches.retry_at.is_none_or(|retry| retry <= Instant::now())
        {
            drop(matches);
            recover(host, &trouble);
            continue;
        }
        let playing = matches.playing();
        let SchedulerState { rest_until, slow_after, retry_at, .. } = *matches;
        let pauses = Pauses { rest_until, slow_after, retry_at };
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
            NextStep::Play(number, bots) => match host.store.look(|state| scheduled(state, number, bots, &matches)) {
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
            NextStep::End(number) => {
                drop(matches);
                end_tournament(host, number)
            }
        };
        // Another error tells that the administrator was faster.
        if let Err(error) = done
            && error.cause.is_some()
        {
            host.report_trouble(&error);
        }
    }
    // All matches that are still played were interrupted.
    let threads: Vec<JoinHandle<()>> =
        host.running.lock().running.values_mut().filter_map(|running| running.thread.take()).collect();
    threads.into_iter().for_each(|thread| drop(thread.join()));
}

/// Forgets what the server could not do if it can write to its folders again, and lets it try again; otherwise waits for longer.
fn recover(host: &MatchHost, trouble: &Trouble) {
    match records::check_that_writable(host) {
        Ok(()) => host.running.forget_trouble(trouble),
        Err(_) => host.running.wait_longer(),
    }
}

fn scheduled(state: &ServerState, number: u32, bots: [BotId; 2], matches: &SchedulerState) -> Option<ScheduledMatch> {
    let tournament = state.open(number)?;
    let [a, b] = bots.map(|bot| state.bot(bot));
    let (a, b) = (a?, b?);
    let running = matches.running.values().filter(|running| running.tournament == number);
    let nth = tournament.played.len() + running.count() + 1;
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
    // After one that ended, the pause is over.
    if host.store.look(|state| !state.previous.is_empty()) {
        rest_between_tournaments(host);
    }
    publish::tournament(host);
    publish::leaderboard(host);
    Ok(())
}

fn end_tournament(host: &Arc<MatchHost>, number: u32) -> RequestResult<()> {
    host.store.enter(|state| {
        let over = || RequestError::conflict(format!("tournament {number} is over already"));
        let unplayed = state.left_in(state.open(number).ok_or_else(over)?).count() as u32;
        Ok(ServerJournalLine::TournamentEnded { number, unplayed, at: now() })
    })?;
    if host.store.look(|state| state.tournament.as_ref().is_some_and(|current| current.number == number)) {
        rest_between_tournaments(host);
    }
    publish::tournament(host);
    Ok(())
}

fn rest_between_tournaments(host: &MatchHost) {
    let pause = host.store.look(|state| state.settings.pause_tournament);
    host.running.lock().rest_until = Some(Instant::now() + Duration::from_millis(pause));
}

fn begin_match(
    host: &Arc<MatchHost>,
    matches: MutexGuard<'_, SchedulerState>,
    scheduled: ScheduledMatch,
) -> Result<(), ArenaError> {
    let of_match = (scheduled.id, scheduled.bots, scheduled.tournament);
    match_thread::start(host, matches, of_match, move |host, interrupt| match scheduled.final_game {
        Some(_) => screens::play(host, &scheduled, interrupt),
        None => {
            let begun = Instant::now();
            let played = play_match(host, &scheduled, interrupt);
            let (slow, parallel) =
                host.store.look(|state| (host.health().slow(state, Instant::now()), state.settings.parallel));
            if slow.has(&scheduled.bots) {
                let pause = pause_of_slow(begun.elapsed(), parallel);
                host.running.lock().slow_after = Some(Instant::now() + pause);
            }
            played
        }
    })
}
