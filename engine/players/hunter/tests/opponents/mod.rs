//! Games of the hunter against weaker players, straight through the rules.

use hunter::{Cells, Density, Sight, placing, shadow, weapons};
use rand::RngExt;
use rules::PlayerInfo;
use rules::entelect_2017::files::Files;
use rules::entelect_2017::{Entelect2017, MapSize, OpponentCell, Order, Phase, Settings, View, Weapon};
use rules::{Game, Random, Seat};

pub(crate) type Brain = fn(&View, &mut Random) -> Order;

/// Decides from the very file that a match would write.
fn hunter(view: &View, random: &mut Random) -> Order {
    let files = Files::new(["Alpha", "Bravo"].into_iter().map(PlayerInfo::named).collect());
    let state = serde_json::from_slice(&files.player_files(view)[0].bytes).unwrap();
    hunter::decide(&state, random).unwrap()
}

/// Fires single shots at random cells that it knows nothing of.
pub(crate) fn random_shooter(view: &View, random: &mut Random) -> Order {
    let unknown: Vec<usize> = sight(view).unknown().iter().collect();
    single_shot(view, unknown[random.random_range(0..unknown.len())])
}

/// Aims like the hunter, but fires single shots only and never raises its shield.
pub(crate) fn single_shooter(view: &View, random: &mut Random) -> Order {
    let sight = sight(view);
    let density = Density::of(&sight, random);
    let shadow = shadow::shadow(&sight, view.own.shield.max_radius);
    let target = weapons::Target { sight: &sight, density: &density, shadow: &shadow };
    let centre = target.best_shot(Weapon::SingleShot, random).centre;
    Order::Fire { weapon: Weapon::SingleShot, centre }
}

fn single_shot(view: &View, cell: usize) -> Order {
    Order::Fire { weapon: Weapon::SingleShot, centre: view.size.grid().points().nth(cell).unwrap() }
}

fn sight(view: &View) -> Sight {
    let cells = |is_so: fn(&OpponentCell) -> bool| -> Cells {
        view.opponent.cells.iter().enumerate().filter(|(_, cell)| is_so(cell)).map(|(nth, _)| nth).collect()
    };
    Sight {
        grid: view.size.grid(),
        missed: cells(|cell| cell.missed),
        damaged: cells(|cell| cell.damaged),
        shield_hits: cells(|cell| cell.shield_hit),
        sunk: view.opponent.destroyed,
    }
}

/// The number of games that the hunter wins. It sits in either seat in turn; both place their ships as it does.
pub(crate) fn wins(size: MapSize, games: u64, opponent: Brain) -> usize {
    (0..games).filter(|&seed| hunter_wins(size, seed, opponent)).count()
}

fn hunter_wins(size: MapSize, seed: u64, opponent: Brain) -> bool {
    let ours = if seed.is_multiple_of(2) { Seat::A } else { Seat::B };
    let mut random = rules::random(seed);
    let mut game = Entelect2017::start(&Settings { size }, 2, seed).unwrap();
    while game.outcome().is_none() {
        let answers = [Seat::A, Seat::B].map(|seat| {
            let order = match game.phase() {
                Phase::One => placing::place(size.grid(), &mut random).unwrap().into(),
                Phase::Two if seat == ours => hunter(&game.view(seat), &mut random),
                Phase::Two => opponent(&game.view(seat), &mut random),
            };
            assert_eq!(game.check(seat, &order), Ok(()), "{seat} gives a legal order");
            (seat, Ok(order))
        });
        game.advance(answers.into_iter().collect());
    }
    game.outcome().unwrap().winner == Some(ours)
}
