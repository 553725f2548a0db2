//! The list of games. Nothing else in the project lists them.

use crate::bots_arena::BotsArena;
use crate::entelect_2017::Entelect2017;
use crate::salvo::Salvo;
use crate::sea_battle::SeaBattle;
use crate::{Answer, Game, Look, Part, Seat};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::ops::RangeInclusive;

/// A kind of Battleship.
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
}

/// The way in which the bots of a game are reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// A bot is a program in a folder, which is started for every turn.
    Program,
    /// A bot is a web service, named by its URL.
    Http,
    /// A bot is a client of an MQTT broker, to which the server is connected as well.
    Mqtt,
}

impl GameKind {
    /// All kinds, in the order in which they are listed for people.
    pub const ALL: [GameKind; 4] = [GameKind::Entelect2017, GameKind::SeaBattle, GameKind::BotsArena, GameKind::Salvo];

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
        }
    }

    /// The name for people.
    pub fn title(self) -> &'static str {
        match self {
            GameKind::Entelect2017 => "Entelect Challenge 2017",
            GameKind::SeaBattle => "Sea Battle",
            GameKind::BotsArena => "botsArena",
            GameKind::Salvo => "Salvo",
        }
    }

    /// The word for a turn, e.g. `round`.
    pub fn turn(self) -> &'static str {
        match self {
            GameKind::Entelect2017 => "round",
            GameKind::SeaBattle => "turn",
            GameKind::BotsArena => "turn",
            GameKind::Salvo => "shot",
        }
    }

    /// A number of turns with their word, as in `1 round` and `2 rounds`.
    pub fn turns(self, count: u32) -> String {
        counted(count, self.turn())
    }

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
    /// assert_eq!(settings.into_iter().collect::<Vec<_>>(), [("max_moves".to_owned(), 120.into())]);
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
        match self {
            GameKind::Entelect2017 => what.with::<Entelect2017>(),
            GameKind::SeaBattle => what.with::<SeaBattle>(),
            GameKind::BotsArena => what.with::<BotsArena>(),
            GameKind::Salvo => what.with::<Salvo>(),
        }
    }
}

/// A number of things that are called by this word, if its plural ends in s.
pub fn counted(count: u32, word: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {word}{s}")
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

/// A game of the list: the parts of a game that only programs around it need.
pub trait Listed: Game<Settings: Default> {
    /// The way in which bots are reached.
    const REACH: Reach;

    /// The names of the parts that an answer may have.
    const ANSWER_PARTS: &'static [&'static str];

    /// Reads the order in an answer. `parts` are named as in [`Listed::ANSWER_PARTS`].
    ///
    /// # Errors
    /// [`Fault::NothingWritten`](crate::Fault::NothingWritten) without parts, and
    /// [`Fault::Unreadable`](crate::Fault::Unreadable) with the part and the mistake in it. Either goes to
    /// [`Game::advance`] as it is.
    fn read(parts: &[Part]) -> Answer<Self::Order>;

    /// The answer with which a bot gives `order`: [`Listed::read`] reads the order in it.
    fn write(order: &Self::Order) -> Vec<Part>;

    /// The seat whose order the event says was refused; `None` for other events. A missing order counts as none, not as a
    /// refused one.
    fn refused(event: &Self::Event) -> Option<Seat>;

    /// The appearance of the game on screens.
    fn look() -> Look;
}

/// Something that can be done with every game of the list, see [`GameKind::with`].
pub trait WithGame {
    /// The result.
    type Output;

    /// Does it with this game.
    fn with<G: Listed>(self) -> Self::Output;
}
