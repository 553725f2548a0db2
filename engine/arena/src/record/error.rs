//! Faults of a record.

use super::format::VERSION;
use crate::ArenaError;
use rules::GameKind;
use std::path::Path;

/// The reason why a record cannot be used, or is not what the rules make of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The file is something else.
    #[error("this is not a record of a match: {0}")]
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
    /// The record is of another game.
    #[error("it is of a match of {}, and {} is wanted", has.name(), wanted.name())]
    OtherGame {
        /// The game of the record.
        has: GameKind,
        /// The game that is wanted.
        wanted: GameKind,
    },
    /// One of its lines was damaged.
    #[error("line {line}: {what}")]
    Line {
        /// The number of the line, counted from 1.
        line: usize,
        /// The fault of the line.
        what: String,
    },
    /// The rules make something else of the answers.
    #[error("{} {turn}: {what}", game.turn())]
    Turn {
        /// The game.
        game: GameKind,
        /// The turn, counted from 0.
        turn: u32,
        /// The difference.
        what: String,
    },
    /// A file of the match's folder is not what the rules make of the answers.
    #[error("{file}: {what}")]
    File {
        /// The path of the file in the match's folder.
        file: String,
        /// The difference.
        what: String,
    },
    /// The match, or its record, stopped before its end.
    #[error("there is no outcome: the match was stopped after {}, or the rest is lost", game.turns(*turns))]
    Unfinished {
        /// The game.
        game: GameKind,
        /// The number of turns in the record.
        turns: u32,
    },
}

impl RecordError {
    /// The error with the path of the record.
    pub(super) fn of(self, path: &Path) -> ArenaError {
        ArenaError::Record { path: path.to_owned(), source: self }
    }
}
