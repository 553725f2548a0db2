//! The encoding of botsArena.

use crate::encoding::{Encoded, Sight, named, share};
use crate::{Ship, ShipAt};
use rules::bots_arena::{BotsArena, Order, Settings, Strike, StrikeResult, View, place_at_random};
use rules::{Grid, Point, Random, Seat};

/// The planes of an observation, in their order.
const PLANES: [&str; 5] = ["own ship", "strikes received", "own strikes", "own hits", "sunk here"];
/// The numbers of [`PLANES`].
mod plane {
    pub(super) const SHIP: usize = 0;
    pub(super) const RECEIVED: usize = 1;
    pub(super) const STRIKES: usize = 2;
    pub(super) const HITS: usize = 3;
    pub(super) const SUNK: usize = 4;
}

/// The number of the only kind of order.
const STRIKE: usize = 0;

impl Encoded for BotsArena {
    fn grid(settings: &Settings) -> Grid {
        settings.grid()
    }

    fn ships(settings: &Settings) -> Vec<Ship> {
        settings.lengths().into_iter().map(|length| Ship::straight(format!("ship of {length}"), length)).collect()
    }

    fn kinds(_: &Settings, _: u8) -> Vec<String> {
        named(&["strike"])
    }

    fn planes(_: &Settings, _: u8) -> Vec<String> {
        named(&PLANES)
    }

    fn scalars(_: &Settings, _: u8) -> Vec<String> {
        named(&["moves", "hits", "hits received", "ships sunk", "own ships sunk"])
    }

    fn is_placing(&self) -> bool {
        BotsArena::is_placing(self)
    }

    fn order(_: &Settings, _: u8, _: Seat, _: usize, cell: Point) -> Order {
        Order::Strike(cell)
    }

    fn aims_of(_: &Settings, _: u8, _: Seat, order: &Order) -> Option<Vec<(usize, Point)>> {
        match *order {
            Order::Strike(cell) => Some(vec![(STRIKE, cell)]),
            Order::Place(_) => None,
        }
    }

    fn placing(settings: &Settings, ships: &[ShipAt]) -> Order {
        let ends = |(at, length): (&ShipAt, u8)| Some((at.start, at.line(length).last()?));
        Order::Place(ships.iter().zip(settings.lengths()).filter_map(ends).collect())
    }

    fn placed(settings: &Settings, order: &Order) -> Option<Vec<ShipAt>> {
        let Order::Place(ends) = order else { return None };
        let mut left: Vec<(Point, Point)> = ends.clone();
        let length = |(one, other): &(Point, Point)| one.x.abs_diff(other.x).max(one.y.abs_diff(other.y)) + 1;
        let next = |wanted: u8| {
            let nth = left.iter().position(|ship| length(ship) == u32::from(wanted))?;
            let (one, other) = left.remove(nth);
            ShipAt::of_cells([one, other])
        };
        settings.lengths().into_iter().map(next).collect()
    }

    fn placing_at_random(settings: &Settings, random: &mut Random) -> Order {
        Order::Place(place_at_random(settings, random).unwrap_or_default())
    }

    fn progress(&self, seat: Seat) -> f32 {
        share(self.points(seat), self.settings().cells() as u32)
    }

    fn encode(view: &View, own: &[ShipAt], mut sight: Sight<'_>) {
        sight.ships(plane::SHIP, own);
        for strike in &view.opponent_strikes {
            sight.count(plane::RECEIVED, strike.target);
        }
        for strike in &view.own_strikes {
            sight.count(plane::STRIKES, strike.target);
            if strike.result != StrikeResult::Nothing {
                sight.set(plane::HITS, strike.target, |_| 1);
            }
            if strike.result == StrikeResult::HitAndSunk {
                sight.set(plane::SUNK, strike.target, |_| 1);
            }
        }
        if !view.placing {
            sight.allow_where_zero(STRIKE, plane::STRIKES);
        }
        let (cells, ships) = (view.settings.cells() as u32, sight.layout.ships.len() as u32);
        let count = |strikes: &[Strike], wanted: fn(StrikeResult) -> bool| {
            strikes.iter().filter(|strike| wanted(strike.result)).count() as u32
        };
        let is_hit = |result| result != StrikeResult::Nothing;
        let is_sunk = |result| result == StrikeResult::HitAndSunk;
        let moves = (view.own_strikes.len() + view.opponent_strikes.len()) as u32;
        sight.write_scalars([
            share(moves, view.settings.most_moves()),
            // A cell that was hit twice counts twice as long as its ship is afloat.
            share(count(&view.own_strikes, is_hit), cells).min(1.0),
            share(count(&view.opponent_strikes, is_hit), cells).min(1.0),
            share(count(&view.own_strikes, is_sunk), ships),
            share(count(&view.opponent_strikes, is_sunk), ships),
        ]);
    }
}
