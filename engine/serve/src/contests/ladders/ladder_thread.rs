//! The thread of a ladder: it enters versions that were accepted, and has games played while that tells something.

use crate::contests::contest_folder::{ContestFolder, version_at};
use crate::contests::ladders::failures::{Failures, PARKED_AFTER};
use crate::contests::ladders::ladder::{Ladder, LadderState, name_for_all};
use crate::contests::ladders::other_machines::{Elsewhere, OtherMachines};
use crate::contests::ladders::planned_games::{GamePlace, Unusable, play_planned};
use crate::contests::ladders::void_games::{games_of, void_lines};
use crate::contests::ladders::wanted::{Wanted, urls};
use crate::contests::tournaments::tournament_runs::{PlayedSome, SLICE, TournamentRuns};
use crate::contests::wire::{EntrantEvent, GameEvent};
use crate::matches::host::MatchHost;
use crate::state::bot_address::BotAddress;
use crate::state::contests::contest::Contest;
use crate::state::contests::contest_line::ContestLine;
use crate::state::contests::contest_settings::{ContestName, ContestSettings, Play};
use crate::state::journal_line::{ServerJournalLine, now};
use crate::state::random::fresh_seed;
use crate::state::request_error::RequestError;
use crate::state::serve_error::ServeError;
use arena::{ArenaError, Journal};
use runner::{RunnerError, SandboxLevel, game_name, with_causes};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};
use submissions::without_folder;
use tournament::{
    Entrant, Format, GAMES_JSONL, JournalLine, Plan, Retirement, SchedulerEvent, ScoreTable, StopReason,
    TournamentHeader,
};

/// The time until the next try if the machine fails.
const AGAIN: Duration = Duration::from_secs(30);

/// A ladder with what only its thread has: the journal, and the scores from which the next games follow.
pub(crate) struct LadderThread {
    ladder: Arc<Ladder>,
    host: Arc<MatchHost>,
    sandbox: SandboxLevel,
    /// The machines that play its games; `None` for threads of this one.
    others: Option<OtherMachines>,
    journal: Journal,
    table: ScoreTable,
    failures: Failures,
    tournaments: TournamentRuns,
}

impl LadderThread {
    /// Opens the ladder of a contest, or begins it.
    ///
    /// # Errors
    /// The journal is damaged, or the disk fails.
    pub(crate) fn open(
        host: Arc<MatchHost>,
        name: ContestName,
        folder: ContestFolder,
        settings: &ContestSettings,
        (sandbox, others): (SandboxLevel, Option<OtherMachines>),
    ) -> Result<LadderThread, ServeError> {
        let wrong = |why| ServeError::Contest { contest: name.to_string(), why };
        let rules = settings.whole_rules().map_err(wrong)?;
        let header = TournamentHeader::new(settings.game, rules, Format::Ladder, None, fresh_seed());
        let path = folder.path().join(GAMES_JSONL);
        let (journal, _) = ScoreTable::open(&path, &header)?;
        let (table, state) = read_ladder(&folder)?;
        let ladder = Arc::new(Ladder::new(name, folder, state));
        let (failures, tournaments) = Default::default();
        Ok(LadderThread { ladder, host, sandbox, others, journal, table, failures, tournaments })
    }

    /// The ladder as others see it.
    pub(crate) fn ladder(&self) -> &Arc<Ladder> {
        &self.ladder
    }

    /// Plays until the server ends.
    pub(crate) fn run(mut self) {
        loop {
            let seen = self.ladder.changed.changes();
            if self.host.ending.is_raised() {
                return;
            }
            let some = self.tournaments.play_some(&self.ladder, &self.host, self.sandbox);
            let has_tournament = !matches!(some, Ok(PlayedSome::Nothing));
            let played = match some {
                // The audience waits for it.
                Ok(PlayedSome::FinalGame) => Ok(StopReason::Complete),
                _ => self.play(seen, has_tournament),
            };
            match some.and(played) {
                // Something has changed meanwhile.
                Ok(StopReason::Enough | StopReason::Interrupted) => {}
                Ok(StopReason::Complete) if has_tournament => {}
                Ok(StopReason::Complete) => self.ladder.changed.wait(seen, None),
                Ok(StopReason::Failing) => {
                    self.host.report_trouble(&RequestError::internal("games of the ladder fail one after another"));
                    self.ladder.changed.wait(seen, Some(AGAIN));
                }
                Err(_) if self.host.ending.is_raised() => return,
                Err(error) => {
                    self.host.report_trouble(&RequestError::internal(with_causes(&error)));
                    self.ladder.changed.wait(seen, Some(AGAIN));
                }
            }
        }
    }

