//! The round a fake bot was started in.

use std::path::{Path, PathBuf};

/// The round a fake bot was started in.
#[derive(Debug, Clone)]
pub struct Round {
    /// The seat it sits in.
    pub key: String,
    /// The bot's folder for the round.
    pub folder: PathBuf,
    /// 1 or 2.
    pub phase: u32,
    /// Counted from 0.
    pub number: u32,
}

impl Round {
    /// From the two arguments of a bot.
    pub fn from_arguments(key: String, folder: PathBuf) -> Option<Round> {
        let name = folder.parent()?.file_name()?.to_str()?;
        let (phase, number) = name.strip_prefix("Phase ")?.split_once(" - Round ")?;
        Some(Round { key, phase: phase.parse().ok()?, number: number.parse().ok()?, folder })
    }

    /// The folder of the match.
    pub(crate) fn root(&self) -> Option<&Path> {
        self.folder.ancestors().nth(2)
    }

    /// The folder of the next round, of the second phase.
    pub(crate) fn next_folder(&self) -> Option<PathBuf> {
        Some(self.root()?.join(format!("Phase 2 - Round {}", self.number + 1)).join(&self.key))
    }

    /// The order of the `fire` step: a shot at a cell that differs from round to round.
    pub(crate) fn shot(&self) -> String {
        format!("1,{},{}\n", self.number % 7, self.number / 7 % 7)
    }
}
