//! Chances of small boards, compared with those of all fleets.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should end here")]

use crate::random::Random;
use crate::{Chances, Effort, Facts, Kind, Layout, Method, NEVER, PlaceNumber, Prior, Sum, Sunk};

const SIDE: usize = 5;

/// The cells of a straight ship on a square board, in all places.
fn straight(side: usize, length: usize) -> Vec<Vec<usize>> {
    let mut places = Vec::new();
    for (x, y) in (0..side).flat_map(|x| (0..side).map(move |y| (x, y))) {
        if y + length <= side {
            places.push((0..length).map(|step| x * side + y + step).collect());
        }
        if x + length <= side && length > 1 {
            places.push((0..length).map(|step| (x + step) * side + y).collect());
        }
    }
    places
}

/// The cells around a ship, also by corners.
fn around(side: usize, cells: &[usize]) -> Vec<usize> {
    let near = |a: usize, b: usize| (a / side).abs_diff(b / side) <= 1 && (a % side).abs_diff(b % side) <= 1;
    (0..side * side).filter(|cell| cells.iter().any(|own| near(*cell, *own))).collect()
}

/// A board of `side` columns and rows with so many ships of each length.
fn layout(side: usize, ships: &[(usize, usize)], is_apart: bool) -> Layout {
    let kinds = ships.iter().map(|&(count, length)| Kind { count, places: straight(side, length) });
    Layout::new(side * side, kinds.collect(), |cells| if is_apart { around(side, cells) } else { Vec::new() })
}

fn edge(cells: &[usize]) -> f64 {
    let is_edge = |cell: &&usize| [0, SIDE - 1].contains(&(**cell / SIDE)) || [0, SIDE - 1].contains(&(**cell % SIDE));
    (2.0 * cells.iter().filter(is_edge).count() as f64 / cells.len() as f64).exp()
}

/// All fleets, each once, in whatever way they agree with facts.
fn all_fleets(layout: &Layout) -> Vec<Vec<PlaceNumber>> {
    let mut fleets = vec![Vec::new()];
    for kind in 0..layout.kinds() {
        for nth in 0..layout.count(kind) {
            let longer = |fleet: &Vec<PlaceNumber>| {
                let first = if nth == 0 { 0 } else { *fleet.last().unwrap() + 1 };
                let fits = |place: &PlaceNumber| {
                    let clash = |other: &PlaceNumber| {
                        let apart = &layout.all()[*other].apart;
                        layout
                            .place(*place)
                            .iter()
                            .any(|cell| layout.place(*other).contains(cell) || apart.contains(cell))
                    };
                    *place >= first && !fleet.iter().any(clash)
                };
                let places = layout.places(kind).filter(fits);
                places.map(|place| fleet.iter().copied().chain([place]).collect()).collect::<Vec<Vec<_>>>()
            };
            fleets = fleets.iter().flat_map(longer).collect();
        }
    }
    fleets
}

/// True if a fleet agrees with the facts, told from what they mean.
fn agrees(layout: &Layout, facts: &Facts, fleet: &[PlaceNumber]) -> bool {
    let kind = |place: PlaceNumber| layout.all()[place].kind;
    let is_ship = |cell: usize| fleet.iter().any(|place| layout.place(*place).contains(&cell));
    let is_open = fleet.iter().all(|place| layout.place(*place).iter().all(|cell| facts.is_open(kind(*place), *cell)));
    let in_sum = |sum: &Sum| {
        let count = sum.cells.iter().filter(|cell| is_ship(**cell)).count();
        (sum.least..=sum.most).contains(&count)
    };
    let sank = |place: PlaceNumber| facts.sank(kind(place), layout.place(place));
    let told_well = facts.sinkings.as_ref().is_none_or(|told| {
        let sunk = fleet.iter().filter(|place| sank(**place) != NEVER);
        let is_told = |place: &PlaceNumber, sunk: &Sunk| {
            sunk.time.is_none_or(|time| time == sank(*place))
                && sunk.cell.is_none_or(|cell| layout.place(*place).contains(&cell))
                && sunk.kinds.as_ref().is_none_or(|kinds| kinds.contains(&kind(*place)))
        };
        // Facts of these tests tell sinkings apart or tell nothing but their kind, so that greedy matching is right.
        let mut left: Vec<&Sunk> = told.iter().collect();
        let all_told = sunk.clone().all(|place| {
            let at = left.iter().position(|sunk| is_told(place, sunk));
            at.map(|at| left.remove(at)).is_some()
        });
        all_told && left.is_empty()
    });
    (0..layout.cells()).all(|cell| !facts.occupied[cell] || is_ship(cell))
        && is_open
        && told_well
        && facts.sums.iter().all(in_sum)
}

