//! Matches of games whose bots cannot be reached from here, between built-in players and players of the calling program.

use crate::{Contestant, ContestantKind, Context, GameSetup, MatchFactory, Opening, RunnerError, Seating};
use arena::{ArenaError, Player, Players, Sequence};
use players::{BuiltIn, WithBuiltIns};
use rules::Seat;
use std::convert::Infallible;

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
    type Factory = BuiltInMatches<G>;

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

    fn find(&self, named: &str) -> Result<Vec<Contestant<G, Infallible>>, RunnerError> {
        match named.strip_prefix(BuiltIn::PREFIX) {
            Some(name) => Ok(vec![Contestant::built_in(name)?]),
            None => Err(RunnerError::OnlyBuiltIns { named: named.to_owned(), game: G::KIND }),
        }
    }

    fn usual_sequence(&self, _: &[Contestant<G, Infallible>]) -> Sequence {
        Sequence::InTurn
    }

    fn open(self, contestants: Vec<Contestant<G, Infallible>>, _: Opening) -> Result<BuiltInMatches<G>, RunnerError> {
        Ok(BuiltInMatches { setup: self, contestants })
    }
}

/// Matches between built-in players and players of the calling program.
pub struct BuiltInMatches<G: WithBuiltIns> {
    setup: BuiltInSetup<G>,
    contestants: Vec<Contestant<G, Infallible>>,
}

impl<G: WithBuiltIns> MatchFactory for BuiltInMatches<G> {
    type Game = G;

    const SHARES_PROCESSORS: bool = true;

    fn settings(&self) -> &G::Settings {
        &self.setup.settings
    }

    fn context(&self) -> &Context {
        &self.setup.context
    }

    fn seat(&self, seating: &Seating<'_>) -> Result<Players<G>, ArenaError> {
        let player = |(&at, seat): (&usize, Seat)| -> Box<dyn Player<G>> {
            let seed = rules::seat_seed(seating.player_seed, seat);
            match &self.contestants[at].kind {
                ContestantKind::BuiltIn(built_in) => built_in.player(seed),
                ContestantKind::Own(make) => make(seat, seed),
                ContestantKind::Bot(never) => match *never {},
            }
        };
        Ok(seating.contestants.iter().zip((0..).map_while(Seat::new)).map(player).collect())
    }
}
