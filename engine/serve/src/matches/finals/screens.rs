//! The game of a final on the screens: played out of sight, shown turn by turn, and continued after a restart of the server.

use crate::matches::host::MatchHost;
use crate::matches::match_feed::MatchFeed;
use crate::matches::match_run::{MatchTerms, ScheduledMatch, keep, line, run};
use crate::matches::match_thread;
use crate::matches::publish;
use crate::matches::records::{about, begun, record_of, whole_match};
use crate::matches::running_matches::RunningMatches;
use crate::state::finals::screening::{self, Screening};
use crate::state::journal_line::MatchLine;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::wire::MatchOver;
use arena::record::{Clock, RecordBuffer, replay_record};
use arena::{ArenaError, Interrupt, MatchEvent, Observer, Observers};
use chrono::Utc;
use rules::sea_battle::SeaBattle;
use rules::{Eye, Game, Seat};
use std::sync::Arc;
use std::time::{Duration, Instant};
use web::EventScope;

/// Hides the game of a final until it is dropped.
struct HiddenGame<'a>(&'a RunningMatches);

impl HiddenGame<'_> {
    /// Hides the match of this number.
    fn begin(running: &RunningMatches, id: u64) -> HiddenGame<'_> {
        running.lock().on_screen = Some(id);
        HiddenGame(running)
    }
}

impl Drop for HiddenGame<'_> {
    fn drop(&mut self) {
        self.0.lock().on_screen = None;
    }
}

/// Plays a game of a final out of sight, enters its result, and then shows it. A game that was interrupted is played once more.
///
/// # Errors
/// The record cannot be written, or the system gives no thread.
pub(crate) fn play(host: &MatchHost, scheduled: &ScheduledMatch, interrupt: &Interrupt) -> RequestResult<()> {
    let begun = Instant::now();
    let hidden = HiddenGame::begin(&host.running, scheduled.id);
    let mut record = RecordBuffer::begin(&scheduled.header(&host.engine), Clock::Running)?;
    let mut feed = MatchFeed::new(scheduled.id, Eye::Referee, |_| ());
    let mut watch = Observers::new();
    watch.add(&mut record);
    watch.add(&mut feed);
    let terms = MatchTerms::of(&scheduled.settings, scheduled.seed);
    let played = run(&host.client, terms, &scheduled.opponents(), interrupt, &mut watch);
    drop(watch);
    let why = match played {
        Ok(outcome) => {
            let line = line(scheduled, outcome, &feed.notes, begun);
            match keep(host, scheduled, line, &record.lines()) {
                Ok(_) => {
                    show(host, scheduled.id, Instant::now(), hidden, interrupt);
                    return Ok(());
                }
                Err(error) if error.cause.is_some() => return Err(error),
                Err(error) => error.to_string(),
            }
        }
        Err(ArenaError::Interrupted) => host.running.why_broken_off(scheduled.id).to_owned(),
        Err(error) => return Err(error.into()),
    };
    host.store.activity.add(|| format!("Match {} was broken off: {why}", scheduled.id));
    Ok(())
}

/// Hides the game that the screens were showing when the server before ended.
pub(crate) fn hide(host: &MatchHost) {
    let now = Utc::now();
    host.running.lock().on_screen = host.store.look(|state| Some(state.present_final.as_ref()?.on_screen(now)?.id));
}

/// Shows the rest of the game that [`hide`] has hidden.
pub(crate) fn resume(host: &Arc<MatchHost>) -> RequestResult<()> {
    let Some(id) = host.match_on_screen() else { return Ok(()) };
    let hidden = HiddenGame(&host.running);
    let line = kept_match(host, id)?;
    let since =
        (Utc::now() - crate::state::finals::final_plan::time(&line.at).map_err(RequestError::internal)?).to_std();
    let begun = Instant::now().checked_sub(since.unwrap_or_default()).unwrap_or_else(Instant::now);
    let bots = [Seat::A, Seat::B].map(|seat| line.bots[seat]);
    let show = move |host: &MatchHost, interrupt: &Interrupt| {
        show(host, id, begun, HiddenGame(&host.running), interrupt);
        Ok(())
    };
    match_thread::start(host, host.running.lock(), (id, bots, 0), show)?;
    // The thread shows it from now on.
    std::mem::forget(hidden);
    Ok(())
}

