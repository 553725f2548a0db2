//! Ten opponents with the habits of real bots of 2017, to measure the hunter against.
//!
//! All of them count where the ships afloat can lie ([`shooter`]), so that each is a sound player with one habit. They share no
//! code with the hunter but its sets of cells and its reading of a map: a change of the hunter does not change them.

pub(crate) mod fleets;
mod memory;
pub(crate) mod shooter;

use hunter::{Cells, Sight};
use memory::Memory;
use rules::entelect_2017::files::wire::{PlayerMap, StateFile};
use rules::entelect_2017::{MapSize, Order, Ship};
use rules::{Grid, Point, Random};
use shooter::{Armament, Shooter};

/// The habit by which an opponent differs from the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Habit {
    /// Always the same fleet, with Destroyer and Cruiser in corners.
    FixedFleet,
    /// Fleets along the edges.
    Edges,
    /// Fleets in the middle.
    Middle,
    /// Ships side by side.
    SideBySide,
    /// Searches every second cell only.
    Parity,
    /// Fires special weapons as soon as they can be paid.
    GreedySpecials,
    /// Saves energy for the two cross shots.
    CrossSaver,
    /// Fires again and again at shielded cells.
    ShieldBlind,
    /// Raises the shield late, over one ship.
    LateShield,
    /// Learns from earlier games where the opponent's ships lay.
    Learner,
}

impl Habit {
    /// All habits.
    pub(crate) const ALL: [Habit; 10] = [
        Habit::FixedFleet,
        Habit::Edges,
        Habit::Middle,
        Habit::SideBySide,
        Habit::Parity,
        Habit::GreedySpecials,
        Habit::CrossSaver,
        Habit::ShieldBlind,
        Habit::LateShield,
        Habit::Learner,
    ];

    /// The name on a command line.
    pub(crate) fn name(self) -> String {
        format!("{self:?}")
    }
}

/// A player with a habit.
#[derive(Debug)]
pub(crate) struct Opponent {
    habit: Habit,
    memory: Memory,
}

impl Opponent {
    /// The charges that a shield has before it is raised; one that is raised late takes what it has.
    const CHARGES: u32 = 5;

    /// An opponent that remembers the games that `memory` has, in the form of [`Opponent::memory`].
    pub(crate) fn new(habit: Habit, memory: &str) -> Opponent {
        Opponent { habit, memory: Memory::parse(memory) }
    }

    /// The games seen so far, as text. Only [`Habit::Learner`] has any.
    pub(crate) fn memory(&self) -> String {
        self.memory.to_string()
    }

    /// The order for the coming round. `None` for a state that is not one of a match.
    pub(crate) fn decide(&mut self, state: &StateFile, random: &mut Random) -> Option<Order> {
        let size = MapSize::ALL.into_iter().find(|size| u32::from(size.side()) == state.map_dimension)?;
        let grid = size.grid();
        let sight = Sight::of_opponent(grid, state.opponent_map.as_ref()?);
        if self.habit == Habit::Learner {
            self.memory.note(&sight, state.phase == 1);
        }
        if state.phase == 1 {
            return fleets::place(grid, self.habit, random).map(Order::from);
        }
        let own = state.player_map.as_ref()?;
        if let Some(centre) = self.shield(grid, own) {
            return Some(Order::Shield { centre });
        }
        let shooter = Shooter {
            armament: match self.habit {
                Habit::GreedySpecials => Armament::Greedy,
                Habit::CrossSaver => Armament::Crosses,
                _ => Armament::Search,
            },
            by_chance: false,
            by_parity: self.habit == Habit::Parity,
            sees_shield: self.habit != Habit::ShieldBlind,
            weights: self.memory.weights(grid),
        };
        let (weapon, centre) = shooter.shot(&sight, &own.owner, random)?;
        Some(Order::Fire { weapon, centre })
    }

    /// The centre of the shield that protects most of the wounded ships; `None` if it is not time yet.
    fn shield(&self, grid: Grid, map: &PlayerMap) -> Option<Point> {
        let shield = &map.owner.shield;
        let is_late = self.habit == Habit::LateShield;
        if shield.active || shield.current_charges < if is_late { 1 } else { Opponent::CHARGES } {
            return None;
        }
        let healthy = |hit: bool| move |cell: &&rules::entelect_2017::files::wire::Cell| cell.hit == hit;
        let mut to_cover = Cells::NONE;
        for ship in map.owner.ships.iter().filter(|ship| !ship.destroyed) {
            let cells = || ship.cells.iter().flatten();
            let (wounds, left) = (cells().filter(healthy(true)).count(), cells().filter(healthy(false)));
            let length = Ship::from_name(&ship.ship_type).map_or(0, |ship| usize::from(ship.length()));
            if wounds > 0 && (!is_late || wounds + 1 == length) {
                to_cover = to_cover.or(Cells::at(grid, left.map(|cell| Point::new(cell.x, cell.y))));
            }
        }
        let covered = |centre: &Point| {
            let is_near = |at: &Point| at.x.abs_diff(centre.x).max(at.y.abs_diff(centre.y)) <= shield.current_radius;
            grid.points().enumerate().filter(|(cell, at)| to_cover.contains(*cell) && is_near(at)).count()
        };
        if to_cover.is_empty() { None } else { grid.points().max_by_key(covered) }
    }
}
