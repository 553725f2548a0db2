//! The sums of the sheets of one player.

use super::fleet_traits::{FleetTraits, is_on_ring};
use super::sheet::{Board, GameSheet, ShieldShots};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The number of first shots that are looked at.
pub(crate) const FIRST: usize = 10;
/// The number of first shots that make an opening.
pub(crate) const OPENING: usize = 5;

/// The sums of one player's games on one kind of board. All sheets are to be of such games ([`Board`]).
#[derive(Debug, Clone)]
pub struct ProfileSums {
    pub(crate) board: Board,
    pub(crate) games: u32,
    pub(crate) won: u32,
    pub(crate) drawn: u32,
    pub(crate) lost: u32,
    pub(crate) fleets: FleetSums,
    pub(crate) first: FirstSums,
    /// The shots of each game that was won.
    pub(crate) to_win: Vec<u32>,
    /// Shots and hits: searching, and with a wounded ship.
    pub(crate) phases: [(u64, u64); 2],
    /// The expected hits of the aims, of the best ones, and of drawn ones.
    pub(crate) worth: [f64; 3],
    /// The hits of shots of which these are known.
    pub(crate) weighed_hits: u64,
    /// The shots by their kind: games, shots, hits, expected hits.
    pub(crate) weapons: BTreeMap<String, WeaponSums>,
    /// The salvos with all their shots and hits.
    pub(crate) salvos: [u64; 3],
    /// The number of shields, and of the ends of shots that they caught.
    pub(crate) shields: [u64; 2],
    /// The turn of the first shield of each game with one.
    pub(crate) first_shields: Vec<u32>,
    pub(crate) at_shields: ShieldShots,
    /// For each kind of ship of opponents in games that were lost: games in which one was left, those in which nothing else was, cells.
    pub(crate) left: Vec<[u64; 3]>,
    /// The cells that were left in each game that was lost.
    pub(crate) cells_left: Vec<u32>,
    pub(crate) too_large: bool,
}

/// The sums of the player's own fleets.
#[derive(Debug, Clone, Default)]
pub(crate) struct FleetSums {
    /// The games with a fleet.
    pub(crate) games: u32,
    /// For each cell the games in which a ship stood there.
    pub(crate) cells: Vec<u32>,
    /// The games by their fleets.
    pub(crate) same: BTreeMap<u64, u32>,
    /// For each kind of ship the games with one in a corner.
    pub(crate) corner: Vec<u32>,
    /// For each kind of ship the games with one on the outer ring.
    pub(crate) ring: Vec<u32>,
    /// The games by the number of cells on the outer ring.
    pub(crate) on_ring: BTreeMap<usize, u32>,
    pub(crate) touching: u32,
    /// The games with more ships in columns than in rows, and with less.
    pub(crate) upright: [u32; 2],
}

/// The sums of first shots.
#[derive(Debug, Clone, Default)]
pub(crate) struct FirstSums {
    /// The games with a shot at one cell.
    pub(crate) games: u32,
    /// For each cell the games in which it was among the first ten shots.
    pub(crate) cells: Vec<u32>,
    /// For each cell the games in which it was the first.
    pub(crate) first: Vec<u32>,
    /// The games by their first five shots.
    pub(crate) openings: BTreeMap<u64, u32>,
    /// The games with ten shots, by the number of those on the outer ring.
    pub(crate) on_ring: BTreeMap<usize, u32>,
}

/// The shots of one kind.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WeaponSums {
    pub(crate) games: u32,
    pub(crate) shots: u64,
    pub(crate) hits: u64,
    pub(crate) expected: f64,
    /// True for an action that fires nothing.
    pub(crate) is_action: bool,
}

impl ProfileSums {
    /// The sums of no games on such boards.
    pub fn new(board: Board) -> ProfileSums {
        let (cells, kinds) = (board.grid.len(), board.ships.len());
        ProfileSums {
            games: 0,
            won: 0,
            drawn: 0,
            lost: 0,
            fleets: FleetSums {
                cells: vec![0; cells],
                corner: vec![0; kinds],
                ring: vec![0; kinds],
                ..FleetSums::default()
            },
            first: FirstSums { cells: vec![0; cells], first: vec![0; cells], ..FirstSums::default() },
            to_win: Vec::new(),
            phases: [(0, 0); 2],
            worth: [0.0; 3],
            weighed_hits: 0,
            weapons: BTreeMap::new(),
            salvos: [0; 3],
            shields: [0; 2],
            first_shields: Vec::new(),
            at_shields: ShieldShots::default(),
            left: vec![[0; 3]; kinds],
            cells_left: Vec::new(),
            too_large: false,
            board,
        }
    }

