//! A tournament: its entrants, its folder and journal, and the games that are left to play.

use crate::entrants::{self, Copies, Entered};
use crate::tournament_game::{FAULTS, FactoryGames, RECORDS};
use crate::{
    ContestantOf, Contestants, Context, GameSetup, KeptGames, LeftOut, LostGames, MatchFactory, Opening, Report,
    RunnerError, ScratchFolder, fresh_seed, start, with_causes,
};
use arena::folder::remove_folder;
use arena::{ArenaError, Interrupt, Journal, Sequence};
use rules::Game;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;
use tournament::{
    Entrant, Fixture, Format, GAMES_JSONL, GamePool, JournalLine, Plan, RunSettings, SchedulerEvent, ScoreTable,
    StopReason, TournamentHeader, run, with_threads,
};

/// The folder, in that of a tournament, with the bots' folders as they were when they entered.
pub const TEMPLATES: &str = "entrants";

/// Options of a tournament.
#[derive(Debug, Clone)]
pub struct TournamentOptions {
    /// The format: who meets whom.
    pub format: Format,
    /// The number of rounds of a Swiss tournament; `None` for the usual number.
    pub rounds: Option<u32>,
    /// The number of the first contestants that are the baselines in grading; `None` in other formats.
    pub baselines: Option<usize>,
    /// The games of each meeting, made even: two games with seats swapped on one seed are a pair.
    pub games: u32,
    /// The seed from which the seeds of all games are derived; `None` for that of the journal, or a new one.
    pub seed: Option<u64>,
    /// The folder of the tournament; `None` for one in `tournaments/` that the same entrants, with the same contents, and settings find again.
    pub folder: Option<PathBuf>,
    /// The games of which record and fault bundles are kept.
    pub keep: KeptGames,
    /// The number of games lost by the bot of a meeting that was named first whose records are kept as well, if any are kept.
    pub keep_lost: usize,
    /// The number of games at the same time; `None` for as many as the processors allow, or one for web services.
    pub concurrency: Option<usize>,
    /// True to ask both bots of a game at the same time.
    pub together: bool,
    /// True to play games again whose time-outs the machine may have caused.
    pub replay_suspect: bool,
    /// True to go on with bots whose folders have changed since they entered, instead of with what they were then.
    pub allow_changed: bool,
    /// True to refuse to go on if an entrant was not named, instead of going on with what it was when it entered.
    pub strict: bool,
    /// The names of entrants of the journal that play no more games.
    pub retire: Vec<String>,
    /// True if only those entrants of the journal play that are named: one that was left away before plays again when it is named.
    pub only_named: bool,
    /// `NAME=FOLDER` for each entrant that plays no more games, and the folder of the bot that enters in its place.
    pub replace: Vec<String>,
}

impl Default for TournamentOptions {
    /// A round robin of 10 games for each meeting, with a new seed; games with faults are kept.
    fn default() -> TournamentOptions {
        TournamentOptions {
            format: Format::RoundRobin,
            rounds: None,
            baselines: None,
            games: 10,
            seed: None,
            folder: None,
            keep: KeptGames::Faults,
            keep_lost: 0,
            concurrency: None,
            together: false,
            replay_suspect: true,
            allow_changed: false,
            strict: false,
            retire: Vec::new(),
            only_named: false,
            replace: Vec::new(),
        }
    }
}

/// A tournament that is ready to be played, or to go on.
pub struct PreparedTournament<F: MatchFactory> {
    options: TournamentOptions,
    settings: <F::Game as Game>::Settings,
    answer_limit: Option<Duration>,
    context: Context,
    entrants: Vec<Entrant>,
    factory: F,
    folder: PathBuf,
    journal: Journal,
    /// The scores of the games that were played already.
    pub table: ScoreTable,
    plan: Plan,
    /// The folder of each entrant as it was when it entered; `None` for a built-in player, and for one that plays no more.
    templates: Vec<Option<PathBuf>>,
    is_needed: Box<dyn Fn(Fixture) -> bool>,
}

