//! The names and numbers of bots.

use rules::{TeamNameError, check_team_name};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The number of a bot, counted from 1. Numbers of removed bots are not used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BotId(pub u32);

impl fmt::Display for BotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The name of a bot. Names that differ in upper and lower case only are the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct BotName(String);

/// The reason why a text is not a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// The text is empty.
    #[error("a bot needs a name")]
    Empty,
    /// The text is longer than [`BotName::MOST`].
    #[error("a name has at most {most} letters, not {letters}", most = BotName::MOST)]
    TooLong {
        /// The length of the text, in characters.
        letters: usize,
    },
    /// The text has letters that cannot be seen or look like others.
    #[error(transparent)]
    Letters(#[from] TeamNameError),
    /// The text has dots only, which would be lost in the address of a page.
    #[error("a name cannot have dots only")]
    Dots,
    /// The text has two spaces in a row.
    #[error("a name has single spaces between its words only")]
    Spaces,
}

impl BotName {
    /// The longest name, in characters.
    pub const MOST: usize = 32;

    /// A new name, without the spaces around it.
    ///
    /// # Errors
    /// The text is empty or too long, or it has letters that [`check_team_name`] refuses; the error says what to change.
    pub fn new(text: &str) -> Result<BotName, NameError> {
        let name = BotName::registered(text)?;
        check_team_name(&name.0)?;
        Ok(name)
    }

    /// The name of a bot that may be registered already, perhaps by an earlier version with fewer checks.
    ///
    /// # Errors
    /// The text is empty or too long, or has control characters, dots only or two spaces in a row.
    pub(crate) fn registered(text: &str) -> Result<BotName, NameError> {
        let text = text.trim();
        let letters = text.chars().count();
        match text {
            "" => Err(NameError::Empty),
            _ if letters > BotName::MOST => Err(NameError::TooLong { letters }),
            _ if text.chars().all(|letter| letter == '.') => Err(NameError::Dots),
            _ if text.contains("  ") => Err(NameError::Spaces),
            _ => match text.chars().find(|letter| letter.is_control()) {
                Some(letter) => Err(TeamNameError::Letter(letter.into()).into()),
                None => Ok(BotName(text.to_owned())),
            },
        }
    }

    /// The name as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name in the form in which names are compared.
    pub(crate) fn key(&self) -> String {
        self.0.to_uppercase().to_lowercase()
    }
}

impl TryFrom<String> for BotName {
    type Error = NameError;

    fn try_from(text: String) -> Result<BotName, NameError> {
        BotName::registered(&text)
    }
}

impl fmt::Display for BotName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_languages_and_signs_are_names() {
        let names = ["a", "Team Rocket 2", "Überboot", "海戦", "नौका", "<img src=x onerror=alert(1)>", "🚀", "../etc"];
        for name in names {
            assert_eq!(BotName::new(name).unwrap().as_str(), name);
        }
        assert_eq!(BotName::new("  Ann \n").unwrap().as_str(), "Ann");
    }

    #[test]
    fn what_cannot_be_seen_is_no_name() {
        assert_eq!(BotName::new(" \t"), Err(NameError::Empty));
        assert_eq!(BotName::new(".."), Err(NameError::Dots));
        assert_eq!(BotName::new("a  b"), Err(NameError::Spaces));
        assert_eq!(BotName::new(&"x".repeat(33)), Err(NameError::TooLong { letters: 33 }));
        assert!(BotName::new(&"é".repeat(32)).is_ok());
        for unseen in ["a\0b", "a\nb", "a\u{200b}b", "a\u{202e}b", "a\u{a0}b", "\u{3164}", "a\u{feff}b", "a\u{7f}"] {
            assert!(matches!(BotName::new(unseen), Err(NameError::Letters(_))), "{unseen:?}");
        }
    }

    #[test]
    fn names_that_look_like_others_are_refused_but_old_journals_may_have_them() {
        for name in ["\u{410}nn", "A\u{1d159}nn", "A\u{ad}nn", "A\u{fff9}nn"] {
            assert!(matches!(BotName::new(name), Err(NameError::Letters(_))), "{name:?}");
            let line = serde_json::to_string(name).unwrap();
            assert_eq!(serde_json::from_str::<BotName>(&line).unwrap().as_str(), name);
        }
        assert!(serde_json::from_str::<BotName>("\"a\\u001bb\"").is_err());
    }

    #[test]
    fn names_that_differ_in_case_only_are_the_same() {
        let key = |name| BotName::new(name).unwrap().key();
        assert_eq!(key("Straße"), key("STRASSE"));
        assert_eq!(key("ÉCOLE"), key("école"));
        assert_ne!(key("a b"), key("ab"));
    }
}
