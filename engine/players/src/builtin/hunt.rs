//! Hunt and target: players that fire at random until something is hit, and then beside it.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rules::{Direction, Grid, Point, Random};

/// The cells among which a player looks for ships.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pattern {
    /// All cells.
    All,
    /// Every n-th cell of each row and column, where n is the length of the shortest ship that is left: none is missed.
    Checkerboard,
}

/// The finding of a shot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// Nothing that was left to hit.
    Nothing,
    /// A ship that is afloat.
    Ship,
    /// The last cell of a ship.
    LastOfShip,
}

/// The state of a cell as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Unknown,
    /// Not fired at, and beside a sunk ship that no other ship touches.
    Beside,
    /// Nothing is left there to hit.
    Fired,
    /// A ship that is afloat was hit there.
    Hit,
}

/// The knowledge of one opponent's board.
#[derive(Debug, Clone)]
pub(super) struct Board {
    grid: Grid,
    marks: Vec<Mark>,
    /// The lengths of the ships that are left.
    afloat: Vec<u8>,
    ships_may_touch: bool,
}

impl Board {
    /// A board with ships of these lengths, at which nobody has fired.
    pub(super) fn new(grid: Grid, afloat: Vec<u8>, ships_may_touch: bool) -> Board {
        Board { grid, marks: vec![Mark::Unknown; grid.len()], afloat, ships_may_touch }
    }

    /// Sets the lengths of the ships that are left, where players are told which ships are sunk.
    pub(super) fn set_afloat(&mut self, lengths: impl Iterator<Item = u8>) {
        self.afloat = lengths.collect();
    }

    /// Notes a shot.
    pub(super) fn fired(&mut self, at: Point, found: Found) {
        match found {
            // A second shot at a hit cell finds nothing where there is no armour.
            Found::Nothing if self.mark(at) == Some(Mark::Hit) => {}
            Found::Nothing => self.set(at, Mark::Fired),
            Found::Ship => self.set(at, Mark::Hit),
            Found::LastOfShip => self.sunk(at),
        }
    }

    /// The ship is the longest line of hits through its last cell.
    fn sunk(&mut self, last: Point) {
        let lines = [[Direction::East, Direction::West], [Direction::North, Direction::South]];
        let line = |ways: [Direction; 2]| ways.into_iter().flat_map(|way| self.hits_from(last, way)).collect();
        let mut ship: Vec<Point> = lines.map(line).into_iter().max_by_key(Vec::len).unwrap_or_default();
        ship.push(last);
        if let Some(struck) = self.afloat.iter().position(|afloat| usize::from(*afloat) == ship.len()) {
            self.afloat.swap_remove(struck);
        }
        for &cell in &ship {
            self.set(cell, Mark::Fired);
            if !self.ships_may_touch {
                let around = (-1..=1).flat_map(|dx| (-1..=1).filter_map(move |dy| cell.offset(dx, dy)));
                let unknown: Vec<Point> = around.filter(|near| self.mark(*near) == Some(Mark::Unknown)).collect();
                unknown.into_iter().for_each(|near| self.set(near, Mark::Beside));
            }
        }
    }

    /// The hits in a row from the neighbour of a cell on.
    fn hits_from(&self, at: Point, way: Direction) -> impl Iterator<Item = Point> + '_ {
        let (dx, dy) = way.step();
        let cells = (1..).map_while(move |nth| at.offset(dx * nth, dy * nth));
        cells.take_while(|cell| self.mark(*cell) == Some(Mark::Hit))
    }

    /// The cells at which ships that are afloat were hit.
    pub(super) fn hits(&self) -> impl Iterator<Item = Point> + '_ {
        self.marked(Mark::Hit)
    }

    /// The unknown cells beside hits.
    pub(super) fn beside_hits(&self) -> Vec<Point> {
        let is_hit = |at: Point, way: Direction| self.hits_from(at, way).next().is_some();
        self.marked(Mark::Unknown).filter(|at| Direction::ALL.iter().any(|way| is_hit(*at, *way))).collect()
    }

    fn marked(&self, mark: Mark) -> impl Iterator<Item = Point> + '_ {
        self.grid.points().zip(&self.marks).filter(move |(_, own)| **own == mark).map(|(at, _)| at)
    }

    fn mark(&self, at: Point) -> Option<Mark> {
        self.grid.index(at).map(|index| self.marks[index])
    }

    fn set(&mut self, at: Point, mark: Mark) {
        if let Some(index) = self.grid.index(at) {
            self.marks[index] = mark;
        }
    }
}

/// A player's choice of cells.
pub(super) struct Hunt {
    pattern: Pattern,
    /// The colour of the checkerboard: a place in a row, of which only the remainder counts.
    colour: i32,
    pub(super) random: Random,
}

