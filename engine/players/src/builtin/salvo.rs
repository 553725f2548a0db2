//! The built-in players of Salvo.
//!
//! The hunter is told the total of a salvo only, so it keeps a chance for each cell that it has fired at: what the total
//! leaves of what it had expected. Chances make the places where ships may lie more or less likely, and it fires at the
//! cell of any player that is most likely a ship's.

use super::hunt::{self, Found, Hunt, Pattern};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rules::salvo::{BOARD, Order, OwnSalvo, OwnShot, ShipKind, View, random_fleet};
use rules::{BySeat, Direction, Point, Random, Seat, straight};

/// Factor by which a cell that is surely a part of a ship makes a place likelier.
const DRAW: f64 = 15.0;
/// Factor for a cell that was fired at in this salvo, whose total is not known yet: less than 1, so that shots are spread.
const PENDING: f64 = 0.4;

/// Places its ships at random and fires at random cells that it has not fired at, of players who are in the game.
pub(super) fn random(seed: u64) -> impl FnMut(&View) -> Order {
    let mut random = rules::random(seed);
    move |view| {
        if view.salvo.is_none() {
            return Order::Place(random_fleet(&mut random));
        }
        let others: Vec<Seat> = others(view).collect();
        let target = others.choose(&mut random).copied().unwrap_or(view.seat);
        let shots = view.own_salvos.iter().flat_map(|salvo| &salvo.shots).chain(&view.own_shots);
        let fired: Vec<Point> = shots.filter(|shot| shot.target == target).map(|shot| shot.at).collect();
        let fresh: Vec<Point> = BOARD.points().filter(|at| !fired.contains(at)).collect();
        let at = fresh.choose(&mut random).copied().unwrap_or_default();
        Order::Fire { target, at }
    }
}

/// Places its ships at random, and fires beside its hits. The total of a salvo does not tell which shots hit: where some did,
/// each is taken for a hit.
pub(super) fn hunt_and_target(pattern: Pattern, seed: u64) -> impl FnMut(&View) -> Order {
    let mut hunt = Hunt::new(pattern, seed);
    move |view| {
        if view.salvo.is_none() {
            return Order::Place(random_fleet(&mut hunt.random));
        }
        let boards: Vec<(Seat, hunt::Board)> = others(view).map(|seat| (seat, board_of(view, seat))).collect();
        let beside = boards.iter().flat_map(|(seat, board)| board.beside_hits().into_iter().map(|at| (*seat, at)));
        let beside: Vec<(Seat, Point)> = beside.collect();
        let (target, at) = hunt.any(&beside).unwrap_or_else(|| {
            let nth = hunt.random.random_range(0..boards.len().max(1));
            boards
                .get(nth)
                .map_or((view.seat, Point::default()), |(seat, board)| (*seat, hunt.search(board).unwrap_or_default()))
        });
        Order::Fire { target, at }
    }
}

/// Places its ships at random, and fires at one cell of each opponent only, where it hits at most what lies there.
pub(super) fn passive(seed: u64) -> impl FnMut(&View) -> Order {
    let mut random = rules::random(seed);
    move |view| match view.salvo {
        None => Order::Place(random_fleet(&mut random)),
        Some(_) => Order::Fire { target: others(view).next().unwrap_or(view.seat), at: Point::default() },
    }
}

/// The knowledge of one opponent's board.
fn board_of(view: &View, target: Seat) -> hunt::Board {
    let mut board = hunt::Board::new(BOARD, Vec::new(), true);
    let over = view.own_salvos.iter().flat_map(|salvo| salvo.shots.iter().map(|shot| (shot, salvo.hits > 0)));
    let shots = over.chain(view.own_shots.iter().map(|shot| (shot, false)));
    for (shot, has_hit) in shots.filter(|(shot, _)| shot.target == target) {
        let found = match shot.sank {
            Some(_) => Found::LastOfShip,
            None if has_hit => Found::Ship,
            None => Found::Nothing,
        };
        board.fired(shot.at, found);
    }
    board.set_afloat(view.players[target].afloat.iter().map(|ship| ship.length()));
    board
}

