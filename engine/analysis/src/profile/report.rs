//! The profile itself: the numbers for people and programs.

use super::fleet_traits::RandomFleets;
use super::habits::{Hint, hints};
use super::sheet::ShipKind;
use super::sums::{FIRST, ProfileSums};
use serde::Serialize;

/// The profile of one player. Shares are 0 to 1; cells are in the order of [`rules::Grid::points`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Profile {
    /// The name.
    pub name: String,
    /// The games that are looked at.
    pub games: u32,
    /// The games that the player won.
    pub won: u32,
    /// The games that nobody won.
    pub drawn: u32,
    /// The games that another player won.
    pub lost: u32,
    /// True if boards or fleets are too large for chances: then there is no accuracy, no luck, and no test of fleets.
    pub too_large: bool,
    /// The cells in which its ships stood.
    pub fleets: WhereShipsStood,
    /// The cells of its first shots.
    pub first_shots: FirstShots,
    /// The shots that it fired in games that it won.
    pub shots_to_win: Option<Quartiles>,
    /// The shots while no ship was wounded, and those while one was: it was hit, and afloat.
    pub phases: [PhaseShots; 2],
    /// The share of the best aims' hits that was to be expected; `None` if it is not known.
    pub accuracy: Option<f64>,
    /// The accuracy of a player who draws its aims.
    pub random_accuracy: Option<f64>,
    /// The hits beyond the expected ones, a game; `None` if it is not known.
    pub luck: Option<f64>,
    /// The use of shots, weapons and actions, in the order of their names.
    pub weapons: Vec<WeaponUse>,
    /// The use of salvos; `None` in games without.
    pub salvos: Option<SalvoUse>,
    /// The use of the shield; `None` in games without.
    pub shield: Option<ShieldUse>,
    /// The ends of the games that it lost.
    pub losses: Losses,
    /// The habits that are not chance, the least likely first.
    pub hints: Vec<Hint>,
    /// The number of habits that were tested.
    pub tests: usize,
}

/// The cells in which ships stood.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WhereShipsStood {
    /// The games with a fleet.
    pub games: u32,
    /// For each cell the games in which a ship stood there.
    pub cells: Vec<u32>,
    /// The number of different fleets.
    pub different: usize,
}

/// The cells of the first shots.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FirstShots {
    /// The number of first shots that are looked at. Shots that reach several cells are left out.
    pub shots: usize,
    /// The games with a shot.
    pub games: u32,
    /// For each cell the games in which it was among them.
    pub cells: Vec<u32>,
}

/// The quartiles of a number that each game has.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Quartiles {
    /// The games.
    pub games: usize,
    /// The least number.
    pub least: u32,
    /// The number that a quarter of the games does not exceed.
    pub lower: f64,
    /// The median.
    pub median: f64,
    /// The number that three quarters of the games do not exceed.
    pub upper: f64,
    /// The largest number.
    pub most: u32,
}

/// The shots of a phase of the games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PhaseShots {
    /// The shots.
    pub shots: u64,
    /// The parts of ships that they hit.
    pub hits: u64,
}

/// The use of a kind of shot or action.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WeaponUse {
    /// The name; `shot` for a plain one.
    pub name: String,
    /// True for an action that fires nothing, such as radar.
    pub is_action: bool,
    /// The games in which it was used.
    pub games: u32,
    /// The number of uses.
    pub uses: u64,
    /// The parts of ships that were hit.
    pub hits: u64,
    /// The hits that were to be expected; `None` if they are not known.
    pub expected: Option<f64>,
}

/// The use of salvos.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SalvoUse {
    /// The number of salvos.
    pub salvos: u64,
    /// Their shots.
    pub shots: u64,
    /// Their hits.
    pub hits: u64,
}

/// The use of the shield.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ShieldUse {
    /// The games in which it was raised.
    pub games: usize,
    /// The number of times that it was raised.
    pub raised: u64,
    /// The ends of shots that it caught.
    pub caught: u64,
    /// The turn in which it was raised first, in the games in which it was.
    pub first_turn: Option<Quartiles>,
    /// The player's own shots that followed on one that a shield caught.
    pub shots_after_caught: u32,
    /// The number of those at the same cell.
    pub shots_again: u32,
}

