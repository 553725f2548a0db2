//! What may be wrong with a record.

use super::format::VERSION;
use crate::ArenaError;
use rules::GameKind;
use std::path::Path;

/// Why a record cannot be used, or is not what it says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// It is something else.
    #[error("this is no record of a match: {0}")]
    NoRecord(String),
    /// A newer program wrote it.
    #[error("its format is version {version}, and this program knows versions up to {VERSION}")]
    Newer {
        /// The version of its format.
        version: u32,
    },
    /// A record cannot begin, because its first line would be too long to be read.
    #[error(
        "its first line has {bytes} bytes, and at most {most} can be read: the players' names and settings are too long"
    )]
    HeaderTooLong {
        /// The length of the line, in bytes.
        bytes: usize,
        /// The longest that is read, in bytes.
        most: usize,
    },
    /// It is of another game.
    #[error("it is of a match of {}, and {} is wanted", has.name(), wanted.name())]
    OtherGame {
        /// What it is of.
        has: GameKind,
        /// What it should be of.
        wanted: GameKind,
    },
    /// One of its lines was damaged.
    #[error("line {line}: {what}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// The rules make something else of its answers.
    #[error("{} {turn}: {what}", game.turn())]
    Turn {
        /// The game.
        game: GameKind,
        /// In which turn.
        turn: u32,
        /// What is different.
        what: String,
    },
    /// A file of the match's folder is not what the rules make of the answers.
    #[error("{file}: {what}")]
    File {
        /// Which file, in the match's folder.
        file: String,
        /// What is different.
        what: String,
    },
    /// The match, or its record, stopped before its end.
    #[error("there is no outcome: the match was stopped after {}, or the rest is lost", game.turns(*turns))]
    Unfinished {
        /// The game.
        game: GameKind,
        /// How many turns there are.
        turns: u32,
    },
}

impl RecordError {
    /// With where the record was read from.
    pub(super) fn of(self, path: &Path) -> ArenaError {
        ArenaError::Record { path: path.to_owned(), source: self }
    }
}
