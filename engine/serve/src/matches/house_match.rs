//! Matches of people against the house bot, a built-in player, and against bots of contests, if the organiser allows them. They are
//! played in the browser, count for nothing, and leave no record.

use crate::matches::host::MatchHost;
use crate::matches::match_run::outcome;
use crate::state::random::fresh_seed;
use crate::state::request_error::{RequestError, RequestResult};
use arena::{ArenaError, Sequence};
use platform::locks::lock;
use players::PersonGame;
use rules::sea_battle::SeaBattle;
use rules::{Eye, Game, Seat};
use runner::{
    BuiltInSetup, Contestant, ContestantOf, Context, GameSetup, MatchOptions, MatchOutput, PreparedMatch, Silent,
    with_causes,
};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use tokio::sync::Semaphore;
use web::{About, PersonSeat, PersonSeats, PersonWatch, WebPerson};

/// The most matches at the same time; more than one address can begin within [`PATIENCE`].
const MATCHES: usize = 64;
/// The most of those against bots of contests, whose programs stay while the person thinks.
const CONTEST_MATCHES: usize = 8;
/// The number of finished matches of which pages can still be fetched.
const KEPT: usize = 16;
/// The time after which a person who does nothing has given up.
const PATIENCE: Duration = Duration::from_secs(120);

/// The matches of people.
#[derive(Debug)]
pub(crate) struct HouseMatches {
    /// The seats of people, whose pages are served beside the server's.
    pub(crate) seats: PersonSeats,
    house_permits: Arc<Semaphore>,
    pub(crate) contest_permits: Arc<Semaphore>,
    /// The tokens of finished matches, oldest first.
    finished: Mutex<VecDeque<String>>,
    /// The time after which a person who does nothing has given up.
    pub(crate) patience: Duration,
}

impl Default for HouseMatches {
    fn default() -> HouseMatches {
        HouseMatches {
            seats: PersonSeats::default(),
            house_permits: Arc::new(Semaphore::new(MATCHES)),
            contest_permits: Arc::new(Semaphore::new(CONTEST_MATCHES)),
            finished: Mutex::default(),
            patience: PATIENCE,
        }
    }
}

impl HouseMatches {
    /// Keeps a finished match for a while, and forgets the oldest.
    fn finish(&self, seat: &PersonSeat) {
        seat.close(None);
        let mut finished = lock(&self.finished);
        finished.push_back(seat.token().to_owned());
        while finished.len() > KEPT {
            finished.pop_front().iter().for_each(|token| self.seats.remove(token));
        }
    }
}

/// Begins a match of Sea Battle against the house bot. Returns the token of the person's page.
///
/// # Errors
/// As for [`begin`].
pub(crate) fn begin_against_house(host: &MatchHost, house: &Arc<HouseMatches>) -> RequestResult<String> {
    let settings = host.store.look(|state| state.settings).rules();
    let built_in = Contestant::built_in("hunter").map_err(RequestError::internal)?.called("house bot");
    let context = Context { interrupt: host.ending.clone(), reporter: Arc::new(Silent) };
    let options = MatchOptions { sequence: Some(Sequence::Together), ..MatchOptions::default() };
    let size = |first: &SeaBattle| {
        let board = first.scene(Eye::Everyone).boards.into_iter().next();
        board.map_or_else(String::new, |board| format!("{} x {}", board.grid.width(), board.grid.height()))
    };
    let title = |first: &SeaBattle| format!("Sea Battle, {}", size(first));
    begin(host, house, &house.house_permits, BuiltInSetup { settings, context }, built_in, options, title)
}

/// Begins a match of a person against an opponent, without files. Returns the token of the person's page.
///
/// # Errors
/// Too many people are playing, the opponent cannot play, or the system gives no thread.
pub(crate) fn begin<S>(
    host: &MatchHost,
    house: &Arc<HouseMatches>,
    permits: &Arc<Semaphore>,
    setup: S,
    opponent: ContestantOf<S>,
    options: MatchOptions,
    title: impl FnOnce(&S::Game) -> String,
) -> RequestResult<String>
where
    S: GameSetup<Game: PersonGame> + Send + 'static,
    ContestantOf<S>: Send,
    <S::Game as Game>::Settings: Send + Sync,
{
    let permit = Arc::clone(permits).try_acquire_owned();
    let permit = permit.map_err(|_| RequestError::busy("too many people are playing; try again in a few minutes"))?;
    let seat = PersonSeat::new().map_err(RequestError::internal)?;
    let seed = fresh_seed();
    let person = {
        let (seat, ending, patience) = (seat.clone(), host.ending.clone(), house.patience);
        let settings = setup.settings().clone();
        Contestant::own("You", move |_, seed| {
            let person = WebPerson::<S::Game>::new(seat.clone(), settings.clone(), seed, ending.clone());
            Box::new(person.within(patience))
        })
    };
    let options = MatchOptions { seed: Some(seed), output: MatchOutput::Nothing, ..options };
    let prepared = PreparedMatch::new(setup, vec![opponent, person], options);
    let house_match = prepared.map_err(|error| RequestError::internal(with_causes(&error)))?;
    let about = About {
        names: house_match.names(),
        title: title(&house_match.first),
        played: String::new(),
        // The fleet of a built-in player follows from it, so the person is told it when the match is over.
        seed: Some(seed),
        engine: host.engine.clone(),
        note: None,
        most_turns: None,
    };
    let mut watch = PersonWatch::begin(&house_match.first, about, vec![(Seat::B, seat.clone())]);
    house.seats.add(seat.clone());
    let (finished, token) = (Arc::clone(house), seat.token().to_owned());
    let work = move || {
        let _permit = permit;
        match outcome(house_match.play(&mut watch)) {
            Ok(_) | Err(ArenaError::Interrupted) => {}
            Err(error) => log::error!("a match against a person broke off: {error}"),
        }
        finished.finish(&seat);
    };
    let started = thread::Builder::new().name("house match".to_owned()).spawn(work);
    started.map(drop).map_err(|error| {
        house.seats.remove(&token);
        RequestError::internal(error)
    })?;
    Ok(token)
}