    /// Enters who is to play, and plays until something has changed since `seen`, or nothing is left to play. While there is a
    /// tournament, only some games.
    fn play(&mut self, seen: u64, has_tournament: bool) -> Result<StopReason, RunnerError> {
        let found = self.host.store.look(|state| {
            let contest = state.contests.get(&self.ladder.name)?;
            let plays = contest.is_ranked && contest.settings.play == Play::Ladder;
            Some((contest.settings.clone(), plays, Wanted::all(contest, state)))
        });
        let Some((settings, plays, wanted)) = found else { return Ok(StopReason::Complete) };
        self.declare_void()?;
        self.admit(&wanted)?;
        let mut plan = Plan::new(Format::Ladder, self.table.entrants().len(), settings.games, None);
        // Players of the engine alone would play for nobody.
        let has_bots = wanted.iter().any(|one| version_at(&one.bot).is_some());
        if !plays || !has_bots || plan.total(self.table.results()) == self.table.results().games() {
            return Ok(StopReason::Complete);
        }
        let most = if has_tournament { SLICE * settings.parallel } else { u32::MAX };
        self.play_games(&mut plan, &settings, seen, most, urls(&wanted))
    }

    /// Declares sets of games void that are not yet.
    fn declare_void(&mut self) -> Result<(), ArenaError> {
        let voided = self.host.store.look(|state| {
            let contest = state.contests.get(&self.ladder.name);
            contest.map(|contest| contest.voided.clone()).unwrap_or_default()
        });
        let done = self.table.void_sets();
        for (number, (set, why)) in (1..).zip(voided).skip(done as usize) {
            let games = games_of(&set, self.ladder.folder.path())?;
            void_lines(number, &games, &why).iter().try_for_each(|line| self.journal.append(line))?;
            self.journal.sync()?;
            games.into_iter().for_each(|game| self.ladder.remove_record(game));
            let (table, state) = read_ladder(&self.ladder.folder)?;
            self.table = table;
            self.ladder.look(|shown| shown.follow(state));
        }
        Ok(())
    }

    /// Enters those who are new, lets those come back who are wanted again, and retires all others.
    fn admit(&mut self, wanted: &[Wanted]) -> Result<(), ArenaError> {
        let mut lines = Vec::new();
        let names: BTreeSet<&str> = wanted.iter().map(|one| one.bot.as_str()).collect();
        for (number, entrant) in self.table.entrants().iter().enumerate() {
            let is_retired = self.table.results().is_retired(number);
            let change = Retirement { name: entrant.name.clone() };
            match (names.contains(entrant.bot.as_str()), is_retired) {
                (true, true) => lines.push(JournalLine::Returned(change)),
                (false, false) => lines.push(JournalLine::Retired(change)),
                _ => {}
            }
        }
        let known: BTreeSet<&str> = self.table.entrants().iter().map(|entrant| entrant.bot.as_str()).collect();
        for one in wanted.iter().filter(|one| !known.contains(one.bot.as_str())) {
            // A bot of this name may have been removed, whose games are not those of this one.
            let is_taken = self.table.entrants().iter().any(|entrant| entrant.name == one.name);
            let name = match version_at(&one.bot).filter(|_| is_taken) {
                Some((bot, _)) => format!("{} (bot {bot})", one.name),
                None => one.name.clone(),
            };
            lines.push(JournalLine::Entrant(one.entrant(name)));
        }
        for line in lines {
            self.journal.append(&line)?;
            let change = |table: &mut ScoreTable| match &line {
                JournalLine::Returned(change) => drop(table.come_back(&change.name)),
                JournalLine::Retired(change) => drop(table.retire(&change.name)),
                JournalLine::Entrant(entrant) => table.enter(entrant.clone()),
                _ => {}
            };
            change(&mut self.table);
            self.ladder.look(|state| state.change(change));
            if let JournalLine::Entrant(Entrant { name, .. }) | JournalLine::Returned(Retirement { name }) = &line {
                let entrant = self.table.entrants().iter().find(|entrant| entrant.name == *name);
                let name = entrant.map(|entrant| public_name(&self.host, &self.ladder.name, entrant));
                name.into_iter().for_each(|name| self.ladder.tell("entrant", &EntrantEvent { name }));
            }
        }
        self.journal.sync()
    }

