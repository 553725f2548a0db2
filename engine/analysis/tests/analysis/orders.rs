//! The orders of each game.

use crate::played::Fleet;
use analysis::Analysed;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rules::battleship::{self, Battleship};
use rules::bots_arena::{self, BotsArena};
use rules::entelect_2017::{self, Entelect2017, Ship, ShipPlacement, Weapon};
use rules::salvo::{self, Orientation, Salvo};
use rules::sea_battle::{self, SeaBattle};
use rules::{Direction, Grid, Point, Random, Seat};
use std::fmt::Debug;

/// A game whose orders can be made from cells.
pub(crate) trait Ordered: Analysed {
    /// True before fleets are placed.
    fn is_placing(view: &Self::View) -> bool;

    /// The order that places a fleet.
    fn place(view: &Self::View, fleet: &Fleet) -> Self::Order;

    /// The order that places a fleet at random.
    fn place_any(view: &Self::View, random: &mut Random) -> Self::Order;

    /// The number of shots of one order.
    fn shots(_view: &Self::View) -> u32 {
        1
    }

    /// The order that fires at these cells.
    fn fire(view: &Self::View, at: &[(Seat, Point)]) -> Self::Order;

    /// Now and then a special action at random, which may not be legal.
    fn special(_view: &Self::View, _random: &mut Random) -> Option<Self::Order> {
        None
    }

    /// True if views tell all that the order found.
    fn is_remembered(_order: &Self::Order) -> bool {
        true
    }

    /// The part of a view that tells of opponents' fleets.
    fn told(view: &Self::View) -> impl PartialEq + Debug;

    /// The number of hits of a seat, as the game counts them; `None` if it does not at the moment.
    fn hits(&self, seat: Seat) -> Option<u32>;
}

fn any_point(grid: Grid, random: &mut Random) -> Point {
    grid.point(random.random_range(0..grid.len()))
}

impl Ordered for Battleship {
    fn is_placing(view: &battleship::View) -> bool {
        view.placing
    }

    fn place(view: &battleship::View, fleet: &Fleet) -> battleship::Order {
        let entries = &view.rules.choices().fleet;
        let ship = |(kind, cells): &(usize, Vec<Point>)| battleship::Placed {
            name: Some(entries[*kind].name.clone()),
            cells: cells.clone(),
        };
        battleship::Order::Place(fleet.iter().map(ship).collect())
    }

    fn place_any(view: &battleship::View, random: &mut Random) -> battleship::Order {
        let fleet = battleship::place_at_random(&view.rules, random).unwrap();
        battleship::Order::Place(battleship::placed(&view.rules, &fleet))
    }

    fn shots(view: &battleship::View) -> u32 {
        view.shots
    }

    fn fire(_: &battleship::View, at: &[(Seat, Point)]) -> battleship::Order {
        battleship::Order::Fire(at.iter().map(|(at, cell)| battleship::Target { at: Some(*at), cell: *cell }).collect())
    }

    fn special(view: &battleship::View, random: &mut Random) -> Option<battleship::Order> {
        let special = view.rules.choices().specials.choose(random).filter(|_| random.random_ratio(1, 4))?;
        let targets: Vec<Seat> = view.targets().collect();
        let aim =
            battleship::Target { at: targets.choose(random).copied(), cell: any_point(view.rules.grid(), random) };
        Some(battleship::Order::Use { special: special.name.clone(), aim })
    }

    fn told(view: &battleship::View) -> impl PartialEq + Debug {
        let boards: Vec<_> =
            view.boards.iter().filter(|(seat, _)| *seat != view.seat).map(|(_, board)| board.clone()).collect();
        let mut sunk = view.sunk.clone();
        if !view.rules.choices().tells_each() {
            // Of several sinkings of a move the order tells which came first. Facts cannot say that of shots of the same time.
            sunk.sort_by_key(|sinking| (sinking.turn, sinking.by, sinking.at, sinking.kind, sinking.size));
        }
        (boards, view.fired.clone(), view.hits.clone(), sunk, view.found.clone())
    }

    fn hits(&self, seat: Seat) -> Option<u32> {
        Some(self.player(seat).hits)
    }
}

impl Ordered for BotsArena {
    fn is_placing(view: &bots_arena::View) -> bool {
        view.placing
    }

    fn place(_: &bots_arena::View, fleet: &Fleet) -> bots_arena::Order {
        let ends = |(_, cells): &(usize, Vec<Point>)| (*cells.iter().min().unwrap(), *cells.iter().max().unwrap());
        bots_arena::Order::Place(fleet.iter().map(ends).collect())
    }

    fn place_any(view: &bots_arena::View, random: &mut Random) -> bots_arena::Order {
        bots_arena::Order::Place(bots_arena::place_at_random(&view.settings, random).unwrap())
    }

    fn fire(_: &bots_arena::View, at: &[(Seat, Point)]) -> bots_arena::Order {
        bots_arena::Order::Strike(at[0].1)
    }

    fn told(view: &bots_arena::View) -> impl PartialEq + Debug {
        view.own_strikes.clone()
    }

    fn hits(&self, seat: Seat) -> Option<u32> {
        Some(self.points(seat))
    }
}

