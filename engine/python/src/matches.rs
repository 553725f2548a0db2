//! One match.

use crate::any_match::AnyMatch;
use crate::games::{self, failed, wrong};
use crate::view::{self, View};
use arena::Sequence;
use arena::record::Clock;
use environments::{ActionMatch, ActionMatchError, WrongAction};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyDict};
use rules::{Eye, Fault, Seat};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One match, whose seats act in turn or at the same time, as the game has it.
#[pyclass(module = "broadside._engine")]
pub(crate) struct Match {
    inner: Mutex<Box<dyn AnyMatch>>,
    /// Memory for masks.
    spare: (Vec<u8>, Vec<f32>, Vec<i8>),
}

impl Match {
    pub(crate) fn of(inner: Box<dyn AnyMatch>) -> Match {
        let layout = inner.layout();
        let spare = (
            vec![0; layout.planes.len() * layout.grid.len()],
            vec![0.0; layout.scalars.len()],
            vec![0; layout.actions()],
        );
        Match { inner: Mutex::new(inner), spare }
    }

    /// The match. Whoever waits for it lets other threads of the interpreter go on: the thread that has it may wait for them, because
    /// arrays are made while it is held.
    pub(crate) fn locked(&self) -> MutexGuard<'_, Box<dyn AnyMatch>> {
        Python::attach(|py| self.inner.lock_py_attached(py)).unwrap_or_else(PoisonError::into_inner)
    }

    fn inner(&mut self) -> &mut Box<dyn AnyMatch> {
        self.inner.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    fn mask(&mut self, seat: Seat) -> &[i8] {
        let (planes, scalars, mask) = &mut self.spare;
        let inner = self.inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        inner.observe(seat, planes, scalars, mask);
        mask
    }

    fn names(&self, names: Option<Vec<String>>) -> PyResult<Vec<String>> {
        let seats = self.locked().seats();
        let names = names.unwrap_or_else(|| (0..seats).map(|seat| format!("player_{seat}")).collect());
        if names.len() == seats {
            Ok(names)
        } else {
            Err(wrong(format!("{seats} names are needed, not {}", names.len())))
        }
    }

    fn seat(&self, number: usize) -> PyResult<Seat> {
        games::seat(number, self.locked().seats())
    }
}

fn no_time(text: &str) -> PyErr {
    let example = "2017-06-01T12:00:00.250+02:00";
    wrong(format!("{} is not a time as records have it, such as {example}", games::quoted(text)))
}

fn taken(result: Result<(), ActionMatchError>) -> PyResult<()> {
    result.map_err(|error| match error {
        ActionMatchError::Action(wrong) => games::wrong(wrong),
        ActionMatchError::Player(error) => failed(error),
    })
}

#[pymethods]
impl Match {
    /// A match with seed 0; `reset` begins another one.
    #[new]
    #[pyo3(signature = (game, *, settings="{}", players=None, seed=0, placement="random", mask="useful", reward="outcome"))]
    fn new(
        game: &str,
        settings: &str,
        players: Option<u8>,
        seed: u64,
        placement: &str,
        mask: &str,
        reward: &str,
    ) -> PyResult<Match> {
        let options = games::options(placement, mask, reward)?;
        let inner: Box<dyn AnyMatch> = rules::for_game!(games::kind(game)?, G => {
            let settings = games::settings::<G>(settings)?;
            let seats = games::seats::<G>(&settings, players);
            let mut action_match = ActionMatch::<G>::new(settings, seats, options).map_err(wrong)?.with_turns_kept();
            action_match.reset(seed).map_err(failed)?;
            Box::new(action_match)
        });
        Ok(Match::of(inner))
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.locked().kind().name()
    }

    /// The settings, as JSON.
    #[getter]
    fn settings(&self) -> String {
        self.locked().settings()
    }

    /// The seed of the match.
    #[getter]
    fn seed(&self) -> u64 {
        self.locked().seed()
    }

    /// The number of turns that were played.
    #[getter]
    fn turn(&self) -> u32 {
        self.locked().turn()
    }

    /// The number of seats.
    #[getter]
    fn seats(&self) -> usize {
        self.locked().seats()
    }

    /// True while fleets are placed.
    #[getter]
    fn placing(&self) -> bool {
        self.locked().is_placing()
    }

