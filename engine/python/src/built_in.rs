//! Built-in players as policies.

use crate::games::{failed, kind, quoted, wrong};
use crate::matches::Match;
use arena::Player;
use players::BuiltIn;
use pyo3::prelude::*;
use std::any::Any;
use std::sync::{Mutex, PoisonError};

/// A built-in player: the same seed gives the same moves as in the program.
#[pyclass(module = "broadside._engine", name = "BuiltIn")]
pub(crate) struct BuiltInPlayer {
    /// A `Box<dyn Player<G>>` of the game.
    player: Mutex<Box<dyn Any + Send>>,
    game: String,
    name: String,
}

/// The built-in player of this name, with or without `builtin:`.
pub(crate) fn named(name: &str) -> PyResult<BuiltIn> {
    let bare = name.strip_prefix(BuiltIn::PREFIX).unwrap_or(name);
    BuiltIn::from_name(bare)
        .ok_or_else(|| wrong(format!("there is no built-in player {}; there are {}", quoted(name), names().join(", "))))
}

/// The names of all built-in players with `builtin:`, weakest first.
pub(crate) fn names() -> [String; BuiltIn::ALL.len()] {
    BuiltIn::ALL.map(|player| format!("{}{}", BuiltIn::PREFIX, player.name()))
}

#[pymethods]
impl BuiltInPlayer {
    /// The player of a game with this name, such as `hunter`.
    #[new]
    fn new(game: &str, name: &str, seed: u64) -> PyResult<BuiltInPlayer> {
        let which = named(name)?;
        let player: Box<dyn Any + Send> = rules::for_game!(kind(game)?, G => {
            let player: Box<dyn Player<G>> = which.player::<G>(seed);
            Box::new(player)
        });
        Ok(BuiltInPlayer { player: Mutex::new(player), game: game.to_owned(), name: which.name().to_owned() })
    }

    /// Decides for a seat of a match that is to act, and gives the parts of its answer. The match does not change.
    fn answer(&self, py: Python<'_>, match_: &Match, seat: usize) -> PyResult<Vec<(&'static str, Vec<u8>)>> {
        let decided = py.detach(|| {
            let mut player = self.player.lock().unwrap_or_else(PoisonError::into_inner);
            match_.locked().ask(&mut **player, seat)
        });
        decided.map_err(failed)
    }

    fn __repr__(&self) -> String {
        format!("<builtin:{} of {}>", self.name, self.game)
    }
}
