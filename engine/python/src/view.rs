//! Views: what policies are shown when they decide.

use environments::Layout;
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The view of a seat that decides: numbers, the message that a bot would get, and a picture as text.
#[pyclass(module = "broadside._engine", frozen, get_all)]
pub(crate) struct View {
    /// The name of the game.
    pub(crate) game: &'static str,
    /// The number of the seat.
    pub(crate) seat: usize,
    /// The turn, counted from 0.
    pub(crate) turn: u32,
    /// The arrays `observation`, `scalars` and `action_mask`.
    pub(crate) arrays: Py<PyDict>,
    /// The message that a bot of the game gets, as JSON.
    pub(crate) message: String,
    /// The scene as text.
    pub(crate) text: String,
    /// The names of the parts that an answer may have.
    pub(crate) answer_parts: &'static [&'static str],
}

#[pymethods]
impl View {
    /// The message as Python objects.
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
