//! The thread that begins a final of a contest at its time, and shows its games.

use crate::contests::finals::broadcast::{Broadcast, NextShown, ShownGame};
use crate::contests::finals::final_views::{game_event, publish_final, read};
use crate::contests::ladders::game_records::{self, ReplayedGame};
use crate::contests::ladders::ladder::{Ladder, OnScreen};
use crate::contests::tournaments::tournament_begin::{active_versions, begin, best_first};
use crate::contests::tournaments::tournament_runs;
use crate::matches::host::MatchHost;
use crate::state::contests::contest::Contest;
use crate::state::contests::contest_tournament::{ContestTournament, PlannedFinal, TournamentPlan};
use crate::state::finals::final_plan::time;
use crate::state::request_error::{RequestError, RequestResult};
use chrono::{DateTime, Utc};
use runner::game_name;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tournament::Format;
use web::{EventScope, Showing};

/// The time until the next try if the disk fails, and the longest time between two looks at the clock, which may be set.
const AGAIN: Duration = Duration::from_secs(30);
/// The number under which the events of the game on the screens stand.
const GAME: u64 = 2;

/// The thread of the finals of a contest.
pub(crate) struct FinalThread {
    pub(crate) host: Arc<MatchHost>,
    pub(crate) ladder: Arc<Ladder>,
}

/// The step that comes next.
enum Step {
    /// Wait for a change, so long at most.
    Wait(Option<Duration>),
    /// Look again.
    Again,
}

impl FinalThread {
    /// Shows finals until the server ends.
    pub(crate) fn run(self) {
        let has_final = self.look(|contest| contest.planned_final.is_some() || contest.last_final().is_some());
        if has_final == Some(true) {
            publish_final(&self.host, &self.ladder);
        }
        loop {
            let (seen, seen_bots) = (self.ladder.final_changed.changes(), self.ladder.changed.changes());
            if self.host.ending.is_raised() {
                return;
            }
            match self.step(seen_bots) {
                Ok(Step::Again) => {}
                Ok(Step::Wait(longest)) => self.ladder.final_changed.wait(seen, longest),
                Err(error) => {
                    self.host.report_trouble(&error);
                    self.ladder.final_changed.wait(seen, Some(AGAIN));
                }
            }
        }
    }

    fn look<T>(&self, look: impl FnOnce(&Contest) -> T) -> Option<T> {
        self.host.store.look(|state| state.contests.get(&self.ladder.name).map(look))
    }

    fn step(&self, seen_bots: u64) -> RequestResult<Step> {
        let found = self.look(|contest| {
            let open = contest.open_final().map(|(number, begun)| (number, begun.clone()));
            (contest.planned_final.clone(), open)
        });
        match found {
            Some((Some(planned), _)) => self.begin(&planned, seen_bots),
            Some((None, Some((number, begun)))) => self.show_next(number, &begun),
            _ => Ok(Step::Wait(None)),
        }
    }

    /// Begins a final that is planned, if it is time.
    fn begin(&self, planned: &PlannedFinal, seen_bots: u64) -> RequestResult<Step> {
        let start = time(&planned.start).map_err(RequestError::internal)?;
        if let Ok(left) = (start - self.ladder.screen_clock.now()).to_std()
            && !left.is_zero()
        {
            // Other bots may be the best by now.
            publish_final(&self.host, &self.ladder);
            return Ok(Step::Wait(Some(left.min(AGAIN))));
        }
        if begin_final(&self.host, &self.ladder)? {
            publish_final(&self.host, &self.ladder);
        } else {
            // Two bots that can play may come; who calls it off tells of that, too.
            self.ladder.changed.wait(seen_bots, Some(AGAIN));
        }
        Ok(Step::Again)
    }

