//! Fleets at random on any grid.

use rules::{Cells, Direction, Grid, Point, Random, RngExt, Shape, place_shapes, random_fleet, straight};

#[test]
fn a_random_fleet_lies_on_the_grid_without_overlap() {
    let grid = Grid::new(7, 7);
    for seed in 0..200 {
        let lengths = [3, 2, 4, 5, 3];
        let fleet = random_fleet(grid, &lengths, &mut rules::random(seed)).unwrap();
        let mut cells: Vec<Point> =
            fleet.iter().zip(lengths).flat_map(|(&(at, to), n)| straight(at, to, n)).map(Option::unwrap).collect();
        cells.sort();
        cells.dedup();
        assert_eq!(cells.len(), 17);
        assert!(cells.iter().all(|&p| grid.contains(p)));
    }
}

/// Fleets are part of what a seed stands for: the largest ship comes first, and its places in the order of its ways, row by row.
#[test]
fn a_fleet_is_drawn_from_all_places_in_their_order() {
    let by_list = |grid: Grid, lengths: &[i32], random: &mut Random| {
        let mut taken: Vec<Point> = Vec::new();
        let mut order: Vec<usize> = (0..lengths.len()).collect();
        order.sort_by_key(|ship| -lengths[*ship]);
        let mut fleet = vec![Vec::new(); lengths.len()];
        for ship in order {
            let starts = || (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| (x, y)));
            let ways: &[(i32, i32)] = if lengths[ship] == 1 { &[(1, 0)] } else { &[(1, 0), (0, 1)] };
            let places = ways.iter().flat_map(|&(across, up)| starts().map(move |start| (start, across, up)));
            let cells = |((x, y), across, up)| -> Vec<Point> {
                (0..lengths[ship]).map(|step| Point::new(x + step * across, y + step * up)).collect()
            };
            let is_free = |cells: &Vec<Point>| cells.iter().all(|cell| grid.contains(*cell) && !taken.contains(cell));
            let choices: Vec<_> = places.map(cells).filter(is_free).collect();
            fleet[ship].clone_from(&choices[random.random_range(0..choices.len() as u32) as usize]);
            taken.extend(&fleet[ship]);
        }
        fleet
    };
    for (seed, grid) in
        (0..100).zip([Grid::new(7, 7), Grid::new(10, 10), Grid::new(14, 14), Grid::new(5, 9)].into_iter().cycle())
    {
        let expected = by_list(grid, &[3, 2, 4, 5, 3, 1], &mut rules::random(seed));
        let shapes = [3, 2, 4, 5, 3, 1].map(Shape::straight);
        let fleet = place_shapes(grid, &shapes, Cells::clone, &mut rules::random(seed));
        assert_eq!(fleet, Some(expected), "{grid:?}");
    }
}

#[test]
fn a_ship_may_start_at_either_end() {
    let starts: Vec<_> = (0..100).map(|seed| random_fleet(Grid::new(5, 5), &[3], &mut rules::random(seed))).collect();
    assert!(Direction::ALL.iter().all(|to| starts.iter().flatten().flatten().any(|(_, direction)| direction == to)));
}

#[test]
fn a_fleet_too_large_for_the_grid_is_none() {
    assert_eq!(random_fleet(Grid::new(2, 2), &[2, 2, 2], &mut rules::random(1)), None);
    let apart = |ship: &Cells| ship.widened(true);
    assert_eq!(place_shapes(Grid::new(2, 2), &[1, 1].map(Shape::straight), apart, &mut rules::random(1)), None);
}
