//! Matches of games whose bots are web services, or programs that answer the same requests line by line.

use crate::bots::http_bot;
use crate::bots::program::{expanded, is_pattern};
use crate::bots::program_host::{self, ProgramHost};
use crate::{
    Advice, BotOptions, Contestant, ContestantKind, Contestants, Context, CpuLimit, GameSetup, HttpBot, MatchFactory,
    Opening, Program, Report, RunnerError, ScratchFolder, Seating, Service,
};
use arena::record::StartMode;
use arena::{ArenaError, Limits, Player, Players, RunReport, Sequence};
use players::http::{BotUrl, Client};
use players::{FoundDialects, HttpPlayerFactory, OverHttp};
use rules::{BySeat, Game, PlayerInfo, Seat};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tournament::TournamentHeader;

/// A game over HTTP with its settings and the way its bots are called.
pub struct ServiceSetup<G: OverHttp> {
    /// The settings of the game.
    pub settings: G::Settings,
    /// True if nobody has chosen the settings.
    are_usual: bool,
    /// True if nobody has chosen the time limit.
    is_limit_usual: bool,
    /// Calls the bots.
    factory: HttpPlayerFactory<G>,
    /// The options of bots that are programs; `None` if bots are services only.
    pub(crate) programs: Option<BotOptions>,
    pub(crate) context: Context,
}

impl<G: OverHttp> ServiceSetup<G> {
    /// A setup in which the client, whose connections other matches may use as well, asks bots in this dialect. They have
    /// `limit` for each answer; `None` is without limit.
    pub fn new(
        settings: G::Settings,
        speech: G::Speech,
        limit: Option<Duration>,
        client: impl Into<Arc<Client>>,
        context: Context,
    ) -> ServiceSetup<G> {
        let reports = context.clone();
        let on_found = move |url: &BotUrl, dialect: &'static str| {
            reports.report(&Report::DialectFound(&url.to_string(), dialect));
        };
        let factory = HttpPlayerFactory::new(client, &settings, speech, limit, context.interrupt.clone());
        let factory = factory.reporting(Arc::new(on_found));
        ServiceSetup { settings, are_usual: false, is_limit_usual: false, factory, programs: None, context }
    }

    /// The same setup, whose settings, and time limit if `is_limit_usual`, nobody has chosen: a tournament that goes on is
    /// played by its own.
    #[must_use]
    pub fn with_usual_settings(self, is_limit_usual: bool) -> ServiceSetup<G> {
        ServiceSetup { are_usual: true, is_limit_usual, ..self }
    }

    /// The same setup, in which folders are bots, too, with these options. Their time limit is that of the setup.
    #[must_use]
    pub fn with_programs(self, options: BotOptions) -> ServiceSetup<G> {
        ServiceSetup { programs: Some(options), ..self }
    }

    /// The dialects in which bots have answered whose dialect was not named.
    pub fn found_dialects(&self) -> FoundDialects<G> {
        self.factory.found().clone()
    }

    /// Matches between these contestants, none of which is a program.
    pub fn matches(self, contestants: Contestants<ServiceSetup<G>>) -> ServiceMatches<G> {
        ServiceMatches { factory: self.factory, contestants, host: None, cpu: CpuLimit::Unlimited }
    }

    /// True if the name is that of a folder, or a pattern of folders.
    fn names_programs(&self, named: &str) -> bool {
        let is_folder = |named: &str| Path::new(named).is_dir();
        let named_folder = named.split_once('=').is_some_and(|(name, folder)| !name.is_empty() && is_folder(folder));
        is_folder(named) || named_folder || is_pattern(named) && http_bot::url_in(named).is_none()
    }

    /// The time that an answer may take; `None` without limit.
    pub fn limit(&self) -> Option<Duration> {
        self.factory.limit()
    }
}

impl<G: Game> Contestant<G, HttpBot> {
    /// A web service of this name. Nobody asks whether its host may be called; the call itself does.
    pub fn service(name: &str, bot: Service) -> Contestant<G, HttpBot> {
        let dialect = bot.dialect.as_ref().map(|dialect| format!(",dialect={dialect}")).unwrap_or_default();
        let (source, info) = (format!("{}{dialect}", bot.url), PlayerInfo::web_service(name));
        Contestant { source, info, content: None, kind: ContestantKind::Bot(HttpBot::Service(bot)) }
    }
}

