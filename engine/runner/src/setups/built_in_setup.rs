//! Matches of games whose bots cannot be reached from here, between built-in players and players of the calling program.

use crate::{Contestant, Contestants, Context, GameSetup, MatchFactory, Opening, Program, RunnerError, Seating};
use arena::{ArenaError, Players, Sequence};
use players::WithBuiltIns;
use std::convert::Infallible;
use std::path::Path;

/// A game without bots of its own, such as Salvo, whose teams connect to a server.
pub struct BuiltInSetup<G: WithBuiltIns> {
    /// The settings of the game.
    pub settings: G::Settings,
    /// The way to stop matches, and the receiver of reports.
    pub context: Context,
}

impl<G: WithBuiltIns> GameSetup for BuiltInSetup<G> {
    type Game = G;
    type Bot = Infallible;
    type Factory = Contestants<Self>;

    const PLAYERS_HAVE_FILES: bool = false;

    fn settings(&self) -> &G::Settings {
        &self.settings
    }

    fn context(&self) -> &Context {
        &self.context
    }

    fn fingerprint(&self) -> String {
        format!("{} {:?}", G::KIND.name(), self.settings)
    }

    fn find_bot(&self, named: &str) -> Result<Contestant<G, Infallible>, RunnerError> {
        Err(RunnerError::OnlyBuiltIns(named.to_owned(), G::KIND))
    }

    fn program(bot: &mut Infallible) -> Option<&mut Program> {
        match *bot {}
    }

    fn find_built(&self, folder: &Path) -> Result<Contestant<G, Infallible>, RunnerError> {
        Err(RunnerError::OnlyBuiltIns(folder.display().to_string(), G::KIND))
    }

    fn usual_sequence(&self, _: &[Contestant<G, Infallible>]) -> Sequence {
        Sequence::InTurn
    }

    fn open(self, contestants: Contestants<Self>, _: Opening) -> Result<Contestants<Self>, RunnerError> {
        Ok(contestants)
    }
}

/// Matches between these contestants: there is nothing to make ready for them.
impl<G: WithBuiltIns> MatchFactory for Vec<Contestant<G, Infallible>> {
    type Game = G;

    fn shares_processors(&self) -> bool {
        true
    }

    fn seat(&self, seating: &Seating<'_>) -> Result<Players<G>, ArenaError> {
        seating.players(self, |never, _, _, _| match *never {})
    }
}
