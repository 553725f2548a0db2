//! Values that flags of several commands have, and how they are read.

use arena::record::Keep;
use clap::ValueEnum;
use rules::entelect_2017::MapSize;
use runner::{KeptGames, MatchOutput, TimeLimit};
use std::time::Duration;

/// Which turns are kept as bundles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum KeepArg {
    /// No turn.
    None,
    /// Turns without an order that was obeyed.
    Faults,
    /// Every turn.
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
    /// As much as the kernel can.
    On,
    /// Everything, or there is no match.
    Strict,
}

pub(super) fn size(text: &str) -> Result<MapSize, String> {
    MapSize::ALL
        .into_iter()
        .find(|size| text == size.number().to_string())
        .ok_or_else(|| "the sizes are 1 (7 x 7), 2 (10 x 10) and 3 (14 x 14)".to_owned())
}

pub(super) fn milliseconds(text: &str) -> Result<Duration, String> {
    text.parse().map(Duration::from_millis).map_err(|_| "a whole number of milliseconds is needed".to_owned())
}

pub(super) fn calibration(text: &str) -> Result<TimeLimit, String> {
    match text {
        "auto" => Ok(TimeLimit::Measured),
        "off" => Ok(TimeLimit::Extra(Duration::ZERO)),
        number => milliseconds(number).map(TimeLimit::Extra).map_err(|_| "it is auto, off or milliseconds".to_owned()),
    }
}