    /// Shows the game that is due, or waits for it; ends the final after the last one.
    fn show_next(&self, number: u32, begun: &ContestTournament) -> RequestResult<Step> {
        let broadcast = read(&self.ladder.folder, number, begun).map_err(RequestError::internal)?;
        let Some(broadcast) = broadcast else { return Ok(Step::Wait(None)) };
        let now = self.ladder.screen_clock.now();
        match broadcast.next(now) {
            NextShown::Unknown => Ok(Step::Wait(None)),
            NextShown::Nothing => {
                let table = broadcast.table(now);
                let result = tournament_runs::result(&begun.plan, &table, None);
                if !tournament_runs::end(&self.ladder, &self.host, number, result) {
                    return Ok(Step::Wait(Some(AGAIN)));
                }
                publish_final(&self.host, &self.ladder);
                Ok(Step::Again)
            }
            NextShown::Game(game) => {
                match (game.begins - now).to_std() {
                    Ok(left) if !left.is_zero() => return Ok(Step::Wait(Some(left.min(AGAIN)))),
                    _ => self.show(number, &broadcast, &game)?,
                }
                Ok(Step::Again)
            }
        }
    }

    /// Shows a game from the moment at which the screens are, and tells its result.
    fn show(&self, number: u32, broadcast: &Broadcast, game: &ShownGame) -> RequestResult<()> {
        let hidden = self.look(Contest::hidden).unwrap_or_default();
        let folder = self.ladder.folder.tournament(number);
        let name = game_name(game.fixture);
        // Without an analysis, for which the screens would have to wait.
        let begin = |game: &ReplayedGame| Showing::begin(&game.history, &game.about, None);
        // Its record may have been removed by hand: then the screens show nothing for its time.
        let showing = game_records::replay(&self.host, &self.ladder, &folder, &name, begin);
        let showing = showing.inspect_err(|error| self.host.report_trouble(error)).ok();
        if let Some(showing) = &showing {
            let log = Arc::clone(showing.log());
            self.ladder.set_on_screen(Some(OnScreen { game: name, log }));
            let event = game_event(broadcast, number, game.fixture, game.begins, &hidden);
            self.ladder.publish("final-game", EventScope::Part(GAME), &event);
        }
        self.show_moments(number, broadcast, game, showing);
        self.ladder.set_on_screen(None);
        if self.host.ending.is_raised() {
            return Ok(());
        }
        publish_final(&self.host, &self.ladder);
        self.ladder.publish("final-game-over", EventScope::End(GAME), &());
        Ok(())
    }

    fn show_moments(&self, number: u32, broadcast: &Broadcast, game: &ShownGame, showing: Option<Showing>) {
        let since = length(game.begins, self.ladder.screen_clock.now());
        let begun = Instant::now().checked_sub(since).unwrap_or_else(Instant::now);
        let Some(mut showing) = showing else {
            self.wait_until(number, begun + length(game.begins, game.ends));
            return;
        };
        let mut moment = 0;
        while self.wait_until(number, begun + game.waits(moment, broadcast.pace())) {
            if !showing.advance() {
                if self.wait_until(number, begun + length(game.begins, game.ends)) {
                    showing.end();
                }
                return;
            }
            moment += 1;
        }
    }

    /// Waits until this time. False if the final was called off meanwhile, or the server ends.
    fn wait_until(&self, number: u32, due: Instant) -> bool {
        loop {
            let seen = self.ladder.final_changed.changes();
            let is_open = self.look(|contest| contest.open_final().is_some_and(|(open, _)| open == number));
            if self.host.ending.is_raised() || is_open != Some(true) {
                return false;
            }
            let left = due.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            self.ladder.final_changed.wait(seen, Some(left));
        }
    }
}

/// The time between two times; none if the second comes first.
fn length(begins: DateTime<Utc>, ends: DateTime<Utc>) -> Duration {
    (ends - begins).to_std().unwrap_or_default()
}

/// Begins the final that is planned, with the best bots that can play. False if there are not two.
fn begin_final(host: &MatchHost, ladder: &Ladder) -> RequestResult<bool> {
    let order = best_first(host, ladder);
    let mut are_enough = true;
    let begun = begin(host, ladder, |state, known| {
        let planned = known.planned_final.as_ref();
        let planned = planned.ok_or_else(|| RequestError::conflict("the final was called off"))?;
        let mut entrants = active_versions(known, &order, |bot| !bot.is_hidden);
        entrants.truncate(planned.entrants as usize);
        are_enough = entrants.len() > 1;
        let pace = Some(state.settings.pace);
        Ok(TournamentPlan { by: None, format: Format::Final, games: planned.best_of, pace, sprt: None, entrants })
    });
    match begun {
        Err(error) if !are_enough && error.cause.is_none() => Ok(false),
        begun => begun.map(|_| true),
    }
}
