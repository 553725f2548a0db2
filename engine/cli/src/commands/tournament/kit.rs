//! What a game brings along so that tournaments of it can be played.

use super::entrants::Ready;
use crate::failure::Failure;
use arena::record::LimitsLine;
use arena::{ArenaError, Interrupt, Observer, Players};
use rules::{Game, Listed};
use std::path::Path;

/// A game and what is agreed in a tournament of it, before it is known who takes part.
pub(super) trait Ground {
    /// Which game.
    type Game: Listed;
    /// What a bot is.
    type Bot;
    /// What games are played with.
    type Kit: Kit<Game = Self::Game>;

    /// What is agreed before each game.
    fn settings(&self) -> &<Self::Game as Game>::Settings;

    /// What bots are spoken to in, where there is a choice.
    fn dialect(&self) -> Option<&'static str>;

    /// What tells tournaments of other settings apart, for the names of their folders.
    fn mark(&self) -> String;

    /// Those whom a name on the command line stands for.
    fn named(&self, name: &str) -> Result<Vec<Ready<Self::Bot>>, Failure>;

    /// Makes everything ready for games of these, in a tournament with this folder.
    fn kit(self, entrants: Vec<Ready<Self::Bot>>, folder: &Path) -> Result<Self::Kit, Failure>;
}

/// What the games of a tournament are played with. Entrants are numbered from 0.
pub(super) trait Kit: Sync {
    /// Which game.
    type Game: Listed;
    /// What is made of a game beside its record.
    type Beside: Observer<Self::Game>;

    /// Whether bots run on the processors of this machine, so that games at the same time slow each other down.
    const SHARES_PROCESSORS: bool;

    /// What is agreed before each game.
    fn settings(&self) -> &<Self::Game as Game>::Settings;

    /// How long an entrant may take.
    fn limits(&self, entrant: usize) -> Option<LimitsLine>;

    /// What bots are kept from, in words.
    fn sandbox(&self) -> Option<String>;

    /// Ends the tournament.
    fn interrupt(&self) -> &Interrupt;

    /// The players in their seats, and what watches them.
    fn seat(&self, seating: &Seating<'_>) -> Result<(Players<Self::Game>, Self::Beside), ArenaError>;

    /// Keeps what was made beside the record, in the folder `to`, which is not there.
    fn keep(&self, beside: Self::Beside, to: &Path) -> Result<(), ArenaError>;

    /// Takes away what a game left that nobody needs.
    fn clear(&self, seating: &Seating<'_>) -> Result<(), ArenaError>;
}

/// Who sits where in one game.
pub(super) struct Seating<'a> {
    /// What the files of the game are called.
    pub(super) name: &'a str,
    /// The entrants by their seats.
    pub(super) seated: [usize; 2],
    /// What they are called in the tournament, by their seats.
    pub(super) names: [&'a str; 2],
    /// What all randomness in the game is derived from.
    pub(super) seed: u64,
}
