//! Matches of people against the house bot, a built-in player, if the organiser allows them. They are played in the
//! browser, count for nothing, and leave no record.

use super::app::{App, AppState};
use super::forms::FilledForm;
use super::guard::ClientAddress;
use super::pages::{Notice, form_page, not_found};
use super::random::fresh_seed;
use super::request_error::{RequestError, RequestResult};
use super::throttle::Throttle;
use arena::{ArenaError, Observers, Player, Players, Sequence, play};
use askama::Template;
use axum::Router;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use players::BuiltIn;
use rules::sea_battle::SeaBattle;
use rules::{Eye, Game, Seat};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
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
pub(super) struct HousePlay {
    seats: PersonSeats,
    permits: Arc<Semaphore>,
    /// The tokens of finished matches, oldest first.
    finished: Mutex<VecDeque<String>>,
    throttle: Throttle,
    patience: Duration,
}

impl Default for HousePlay {
    fn default() -> HousePlay {
        HousePlay {
            seats: PersonSeats::default(),
            permits: Arc::new(Semaphore::new(MATCHES)),
            finished: Mutex::default(),
            throttle: Throttle::new(20, Duration::from_secs(10)),
            patience: PATIENCE,
        }
    }
}

impl HousePlay {
    /// Keeps a finished match for a while, and forgets the oldest.
    fn finish(&self, seat: &PersonSeat) {
        seat.close(None);
        let mut finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        finished.push_back(seat.token().to_owned());
        while finished.len() > KEPT {
            finished.pop_front().iter().for_each(|token| self.seats.remove(token));
        }
    }
}

pub(super) fn routes(app: &App) -> Router<Arc<App>> {
    Router::new().route("/play", get(page).post(begin)).nest("/play", app.house_play.seats.routes())
}

#[derive(Template)]
#[template(path = "play.html")]
struct PlayPage {
    notice: Notice,
    csrf_token: String,
    minutes: u64,
}

const NOT_OFFERED: &str = "The organiser does not offer matches against the house bot.";

impl App {
    fn offers_play(&self) -> bool {
        self.store.look(|state| state.settings.house_play)
    }

    /// Begins a match. Returns the token of the person's page.
    fn begin_play(self: &Arc<App>, from: ClientAddress) -> RequestResult<String> {
        self.house_play.throttle.count(from.ip)?;
        let permit = Arc::clone(&self.house_play.permits).try_acquire_owned();
        let permit =
            permit.map_err(|_| RequestError::busy("too many people are playing; try again in a few minutes"))?;
        let seat = PersonSeat::new().map_err(RequestError::internal)?;
        let rules = self.store.look(|state| state.settings).rules();
        let seed = fresh_seed();
        let game = SeaBattle::start(&rules, 2, seed).map_err(RequestError::internal)?;
        let about = About {
            names: ["house bot", "You"].into_iter().map(str::to_owned).collect(),
            title: format!(
                "Sea Battle, {}",
                game.scene(Eye::Everyone)
                    .boards
                    .first()
                    .map_or_else(String::new, |board| { format!("{} x {}", board.grid.width(), board.grid.height()) })
            ),
            played: String::new(),
            seed: Some(seed),
            engine: self.engine.clone(),
            note: None,
        };
        let mut watch = PersonWatch::begin(&game, &about, vec![(Seat::B, seat.clone())]);
        let person = WebPerson::<SeaBattle>::new(seat.clone(), rules, fresh_seed(), self.ending.clone());
        let person: Box<dyn Player<SeaBattle>> = Box::new(person.within(self.house_play.patience));
        self.house_play.seats.add(seat.clone());
        let (app, token) = (Arc::clone(self), seat.token().to_owned());
        let work = move || {
            let _permit = permit;
            let house: Box<dyn Player<SeaBattle>> = BuiltIn::Hunter.player(fresh_seed());
            let mut players: Players<SeaBattle> = [house, person].into_iter().collect();
            let mut stop = app.ending.clone();
            let mut observers = Observers::new();
            observers.add(&mut stop);
            observers.add(&mut watch);
            match play(game, &mut players, Sequence::Together, &mut observers) {
                Ok(_) | Err(ArenaError::Interrupted) => {}
                Err(error) => log::error!("a match against the house bot broke off: {error}"),
            }
            drop(observers);
            app.house_play.finish(&seat);
        };
        let started = thread::Builder::new().name("house match".to_owned()).spawn(work);
        started.map(drop).map_err(|error| {
            self.house_play.seats.remove(&token);
            RequestError::internal(error)
        })?;
        Ok(token)
    }
}

fn play_page(app: &App, headers: &HeaderMap, notice: Notice) -> Response {
    let minutes = app.house_play.patience.as_secs() / 60;
    form_page(app, headers, notice, |notice, csrf_token| PlayPage { notice, csrf_token, minutes })
}

async fn page(app: AppState, headers: HeaderMap) -> Response {
    if !app.offers_play() {
        return not_found(NOT_OFFERED);
    }
    play_page(&app, &headers, Notice::Nothing)
}

async fn begin(app: AppState, from: ClientAddress, form: FilledForm) -> Response {
    if !app.offers_play() {
        return not_found(NOT_OFFERED);
    }
    match app.begin_play(from) {
        Ok(token) => Redirect::to(&format!("/play/{token}/")).into_response(),
        Err(error) => play_page(&app, &form.headers, error.into()),
    }
}
