//! The parts of a game that a person at the console needs.

use super::input::{aimed, choice, words};
use super::person_game::PersonGame;
use arena::Ask;
use rules::{Point, Seat};

/// A game of two that a person can play at the console.
pub trait ConsoleGame: PersonGame {
    /// True if orders may be named by their numbers in [`PersonGame::orders`], counted from 1.
    const HAS_CODES: bool = false;

    /// The orders of the game as lines of a help text.
    fn help(ask: &Ask<'_, Self>) -> String;
}

/// A line that was typed in the battle.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Input<O> {
    /// An order.
    Order(O),
    /// The orders are to be listed.
    Help,
    /// An empty line.
    Nothing,
    /// Something that is not an order, and why.
    Wrong(String),
}

/// Reads a line that was typed in the battle.
pub(super) fn read<G: ConsoleGame>(line: &str) -> Input<G::Order> {
    let words = words(line);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        [] => return Input::Nothing,
        ["help" | "?"] => return Input::Help,
        ["random" | "undo"] => return Input::Wrong("That was possible while the ships were placed.".to_owned()),
        _ => {}
    }
    if let (["pass"], Some(order)) = (&words[..], G::pass()) {
        return Input::Order(order);
    }
    let Some(aimed) = aimed(&words) else {
        return Input::Wrong(format!("'{}' is not understood; try: 3 4, or help", line.trim()));
    };
    let order = aimed.at.and_then(|at| order::<G>(aimed.word, at));
    order.map_or_else(Input::Wrong, Input::Order)
}

/// The order for a cell that has this word, or the plain shot.
fn order<G: ConsoleGame>(word: Option<&str>, at: Point) -> Result<G::Order, String> {
    // In a game of two, an order does not name its target.
    let orders = G::orders(Seat::B, at);
    let Some(word) = word else { return Ok(orders[0].1.clone()) };
    if let (true, Ok(code)) = (G::HAS_CODES, word.parse::<usize>()) {
        let order = code.checked_sub(1).and_then(|index| orders.get(index)).map(|(_, order)| order.clone());
        return order.ok_or_else(|| format!("There is no command {code}; they go from 1 to {}.", orders.len()));
    }
    choice(word, &orders, "command")
}
