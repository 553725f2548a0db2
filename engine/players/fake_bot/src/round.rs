//! The round a fake bot was started in.

use serde_json::Value;
use std::path::{Path, PathBuf};

/// The folder of the turns of bots that stay.
const TURNS: &str = "turn";

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
    /// The question, if it is JSON.
    pub question: Value,
}

impl Round {
    /// From the two arguments of a bot. One that stays is not told the round by them.
    pub fn from_arguments(key: String, folder: PathBuf) -> Option<Round> {
        let name = folder.parent()?.file_name()?.to_str()?;
        if name == TURNS {
            return Some(Round::of_child(key, folder));
        }
        let (phase, number) = name.strip_prefix("Phase ")?.split_once(" - Round ")?;
        Some(Round { key, phase: phase.parse().ok()?, number: number.parse().ok()?, folder, question: Value::Null })
    }

    /// The round of a process that a fake bot has started, which does not ask for the round.
    pub fn of_child(key: String, folder: PathBuf) -> Round {
        Round { key, phase: 2, number: 0, folder, question: Value::Null }
    }

    /// The same bot in the turn that it is asked for by this line.
    pub fn asked_by(&self, line: &str) -> Option<Round> {
        let (phase, number) = line.split_once(' ')?;
        Some(Round { phase: phase.parse().ok()?, number: number.parse().ok()?, ..self.clone() })
    }

    /// The folder of the match.
    pub(crate) fn root(&self) -> Option<&Path> {
        self.folder.ancestors().nth(2)
    }

    /// The folders in which the bot of the other seat may play: of this round, or of all its turns.
    pub(crate) fn folders_of_other(&self) -> Option<[PathBuf; 2]> {
        let (root, key) = (self.root()?, if self.key == "A" { "B" } else { "A" });
        let round = format!("Phase {} - Round {}", self.phase, self.number);
        Some([round.as_str(), TURNS].map(|folder| root.join(folder).join(key)))
    }

    /// The folder of the next round, of the second phase.
    pub(crate) fn next_folder(&self) -> Option<PathBuf> {
        if self.folder.parent()?.ends_with(TURNS) {
            return Some(self.folder.clone());
        }
        Some(self.root()?.join(format!("Phase 2 - Round {}", self.number + 1)).join(&self.key))
    }

    /// The order of the `fire` step: a shot at a cell that differs from round to round.
    pub(crate) fn shot(&self) -> String {
        format!("1,{},{}\n", self.number % 7, self.number / 7 % 7)
    }
}