impl<F: MatchFactory> PreparedTournament<F> {
    /// Opens the journal or begins it, and makes everything ready for games between the contestants.
    ///
    /// # Errors
    /// As [`PreparedTournament::with_left_out`], or one of the contestants cannot take part.
    ///
    /// # Panics
    /// The settings have keys that are not strings; those of our games have none.
    pub fn new<S: GameSetup<Factory = F, Game = F::Game>>(
        setup: S,
        contestants: Contestants<S>,
        options: TournamentOptions,
    ) -> Result<PreparedTournament<F>, RunnerError> {
        let (prepared, mut left_out) = PreparedTournament::with_left_out(setup, contestants, Vec::new(), options)?;
        left_out.pop().map_or(Ok(prepared), |out| Err(out.error))
    }

    /// As [`PreparedTournament::new`], of which other bots were named as well that cannot take part as they are. Those of them that
    /// are entrants of the journal play on as they entered; the others are given, and in the journal with their reasons.
    ///
    /// # Errors
    /// There are fewer than two entrants, the settings are out of range, the journal is damaged, in use or of another
    /// tournament, an entrant is not what it was and there is no copy of that, or as for [`GameSetup::open`].
    ///
    /// # Panics
    /// The settings have keys that are not strings; those of our games have none.
    pub fn with_left_out<S: GameSetup<Factory = F, Game = F::Game>>(
        mut setup: S,
        contestants: Contestants<S>,
        mut left_out: Vec<LeftOut>,
        options: TournamentOptions,
    ) -> Result<(PreparedTournament<F>, Vec<LeftOut>), RunnerError> {
        let context = setup.context().clone();
        let named = entrants::of(&setup, contestants, &mut left_out, options.strict)?;
        // Settings with which no game can be played leave no journal.
        start::<F::Game>(setup.settings(), 2, 0)?;
        let mut header = wanted_header(&setup, &options);
        let folder = options.folder.clone();
        let folder =
            folder.unwrap_or_else(|| entrants::usual_folder(&header, &named, &setup.fingerprint(), options.seed));
        let path = folder.join(GAMES_JSONL);
        no_links(&folder)?;
        if !path.exists() {
            entrants::can_begin(&named, &mut left_out, &options, &path)?;
        }

        let (mut journal, mut table) = ScoreTable::open(&path, &header)?;
        if journal.cut_off() > 0 {
            context.report(&Report::JournalRepaired(&path, journal.cut_off()));
        }
        setup.go_on_with(table.event());
        header.settings = settings_of(&setup);
        same_tournament(table.event(), &header, options.seed, &path)?;
        // Absolute, because bots are started in other folders.
        let real = folder.canonicalize().unwrap_or_else(|_| folder.clone());
        let copies = Copies::new(real.join(TEMPLATES));
        let entered = entrants::entered(&setup, &mut table, (named, left_out), &options, (&path, &copies))?;
        let Entered { entrants, changes, left_out } = entered;
        let (mut entrants, mut contestants): (Vec<Entrant>, Vec<_>) =
            entrants.into_iter().map(|named| (named.entrant, named.contestant)).unzip();
        let template = |(number, contestant): (usize, &mut ContestantOf<S>)| {
            let template =
                contestant.bot_mut().map(|bot| S::program(bot).and_then(|program| program.template.clone()))?;
            Some(template.unwrap_or_else(|| folder.join(TEMPLATES).join(number.to_string())))
        };
        let templates = contestants.iter_mut().enumerate().map(template).collect();
        let played_from: Vec<String> = contestants.iter().map(|contestant| contestant.source.clone()).collect();
        // The folders of bots whose copies play, and those copies.
        let mut closed: Vec<PathBuf> =
            played_from.iter().filter_map(|bot| Path::new(bot).canonicalize().ok()).collect();
        closed.push(real);
        let scratch = if S::PLAYERS_HAVE_FILES { Some(ScratchFolder::make(&context)?) } else { None };
        let (settings, answer_limit) = (setup.settings().clone(), setup.answer_limit());
        let factory = setup.open(contestants, Opening { closed, spool: None, scratch, copies: true })?;
        // A bot that is refused stays out of the journal, or the tournament could not go on without it.
        for (number, new) in entrants.iter().enumerate() {
            if table.entrants().get(number) != Some(new) {
                journal.append(&JournalLine::Entrant(new.clone()))?;
                table.enter(new.clone());
            }
        }
        for out in left_out.iter().map(LeftOut::in_journal) {
            if table.leave_out(out.clone()) {
                journal.append(&JournalLine::LeftOut(out))?;
            }
        }
        for change in changes {
            journal.append(&change)?;
        }
        journal.sync()?;
        for (entrant, source) in entrants.iter_mut().zip(played_from) {
            entrant.bot = source;
        }
        let plan = Plan::of(table.event(), entrants.len(), options.games, options.rounds);
        let prepared = PreparedTournament {
            options,
            settings,
            answer_limit,
            context,
            entrants,
            factory,
            folder,
            journal,
            table,
            plan,
            templates,
            is_needed: Box::new(|_| true),
        };
        Ok((prepared, left_out))
    }