    /// Plays so many games of a plan at most, until something has changed since `seen`.
    fn play_games(
        &mut self,
        plan: &mut Plan,
        settings: &ContestSettings,
        seen: u64,
        most: u32,
        urls: BTreeMap<String, BotAddress>,
    ) -> Result<StopReason, RunnerError> {
        let (ladder, host, failures) = (&self.ladder, &self.host, &mut self.failures);
        let unusable = Unusable::default();
        let (most_kept, mut finished) = (settings.keep_records as usize, 0);
        let mut watch = |event: SchedulerEvent<'_>, table: &ScoreTable| {
            match event {
                SchedulerEvent::Begins(fixture) => ladder.look(|state| state.playing.push(fixture)),
                SchedulerEvent::Finished(game) => {
                    finished += 1;
                    let outdated = ladder.look(|state| {
                        state.ends(game.fixture);
                        state.add(game);
                        state.outdated(most_kept)
                    });
                    let names = game.fixture.seated().map(|at| public_name(host, &ladder.name, &table.entrants()[at]));
                    let winner = game.outcome.winner.map(|winner| names[winner.index().min(1)].clone());
                    ladder.tell("game", &GameEvent { id: game_name(game.fixture), names, winner });
                    outdated.into_iter().for_each(|fixture| ladder.remove_record(fixture));
                    let is_bot = |at: usize| version_at(&table.entrants()[at].bot).is_some();
                    let parked = failures.take(game, Instant::now(), is_bot);
                    if failures.most_fail(Instant::now()) {
                        stop_ranked(host, ladder);
                        return ControlFlow::Break(());
                    }
                    for entrant in parked {
                        let why = format!("it lost half of its turns or more in {PARKED_AFTER} games in a row");
                        park(host, ladder, &table.entrants()[entrant], why);
                    }
                }
                SchedulerEvent::Suspect(game) => ladder.look(|state| state.ends(game.fixture)),
                SchedulerEvent::Failed { fixture, .. } => {
                    ladder.look(|state| state.ends(fixture));
                    // Others play on.
                    for (entrant, why) in unusable.take() {
                        park(host, ladder, &table.entrants()[entrant], format!("it cannot be started: {why}"));
                    }
                }
            }
            let goes_on = finished < most && ladder.changed.changes() == seen;
            if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        // Slices are too short to be given to other machines, and one machine can call web services as well as many.
        let others = self.others.as_ref().filter(|_| most == u32::MAX && urls.is_empty());
        let place = GamePlace {
            elsewhere: others.map(|machines| Elsewhere { machines, ladder, seen }),
            host,
            sandbox: self.sandbox,
            contest: &ladder.folder,
            settings,
            folder: ladder.folder.path(),
            urls,
            unusable: &unusable,
        };
        let played = play_planned(&place, plan, &mut self.table, &mut self.journal, &mut watch);
        ladder.look(|state| state.playing.clear());
        // Those that could not be sent to other machines.
        for (entrant, why) in unusable.take() {
            park(host, ladder, &self.table.entrants()[entrant], format!("it cannot be started: {why}"));
        }
        played
    }
}

/// The scores of a ladder, and what pages show of it, as its journal has them.
fn read_ladder(folder: &ContestFolder) -> Result<(ScoreTable, LadderState), ArenaError> {
    let mut games = Vec::new();
    let table = ScoreTable::read_with(&folder.path().join(GAMES_JSONL), |line| {
        if let JournalLine::Game(game) = line {
            games.push(LadderState::listed(game));
        }
    })?;
    let mut state = LadderState::new(table.clone());
    games.into_iter().for_each(|game| state.list(game));
    let there = folder.records();
    state.keep_those(|name| there.contains(name));
    Ok((table, state))
}

/// The name of an entrant, as everyone is told.
fn public_name(host: &MatchHost, contest: &ContestName, entrant: &Entrant) -> String {
    let hidden = host.store.look(|state| state.contests.get(contest).map(Contest::hidden)).unwrap_or_default();
    name_for_all(entrant, &hidden)
}

fn park(host: &MatchHost, ladder: &Ladder, entrant: &Entrant, why: String) {
    let name = public_name(host, &ladder.name, entrant);
    let Some((bot, version)) = version_at(&entrant.bot) else { return };
    let why = Some(without_folder(&why, &ladder.folder.version(bot, version).bot()));
    if enter(host, ladder, ContestLine::Parked { bot, version, why }) {
        ladder.tell("parked", &EntrantEvent { name });
    }
}

/// Stops ranked games, because most bots fail.
fn stop_ranked(host: &MatchHost, ladder: &Ladder) {
    let why = "most bots lost half of their turns or more within a minute, which says more about this machine than about them";
    enter(host, ladder, ContestLine::Ranked { on: false, why: Some(why.to_owned()) });
}

/// Enters a change of the contest. Returns false if it was not possible.
fn enter(host: &MatchHost, ladder: &Ladder, change: ContestLine) -> bool {
    let line = ServerJournalLine::Contest { contest: ladder.name.clone(), change, at: now() };
    match host.store.enter(|state| state.check(&line).map(|()| line).map_err(RequestError::conflict)) {
        Ok(_) => {
            ladder.changed.tell();
            return true;
        }
        // The bot was removed meanwhile.
        Err(error) if error.cause.is_none() => {}
        Err(error) => host.report_trouble(&error),
    }
    false
}