    /// The boards of the games.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The number of games.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Adds a game.
    pub fn add(&mut self, sheet: &GameSheet) {
        self.games += 1;
        match sheet.won {
            Some(true) => self.won += 1,
            Some(false) => self.lost += 1,
            None => self.drawn += 1,
        }
        self.too_large |= sheet.too_large;
        self.add_fleet(&sheet.fleet);
        self.add_first(sheet);
        self.add_shots(sheet);
        for (shots, hits) in &sheet.salvos {
            self.salvos[0] += 1;
            self.salvos[1] += u64::from(*shots);
            self.salvos[2] += u64::from(*hits);
        }
        self.shields[0] += sheet.shields.len() as u64;
        self.shields[1] += u64::from(sheet.caught);
        self.first_shields.extend(sheet.shields.first());
        self.at_shields.next += sheet.at_shields.next;
        self.at_shields.again += sheet.at_shields.again;
        self.at_shields.by_chance += sheet.at_shields.by_chance;
        match sheet.won {
            Some(true) => self.to_win.push(sheet.volleys.iter().map(|volley| volley.shots).sum()),
            Some(false) => self.add_left(&sheet.left),
            None => {}
        }
    }

    fn add_fleet(&mut self, fleet: &[(usize, Vec<usize>)]) {
        if fleet.is_empty() {
            return;
        }
        let traits = FleetTraits::of(self.board.grid, self.board.ships.len(), fleet);
        let sums = &mut self.fleets;
        sums.games += 1;
        fleet.iter().flat_map(|(_, cells)| cells).for_each(|cell| sums.cells[*cell] += 1);
        *sums.same.entry(hash(&fleet)).or_default() += 1;
        sums.corner.iter_mut().zip(traits.corner).for_each(|(sum, is_so)| *sum += u32::from(is_so));
        sums.ring.iter_mut().zip(traits.ring).for_each(|(sum, is_so)| *sum += u32::from(is_so));
        *sums.on_ring.entry(traits.on_ring).or_default() += 1;
        sums.touching += u32::from(traits.touching);
        sums.upright[0] += u32::from(traits.upright > 0);
        sums.upright[1] += u32::from(traits.upright < 0);
    }

    fn add_first(&mut self, sheet: &GameSheet) {
        let shots: Vec<usize> =
            sheet.volleys.iter().flat_map(|volley| volley.cells.iter().copied()).take(FIRST).collect();
        let Some(first) = shots.first() else { return };
        let sums = &mut self.first;
        sums.games += 1;
        sums.first[*first] += 1;
        let mut different = shots.clone();
        different.sort_unstable();
        different.dedup();
        different.iter().for_each(|cell| sums.cells[*cell] += 1);
        if let Some(opening) = shots.get(..OPENING) {
            *sums.openings.entry(hash(&opening)).or_default() += 1;
        }
        if different.len() == FIRST {
            let on_ring = different.iter().filter(|cell| is_on_ring(self.board.grid, **cell)).count();
            *sums.on_ring.entry(on_ring).or_default() += 1;
        }
    }

    fn add_shots(&mut self, sheet: &GameSheet) {
        let mut of_game: BTreeMap<&str, WeaponSums> = BTreeMap::new();
        for volley in &sheet.volleys {
            let (shots, hits) = &mut self.phases[usize::from(volley.wounded)];
            *shots += u64::from(volley.shots);
            *hits += u64::from(volley.hits);
            let weapon = of_game.entry(volley.kind).or_default();
            weapon.shots += u64::from(volley.shots);
            weapon.hits += u64::from(volley.hits);
            if let Some(worth) = volley.worth {
                self.worth.iter_mut().zip(worth).for_each(|(sum, worth)| *sum += worth);
                self.weighed_hits += u64::from(volley.hits);
                weapon.expected += worth[0];
            }
        }
        for action in &sheet.actions {
            let weapon = of_game.entry(action).or_default();
            weapon.shots += 1;
            weapon.is_action = true;
        }
        for (name, of_game) in of_game {
            let weapon = self.weapons.entry(name.to_owned()).or_default();
            weapon.games += 1;
            weapon.shots += of_game.shots;
            weapon.hits += of_game.hits;
            weapon.expected += of_game.expected;
            weapon.is_action |= of_game.is_action;
        }
    }

    fn add_left(&mut self, left: &[(usize, u32)]) {
        self.cells_left.push(left.iter().map(|(_, cells)| cells).sum());
        for (kind, sums) in self.left.iter_mut().enumerate() {
            let of_kind = || left.iter().filter(|(of, _)| *of == kind);
            sums[0] += u64::from(of_kind().next().is_some());
            sums[1] += u64::from(of_kind().count() == 1 && left.len() == 1);
            sums[2] += of_kind().map(|(_, cells)| u64::from(*cells)).sum::<u64>();
        }
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
