//! Many matches at once, whose memory numpy sees.

use crate::games::{self, PythonGame, failed, wrong};
use environments::{AutoReset, BatchError, BatchOptions, Buffers, Layout, Learner, Rivals};
use numpy::{Element, PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rules::{Eye, Scene, Seat};
use std::sync::{Arc, Mutex, PoisonError};

/// A batch of matches of any game.
trait AnyBatch: Send {
    fn layout(&self) -> &Layout;
    fn seen(&self) -> usize;
    fn reset(&mut self, seed: Option<u64>, buffers: Buffers<'_>) -> Result<(), BatchError>;
    fn step(&mut self, actions: &[i64], only: Option<&[bool]>, buffers: Buffers<'_>) -> Result<(), BatchError>;
    fn sample(&mut self, masks: &[i8], actions: &mut [i64]);
    fn seeds(&self) -> Vec<u64>;
    fn learners(&self) -> Vec<usize>;
    fn text(&self, number: usize, seat: Option<usize>) -> PyResult<String>;
    fn pixels(&self, number: usize, seat: Option<usize>) -> PyResult<environments::Pixels>;
}

impl<G: PythonGame> AnyBatch for environments::Batch<G> {
    fn layout(&self) -> &Layout {
        environments::Batch::layout(self)
    }

    fn seen(&self) -> usize {
        environments::Batch::seen(self)
    }

    fn reset(&mut self, seed: Option<u64>, buffers: Buffers<'_>) -> Result<(), BatchError> {
        environments::Batch::reset(self, seed, buffers)
    }

    fn step(&mut self, actions: &[i64], only: Option<&[bool]>, buffers: Buffers<'_>) -> Result<(), BatchError> {
        environments::Batch::step(self, actions, only, buffers)
    }

    fn sample(&mut self, masks: &[i8], actions: &mut [i64]) {
        environments::Batch::sample(self, masks, actions);
    }

    fn seeds(&self) -> Vec<u64> {
        environments::Batch::seeds(self).collect()
    }

    fn learners(&self) -> Vec<usize> {
        environments::Batch::learners(self).map(Seat::index).collect()
    }

    fn text(&self, number: usize, seat: Option<usize>) -> PyResult<String> {
        Ok(environments::text(&scene(self, number, seat)?, G::KIND))
    }

    fn pixels(&self, number: usize, seat: Option<usize>) -> PyResult<environments::Pixels> {
        Ok(environments::pixels(&scene(self, number, seat)?, G::KIND))
    }
}

/// The scene of a match for a seat or, without one, for the referee.
fn scene<G: PythonGame>(batch: &environments::Batch<G>, number: usize, seat: Option<usize>) -> PyResult<Scene> {
    let action_match = batch.action_match(number).ok_or_else(|| wrong(format!("there is no match {number}")))?;
    let eye = match seat {
        None => Eye::Referee,
        Some(seat) => Eye::Seat(games::seat(seat, action_match.seats().count())?),
    };
    Ok(action_match.game().scene(eye))
}

/// Many matches that one call moves on, in threads and without the interpreter's lock. The arrays are the memory that each step
/// writes to.
#[pyclass(module = "broadside._engine")]
pub(crate) struct Batch {
    inner: Mutex<Box<dyn AnyBatch>>,
    planes: Table<u8>,
    scalars: Table<f32>,
    masks: Table<i8>,
    rewards: Table<f32>,
    terminated: Table<bool>,
    truncated: Table<bool>,
    to_act: Table<bool>,
    winners: Table<i8>,
    steps: Table<u32>,
    matches: usize,
}

/// An array whose memory the matches are written to. Whoever finds it in Python can change its type and shape in place.
struct Table<T> {
    array: Py<PyArrayDyn<T>>,
    sides: Vec<usize>,
}

impl<T: Element> Table<T> {
    fn zeros(py: Python<'_>, sides: &[usize]) -> Table<T> {
        Table { array: PyArrayDyn::zeros(py, sides.to_vec(), false).unbind(), sides: sides.to_vec() }
    }

    /// The array, if it is as it was made.
    fn unchanged<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyArrayDyn<T>>> {
        let array = self.array.bind(py);
        let is_of_type = array.as_any().cast::<PyArrayDyn<T>>().is_ok();
        if is_of_type && array.shape() == self.sides && array.is_c_contiguous() {
            return Ok(array);
        }
        Err(wrong(
            "an array of this batch was reshaped or retyped in place: begin another batch, and change copies of its arrays",
        ))
    }
}

/// Borrows all arrays of a batch, and declares the buffers that they are.
macro_rules! borrow {
    ($batch:ident, $py:ident, $buffers:ident) => {
        borrow!($batch, $py, $buffers: planes scalars masks rewards terminated truncated to_act winners steps);
    };
    ($batch:ident, $py:ident, $buffers:ident: $($array:ident)*) => {
        $(let mut $array = $batch.$array.unchanged($py)?.try_readwrite()?;)*
        let $buffers = Buffers { $($array: $array.as_slice_mut()?),* };
    };
}

fn done(result: Result<(), BatchError>) -> PyResult<()> {
    result.map_err(|error| match error {
        BatchError::Action { .. } => wrong(error),
        BatchError::Rival(error) => failed(error),
    })
}

#[pymethods]
impl Batch {
    /// So many matches. `opponent` is a built-in player for all seats but the learner's; without one all seats are seen.
    #[new]
    #[pyo3(signature = (game, matches, *, settings="{}", players=None, seed=0, placement="random", mask="useful", reward="outcome", threads=0, autoreset="same-step", max_steps=None, opponent=None, seat=None))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        py: Python<'_>,
        game: &str,
        matches: usize,
        settings: &str,
        players: Option<u8>,
        seed: u64,
        placement: &str,
        mask: &str,
        reward: &str,
        threads: usize,
        autoreset: &str,
        max_steps: Option<u32>,
        opponent: Option<&str>,
        seat: Option<usize>,
    ) -> PyResult<Batch> {
        let auto_reset = games::choice(
            "autoreset",
            autoreset,
            [("same-step", AutoReset::SameStep), ("next-step", AutoReset::NextStep)],
        )?;
        let action_match = games::options(placement, mask, reward)?;
        let options = BatchOptions { action_match, matches, seed, threads, auto_reset, most_steps: max_steps };
        let rival = opponent.map(crate::built_in::named).transpose()?;
        let inner: Box<dyn AnyBatch> = rules::for_game!(games::kind(game)?, G => {
            let settings = games::settings::<G>(settings)?;
            let seats = games::seats::<G>(&settings, players);
            let learner = match seat {
                None => Learner::InTurn,
                Some(seat) => Learner::Always(games::seat(seat, seats.into())?),
            };
            let rivals = rival.map(|rival| Rivals::<G> { make: Arc::new(move |_, seed| rival.player(seed)), learner });
            Box::new(environments::Batch::<G>::new(&settings, seats, options, rivals).map_err(wrong)?)
        });
        let (layout, seen) = (inner.layout(), inner.seen());
        let (width, height) = (layout.grid.width() as usize, layout.grid.height() as usize);
        Ok(Batch {
            planes: Table::zeros(py, &[matches, seen, layout.planes.len(), width, height]),
            scalars: Table::zeros(py, &[matches, seen, layout.scalars.len()]),
            masks: Table::zeros(py, &[matches, seen, layout.actions()]),
            rewards: Table::zeros(py, &[matches, seen]),
            terminated: Table::zeros(py, &[matches]),
            truncated: Table::zeros(py, &[matches]),
            to_act: Table::zeros(py, &[matches, seen]),
            winners: Table::zeros(py, &[matches]),
            steps: Table::zeros(py, &[matches]),
            matches,
            inner: Mutex::new(inner),
        })
    }

    /// The arrays that each step writes to, by their names.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("observation", &self.planes.array)?;
        dict.set_item("scalars", &self.scalars.array)?;
        dict.set_item("action_mask", &self.masks.array)?;
        dict.set_item("rewards", &self.rewards.array)?;
        dict.set_item("terminated", &self.terminated.array)?;
        dict.set_item("truncated", &self.truncated.array)?;
        dict.set_item("to_act", &self.to_act.array)?;
        dict.set_item("winners", &self.winners.array)?;
        dict.set_item("steps", &self.steps.array)?;
        Ok(dict)
    }

    /// The number of seats of each match that are seen.
    #[getter]
    fn seen(&mut self) -> usize {
        self.inner.get_mut().unwrap_or_else(PoisonError::into_inner).seen()
    }

    /// The meaning of actions and observations.
    #[getter]
    fn layout<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        games::layout_of(py, self.inner.get_mut().unwrap_or_else(PoisonError::into_inner).layout())
    }

    /// Begins all matches anew.
    #[pyo3(signature = (seed=None))]
    fn reset(&mut self, py: Python<'_>, seed: Option<u64>) -> PyResult<()> {
        borrow!(self, py, buffers);
        let inner = self.inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        done(py.detach(|| inner.reset(seed, buffers)))
    }

    /// Takes one action for every seat that is seen.
    #[pyo3(signature = (actions, only=None))]
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i64>,
        only: Option<PyReadonlyArray1<'_, bool>>,
    ) -> PyResult<()> {
        borrow!(self, py, buffers);
        let inner = self.inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        let (actions, only) = (actions.as_slice()?, only.as_ref().map(PyReadonlyArray1::as_slice).transpose()?);
        let wanted = self.matches * inner.seen();
        if actions.len() != wanted {
            return Err(wrong(format!("{wanted} actions are needed, not {}", actions.len())));
        }
        if only.is_some_and(|only| only.len() != self.matches) {
            return Err(wrong(format!("`only` has a value for each of {} matches", self.matches)));
        }
        done(py.detach(|| inner.step(actions, only, buffers)))
    }

    /// One of the allowed actions for every seat that is seen, with equal chances.
    fn sample<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let masks = self.masks.unchanged(py)?.try_readonly()?;
        let inner = self.inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        let actions = PyArray1::<i64>::zeros(py, self.matches * inner.seen(), false);
        let (from, mut to) = (masks.as_slice()?, actions.try_readwrite()?);
        let chosen = to.as_slice_mut()?;
        py.detach(|| inner.sample(from, chosen));
        drop(to);
        Ok(actions)
    }

    /// The seeds of the matches that are played now.
    #[getter]
    fn seeds(&mut self) -> Vec<u64> {
        self.inner.get_mut().unwrap_or_else(PoisonError::into_inner).seeds()
    }

    /// The seats of the learners; empty where all seats are seen.
    #[getter]
    fn learners(&mut self) -> Vec<usize> {
        self.inner.get_mut().unwrap_or_else(PoisonError::into_inner).learners()
    }

    /// A match as text.
    #[pyo3(signature = (number, seat=None))]
    fn text(&mut self, number: usize, seat: Option<usize>) -> PyResult<String> {
        self.inner.get_mut().unwrap_or_else(PoisonError::into_inner).text(number, seat)
    }

    /// A match as pixels: rows x columns x 3.
    #[pyo3(signature = (number, seat=None))]
    fn pixels<'py>(
        &mut self,
        py: Python<'py>,
        number: usize,
        seat: Option<usize>,
    ) -> PyResult<Bound<'py, numpy::PyArray3<u8>>> {
        let picture = self.inner.get_mut().unwrap_or_else(PoisonError::into_inner).pixels(number, seat);
        let environments::Pixels { width, height, bytes } = picture?;
        PyArray1::from_vec(py, bytes).reshape([height, width, 3])
    }
}
