//! Settings of a match.

use crate::SetupError;
use serde::{Deserialize, Serialize, Serializer};

/// The settings of a match.
///
/// ```
/// use rules::sea_battle::{MoveLimit, Settings};
///
/// let settings: Settings = serde_json::from_str(r#"{"max_moves_each":107}"#)?;
/// assert_eq!(settings, Settings::moves(107));
/// // Records of version 0.1.0 count the moves of both players together.
/// let settings: Settings = serde_json::from_str(r#"{"max_moves":120}"#)?;
/// assert_eq!(settings.max_moves, MoveLimit::Together(120));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "SettingsObject", into = "SettingsObject")]
pub struct Settings {
    /// The moves after which the hits are compared.
    pub max_moves: MoveLimit,
    /// The rules that the texts leave open, or that the public server has otherwise.
    pub profile: Profile,
}

/// The number of moves after which the hits are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveLimit {
    /// Moves of each player, 1 to [`Settings::MOST_MOVES`] (newer text, "Win / Draw Conditions").
    Each(u32),
    /// Moves of both players together, 1 to twice as many. Only records and journals of version 0.1.0 have it.
    Together(u32),
}

impl MoveLimit {
    /// The number of moves of both players, after which the match is over.
    pub fn of_both(self) -> u32 {
        match self {
            MoveLimit::Each(moves) => moves.saturating_mul(2),
            MoveLimit::Together(moves) => moves,
        }
    }

    /// The limit as it was set.
    pub fn number(self) -> u32 {
        match self {
            MoveLimit::Each(moves) | MoveLimit::Together(moves) => moves,
        }
    }

    /// The number that screens show for the move with this number, counted over both players from 1.
    pub fn shown(self, move_of_both: u32) -> u32 {
        match self {
            MoveLimit::Each(_) => move_of_both.div_ceil(2),
            MoveLimit::Together(_) => move_of_both,
        }
    }
}

/// A way to read the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// As the text says, and strictly.
    #[default]
    Text,
    /// As the public server of earlier events does it (`docs/protocols/sea-battle.md`, "The public server"): A moves first,
    /// ships may touch by an edge, a shot off the board is a miss, and answers are read leniently.
    PublicServer,
}

impl Profile {
    /// Both profiles.
    pub const ALL: [Profile; 2] = [Profile::Text, Profile::PublicServer];

    /// The name for flags and settings: `text` or `public-server`.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Text => "text",
            Profile::PublicServer => "public-server",
        }
    }

    /// The profile with this name.
    pub fn from_name(name: &str) -> Option<Profile> {
        Profile::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// The moves of each player if no other number is agreed: 120 by the newer text, 107 on the public server.
    pub fn usual_moves(self) -> u32 {
        match self {
            Profile::Text => 120,
            Profile::PublicServer => 107,
        }
    }
}

impl Settings {
    /// The most moves of each player: what bots are sent grows with every move.
    pub const MOST_MOVES: u32 = 5_000;

    /// The limits that the texts name: the newer one 120, the older one 107 in one place and 200 in another.
    pub const PRESETS: [(&str, u32); 3] = [("120", 120), ("older-107", 107), ("older-200", 200)];

    /// The rules of the text with this number of moves of each player.
    pub const fn moves(each: u32) -> Settings {
        Settings { max_moves: MoveLimit::Each(each), profile: Profile::Text }
    }

    /// The usual settings of a profile.
    pub fn of(profile: Profile) -> Settings {
        Settings { profile, ..Settings::moves(profile.usual_moves()) }
    }

    /// The number of moves of each player in a preset.
    pub fn preset(name: &str) -> Option<u32> {
        Settings::PRESETS.into_iter().find(|(named, _)| *named == name).map(|(_, moves)| moves)
    }

    /// The settings as a part of the state. Records have sums of the state: that of a match of version 0.1.0 has the number alone.
    pub(super) fn in_state<S: Serializer>(settings: &Settings, serializer: S) -> Result<S::Ok, S::Error> {
        match *settings {
            Settings { max_moves: MoveLimit::Together(moves), profile: Profile::Text } => moves.serialize(serializer),
            Settings { max_moves, profile } => (max_moves.of_both(), max_moves.number(), profile).serialize(serializer),
        }
    }

    pub(super) fn check(self) -> Result<(), SetupError> {
        let (moves, most) = match self.max_moves {
            MoveLimit::Each(moves) => (moves, Settings::MOST_MOVES),
            MoveLimit::Together(moves) => (moves, 2 * Settings::MOST_MOVES),
        };
        if (1..=most).contains(&moves) {
            return Ok(());
        }
        Err(SetupError::Settings(format!("a match has 1 to {most} moves, not {moves}")))
    }
}

impl Default for Settings {
    /// The newer text's.
    fn default() -> Settings {
        Settings::of(Profile::Text)
    }
}

/// [`Settings`] as they are written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SettingsObject {
    #[serde(skip_serializing_if = "Option::is_none")]
    max_moves_each: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_moves: Option<u32>,
    #[serde(default, skip_serializing_if = "is_text")]
    profile: Profile,
}

fn is_text(profile: &Profile) -> bool {
    *profile == Profile::Text
}

impl From<Settings> for SettingsObject {
    fn from(settings: Settings) -> SettingsObject {
        let (max_moves_each, max_moves) = match settings.max_moves {
            MoveLimit::Each(moves) => (Some(moves), None),
            MoveLimit::Together(moves) => (None, Some(moves)),
        };
        SettingsObject { max_moves_each, max_moves, profile: settings.profile }
    }
}

impl TryFrom<SettingsObject> for Settings {
    type Error = &'static str;

    fn try_from(object: SettingsObject) -> Result<Settings, &'static str> {
        let max_moves = match (object.max_moves_each, object.max_moves) {
            (Some(moves), None) => MoveLimit::Each(moves),
            (None, Some(moves)) => MoveLimit::Together(moves),
            _ => return Err("either max_moves_each or, in records of version 0.1.0, max_moves is needed"),
        };
        Ok(Settings { max_moves, profile: object.profile })
    }
}
