//! The built-in players of the Entelect Challenge 2017.

use super::hunt::{Board, Found, Hunt, Pattern};
use rand::RngExt;
use rules::entelect_2017::files::Files;
use rules::entelect_2017::{OpponentCell, Order, Phase, Placement, Ship, View, Weapon};
use rules::{Answer, Fault, PlayerInfo, Point, Random};

/// Places its ships at random and fires single shots at random cells that it has not fired at.
pub(super) fn random(seed: u64) -> impl FnMut(&View) -> Answer<Order> {
    let mut random = rules::random(seed);
    move |view| {
        if view.phase == Phase::One {
            return Ok(placed(view, &mut random));
        }
        let is_fresh = |cell: &OpponentCell| !cell.missed && !cell.damaged;
        let count = view.opponent.cells.iter().filter(|cell| is_fresh(cell)).count();
        if count == 0 {
            return Ok(Order::DoNothing);
        }
        // Counted and then found: a list of the fresh cells would take longer than the rest of the turn.
        let chosen = random.random_range(0..count);
        let fresh = view.opponent.cells.iter().enumerate().filter(|(_, cell)| is_fresh(cell));
        let centre = fresh.map(|(at, _)| view.size.grid().point(at)).nth(chosen).unwrap_or_default();
        Ok(Order::Fire { weapon: Weapon::SingleShot, centre })
    }
}

/// Places its ships at random, and fires single shots beside its hits.
pub(super) fn hunt_and_target(pattern: Pattern, seed: u64) -> impl FnMut(&View) -> Answer<Order> {
    let mut hunt = Hunt::new(pattern, seed);
    let mut known: Option<Board> = None;
    // The last shot, and the number of ships that were sunk before it.
    let mut last: Option<(Point, usize)> = None;
    move |view| {
        if view.phase == Phase::One {
            return Ok(placed(view, &mut hunt.random));
        }
        let board = known.get_or_insert_with(|| Board::new(view.size.grid(), Vec::new(), true));
        let afloat = Ship::ALL.into_iter().filter(|ship| !view.opponent.destroyed[ship.index()]);
        let sunk = Ship::ALL.len() - afloat.clone().count();
        if let Some((at, before)) = last {
            let cell = view.opponent.cell(view.size, at).unwrap_or_default();
            // Otherwise a shield caught the shot.
            if cell.damaged {
                board.fired(at, if sunk > before { Found::LastOfShip } else { Found::Ship });
            } else if cell.missed {
                board.fired(at, Found::Nothing);
            }
        }
        board.set_afloat(afloat.map(Ship::length));
        let Some(centre) = hunt.target(board) else { return Ok(Order::DoNothing) };
        last = Some((centre, sunk));
        Ok(Order::Fire { weapon: Weapon::SingleShot, centre })
    }
}

/// Decides as the reference bot would with energy for single shots only, and without a shield.
pub(super) fn single_shots(seed: u64) -> impl FnMut(&View) -> Answer<Order> {
    let mut hunter = hunter(seed);
    move |view| {
        let mut poor = view.clone();
        (poor.own.energy, poor.own.shield.charges) = (Weapon::SingleShot.energy(view.size), 0);
        hunter(&poor)
    }
}

/// Places its ships at random and does nothing. Before that becomes too often it raises its shield where it covers no cell.
pub(super) fn passive(seed: u64) -> impl FnMut(&View) -> Answer<Order> {
    let mut random = rules::random(seed);
    move |view| {
        let (own, far) = (&view.own, -10);
        Ok(match view.phase {
            Phase::One => placed(view, &mut random),
            Phase::Two if own.do_nothings >= 8 && own.shield.charges > 0 && !own.shield.active => {
                Order::Shield { centre: Point::new(far, far) }
            }
            Phase::Two => Order::DoNothing,
        })
    }
}

fn placed(view: &View, random: &mut Random) -> Order {
    Placement::at_random(view.size, random).map_or(Order::DoNothing, Order::from)
}

/// Decides as the reference bot does.
pub(super) fn hunter(seed: u64) -> impl FnMut(&View) -> Answer<Order> {
    let mut random = rules::random(seed);
    // The hunter does not look at names.
    let files = Files::new([PlayerInfo::named(""), PlayerInfo::named("")].into_iter().collect());
    move |view| hunter::decide(&files.state_file(view), &mut random).map_err(|why| Fault::crashed(&why.to_string()))
}
