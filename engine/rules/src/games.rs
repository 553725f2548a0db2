//! From a kind of game to the game: with [`kind`](crate::kind), the list of the games. How their matches are set up says
//! `runner::for_setup!`.

use crate::{GameKind, Listed, Look, Reach, WithGame};
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
        }
    };
}

impl GameKind {
    /// The numbers of players that the game can be played with.
    pub fn seats(self) -> RangeInclusive<u8> {
        self.with(FactsOf).seats
    }

    /// The way in which bots are reached.
    ///
    /// ```
    /// use rules::{GameKind, Reach};
    /// let over_http = GameKind::ALL.into_iter().filter(|kind| kind.reach() == Reach::Http);
    /// assert_eq!(over_http.map(GameKind::name).collect::<Vec<_>>(), ["sea-battle", "bots-arena"]);
    /// ```
    pub fn reach(self) -> Reach {
        self.with(FactsOf).reach
    }

    /// The settings of the game with their default values, as records have them.
    ///
    /// ```
    /// let settings = rules::GameKind::SeaBattle.default_settings();
    /// assert_eq!(settings.into_iter().collect::<Vec<_>>(), [("max_moves_each".to_owned(), 120.into())]);
    /// ```
    pub fn default_settings(self) -> Map<String, Value> {
        (self.with(FactsOf).settings)()
    }

    /// The appearance of the game on screens.
    pub fn look(self) -> Look {
        (self.with(FactsOf).look)()
    }

    /// Does something with the game that this kind stands for.
    pub fn with<W: WithGame>(self, what: W) -> W::Output {
        for_game!(self, G => what.with::<G>())
    }
}

/// Everything that a game of the list says of itself.
struct Facts {
    seats: RangeInclusive<u8>,
    reach: Reach,
    settings: fn() -> Map<String, Value>,
    look: fn() -> Look,
}

struct FactsOf;

impl WithGame for FactsOf {
    type Output = Facts;

    fn with<G: Listed>(self) -> Facts {
        Facts { seats: G::SEATS, reach: G::REACH, settings: default_settings::<G>, look: G::look }
    }
}

fn default_settings<G: Listed>() -> Map<String, Value> {
    match serde_json::to_value(G::Settings::default()) {
        Ok(Value::Object(settings)) => settings,
        _ => Map::new(),
    }
}
