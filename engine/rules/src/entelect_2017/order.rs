//! Orders of a player, and the reasons why they are refused.

use super::{MapSize, Ship, Weapon};
use crate::{Direction, Point, Random, random_fleet};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One player's command for one round (Player Rules 1, 3 and 4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// Nothing.
    DoNothing,
    /// Put the fleet on the map; for phase 1 only. Boxed, because most orders are not placements, and all are as large as the
    /// largest.
    Place(Box<Placement>),
    /// Fire a weapon.
    Fire {
        /// With what.
        weapon: Weapon,
        /// At which point; it may lie off the board.
        centre: Point,
    },
    /// Raise the shield.
    Shield {
        /// Around which point; it may lie off the board.
        centre: Point,
    },
}

impl From<Placement> for Order {
    fn from(placement: Placement) -> Order {
        Order::Place(Box::new(placement))
    }
}

impl Order {
    /// The kind of the order.
    pub fn kind(&self) -> OrderKind {
        match self {
            Order::DoNothing => OrderKind::DoNothing,
            Order::Place(_) => OrderKind::Place,
            Order::Fire { weapon, .. } => OrderKind::Fire(*weapon),
            Order::Shield { .. } => OrderKind::Shield,
        }
    }

    /// The point it is aimed at, if it has one.
    pub fn centre(&self) -> Option<Point> {
        match self {
            Order::DoNothing | Order::Place(_) => None,
            Order::Fire { centre, .. } | Order::Shield { centre } => Some(*centre),
        }
    }
}

/// An order without its details.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OrderKind {
    /// [`Order::DoNothing`].
    DoNothing,
    /// [`Order::Place`].
    Place,
    /// [`Order::Fire`] with this weapon.
    Fire(Weapon),
    /// [`Order::Shield`].
    Shield,
}

/// Five ships in the order they are to be put down. The same ship may be named twice; then it will be refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placement {
    /// The ships.
    pub ships: [ShipPlacement; 5],
    /// The lines as the player wrote them, which roundCommand.json shows. Shared, because the state keeps them, too.
    pub lines: Arc<[String; 5]>,
}

impl Placement {
    /// A placement written in the plain form `Carrier 0 3 east`.
    pub fn new(ships: [ShipPlacement; 5]) -> Placement {
        Placement { lines: Arc::new(ships.map(|ship| ship.to_string())), ships }
    }

    /// A legal one at random. `None` if no room was found, for which no map is too small.
    pub fn at_random(size: MapSize, random: &mut Random) -> Option<Placement> {
        let found = random_fleet(size.grid(), &Ship::ALL.map(Ship::length), random)?;
        let ships = Ship::ALL.into_iter().zip(found);
        let ships = ships.map(|(ship, (start, direction))| ShipPlacement { ship, start, direction });
        Some(Placement::new(ships.collect::<Vec<_>>().try_into().ok()?))
    }
}

/// The place of one ship: its start cell and the direction it grows in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShipPlacement {
    /// The ship.
    pub ship: Ship,
    /// The first cell.
    pub start: Point,
    /// The direction of the other cells.
    pub direction: Direction,
}

impl std::fmt::Display for ShipPlacement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} {} {}", self.ship.name(), self.start.x, self.start.y, self.direction.name())
    }
}

/// The reason why an order was refused. A refused order costs nothing and does nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Refusal {
    /// Phase 1: there was no readable placement.
    #[error("ships must be placed in phase 1")]
    NotPlaced,
    /// Phase 1: a ship starts off the board, or the last one does not fit on it.
    #[error("a ship starts off the board, or the last one runs off it")]
    PlacementOffBoard,
    /// Phase 1: a ship runs off the board or into another one, or is named twice.
    #[error("a ship runs off the board or into another one, or is named twice")]
    PlacementBlocked,
    /// Phase 2: ships cannot be placed any more.
    #[error("ships can be placed in phase 1 only")]
    TooLateToPlace,
    /// The ship that has the weapon is sunk.
    #[error("the {} is sunk, so there is no {}", .0.ship().map_or("ship", Ship::name), .0.name())]
    ShipDestroyed(Weapon),
    /// There is not enough energy.
    #[error("not enough energy")]
    InsufficientEnergy,
    /// The target is off the board.
    #[error("the target is off the board")]
    OutOfBounds,
    /// The shield is up already.
    #[error("the shield is up already")]
    ShieldActive,
    /// The shield has no charge.
    #[error("the shield has no charge")]
    ShieldUncharged,
}
