//! A version of a bot, as the server tells it.

use crate::exit::Exit;
use serde::Deserialize;
use serde_json::Value;

/// A version.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Version {
    /// The number, counted from 1 for each bot.
    #[serde(rename = "version")]
    pub(super) number: u64,
    /// The state, by the name that the server gives it.
    pub(super) state: String,
    /// The place in the queue.
    #[serde(default)]
    pub(super) place: Option<u64>,
    /// True if the version plays, or is to play once it is accepted.
    #[serde(default)]
    pub(super) is_active: bool,
    /// The reason why it is rejected.
    #[serde(default)]
    pub(super) reason: Option<String>,
}

/// A version, and all that the server tells of it.
#[derive(Debug, Clone)]
pub(super) struct VersionAnswer {
    pub(super) version: Version,
    pub(super) json: Value,
}

const ACCEPTED: &str = "accepted";
const REJECTED: &str = "rejected";

impl Version {
    /// True once there is a verdict.
    pub(super) fn is_judged(&self) -> bool {
        [ACCEPTED, REJECTED].contains(&self.state.as_str())
    }

    /// The exit code of the program.
    pub(super) fn exit(&self) -> Exit {
        if self.state == REJECTED { Exit::BotFaulty } else { Exit::Success }
    }

    /// The sentence about its state.
    pub(super) fn in_words(&self, bot: &str) -> String {
        let state = match (self.state.as_str(), &self.reason) {
            ("unpacking", _) => "is being unpacked".to_owned(),
            ("building", _) => "is being built".to_owned(),
            ("probing", _) => "plays its trial games".to_owned(),
            (ACCEPTED, _) if !self.is_active => "is accepted, and not active".to_owned(),
            (REJECTED, Some(reason)) => format!("is rejected: {reason}"),
            (state, _) => format!("is {state}"),
        };
        let place = self.place.map(|place| format!(", place {place}")).unwrap_or_default();
        format!("version {} of {bot} {state}{place}", self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(json: &str) -> Version {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn a_state_is_told_in_words() {
        let words = |json: &str| version(json).in_words("Deep Water");
        assert_eq!(
            words(
                r#"{"version":3,"state":"queued","place":2,"isActive":false,"reason":null,"archive":"00","bytes":9}"#
            ),
            "version 3 of Deep Water is queued, place 2"
        );
        assert_eq!(words(r#"{"version":3,"state":"probing"}"#), "version 3 of Deep Water plays its trial games");
        assert_eq!(words(r#"{"version":3,"state":"accepted","isActive":true}"#), "version 3 of Deep Water is accepted");
        assert_eq!(words(r#"{"version":3,"state":"accepted"}"#), "version 3 of Deep Water is accepted, and not active");
        assert_eq!(
            words(r#"{"version":3,"state":"rejected","reason":"main.c has errors"}"#),
            "version 3 of Deep Water is rejected: main.c has errors"
        );
        assert_eq!(words(r#"{"version":3,"state":"resting"}"#), "version 3 of Deep Water is resting");
    }

    #[test]
    fn only_a_rejected_version_ends_the_program_with_an_error() {
        let of = |state: &str| version(&format!(r#"{{"version":1,"state":"{state}"}}"#));
        assert_eq!(["queued", "accepted", "rejected"].map(|state| of(state).exit() as i32), [0, 0, 4]);
        assert_eq!(["queued", "accepted", "rejected"].map(|state| of(state).is_judged()), [false, true, true]);
    }
}
