//! The tournaments of a contest that are being played: some games of one, then some of the next, so that nobody waits for the end of
//! another.

use crate::contests::contest_folder::ContestFolder;
use crate::contests::ladders::ladder::Ladder;
use crate::contests::ladders::planned_games::{GamePlace, Unusable, play_planned};
use crate::contests::ladders::wanted::{Wanted, urls};
use crate::contests::tournaments::tournament_wire::ContestTournamentEvent;
use crate::matches::host::MatchHost;
use crate::state::contests::contest_line::ContestLine;
use crate::state::contests::contest_settings::ContestSettings;
use crate::state::contests::contest_tournament::TournamentPlan;
use crate::state::journal_line::{ServerJournalLine, now};
use crate::state::random::fresh_seed;
use crate::state::request_error::RequestError;
use arena::folder::remove_folder;
use arena::{ArenaError, Journal};
use runner::{RunnerError, SandboxLevel, with_causes};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use submissions::without_folder;
use tournament::{
    EloModel, Estimate, FinalBracket, Format, GAMES_JSONL, JournalLine, NextGame, Plan, Retirement, SchedulerEvent,
    ScoreTable, Sprt, Standings, StopReason, TournamentHeader, Verdict,
};

/// The games of one at a time, for each game that is played at the same time.
pub(crate) const SLICE: u32 = 4;
/// The rates of wrong answers of a sequential test.
const WRONG: f64 = 0.05;
/// The number of the last tournaments of teams whose records are kept.
const KEPT: usize = 50;

/// The tournaments of a contest that are being played.
#[derive(Default)]
pub(crate) struct TournamentRuns {
    open: BTreeMap<u32, TournamentRun>,
    /// Finals all of whose games were played, and which the screens show.
    played: BTreeSet<u32>,
    /// The one that played last.
    last: u32,
}

/// The games that were played in one turn of the tournaments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlayedSome {
    /// Nothing: none is open.
    Nothing,
    /// Some games of one.
    Games,
    /// A game of a final, before which nothing else is played.
    FinalGame,
}

/// A tournament that is being played.
struct TournamentRun {
    folder: ContestFolder,
    journal: Journal,
    table: ScoreTable,
}

/// A tournament whose turn it is.
struct Turn {
    number: u32,
    plan: TournamentPlan,
    settings: ContestSettings,
    wanted: Vec<Wanted>,
}

impl TournamentRuns {
    /// Plays some games of the tournament whose turn it is.
    ///
    /// # Errors
    /// The disk fails, or the machine.
    pub(crate) fn play_some(
        &mut self,
        ladder: &Ladder,
        host: &MatchHost,
        sandbox: SandboxLevel,
    ) -> Result<PlayedSome, RunnerError> {
        let Some(turn) = self.turn(ladder, host) else { return Ok(PlayedSome::Nothing) };
        let Turn { number, plan, settings, wanted } = &turn;
        self.last = *number;
        if !self.open.contains_key(number) {
            self.open.insert(*number, TournamentRun::begin(&turn, ladder.folder.tournament(*number))?);
        }
        let run = self.open.get_mut(number).expect("it is there now");
        let unusable = Unusable::default();
        let place = GamePlace {
            elsewhere: None,
            host,
            sandbox,
            contest: &ladder.folder,
            settings,
            folder: run.folder.path(),
            urls: urls(wanted),
            unusable: &unusable,
        };
        let mut games = Plan::of(run.table.event(), run.table.entrants().len(), plan.games, None);
        let is_final = plan.pace.is_some();
        let (mut played, mut failure, mut cannot_play) = (0, None, BTreeMap::new());
        let is_open = || {
            let open = host.store.look(|state| Some(state.contests.get(&ladder.name)?.tournament(*number)?.is_open()));
            open == Some(true)
        };
        let mut watch = |event: SchedulerEvent<'_>, table: &ScoreTable| {
            match event {
                SchedulerEvent::Finished(_) => {
                    played += 1;
                    if is_final {
                        ladder.final_changed.tell();
                    } else {
                        ladder.look(|state| state.tournaments.insert(*number, table.results().games()));
                    }
                }
                SchedulerEvent::Failed { error, for_good: true, .. } => {
                    failure = Some(without_folder(&with_causes(error), &host.folder));
                    cannot_play.extend(unusable.take());
                }
                _ => {}
            }
            let is_over = played >= SLICE * settings.parallel || answer(plan, table).is_some();
            let is_over = is_over || !cannot_play.is_empty() || !is_open();
            if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let stopped = play_planned(&place, &mut games, &mut run.table, &mut run.journal, &mut watch)?;
        let some = if is_final { PlayedSome::FinalGame } else { PlayedSome::Games };
        if !cannot_play.is_empty() {
            // Whoever meets one of them wins.
            for (entrant, why) in &cannot_play {
                let name = &run.table.entrants()[*entrant].name;
                let why = without_folder(why, &host.folder);
                host.store.activity.add(|| format!("Contest {}: {name} cannot be started: {why}", ladder.name));
            }
            run.retire(cannot_play.keys().copied())?;
            return Ok(some);
        }
        let is_over = matches!(stopped, StopReason::Complete | StopReason::Failing);
        if is_final && is_over && run.is_final_over() {
            // It ends once all was shown.
            self.played.insert(*number);
            ladder.final_changed.tell();
        } else if is_final && is_over {
            // The machine fails, not a bot: it is tried again, unless it was called off.
            let why = failure.unwrap_or_else(|| "a game of the final could not be played".to_owned());
            return if is_open() { Err(ArenaError::Elsewhere(why).into()) } else { Ok(some) };
        } else if is_over || answer(plan, &run.table).is_some() {
            end(ladder, host, *number, result(plan, &run.table, failure.as_deref()));
            self.open.remove(number);
        }
        Ok(some)
    }

