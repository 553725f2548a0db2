//! The true fleets agree with the facts, along whole games.

use crate::games;
use crate::orders::Ordered;
use crate::played::Played;
use analysis::{Analysed, Chances, Effort, Facts, Layout};
use chances::{Kind, Method};
use rules::battleship::Battleship;
use rules::bots_arena::BotsArena;
use rules::entelect_2017::Entelect2017;
use rules::salvo::Salvo;
use rules::sea_battle::SeaBattle;
use rules::{Game, Point, Seat};

/// The places of the ships at which a seat fires, by their kinds.
fn true_places<G: Ordered>(game: &G, seat: Seat, view: &G::View, layout: &Layout) -> Vec<Vec<Vec<usize>>> {
    let boards = G::targets(seat, view);
    let (mut places, kinds) = (vec![Vec::new(); layout.kinds()], layout.kinds() / boards.len());
    for (nth, board) in boards.iter().enumerate() {
        for (kind, cells) in game.fleet(board.seat) {
            let number = |cell: &Point| nth * board.grid.len() + board.grid.index(*cell).unwrap();
            places[nth * kinds + kind].push(cells.iter().map(number).collect());
        }
    }
    places
}

/// True if the true fleets agree with the facts.
fn agrees(places: Vec<Vec<Vec<usize>>>, layout: &Layout, facts: &Facts) -> bool {
    let kinds = places.into_iter().map(|places| Kind { count: places.len(), places });
    let truth = Layout::new(layout.cells(), kinds.collect(), |_| Vec::new());
    Chances::of(&truth, facts, Effort::THOROUGH, 1).method() != Method::Nothing
}

fn check<G: Ordered>(settings: &G::Settings, seats: u8, games: u64) {
    for seed in 0..games {
        let mut random = rules::random(seed);
        let mut played = Played::<G>::new(settings, seats, seed);
        let mut turn = 0;
        while played.game.outcome().is_none() {
            played.turn(&mut random, |_, _, _, _| {});
            turn += 1;
            // Nothing is forgotten, so that the end of a game and a part of its turns show all.
            if turn % 5 != 0 && played.game.outcome().is_none() {
                continue;
            }
            for (seat, layout) in (0..seats).filter_map(Seat::new).zip(&played.layouts) {
                let view = played.game.view(seat);
                if G::is_placing(&view) {
                    continue;
                }
                assert_eq!(G::layout(&view).cells(), layout.cells());
                let facts = G::facts(&view, layout);
                let places = true_places(&played.game, seat, &view, layout);
                let of_kinds = places.iter().enumerate();
                of_kinds.for_each(|(kind, places)| assert_eq!(places.len(), layout.count(kind)));
                assert!(
                    agrees(places.clone(), layout, &facts),
                    "{settings:?}\nseat {seat} of game {seed}: {places:?} do not agree with {facts:?}\nin {view:?}"
                );
            }
        }
    }
}

#[test]
fn the_true_fleets_of_all_games_agree_with_the_facts() {
    check::<Entelect2017>(&Default::default(), 2, 2);
    check::<SeaBattle>(&Default::default(), 2, 4);
    check::<BotsArena>(&Default::default(), 2, 4);
}

#[test]
fn the_true_fleets_of_salvo_agree_with_the_facts() {
    for seats in [2, 3] {
        check::<Salvo>(&Default::default(), seats, 2);
    }
}

#[test]
fn the_true_fleets_of_battleship_agree_with_the_facts_by_any_rules() {
    for (rules, seats) in games::open().into_iter().chain(games::solo()).chain(games::unseen()) {
        check::<Battleship>(&rules, seats, 2);
    }
}

#[test]
fn the_true_fleet_of_each_board_of_battleship_agrees_with_the_facts_of_the_board() {
    for (rules, seats) in games::open().into_iter().chain(games::unseen()).filter(|(_, seats)| *seats > 2) {
        let (mut random, mut played) = (rules::random(9), Played::<Battleship>::new(&rules, seats, 9));
        let layout = analysis::battleship::layout_of_board(&rules);
        while played.game.outcome().is_none() {
            played.turn(&mut random, |_, _, _, _| {});
            let view = played.game.view(Seat::A);
            for owner in view.targets().filter(|_| !view.placing) {
                let facts = analysis::battleship::facts_of_board(&view, owner, &layout);
                let mut places = vec![Vec::new(); layout.kinds()];
                for (kind, cells) in played.game.fleet(owner) {
                    places[kind].push(cells.iter().map(|cell| rules.grid().index(*cell).unwrap()).collect());
                }
                assert!(agrees(places, &layout, &facts), "{rules:?}: {facts:?}");
            }
        }
    }
}