/// The ends of the games that were lost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Losses {
    /// The opponents' ships that were left, by their kinds.
    pub ships: Vec<ShipLeft>,
    /// The cells of all ships that were left, in each game.
    pub cells: Option<Quartiles>,
}

/// A kind of ship that opponents had left when they won.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShipLeft {
    /// The kind.
    pub ship: ShipKind,
    /// The games in which at least one was left.
    pub games: u64,
    /// The games in which nothing else was left.
    pub alone: u64,
    /// The cells that were left of all of them, in all games.
    pub cells: u64,
}

impl Profile {
    /// The profile that these sums give. `random` are the fleets that the rules allow.
    pub fn new(name: String, sums: &ProfileSums, random: &RandomFleets) -> Profile {
        let (hints, tests) = hints(sums, random);
        let [expected, best, drawn] = sums.worth;
        let is_known = best > 0.0;
        let phase = |(shots, hits)| PhaseShots { shots, hits };
        let weapons = sums.weapons.iter().map(|(name, of)| WeaponUse {
            name: name.clone(),
            is_action: of.is_action,
            games: of.games,
            uses: of.shots,
            hits: of.hits,
            expected: (!sums.too_large && !of.is_action).then(|| rounded(of.expected)),
        });
        let left = sums.board.ships.iter().zip(&sums.left).map(|(ship, [games, alone, cells])| ShipLeft {
            ship: ship.clone(),
            games: *games,
            alone: *alone,
            cells: *cells,
        });
        let [salvos, shots, hits] = sums.salvos;
        let [raised, caught] = sums.shields;
        Profile {
            name,
            games: sums.games,
            won: sums.won,
            drawn: sums.drawn,
            lost: sums.lost,
            too_large: sums.too_large,
            fleets: WhereShipsStood {
                games: sums.fleets.games,
                cells: sums.fleets.cells.clone(),
                different: sums.fleets.same.len(),
            },
            first_shots: FirstShots { shots: FIRST, games: sums.first.games, cells: sums.first.cells.clone() },
            shots_to_win: Quartiles::of(&sums.to_win),
            phases: sums.phases.map(phase),
            accuracy: is_known.then(|| rounded(expected / best)),
            random_accuracy: is_known.then(|| rounded(drawn / best)),
            luck: is_known.then(|| rounded((sums.weighed_hits as f64 - expected) / f64::from(sums.games.max(1)))),
            weapons: weapons.collect(),
            salvos: (salvos > 0).then_some(SalvoUse { salvos, shots, hits }),
            shield: sums.board.has_shields.then(|| ShieldUse {
                games: sums.first_shields.len(),
                raised,
                caught,
                first_turn: Quartiles::of(&sums.first_shields),
                shots_after_caught: sums.at_shields.next,
                shots_again: sums.at_shields.again,
            }),
            losses: Losses { ships: left.collect(), cells: Quartiles::of(&sums.cells_left) },
            hints,
            tests,
        }
    }
}

impl PhaseShots {
    /// The hits of a shot, 0 to 1 where a shot reaches one cell; `None` without shots.
    pub fn rate(self) -> Option<f64> {
        (self.shots > 0).then(|| self.hits as f64 / self.shots as f64)
    }
}

impl Quartiles {
    /// The quartiles of these numbers, between which the nearest two are joined; `None` without numbers.
    pub fn of(numbers: &[u32]) -> Option<Quartiles> {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        let at = |share: f64| {
            let place = share * (sorted.len() - 1) as f64;
            let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
            f64::from(below) + (f64::from(above) - f64::from(below)) * place.fract()
        };
        let (least, most) = (*sorted.first()?, *sorted.last()?);
        Some(Quartiles { games: sorted.len(), least, lower: at(0.25), median: at(0.5), upper: at(0.75), most })
    }
}

/// A number with three digits after the point.
fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}
