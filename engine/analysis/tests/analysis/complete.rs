//! Fleets that agree with the facts would have given the same views.

use crate::games;
use crate::orders::Ordered;
use crate::played::{Fleet, Played, cell};
use analysis::{Chances, Effort, Layout, TargetBoard};
use rules::Seat;
use rules::battleship::{Battleship, Rules};
use rules::bots_arena::BotsArena;
use rules::entelect_2017::Entelect2017;
use rules::salvo::Salvo;
use rules::sea_battle::SeaBattle;

/// The fleets of a fleet of chances, board by board.
fn fleets(boards: &[TargetBoard], layout: &Layout, places: &[usize]) -> Vec<(Seat, Fleet)> {
    let kinds = layout.kinds() / boards.len();
    let mut fleets: Vec<(Seat, Fleet)> = boards.iter().map(|board| (board.seat, Vec::new())).collect();
    for place in places {
        let kind = (0..layout.kinds()).find(|kind| layout.places(*kind).contains(place)).unwrap();
        let cells = layout.place(*place).iter().map(|number| cell(boards, *number).1).collect();
        fleets[kind / kinds].1.push((kind % kinds, cells));
    }
    fleets.iter_mut().for_each(|(_, fleet)| fleet.sort());
    fleets
}

/// Draws fleets now and then in games at random, and plays the games again with these. Gives the number of fleets that were drawn.
fn check<G: Ordered>(settings: &G::Settings, seats: u8, games: u64) -> usize {
    let effort = Effort { fleets: 10, exact: 0, keeps: true, ..Effort::THOROUGH };
    let mut drawn = 0;
    for seed in 0..games {
        let mut random = rules::random(seed);
        let mut played = Played::<G>::remembered(settings, seats, seed);
        for turn in 0.. {
            if played.game.outcome().is_some() {
                break;
            }
            played.turn(&mut random, |_, _, _, _| {});
            let seat = Seat::new((turn % usize::from(seats)) as u8).unwrap();
            let view = played.game.view(seat);
            if turn % 7 != 5 || G::is_placing(&view) {
                continue;
            }
            let (boards, layout) = (G::targets(seat, &view), &played.layouts[seat.index()]);
            let facts = G::facts(&view, layout);
            let chances = Chances::of(layout, &facts, effort, seed);
            for (_, places) in chances.fleets().iter().filter(|(share, _)| *share > 0.0).take(3) {
                let fleets = fleets(&boards, layout, places);
                let again = played.again(&fleets);
                assert_eq!(
                    format!("{:?}", G::told(&again.view(seat))),
                    format!("{:?}", G::told(&view)),
                    "{settings:?}\nturn {turn} of game {seed}, seat {seat}, fleets {fleets:?}\n{facts:?}"
                );
                drawn += 1;
            }
        }
    }
    drawn
}

#[test]
fn fleets_that_are_drawn_give_the_same_views_of_entelect_which_tell_no_times_of_sinkings() {
    assert!(check::<Entelect2017>(&Default::default(), 2, 5) > 20);
}

#[test]
fn fleets_that_are_drawn_give_the_same_views_of_sea_battle_and_bots_arena() {
    assert!(check::<SeaBattle>(&Default::default(), 2, 5) > 50);
    assert!(check::<BotsArena>(&Default::default(), 2, 5) > 50);
}

#[test]
fn fleets_that_are_drawn_give_the_same_views_of_salvo_between_two() {
    assert!(check::<Salvo>(&Default::default(), 2, 2) > 30);
}

#[test]
fn fleets_that_are_drawn_give_the_same_views_of_battleship_where_all_shots_are_known() {
    for (rules, seats) in games::open() {
        if is_exact(&rules) {
            assert!(check::<Battleship>(&rules, seats, 4) > 5, "{rules:?}");
        }
    }
}

/// False if facts cannot say all that is told: in a move of which only the number of hits is told, how often a cell with armour was hit.
fn is_exact(rules: &Rules) -> bool {
    rules.most_armour() == 1 || rules.choices().tells_each()
}
