//! The encoding of Sea Battle.

use crate::encoding::{Encoded, Sight, bit, named, share};
use crate::{MaskKind, Ship, ShipAt};
use rules::battleship::Touching;
use rules::sea_battle::{
    BOARD, FLEET, HITS, Order, SeaBattle, Settings, Ship as Placed, ShotResult, View, random_fleet,
};
use rules::{Grid, Point, Random, Seat};

/// The planes of an observation, in their order.
const PLANES: [&str; 8] =
    ["own ship", "own armour", "shots received", "own shots", "own hits", "sunk here", "radar looked", "radar saw"];
/// The numbers of [`PLANES`].
mod plane {
    pub(super) const SHIP: usize = 0;
    pub(super) const ARMOUR: usize = 1;
    pub(super) const RECEIVED: usize = 2;
    pub(super) const SHOTS: usize = 3;
    pub(super) const HITS: usize = 4;
    pub(super) const SUNK: usize = 5;
    pub(super) const LOOKED: usize = 6;
    pub(super) const SAW: usize = 7;
}

/// The numbers of the kinds of orders.
const SHOOT: usize = 0;
const RADAR: usize = 1;

impl Encoded for SeaBattle {
    fn grid(_: &Settings) -> Grid {
        BOARD
    }

    fn touching(_: &Settings) -> Touching {
        Touching::None
    }

    fn ships(_: &Settings) -> Vec<Ship> {
        FLEET.into_iter().map(|kind| Ship::straight(kind.name(), kind.length())).collect()
    }

    fn kinds(_: &Settings, _: u8) -> Vec<String> {
        named(&["shoot", "radar"])
    }

    fn planes(_: &Settings, _: u8) -> Vec<String> {
        named(&PLANES)
    }

    fn scalars(_: &Settings, _: u8) -> Vec<String> {
        named(&["moves", "radar used", "hits", "hits received", "ships sunk", "own ships sunk"])
    }

    fn is_placing(&self) -> bool {
        SeaBattle::is_placing(self)
    }

    fn order(_: &Settings, _: u8, _: Seat, kind: usize, cell: Point) -> Order {
        if kind == RADAR { Order::Radar(cell) } else { Order::Shoot(cell) }
    }

    fn aims_of(_: &Settings, _: u8, _: Seat, order: &Order) -> Option<Vec<(usize, Point)>> {
        match *order {
            Order::Shoot(cell) => Some(vec![(SHOOT, cell)]),
            Order::Radar(cell) => Some(vec![(RADAR, cell)]),
            Order::Place(_) => None,
        }
    }

    fn placing(_: &Settings, ships: &[ShipAt]) -> Order {
        let ship = |(kind, at): (rules::sea_battle::ShipKind, &ShipAt)| Placed {
            kind,
            cells: at.line(kind.length()).collect(),
        };
        Order::Place(FLEET.into_iter().zip(ships).map(ship).collect())
    }

    fn placed(_: &Settings, order: &Order) -> Option<Vec<ShipAt>> {
        let Order::Place(ships) = order else { return None };
        let mut left: Vec<&Placed> = ships.iter().collect();
        let next = |kind| {
            let nth = left.iter().position(|ship| ship.kind == kind)?;
            ShipAt::of_cells(left.remove(nth).cells.iter().copied())
        };
        FLEET.into_iter().map(next).collect()
    }

    fn placing_at_random(_: &Settings, random: &mut Random) -> Order {
        Order::Place(random_fleet(random))
    }

    fn progress(&self, seat: Seat) -> f32 {
        share(self.hits(seat), HITS)
    }

    fn encode(view: &View, own: &[ShipAt], mut sight: Sight<'_>) {
        sight.ships(plane::SHIP, own);
        for (at, kind) in own.iter().zip(FLEET).filter(|(_, kind)| kind.strength() > 1) {
            at.line(kind.length()).for_each(|cell| sight.set(plane::ARMOUR, cell, |_| 1));
        }
        for shot in &view.opponent_shots {
            sight.count(plane::RECEIVED, shot.at);
        }
        for shot in &view.own_shots {
            sight.count(plane::SHOTS, shot.at);
            if shot.result.is_hit() {
                sight.count(plane::HITS, shot.at);
            }
            if shot.result == ShotResult::Sunk {
                sight.set(plane::SUNK, shot.at, |_| 1);
            }
        }
        for scan in &view.scans {
            let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
            for cell in around.filter_map(|(dx, dy)| scan.centre.offset(dx, dy)) {
                sight.set(plane::LOOKED, cell, |_| 1);
            }
            scan.visible.iter().for_each(|cell| sight.set(plane::SAW, *cell, |_| 1));
        }
        if view.turn > 0 {
            allow_shots(&mut sight);
            if !view.radar_used {
                sight.allow_all(RADAR);
            }
        }
        let hits = |shots: &[rules::sea_battle::Shot]| shots.iter().filter(|shot| shot.result.is_hit()).count() as u32;
        let sunk = |shots: &[rules::sea_battle::Shot]| {
            shots.iter().filter(|shot| shot.result == ShotResult::Sunk).count() as u32
        };
        sight.write_scalars([
            share(view.turn.saturating_sub(1), 240),
            bit(view.radar_used),
            share(hits(&view.own_shots), HITS),
            share(hits(&view.opponent_shots), HITS),
            share(sunk(&view.own_shots), FLEET.len() as u32),
            share(sunk(&view.opponent_shots), FLEET.len() as u32),
        ]);
    }
}

/// Allows shots where something can be hit: where none fell, and where a ship was hit once and not sunk, since it may have armour.
fn allow_shots(sight: &mut Sight<'_>) {
    let cells = sight.layout.grid.len();
    let every = sight.mask_kind == MaskKind::Legal;
    let value = |plane: usize, cell: usize| sight.planes[plane * cells + cell];
    for (cell, mask) in sight.layout.of_kind(SHOOT, sight.mask).iter_mut().enumerate() {
        let may_hold = value(plane::HITS, cell) == 1 && value(plane::SHOTS, cell) == 1 && value(plane::SUNK, cell) == 0;
        *mask = i8::from(every || value(plane::SHOTS, cell) == 0 || may_hold);
    }
}
