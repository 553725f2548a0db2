//! The parts of a game that a person needs, at the console or in a browser.

use super::fleet_entry::{FleetPlan, PlacedShip};
use rules::{Listed, Point, Random, Seat};

/// A game that a person can play: a fleet is placed, then each order is for a cell.
pub trait PersonGame: Listed {
    /// The board and the fleet.
    fn plan(settings: &Self::Settings) -> FleetPlan;

    /// A fleet at random; `None` if none is found that fits.
    fn random_fleet(settings: &Self::Settings, random: &mut Random) -> Option<Vec<PlacedShip>>;

    /// True while the fleet is to be placed.
    fn is_placing(view: &Self::View) -> bool;

    /// The order that places these ships, which are a whole fleet of [`PersonGame::plan`].
    fn place(fleet: &[PlacedShip]) -> Self::Order;

    /// The orders for a cell by their words, the plain shot first. `target` is the player at whom a shot is fired; games of
    /// two do not need it.
    fn orders(target: Seat, at: Point) -> Vec<(&'static str, Self::Order)>;

    /// The explanation of an order of [`PersonGame::orders`].
    fn hint(_view: &Self::View, _order: &Self::Order) -> OrderHint {
        OrderHint::default()
    }

    /// The order that does nothing; `None` if the game has none.
    fn pass() -> Option<Self::Order> {
        None
    }

    /// The moment of the game in a few words, such as `round 7`.
    fn moment(view: &Self::View) -> String;

    /// The result of the order that the person gave last, if the boards do not tell it.
    fn result(_view: &Self::View, _last: &Self::Order) -> Option<String> {
        None
    }

    /// The cell of a plain shot that can find nothing there, because the person has fired at the cell before.
    fn wasted(view: &Self::View, order: &Self::Order) -> Option<Point>;
}

/// An explanation of an order. By default: a plain shot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderHint {
    /// The explanation beside the word, such as the price of the order; empty if the word says it all.
    pub text: String,
    /// The cells that it is for, relative to the cell that is named with it.
    pub pattern: Vec<(i32, i32)>,
    /// True if the cell is one of the person's own board.
    pub is_at_own_board: bool,
}

impl Default for OrderHint {
    fn default() -> OrderHint {
        OrderHint { text: String::new(), pattern: vec![(0, 0)], is_at_own_board: false }
    }
}

impl OrderHint {
    /// The cells within this distance along both axes.
    pub(super) fn square(radius: i32) -> Vec<(i32, i32)> {
        (-radius..=radius).flat_map(|dx| (-radius..=radius).map(move |dy| (dx, dy))).collect()
    }
}