/// The players that may be fired at.
fn others(view: &View) -> impl Iterator<Item = Seat> + '_ {
    view.players.iter().filter(|(seat, player)| *seat != view.seat && player.is_in).map(|(seat, _)| seat)
}

/// Fires where ships are likely.
pub(super) fn hunter(seed: u64) -> impl FnMut(&View) -> Order {
    let (random, places) = (rules::random(seed), Places::new());
    let mut hunter = Hunter { random, places, charts: BySeat::from_iter([]), read: 0, expected: Vec::new() };
    move |view| hunter.order(view)
}

/// The state of a hunter.
struct Hunter {
    random: Random,
    places: Places,
    /// The beliefs about the boards of all players; empty before the first shot.
    charts: BySeat<Chart>,
    /// The number of own salvos that the charts account for.
    read: usize,
    /// The chances that it saw for the shots of the salvo that is not over, in their order.
    expected: Vec<f64>,
}

/// The beliefs about one board.
#[derive(Debug, Clone)]
struct Chart {
    /// The belief about each cell, in the order of the board.
    cells: Vec<Belief>,
    /// True for the cells at which it has fired.
    fired: Vec<bool>,
    /// The best cell as it was found for these ships; until something changes.
    best: Option<(Vec<ShipKind>, Option<Aim>)>,
}

/// A cell to fire at, and the chance that it is a ship's.
type Aim = (Point, f64);

/// The belief about one cell.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Belief {
    /// No own shot fell there.
    Unknown,
    /// An own shot of the current salvo fell there.
    Pending,
    /// There is a part of a ship afloat with this chance.
    Chance(f64),
    /// There is a part of a ship that is sunk, or nothing.
    Gone,
}

impl Hunter {
    fn order(&mut self, view: &View) -> Order {
        if view.salvo.is_none() {
            return Order::Place(random_fleet(&mut self.random));
        }
        if self.charts.is_empty() {
            self.charts = view.players.map(|_| Chart::new());
        }
        for salvo in view.own_salvos.iter().skip(self.read) {
            self.learn(salvo);
        }
        self.read = view.own_salvos.len();
        for shot in &view.own_shots {
            self.learn_sinking(shot);
        }
        self.shot(view)
    }

    /// The best cell of all boards. Without any that it has not fired at, it does not matter.
    fn shot(&mut self, view: &View) -> Order {
        let targets: Vec<Seat> = others(view).collect();
        let first = targets.first().copied().unwrap_or(view.seat);
        // Of equal chances the first counts; not all players are to begin with the same one.
        let turned = (0..targets.len()).map(|nth| targets[(nth + view.seat.index()) % targets.len()]);
        let best = turned.filter_map(|target| {
            let aim = self.charts[target].best(&view.players[target].afloat, &self.places, &mut self.random)?;
            Some((target, aim))
        });
        let best = best.reduce(|one, other| if other.1.1 > one.1.1 { other } else { one });
        let (target, (at, chance)) = best.unwrap_or((first, (Point::default(), 0.0)));
        self.expected.push(chance);
        self.charts[target].fire(at);
        Order::Fire { target, at }
    }

    /// Learns from the total of a salvo.
    fn learn(&mut self, salvo: &OwnSalvo) {
        let mut expected = std::mem::take(&mut self.expected);
        // No shot lapses here, because all orders are allowed; if one did, its chance would be unknown.
        expected.resize(salvo.shots.len(), 0.5);
        for (shot, chance) in salvo.shots.iter().zip(&mut expected) {
            if shot.sank.is_some() {
                *chance = 1.0;
            }
        }
        for (shot, chance) in salvo.shots.iter().zip(given_total(&expected, usize::from(salvo.hits))) {
            let chart = &mut self.charts[shot.target];
            if chart.get(shot.at) == Belief::Pending {
                chart.set(shot.at, if chance > 0.0 { Belief::Chance(chance) } else { Belief::Gone });
            }
            self.learn_sinking(shot);
        }
    }

    /// Removes a sunk ship from the chart.
    fn learn_sinking(&mut self, shot: &OwnShot) {
        let chart = &mut self.charts[shot.target];
        if let Some(ship) = shot.sank
            && chart.get(shot.at) != Belief::Gone
        {
            chart.sink(ship, shot.at, &self.places);
        }
    }
}

