//! Values that flags of several commands have, and how they are read.

use arena::record::Keep;
use clap::ValueEnum;
use rules::entelect_2017::MapSize;
use runner::{KeptGames, MatchOutput, TimeLimit};
use std::time::Duration;

/// The games, or the turns, whose files are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum KeepArg {
    /// None.
    None,
    /// Those with faults: without an order, or with one that was refused.
    Faults,
    /// All.
    All,
}

impl From<KeepArg> for KeptGames {
    fn from(kept: KeepArg) -> KeptGames {
        match kept {
            KeepArg::None => KeptGames::Nothing,
            KeepArg::Faults => KeptGames::Faults,
            KeepArg::All => KeptGames::All,
        }
    }
}

impl From<KeepArg> for Keep {
    fn from(kept: KeepArg) -> Keep {
        match kept {
            KeepArg::None => Keep::Nothing,
            KeepArg::Faults => Keep::Faults,
            KeepArg::All => Keep::Everything,
        }
    }
}

/// The files that a match leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MatchOutputArg {
    /// The folder of 2017 with the record in it.
    Folder,
    /// The record.
    Compact,
    /// Nothing.
    None,
}

impl From<MatchOutputArg> for MatchOutput {
    fn from(output: MatchOutputArg) -> MatchOutput {
        match output {
            MatchOutputArg::Folder => MatchOutput::Folder,
            MatchOutputArg::Compact => MatchOutput::Record,
            MatchOutputArg::None => MatchOutput::Nothing,
        }
    }
}

/// The sandbox level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SandboxArg {
    /// Nothing.
    Off,
    /// Everything that the kernel supports.
    On,
    /// Everything, or the match is not played.
    Strict,
}

pub(super) fn size(text: &str) -> Result<MapSize, String> {
    MapSize::ALL
        .into_iter()
        .find(|size| text == size.number().to_string())
        .ok_or_else(|| "the sizes are 1 (7 x 7), 2 (10 x 10) and 3 (14 x 14)".to_owned())
}

pub(super) fn milliseconds(text: &str) -> Result<Duration, String> {
    text.parse().map(Duration::from_millis).map_err(|_| "expected a whole number of milliseconds".to_owned())
}

pub(super) fn calibration(text: &str) -> Result<TimeLimit, String> {
    match text {
        "auto" => Ok(TimeLimit::Measured),
        "off" => Ok(TimeLimit::Extra(Duration::ZERO)),
        number => milliseconds(number)
            .map(TimeLimit::Extra)
            .map_err(|_| "expected auto, off or a number of milliseconds".to_owned()),
    }
}
