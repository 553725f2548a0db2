//! Games whose bots are reached over HTTP: what is the same for all of them, and what each has to say.

use crate::dialect_search::DialectSearch;
use crate::http::{AnswerPolicy, BotUrl, Client, Http};
use crate::process::{Launch, Lines};
use crate::{Bot, FoundDialects, OnDialectFound, WithBuiltIns};
use arena::{ArenaError, Interrupt, Limits, Player};
use rules::battleship::{self, Battleship};
use rules::bots_arena::{self, Body, BotsArena, Requests};
use rules::sea_battle::{Json, Profile, SeaBattle, Settings};
use rules::{BySeat, Dialect, HttpRequest, Part, Seat, seat_seed};
use std::fmt::{self, Debug};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A game whose bots are reached over HTTP.
pub trait OverHttp: WithBuiltIns {
    /// The variants of the protocol among which the user can choose; `()` if there is one only.
    type Speech: Debug + Clone + Copy + Default + Send + Sync + 'static;
    /// The dialect of the requests.
    type HttpDialect: Dialect<Self, Message = HttpRequest> + 'static;

    /// The time limit of an answer if no other is agreed.
    fn usual_limit(settings: &Self::Settings) -> Duration;

    /// The answers that are taken by these settings.
    fn answer_policy(_: &Self::Settings) -> AnswerPolicy {
        AnswerPolicy::STRICT
    }

    /// The messages of a match to the player in a seat.
    fn dialect(speech: Self::Speech, to: &Recipient<'_>) -> Self::HttpDialect;

    /// The name of the chosen variant; `None` if there is one only.
    fn name_of(_: Self::Speech) -> Option<&'static str> {
        None
    }

    /// The names of all variants; empty if there is one only.
    const DIALECTS: &'static [&'static str] = &[];

    /// The variant of this name, one of [`OverHttp::DIALECTS`].
    fn speech_of(_name: &str) -> Option<Self::Speech> {
        None
    }

    /// The variant, in JSON, in which a program is asked line by line.
    fn speech_of_lines() -> Self::Speech;

    /// The variants in which a bot is asked the first question, one after the other, until it answers: one, unless `speech`
    /// leaves the variant open.
    fn candidates(speech: Self::Speech) -> Vec<Self::Speech> {
        vec![speech]
    }

    /// True if these parts are in the form of an answer to the first question in this variant.
    fn answers_in(_speech: Self::Speech, _parts: &[Part]) -> bool {
        true
    }

    /// The text of a variant by which folders of tournaments are told apart. It stays the same from version to version.
    fn fingerprint(speech: Self::Speech) -> String {
        format!("{speech:?}")
    }
}

/// The player that the messages of a match go to.
#[derive(Debug)]
pub struct Recipient<'a> {
    /// The seat of the player.
    pub seat: Seat,
    /// The number by which bots tell matches apart, the same for all players of a match.
    pub number: u64,
    /// The names of the players; `None` for one of whom only the URL is known. Its opponent must not learn the URL, because
    /// it could call it.
    pub names: &'a BySeat<Option<String>>,
}

impl Recipient<'_> {
    /// A name of the match for this player. A service that plays against itself finds two matches. Neither the name of the other
    /// nor the seat can be computed from the name of one: bots may draw their fleets from it.
    fn match_name(&self) -> String {
        let first = seat_seed(self.number, self.seat);
        uuid(first, seat_seed(first, self.seat))
    }

    /// The names of the players, also of those of whom none is known.
    fn told_names(&self) -> BySeat<String> {
        let unnamed = |seat: Seat| format!("bot-{}", seat.index() + 1);
        let told = |(seat, name): (Seat, &Option<String>)| name.clone().unwrap_or_else(|| unnamed(seat));
        self.names.iter().map(told).collect()
    }
}

impl OverHttp for SeaBattle {
    type Speech = ();
    type HttpDialect = Json;

    /// The public server waits for ever, and a match has to end.
    fn usual_limit(settings: &Settings) -> Duration {
        match settings.profile {
            Profile::Text => Duration::from_secs(2),
            Profile::PublicServer => Duration::from_secs(30),
        }
    }

