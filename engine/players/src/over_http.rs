//! Games whose bots are reached over HTTP: what is the same for all of them, and what each has to say.

use crate::http::{BotUrl, Client, Http};
use crate::{Bot, WithBuiltIns};
use arena::{ArenaError, Interrupt, Player};
use rules::bots_arena::{Body, BotsArena, Requests};
use rules::sea_battle::{Json, SeaBattle};
use rules::{BySeat, Dialect, HttpRequest, Seat, seat_seed};
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

/// A game whose bots are reached over HTTP.
pub trait OverHttp: WithBuiltIns {
    /// What can be chosen of how its bots are spoken to.
    type Speech: Debug + Clone + Copy + Default + Send + Sync + 'static;
    /// What they are spoken to in.
    type Wire: Dialect<Self, Message = HttpRequest> + 'static;

    /// How long an answer may take where nothing else is agreed.
    const LIMIT: Duration;

    /// The messages of a match to the player in a seat.
    fn wire(speech: Self::Speech, to: &Addressee<'_>) -> Self::Wire;

    /// The name of what was chosen, where there is a choice.
    fn name_of(speech: Self::Speech) -> Option<&'static str>;
}

/// Whom the messages of a match go to.
#[derive(Debug)]
pub struct Addressee<'a> {
    /// In which seat.
    pub seat: Seat,
    /// What the match is told apart by, the same for all its players.
    pub number: u64,
    /// What the players are called; `None` for one of whom nothing is known but its URL. That is not for its opponent,
    /// who could call it.
    pub names: &'a BySeat<Option<String>>,
}

impl OverHttp for SeaBattle {
    type Speech = ();
    type Wire = Json;

    const LIMIT: Duration = Duration::from_secs(2);

    /// A service that plays against itself finds two matches. From the name of one nobody can tell that of the other, nor
    /// the seat: bots may make their fleets of it.
    fn wire((): (), to: &Addressee<'_>) -> Json {
        Json::new(format!("{:016x}", seat_seed(to.number, to.seat)))
    }

    fn name_of((): ()) -> Option<&'static str> {
        None
    }
}

impl OverHttp for BotsArena {
    type Speech = Body;
    type Wire = Requests;

    const LIMIT: Duration = Duration::from_secs(10);

    /// Bots in some languages have no larger whole numbers than those of 31 bits.
    fn wire(speech: Body, to: &Addressee<'_>) -> Requests {
        let unnamed = |seat: Seat| format!("bot-{}", seat.index() + 1);
        let told = |(seat, name): (Seat, &Option<String>)| name.clone().unwrap_or_else(|| unnamed(seat));
        Requests::new(speech, (to.number >> 33) as u32, to.names.iter().map(told).collect())
    }

    fn name_of(speech: Body) -> Option<&'static str> {
        Some(speech.name())
    }
}

/// How the bots of a game are called.
#[derive(Debug)]
pub struct Caller<G: OverHttp> {
    client: Arc<Client>,
    speech: G::Speech,
    limit: Option<Duration>,
    interrupt: Interrupt,
}

impl<G: OverHttp> Caller<G> {
    /// By this client, which several may share, in this way. Each bot must answer within `limit`; without one it may take
    /// for ever.
    pub fn new(
        client: impl Into<Arc<Client>>,
        speech: G::Speech,
        limit: Option<Duration>,
        interrupt: Interrupt,
    ) -> Caller<G> {
        Caller { client: client.into(), speech, limit, interrupt }
    }

    /// The bot at `url` as the player in `seat`. With the same seed and names it is told the same of the match; what it is
    /// told tells nothing of the seed.
    pub fn player(&self, url: &BotUrl, seat: Seat, seed: u64, names: &BySeat<Option<String>>) -> Box<dyn Player<G>> {
        let wire = G::wire(self.speech, &Addressee { seat, number: match_number(seed), names });
        let http = Http::new(Arc::clone(&self.client), url.clone(), self.limit, self.interrupt.clone());
        Box::new(Bot::new(wire, http))
    }

    /// Why the bot at `url` may not be called, if it can be told before the match. A name is looked up for it.
    pub fn refusal(&self, url: &BotUrl) -> Result<Option<String>, ArenaError> {
        self.client.refusal(url, self.limit, &self.interrupt)
    }

    /// How long an answer may take.
    pub fn limit(&self) -> Option<Duration> {
        self.limit
    }
}

/// What bots tell a match with this seed apart by. It is made as the seeds of players are, for a seat that nobody has.
fn match_number(seed: u64) -> u64 {
    let nobody = Seat::new(Seat::MAX - 1).expect("there are so many seats");
    seat_seed(seed, nobody)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Game;

    #[test]
    fn a_player_of_sea_battle_cannot_tell_the_name_that_the_other_is_told() {
        let names: BySeat<Option<String>> = ["one", "other"].map(|name| Some(name.to_owned())).into_iter().collect();
        let told = |number: u64, seat: Seat| {
            let game = SeaBattle::start(&Default::default(), 2, 1).unwrap();
            let ask = SeaBattle::wire((), &Addressee { seat, number, names: &names }).ask(seat, &game.view(seat));
            let request: serde_json::Value = serde_json::from_slice(&ask.body).unwrap();
            request["gameId"].as_str().unwrap().to_owned()
        };
        assert_eq!(told(7, Seat::A), told(7, Seat::A));
        let plain = format!("{:016x}", 7);
        assert!(
            [Seat::A, Seat::B].iter().all(|seat| !told(7, *seat).contains(&plain)),
            "it would do for the other, too"
        );
        assert_eq!(told(7, Seat::B).len(), 16);
        assert_ne!(told(7, Seat::A), told(7, Seat::B));
        assert_ne!(told(7, Seat::A), told(8, Seat::A));
    }

    #[test]
    fn a_bot_of_bots_arena_without_a_name_is_told_by_its_number() {
        let settings = Default::default();
        let opponents = |names: [Option<&str>; 2]| {
            let names: BySeat<Option<String>> = names.map(|name| name.map(str::to_owned)).into_iter().collect();
            [Seat::A, Seat::B].map(|seat| {
                let game = BotsArena::start(&settings, 2, 1).unwrap();
                let wire = BotsArena::wire(Body::Json, &Addressee { seat, number: 7, names: &names });
                let ask = wire.ask(seat, &game.view(seat));
                let request: serde_json::Value = serde_json::from_slice(&ask.body).unwrap();
                request["board"]["opponent"].as_str().unwrap().to_owned()
            })
        };
        assert_eq!(opponents([None, None]), ["bot-2", "bot-1"]);
        assert_eq!(opponents([Some("Kraken"), None]), ["bot-2", "Kraken"]);
    }

    #[test]
    fn the_number_of_a_match_is_that_of_its_seed_and_of_no_player() {
        let players = [Seat::A, Seat::B].map(|seat| seat_seed(7, seat));
        assert_eq!(match_number(7), match_number(7));
        assert_ne!(match_number(7), match_number(8));
        assert!(!players.contains(&match_number(7)) && match_number(7) != 7);
    }
}
