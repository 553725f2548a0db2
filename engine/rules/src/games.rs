//! From a kind of game to the game: with [`kind`](crate::kind), the list of the games. How their matches are set up says
//! `runner::for_setup!`.

use crate::{Game, GameKind, Listed, Look, Reach, WithGame};
use serde_json::{Map, Value};
use std::ops::RangeInclusive;

/// Does the same with the type of the game of a kind: the list of games.
///
/// ```
/// use rules::{Game, GameKind};
///
/// let seats = rules::for_game!(GameKind::Salvo, G => G::SEATS);
/// assert_eq!(seats, 2..=16);
/// ```
#[macro_export]
macro_rules! for_game {
    ($kind:expr, $G:ident => $body:expr) => {
        match $kind {
            $crate::GameKind::Entelect2017 => {
                type $G = $crate::entelect_2017::Entelect2017;
                $body
            }
            $crate::GameKind::SeaBattle => {
                type $G = $crate::sea_battle::SeaBattle;
                $body
            }
            $crate::GameKind::BotsArena => {
                type $G = $crate::bots_arena::BotsArena;
                $body
            }
            $crate::GameKind::Salvo => {
                type $G = $crate::salvo::Salvo;
                $body
            }
            $crate::GameKind::Battleship => {
                type $G = $crate::battleship::Battleship;
                $body
            }
        }
    };
}

impl GameKind {
    /// The numbers of players that the game can be played with.
    pub fn seats(self) -> RangeInclusive<u8> {
        for_game!(self, G => G::SEATS)
    }

    /// The way in which bots are reached.
    ///
    /// ```
    /// use rules::{GameKind, Reach};
    /// let over_http = GameKind::ALL.into_iter().filter(|kind| kind.reach() == Reach::Http);
    /// assert_eq!(over_http.map(GameKind::name).collect::<Vec<_>>(), ["sea-battle", "bots-arena", "battleship"]);
    /// ```
    pub fn reach(self) -> Reach {
        for_game!(self, G => G::REACH)
    }

    /// The settings of the game with their default values, as records have them.
    ///
    /// ```
    /// let settings = rules::GameKind::SeaBattle.default_settings();
    /// assert_eq!(settings.into_iter().collect::<Vec<_>>(), [("max_moves_each".to_owned(), 120.into())]);
    /// ```
    pub fn default_settings(self) -> Map<String, Value> {
        let settings = for_game!(self, G => serde_json::to_value(<G as Game>::Settings::default()));
        match settings {
            Ok(Value::Object(settings)) => settings,
            _ => Map::new(),
        }
    }

    /// The appearance of the game on screens.
    pub fn look(self) -> Look {
        for_game!(self, G => G::look())
    }

    /// Does something with the game that this kind stands for.
    pub fn with<W: WithGame>(self, what: W) -> W::Output {
        for_game!(self, G => what.with::<G>())
    }
}