    fn answer_policy(settings: &Settings) -> AnswerPolicy {
        match settings.profile {
            Profile::Text => AnswerPolicy::STRICT,
            Profile::PublicServer => AnswerPolicy::LENIENT,
        }
    }

    fn speech_of_lines() {}

    fn dialect((): (), to: &Recipient<'_>) -> Json {
        Json::new(to.match_name())
    }
}

impl OverHttp for Battleship {
    type Speech = ();
    type HttpDialect = battleship::Json;

    fn usual_limit(_: &battleship::Rules) -> Duration {
        Duration::from_secs(2)
    }

    /// The fleets of some rules are longer than other answers.
    fn answer_policy(_: &battleship::Rules) -> AnswerPolicy {
        AnswerPolicy { most_bytes: battleship::MOST_OF_BODY, ..AnswerPolicy::STRICT }
    }

    fn speech_of_lines() {}

    fn dialect((): (), to: &Recipient<'_>) -> battleship::Json {
        battleship::Json::new(to.match_name(), to.told_names())
    }
}

impl OverHttp for BotsArena {
    /// `None`: found out by asking.
    type Speech = Option<Body>;
    type HttpDialect = Requests;

    fn usual_limit(_: &bots_arena::Settings) -> Duration {
        Duration::from_secs(10)
    }

    fn speech_of_lines() -> Option<Body> {
        Some(Body::Json)
    }

    /// Bots in some languages have no larger whole numbers than those of 31 bits.
    fn dialect(speech: Option<Body>, to: &Recipient<'_>) -> Requests {
        Requests::new(speech.unwrap_or_default(), (to.number >> 33) as u32, to.told_names())
    }

    fn name_of(speech: Option<Body>) -> Option<&'static str> {
        speech.map(Body::name)
    }

    const DIALECTS: &'static [&'static str] = &["form", "json", "multipart"];

    fn speech_of(name: &str) -> Option<Option<Body>> {
        Body::ALL.into_iter().find(|body| body.name() == name).map(Some)
    }

    fn candidates(speech: Option<Body>) -> Vec<Option<Body>> {
        speech.map_or_else(|| Body::ALL.map(Some).to_vec(), |body| vec![Some(body)])
    }

    fn answers_in(speech: Option<Body>, parts: &[Part]) -> bool {
        parts.iter().any(|part| speech.unwrap_or_default().is_fleet(&part.bytes))
    }

    /// Version 0.1.0 asked in forms where no dialect was named, and its folders are found again.
    fn fingerprint(speech: Option<Body>) -> String {
        match speech {
            None => "Form".to_owned(),
            Some(Body::Form) => "Form alone".to_owned(),
            Some(other) => format!("{other:?}"),
        }
    }
}

/// Makes players of URLs, all with the same limits and client.
pub struct HttpPlayerFactory<G: OverHttp> {
    client: Arc<Client>,
    policy: AnswerPolicy,
    speech: G::Speech,
    limit: Option<Duration>,
    interrupt: Interrupt,
    found: FoundDialects<G>,
    on_found: OnDialectFound,
}

impl<G: OverHttp> fmt::Debug for HttpPlayerFactory<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HttpPlayerFactory { client, speech, limit, .. } = self;
        let mut shown = f.debug_struct("HttpPlayerFactory");
        shown.field("client", client).field("speech", speech).field("limit", limit).finish_non_exhaustive()
    }
}

impl<G: OverHttp> HttpPlayerFactory<G> {
    /// A factory that calls bots by this client, which several may share, for matches with these settings. Each bot must answer
    /// within `limit`; without one it may take for ever.
    pub fn new(
        client: impl Into<Arc<Client>>,
        settings: &G::Settings,
        speech: G::Speech,
        limit: Option<Duration>,
        interrupt: Interrupt,
    ) -> HttpPlayerFactory<G> {
        let (client, found, on_found) = (client.into(), FoundDialects::default(), Arc::new(|_: &BotUrl, _: &str| ()));
        HttpPlayerFactory { client, policy: G::answer_policy(settings), speech, limit, interrupt, found, on_found }
    }

