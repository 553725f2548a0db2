//! Files of rules for any Battleship.
//!
//! [`read`] reads a file (TOML) with the keys of [`rules::battleship::Choices`], and says of a mistake in which line it is and what
//! may have been meant. [`PRESETS`] are files of public engines, contests and papers. [`find`] takes the name of one of them, or the
//! path of a file. [`Fleets`] counts the fleets that may be placed, and [`plays`] puts rules into words.
//!
//! ```
//! use rules::battleship::{Again, Touching};
//!
//! let rules = rule_files::find("russian")?;
//! assert_eq!((rules.ships().len(), rules.choices().touching), (10, Touching::None));
//! let mine = rule_files::read("again = \"on-hit\"\nboard = { width = 8, height = 8 }", "mine.toml".as_ref())?;
//! assert_eq!((mine.choices().name.as_str(), mine.choices().again), ("mine", Again::OnHit));
//! let mistake = rule_files::read("tocuhing = \"none\"", "mine.toml".as_ref()).unwrap_err();
//! assert_eq!(mistake.to_string(), "mine.toml, line 1, column 1: unknown key `tocuhing`; did you mean `touching`?");
//! # Ok::<(), rule_files::RulesFileError>(())
//! ```

mod error;
mod fleets;
mod keys;
mod presets;
mod reading;
mod words;

pub use error::RulesFileError;
pub use fleets::Fleets;
pub use presets::{PRESETS, Preset};
pub use reading::{MOST_OF_FILE, find, find_from, find_preset, read};
pub use words::{first_sentence, fleet_in_words, plays};

/// The JSON schema of a file of rules.
pub const SCHEMA: &str = include_str!("../../../docs/rules.schema.json");
