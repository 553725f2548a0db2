//! The events of a head.

use crate::wire::signing::PublicKey;

/// An event of a head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeadReport {
    /// The workers that can play games of this tournament are so many now, and play so many games at the same time.
    Workers {
        /// The number of workers.
        workers: usize,
        /// The number of games at the same time.
        slots: usize,
    },
    /// A worker cannot play these games: its program has another version, or other rules.
    OtherEngine {
        /// The name of the worker.
        worker: String,
        /// Its version and rules.
        theirs: String,
        /// The version and rules of this program.
        ours: String,
    },
    /// Games of the tournament wait, and no worker has all of these languages and labels that they need.
    NobodyHas(Vec<String>),
    /// The worker of this name could not play some games, for this reason; they wait for another worker.
    GivenBack(String, String),
    /// The records of some games, which were to be kept, could not be fetched.
    FilesLost(String),
    /// A worker with another key has the name of one whose results came before. In the journal it has the second name.
    SameName(String, String),
    /// There is a connection to the server again, or there is none any more: the tournament goes on when there is one.
    Connection(bool),
    /// Workers have told different results of a game.
    Differs {
        /// The game, with the names of its players.
        game: String,
        /// The name of each worker, with its result in words.
        told: Vec<(String, String)>,
        /// The worker whose result is not that of two others, all of them listed; `None` if there is no such worker, or it said
        /// that its machine may have changed the result.
        outlier: Option<String>,
    },
    /// The result of this game counts, which this worker has told, although others took it to play it again and told no result.
    Unchecked {
        /// The game, with the names of its players.
        game: String,
        /// The name of the worker.
        worker: String,
    },
    /// A worker of this name gets no games: its key is not listed.
    Unlisted(String, PublicKey),
}
