//! Profiles of games that are played and recorded here, and of sheets that are written by hand.

use super::*;
use rules::{FirstRow, GameKind, Grid};

fn board() -> Board {
    let ship = |name: &str, cells| ShipKind { name: name.to_owned(), count: 1, cells };
    Board {
        game: GameKind::BotsArena,
        grid: Grid::new(10, 10),
        first_row: FirstRow::Bottom,
        ships: vec![ship("destroyer", 2), ship("carrier", 5)],
        has_shields: false,
    }
}

/// A sheet of a game with a fleet and shots at these cells, each of which misses.
fn sheet(won: Option<bool>, fleet: &[(usize, Vec<usize>)], shots: &[usize]) -> GameSheet {
    let volley = |cell: &usize| Volley {
        kind: "shot",
        cells: vec![*cell],
        shots: 1,
        hits: u32::from(*cell == 55),
        wounded: false,
        worth: Some([0.25, 0.5, 0.125]),
    };
    GameSheet {
        won,
        against: Vec::new(),
        fleet: fleet.to_vec(),
        volleys: shots.iter().map(volley).collect(),
        salvos: Vec::new(),
        actions: Vec::new(),
        shields: Vec::new(),
        caught: 0,
        at_shields: ShieldShots::default(),
        left: if won == Some(false) { vec![(0, 1)] } else { Vec::new() },
        too_large: false,
    }
}

fn random_fleets() -> RandomFleets {
    let record = concat!(env!("CARGO_MANIFEST_DIR"), "/../../replays/bots-arena.jsonl");
    let record = arena::record::Record::read(record.as_ref()).unwrap();
    RandomFleets::of(&record, &Board { ships: vec![board().ships[0].clone(); 5], ..board() }).unwrap()
}

fn profile(sheets: impl IntoIterator<Item = GameSheet>) -> Profile {
    let mut sums = ProfileSums::new(board());
    sheets.into_iter().for_each(|sheet| sums.add(&sheet));
    Profile::new("bot".to_owned(), &sums, &random_fleets())
}

/// A fleet with the destroyer in a corner, and a carrier somewhere.
fn corner_fleet(nth: usize) -> Vec<(usize, Vec<usize>)> {
    let start = 22 + nth % 4 + 10 * (nth / 4 % 6);
    vec![(0, vec![0, 1]), (1, (start..start + 5).collect())]
}

#[test]
fn sums_of_sheets_are_those_of_the_games() {
    let games = (0..8).map(|nth| sheet([Some(true), Some(false), None][nth % 3], &corner_fleet(nth), &[55, 44, nth]));
    let profile = profile(games);
    assert_eq!((profile.games, profile.won, profile.lost, profile.drawn), (8, 3, 3, 2));
    assert_eq!((profile.fleets.cells[0], profile.fleets.cells[99], profile.fleets.different), (8, 0, 8));
    assert_eq!((profile.first_shots.cells[55], profile.first_shots.cells[3]), (8, 1));
    let to_win = profile.shots_to_win.unwrap();
    assert_eq!((to_win.games, to_win.median, to_win.most), (3, 3.0, 3));
    assert_eq!(profile.phases, [PhaseShots { shots: 24, hits: 8 }, PhaseShots { shots: 0, hits: 0 }]);
    assert_eq!((profile.accuracy, profile.random_accuracy, profile.luck), (Some(0.5), Some(0.25), Some(0.25)));
    let left = &profile.losses.ships[0];
    assert_eq!((left.games, left.alone, left.cells, profile.losses.ships[1].games), (3, 3, 3, 0));
    assert!(profile.salvos.is_none() && profile.shield.is_none() && !profile.too_large);
}

#[test]
fn quartiles_join_the_nearest_numbers() {
    let of = |numbers: &[u32]| Quartiles::of(numbers).map(|of| (of.lower, of.median, of.upper));
    assert_eq!(of(&[]), None);
    assert_eq!(of(&[7]), Some((7.0, 7.0, 7.0)));
    assert_eq!(of(&[4, 1, 3, 2]), Some((1.75, 2.5, 3.25)));
}

#[test]
fn a_destroyer_in_a_corner_is_told_and_so_are_first_shots_that_are_always_the_same() {
    let profile = profile((0..24).map(|nth| sheet(Some(true), &corner_fleet(nth), &[55, nth])));
    let found = |wanted: &Habit| profile.hints.iter().find(|hint| hint.habit == *wanted);
    let corner = found(&Habit::ShipInCorner { ship: 0 }).unwrap();
    assert_eq!((corner.times, corner.of), (24, 24));
    assert!(corner.probability < 1e-6 && corner.by_chance < 6.0, "{corner:?}");
    assert!(corner.words.starts_with("Its destroyer stood in a corner in 24 of 24 games (by chance "), "{corner:?}");
    assert_eq!(found(&Habit::FirstShot { cell: 55 }).unwrap().times, 24);
    assert!(found(&Habit::SameFleet).is_none(), "all fleets differ");
    assert!(profile.tests > profile.hints.len());
}

#[test]
fn the_same_fleet_in_every_game_is_told() {
    let profile = profile((0..6).map(|_| sheet(Some(true), &corner_fleet(0), &[])));
    assert_eq!(profile.hints[0].habit, Habit::SameFleet);
    assert_eq!(profile.hints[0].words, "The same fleet stood on the board in 6 of 6 games: remember where it lies");
}
