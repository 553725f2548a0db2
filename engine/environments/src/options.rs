//! The choices for a match, and the mistakes in calls.

use crate::MaskKind;
use arena::ArenaError;
use rules::Seat;

/// The choices that are the same for all games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// The way in which fleets are placed.
    pub placement: Placement,
    /// The orders that masks allow.
    pub mask: MaskKind,
    /// The rewards.
    pub reward: Reward,
}

/// The way in which the fleets of agents are placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Placement {
    /// At random, by the seed of the match: an agent begins with its first shot.
    #[default]
    Random,
    /// By the agents, one ship with each action.
    Agents,
}

/// The rewards of agents. In every match the sum of all rewards of an agent is its outcome, with what [`Reward::Hits`] adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reward {
    /// 1 for the winner, -1 for the others, 0 for all after a draw, at the end of the match or when a player leaves it.
    #[default]
    Outcome,
    /// The same, and in each step the share of the opponents' ships that was hit, less the share that the opponents hit on
    /// average ([`Encoded::progress`]).
    Hits,
}

/// An action that cannot be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrongAction {
    /// There is no such action.
    NoSuchAction {
        /// The number given.
        number: usize,
        /// The number of actions.
        actions: usize,
    },
    /// The seat is not asked now.
    NotToAct(Seat),
}

impl std::fmt::Display for WrongAction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WrongAction::NoSuchAction { number, actions } => {
                write!(f, "there is no action {number}; they go from 0 to {}", actions - 1)
            }
            WrongAction::NotToAct(seat) => write!(f, "{seat} is not to act now"),
        }
    }
}

impl std::error::Error for WrongAction {}

/// A failure of a [`Table`].
#[derive(Debug)]
pub enum TableError {
    /// The caller gave an action that cannot be taken. Nothing has changed.
    Action(WrongAction),
    /// A player that is not an agent failed.
    Player(ArenaError),
}

impl std::fmt::Display for TableError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TableError::Action(wrong) => wrong.fmt(f),
            TableError::Player(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TableError {}

impl From<WrongAction> for TableError {
    fn from(wrong: WrongAction) -> TableError {
        TableError::Action(wrong)
    }
}