impl Ordered for SeaBattle {
    fn is_placing(view: &sea_battle::View) -> bool {
        view.turn == 0
    }

    fn place(_: &sea_battle::View, fleet: &Fleet) -> sea_battle::Order {
        let ship = |(kind, cells): &(usize, Vec<Point>)| sea_battle::Ship {
            kind: sea_battle::ShipKind::ALL[*kind],
            cells: cells.clone(),
        };
        sea_battle::Order::Place(fleet.iter().map(ship).collect())
    }

    fn place_any(_: &sea_battle::View, random: &mut Random) -> sea_battle::Order {
        sea_battle::Order::Place(sea_battle::random_fleet(random))
    }

    fn fire(_: &sea_battle::View, at: &[(Seat, Point)]) -> sea_battle::Order {
        sea_battle::Order::Shoot(at[0].1)
    }

    fn special(view: &sea_battle::View, random: &mut Random) -> Option<sea_battle::Order> {
        let is_used = view.radar_used || random.random_ratio(9, 10);
        (!is_used).then(|| sea_battle::Order::Radar(any_point(sea_battle::BOARD, random)))
    }

    fn told(view: &sea_battle::View) -> impl PartialEq + Debug {
        (view.own_shots.clone(), view.scans.clone())
    }

    fn hits(&self, seat: Seat) -> Option<u32> {
        Some(self.hits(seat))
    }
}

impl Ordered for Salvo {
    fn is_placing(view: &salvo::View) -> bool {
        view.turn == 0
    }

    fn place(_: &salvo::View, fleet: &Fleet) -> salvo::Order {
        let ship = |(kind, cells): &(usize, Vec<Point>)| {
            let at = *cells.iter().min().unwrap();
            let is_across = cells.iter().all(|cell| cell.y == at.y);
            let orientation = if is_across { Orientation::Horizontal } else { Orientation::Vertical };
            salvo::Placement { ship: salvo::ShipKind::ALL[*kind], at, orientation }
        };
        salvo::Order::Place(fleet.iter().map(ship).collect())
    }

    fn place_any(_: &salvo::View, random: &mut Random) -> salvo::Order {
        salvo::Order::Place(salvo::random_fleet(random))
    }

    fn fire(_: &salvo::View, at: &[(Seat, Point)]) -> salvo::Order {
        salvo::Order::Fire { target: at[0].0, at: at[0].1 }
    }

    fn told(view: &salvo::View) -> impl PartialEq + Debug {
        let afloat: Vec<_> =
            view.players.iter().filter(|(seat, _)| *seat != view.seat).map(|(_, player)| player.clone()).collect();
        (afloat, view.own_salvos.clone(), view.own_shots.clone())
    }

    fn hits(&self, seat: Seat) -> Option<u32> {
        // Those of a salvo count when it is over.
        let is_firing = self.salvo().is_some_and(|salvo| salvo.seat == seat && salvo.left < salvo.shots);
        (!is_firing).then(|| self.player(seat).stats.hits)
    }
}

impl Ordered for Entelect2017 {
    fn is_placing(view: &entelect_2017::View) -> bool {
        view.phase == entelect_2017::Phase::One
    }

    fn place(_: &entelect_2017::View, fleet: &Fleet) -> entelect_2017::Order {
        let ship = |(kind, cells): &(usize, Vec<Point>)| {
            let start = *cells.iter().min().unwrap();
            let is_across = cells.iter().all(|cell| cell.y == start.y);
            let direction = if is_across { Direction::East } else { Direction::North };
            ShipPlacement { ship: Ship::ALL[*kind], start, direction }
        };
        let ships: Vec<ShipPlacement> = fleet.iter().map(ship).collect();
        entelect_2017::Placement::new(ships.try_into().unwrap()).into()
    }

    fn place_any(view: &entelect_2017::View, random: &mut Random) -> entelect_2017::Order {
        entelect_2017::Placement::at_random(view.size, random).unwrap().into()
    }

    fn fire(_: &entelect_2017::View, at: &[(Seat, Point)]) -> entelect_2017::Order {
        entelect_2017::Order::Fire { weapon: Weapon::SingleShot, centre: at[0].1 }
    }

    fn special(view: &entelect_2017::View, random: &mut Random) -> Option<entelect_2017::Order> {
        let weapon = *Weapon::ALL.choose(random)?;
        let centre = any_point(view.size.grid(), random);
        Some(match random.random_range(0..8) {
            0 => entelect_2017::Order::Shield { centre },
            1 | 2 => entelect_2017::Order::Fire { weapon, centre },
            _ => return None,
        })
    }

    /// A seeker missile that hits tells which cells it passed by, and a view does not.
    fn is_remembered(order: &entelect_2017::Order) -> bool {
        !matches!(order, entelect_2017::Order::Fire { weapon: Weapon::SeekerMissile, .. })
    }

    fn told(view: &entelect_2017::View) -> impl PartialEq + Debug {
        (view.opponent.cells.clone(), view.opponent.destroyed)
    }

    fn hits(&self, seat: Seat) -> Option<u32> {
        let cells = self.player(seat.opponent()).board.cells();
        Some(cells.filter(|cell| cell.occupied && cell.hit).count() as u32)
    }
}
