//! Matches of games whose bots are web services.

use crate::{
    Contestant, ContestantKind, Contestants, Context, FoundBots, GameSetup, MatchFactory, Opening, Report, RunnerError,
    Seating, Service, service,
};
use arena::{ArenaError, Limits, Players, Sequence};
use players::http::{BotUrl, Client};
use players::{FoundDialects, HttpPlayerFactory, OverHttp};
use rules::{BySeat, Game, PlayerInfo};
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
    context: Context,
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
            reports.report(&Report::DialectFound { url: &url.to_string(), dialect });
        };
        let factory = HttpPlayerFactory::new(client, &settings, speech, limit, context.interrupt.clone());
        let factory = factory.reporting(Arc::new(on_found));
        ServiceSetup { settings, are_usual: false, is_limit_usual: false, factory, context }
    }

    /// The same setup, whose settings, and time limit if `is_limit_usual`, nobody has chosen: a tournament that goes on is
    /// played by its own.
    #[must_use]
    pub fn with_usual_settings(self, is_limit_usual: bool) -> ServiceSetup<G> {
        ServiceSetup { are_usual: true, is_limit_usual, ..self }
    }

    /// The dialects in which bots have answered whose dialect was not named.
    pub fn found_dialects(&self) -> FoundDialects<G> {
        self.factory.found().clone()
    }

    /// Matches between these contestants.
    pub fn matches(self, contestants: Contestants<ServiceSetup<G>>) -> ServiceMatches<G> {
        ServiceMatches { factory: self.factory, contestants }
    }

    /// The time that an answer may take; `None` without limit.
    pub fn limit(&self) -> Option<Duration> {
        self.factory.limit()
    }
}

impl<G: Game> Contestant<G, Service> {
    /// A web service of this name. Nobody asks whether its host may be called; the call itself does.
    pub fn service(name: &str, bot: Service) -> Contestant<G, Service> {
        let dialect = bot.dialect.as_ref().map(|dialect| format!(",dialect={dialect}")).unwrap_or_default();
        let (source, info) = (format!("{}{dialect}", bot.url), PlayerInfo::web_service(name));
        Contestant { source, info, content: None, kind: ContestantKind::Bot(bot) }
    }
}

impl<G: OverHttp> GameSetup for ServiceSetup<G> {
    type Game = G;
    type Bot = Service;
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

    /// The bot with a URL, or with `NAME=URL`, if its host may be called. Behind the URL may be `,dialect=DIALECT`.
    fn find_bots(&self, named: &str) -> Result<FoundBots<Self>, RunnerError> {
        let (bot, name) = service::parse(named, G::KIND)?;
        if let Some(dialect) = bot.dialect.as_deref().filter(|dialect| G::speech_of(dialect).is_none()) {
            return Err(RunnerError::NoSuchDialect { named: dialect.to_owned(), game: G::KIND, known: G::DIALECTS });
        }
        if let Some(why) = self.factory.refusal(&bot.url)? {
            return Err(RunnerError::HostNotAllowed { url: bot.url.to_string(), why });
        }
        Ok(vec![Ok(Contestant::service(&name, bot))])
    }

    /// Together, except if one service plays both seats: it may serve only one connection at a time.
    fn usual_sequence(&self, contestants: &[Contestant<G, Service>]) -> Sequence {
        let bots: Vec<&Service> = contestants.iter().filter_map(Contestant::bot).collect();
        let shared = matches!(bots[..], [one, other] if one.url.shares_server(&other.url));
        if shared { Sequence::InTurn } else { Sequence::Together }
    }

    fn open(self, contestants: Vec<Contestant<G, Service>>, _: Opening) -> Result<ServiceMatches<G>, RunnerError> {
        Ok(self.matches(contestants))
    }
}

/// Matches between web services, built-in players and players of the calling program.
pub struct ServiceMatches<G: OverHttp> {
    factory: HttpPlayerFactory<G>,
    contestants: Vec<Contestant<G, Service>>,
}

impl<G: OverHttp> MatchFactory for ServiceMatches<G> {
    type Game = G;

    const SHARES_PROCESSORS: bool = false;

    fn limits(&self, contestant: usize) -> Option<Limits> {
        self.contestants[contestant].bot()?;
        self.factory.limit().map(|limit| Limits::exactly(limit, limit))
    }

    fn seat(&self, seating: &Seating<'_>) -> Result<Players<G>, ArenaError> {
        let told = |(&at, &name): (&usize, &&str)| match &self.contestants[at].kind {
            ContestantKind::Bot(bot) if !bot.is_named => None,
            _ => Some(name.to_owned()),
        };
        let names: BySeat<Option<String>> = seating.contestants.iter().zip(seating.names).map(told).collect();
        seating.players(&self.contestants, |bot, _, seat, _| {
            let own = bot.dialect.as_deref().and_then(G::speech_of);
            let speech = own.unwrap_or_else(|| self.factory.speech());
            Ok(self.factory.player_in(speech, &bot.url, seat, seating.player_seed, &names))
        })
    }
}