    /// The tournament whose turn it is: a final, or the next one after the last that had its turn.
    fn turn(&mut self, ladder: &Ladder, host: &MatchHost) -> Option<Turn> {
        let (last, played) = (self.last, &self.played);
        let turn = host.store.look(|state| {
            let contest = state.contests.get(&ladder.name)?;
            let to_play = || contest.open_tournaments().filter(|(number, _)| !played.contains(number));
            let first = to_play().next()?;
            let after = || to_play().find(|(number, _)| *number > last).unwrap_or(first);
            let (number, next) = to_play().find(|(_, one)| one.plan.pace.is_some()).unwrap_or_else(after);
            let wanted = next.plan.entrants.iter().map(|path| Wanted::at(path, ladder.name.as_str(), state)).collect();
            Some(Turn { number, plan: next.plan.clone(), settings: contest.settings.clone(), wanted })
        });
        let open: BTreeSet<u32> = host.store.look(|state| {
            let contest = state.contests.get(&ladder.name).into_iter();
            contest.flat_map(|contest| contest.open_tournaments().map(|(number, _)| number)).collect()
        });
        // One may have been called off.
        self.open.retain(|number, _| open.contains(number));
        self.played.retain(|number| open.contains(number));
        ladder.look(|state| state.tournaments.retain(|number, _| open.contains(number)));
        turn
    }
}

impl TournamentRun {
    /// Begins a tournament, or goes on with it.
    fn begin(turn: &Turn, folder: ContestFolder) -> Result<TournamentRun, RunnerError> {
        let rules = turn.settings.whole_rules().map_err(RunnerError::Settings)?;
        let mut header = TournamentHeader::new(turn.settings.game, rules, turn.plan.format, None, fresh_seed());
        let is_knockout = matches!(turn.plan.format, Format::Knockout | Format::Final);
        header.games = is_knockout.then_some(turn.plan.games);
        std::fs::create_dir_all(folder.path()).map_err(|e| ArenaError::disk("make the folder", folder.path(), e))?;
        let (mut journal, mut table) = ScoreTable::open(&folder.path().join(GAMES_JSONL), &header)?;
        // It may have been killed among them.
        for one in &turn.wanted[table.entrants().len().min(turn.wanted.len())..] {
            let entrant = one.entrant(one.name.clone());
            journal.append(&JournalLine::Entrant(entrant.clone()))?;
            table.enter(entrant);
        }
        journal.sync()?;
        Ok(TournamentRun { folder, journal, table })
    }

