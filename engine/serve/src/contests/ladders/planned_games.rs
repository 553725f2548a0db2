//! The games of a plan between versions of a contest: those of its ladder, and those of its tournaments.

use crate::contests::contest_folder::{ContestFolder, version_at};
use crate::contests::ladders::other_machines::Elsewhere;
use crate::matches::host::MatchHost;
use crate::state::bot_address::BotAddress;
use crate::state::contests::contest_settings::ContestSettings;
use arena::{ArenaError, Interrupt, Journal, Sequence};
use platform::locks::lock;
use players::http::Client;
use players::{Manifest, OverHttp};
use rules::Game;
use runner::{
    BotOptions, ContestantOf, Context, FactoryGames, GameSetup, KeptGames, LostGames, Opening, ProgramSetup,
    RunnerError, SandboxLevel, ScratchFolder, ServiceSetup, Silent, TournamentDescription, for_setup, with_causes,
};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tournament::{
    Entrant, Fixture, Format, GameLine, GameRunner, Plan, RunSettings, SchedulerEvent, ScoreTable, StopReason, run,
    with_threads,
};

/// The place of games: whose they are, and where their records go.
pub(crate) struct GamePlace<'a> {
    /// The machines that play them; `None` for threads of this one.
    pub(crate) elsewhere: Option<Elsewhere<'a>>,
    pub(crate) host: &'a MatchHost,
    pub(crate) sandbox: SandboxLevel,
    /// The folder of the contest, with all versions.
    pub(crate) contest: &'a ContestFolder,
    pub(crate) settings: &'a ContestSettings,
    /// The folder of the tournament or of the ladder.
    pub(crate) folder: &'a Path,
    /// The addresses of entrants that are web services, by the paths of their versions.
    pub(crate) urls: BTreeMap<String, BotAddress>,
    pub(crate) unusable: &'a Unusable,
}

/// The entrants that cannot play, with the reasons.
#[derive(Debug, Default)]
pub(crate) struct Unusable(Mutex<BTreeMap<usize, String>>);

impl Unusable {
    pub(crate) fn take(&self) -> BTreeMap<usize, String> {
        std::mem::take(&mut *lock(&self.0))
    }
}

/// Tells of a game, and says if games go on.
pub(crate) type WatchGames<'a> = dyn FnMut(SchedulerEvent<'_>, &ScoreTable) -> ControlFlow<()> + 'a;

/// Plays the games of a plan, as many at the same time as the contest has it.
///
/// # Errors
/// The disk fails, or the machine.
pub(crate) fn play_planned(
    place: &GamePlace<'_>,
    plan: &mut Plan,
    table: &mut ScoreTable,
    journal: &mut Journal,
    watch: &mut WatchGames<'_>,
) -> Result<StopReason, RunnerError> {
    let context = Context { interrupt: place.host.ending.clone(), reporter: Arc::new(Silent) };
    let options = place.settings.bot_options(place.sandbox);
    for_setup!(place.settings.game,
        programs G => {
            let rules = place.settings.rules::<G>().map_err(RunnerError::Settings)?;
            let setup = ProgramSetup::new(rules, options, context);
            play_with(place, plan, table, journal, watch, &rules, || setup.clone())
        },
        services G => {
            let rules = place.settings.rules::<G>().map_err(RunnerError::Settings)?;
            let make = || service::<G>(&rules, &options, &place.host.client, &context);
            play_with(place, plan, table, journal, watch, &rules, make)
        },
        built_ins _G => Ok(StopReason::Complete),
    )
}

/// The setup of a game whose bots are asked line by line, or are web services.
pub(crate) fn service<G: OverHttp>(
    rules: &G::Settings,
    options: &BotOptions,
    client: &Arc<Client>,
    context: &Context,
) -> ServiceSetup<G> {
    let (limit, client) = (Some(G::usual_limit(rules)), Arc::clone(client));
    let setup = ServiceSetup::new(rules.clone(), G::Speech::default(), limit, client, context.clone());
    setup.with_programs(options.clone())
}

fn play_with<S: GameSetup>(
    place: &GamePlace<'_>,
    plan: &mut Plan,
    table: &mut ScoreTable,
    journal: &mut Journal,
    watch: &mut WatchGames<'_>,
    rules: &<S::Game as Game>::Settings,
    make: impl Fn() -> S + Sync,
) -> Result<StopReason, RunnerError>
where
    <S::Game as Game>::Settings: Sync,
{
    let interrupt: &Interrupt = &place.host.ending;
    let runner = VersionGames {
        place,
        make,
        server: place.host.folder.canonicalize().unwrap_or_else(|_| place.host.folder.clone()),
        entrants: table.entrants().to_vec(),
        settings: rules.clone(),
        seed: table.event().base_seed(),
        format: table.event().plan,
    };
    let settings = |interrupt| RunSettings { repeat_suspect: true, is_needed: &|_| true, interrupt };
    let Some(elsewhere) = &place.elsewhere else {
        let played = with_threads(place.settings.parallel as usize, &runner, |threads| {
            run(plan, table, journal, threads, settings(interrupt), watch)
        });
        return Ok(played?.0);
    };
    if runner.note_missing(table) {
        return Ok(StopReason::Enough);
    }
    let options = place.settings.bot_options(place.sandbox);
    let description = description(place, plan, table, (runner.make)().answer_limit());
    let stop = Interrupt::new().map_err(|e| ArenaError::process("make a pipe for", "a ladder", e))?;
    let mut pool = elsewhere.open(description, &options, interrupt, &stop)?;
    let mut watch = |event: SchedulerEvent<'_>, table: &ScoreTable| {
        // Machines that cannot play a game do not tell which of its versions cannot be started.
        if let SchedulerEvent::Failed { fixture, for_good: true, .. } = &event {
            runner.note_unusable(*fixture);
        }
        watch(event, table)
    };
    Ok(run(plan, table, journal, &mut pool, settings(&stop), &mut watch)?.0)
}

