//! Players at random: mostly legal, sometimes wild.

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rules::battleship::{Battleship, Consequence, FleetConsequence, Order, Placed, Target, place_at_random, placed};
use rules::{Game, Point, Random, Seat};

/// An order that is legal or not; not often where that is the end.
pub(crate) fn any_order(game: &Battleship, seat: Seat, random: &mut Random) -> Order {
    let choices = game.rules().choices();
    let is_end = match game.is_placing() {
        true => choices.bad_fleet == FleetConsequence::Loses,
        false => [choices.off_board, choices.repeated].contains(&Consequence::Loses),
    };
    let legal = legal_order(game, seat, random);
    if random.random_range(0..if is_end { 150 } else { 4 }) == 0 { wild(game, seat, legal, random) } else { legal }
}

/// A legal order, the same for each seat and state.
pub(crate) fn harmless(game: &Battleship, seat: Seat) -> Order {
    legal_order(game, seat, &mut rules::random(seat.index() as u64))
}

/// A legal order.
pub(super) fn legal_order(game: &Battleship, seat: Seat, random: &mut Random) -> Order {
    let rules = game.rules();
    if game.is_placing() {
        let fleet = place_at_random(rules, random).unwrap();
        let mut ships = placed(rules, &fleet);
        ships.shuffle(random);
        ships.iter_mut().for_each(|ship| ship.cells.shuffle(random));
        return Order::Place(ships);
    }
    let view = game.view(seat);
    let targets: Vec<Seat> = view.targets().collect();
    // After the end there may be nobody left.
    let Some(&at) = targets.choose(random) else { return Order::Fire(vec![Target::cell(Point::new(0, 0))]) };
    let named = targets.len() > 1 || random.random_bool(0.2) || game.rules().choices().seats > 2;
    let target = |cell| Target { at: named.then_some(at), cell };
    let left: Vec<usize> = (0..view.uses.len()).filter(|&nth| view.uses[nth] > 0).collect();
    if let (Some(&nth), true) = (left.choose(random), random.random_bool(0.2)) {
        let special = rules.choices().specials[nth].name.clone();
        return Order::Use { special, aim: target(any_cell(game, random)) };
    }
    let open = rules.grid().points().zip(&view.boards[at].cells).filter(|(_, known)| !known.is_spent());
    let mut open: Vec<Point> = open.map(|(cell, _)| cell).collect();
    open.shuffle(random);
    let shots = match random.random_bool(0.8) {
        true => view.shots as usize,
        false => random.random_range(1..=view.shots as usize),
    };
    open.truncate(shots);
    Order::Fire(open.into_iter().map(target).collect())
}

fn any_cell(game: &Battleship, random: &mut Random) -> Point {
    let grid = game.rules().grid();
    Point::new(random.random_range(0..grid.width()), random.random_range(0..grid.height()))
}

fn far_cell(game: &Battleship, random: &mut Random) -> Point {
    let grid = game.rules().grid();
    let far = [Point::new(i32::MIN, i32::MAX), Point::new(-1, 0), Point::new(0, grid.height())];
    if random.random_bool(0.3) { *far.choose(random).unwrap() } else { any_cell(game, random) }
}

/// A legal order with a mistake, or any other.
fn wild(game: &Battleship, seat: Seat, legal: Order, random: &mut Random) -> Order {
    match (legal, random.random_range(0..8)) {
        (_, 0) => Order::Place(vec![Placed { name: None, cells: Vec::new() }]),
        (_, 1) => Order::Fire(Vec::new()),
        (_, 2) => {
            let at = Seat::new(random.random_range(0..Seat::MAX));
            Order::Use { special: "\u{1b}none".repeat(30), aim: Target { at, cell: far_cell(game, random) } }
        }
        (Order::Place(ships), nth) => Order::Place(spoilt(game, ships, nth, random)),
        (Order::Fire(mut shots), nth) => {
            let shot = *shots.last().unwrap_or(&Target::cell(Point::new(0, 0)));
            match nth {
                3 => shots.push(shot),
                4 => shots.extend(vec![shot; 101]),
                5 => shots.insert(0, Target { at: Some(seat), ..shot }),
                6 => shots.insert(0, Target { at: None, cell: far_cell(game, random) }),
                _ => shots = vec![Target { at: Seat::new(random.random_range(0..Seat::MAX)), ..shot }],
            }
            Order::Fire(shots)
        }
        (Order::Use { special, aim }, 3..6) => {
            Order::Use { special, aim: Target { cell: far_cell(game, random), ..aim } }
        }
        (Order::Use { aim, .. }, _) => {
            let names = game.rules().choices().specials.iter().map(|special| &special.name);
            Order::Use { special: (*names.collect::<Vec<_>>().choose(random).unwrap()).clone(), aim }
        }
    }
}

/// A fleet in which a ship is elsewhere, of another name or size, or gone.
fn spoilt(game: &Battleship, mut ships: Vec<Placed>, how: u8, random: &mut Random) -> Vec<Placed> {
    let nth = random.random_range(0..ships.len());
    match how {
        3 => ships[nth].cells[0] = far_cell(game, random),
        4 => drop(ships.remove(nth)),
        5 => ships[nth].name = Some("\u{202e}ship".repeat(40)),
        6 => ships[nth].cells = vec![far_cell(game, random); 2],
        _ => ships.push(ships[nth].clone()),
    }
    ships
}
