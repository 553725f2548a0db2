//! Policies as bots of the Entelect Challenge 2017, which read and write files.

use crate::games::{self, wrong};
use crate::view;
use environments::{Action, ActionMatch, Encoded, ObservedSeat, Options, ShipAt, encode_state_file};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rules::entelect_2017::files::wire::StateFile;
use rules::entelect_2017::{Entelect2017, MapSize, Order, Phase, Settings};
use rules::{Listed, Part};

/// The match of a map size, whose layout says what actions and observations mean.
fn action_match(side: u32, placement: &str) -> PyResult<ActionMatch<Entelect2017>> {
    let size = MapSize::ALL.into_iter().find(|size| u32::from(size.side()) == side);
    let size = size.ok_or_else(|| wrong(format!("maps have 7, 10 or 14 cells along a side, not {side}")))?;
    let placement = games::options(placement, "useful", "outcome")?.placement;
    ActionMatch::new(Settings { size }, 2, Options { placement, ..Options::default() }).map_err(wrong)
}

/// The ships that these actions place.
fn ships(action_match: &ActionMatch<Entelect2017>, placed: &[usize]) -> PyResult<Vec<ShipAt>> {
    let ship = |number: &usize| match action_match.layout().action(*number) {
        Some(Action::Place(ship)) => Ok(ship),
        _ => Err(wrong(format!("action {number} places no ship"))),
    };
    placed.iter().map(ship).collect()
}

/// The arrays of what a state.json says, and the phase, round and side of the map. `placed` are the actions that have placed
/// ships in this turn.
#[pyfunction]
#[pyo3(signature = (state, placed=Vec::new(), placement="agents", mask="useful"))]
pub(crate) fn observe_state<'py>(
    py: Python<'py>,
    state: &str,
    placed: Vec<usize>,
    placement: &str,
    mask: &str,
) -> PyResult<(Bound<'py, PyDict>, u32, u32, u32)> {
    let state: StateFile =
        serde_json::from_str(state).map_err(|error| wrong(format!("state.json: {}", rules::json_mistake(&error))))?;
    let action_match = action_match(state.map_dimension, placement)?;
    let (layout, fleet) = (action_match.layout(), ships(&action_match, &placed)?);
    let seat = ObservedSeat {
        layout,
        fleet: &fleet,
        is_placing: state.phase == 1,
        acts: true,
        mask_kind: games::mask_kind(mask)?,
        aims: &[],
    };
    let mut failure = None;
    let arrays = view::arrays(py, layout, |planes, scalars, mask| {
        seat.write(planes, scalars, mask, |sight| failure = encode_state_file(&state, &fleet, sight).err());
    })?;
    match failure {
        Some(failure) => Err(wrong(failure)),
        None => Ok((arrays, state.phase, state.round, state.map_dimension)),
    }
}

/// The file that gives an order, and its text. `actions` are one action, or those that place the fleet; none gives a fleet at random
/// by the seed in phase 1, and nothing in phase 2.
#[pyfunction]
pub(crate) fn write_answer(side: u32, phase: u32, actions: Vec<usize>, seed: u64) -> PyResult<(&'static str, Vec<u8>)> {
    let agents = action_match(side, "agents")?;
    let settings = agents.settings();
    let phase = if phase == 1 { Phase::One } else { Phase::Two };
    let seat = rules::Seat::A;
    let order = match (phase, actions.as_slice()) {
        (Phase::One, []) => Entelect2017::placing_at_random(settings, &mut rules::random(seed)),
        (Phase::One, all) => Entelect2017::placing(settings, &ships(&agents, all)?),
        (Phase::Two, [number]) => match agents.layout().action(*number) {
            Some(Action::Order { kind, cell }) => Entelect2017::order(settings, 2, seat, kind, cell),
            Some(Action::Nothing) => Order::DoNothing,
            _ => return Err(wrong(format!("there is no action {number} in phase 2"))),
        },
        (Phase::Two, _) => Order::DoNothing,
    };
    let Part { name, bytes } = Entelect2017::write(&order).swap_remove(0);
    Ok((name, bytes))
}
