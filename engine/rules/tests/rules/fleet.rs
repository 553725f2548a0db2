//! Fleets at random on any grid.

use rules::{Direction, Grid, Point, Random, RngExt, random_fleet, straight};

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

/// Fleets are part of what a seed stands for: the choices come in the order of starts and directions.
#[test]
fn a_fleet_is_drawn_from_all_places_in_their_order() {
    let by_list = |grid: Grid, lengths: &[u8], random: &mut Random| {
        let mut taken = Vec::new();
        let place = |&length: &u8| {
            let is_free = |point: Option<Point>| point.is_some_and(|p| grid.contains(p) && !taken.contains(&p));
            let all = grid.points().flat_map(|start| Direction::ALL.map(|direction| (start, direction)));
            let choices: Vec<_> =
                all.filter(|&(start, direction)| straight(start, direction, length).all(is_free)).collect();
            let chosen = *choices.get(random.random_range(0..choices.len().max(1)))?;
            taken.extend(straight(chosen.0, chosen.1, length).flatten());
            Some(chosen)
        };
        lengths.iter().map(place).collect::<Option<Vec<_>>>()
    };
    for (seed, grid) in
        (0..100).zip([Grid::new(7, 7), Grid::new(10, 10), Grid::new(14, 14), Grid::new(5, 9)].into_iter().cycle())
    {
        let lengths = [3, 2, 4, 5, 3, 1];
        let expected = by_list(grid, &lengths, &mut rules::random(seed)).unwrap();
        assert_eq!(random_fleet(grid, &lengths, &mut rules::random(seed)), Some(expected), "{grid:?}");
    }
}

#[test]
fn a_fleet_too_large_for_the_grid_is_none() {
    assert_eq!(random_fleet(Grid::new(2, 2), &[2, 2, 2], &mut rules::random(1)), None);
}
