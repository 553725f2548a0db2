//! The engine of the Python package `broadside`: what its modules in Python are made of.
//!
//! `Match` is one match, `Batch` many at once, `Reader` reads records, `play` plays a match against bots. The modules in Python have
//! the names that users know; this one is `broadside._engine`, whose types are in `_engine.pyi`.

mod any_match;
mod batch;
mod built_in;
mod games;
mod matches;
mod play;
mod reader;
mod staying;
mod view;

use pyo3::prelude::*;

/// The module `broadside._engine`.
#[pymodule]
fn _engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<matches::Match>()?;
    module.add_class::<built_in::BuiltInPlayer>()?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<reader::Reader>()?;
    module.add_class::<view::View>()?;
    module.add_function(wrap_pyfunction!(games::layout, module)?)?;
    module.add_function(wrap_pyfunction!(games::rules_as_json, module)?)?;
    module.add_function(wrap_pyfunction!(games::seat_seed, module)?)?;
    module.add_function(wrap_pyfunction!(games::save, module)?)?;
    module.add_function(wrap_pyfunction!(play::play, module)?)?;
    module.add_function(wrap_pyfunction!(staying::observe_state, module)?)?;
    module.add_function(wrap_pyfunction!(staying::write_answer, module)?)?;
    module.add("ENGINE", arena::ENGINE)?;
    module.add("MOST_SCALAR", environments::MOST_SCALAR)?;
    module.add("GAMES", rules::GameKind::ALL.map(rules::GameKind::name))?;
    module.add("BUILT_INS", built_in::names())?;
    Ok(())
}
