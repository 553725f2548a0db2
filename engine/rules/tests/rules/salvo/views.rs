//! The knowledge of a seat.

use super::{A, B, Match, c, usual_fleet};
use rules::salvo::{OwnSalvo, OwnShot, ReceivedShot, ShipKind, ShotResult};
use rules::{Game, Mover, Point, SalvoTotal};

#[test]
fn before_the_first_shot_everyone_knows_who_plays() {
    let view = Match::new(3, 100).game.view(B);
    assert_eq!((view.turn, view.round, view.salvo, view.last), (0, 0, None, None));
    assert!(view.fleet.is_empty() && view.players.iter().all(|(_, player)| player.is_in && player.afloat.is_empty()));
    let view = Match::set(3).game.view(B);
    assert_eq!(view.fleet, usual_fleet());
    assert_eq!(view.salvo, Some(Mover { seat: A, shots: 5, left: 5 }));
    assert!(view.players.iter().all(|(_, player)| player.afloat == ShipKind::ALL));
}

#[test]
fn own_shots_are_told_without_what_they_hit_but_for_sinkings() {
    let mut table = Match::set(3);
    table.fire_all(B, [(0, 4), (1, 4)]).fire(c(), 0, 0);
    let shot = |target, x, y, sank| OwnShot { target, at: Point::new(x, y), sank };
    let shots = vec![shot(B, 0, 4, None), shot(B, 1, 4, Some(ShipKind::PatrolBoat)), shot(c(), 0, 0, None)];
    let view = table.game.view(A);
    assert_eq!((view.own_shots.clone(), view.own_salvos), (shots.clone(), vec![]));
    table.lapse();
    let view = table.game.view(A);
    assert_eq!((view.own_shots, view.own_salvos), (vec![], vec![OwnSalvo { shots, hits: 3 }]));
    let others = table.game.view(c());
    assert_eq!(others.last, Some(SalvoTotal { seat: A, shots: 3, hits: 3 }));
    assert!(others.own_salvos.is_empty());
    assert_eq!(others.players[B].afloat, ShipKind::ALL[..4]);
}

#[test]
fn shots_that_fell_on_the_own_board_are_told_with_what_they_found() {
    let mut table = Match::set(3);
    table.fire(B, 0, 4).fire(B, 0, 4).fire(c(), 9, 9).fire(B, 9, 9).fire(B, 1, 4);
    let fell = |x, y, found| ReceivedShot { by: A, at: Point::new(x, y), found };
    let expected = [
        fell(0, 4, ShotResult::Hit),
        fell(0, 4, ShotResult::Again),
        fell(9, 9, ShotResult::Water),
        fell(1, 4, ShotResult::Sunk(ShipKind::PatrolBoat)),
    ];
    assert_eq!(table.game.view(B).received, expected);
    assert_eq!(table.game.view(c()).received, [fell(9, 9, ShotResult::Water)]);
}
