//! The list of games. Nothing else in the project lists them.

use crate::bots_arena::BotsArena;
use crate::entelect_2017::Entelect2017;
use crate::salvo::Salvo;
use crate::sea_battle::SeaBattle;
use crate::{Answer, Game, Look, Part, Seat};
use serde::{Deserialize, Serialize};
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

impl GameKind {
    /// All there are.
    pub const ALL: [GameKind; 4] = [GameKind::Entelect2017, GameKind::SeaBattle, GameKind::BotsArena, GameKind::Salvo];

    /// The kind with this name.
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

    /// What a turn is called.
    pub fn turn(self) -> &'static str {
        match self {
            GameKind::Entelect2017 => "round",
            GameKind::SeaBattle => "turn",
            GameKind::BotsArena => "turn",
            GameKind::Salvo => "shot",
        }
    }

    /// How many players it is for.
    pub fn seats(self) -> RangeInclusive<u8> {
        self.with(SeatsOf)
    }

    /// So many turns, as in `1 round` and `2 rounds`.
    pub fn turns(self, count: u32) -> String {
        counted(count, self.turn())
    }

    /// How it is to be shown.
    pub fn look(self) -> Look {
        self.with(LookOf)
    }
}

/// So many things that are called by this word, if its plural ends in s.
pub fn counted(count: u32, word: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {word}{s}")
}

/// See [`GameKind::look`].
struct LookOf;

impl WithGame for LookOf {
    type Output = Look;

    fn with<G: Listed>(self) -> Look {
        G::look()
    }
}

/// See [`GameKind::seats`].
struct SeatsOf;

impl WithGame for SeatsOf {
    type Output = RangeInclusive<u8>;

    fn with<G: Listed>(self) -> RangeInclusive<u8> {
        G::SEATS
    }
}

/// A game of the list.
pub trait Listed: Game {
    /// The names of the parts that an answer may have.
    const ANSWER_PARTS: &'static [&'static str];

    /// Reads the order in an answer, or tells what is wrong with it. `parts` are named as in [`Listed::ANSWER_PARTS`]; no
    /// part at all is [`Fault::NothingWritten`](crate::Fault::NothingWritten).
    fn read(parts: &[Part]) -> Answer<Self::Order>;

    /// The answer with which a bot gives `order`: [`Listed::read`] reads the order in it.
    fn write(order: &Self::Order) -> Vec<Part>;

    /// Whose order was not obeyed, if that is what the event tells. A missing order is no refused one.
    fn refused(event: &Self::Event) -> Option<Seat>;

    /// How its matches are to be shown.
    fn look() -> Look;
}

/// Something that can be done with every game of the list.
pub trait WithGame {
    /// What comes of it.
    type Output;

    /// Does it with this game.
    fn with<G: Listed>(self) -> Self::Output;
}

impl GameKind {
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
