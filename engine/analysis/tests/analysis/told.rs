//! Shots, aims and fleets as they were.

use crate::games;
use crate::orders::Ordered;
use crate::played::{Played, plain};
use analysis::Analysed;
use rules::battleship::Battleship;
use rules::bots_arena::BotsArena;
use rules::entelect_2017::Entelect2017;
use rules::salvo::Salvo;
use rules::sea_battle::SeaBattle;
use rules::{Point, Seat};

fn check<G: Ordered>(settings: &G::Settings, seats: u8, tells_each: bool) {
    let (mut random, mut played) = (rules::random(5), Played::<G>::new(settings, seats, 5));
    let layouts = played.layouts.clone();
    let mut hits = vec![0; usize::from(seats)];
    while played.game.outcome().is_none() {
        played.turn(&mut random, |before, orders, told, after| {
            for (seat, _) in orders {
                let view = before.view(*seat);
                let Some(fired) = <G as Analysed>::fired(*seat, &view, told) else { continue };
                assert_eq!(fired.by, *seat);
                assert!(!G::is_placing(&view) && !fired.shots.is_empty());
                hits[seat.index()] += fired.hits;
                let aims = G::aims(&view, &fired);
                for shot in &fired.shots {
                    assert!(
                        aims.contains(shot) || fired.kind == "shot" && fired.hits == 0,
                        "{fired:?} is not in {aims:?}"
                    );
                }
                let most: usize = fired.shots.iter().map(Vec::len).sum();
                assert!(fired.hits as usize <= most && fired.sunk <= fired.hits, "{fired:?}");
                let (view, boards) = (after.view(*seat), G::targets(*seat, &view));
                assert_eq!(boards, G::targets(*seat, &view));
                let aims = G::aims(&view, &plain(*seat));
                assert!(aims.iter().all(|aim| aim.len() == 1));
                let is_told = tells_each && fired.kind == "shot";
                for shot in fired.shots.iter().filter(|_| is_told && fired.hits == 0) {
                    let facts = G::facts(&view, &layouts[seat.index()]);
                    assert!(facts.is_open(0, shot[0]) || !aims.contains(shot), "{shot:?} is in {aims:?}");
                }
            }
            for seat in (0..seats).filter_map(Seat::new) {
                assert_eq!(after.hits(seat).unwrap_or(hits[seat.index()]), hits[seat.index()], "{settings:?}");
                let view = after.view(seat);
                let (boards, layout) = (G::targets(seat, &view), &layouts[seat.index()]);
                let kinds = layout.kinds() / boards.len();
                for (nth, board) in boards.iter().enumerate().filter(|_| !G::is_placing(&view)) {
                    for (kind, cells) in after.fleet(board.seat) {
                        let number = |cell: &Point| nth * board.grid.len() + board.grid.index(*cell).unwrap();
                        let mut cells: Vec<usize> = cells.iter().map(number).collect();
                        cells.sort_unstable();
                        let is_there = |place: usize| {
                            let mut place = layout.place(place).to_vec();
                            place.sort_unstable();
                            place == cells
                        };
                        assert!(layout.places(nth * kinds + kind).any(is_there), "{kind}: {cells:?}");
                    }
                }
            }
        });
    }
    assert!(hits.iter().sum::<u32>() > 0);
}

#[test]
fn shots_aims_and_fleets_are_those_of_all_games() {
    check::<Entelect2017>(&Default::default(), 2, true);
    check::<SeaBattle>(&Default::default(), 2, true);
    check::<BotsArena>(&Default::default(), 2, true);
    check::<Salvo>(&Default::default(), 3, false);
}

#[test]
fn shots_aims_and_fleets_are_those_of_battleship_by_any_rules() {
    for (rules, seats) in games::open().into_iter().chain(games::solo()).chain(games::unseen()) {
        check::<Battleship>(&rules, seats, rules.choices().tells_each());
    }
}