    /// The same tournament, of which only those games are played that are needed when they begin ([`RunSettings::is_needed`]).
    #[must_use]
    pub fn needing(self, is_needed: Box<dyn Fn(Fixture) -> bool>) -> PreparedTournament<F> {
        PreparedTournament { is_needed, ..self }
    }

    /// The folder of the tournament, as it was named.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The number of games of the whole tournament.
    pub fn total(&self) -> u64 {
        self.plan.total(self.table.results())
    }

    /// What other machines have to know to play games of the tournament.
    pub fn description(&self) -> TournamentDescription<'_> {
        TournamentDescription {
            header: self.table.event(),
            entrants: &self.entrants,
            sequence: self.sequence(),
            keep: self.options.keep,
            answer_limit: self.answer_limit,
            left: self.left(),
            bots: self.templates.clone(),
            folder: &self.folder,
            closed: &self.folder,
        }
    }

    /// The number of games without a result.
    fn left(&self) -> u64 {
        self.total().saturating_sub(self.table.results().games())
    }

    /// Stops the tournament.
    pub fn interrupt(&self) -> &Interrupt {
        &self.context.interrupt
    }

    /// Plays the games that are left, on threads of this process. `watch` sees every step, and may end the tournament.
    ///
    /// # Errors
    /// The journal could not be written, or the system gave no threads. Games that are in the journal count.
    pub fn play(
        mut self,
        watch: &mut dyn FnMut(SchedulerEvent<'_>, &ScoreTable) -> ControlFlow<()>,
    ) -> Result<PlayedTournament, RunnerError> {
        let all: Vec<usize> = (0..self.entrants.len()).collect();
        let games = FactoryGames {
            factory: &self.factory,
            contestants: &all,
            settings: &self.settings,
            interrupt: &self.context.interrupt,
            seed: self.table.event().base_seed(),
            entrants: &self.entrants,
            sequence: self.sequence(),
            folder: &self.folder,
            keep: self.options.keep,
            lost: LostGames::up_to(self.options.keep_lost),
            format: self.table.event().plan,
        };
        let concurrency = concurrency(&self.options, self.factory.shares_processors(), &self.context);
        let (repeat, interrupt) = (self.options.replay_suspect, &self.context.interrupt);
        let mut tournament = Running { plan: &mut self.plan, table: &mut self.table, journal: &mut self.journal };
        let settings = RunSettings { repeat_suspect: repeat, is_needed: &*self.is_needed, interrupt };
        let ended = with_threads(concurrency, &games, |threads| tournament.play(threads, settings, watch))?;
        Ok(self.played(ended))
    }

    /// Plays the games that are left in this pool. `watch` sees every step, and may end the tournament.
    ///
    /// # Errors
    /// The journal could not be written, or the pool has failed. Games that are in the journal count.
    pub fn play_in(
        mut self,
        pool: &mut dyn GamePool,
        watch: &mut dyn FnMut(SchedulerEvent<'_>, &ScoreTable) -> ControlFlow<()>,
    ) -> Result<PlayedTournament, RunnerError> {
        let settings = RunSettings {
            repeat_suspect: self.options.replay_suspect,
            is_needed: &*self.is_needed,
            interrupt: &self.context.interrupt,
        };
        let mut tournament = Running { plan: &mut self.plan, table: &mut self.table, journal: &mut self.journal };
        let ended = tournament.play(pool, settings, watch)?;
        Ok(self.played(ended))
    }

    fn sequence(&self) -> Sequence {
        if self.options.together { Sequence::Together } else { Sequence::InTurn }
    }

    fn played(self, Ended { stopped, given_up, failure }: Ended) -> PlayedTournament {
        // A tournament that goes on needs what its bots were when they entered.
        if matches!(stopped, StopReason::Complete | StopReason::Enough) && given_up.is_empty() {
            let path = self.folder.join(TEMPLATES);
            if let Err(error) = remove_folder(&path) {
                self.context.report(&Report::FolderLeft(&path, &error));
            }
        }
        let left = self.left();
        PlayedTournament { stopped, given_up, table: self.table, folder: self.folder, left, failure }
    }
}

/// What other machines have to know to play games of a tournament.
#[derive(Debug, Clone)]
pub struct TournamentDescription<'a> {
    /// The header of its journal: game, settings, seed, format.
    pub header: &'a TournamentHeader,
    /// All entrants.
    pub entrants: &'a [Entrant],
    /// The sequence in which the players of a game are asked.
    pub sequence: Sequence,
    /// The games of which records and fault bundles are kept.
    pub keep: KeptGames,
    /// The time that an answer may take; `None` without limit, or if each bot has a limit of its own.
    pub answer_limit: Option<Duration>,
    /// The number of games without a result, more or less.
    pub left: u64,
    /// The folder of each entrant as it was when it entered; `None` for a built-in player, and for one that plays no more.
    pub bots: Vec<Option<PathBuf>>,
    /// Its folder.
    pub folder: &'a Path,
    /// The folder that no bot can read on this machine: its own, or one around it.
    pub closed: &'a Path,
}