/// The games of a plan, for other machines. Versions that play no more are not sent there.
fn description<'a>(
    place: &GamePlace<'a>,
    plan: &Plan,
    table: &'a ScoreTable,
    answer_limit: Option<Duration>,
) -> TournamentDescription<'a> {
    let results = table.results();
    let bot = |(number, entrant): (usize, &Entrant)| {
        let (bot, version) = version_at(&entrant.bot).filter(|_| !results.is_retired(number))?;
        Some(place.contest.version(bot, version).bot())
    };
    TournamentDescription {
        header: table.event(),
        entrants: table.entrants(),
        sequence: Sequence::InTurn,
        keep: KeptGames::All,
        answer_limit,
        left: plan.total(results).saturating_sub(results.games()),
        bots: table.entrants().iter().enumerate().map(bot).collect(),
        folder: place.folder,
        closed: &place.host.folder,
    }
}

/// Plays games between versions: each between the two that it needs, and no other is looked at. `make` makes the setup of one game.
struct VersionGames<'a, S: GameSetup, M: Fn() -> S> {
    place: &'a GamePlace<'a>,
    make: M,
    /// The server's folder, which bots cannot read.
    server: PathBuf,
    entrants: Vec<Entrant>,
    settings: <S::Game as Game>::Settings,
    seed: u64,
    format: Format,
}

impl<S: GameSetup, M: Fn() -> S> VersionGames<'_, S, M> {
    fn played(&self, fixture: Fixture) -> Result<GameLine, RunnerError> {
        let setup = (self.make)();
        let pairing = [fixture.first, fixture.second];
        let contestants = pairing.into_iter().map(|at| self.entered(&setup, at)).collect::<Result<Vec<_>, _>>()?;
        let factory = self.open(setup, contestants)?;
        let games = FactoryGames {
            factory: &factory,
            contestants: &pairing,
            settings: &self.settings,
            interrupt: &self.place.host.ending,
            seed: self.seed,
            entrants: &self.entrants,
            sequence: Sequence::InTurn,
            folder: self.place.folder,
            keep: KeptGames::All,
            lost: LostGames::default(),
            format: self.format,
        };
        Ok(games.play(fixture)?)
    }

    fn entered(&self, setup: &S, at: usize) -> Result<ContestantOf<S>, RunnerError> {
        let entrant = &self.entrants[at];
        if let Some(url) = self.place.urls.get(&entrant.bot) {
            // With a name, so that its opponent is not told the URL.
            let found = setup.find_one(&format!("bot={}", url.as_str()))?;
            return Ok(ContestantOf::<S> { source: entrant.bot.clone(), info: entrant.details.clone(), ..found });
        }
        let folder = version_at(&entrant.bot).map(|(bot, number)| self.place.contest.version(bot, number).bot());
        setup.entered(entrant, folder.as_deref())
    }

    fn open(&self, setup: S, contestants: Vec<ContestantOf<S>>) -> Result<S::Factory, RunnerError> {
        let scratch = Some(ScratchFolder::make(setup.context())?);
        setup.open(contestants, Opening { closed: vec![self.server.clone()], spool: None, scratch, copies: true })
    }

    /// Notes which versions cannot be sent to other machines, because they have no folder or no `bot.json`. True if there are some.
    fn note_missing(&self, table: &ScoreTable) -> bool {
        let missing = |(at, entrant): (usize, &Entrant)| {
            let (bot, version) = version_at(&entrant.bot).filter(|_| !table.results().is_retired(at))?;
            let error = Manifest::read(&self.place.contest.version(bot, version).bot()).err()?;
            Some((at, with_causes(&error)))
        };
        let mut unusable = lock(&self.place.unusable.0);
        unusable.extend(table.entrants().iter().enumerate().filter_map(missing));
        !unusable.is_empty()
    }

    /// Notes which entrants of a game that could not be played cannot play by themselves either.
    fn note_unusable(&self, fixture: Fixture) {
        for at in [fixture.first, fixture.second] {
            let setup = (self.make)();
            let opened = self.entered(&setup, at).and_then(|contestant| self.open(setup, vec![contestant]));
            match opened {
                Err(RunnerError::Arena(_)) | Ok(_) => {}
                Err(error) => drop(lock(&self.place.unusable.0).insert(at, with_causes(&error))),
            }
        }
    }
}

impl<S: GameSetup, M: Fn() -> S + Sync> GameRunner for VersionGames<'_, S, M>
where
    <S::Game as Game>::Settings: Sync,
{
    fn play(&self, fixture: Fixture) -> Result<GameLine, ArenaError> {
        self.played(fixture).map_err(|error| match error {
            RunnerError::Arena(error) => error,
            error => {
                self.note_unusable(fixture);
                ArenaError::Elsewhere(with_causes(&error))
            }
        })
    }
}
