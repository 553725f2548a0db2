//! Records that are read.

use crate::any_match::AnyMatch;
use crate::games::{self, PythonGame, wrong};
use crate::matches::Match;
use arena::record::{Record, RecordError, replay_record};
use arena::{ArenaError, MatchEvent, Observer, Reply};
use environments::{ActionMatch, Options};
use match_folder::{open, verify};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rules::{Game, Part, Seat};
use std::path::PathBuf;
use std::sync::Arc;

/// A record, turn by turn.
#[pyclass(module = "broadside._engine")]
pub(crate) struct Reader {
    record: Arc<Record>,
    path: PathBuf,
    turns: Box<dyn AnyTurns>,
}

/// The turns of a record of any game.
trait AnyTurns: Send + Sync {
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>>;
    fn positions<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>>;
}

/// A recorded answer of a seat.
type Recorded<G> = (Seat, Reply<<G as Game>::Order>);

/// The turns of a record, and the match as far as it was read.
struct Turns<G: PythonGame> {
    action_match: std::sync::Mutex<ActionMatch<G>>,
    answers: Vec<Vec<Recorded<G>>>,
    next: usize,
}

/// Collects the answers of a record.
struct Collect<G: PythonGame>(Vec<Vec<Recorded<G>>>);

impl<G: PythonGame> Observer<G> for Collect<G> {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        if let MatchEvent::Answered { replies, .. } = event {
            // Notes can be long, and nothing here needs them.
            let without_notes = |(seat, reply): &Recorded<G>| {
                let Reply { answer, given, time, .. } = reply;
                (*seat, Reply { answer: answer.clone(), given: given.clone(), notes: None, time: *time, run: None })
            };
            self.0.push(replies.iter().map(without_notes).collect());
        }
        Ok(())
    }
}

impl<G: PythonGame> Turns<G> {
    fn of(record: &Arc<Record>, options: Options) -> PyResult<Turns<G>> {
        let mut collect = Collect::<G>(Vec::new());
        match replay_record::<G>(record, &mut collect) {
            Ok(_) | Err(ArenaError::Record { source: RecordError::Unfinished { .. }, .. }) => {}
            Err(error) => return Err(wrong(error)),
        }
        let header = record.header();
        // Records of earlier versions have settings of their own.
        let settings = serde_json::from_value(header.settings.clone()).map_err(wrong)?;
        let action_match = ActionMatch::new(settings, header.seats.len() as u8, options).map_err(wrong)?;
        let action_match = action_match.without_random_fleets().with_turns_kept();
        let mut turns = Turns { action_match: action_match.into(), answers: collect.0, next: 0 };
        turns.action_match().reset(header.seed).map_err(games::failed)?;
        Ok(turns)
    }

    fn action_match(&mut self) -> &mut ActionMatch<G> {
        self.action_match.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Plays the next turn. A turn without answers has been played already, by the one before it.
    fn play(&mut self) -> PyResult<()> {
        let answers = std::mem::take(&mut self.answers[self.next]);
        self.next += 1;
        for (seat, Reply { answer, given, .. }) in answers {
            self.action_match().plan(seat, &[]);
            self.action_match().reply(seat, answer, given).map_err(wrong)?;
        }
        Ok(())
    }
}

impl<G: PythonGame> AnyTurns for Turns<G> {
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        while self.answers.get(self.next).is_some_and(Vec::is_empty) {
            self.next += 1;
        }
        let Some(before) = (self.next < self.answers.len()).then(|| self.action_match().fork()).flatten() else {
            return Ok(None);
        };
        let all = PyDict::new(py);
        for (seat, Reply { answer, given: parts, time, .. }) in &self.answers[self.next] {
            let one = PyDict::new(py);
            let given = PyDict::new(py);
            for Part { name, bytes } in parts {
                given.set_item(name, PyBytes::new(py, bytes))?;
            }
            one.set_item("parts", given)?;
            one.set_item("fault", answer.as_ref().err().map(|fault| fault.to_string()))?;
            one.set_item("ms", time.map(|time| arena::record::milliseconds(time.wall)))?;
            let actions = answer.as_ref().ok().and_then(|order| before.actions_of(*seat, order));
            one.set_item("actions", actions)?;
            all.set_item(seat.index(), one)?;
        }
        let before: Box<dyn AnyMatch> = Box::new(before);
        let turn = (before.turn(), Py::new(py, Match::of(before))?, all);
        self.play()?;
        Ok(Some(turn.into_pyobject(py)?.into_any().unbind()))
    }

