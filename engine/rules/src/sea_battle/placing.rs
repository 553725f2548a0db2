//! The rules of placing: on the board, straight, and away from each other.

use super::{BOARD, FLEET, Profile, Refusal, Ship, ShipKind};
use crate::{Direction, Point, Random, Shape, straight};

/// Checks that these ships are a fleet and may lie as they do.
pub(super) fn check(ships: &[Ship], profile: Profile) -> Result<(), Refusal> {
    for kind in ShipKind::ALL {
        let given = ships.iter().filter(|ship| ship.kind == kind).count();
        if given != kind.count() {
            return Err(Refusal::WrongCount { kind, given });
        }
    }
    ships.iter().try_for_each(check_shape)?;
    let pairs = ships.iter().enumerate().flat_map(|(nth, one)| ships[nth + 1..].iter().map(move |other| (one, other)));
    pairs.into_iter().try_for_each(|(one, other)| check_apart(one, other, profile))
}

fn check_shape(ship: &Ship) -> Result<(), Refusal> {
    let kind = ship.kind;
    if ship.cells.len() != usize::from(kind.length()) {
        return Err(Refusal::WrongLength { kind, given: ship.cells.len() });
    }
    if let Some(&at) = ship.cells.iter().find(|cell| !BOARD.contains(**cell)) {
        return Err(Refusal::ShipOffBoard { kind, at });
    }
    let mut cells = ship.cells.clone();
    cells.sort();
    let lies = |direction| straight(cells[0], direction, kind.length()).eq(cells.iter().map(|cell| Some(*cell)));
    // Sorted, they go to higher numbers.
    if lies(Direction::East) || lies(Direction::North) { Ok(()) } else { Err(Refusal::NotStraight { kind }) }
}

fn check_apart(one: &Ship, other: &Ship, profile: Profile) -> Result<(), Refusal> {
    let (kind, others) = (one.kind, other.kind);
    if let Some(&at) = one.cells.iter().find(|cell| other.cells.contains(cell)) {
        return Err(Refusal::Overlap { one: kind, other: others, at });
    }
    match one.cells.iter().find(|cell| other.cells.iter().any(|near| profile.is_too_close(**cell, *near))) {
        Some(&at) => Err(Refusal::Touch { one: kind, other: others, at }),
        None => Ok(()),
    }
}

impl Profile {
    /// True if these two different cells cannot belong to two ships: by the text if they share an edge or a corner, on the public
    /// server if they touch by a corner only.
    pub fn is_too_close(self, one: Point, other: Point) -> bool {
        // Points of other boards may be far apart.
        let (across, along) = (one.x.abs_diff(other.x), one.y.abs_diff(other.y));
        match self {
            Profile::Text => across <= 1 && along <= 1,
            Profile::PublicServer => across == 1 && along == 1,
        }
    }
}

/// A fleet that lies as it should, in the order of [`FLEET`].
pub fn random_fleet(random: &mut Random) -> Vec<Ship> {
    let shapes = FLEET.map(|kind| Shape::straight(kind.length()));
    let cells = crate::place_shapes(BOARD, &shapes, |ship| ship.widened(true), random);
    let cells = cells.expect("nearly every one of a thousand attempts finds room for all");
    FLEET.into_iter().zip(cells).map(|(kind, cells)| Ship { kind, cells }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_fleet_may_lie_as_it_does() {
        let fleets: Vec<Vec<Ship>> = (0..300).map(|seed| random_fleet(&mut crate::random(seed))).collect();
        for fleet in &fleets {
            assert_eq!(check(fleet, Profile::Text), Ok(()));
            assert!(fleet.iter().map(|ship| ship.kind).eq(FLEET));
        }
        let lies = |fleet: &Vec<Ship>, at| fleet.iter().any(|ship| ship.cells.contains(&at));
        assert!(BOARD.points().all(|at| fleets.iter().any(|fleet| lies(fleet, at))), "it may lie anywhere");
        assert_eq!(fleets[7], random_fleet(&mut crate::random(7)));
    }
}