    /// Retires entrants, which play no more games.
    fn retire(&mut self, entrants: impl Iterator<Item = usize>) -> Result<(), RunnerError> {
        let names: Vec<String> = entrants.map(|at| self.table.entrants()[at].name.clone()).collect();
        for name in names {
            self.table.retire(&name);
            self.journal.append(&JournalLine::Retired(Retirement { name }))?;
        }
        Ok(self.journal.sync()?)
    }

    /// True if no game of a final is left.
    fn is_final_over(&self) -> bool {
        let best_of = self.table.event().games.unwrap_or(1);
        let bracket = FinalBracket::new(self.table.entrants().len(), best_of);
        bracket.next(self.table.results()) == NextGame::Done
    }
}

/// The answer of the sequential test of a tournament, if it has one.
fn answer(plan: &TournamentPlan, table: &ScoreTable) -> Option<Verdict> {
    let [low, high] = plan.sprt?;
    let test = Sprt::new(low, high, WRONG, WRONG, EloModel::default()).ok()?;
    Some(test.verdict(&table.pairs_between(0, 1))).filter(|verdict| *verdict != Verdict::Continue)
}

/// The result of a tournament in words.
pub(crate) fn result(plan: &TournamentPlan, table: &ScoreTable, failure: Option<&str>) -> String {
    let name = |at: usize| table.entrants().get(at).map_or("", |entrant| entrant.name.as_str());
    // A bracket has places also with two.
    let is_bracket = matches!(plan.format, Format::Knockout | Format::Final);
    let mut words = if let ([_, _], false) = (table.entrants(), is_bracket) {
        let games = table.between(0, 1);
        let estimate = Estimate::of_pairs(&table.pairs_between(0, 1)).in_words(name(0), name(1));
        let counts = format!("{} won, {} drawn, {} lost by {}", games.wins, games.draws, games.losses, name(0));
        match answer(plan, table) {
            Some(Verdict::AcceptH1) => format!("{} is stronger: {counts}; {estimate}", name(0)),
            Some(Verdict::AcceptH0) => format!("{} is not stronger: {counts}; {estimate}", name(0)),
            _ => format!("{counts}; {estimate}"),
        }
    } else {
        let standings = Standings::new(table, None);
        let best = standings.all().iter().take(3).map(|one| format!("{}. {}", one.place, one.entrant.name));
        best.collect::<Vec<_>>().join(", ")
    };
    if let (false, Some(failure)) = (table.failures().is_empty(), failure) {
        let games = rules::counted(table.failures().len() as u32, "game");
        words.push_str(&format!("; {games} could not be played: {failure}"));
    }
    rules::printable(&words)
}

/// Ends a tournament. False if that cannot be entered: it goes on, and ends again.
pub(crate) fn end(ladder: &Ladder, host: &MatchHost, number: u32, result: String) -> bool {
    let change = ContestLine::TournamentEnded { number, result };
    let line = ServerJournalLine::Contest { contest: ladder.name.clone(), change, at: now() };
    match host.store.enter(|state| state.check(&line).map(|()| line).map_err(RequestError::conflict)) {
        Ok(_) => {
            ladder.look(|state| state.tournaments.remove(&number));
            ladder.tell("tournament", &ContestTournamentEvent { number, is_over: true });
            remove_records(ladder, host);
            true
        }
        // It was called off meanwhile.
        Err(error) if error.cause.is_none() => true,
        Err(error) => {
            host.report_trouble(&error);
            false
        }
    }
}

/// Removes the records of games that teams have asked for, but those of the last ones.
fn remove_records(ladder: &Ladder, host: &MatchHost) {
    let outdated = host.store.look(|state| {
        let contest = state.contests.get(&ladder.name)?;
        let mut all = contest.tournaments.iter().enumerate().rev();
        let outdated = all.by_ref().filter(|(_, one)| one.plan.by.is_some() && !one.is_open()).nth(KEPT);
        outdated.map(|(at, _)| at as u32 + 1)
    });
    if let Some(number) = outdated
        && let Err(error) = remove_folder(&ladder.folder.tournament(number).path().join("records"))
    {
        log::warn!("cannot remove the records of tournament {number}: {error}");
    }
}
