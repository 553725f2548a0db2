//! Matches of any game behind one trait.

use crate::games::{self, PythonGame, wrong};
use arena::record::{Clock, Header, RecordedSeat};
use arena::{ArenaError, Ask, Player, Reply, Sequence};
use environments::{ActionMatch, ActionMatchError, Layout};
use pyo3::prelude::*;
use rules::{Eye, Fault, GameKind, Outcome, Part, PlayerInfo, Seat};
use std::any::Any;

/// A match of any game.
pub(crate) trait AnyMatch: Send {
    fn kind(&self) -> GameKind;
    fn layout(&self) -> &Layout;
    fn seed(&self) -> u64;
    fn turn(&self) -> u32;
    fn settings(&self) -> String;
    fn seats(&self) -> usize;
    fn is_placing(&self) -> bool;
    fn reset(&mut self, seed: u64) -> Result<(), ArenaError>;
    fn is_to_act(&self, seat: Seat) -> bool;
    fn is_in(&self, seat: Seat) -> bool;
    fn act(&mut self, seat: Seat, action: usize) -> Result<(), ActionMatchError>;
    fn answer(&mut self, seat: Seat, parts: Vec<(String, Vec<u8>)>) -> PyResult<()>;
    fn fail(&mut self, seat: Seat, fault: Fault) -> Result<(), ActionMatchError>;
    fn outcome(&self) -> Option<&Outcome>;
    fn take_reward(&mut self, seat: Seat) -> f32;
    fn observe(&self, seat: Seat, planes: &mut [u8], scalars: &mut [f32], mask: &mut [i8]);
    fn text(&self, eye: Eye) -> String;
    fn pixels(&self, eye: Eye) -> environments::Pixels;
    fn told(&self, seat: Seat, names: &[String]) -> String;
    fn fork(&self) -> Option<Box<dyn AnyMatch>>;
    fn record(
        &self,
        names: &[String],
        sequence: Sequence,
        started: Option<String>,
        end: Clock,
    ) -> Result<Vec<u8>, ArenaError>;
    /// The order in an answer as actions; `None` if none stand for it.
    fn actions_of(&self, seat: Seat, parts: Vec<(String, Vec<u8>)>) -> PyResult<Option<Vec<usize>>>;
    /// The answer of a player, which is a `Box<dyn Player<G>>`.
    fn ask(&self, player: &mut dyn Any, seat: usize) -> Result<Vec<(&'static str, Vec<u8>)>, String>;
    fn answer_parts(&self) -> &'static [&'static str];
}

impl<G: PythonGame> AnyMatch for ActionMatch<G> {
    fn kind(&self) -> GameKind {
        G::KIND
    }

    fn layout(&self) -> &Layout {
        ActionMatch::layout(self)
    }

    fn seed(&self) -> u64 {
        ActionMatch::seed(self)
    }

    fn turn(&self) -> u32 {
        ActionMatch::turn(self)
    }

    fn settings(&self) -> String {
        serde_json::to_string(ActionMatch::settings(self)).unwrap_or_default()
    }

    fn seats(&self) -> usize {
        ActionMatch::seats(self).count()
    }

    fn is_placing(&self) -> bool {
        self.game().is_placing()
    }

    fn reset(&mut self, seed: u64) -> Result<(), ArenaError> {
        ActionMatch::reset(self, seed)
    }

    fn is_to_act(&self, seat: Seat) -> bool {
        ActionMatch::is_to_act(self, seat)
    }

    fn is_in(&self, seat: Seat) -> bool {
        ActionMatch::is_in(self, seat)
    }

    fn act(&mut self, seat: Seat, action: usize) -> Result<(), ActionMatchError> {
        ActionMatch::act(self, seat, action)
    }

    fn answer(&mut self, seat: Seat, parts: Vec<(String, Vec<u8>)>) -> PyResult<()> {
        ActionMatch::answer(self, seat, games::parts::<G>(parts)?).map_err(wrong)
    }

    fn fail(&mut self, seat: Seat, fault: Fault) -> Result<(), ActionMatchError> {
        ActionMatch::fail(self, seat, fault)
    }

    fn outcome(&self) -> Option<&Outcome> {
        ActionMatch::outcome(self)
    }

    fn take_reward(&mut self, seat: Seat) -> f32 {
        ActionMatch::take_reward(self, seat)
    }

    fn observe(&self, seat: Seat, planes: &mut [u8], scalars: &mut [f32], mask: &mut [i8]) {
        ActionMatch::observe(self, seat, planes, scalars, mask);
    }

    fn text(&self, eye: Eye) -> String {
        environments::text(&self.game().scene(eye), G::KIND)
    }

    fn pixels(&self, eye: Eye) -> environments::Pixels {
        environments::pixels(&self.game().scene(eye), G::KIND)
    }

    fn told(&self, seat: Seat, names: &[String]) -> String {
        self.game().told(seat, names)
    }

    fn fork(&self) -> Option<Box<dyn AnyMatch>> {
        ActionMatch::fork(self).map(|fork| -> Box<dyn AnyMatch> { Box::new(fork) })
    }

    fn record(
        &self,
        names: &[String],
        sequence: Sequence,
        started: Option<String>,
        end: Clock,
    ) -> Result<Vec<u8>, ArenaError> {
        let seats = names.iter().map(|name| RecordedSeat::new(PlayerInfo::named(name))).collect();
        let header = Header::new::<G>(ActionMatch::settings(self), ActionMatch::seed(self), seats, sequence);
        let started = started.or(header.started.clone());
        let lines = ActionMatch::record(self, &Header { started, ..header }, end)?;
        Ok(lines.expect("matches of Python keep their turns"))
    }

    fn actions_of(&self, seat: Seat, parts: Vec<(String, Vec<u8>)>) -> PyResult<Option<Vec<usize>>> {
        let order = self.game().read(&games::parts::<G>(parts)?);
        Ok(order.ok().and_then(|order| ActionMatch::actions_of(self, seat, &order)))
    }

    fn ask(&self, player: &mut dyn Any, seat: usize) -> Result<Vec<(&'static str, Vec<u8>)>, String> {
        let player = player.downcast_mut::<Box<dyn Player<G>>>().ok_or("the player is of another game")?;
        let seat = ActionMatch::seats(self).find(|other| other.index() == seat).ok_or("there is no such seat")?;
        if !ActionMatch::is_to_act(self, seat) {
            return Err(format!("{seat} is not to act now"));
        }
        let Reply { given, .. } =
            player.decide(&Ask::new(self.game(), seat, ActionMatch::turn(self))).map_err(|e| e.to_string())?;
        Ok(given.into_iter().map(|Part { name, bytes }| (name, bytes)).collect())
    }

    fn answer_parts(&self) -> &'static [&'static str] {
        G::ANSWER_PARTS
    }
}