impl<G: OverHttp> GameSetup for ServiceSetup<G> {
    type Game = G;
    type Bot = HttpBot;
    type Factory = ServiceMatches<G>;

    const PLAYERS_HAVE_FILES: bool = false;

    fn settings(&self) -> &G::Settings {
        &self.settings
    }

    fn context(&self) -> &Context {
        &self.context
    }

    fn dialect(&self) -> Option<&'static str> {
        G::name_of(self.factory.speech())
    }

    fn go_on_with(&mut self, header: &TournamentHeader) {
        if let Some(speech) = header.dialect.as_deref().and_then(G::speech_of) {
            self.factory.set_speech(speech);
        }
        // Those of another game are an error of another check.
        if let Some(settings) = serde_json::from_value(header.settings.clone()).ok().filter(|_| self.are_usual) {
            self.factory.set_settings(&settings, self.is_limit_usual);
            self.settings = settings;
        }
    }

    fn fingerprint(&self) -> String {
        format!("{} {:?} {}", G::KIND.name(), self.settings, G::fingerprint(self.factory.speech()))
    }

    fn expanded(&self, named: &str) -> Result<Vec<String>, RunnerError> {
        let may_be_pattern = self.programs.is_some() && self.names_programs(named);
        if may_be_pattern { expanded(named) } else { Ok(vec![named.to_owned()]) }
    }

    /// The bot with a URL, or with `NAME=URL`, if its host may be called. Behind the URL may be `,dialect=DIALECT`. With
    /// [`ServiceSetup::with_programs`] also the bot in a folder.
    fn find_bot(&self, named: &str) -> Result<Contestant<G, HttpBot>, RunnerError> {
        if let Some(options) = self.programs.as_ref().filter(|_| self.names_programs(named)) {
            return Ok(Program::named(named, options, &self.context)?.map_bot(HttpBot::program));
        }
        let (bot, name) = http_bot::parse(named, G::KIND)?;
        if let Some(dialect) = bot.dialect.as_deref().filter(|dialect| G::speech_of(dialect).is_none()) {
            return Err(RunnerError::NoSuchDialect { named: dialect.to_owned(), game: G::KIND, known: G::DIALECTS });
        }
        if let Some(why) = self.factory.refusal(&bot.url)? {
            return Err(RunnerError::HostNotAllowed(bot.url.to_string(), why));
        }
        Ok(Contestant::service(&name, bot))
    }

    fn find_built(&self, folder: &Path) -> Result<Contestant<G, HttpBot>, RunnerError> {
        let options = self.programs.clone().unwrap_or_default();
        Ok(Program::as_template(folder, &options)?.map_bot(HttpBot::program))
    }

    fn answer_limit(&self) -> Option<Duration> {
        self.limit()
    }

    fn program(bot: &mut HttpBot) -> Option<&mut Program> {
        match bot {
            HttpBot::Service(_) => None,
            HttpBot::Program(program) => Some(program),
        }
    }

    fn check(&self, contestants: &[Contestant<G, HttpBot>]) -> Result<(), RunnerError> {
        let programs = contestants.iter().filter_map(Contestant::bot).filter_map(HttpBot::as_program);
        self.programs.as_ref().map_or(Ok(()), |options| program_host::check(programs, options))
    }

    /// Together, except if one service plays several seats: it may serve only one connection at a time.
    fn usual_sequence(&self, contestants: &[Contestant<G, HttpBot>]) -> Sequence {
        let bots = contestants.iter().filter_map(Contestant::bot);
        let bots: Vec<&Service> = bots.filter_map(HttpBot::as_service).collect();
        let is_shared =
            |(nth, bot): (usize, &&Service)| bots[..nth].iter().any(|other| bot.url.shares_server(&other.url));
        let shared = bots.iter().enumerate().any(is_shared);
        if shared { Sequence::InTurn } else { Sequence::Together }
    }

    fn open(
        self,
        mut contestants: Vec<Contestant<G, HttpBot>>,
        opening: Opening,
    ) -> Result<ServiceMatches<G>, RunnerError> {
        let programs = contestants.iter_mut().enumerate().filter_map(|(number, contestant)| {
            let name = rules::printable(contestant.info.name().trim());
            match contestant.bot_mut()? {
                HttpBot::Program(program) => Some((number, name, &mut **program)),
                HttpBot::Service(_) => None,
            }
        });
        let programs: Vec<_> = programs.collect();
        let options = self.programs.as_ref().filter(|_| !programs.is_empty());
        let cpu = options.map_or(CpuLimit::Unlimited, |options| options.cpu);
        let host = match options {
            Some(options) => {
                let scratch = opening.scratch.map_or_else(|| ScratchFolder::make(&self.context), Ok)?;
                let opening = Opening { scratch: Some(scratch), ..opening };
                Some(ProgramHost::open(programs, options, opening, &self.context)?)
            }
            None => None,
        };
        Ok(ServiceMatches { host, cpu, ..self.matches(contestants) })
    }
}

