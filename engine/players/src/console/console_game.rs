//! The parts of a game that a person at the console needs.

use super::fleet_entry::{FleetPlan, PlacedShip};
use super::input::{aimed, choice, words};
use arena::Ask;
use rules::{Listed, Point, Random};

/// A game that a person can play at the console: a fleet is placed, then each order is for a cell.
pub trait ConsoleGame: Listed {
    /// True if orders may be named by their numbers in [`ConsoleGame::orders`], counted from 1.
    const HAS_CODES: bool = false;

    /// The board and the fleet.
    fn plan(settings: &Self::Settings) -> FleetPlan;

    /// A fleet at random; `None` if none is found that fits.
    fn random_fleet(settings: &Self::Settings, random: &mut Random) -> Option<Vec<PlacedShip>>;

    /// True while the fleet is to be placed.
    fn is_placing(view: &Self::View) -> bool;

    /// The order that places these ships, which are a whole fleet of [`ConsoleGame::plan`].
    fn place(fleet: &[PlacedShip]) -> Self::Order;

    /// The orders for a cell by their words, the plain shot first.
    fn orders(at: Point) -> Vec<(&'static str, Self::Order)>;

    /// The order that does nothing; `None` if the game has none.
    fn pass() -> Option<Self::Order> {
        None
    }

    /// The moment of the game in a few words, such as `round 7`.
    fn moment(view: &Self::View) -> String;

    /// The orders of the game as lines of a help text.
    fn help(ask: &Ask<'_, Self>) -> String;

    /// The result of the order that the person gave last, if the boards do not tell it.
    fn result(_view: &Self::View, _last: &Self::Order) -> Option<String> {
        None
    }

    /// The cell of a plain shot that can find nothing there, because the person has fired at the cell before.
    fn wasted(view: &Self::View, order: &Self::Order) -> Option<Point>;
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
    let orders = G::orders(at);
    let Some(word) = word else { return Ok(orders[0].1.clone()) };
    if let (true, Ok(code)) = (G::HAS_CODES, word.parse::<usize>()) {
        let order = code.checked_sub(1).and_then(|index| orders.get(index)).map(|(_, order)| order.clone());
        return order.ok_or_else(|| format!("There is no command {code}; they go from 1 to {}.", orders.len()));
    }
    choice(word, &orders, "command")
}
