//! What a policy is shown when it decides.

use environments::{COMMON_SCALARS, Encoded, Layout, MaskKind, ShipAt, Sight};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What a policy is shown when it decides: numbers, the message that a bot would get, and a picture as text.
#[pyclass(module = "broadside._engine", frozen, get_all)]
pub(crate) struct View {
    /// The name of the game.
    game: String,
    /// The number of the seat.
    seat: usize,
    /// The turn, counted from 0.
    turn: u32,
    /// The arrays `observation`, `scalars` and `action_mask`.
    arrays: Py<PyDict>,
    /// What a bot of the game is told, as JSON.
    message: String,
    /// The scene as text.
    text: String,
    /// The names of the parts that an answer may have.
    answer_parts: Vec<&'static str>,
}

#[pymethods]
impl View {
    /// What a bot of the game is told, as PythonGame objects.
    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (&self.message,))
    }

    /// The planes.
    #[getter]
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.arrays.bind(py).as_any().get_item("observation")
    }

    /// The scalars.
    #[getter]
    fn scalars<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.arrays.bind(py).as_any().get_item("scalars")
    }

    /// The mask of actions.
    #[getter]
    fn action_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.arrays.bind(py).as_any().get_item("action_mask")
    }

    fn __repr__(&self) -> String {
        format!("<View of seat {} in turn {} of {}>", self.seat, self.turn, self.game)
    }
}

/// The parts of a view that are not arrays.
pub(crate) struct Shown {
    pub(crate) game: &'static str,
    pub(crate) seat: usize,
    pub(crate) turn: u32,
    pub(crate) message: String,
    pub(crate) text: String,
    pub(crate) answer_parts: &'static [&'static str],
}

impl Shown {
    pub(crate) fn with(self, arrays: Bound<'_, PyDict>) -> View {
        let Shown { game, seat, turn, message, text, answer_parts } = self;
        View {
            game: game.to_owned(),
            seat,
            turn,
            arrays: arrays.unbind(),
            message,
            text,
            answer_parts: answer_parts.to_vec(),
        }
    }
}

/// Makes the arrays of an observation, which `write` fills: planes, scalars, mask. All are 0 before.
pub(crate) fn arrays<'py>(
    py: Python<'py>,
    layout: &Layout,
    write: impl FnOnce(&mut [u8], &mut [f32], &mut [i8]),
) -> PyResult<Bound<'py, PyDict>> {
    let sides = [layout.planes.len(), layout.grid.width() as usize, layout.grid.height() as usize];
    let planes = PyArray3::<u8>::zeros(py, sides, false);
    let scalars = PyArray1::<f32>::zeros(py, layout.scalars.len(), false);
    let mask = PyArray1::<i8>::zeros(py, layout.actions(), false);
    write(planes.readwrite().as_slice_mut()?, scalars.readwrite().as_slice_mut()?, mask.readwrite().as_slice_mut()?);
    let dict = PyDict::new(py);
    dict.set_item("observation", planes)?;
    dict.set_item("scalars", scalars)?;
    dict.set_item("action_mask", mask)?;
    Ok(dict)
}

/// Writes the observation of a seat that is asked, from its view and the ships that it has placed so far.
pub(crate) fn write<G: Encoded>(
    layout: &Layout,
    view: &G::View,
    is_placing: bool,
    fleet: &[ShipAt],
    (planes, scalars, mask): (&mut [u8], &mut [f32], &mut [i8]),
) {
    let placed = fleet.len() as f32 / layout.ships.len() as f32;
    let (common, own) = scalars.split_at_mut(COMMON_SCALARS.len());
    common.copy_from_slice(&[f32::from(u8::from(is_placing)), placed, 1.0]);
    for mask_kind in [MaskKind::Useful, MaskKind::Legal] {
        planes.fill(0);
        mask.fill(0);
        G::encode(view, fleet, Sight { layout, planes, scalars: own, mask, mask_kind });
        if is_placing && layout.agents_place {
            mask.fill(0);
            layout.allow_places(fleet, mask);
        }
        if mask.contains(&1) {
            return;
        }
    }
    mask[0] = 1;
}
