//! The desk: says who meets next, and keeps matches going.

use super::condition::Conditions;
use super::floor::{Gone, Running, State};
use super::ledger::{Ledger, Tournament};
use super::line::{BotId, Line, Mode, now};
use super::schedule::derived;
use super::table::{Fixture, play_match};
use super::{Refusal, Venue};
use arena::{ArenaError, Interrupt};
use std::sync::{Arc, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What is to be done next.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    /// A tournament of these bots begins.
    Begin(Vec<BotId>),
    /// These two meet.
    Play([BotId; 2]),
    /// The tournament is over; so many of its matches were left out.
    End { unplayed: u32 },
    /// Nothing, until something happens, or until then.
    Wait { until: Option<Instant>, why: Option<&'static str> },
}

/// What is to be done next, if these bots are playing.
fn next(ledger: &Ledger, conditions: &Conditions, playing: &[BotId], rest_until: Instant, now: Instant) -> Step {
    let nothing = Step::Wait { until: None, why: None };
    if ledger.mode() != Mode::Running || playing.len() / 2 >= ledger.settings().parallel as usize {
        return nothing;
    }
    if now < rest_until {
        return Step::Wait { until: Some(rest_until), why: None };
    }
    let present = ledger.tournament().filter(|tournament| !tournament.is_over);
    let Some(tournament) = present else { return begin(ledger, conditions, playing) };
    let mut unplayed = 0;
    let mut busy = false;
    for pairing in left(ledger, tournament) {
        if pairing.iter().any(|bot| playing.contains(bot)) {
            busy = true;
        } else if pairing.iter().any(|bot| conditions.is_parked(*bot)) {
            unplayed += 1;
        } else {
            return Step::Play(pairing);
        }
    }
    // While somebody plays, a bot that is parked may still come back.
    if busy || !playing.is_empty() { nothing } else { Step::End { unplayed } }
}

fn begin(ledger: &Ledger, conditions: &Conditions, playing: &[BotId]) -> Step {
    let with_url = || ledger.bots().filter(|entry| entry.url.is_some()).map(|entry| entry.id);
    let why = if with_url().count() < 2 {
        "two bots with a URL are needed"
    } else if with_url().filter(|bot| !conditions.is_parked(*bot)).count() < 2 {
        "two bots that are not parked are needed"
    } else if playing.is_empty() {
        return Step::Begin(with_url().collect());
    } else {
        return Step::Wait { until: None, why: None };
    };
    Step::Wait { until: None, why: Some(why) }
}

/// The matches that are still to be played, but for those of bots that are gone.
pub(super) fn left(ledger: &Ledger, tournament: &Tournament) -> impl Iterator<Item = [BotId; 2]> {
    tournament.left().filter(|pairing| pairing.iter().all(|bot| ledger.bot(*bot).is_some()))
}

/// Keeps matches going until everything is to end.
pub(super) fn run(venue: &Arc<Venue>) {
    loop {
        let mut state = venue.floor.lock();
        if state.closing {
            break;
        }
        let playing: Vec<BotId> = state.running.values().flat_map(|running| running.bots).collect();
        let rest_until = state.rest_until;
        let step = venue.books.look(|ledger| {
            let step = next(ledger, &venue.conditions(), &playing, rest_until, Instant::now());
            let fixture = match &step {
                Step::Play(pairing) => fixture(ledger, *pairing, state.last_id),
                _ => None,
            };
            (step, fixture)
        });
        let done = match step {
            (Step::Wait { until, why }, _) => {
                if std::mem::replace(&mut state.waiting, why) == why {
                    venue.floor.rest(state, until);
                } else {
                    drop(state);
                    venue.tell_tournament();
                }
                Ok(())
            }
            (Step::Play(_), fixture) => match fixture {
                Some(fixture) => start(venue, state, fixture).map_err(Refusal::from),
                None => Ok(()),
            },
            (Step::Begin(bots), _) => {
                state.waiting = None;
                drop(state);
                begin_tournament(venue, bots)
            }
            (Step::End { unplayed }, _) => {
                drop(state);
                end_tournament(venue, unplayed)
            }
        };
        if let Err(refusal) = done {
            venue.trouble(&refusal.to_string());
        }
    }
    // Whoever still plays was interrupted.
    let threads: Vec<JoinHandle<()>> =
        venue.floor.lock().running.values_mut().filter_map(|running| running.thread.take()).collect();
    threads.into_iter().for_each(|thread| drop(thread.join()));
}

fn fixture(ledger: &Ledger, bots: [BotId; 2], last_id: u64) -> Option<Fixture> {
    let tournament = ledger.tournament()?;
    let [a, b] = bots.map(|bot| ledger.bot(bot));
    let (a, b) = (a?, b?);
    Some(Fixture {
        id: ledger.last_match().max(last_id) + 1,
        tournament: tournament.number,
        bots,
        names: [a.name.clone(), b.name.clone()],
        urls: [a.url.clone()?, b.url.clone()?],
        seed: derived(tournament.seed, &bots.map(|bot| bot.0.into())),
        settings: ledger.settings(),
    })
}

fn begin_tournament(venue: &Arc<Venue>, bots: Vec<BotId>) -> Result<(), Refusal> {
    venue.books.enter(|ledger| {
        let number = ledger.next_tournament();
        let seed = derived(ledger.seed(), &[number.into()]).to_string();
        let bots = bots.into_iter().filter(|bot| ledger.bot(*bot).is_some()).collect();
        Ok(Line::TournamentBegun { number, seed, bots, at: now() })
    })?;
    venue.tell_tournament();
    venue.tell_leaderboard();
    Ok(())
}

fn end_tournament(venue: &Arc<Venue>, unplayed: u32) -> Result<(), Refusal> {
    venue.books.enter(|ledger| {
        let number = ledger.tournament().map_or(0, |tournament| tournament.number);
        Ok(Line::TournamentEnded { number, unplayed, at: now() })
    })?;
    let pause = venue.books.look(Ledger::settings).pause_tournament;
    venue.floor.lock().rest_until = Instant::now() + Duration::from_millis(pause);
    venue.tell_tournament();
    Ok(())
}

/// Starts a match in a thread of its own.
fn start(venue: &Arc<Venue>, mut state: MutexGuard<'_, State>, fixture: Fixture) -> Result<(), ArenaError> {
    let failed = |e| ArenaError::process("start a thread for", "a match", e);
    let interrupt = Interrupt::new().map_err(failed)?;
    let (id, bots) = (fixture.id, fixture.bots);
    state.last_id = id;
    state.waiting = None;
    state.running.insert(id, Running { bots, interrupt: interrupt.clone(), thread: None });
    let within = Arc::clone(venue);
    let thread = thread::Builder::new().name(format!("match {id}")).spawn(move || {
        let end = Gone { venue: &within, id, pause: Duration::from_millis(fixture.settings.pause_match) };
        within.tell_tournament();
        if let Err(error) = play_match(&within, &fixture, &interrupt) {
            within.trouble(&Refusal::from(error).to_string());
        }
        within.tell_leaderboard();
        within.tell_changed_bots();
        drop(end);
        within.tell_tournament();
    });
    match thread {
        Ok(thread) => {
            // A short match may be over by now.
            if let Some(running) = state.running.get_mut(&id) {
                running.thread = Some(thread);
            }
            Ok(())
        }
        Err(error) => {
            state.running.remove(&id);
            Err(failed(error))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ledger::tests::{arena, begun, ledger, played, registered};
    use super::super::{BotUrl, Settings};
    use super::*;
    use std::slice::from_ref;

    fn url(bot: u32) -> Line {
        Line::UrlSet { bot: BotId(bot), url: BotUrl::new("http://localhost:1").unwrap(), at: String::new() }
    }

    fn mode(mode: Mode) -> Line {
        Line::Mode { mode, at: String::new() }
    }

    /// Three bots, and tournaments are played.
    fn three() -> Vec<Line> {
        let mut lines = vec![arena(), mode(Mode::Running)];
        lines.extend((1..=3).flat_map(|bot| [registered(bot, &format!("bot {bot}")), url(bot)]));
        lines
    }

    fn step(lines: &[Line], conditions: &Conditions, playing: &[u32]) -> Step {
        let now = Instant::now();
        let playing: Vec<BotId> = playing.iter().map(|bot| BotId(*bot)).collect();
        next(&ledger(lines), conditions, &playing, now, now)
    }

    fn waiting(why: &'static str) -> Step {
        Step::Wait { until: None, why: Some(why) }
    }

    const NOTHING: Step = Step::Wait { until: None, why: None };

    fn parked(bots: &[u32]) -> Conditions {
        let mut conditions = Conditions::default();
        for bot in bots {
            for _ in 0..3 {
                conditions.never_began(BotId(*bot), "refused", Instant::now());
            }
        }
        conditions
    }

    #[test]
    fn a_tournament_needs_two_bots_with_a_url_that_answer() {
        let nobody = Conditions::default();
        assert_eq!(step(&three()[..5], &nobody, &[]), waiting("two bots with a URL are needed"));
        assert_eq!(step(&three(), &nobody, &[]), Step::Begin(vec![BotId(1), BotId(2), BotId(3)]));
        assert_eq!(step(&three(), &parked(&[1, 3]), &[]), waiting("two bots that are not parked are needed"));
        assert_eq!(step(&[&three()[..], &[mode(Mode::Paused)]].concat(), &nobody, &[]), NOTHING);
    }

    #[test]
    fn one_match_at_a_time_unless_more_are_wanted_and_nobody_plays_two() {
        let mut lines = three();
        lines.extend([registered(4, "bot 4"), url(4), begun(1, &[1, 2, 3, 4])]);
        let nobody = Conditions::default();
        let Step::Play(first) = step(&lines, &nobody, &[]) else { panic!("nobody plays") };
        let playing = first.map(|bot| bot.0);
        assert_eq!(step(&lines, &nobody, &playing), NOTHING);
        let settings = Settings { parallel: 2, ..Settings::default() };
        lines.push(Line::Settings { settings, at: String::new() });
        let Step::Play(second) = step(&lines, &nobody, &playing) else { panic!("nobody else plays") };
        assert!(second.iter().all(|bot| !first.contains(bot)));
        assert_eq!(step(&lines, &nobody, &[1, 2, 3, 4]), NOTHING);
    }

    #[test]
    fn a_tournament_ends_when_all_have_met_or_cannot() {
        let mut lines = [three(), vec![begun(1, &[1, 2, 3])]].concat();
        for id in 1..=3 {
            let Step::Play(pairing) = step(&lines, &Conditions::default(), &[]) else { panic!("nobody plays") };
            lines.push(played(id, 1, pairing, None));
        }
        assert_eq!(step(&lines, &Conditions::default(), &[]), Step::End { unplayed: 0 });

        let lines = [three(), vec![begun(1, &[1, 2, 3])]].concat();
        let Step::Play(pairing) = step(&lines, &parked(&[1]), &[]) else { panic!("nobody plays") };
        assert!(!pairing.contains(&BotId(1)));
        let lines = [&lines[..], from_ref(&played(1, 1, pairing, None))].concat();
        assert_eq!(step(&lines, &parked(&[1]), &[]), Step::End { unplayed: 2 });
        assert!(matches!(step(&lines, &Conditions::default(), &[]), Step::Play(_)), "it came back");
    }

    #[test]
    fn who_is_removed_does_not_play_any_more() {
        let mut lines = [three(), vec![begun(1, &[1, 2, 3])]].concat();
        lines.push(Line::Removed { bot: BotId(2), at: String::new() });
        let Step::Play(pairing) = step(&lines, &Conditions::default(), &[]) else { panic!("nobody plays") };
        assert!(!pairing.contains(&BotId(2)));
        lines.push(played(1, 1, pairing, None));
        assert_eq!(step(&lines, &Conditions::default(), &[]), Step::End { unplayed: 0 });
    }

    #[test]
    fn pauses_are_kept() {
        let now = Instant::now();
        let until = now + Duration::from_secs(1);
        let ledger = ledger(&three());
        let nobody = Conditions::default();
        assert_eq!(next(&ledger, &nobody, &[], until, now), Step::Wait { until: Some(until), why: None });
        assert!(matches!(next(&ledger, &nobody, &[], until, until), Step::Begin(_)));
    }
}