/// All places that ships may have: the numbers of their cells, by the length of the ship.
struct Places(Vec<Vec<Vec<usize>>>);

impl Places {
    fn new() -> Places {
        let longest = ShipKind::ALL.map(ShipKind::length).into_iter().max().unwrap_or_default();
        let of_length = |length: u8| {
            let starts = BOARD.points().flat_map(|start| [Direction::East, Direction::North].map(|to| (start, to)));
            let cells = |(start, to)| straight(start, to, length).map(|cell| BOARD.index(cell?)).collect();
            starts.filter_map(cells).collect()
        };
        Places((0..=longest).map(of_length).collect())
    }

    fn of(&self, ship: ShipKind) -> &[Vec<usize>] {
        &self.0[usize::from(ship.length())]
    }
}

impl Chart {
    fn new() -> Chart {
        Chart { cells: vec![Belief::Unknown; BOARD.len()], fired: vec![false; BOARD.len()], best: None }
    }

    fn get(&self, at: Point) -> Belief {
        BOARD.index(at).map_or(Belief::Gone, |index| self.cells[index])
    }

    fn set(&mut self, at: Point, belief: Belief) {
        if let Some(index) = BOARD.index(at) {
            self.cells[index] = belief;
            self.best = None;
        }
    }

    /// Notes a shot whose result is not known yet.
    fn fire(&mut self, at: Point) {
        if let Some(index) = BOARD.index(at) {
            self.fired[index] = true;
        }
        self.set(at, Belief::Pending);
    }

    /// The cell that is most likely a ship's, of those that were not fired at, with its chance; any of equal ones.
    fn best(&mut self, afloat: &[ShipKind], places: &Places, random: &mut Random) -> Option<Aim> {
        if let Some((ships, best)) = &self.best
            && ships == afloat
        {
            return *best;
        }
        let chances = self.chances(afloat, places);
        let unknown = BOARD.points().zip(chances).filter(|(at, _)| self.get(*at) == Belief::Unknown);
        let mut unknown: Vec<Aim> = unknown.collect();
        if unknown.is_empty() {
            // A cell at which nobody fired was taken for one of a sunk ship.
            let open = BOARD.points().zip(&self.fired).filter(|(_, fired)| !**fired);
            unknown.extend(open.map(|(at, _)| (at, 0.0)));
        }
        let most = unknown.iter().map(|(_, chance)| *chance).fold(0.0, f64::max);
        let equal: Vec<Aim> = unknown.into_iter().filter(|(_, chance)| *chance >= most * 0.999).collect();
        let best = equal.choose(random).map(|(at, chance)| (*at, chance.clamp(0.01, 0.99)));
        self.best = Some((afloat.to_vec(), best));
        best
    }

    /// For each cell, how many of these ships are expected there.
    fn chances(&self, afloat: &[ShipKind], places: &Places) -> Vec<f64> {
        let weights: Vec<f64> = self.cells.iter().map(|belief| belief.weight()).collect();
        let mut chances = vec![0.0; BOARD.len()];
        for &ship in afloat {
            let weight = |place: &[usize]| -> f64 { place.iter().map(|cell| weights[*cell]).product() };
            let total: f64 = places.of(ship).iter().map(|place| weight(place)).sum();
            // Nothing is left where it could lie, if it was taken for another one that was sunk.
            if total > 0.0 {
                for place in places.of(ship) {
                    let chance = weight(place) / total;
                    place.iter().for_each(|cell| chances[*cell] += chance);
                }
            }
        }
        chances
    }

    /// Takes a ship away that was sunk by a shot at `at`: from where it lay most likely, of cells that were fired at.
    fn sink(&mut self, ship: ShipKind, at: Point, places: &Places) {
        let Some(last) = BOARD.index(at) else { return };
        let likely = |place: &[usize]| -> f64 {
            place.iter().map(|cell| if *cell == last { 1.0 } else { self.cells[*cell].of_a_sunk_ship() }).product()
        };
        let around = places.of(ship).iter().filter(|place| place.contains(&last));
        let place =
            around.map(|place| (place, likely(place))).reduce(|one, other| if other.1 > one.1 { other } else { one });
        for cell in place.into_iter().flat_map(|(place, _)| place) {
            self.cells[*cell] = Belief::Gone;
        }
        self.best = None;
    }
}

