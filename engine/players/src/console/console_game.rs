//! The parts of a game that a person at the console needs.

use super::input::{NamedCell, aimed, choice, words};
use super::person_game::{Aim, PersonGame};
use arena::Ask;
use rules::Seat;

/// A game that a person can play at the console.
pub trait ConsoleGame: PersonGame {
    /// True if orders may be named by their numbers in [`PersonGame::orders`], counted from 1.
    const HAS_CODES: bool = false;

    /// The players at whose boards may be fired, one of whom an order names; `None` if orders name none and are for one cell.
    fn targets(_view: &Self::View) -> Option<Vec<Seat>> {
        None
    }

    /// Plain shots as a person may type them.
    fn example(_view: &Self::View) -> String {
        "D4 or 3 4".to_owned()
    }

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
pub(super) fn read<G: ConsoleGame>(view: &G::View, line: &str) -> Input<G::Order> {
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
    let targets = G::targets(view);
    let Some(aimed) = aimed(&words, targets.is_some()) else {
        return Input::Wrong(format!("'{}' is not understood; try: 3 4, or help", line.trim()));
    };
    let aims = aimed.cells.and_then(|cells| cells.into_iter().map(|cell| aim(cell, targets.as_deref())).collect());
    let order = aims.and_then(|aims: Vec<Aim>| order::<G>(view, aimed.word, &aims));
    order.map_or_else(Input::Wrong, Input::Order)
}

/// The aim at a cell. A player that is not named is the only target.
fn aim((named, at): NamedCell, targets: Option<&[Seat]>) -> Result<Aim, String> {
    let target = match (named, targets) {
        (Some(target), _) | (None, Some(&[target])) => target,
        // In a game of two, an order does not name its target.
        (None, None) => Seat::B,
        (None, Some(targets)) => {
            let letters: Vec<String> = targets.iter().map(Seat::to_string).collect();
            let example = letters.first().map_or("B", |letter| letter);
            return Err(format!("Whose board? There are {}; e.g.: {example} 3 4.", letters.join(", ")));
        }
    };
    Ok(Aim { target, at })
}

/// The order for cells that has this word, or the plain shot.
fn order<G: ConsoleGame>(view: &G::View, word: Option<&str>, aims: &[Aim]) -> Result<G::Order, String> {
    let (first, more) = aims.split_first().ok_or("There is no cell.")?;
    let orders = G::orders(view, *first, more);
    let order = match word {
        None => orders[0].1.clone(),
        Some(word) => match word.parse::<usize>() {
            Ok(code) if G::HAS_CODES => {
                let order = code.checked_sub(1).and_then(|index| orders.get(index)).map(|(_, order)| order.clone());
                order.ok_or_else(|| format!("There is no command {code}; they go from 1 to {}.", orders.len()))?
            }
            _ => choice(word, &orders, "command")?,
        },
    };
    let most = G::hint(view, &order).most;
    if aims.len() > most {
        return Err(format!("There are {} cells where there may be {most}.", aims.len()));
    }
    Ok(order)
}
