//! Games played at random, and played again with other fleets.

use crate::orders::Ordered;
use analysis::{Fired, Layout, TargetBoard};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rules::{Point, Random, Seat};

/// A fleet: for each ship the number of its kind, and its cells.
pub(crate) type Fleet = Vec<(usize, Vec<Point>)>;

/// A game that was begun, with all orders so far.
pub(crate) struct Played<G: Ordered> {
    settings: G::Settings,
    seats: u8,
    seed: u64,
    pub(crate) game: G,
    /// The layout of each seat.
    pub(crate) layouts: Vec<Layout>,
    orders: Vec<Vec<(Seat, G::Order)>>,
    /// True if orders may find what views do not tell.
    forgets: bool,
}

impl<G: Ordered> Played<G> {
    /// A game of which nothing was played yet.
    pub(crate) fn new(settings: &G::Settings, seats: u8, seed: u64) -> Played<G> {
        Played { forgets: true, ..Played::remembered(settings, seats, seed) }
    }

    /// A game in which views tell all that orders find.
    pub(crate) fn remembered(settings: &G::Settings, seats: u8, seed: u64) -> Played<G> {
        let game = G::start(settings, seats, seed).unwrap();
        let layouts = (0..seats).filter_map(Seat::new).map(|seat| G::layout(&game.view(seat))).collect();
        Played { settings: settings.clone(), seats, seed, game, layouts, orders: Vec::new(), forgets: false }
    }

    /// Plays one turn at random. `look` sees the game before it, and the orders and events of the turn.
    pub(crate) fn turn(
        &mut self,
        random: &mut Random,
        mut look: impl FnMut(&G, &[(Seat, G::Order)], &[rules::Told<G::Event>], &G),
    ) {
        let before = self.game.clone();
        let orders: Vec<(Seat, G::Order)> =
            before.awaited().iter().map(|seat| (seat, self.order(&before, seat, random))).collect();
        let told = self.game.advance(orders.iter().map(|(seat, order)| (*seat, Ok(order.clone()))).collect());
        look(&before, &orders, &told, &self.game);
        self.orders.push(orders);
    }

    /// The same orders, but for the fleets of some seats.
    pub(crate) fn again(&self, fleets: &[(Seat, Fleet)]) -> G {
        let mut game = G::start(&self.settings, self.seats, self.seed).unwrap();
        for orders in &self.orders {
            let view = |seat| game.view(seat);
            let replaced =
                |seat: &Seat| fleets.iter().find(|(of, _)| of == seat).filter(|_| G::is_placing(&view(*seat)));
            let orders: Vec<(Seat, G::Order)> = orders
                .iter()
                .map(|(seat, order)| match replaced(seat) {
                    Some((_, fleet)) => (*seat, G::place(&view(*seat), fleet)),
                    None => (*seat, order.clone()),
                })
                .collect();
            game.advance(orders.into_iter().map(|(seat, order)| (seat, Ok(order))).collect());
        }
        game
    }

    /// A legal order at random: a fleet, now and then a special action, otherwise shots, many of them beside hits.
    fn order(&self, game: &G, seat: Seat, random: &mut Random) -> G::Order {
        let layout = &self.layouts[seat.index()];
        let view = game.view(seat);
        if G::is_placing(&view) {
            return G::place_any(&view, random);
        }
        if let Some(order) = G::special(&view, random)
            .filter(|order| self.forgets || G::is_remembered(order))
            .filter(|order| game.check(seat, order).is_ok())
        {
            return order;
        }
        let boards = G::targets(seat, &view);
        let facts = G::facts(&view, layout);
        let mut aims: Vec<usize> = G::aims(&view, &plain(seat)).into_iter().flatten().collect();
        let height = boards[0].grid.height() as usize;
        let is_near = |cell: usize| {
            [cell.wrapping_sub(1), cell + 1, cell.wrapping_sub(height), cell + height, cell]
                .iter()
                .any(|near| *near < layout.cells() && facts.is_occupied(*near))
        };
        let mut shots = Vec::new();
        for _ in 0..G::shots(&view).min(aims.len() as u32) {
            let near: Vec<usize> = aims.iter().copied().filter(|cell| is_near(*cell)).collect();
            let from = if near.is_empty() || random.random_ratio(1, 4) { &aims } else { &near };
            let chosen = *from.choose(random).unwrap();
            aims.retain(|cell| *cell != chosen);
            shots.push(cell(&boards, chosen));
        }
        G::fire(&view, &shots)
    }
}

/// The owner of the board and the cell of each number.
pub(crate) fn cell(boards: &[TargetBoard], number: usize) -> (Seat, Point) {
    let grid = boards[0].grid;
    (boards[number / grid.len()].seat, grid.point(number % grid.len()))
}

/// A plain shot that tells nothing, so that aims can be asked for.
pub(crate) fn plain(by: Seat) -> Fired {
    Fired { by, kind: "shot", shots: Vec::new(), hits_one: false, hits: 0, sunk: 0 }
}