/// The parts of a tournament that change while it is played.
struct Running<'a> {
    plan: &'a mut Plan,
    table: &'a mut ScoreTable,
    journal: &'a mut Journal,
}

/// The end of a run.
struct Ended {
    stopped: StopReason,
    given_up: Vec<Fixture>,
    /// The last failure of the engine, in words.
    failure: Option<String>,
}

impl Running<'_> {
    fn play(
        &mut self,
        pool: &mut dyn GamePool,
        settings: RunSettings<'_>,
        watch: &mut dyn FnMut(SchedulerEvent<'_>, &ScoreTable) -> ControlFlow<()>,
    ) -> Result<Ended, ArenaError> {
        let mut failure = None;
        let mut noting = |event: SchedulerEvent<'_>, table: &ScoreTable| {
            if let SchedulerEvent::Failed { error, .. } = &event {
                failure = Some(rules::printable(&with_causes(*error)));
            }
            watch(event, table)
        };
        let (stopped, given_up) = run(self.plan, self.table, self.journal, pool, settings, &mut noting)?;
        Ok(Ended { stopped, given_up, failure })
    }
}

/// A tournament that was played, as far as it was.
#[derive(Debug)]
pub struct PlayedTournament {
    /// The reason why no more games were played.
    pub stopped: StopReason,
    /// The games that the engine could not play.
    pub given_up: Vec<Fixture>,
    /// The scores.
    pub table: ScoreTable,
    /// The folder of the tournament.
    pub folder: PathBuf,
    /// The number of games without a result.
    pub left: u64,
    /// The last failure of the engine, in words.
    pub failure: Option<String>,
}

/// Checks that nothing in the folder of a tournament, which may have come from somebody else, leads what is written out of it.
fn no_links(folder: &Path) -> Result<(), RunnerError> {
    let written = [GAMES_JSONL, TEMPLATES, RECORDS, FAULTS].map(|name| folder.join(name));
    let is_link = |path: &PathBuf| path.symlink_metadata().is_ok_and(|found| found.is_symlink());
    written.into_iter().find(is_link).map_or(Ok(()), |path| Err(RunnerError::LinkInFolder(path)))
}

