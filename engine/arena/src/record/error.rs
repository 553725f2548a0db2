//! Faults of a record.

use rules::GameKind;

/// The reason why a record cannot be used, or is not what the rules make of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The file is something else.
    #[error("this is not a record of a match: {0}")]
    NoRecord(String),
    /// A newer program wrote it, in this version of the format.
    #[error("its format is version {version}, and this program knows versions up to {known}")]
    Newer {
        /// The version of the file.
        version: u32,
        /// The newest version that this program reads.
        known: u32,
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
    /// A line, by its number counted from 1, has this fault.
    #[error("line {0}: {1}")]
    Line(usize, String),
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
    /// A file, by its path in the match's folder, differs in this way from what the rules make of the answers.
    #[error("{0}: {1}")]
    File(String, String),
    /// The record was made from a folder that differs in this way from what the rules make of its answers.
    #[error("the folder that it was made from does not follow the rules: {0}")]
    Imported(String),
    /// The match, or its record, stopped before its end.
    #[error("there is no outcome: the match was stopped after {}, or the rest is lost", game.turns(*turns))]
    Unfinished {
        /// The game.
        game: GameKind,
        /// The number of turns in the record.
        turns: u32,
    },
}