/// The chances of cells by all fleets, with the weight of each.
fn by_all(layout: &Layout, facts: &Facts, weight: impl Fn(&[PlaceNumber]) -> f64) -> Vec<f64> {
    let (mut cells, mut all) = (vec![0.0; layout.cells()], 0.0);
    for fleet in all_fleets(layout).iter().filter(|fleet| agrees(layout, facts, fleet)) {
        all += weight(fleet);
        fleet.iter().flat_map(|place| layout.place(*place)).for_each(|cell| cells[*cell] += weight(fleet));
    }
    assert!(all > 0.0, "a fleet agrees");
    cells.iter().map(|cell| cell / all).collect()
}

/// The results of shots that are told.
#[derive(Clone, Copy, PartialEq)]
enum Told {
    Hits,
    Sinkings,
    Kinds,
    Totals,
}

/// The facts after so many shots at a fleet that is drawn.
fn position(layout: &Layout, shots: usize, told: Told, random: &mut Random) -> Facts {
    let fleets = all_fleets(layout);
    let fleet = &fleets[random.below(fleets.len())];
    let mut facts = Facts::new(layout);
    let mut fired: Vec<usize> = Vec::new();
    let mut sunk = Vec::new();
    for time in 0..shots as u32 {
        // Every second shot is beside the first hit, so that ships are sunk now and then.
        let beside =
            fired.iter().copied().filter(|cell| facts.occupied[*cell]).flat_map(|cell| [cell + 1, cell + SIDE]);
        let beside = { beside }.find(|cell| *cell < layout.cells() && !fired.contains(cell));
        let fresh: Vec<usize> = (0..layout.cells()).filter(|cell| !fired.contains(cell)).collect();
        let cell = beside.filter(|_| time % 2 == 1).unwrap_or(fresh[random.below(fresh.len())]);
        fired.push(cell);
        let Some(ship) = fleet.iter().find(|place| layout.place(**place).contains(&cell)) else {
            if told != Told::Totals {
                facts.close(cell);
            }
            continue;
        };
        if told == Told::Totals {
            continue;
        }
        facts.destroy(cell, time);
        let kind = layout.all()[*ship].kind;
        if facts.sank(kind, layout.place(*ship)) != NEVER {
            sunk.push(match told {
                Told::Kinds => Sunk { time: None, cell: None, kinds: Some(vec![kind]) },
                _ => Sunk { time: Some(time), cell: Some(cell), kinds: None },
            });
        }
    }
    if matches!(told, Told::Sinkings | Told::Kinds) {
        facts.tell_sinkings(sunk);
    }
    for salvo in fired.chunks(3).filter(|_| told == Told::Totals) {
        let is_hit = |cell: &&usize| fleet.iter().any(|place| layout.place(*place).contains(cell));
        let hits = salvo.iter().filter(is_hit).count();
        facts.add_sum(Sum { cells: salvo.to_vec(), least: hits, most: hits });
    }
    facts
}

const BOARDS: [(&[(usize, usize)], bool); 4] = [
    (&[(1, 3), (1, 2)], false),
    (&[(2, 2), (1, 3)], false),
    (&[(2, 2), (1, 3)], true),
    (&[(1, 4), (1, 3), (1, 2)], false),
];

fn largest_difference(found: &[f64], wanted: &[f64]) -> f64 {
    found.iter().zip(wanted).map(|(found, wanted)| (found - wanted).abs()).fold(0.0, f64::max)
}

/// Compares chances of many positions with those by all fleets.
fn compare(told: &[Told], effort: Effort, method: Method, most: f64) {
    let mut random = Random::new(3);
    for (ships, is_apart) in BOARDS {
        let layout = layout(SIDE, ships, is_apart);
        for (nth, &told) in told.iter().cycle().take(told.len() * 4).enumerate() {
            let facts = position(&layout, 3 + 2 * (nth % 5), told, &mut random);
            let chances = Chances::of(&layout, &facts, effort, 1);
            assert_eq!(chances.method(), method);
            let wanted = by_all(&layout, &facts, |_| 1.0);
            let difference = largest_difference(chances.cells(), &wanted);
            assert!(difference < most, "{difference} with {ships:?}, apart {is_apart}, {facts:?}");
        }
    }
}

const TOLD: [Told; 3] = [Told::Hits, Told::Sinkings, Told::Kinds];

#[test]
fn exact_chances_are_those_of_all_fleets() {
    compare(&TOLD, Effort { exact: 1_000_000, ..Effort::THOROUGH }, Method::Exact, 1e-9);
}

#[test]
fn sampled_chances_are_near_those_of_all_fleets() {
    compare(&TOLD, Effort { exact: 0, ..Effort::THOROUGH }, Method::Sampled, 0.04);
}

#[test]
fn sums_of_hits_give_the_chances_of_all_fleets() {
    compare(&[Told::Totals], Effort { fleets: 4_000, ..Effort::THOROUGH }, Method::Sampled, 0.06);
}