impl Belief {
    /// The factor by which the cell makes a place of a ship likelier.
    fn weight(self) -> f64 {
        match self {
            Belief::Unknown => 1.0,
            Belief::Pending => PENDING,
            Belief::Chance(chance) => chance * DRAW,
            Belief::Gone => 0.0,
        }
    }

    /// The likelihood that the cell was part of a ship that is sunk now.
    fn of_a_sunk_ship(self) -> f64 {
        match self {
            Belief::Pending => PENDING,
            Belief::Chance(chance) => chance,
            // Another player may have hit it.
            Belief::Unknown => 0.02,
            Belief::Gone => 0.001,
        }
    }
}

/// The chances of shots that were expected to hit with these, now that it is known how many did.
fn given_total(expected: &[f64], hits: usize) -> Vec<f64> {
    let mut total = 0.0;
    let mut each = vec![0.0; expected.len()];
    // At most five shots are at most 32 possibilities.
    for hit in (0..1_usize << expected.len()).filter(|hit| hit.count_ones() as usize == hits) {
        let is_hit = |nth: usize| hit & (1 << nth) != 0;
        let chances = expected.iter().enumerate().map(|(nth, chance)| if is_hit(nth) { *chance } else { 1.0 - chance });
        let chance: f64 = chances.product();
        total += chance;
        each.iter_mut().enumerate().filter(|(nth, _)| is_hit(*nth)).for_each(|(_, sum)| *sum += chance);
    }
    // Where it was sure and wrong, all are as likely as each other.
    let even = hits as f64 / expected.len().max(1) as f64;
    each.into_iter().map(|sum| if total > 0.0 { sum / total } else { even }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(one: &[f64], other: &[f64]) {
        assert!(
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-9),
            "{one:?}"
        );
    }

    #[test]
    fn a_total_says_what_shots_did() {
        close(&given_total(&[0.2, 0.9, 0.5], 0), &[0.0; 3]);
        close(&given_total(&[0.2, 0.9, 0.5], 3), &[1.0; 3]);
        close(&given_total(&[0.3; 4], 1), &[0.25; 4]);
        close(&given_total(&[1.0, 0.5, 0.5], 2), &[1.0, 0.5, 0.5]);
        close(&given_total(&[0.8, 0.2], 1), &[0.64 / 0.68, 0.04 / 0.68]);
        close(&given_total(&[1.0, 1.0], 1), &[0.5; 2]);
    }

    #[test]
    fn it_goes_on_beside_a_hit_and_elsewhere_after_a_sinking() {
        let (mut chart, places, mut random) = (Chart::new(), Places::new(), rules::random(1));
        chart.set(Point::new(4, 4), Belief::Chance(1.0));
        let (at, _) = chart.best(&ShipKind::ALL, &places, &mut random).unwrap();
        assert_eq!((at.x - 4).abs() + (at.y - 4).abs(), 1);
        chart.fire(Point::new(5, 4));
        chart.sink(ShipKind::PatrolBoat, Point::new(5, 4), &places);
        assert_eq!([chart.get(Point::new(4, 4)), chart.get(Point::new(5, 4))], [Belief::Gone; 2]);
    }

    #[test]
    fn it_fires_at_a_cell_that_it_took_for_one_of_a_sunk_ship_before_it_fires_twice_at_another() {
        let (mut chart, places, mut random) = (Chart::new(), Places::new(), rules::random(1));
        let left = Point::new(7, 3);
        BOARD.points().filter(|at| *at != left).for_each(|at| chart.fire(at));
        BOARD.points().for_each(|at| chart.set(at, Belief::Gone));
        assert_eq!(chart.best(&[ShipKind::Carrier], &places, &mut random).unwrap().0, left);
        chart.fire(left);
        chart.set(left, Belief::Gone);
        assert_eq!(chart.best(&[ShipKind::Carrier], &places, &mut random), None);
    }
}