    /// The same factory, which calls `on_found` when a bot has answered in another dialect than before.
    #[must_use]
    pub fn reporting(self, on_found: OnDialectFound) -> HttpPlayerFactory<G> {
        HttpPlayerFactory { on_found, ..self }
    }

    /// Changes the settings of the matches. With `sets_limit`, a time limit becomes the usual one of the settings.
    pub fn set_settings(&mut self, settings: &G::Settings, sets_limit: bool) {
        self.policy = G::answer_policy(settings);
        if sets_limit {
            self.limit = self.limit.map(|_| G::usual_limit(settings));
        }
    }

    /// Changes the protocol of bots for which no other is named.
    pub fn set_speech(&mut self, speech: G::Speech) {
        self.speech = speech;
    }

    /// The protocol of bots for which no other is named.
    pub fn speech(&self) -> G::Speech {
        self.speech
    }

    /// The dialects in which bots have answered.
    pub fn found(&self) -> &FoundDialects<G> {
        &self.found
    }

    /// The bot at `url` as the player in `seat`. With the same seed and names it is told the same of the match; what it is
    /// told tells nothing of the seed.
    pub fn player(&self, url: &BotUrl, seat: Seat, seed: u64, names: &BySeat<Option<String>>) -> Box<dyn Player<G>> {
        self.player_in(self.speech, url, seat, seed, names)
    }

    /// As [`HttpPlayerFactory::player`], but the bot is asked in this protocol.
    pub fn player_in(
        &self,
        speech: G::Speech,
        url: &BotUrl,
        seat: Seat,
        seed: u64,
        names: &BySeat<Option<String>>,
    ) -> Box<dyn Player<G>> {
        let to = Recipient { seat, number: match_number(seed), names };
        let http = Http::new(Arc::clone(&self.client), url.clone(), self.limit, self.interrupt.clone());
        let http = http.taking(self.policy);
        let mut candidates = G::candidates(speech);
        if candidates.len() < 2 {
            return Box::new(Bot::new(G::dialect(speech, &to), http));
        }
        self.found.sort(url, &mut candidates);
        let dialects = candidates.into_iter().map(|speech| (speech, G::dialect(speech, &to))).collect();
        let (found, on_found) = (self.found.clone(), Arc::clone(&self.on_found));
        Box::new(DialectSearch { dialects, chosen: None, http, url: url.clone(), found, on_found })
    }

    /// The program that `launch` starts as the player in `seat`, asked line by line, with its temporary files in `folder`. It is
    /// told what a bot over HTTP is told.
    pub fn line_player(
        &self,
        launch: Launch,
        folder: PathBuf,
        limits: Option<Limits>,
        seat: Seat,
        seed: u64,
        names: &BySeat<Option<String>>,
    ) -> Box<dyn Player<G>> {
        let dialect = G::dialect(G::speech_of_lines(), &Recipient { seat, number: match_number(seed), names });
        Box::new(Bot::new(dialect, Lines::new(launch, folder, self.policy, limits, self.interrupt.clone())))
    }

    /// The reason why the bot at `url` may not be called, if it can be told before the match. Looks up the name.
    ///
    /// # Errors
    /// [`ArenaError`] when the engine or its machine fails, and on an interrupt.
    pub fn refusal(&self, url: &BotUrl) -> Result<Option<String>, ArenaError> {
        self.client.refusal(url, self.limit, &self.interrupt)
    }

    /// The time limit of an answer; `None` without limit.
    pub fn limit(&self) -> Option<Duration> {
        self.limit
    }
}

/// A UUID of random bits in the form of RFC 9562, version 4, as the public server names its matches: services may read it as one.
fn uuid(high: u64, low: u64) -> String {
    let (high, low) = (high & !0xf000 | 0x4000, low & !(3 << 62) | 2 << 62);
    let (time, node) = (format!("{high:016x}"), format!("{low:016x}"));
    [&time[..8], &time[8..12], &time[12..], &node[..4], &node[4..]].join("-")
}