    /// The meaning of actions and observations.
    #[getter]
    fn layout<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        games::layout_of(py, self.locked().layout())
    }

    /// Begins a match with this seed.
    fn reset(&mut self, seed: u64) -> PyResult<()> {
        self.inner().reset(seed).map_err(failed)
    }

    /// The seats that must act before the match goes on.
    #[getter]
    fn to_act(&self) -> Vec<usize> {
        let inner = self.locked();
        (0..inner.seats()).filter(|seat| Seat::new(*seat as u8).is_some_and(|seat| inner.is_to_act(seat))).collect()
    }

    /// The first seat that must act; `None` when the match is over.
    #[getter]
    fn current(&mut self) -> Option<usize> {
        let inner = self.inner();
        (0..inner.seats()).find(|seat| Seat::new(*seat as u8).is_some_and(|seat| inner.is_to_act(seat)))
    }

    /// True if the seat is in the game.
    fn is_in(&self, seat: usize) -> PyResult<bool> {
        let seat = self.seat(seat)?;
        Ok(self.locked().is_in(seat))
    }

    /// Takes an action of a seat.
    fn act(&mut self, seat: usize, action: i64) -> PyResult<()> {
        let inner = self.inner();
        let seat = games::seat(seat, inner.seats())?;
        let actions = inner.layout().actions();
        let number =
            usize::try_from(action).map_err(|_| wrong(WrongAction::NoSuchAction { number: action, actions }))?;
        taken(inner.act(seat, number))
    }

    /// Takes an answer of a seat as a bot gives it: parts with their names.
    fn answer(&mut self, seat: usize, parts: Vec<(String, Vec<u8>)>) -> PyResult<()> {
        let seat = self.seat(seat)?;
        self.inner().answer(seat, parts)
    }

    /// Takes no order from a seat, or its leaving of the match.
    #[pyo3(signature = (seat, *, gave_up=false))]
    fn fail(&mut self, seat: usize, gave_up: bool) -> PyResult<()> {
        let seat = self.seat(seat)?;
        taken(self.inner().fail(seat, if gave_up { Fault::GaveUp } else { Fault::NothingWritten }))
    }

    /// The actions that stand for an answer; `None` if there are none.
    fn actions_of(&self, seat: usize, parts: Vec<(String, Vec<u8>)>) -> PyResult<Option<Vec<usize>>> {
        let seat = self.seat(seat)?;
        self.locked().actions_of(seat, parts)
    }

    /// The numbers of the actions that the mask of a seat allows.
    fn legal_actions(&mut self, seat: usize) -> PyResult<Vec<usize>> {
        let seat = games::seat(seat, self.inner().seats())?;
        let mask = self.mask(seat);
        Ok(mask.iter().enumerate().filter(|(_, allowed)| **allowed == 1).map(|(action, _)| action).collect())
    }

    /// The mask of a seat.
    fn action_mask<'py>(&mut self, py: Python<'py>, seat: usize) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let seat = games::seat(seat, self.inner().seats())?;
        Ok(PyArray1::from_slice(py, self.mask(seat)))
    }

    /// The arrays of a seat: `observation`, `scalars`, `action_mask`.
    fn observe<'py>(&self, py: Python<'py>, seat: usize) -> PyResult<Bound<'py, PyDict>> {
        let seat = self.seat(seat)?;
        let inner = self.locked();
        view::arrays(py, inner.layout(), |planes, scalars, mask| inner.observe(seat, planes, scalars, mask))
    }

    /// The view of a seat, as a policy is shown it.
    #[pyo3(signature = (seat, names=None))]
    fn view(&self, py: Python<'_>, seat: usize, names: Option<Vec<String>>) -> PyResult<View> {
        let names = self.names(names)?;
        let at = self.seat(seat)?;
        let arrays = self.observe(py, seat)?;
        let inner = self.locked();
        Ok(View {
            game: inner.kind().name(),
            seat,
            turn: inner.turn(),
            arrays: arrays.unbind(),
            message: inner.told(at, &names),
            text: inner.text(Eye::Seat(at)),
            answer_parts: inner.answer_parts(),
        })
    }

    /// The reward of a seat since this was last asked.
    fn take_reward(&mut self, seat: usize) -> PyResult<f32> {
        let seat = self.seat(seat)?;
        Ok(self.inner().take_reward(seat))
    }

    /// The outcome; `None` while the match goes on.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.locked().outcome().map(|outcome| games::outcome(py, outcome)).transpose()
    }

    /// True when the match is over.
    #[getter]
    fn over(&mut self) -> bool {
        self.inner().outcome().is_some()
    }

    /// The match as text, for a seat or, without one, for the referee.
    #[pyo3(signature = (seat=None))]
    fn text(&self, seat: Option<usize>) -> PyResult<String> {
        let eye = self.eye(seat)?;
        Ok(self.locked().text(eye))
    }

    /// The match as pixels: rows x columns x 3.
    #[pyo3(signature = (seat=None))]
    fn pixels<'py>(&self, py: Python<'py>, seat: Option<usize>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let eye = self.eye(seat)?;
        let environments::Pixels { width, height, bytes } = self.locked().pixels(eye);
        PyArray1::from_vec(py, bytes).reshape([height, width, 3])
    }

    /// A copy of the match as it stands, to try moves in.
    fn fork(&self) -> PyResult<Match> {
        let fork = self.locked().fork();
        fork.map(Match::of).ok_or_else(|| failed("a match with players of its own cannot be copied"))
    }

    fn __copy__(&self) -> PyResult<Match> {
        self.fork()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<Match> {
        self.fork()
    }

    /// The record of the match so far. `started` and `ended` are times as records have them; without them it is now.
    #[pyo3(signature = (names=None, *, sequence="in-turn", started=None, ended=None))]
    fn record<'py>(
        &self,
        py: Python<'py>,
        names: Option<Vec<String>>,
        sequence: &str,
        started: Option<String>,
        ended: Option<&str>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let names = self.names(names)?;
        if let Some(text) = started.as_deref().filter(|text| !Clock::is_stamp(text)) {
            return Err(no_time(text));
        }
        let sequence =
            games::choice("sequence", sequence, [("in-turn", Sequence::InTurn), ("together", Sequence::Together)])?;
        let end = match ended {
            None => Clock::Running,
            Some(text) => Clock::stopped_at(text).ok_or_else(|| no_time(text))?,
        };
        let lines = self.locked().record(&names, sequence, started, end).map_err(failed)?;
        Ok(PyBytes::new(py, &lines))
    }

    fn __repr__(&self) -> String {
        let inner = self.locked();
        let (game, seed, turns) = (inner.kind().name(), inner.seed(), inner.kind().turns(inner.turn()));
        format!("<Match of {game}, seed {seed}, after {turns}>")
    }
}

impl Match {
    fn eye(&self, seat: Option<usize>) -> PyResult<Eye> {
        seat.map_or(Ok(Eye::Referee), |seat| self.seat(seat).map(Eye::Seat))
    }
}
