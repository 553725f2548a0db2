//! The parts of a game that a person needs, at the console or in a browser.

use super::fleet_plan::{FleetPlan, PlacedShip};
use rules::{Listed, Point, Random, Seat};
use std::borrow::Cow;

/// A game that a person can play: a fleet is placed, then each order is for cells.
pub trait PersonGame: Listed {
    /// The board and the fleet.
    fn plan(settings: &Self::Settings) -> FleetPlan;

    /// A fleet at random; `None` if none is found that fits.
    fn random_fleet(settings: &Self::Settings, random: &mut Random) -> Option<Vec<PlacedShip>>;

    /// True while the fleet is to be placed.
    fn is_placing(view: &Self::View) -> bool;

    /// The order that places these ships, which are a whole fleet of [`PersonGame::plan`].
    fn place(settings: &Self::Settings, fleet: &[PlacedShip]) -> Self::Order;

    /// The orders for a cell by their words, the plain shot first. `more` are further cells, for orders of more than one
    /// ([`OrderHint::most`]).
    fn orders(view: &Self::View, aim: Aim, more: &[Aim]) -> Vec<(Cow<'static, str>, Self::Order)>;

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

    /// The cell of the first plain shot that can find nothing there, because the person has fired at the cell before.
    fn wasted(view: &Self::View, order: &Self::Order) -> Option<Point>;
}

/// A cell that is chosen for an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aim {
    /// The owner of the board; games of two do not need it.
    pub target: Seat,
    /// The cell.
    pub at: Point,
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
    /// The most cells that one order of this kind may be given, 1 or more.
    pub most: usize,
}

impl Default for OrderHint {
    fn default() -> OrderHint {
        OrderHint { text: String::new(), pattern: vec![(0, 0)], is_at_own_board: false, most: 1 }
    }
}

impl OrderHint {
    /// The cells within this distance along both axes.
    pub(super) fn square(radius: i32) -> Vec<(i32, i32)> {
        (-radius..=radius).flat_map(|dx| (-radius..=radius).map(move |dy| (dx, dy))).collect()
    }
}