/// The number by which bots tell a match with this seed apart. Derived as the seeds of players are, for a
/// seat that no game uses.
fn match_number(seed: u64) -> u64 {
    let nobody = Seat::new(Seat::MAX - 1).expect("there are so many seats");
    seat_seed(seed, nobody)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Game;

    fn text_in(request: &HttpRequest, pointer: &str) -> String {
        let body: serde_json::Value = serde_json::from_slice(&request.body).unwrap();
        body.pointer(pointer).unwrap().as_str().unwrap().to_owned()
    }

    #[test]
    fn a_player_of_sea_battle_cannot_tell_the_name_that_the_other_is_told() {
        let names: BySeat<Option<String>> = ["one", "other"].map(|name| Some(name.to_owned())).into_iter().collect();
        let told = |number: u64, seat: Seat| {
            let game = SeaBattle::start(&Default::default(), 2, 1).unwrap();
            let dialect = SeaBattle::dialect((), &Recipient { seat, number, names: &names });
            text_in(&dialect.ask(seat, &game.view(seat)), "/gameId")
        };
        assert_eq!(told(7, Seat::A), told(7, Seat::A));
        let plain = format!("{:016x}", 7);
        assert!(
            [Seat::A, Seat::B].iter().all(|seat| !told(7, *seat).contains(&plain)),
            "it would do for the other, too"
        );
        assert_ne!(told(7, Seat::A), told(7, Seat::B));
        assert_ne!(told(7, Seat::A), told(8, Seat::A));
    }

    #[test]
    fn the_name_of_a_match_of_sea_battle_is_a_uuid_of_version_4() {
        let names: BySeat<Option<String>> = ["one", "other"].map(|name| Some(name.to_owned())).into_iter().collect();
        for (number, seat) in (0..1000).flat_map(|number| [(number, Seat::A), (number, Seat::B)]) {
            let game = SeaBattle::start(&Default::default(), 2, 1).unwrap();
            let dialect = SeaBattle::dialect((), &Recipient { seat, number, names: &names });
            let name = text_in(&dialect.ask(seat, &game.view(seat)), "/gameId");
            assert_eq!(name.split('-').map(str::len).collect::<Vec<_>>(), [8, 4, 4, 4, 12], "{name}");
            assert!(name.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f' | b'-')), "{name}");
            assert!(&name[14..15] == "4" && "89ab".contains(&name[19..20]), "{name}");
        }
        assert_eq!(uuid(0, u64::MAX), "00000000-0000-4000-bfff-ffffffffffff");
    }

    #[test]
    fn a_bot_of_bots_arena_without_a_name_is_told_by_its_number() {
        let settings = Default::default();
        let opponents = |names: [Option<&str>; 2]| {
            let names: BySeat<Option<String>> = names.map(|name| name.map(str::to_owned)).into_iter().collect();
            [Seat::A, Seat::B].map(|seat| {
                let game = BotsArena::start(&settings, 2, 1).unwrap();
                let dialect = BotsArena::dialect(Some(Body::Json), &Recipient { seat, number: 7, names: &names });
                text_in(&dialect.ask(seat, &game.view(seat)), "/board/opponent")
            })
        };
        assert_eq!(opponents([None, None]), ["bot-2", "bot-1"]);
        assert_eq!(opponents([Some("Kraken"), None]), ["bot-2", "Kraken"]);
    }

    #[test]
    fn every_dialect_is_found_by_its_name() {
        let found: Vec<_> = BotsArena::DIALECTS.iter().filter_map(|name| BotsArena::speech_of(name)).collect();
        assert_eq!(found, Body::ALL.map(Some));
        assert_eq!((BotsArena::speech_of("xml"), SeaBattle::speech_of("json")), (None, None));
    }

    #[test]
    fn the_number_of_a_match_is_that_of_its_seed_and_of_no_player() {
        let players = [Seat::A, Seat::B].map(|seat| seat_seed(7, seat));
        assert_eq!(match_number(7), match_number(7));
        assert_ne!(match_number(7), match_number(8));
        assert!(!players.contains(&match_number(7)) && match_number(7) != 7);
    }
}
