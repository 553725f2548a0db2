//! The JSON between the server and the page of a person.

use serde::{Deserialize, Serialize};

/// The state of the table for a person: a question to it, or the reason why there is none. Numbers of questions grow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum Question {
    /// The fleet is to be placed.
    Place {
        /// The number of the question.
        number: u64,
        /// The ships.
        ships: Vec<ShipToPlace>,
        /// The cells, relative to a cell of a ship, in which another ship may not lie.
        near: Vec<(i32, i32)>,
    },
    /// An order is due.
    Order {
        /// The number of the question.
        number: u64,
        /// The moment of the game in a few words.
        moment: String,
        /// The result of the order before, if the boards do not tell it.
        result: Option<String>,
        /// The orders, the plain shot first.
        orders: Vec<OrderChoice>,
        /// True if the person may do nothing.
        pass: bool,
    },
    /// Others are asked.
    Wait {
        /// The letters of their seats.
        others: Vec<char>,
    },
    /// The match is over, and nothing more will come.
    End {
        /// The path of the record for people on the same machine.
        record: Option<String>,
    },
}

/// A ship that is to be placed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct ShipToPlace {
    /// The name.
    pub(super) name: String,
    /// The letter in looks.
    pub(super) letter: char,
    /// The number of cells.
    pub(super) length: usize,
    /// The ways in which it may lie, each with the cells as steps from the least column and row; the usual one first.
    pub(super) turns: Vec<Vec<(i32, i32)>>,
}

/// An order that a person can choose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct OrderChoice {
    /// The word that names it.
    pub(super) word: String,
    /// The explanation beside the word; empty if there is none.
    pub(super) hint: String,
    /// The cells that it is for, relative to the chosen one.
    pub(super) pattern: Vec<(i32, i32)>,
    /// The most cells that may be chosen for one order.
    pub(super) most: usize,
    /// The letters of the boards on which a cell may be chosen.
    pub(super) targets: Vec<char>,
    /// The reason why it cannot be given now.
    pub(super) why: Option<String>,
}

/// A request of the page: an answer to a question.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(super) struct Given {
    /// The number of the question.
    pub(super) ask: u64,
    /// The answer.
    #[serde(flatten)]
    pub(super) act: Act,
}

/// The deed of a person.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "act", rename_all = "lowercase")]
pub(super) enum Act {
    /// Asks for a fleet at random, which is not placed yet.
    Random,
    /// Places this fleet: one place for each ship of the question, in its order.
    Fleet {
        /// The places.
        ships: Vec<Place>,
    },
    /// Gives an order.
    Order {
        /// The word of the order.
        word: String,
        /// The cell.
        #[serde(flatten)]
        aim: AimedAt,
        /// Further cells, for an order of more than one.
        #[serde(default)]
        more: Vec<AimedAt>,
        /// True if the person was told that the shot is wasted and wants it.
        #[serde(default)]
        sure: bool,
    },
    /// Does nothing in this turn.
    Pass,
    /// Gives up. The rules say what that costs.
    Resign,
}

/// A cell of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(super) struct AimedAt {
    /// The letter of the board.
    pub(super) target: char,
    /// The column.
    pub(super) x: i32,
    /// The row.
    pub(super) y: i32,
}

/// The place of a ship.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Place {
    /// The least column.
    pub(super) x: i32,
    /// The least row.
    pub(super) y: i32,
    /// The number of the way in which it lies, in [`ShipToPlace::turns`].
    pub(super) turn: usize,
}

/// The answer to a request of the page.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub(super) struct Verdict {
    /// True if the act was accepted.
    pub(super) ok: bool,
    /// The reason why it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<String>,
    /// True if the act is accepted when it is given once more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) doubt: bool,
    /// A fleet at random.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) ships: Vec<Place>,
}

impl Verdict {
    pub(super) fn accepted() -> Verdict {
        Verdict { ok: true, ..Verdict::default() }
    }

    pub(super) fn refused(why: impl Into<String>) -> Verdict {
        Verdict { why: Some(why.into()), ..Verdict::default() }
    }
}