#[test]
fn priors_are_weighed_by_what_is_known() {
    let layout = layout(SIDE, &[(1, 3), (1, 2)], false);
    let shares = [0.5, 0.5];
    let with = layout
        .clone()
        .with_priors(&[Prior { share: shares[0], weight: &|_| 1.0 }, Prior { share: shares[1], weight: &edge }]);
    let all = all_fleets(&layout);
    let edges = |fleet: &[PlaceNumber]| fleet.iter().map(|place| edge(layout.place(*place))).product::<f64>();
    let even = 1.0 / all.len() as f64;
    let sum: f64 = all.iter().map(|fleet| edges(fleet)).sum();
    let mut random = Random::new(5);
    for _ in 0..5 {
        let facts = position(&layout, 9, Told::Sinkings, &mut random);
        let wanted = by_all(&layout, &facts, |fleet| 0.5 * even + 0.5 * edges(fleet) / sum);
        for (exact, most) in [(1_000_000, 0.01), (0, 0.05)] {
            let chances = Chances::of(&with, &facts, Effort { exact, ..Effort::THOROUGH }, 1);
            let difference = largest_difference(chances.cells(), &wanted);
            assert!(difference < most, "{difference} with {facts:?}");
            let agree = |weight: &dyn Fn(&[PlaceNumber]) -> f64| -> f64 {
                all.iter().filter(|fleet| agrees(&layout, &facts, fleet)).map(|fleet| weight(fleet)).sum()
            };
            let (even, edge) = (agree(&|_| even), agree(&|fleet| edges(fleet) / sum));
            assert!((chances.priors()[1] - edge / (even + edge)).abs() < 0.05, "{:?}", chances.priors());
        }
    }
}

#[test]
fn errors_are_as_large_as_the_differences() {
    let layout = layout(SIDE, &[(1, 4), (1, 3), (1, 2)], false);
    let mut random = Random::new(9);
    let (mut within, mut all) = (0, 0);
    for _ in 0..10 {
        let facts = position(&layout, 4, Told::Hits, &mut random);
        let wanted = by_all(&layout, &facts, |_| 1.0);
        let chances = Chances::of(&layout, &facts, Effort { exact: 0, ..Effort::THOROUGH }, 1);
        for ((found, error), wanted) in chances.cells().iter().zip(chances.errors()).zip(&wanted) {
            within += usize::from((found - wanted).abs() <= 3.0 * error + 1e-9);
            all += 1;
        }
    }
    assert!(within * 100 >= all * 95, "{within} of {all}");
}

#[test]
fn fleets_that_are_kept_stand_for_the_chances() {
    let layout = layout(SIDE, &[(1, 3), (1, 2)], false);
    let facts = position(&layout, 5, Told::Hits, &mut Random::new(2));
    for exact in [0, 1_000_000] {
        let chances = Chances::of(&layout, &facts, Effort { exact, keeps: true, ..Effort::THOROUGH }, 1);
        let mut cells = vec![0.0; layout.cells()];
        for (share, fleet) in chances.fleets() {
            assert!(agrees(&layout, &facts, fleet));
            fleet.iter().flat_map(|place| layout.place(*place)).for_each(|cell| cells[*cell] += share);
        }
        assert!(largest_difference(&cells, chances.cells()) < 0.05);
    }
}

#[test]
fn facts_that_agree_with_no_fleet_give_nothing() {
    let layout = layout(SIDE, &[(1, 3)], false);
    let mut facts = Facts::new(&layout);
    facts.occupy(0);
    facts.occupy(24);
    for effort in [Effort::QUICK, Effort::THOROUGH] {
        let chances = Chances::of(&layout, &facts, effort, 1);
        assert_eq!((chances.method(), chances.cells().iter().sum::<f64>()), (Method::Nothing, 0.0));
    }
    facts.add_sum(Sum { cells: vec![1, 2], least: 1, most: 1 });
    assert_eq!(Chances::of(&layout, &facts, Effort::THOROUGH, 1).method(), Method::Nothing);
}

#[test]
fn a_hundred_ships_on_a_large_board_are_counted() {
    let layout = layout(40, &[(60, 2), (40, 3)], false);
    let mut facts = Facts::new(&layout);
    facts.destroy(0, 0);
    for effort in [Effort::QUICK, Effort { fleets: 20, ..Effort::THOROUGH }] {
        let chances = Chances::of(&layout, &facts, effort, 1);
        assert!((chances.cells()[0] - 1.0).abs() < 1e-9, "{:?}", chances.method());
        assert!((chances.cells().iter().sum::<f64>() - 240.0).abs() < 1e-6);
    }
}

#[test]
fn sums_on_a_large_board_are_left_aside() {
    let layout = layout(40, &[(20, 2), (10, 3)], false);
    assert!(layout.is_large());
    let mut facts = Facts::new(&layout);
    facts.add_sum(Sum { cells: vec![0, 1, 2], least: 1, most: 1 });
    facts.close(0);
    let chances = Chances::of(&layout, &facts, Effort::QUICK, 1);
    assert_eq!((chances.method(), chances.cells()[0]), (Method::Independent, 0.0));
    assert!(chances.cells()[1] < 0.1);
}
