//! Tries a bot out before its first match.

mod program;
mod service;
mod watched;

use crate::args::{Agreed, CheckArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use arena::ArenaError;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Lets the bot play against the built-in player, and reports.
pub(crate) fn check(args: &CheckArgs) -> Result<Exit, Failure> {
    match args.game.agreed()? {
        Agreed::Entelect2017 => program::check(args),
        Agreed::SeaBattle(terms) => service::check(args, &terms),
        Agreed::BotsArena(terms) => service::check(args, &terms),
        Agreed::Salvo(_) => Err(Failure::Usage {
            what: "bots of Salvo come over MQTT, and cannot be checked".to_owned(),
            hint: "let them play: broadside salvo serve".to_owned(),
        }),
    }
}

/// Where the matches go.
enum Place {
    /// Where the user wants them.
    Wanted(PathBuf),
    /// Where they are gone afterwards, unless they are of use.
    Temporary(TempDir),
}

impl Place {
    fn of(wanted: Option<&Path>) -> Result<Place, ArenaError> {
        match wanted {
            Some(path) => Ok(Place::Wanted(path.to_owned())),
            None => {
                let folder = tempfile::Builder::new().prefix("broadside-check-").tempdir();
                folder.map(Place::Temporary).map_err(|e| ArenaError::disk("make a folder in", std::env::temp_dir(), e))
            }
        }
    }

    fn path(&self) -> &Path {
        match self {
            Place::Wanted(path) => path,
            Place::Temporary(folder) => folder.path(),
        }
    }

    fn keep_if(self, wanted: bool) {
        if let Place::Temporary(folder) = self
            && wanted
        {
            let _ = folder.keep();
        }
    }
}
