//! The kinds of games and their names. With [`games`](crate::games), the only place that lists the games.

use serde::{Deserialize, Serialize};

/// A kind of Battleship.
///
/// A new kind is a breaking change, so that the compiler shows every `match` it concerns. [`GameKind::with`] needs none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameKind {
    /// The Entelect Challenge 2017, version 1.2.2: [`crate::entelect_2017`].
    #[serde(rename = "entelect-2017")]
    Entelect2017,
    /// Sea Battle, with armour and radar: [`crate::sea_battle`].
    SeaBattle,
    /// botsArena: [`crate::bots_arena`].
    BotsArena,
    /// Salvo, for up to 16 players: [`crate::salvo`].
    Salvo,
    /// Any Battleship by a file of rules: [`crate::battleship`].
    Battleship,
}

impl GameKind {
    /// All kinds, in the order in which they are listed for people.
    pub const ALL: [GameKind; 5] =
        [GameKind::Entelect2017, GameKind::SeaBattle, GameKind::BotsArena, GameKind::Salvo, GameKind::Battleship];

    /// The kind with this name, in lower case.
    ///
    /// ```
    /// assert_eq!(rules::GameKind::from_name("sea-battle"), Some(rules::GameKind::SeaBattle));
    /// ```
    pub fn from_name(name: &str) -> Option<GameKind> {
        GameKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The name in commands, records and folders.
    pub fn name(self) -> &'static str {
        match self {
            GameKind::Entelect2017 => "entelect-2017",
            GameKind::SeaBattle => "sea-battle",
            GameKind::BotsArena => "bots-arena",
            GameKind::Salvo => "salvo",
            GameKind::Battleship => "battleship",
        }
    }

    /// The name for people.
    pub fn title(self) -> &'static str {
        match self {
            GameKind::Entelect2017 => "Entelect Challenge 2017",
            GameKind::SeaBattle => "Sea Battle",
            GameKind::BotsArena => "botsArena",
            GameKind::Salvo => "Salvo",
            GameKind::Battleship => "Battleship",
        }
    }

    /// The word for a turn, e.g. `round`.
    pub fn turn(self) -> &'static str {
        match self {
            GameKind::Entelect2017 => "round",
            GameKind::SeaBattle | GameKind::BotsArena | GameKind::Battleship => "turn",
            GameKind::Salvo => "shot",
        }
    }

    /// A number of turns with their word, as in `1 round` and `2 rounds`.
    pub fn turns(self, count: u32) -> String {
        counted(count, self.turn())
    }
}

/// A number of things that are called by this word, if its plural ends in s.
pub fn counted(count: u32, word: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {word}{s}")
}
