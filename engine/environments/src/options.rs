//! The choices for a match, and the mistakes in calls.

use crate::MaskKind;
use arena::ArenaError;
use rules::Seat;
use thiserror::Error;

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
    /// average ([`Encoded::progress`](crate::Encoded::progress)).
    Hits,
}

/// An action that cannot be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum WrongAction {
    /// There is no such action.
    #[error("there is no action {number}; they go from 0 to {}", actions - 1)]
    NoSuchAction {
        /// The number given.
        number: i64,
        /// The number of actions.
        actions: usize,
    },
    /// The seat is not asked now.
    #[error("{0} is not to act now")]
    NotToAct(Seat),
}

/// A failure of an [`ActionMatch`](crate::ActionMatch).
#[derive(Debug, Error)]
pub enum ActionMatchError {
    /// The caller gave an action that cannot be taken. Nothing has changed.
    #[error(transparent)]
    Action(#[from] WrongAction),
    /// A player that is not an agent failed.
    #[error(transparent)]
    Player(ArenaError),
}