/// Shows a game of a final, of which the screens show the first turn at the time `first`, and tells its result. An interrupt ends
/// the showing, not the telling.
fn show(host: &MatchHost, id: u64, first: Instant, hidden: HiddenGame<'_>, interrupt: &Interrupt) {
    if let Err(error) = show_turns(host, id, first, interrupt) {
        host.report_trouble(&error);
    }
    if host.ending.is_raised() {
        // The next server shows the rest. Until this one has ended, its result stays unknown.
        std::mem::forget(hidden);
        return;
    }
    drop(hidden);
    let over = kept_match(host, id).and_then(|line| whole_match(host, line)).map(|whole| whole.over);
    let over = over.unwrap_or_else(|error| MatchOver {
        r#match: id,
        result: None,
        broken_off: Some(error.to_string()),
        fleets: [None, None],
    });
    publish::event(host, "match-over", EventScope::End(id), &over);
    publish::present_final(host);
}

fn show_turns(host: &MatchHost, id: u64, first: Instant, interrupt: &Interrupt) -> RequestResult<()> {
    let line = kept_match(host, id)?;
    let record = record_of(host, &line)?;
    let view = begun(host, &line, &record)?;
    let pace = view.screening.as_ref().map_or(0, |Screening { pace, .. }| *pace);
    let settings = serde_json::from_value(record.header().settings.clone()).map_err(RequestError::internal)?;
    let state = SeaBattle::start(&settings, 2, record.header().seed).map_err(RequestError::internal)?;
    let about = about(&view, &record.header().engine);
    let mut stream = host.streams.begin(id, record.header(), state, about, Eye::Referee)?;
    publish::event(host, "match-begun", EventScope::Part(id), &view);
    let mut feed = MatchFeed::new(id, Eye::Referee, |turn| {
        publish::event(host, "turn", EventScope::Part(id), &turn);
    });
    let mut screens = Screens { first, pace, interrupt };
    let mut watch = Observers::new();
    watch.add(&mut screens);
    watch.add(&mut feed);
    watch.add(&mut stream);
    let shown = replay_record::<SeaBattle>(&record, &mut watch);
    drop(watch);
    let shown = shown.and_then(|outcome| screens.wait(screening::duration(outcome.turns, pace)));
    if host.ending.is_raised() {
        stream.leave();
    }
    match shown {
        Ok(()) | Err(ArenaError::Interrupted) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// An observer that lets each turn wait for its time. The clock of the machine may be set meanwhile.
struct Screens<'a> {
    first: Instant,
    pace: u64,
    interrupt: &'a Interrupt,
}

impl Screens<'_> {
    /// Waits for a time after the first turn.
    fn wait(&self, after: Duration) -> Result<(), ArenaError> {
        let left = (self.first + after).saturating_duration_since(Instant::now());
        if self.interrupt.is_raised_within(left) { Err(ArenaError::Interrupted) } else { Ok(()) }
    }
}

impl Observer<SeaBattle> for Screens<'_> {
    fn on(&mut self, event: &MatchEvent<'_, SeaBattle>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Advanced { turn, .. } => self.wait(screening::shown_after(*turn, self.pace)),
            _ => Ok(()),
        }
    }
}

fn kept_match(host: &MatchHost, id: u64) -> RequestResult<MatchLine> {
    let line = host.store.index.match_line(id).map_err(RequestError::internal)?;
    line.ok_or_else(|| match host.store.index.trouble() {
        Some(trouble) => RequestError::internal(trouble.text),
        None => RequestError::missing("the history was cleared"),
    })
}