    fn positions<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let layout = Arc::clone(self.action_match().layout());
        let (mut planes, mut scalars, mut mask) = self.action_match().buffers();
        let (mut all_planes, mut all_scalars, mut all_masks) = (Vec::new(), Vec::new(), Vec::new());
        let (mut actions, mut seats, mut turns) = (Vec::<i64>::new(), Vec::<i64>::new(), Vec::<i64>::new());
        while self.next < self.answers.len() {
            let at = self.next;
            for nth in 0..self.answers[at].len() {
                let (seat, Reply { answer, .. }) = &self.answers[at][nth];
                let (seat, order) = (*seat, answer.as_ref().ok().cloned());
                let chosen = order.and_then(|order| self.action_match().actions_of(seat, &order)).unwrap_or_default();
                let mut before = Vec::new();
                for action in chosen {
                    let action_match = self.action_match();
                    action_match.plan(seat, &before);
                    action_match.observe(seat, &mut planes, &mut scalars, &mut mask);
                    all_planes.extend_from_slice(&planes);
                    all_scalars.extend_from_slice(&scalars);
                    all_masks.extend_from_slice(&mask);
                    actions.push(action as i64);
                    seats.push(seat.index() as i64);
                    turns.push(i64::from(action_match.turn()));
                    before.push(action);
                }
            }
            self.play()?;
        }
        let count = actions.len();
        let dict = PyDict::new(py);
        let (width, height) = (layout.grid.width() as usize, layout.grid.height() as usize);
        dict.set_item(
            "observation",
            PyArray1::from_vec(py, all_planes).reshape([count, layout.planes.len(), width, height])?,
        )?;
        dict.set_item("scalars", PyArray1::from_vec(py, all_scalars).reshape([count, layout.scalars.len()])?)?;
        dict.set_item("action_mask", PyArray1::from_vec(py, all_masks).reshape([count, layout.actions()])?)?;
        dict.set_item("action", PyArray1::from_vec(py, actions))?;
        dict.set_item("seat", PyArray1::from_vec(py, seats))?;
        dict.set_item("turn", PyArray1::from_vec(py, turns))?;
        Ok(dict)
    }
}

#[pymethods]
impl Reader {
    /// Reads a record, plain or compressed, or that of a match's folder, and plays it again to see that it follows the rules.
    #[new]
    #[pyo3(signature = (path, placement="agents", mask="legal"))]
    fn new(py: Python<'_>, path: PathBuf, placement: &str, mask: &str) -> PyResult<Reader> {
        let options = games::options(placement, mask, "outcome")?;
        let opened = py.detach(|| open(&path)).map_err(wrong)?;
        let record = opened.record;
        let turns: Box<dyn AnyTurns> =
            rules::for_game!(record.header().game, G => Box::new(py.detach(|| Turns::<G>::of(&record, options))?));
        Ok(Reader { record, path, turns })
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.record.header().game.name()
    }

    /// The settings, as JSON.
    #[getter]
    fn settings(&self) -> String {
        self.record.header().settings.to_string()
    }

    /// The seed of the match.
    #[getter]
    fn seed(&self) -> u64 {
        self.record.header().seed
    }

    /// The header, as JSON.
    #[getter]
    fn header(&self) -> PyResult<String> {
        Ok(self.record.text().lines().next().unwrap_or_default().to_owned())
    }

    /// The names of the players.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.record.names().into_iter().collect()
    }

    /// The time of the end, as records have it.
    #[getter]
    fn ended(&self) -> Option<String> {
        self.record.end().and_then(|end| end.ended.clone())
    }

    /// The outcome; `None` if the record is incomplete.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.record.end().map(|end| games::outcome(py, &end.outcome)).transpose()
    }

    fn __len__(&self) -> usize {
        self.record.len()
    }

    /// The next turn: its number, the match before it, and the answers by seat; `None` after the last.
    fn next_turn(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.turns.next(py)
    }

    /// All positions that are left in which an action was taken, as arrays.
    fn positions<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.turns.positions(py)
    }

    /// Plays the match again and compares it with the record, and with the folder of its rounds if there is one.
    fn verify(&self, py: Python<'_>) -> PyResult<u32> {
        py.detach(|| open(&self.path).and_then(|opened| verify(&opened))).map(|verified| verified.turns).map_err(wrong)
    }
}
