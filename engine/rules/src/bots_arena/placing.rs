//! Placing the ships: what is a legal fleet, and one at random.

use super::settings::{LONGEST, MOST_OF_A_SIDE};
use super::{Refusal, Settings};
use crate::battleship::{self, Placed};
use crate::{Cells, Point, Random};

/// The ships with these ends, to be placed. Ships may touch.
pub(super) fn fleet(settings: &Settings, ends: &[(Point, Point)]) -> Result<Vec<Placed>, Refusal> {
    let grid = settings.grid();
    let mut counts = [0; MOST_OF_A_SIDE as usize + 1];
    for &(one, other) in ends {
        if let Some(point) = [one, other].into_iter().find(|point| !grid.contains(*point)) {
            return Err(Refusal::OffBoard(point));
        }
        if one.x != other.x && one.y != other.y {
            return Err(Refusal::NotStraight(one, other));
        }
        counts[(one.x.abs_diff(other.x) + one.y.abs_diff(other.y) + 1) as usize] += 1;
    }
    let mut wanted = [0; MOST_OF_A_SIDE as usize + 1];
    wanted[1..=LONGEST].copy_from_slice(&settings.ships());
    for (length, (&given, wanted)) in (0..).zip(counts.iter().zip(wanted)) {
        if given != usize::from(wanted) {
            return Err(Refusal::WrongShips { length, given, wanted });
        }
    }
    let ship = |&(one, other)| Placed { name: None, cells: cells(one, other).collect() };
    let ships: Vec<Placed> = ends.iter().map(ship).collect();
    let mut taken = Cells::none(grid);
    for &cell in ships.iter().flat_map(|ship| &ship.cells) {
        if taken.contains(cell) {
            return Err(Refusal::Overlap(cell));
        }
        taken.insert(cell);
    }
    Ok(ships)
}

/// The cells of a ship between these ends, which are in one row or column, from the lowest coordinates on.
fn cells(one: Point, other: Point) -> impl Iterator<Item = Point> {
    let (start, end) = (one.min(other), one.max(other));
    (start.x..=end.x).flat_map(move |x| (start.y..=end.y).map(move |y| Point { x, y }))
}

/// A legal fleet at random, by the ends of its ships, longest first; `None` if the settings cannot be played.
pub fn place_at_random(settings: &Settings, random: &mut Random) -> Option<Vec<(Point, Point)>> {
    settings.playable().ok()?;
    let fleet = battleship::place_at_random(&settings.rules().ok()?, random)?;
    Some(fleet.iter().map(|cells| (cells[0], cells[cells.len() - 1])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    /// Settings of all kinds that can be played, many of them with boards half full.
    fn playable(random: &mut Random) -> Settings {
        let most = if random.random_range(0..4) == 0 { MOST_OF_A_SIDE } else { 12 };
        loop {
            let [width, height] = [(); 2].map(|()| random.random_range(1..=most));
            let mut ships = [0; LONGEST];
            let mut best = None;
            for _ in 0..60 {
                let mut more = ships;
                more[random.random_range(0..LONGEST)] += 1;
                let settings = Settings::new(width, height, more).ok();
                if let Some(settings) = settings.filter(|settings| settings.playable().is_ok()) {
                    ships = more;
                    best = Some(settings);
                }
            }
            if let Some(settings) = best {
                return settings;
            }
        }
    }

    #[test]
    fn a_fleet_is_found_at_random_wherever_a_match_can_be_played() {
        let mut random = crate::random(16);
        for _ in 0..2000 {
            let settings = playable(&mut random);
            let ends = place_at_random(&settings, &mut random).unwrap_or_default();
            assert!(fleet(&settings, &ends).is_ok(), "{settings:?}: {ends:?}");
        }
    }

    #[test]
    fn there_is_no_fleet_where_no_match_can_be_played() {
        for (width, height, ships) in [(10, 10, [0; 6]), (5, 5, [0, 0, 0, 0, 0, 1]), (3, 3, [5, 0, 0, 0, 0, 0])] {
            let settings = Settings::new(width, height, ships).unwrap();
            assert_eq!(place_at_random(&settings, &mut crate::random(1)), None);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_fleet() {
        let fleet = |seed| place_at_random(&Settings::default(), &mut crate::random(seed));
        assert_eq!(fleet(7), fleet(7));
        assert_ne!(fleet(7), fleet(8));
    }
}