/// Matches between web services, programs, built-in players and players of the calling program.
pub struct ServiceMatches<G: OverHttp> {
    factory: HttpPlayerFactory<G>,
    contestants: Vec<Contestant<G, HttpBot>>,
    /// The surroundings of programs, if there are any.
    host: Option<ProgramHost>,
    /// The limit on the processor time of programs.
    cpu: CpuLimit,
}

impl<G: OverHttp> MatchFactory for ServiceMatches<G> {
    type Game = G;

    /// Nobody knows how many calls at a time a web service can take.
    fn shares_processors(&self) -> bool {
        let mut bots = self.contestants.iter().filter_map(Contestant::bot);
        self.host.is_some() && bots.all(|bot| bot.as_program().is_some())
    }

    fn limits(&self, contestant: usize) -> Option<Limits> {
        let bot = self.contestants[contestant].bot()?;
        let limits = self.factory.limit().map(|limit| Limits::exactly(limit, limit));
        limits.map(|limits| bot.as_program().map_or(limits, |_| self.cpu.added_to(limits)))
    }

    fn start_mode(&self, contestant: usize) -> Option<StartMode> {
        self.contestants[contestant].bot()?.as_program().map(|_| StartMode::Stays)
    }

    fn sandbox(&self) -> Option<String> {
        self.host.as_ref().and_then(ProgramHost::description)
    }

    fn seat(&self, seating: &Seating<'_>) -> Result<Players<G>, ArenaError> {
        let told = |(&at, &name): (&usize, &&str)| match &self.contestants[at].kind {
            ContestantKind::Bot(HttpBot::Service(bot)) if !bot.is_named => None,
            _ => Some(name.to_owned()),
        };
        let names: BySeat<Option<String>> = seating.contestants.iter().zip(seating.names).map(told).collect();
        seating.players(&self.contestants, |bot, at, seat, seed| match bot {
            HttpBot::Service(bot) => {
                let own = bot.dialect.as_deref().and_then(G::speech_of);
                let speech = own.unwrap_or_else(|| self.factory.speech());
                Ok(self.factory.player_in(speech, &bot.url, seat, seating.player_seed, &names))
            }
            HttpBot::Program(program) => self.program_player(program, at, seat, seed, seating, &names),
        })
    }

    fn advice(&self, contestant: usize, run: &RunReport) -> Option<Advice> {
        let program = self.contestants[contestant].bot().and_then(HttpBot::as_program);
        program.zip(self.host.as_ref()).and_then(|(program, host)| host.advice(program, run))
    }

    fn clear(&self, game: &str) -> Result<(), ArenaError> {
        self.host.as_ref().map_or(Ok(()), |host| host.clear(game))
    }
}

impl<G: OverHttp> ServiceMatches<G> {
    /// The player that a program is in a seat.
    fn program_player(
        &self,
        program: &Program,
        contestant: usize,
        seat: Seat,
        seed: u64,
        seating: &Seating<'_>,
        names: &BySeat<Option<String>>,
    ) -> Result<Box<dyn Player<G>>, ArenaError> {
        let host = self.host.as_ref().expect("programs have a host");
        let root = host.root(seating.game).expect("the host of programs over HTTP has a folder");
        let folder = root.join(format!("temporary-{seat}"));
        fs::create_dir_all(&folder).map_err(|e| ArenaError::disk("make the folder", &folder, e))?;
        let limits = self.limits(contestant);
        let kill = limits.map(Limits::kill);
        let launch = host.launch(program, seed, seating.game, &seat.to_string(), &folder, kill)?;
        Ok(self.factory.line_player(launch, folder, limits, seat, seating.player_seed, names))
    }
}
