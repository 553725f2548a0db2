//! Placing the ships: what is a legal fleet, and one at random.

use super::settings::{LONGEST, MOST_OF_A_SIDE};
use super::{Refusal, Settings};
use crate::battleship::{Cells, Placed};
use crate::{Grid, Point, Random};
use rand::RngExt;
use rand::seq::SliceRandom;

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
    let (grid, lengths) = (settings.grid(), settings.lengths());
    (0..ATTEMPTS).find_map(|_| scattered(grid, &lengths, random)).or_else(|| in_rows(grid, &lengths, random))
}

/// The most attempts at a whole fleet.
const ATTEMPTS: u32 = 100;
/// The most attempts at a place for one ship.
const TRIES: u32 = 100;

/// A fleet of which each ship lies at the first place drawn that is free.
fn scattered(grid: Grid, lengths: &[u8], random: &mut Random) -> Option<Vec<(Point, Point)>> {
    let mut taken = vec![false; grid.len()];
    let place = |length: &u8| {
        (0..TRIES).find_map(|_| {
            let (one, other) = anywhere(grid, i32::from(*length), random);
            let free = cells(one, other).map(|cell| grid.index(cell).filter(|&index| !taken[index]));
            let free: Vec<usize> = free.collect::<Option<_>>()?;
            free.into_iter().for_each(|index| taken[index] = true);
            Some((one, other))
        })
    };
    lengths.iter().map(place).collect()
}

/// The ends of a ship somewhere on the grid, on which it has room in one direction at least.
fn anywhere(grid: Grid, length: i32, random: &mut Random) -> (Point, Point) {
    let (width, height, more) = (grid.width(), grid.height(), length - 1);
    let columns = (width - more).max(0);
    let along_x = columns * height;
    let along_y = width * (height - more).max(0);
    match random.random_range(0..along_x + along_y) {
        nth if nth < along_x => {
            let (x, y) = (nth % columns, nth / columns);
            (Point { x, y }, Point { x: x + more, y })
        }
        nth => {
            let (x, y) = ((nth - along_x) % width, (nth - along_x) / width);
            (Point { x, y }, Point { x, y: y + more })
        }
    }
}

/// A fleet that lies along the longer side, for boards on which chance finds no room. Each ship, longest first, goes to
/// the first row with room for it. If there were none, every row would be more than half full, and so would the board.
fn in_rows(grid: Grid, lengths: &[u8], random: &mut Random) -> Option<Vec<(Point, Point)>> {
    let (long, short) = (grid.width().max(grid.height()), grid.width().min(grid.height()));
    let mut used = vec![0; short as usize];
    let places: Option<Vec<(usize, i32, i32)>> = lengths
        .iter()
        .map(|&length| {
            let length = i32::from(length);
            let row = used.iter().position(|used| used + length <= long)?;
            let first = used[row];
            used[row] += length;
            Some((row, first, first + length - 1))
        })
        .collect();
    let mut rows: Vec<i32> = (0..short).collect();
    rows.shuffle(random);
    let shifts: Vec<i32> = used.iter().map(|used| random.random_range(0..=long - used)).collect();
    let point = |row: usize, place: i32| {
        let (along, across) = (place + shifts[row], rows[row]);
        if grid.width() >= grid.height() { Point::new(along, across) } else { Point::new(across, along) }
    };
    let ends = places?.into_iter().map(|(row, first, last)| (point(row, first), point(row, last)));
    Some(ends.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_fleet_is_found_at_random_and_in_rows_wherever_a_match_can_be_played() {
        let mut random = crate::random(16);
        for _ in 0..2000 {
            let settings = playable(&mut random);
            let anywhere = place_at_random(&settings, &mut random);
            for ends in [anywhere, in_rows(settings.grid(), &settings.lengths(), &mut random)] {
                assert!(fleet(&settings, ends.as_ref().unwrap()).is_ok(), "{settings:?}: {ends:?}");
            }
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