impl Hunt {
    /// The same seed gives the same choices.
    pub(super) fn new(pattern: Pattern, seed: u64) -> Hunt {
        let mut random = rules::random(seed);
        // All remainders are equally likely for ships of one to six cells.
        let colour = random.random_range(0..60);
        Hunt { pattern, colour, random }
    }

    /// A cell beside a hit, else one of the pattern, else any at which nobody has fired; `None` if there is none.
    pub(super) fn target(&mut self, board: &Board) -> Option<Point> {
        self.any(&board.beside_hits()).or_else(|| self.search(board))
    }

    /// A cell of the pattern, else any at which nobody has fired; `None` if there is none.
    pub(super) fn search(&mut self, board: &Board) -> Option<Point> {
        let shortest = board.afloat.iter().min().map(|length| i32::from(*length));
        let unknown = self.of_pattern(board.marked(Mark::Unknown).collect(), shortest, |at| *at);
        self.any(&unknown).or_else(|| self.any(&board.marked(Mark::Beside).collect::<Vec<_>>()))
    }

    /// Those of these that the pattern has where the shortest ship has so many cells; all of them if it has none.
    pub(super) fn of_pattern<T>(&self, mut among: Vec<T>, shortest: Option<i32>, cell: fn(&T) -> Point) -> Vec<T> {
        let step = shortest.filter(|_| self.pattern == Pattern::Checkerboard).unwrap_or(1);
        if among.iter().any(|one| is_of(cell(one), step, self.colour)) {
            among.retain(|one| is_of(cell(one), step, self.colour));
        }
        among
    }

    /// One of these, all equally likely; `None` if there are none.
    pub(super) fn any<T: Copy>(&mut self, among: &[T]) -> Option<T> {
        among.choose(&mut self.random).copied()
    }
}

/// True if a cell has this colour of a board with so many colours.
fn is_of(at: Point, colours: i32, colour: i32) -> bool {
    (at.x + at.y + colour) % colours == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: Grid = Grid::new(10, 10);

    fn board(ships_may_touch: bool) -> Board {
        Board::new(GRID, vec![5, 4, 3, 3, 2], ships_may_touch)
    }

    #[test]
    fn a_hit_is_followed_by_its_neighbours_until_the_ship_is_sunk() {
        let mut board = board(true);
        let mut hunt = Hunt::new(Pattern::All, 1);
        board.fired(Point::new(0, 5), Found::Ship);
        assert_eq!(board.beside_hits(), [Point::new(0, 4), Point::new(0, 6), Point::new(1, 5)]);
        assert!(board.beside_hits().contains(&hunt.target(&board).unwrap()));
        board.fired(Point::new(0, 4), Found::Nothing);
        board.fired(Point::new(0, 6), Found::LastOfShip);
        assert_eq!((board.beside_hits(), board.hits().count()), (Vec::new(), 0));
        assert_eq!(board.afloat.len(), 4);
        assert!(!board.afloat.contains(&2), "it had two cells: {:?}", board.afloat);
    }

    #[test]
    fn a_checkerboard_has_as_many_colours_as_the_shortest_ship_has_cells() {
        let mut board = board(true);
        let mut hunt = Hunt::new(Pattern::Checkerboard, 1);
        for shortest in [2, 3] {
            let cells: Vec<Point> = (0..500).filter_map(|_| hunt.target(&board)).collect();
            let (first, lines) = (cells[0], GRID.points().filter(|at| cells.contains(at)).count());
            assert!(cells.iter().all(|at| (at.x + at.y - first.x - first.y) % shortest == 0), "{cells:?}");
            assert!((GRID.len() / shortest as usize).abs_diff(lines) <= 1, "every cell of the colour: {lines}");
            board.set_afloat([5, 4, 3].into_iter());
        }
        let all: Vec<Point> = GRID.points().filter(|at| *at != Point::new(3, 4)).collect();
        all.iter().for_each(|at| board.fired(*at, Found::Nothing));
        assert_eq!(hunt.target(&board), Some(Point::new(3, 4)), "a cell of another colour is better than none");
        board.fired(Point::new(3, 4), Found::Nothing);
        assert_eq!(hunt.target(&board), None);
    }

    #[test]
    fn beside_a_sunk_ship_it_fires_last_where_ships_do_not_touch() {
        let mut board = board(false);
        let mut hunt = Hunt::new(Pattern::All, 1);
        board.fired(Point::new(0, 0), Found::LastOfShip);
        let beside = [Point::new(0, 1), Point::new(1, 0), Point::new(1, 1)];
        GRID.points().filter(|at| !beside.contains(at)).for_each(|at| {
            assert!(!beside.contains(&hunt.target(&board).unwrap()));
            board.fired(at, Found::Nothing);
        });
        assert!(beside.contains(&hunt.target(&board).unwrap()));
    }
}
