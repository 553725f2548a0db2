//! Errors of files of rules.

use crate::presets::PRESETS;
use rules::printable;
use std::io;
use std::path::PathBuf;

/// An error of a file of rules.
#[derive(Debug, thiserror::Error)]
pub enum RulesFileError {
    /// A mistake in the file.
    #[error("{}{}: {why}", path.display(), place.map(|(line, column)| format!(", line {line}, column {column}")).unwrap_or_default())]
    Mistake {
        /// The path of the file.
        path: PathBuf,
        /// The line and the column of the mistake, each counted from 1; `None` for a key that the file does not have.
        place: Option<(usize, usize)>,
        /// The mistake in words, with the key.
        why: String,
    },
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// There is neither a preset nor a file of the name.
    #[error("there are no rules called {:?}, and no such file", printable(name))]
    Unknown {
        /// The name that was given.
        name: String,
        /// The file that was probably meant.
        file: Option<String>,
    },
}

impl RulesFileError {
    /// The advice to the user.
    pub fn hint(&self) -> String {
        match self {
            RulesFileError::Mistake { .. } => {
                "correct the file: `broadside docs rules-file` has all keys and values, and `broadside rules show classic` prints \
                 a file that can be read"
                    .to_owned()
            }
            RulesFileError::Unreadable { .. } => "check the path, and that it is a file which you may read".to_owned(),
            RulesFileError::Unknown { name, file } => {
                let nearest = nearest(name, PRESETS.iter().map(|preset| preset.name));
                let meant = file.as_deref().or(nearest).map(|name| format!("did you mean {name}? "));
                format!("{}give the path of a file, or a name of `broadside rules list`", meant.unwrap_or_default())
            }
        }
    }
}

/// The name that was probably meant.
pub(crate) fn nearest<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase().replace('_', "-");
    let distances = names.into_iter().map(|name| (strsim::osa_distance(&given, name), name));
    let (distance, name) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= 1 + name.chars().count() / 4 || name.starts_with(&given) && given.len() > 2).then_some(name)
}