fn wanted_header<S: GameSetup>(setup: &S, options: &TournamentOptions) -> TournamentHeader {
    let settings = settings_of(setup);
    let seed = options.seed.unwrap_or_else(fresh_seed);
    let header = TournamentHeader::new(S::Game::KIND, settings, options.format, options.rounds, seed);
    let mut header = header.spoken(setup.dialect());
    header.baselines = options.baselines;
    if options.format == Format::Knockout {
        header.games = Some(Plan::new(options.format, 0, options.games, options.rounds).games());
    }
    header
}

fn settings_of<S: GameSetup>(setup: &S) -> serde_json::Value {
    serde_json::to_value(setup.settings()).expect("settings have string keys")
}

/// The number of games at the same time. More games than processors make bots wait that share them. Nobody knows how many
/// calls at a time a web service can take: one, unless more is asked for.
fn concurrency(options: &TournamentOptions, shares_processors: bool, context: &Context) -> usize {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let each = if options.together { 2 } else { 1 };
    let sound = (processors / each).max(1);
    let games = options.concurrency.unwrap_or(if shares_processors { sound } else { 1 });
    if shares_processors && games > sound {
        context.report(&Report::Oversubscribed { games, processors });
    }
    games
}

/// The settings that others do not have, as text: rules have many, and people look for the difference.
fn differing(settings: &serde_json::Value, others: &serde_json::Value) -> String {
    let Some(fields) = settings.as_object() else { return settings.to_string() };
    let differs = |(key, value): &(&String, &serde_json::Value)| others.get(*key) != Some(*value);
    let fields = fields.iter().filter(differs).map(|(key, value)| (key.clone(), value.clone()));
    serde_json::Value::Object(fields.collect()).to_string()
}

/// Checks that the journal is of the tournament that is wanted.
fn same_tournament(
    found: &TournamentHeader,
    wanted: &TournamentHeader,
    seed: Option<u64>,
    path: &Path,
) -> Result<(), RunnerError> {
    let rounds = |header: &TournamentHeader| {
        header.rounds.map_or("as many as are usual".to_owned(), |rounds| rounds.to_string())
    };
    let games = |header: &TournamentHeader| header.games.map(|games| games.to_string()).unwrap_or_default();
    let baselines = |header: &TournamentHeader| header.baselines.unwrap_or_default().to_string();
    let dialect =
        |header: &TournamentHeader| header.dialect.clone().unwrap_or_else(|| "found out by asking".to_owned());
    let both = |text: &dyn Fn(&TournamentHeader) -> String| [text(found), text(wanted)];
    let settings = [differing(&found.settings, &wanted.settings), differing(&wanted.settings, &found.settings)];
    let [base_seed, seed] = [found.base_seed(), seed.unwrap_or(found.base_seed())];
    let facts = [
        ("game is", found.game != wanted.game, both(&|header| header.game.name().to_owned())),
        ("dialect is", wanted.dialect.is_some() && found.dialect != wanted.dialect, both(&dialect)),
        ("settings are", found.settings != wanted.settings, settings),
        ("format is", found.plan != wanted.plan, both(&|header| header.plan.name().to_owned())),
        ("rounds are", found.rounds != wanted.rounds, both(&rounds)),
        ("baselines are", found.baselines != wanted.baselines, both(&baselines)),
        ("games of a meeting are", found.games.is_some() && found.games != wanted.games, both(&games)),
        ("seed is", base_seed != seed, [base_seed, seed].map(|seed| seed.to_string())),
    ];
    match facts.into_iter().find(|(_, differs, _)| *differs) {
        Some((fact, _, [found, wanted])) => {
            let what = format!("its {fact} {found}, not {wanted}");
            Err(RunnerError::OtherTournament(path.to_owned(), what))
        }
        None => Ok(()),
    }
}
