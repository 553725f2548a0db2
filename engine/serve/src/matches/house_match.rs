//! Matches of people against the house bot, a built-in player, if the organiser allows them. They are played in the
//! browser, count for nothing, and leave no record.

use crate::matches::host::MatchHost;
use crate::matches::match_run::{outcome, prepared};
use crate::state::random::fresh_seed;
use crate::state::request_error::{RequestError, RequestResult};
use arena::ArenaError;
use platform::locks::lock;
use rules::sea_battle::SeaBattle;
use rules::{Eye, Game, Seat};
use runner::{Contestant, Context, Silent};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use tokio::sync::Semaphore;
use web::{About, PersonSeat, PersonSeats, PersonWatch, WebPerson};

/// The most matches at the same time; more than one address can begin within [`PATIENCE`].
const MATCHES: usize = 64;
/// The number of finished matches of which pages can still be fetched.
const KEPT: usize = 16;
/// The time after which a person who does nothing has given up.
const PATIENCE: Duration = Duration::from_secs(120);

/// The matches of people against the house bot.
#[derive(Debug)]
pub(crate) struct HouseMatches {
    /// The seats of people, whose pages are served beside the server's.
    pub(crate) seats: PersonSeats,
    permits: Arc<Semaphore>,
    /// The tokens of finished matches, oldest first.
    finished: Mutex<VecDeque<String>>,
    /// The time after which a person who does nothing has given up.
    pub(crate) patience: Duration,
}

impl Default for HouseMatches {
    fn default() -> HouseMatches {
        HouseMatches {
            seats: PersonSeats::default(),
            permits: Arc::new(Semaphore::new(MATCHES)),
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

/// Begins a match. Returns the token of the person's page.
///
/// # Errors
/// Too many people are playing, or the system gives no thread.
pub(crate) fn begin(host: &MatchHost, house: &Arc<HouseMatches>) -> RequestResult<String> {
    let permit = Arc::clone(&house.permits).try_acquire_owned();
    let permit = permit.map_err(|_| RequestError::busy("too many people are playing; try again in a few minutes"))?;
    let seat = PersonSeat::new().map_err(RequestError::internal)?;
    let rules = host.store.look(|state| state.settings).rules();
    let seed = fresh_seed();
    let person = {
        let (seat, ending, patience) = (seat.clone(), host.ending.clone(), house.patience);
        Contestant::own("You", move |_, seed| {
            Box::new(WebPerson::<SeaBattle>::new(seat.clone(), rules, seed, ending.clone()).within(patience))
        })
    };
    let built_in = Contestant::built_in("hunter").map_err(RequestError::internal)?.called("house bot");
    let context = Context { interrupt: host.ending.clone(), reporter: Arc::new(Silent) };
    let house_match = prepared(rules, vec![built_in, person], seed, context)?;
    let about = About {
        names: house_match.names(),
        title: format!(
            "Sea Battle, {}",
            house_match
                .first
                .scene(Eye::Everyone)
                .boards
                .first()
                .map_or_else(String::new, |board| { format!("{} x {}", board.grid.width(), board.grid.height()) })
        ),
        played: String::new(),
        // The fleet of the house bot follows from it, so the person is told it when the match is over.
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
            Err(error) => log::error!("a match against the house bot broke off: {error}"),
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
