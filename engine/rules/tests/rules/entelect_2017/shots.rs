//! The effects of a shot on the map, the counters and the maps of both players.

use crate::table::{Table, fire, pass, shoot};
use rules::entelect_2017::{Event, Impact, ImpactResult, MapSize, OpponentCell, Ship, Weapon};
use rules::{Audience, Game, Point, Seat};

/// Simplified rules 6, Game Engine Rules 5: a shot damages the ship it hits.
#[test]
fn a_shot_at_a_ship_is_a_hit() {
    let mut table = Table::small();
    table.round(fire(4, 1), pass());
    assert!(table.b_cell(4, 1).hit);
    assert_eq!((table.a().shots_fired, table.a().shots_hit), (1, 1));
    assert_eq!(table.seen_by_a(4, 1), OpponentCell { damaged: true, ..Default::default() });
}

/// Simplified rules 6, Game Engine Rules 6: else it just hits the water, and counts as fired.
#[test]
fn a_shot_at_the_water_is_a_miss() {
    let mut table = Table::small();
    table.round(fire(5, 1), pass());
    assert!(table.b_cell(5, 1).hit);
    assert_eq!((table.a().shots_fired, table.a().shots_hit), (1, 0));
    assert_eq!(table.seen_by_a(5, 1), OpponentCell { missed: true, ..Default::default() });
}

/// Map Generation, last sentence: players see on their opponent's map where they hit and missed, and no more.
#[test]
fn a_player_sees_of_the_other_map_only_where_it_shot() {
    let mut table = Table::small();
    table.round(fire(4, 1), fire(0, 0)).round(fire(5, 5), fire(6, 6));
    let known: Vec<OpponentCell> =
        table.game.view(Seat::A).opponent.cells.into_iter().filter(|&cell| cell != OpponentCell::default()).collect();
    assert_eq!(known.len(), 2);
}

/// Version 1.0.1 (7) and the original: a hit cell can be shot again, which costs and counts as fired but earns nothing.
#[test]
fn hitting_the_same_cell_again_earns_nothing() {
    let mut table = Table::small();
    table.round(fire(4, 1), pass()).round(fire(4, 1), pass());
    assert_eq!((table.a().shots_fired, table.a().shots_hit, table.a().points), (2, 1, 10));
    assert_eq!(table.a().energy, 2 + 2 * 2 - 2);
    let again = Impact { point: Point::new(4, 1), result: ImpactResult::Again };
    assert!(
        table.events.iter().any(|event| matches!(event, Event::Fired { impacts, .. } if impacts.iter().eq([again])))
    );
}

/// The original: Game Engine Rules 6 counts shots fired by command, not by cell.
#[test]
fn an_area_shot_counts_as_one_shot() {
    let mut table = Table::set(MapSize::Medium);
    table.wait_for(Weapon::CrossShot).round(shoot(Weapon::CrossShot, 4, 1), pass());
    assert_eq!((table.a().shots_fired, table.a().shots_hit), (1, 4));
}

/// Game Engine Rules 8, simplified rules 5: a ship is destroyed when all its cells are hit, and both players see it.
#[test]
fn a_ship_with_all_cells_hit_is_destroyed() {
    let mut table = Table::small();
    table.round(fire(1, 0), pass());
    assert!(!table.b().board.ship(Ship::Destroyer).destroyed);
    table.round(fire(1, 1), pass());
    assert!(table.b().board.ship(Ship::Destroyer).destroyed);
    assert_eq!(table.b().board.ships_remaining(), 4);
    assert_eq!(table.game.view(Seat::A).opponent.destroyed, [false, true, false, false, false]);
    assert!(table.events.contains(&Event::Sunk { seat: Seat::B, ship: Ship::Destroyer }));
}

/// The original, and what roundCommand.json shows: a refused command is remembered as unsuccessful, with its centre.
#[test]
fn the_last_command_is_remembered_with_its_success() {
    let mut table = Table::small();
    table.round(fire(6, 6), fire(-3, 4));
    assert!(table.a().last_command.successful);
    assert!(!table.b().last_command.successful);
    assert_eq!(table.b().last_command.centre, Point::new(-3, 4));
}

/// The original: doing nothing in phase 2 is a success, and the centre of the command before stays.
#[test]
fn doing_nothing_succeeds_and_keeps_the_last_centre() {
    let mut table = Table::small();
    table.round(fire(6, 6), fire(-3, 4)).round(crate::table::nothing(), crate::table::silence());
    for (player, centre) in [(table.a(), (6, 6)), (table.b(), (-3, 4))] {
        assert!(player.last_command.successful);
        assert_eq!(player.last_command.centre, Point::new(centre.0, centre.1));
    }
}

/// Map Generation, last sentence: where a shot fell is told to both, why an order was refused to its player alone.
#[test]
fn shots_are_told_to_both_and_refusals_to_one() {
    let mut game = Table::small().game;
    let told = game.advance([(Seat::A, fire(0, 0)), (Seat::B, pass())].into_iter().collect());
    let audience = |wanted: fn(&Event) -> bool| told.iter().find(|told| wanted(&told.event)).unwrap().to;
    assert_eq!(audience(|event| matches!(event, Event::Fired { .. })), Audience::Everyone);
    let refused = audience(|event| matches!(event, Event::Refused { .. }));
    assert!(refused.includes(Seat::B) && !refused.includes(Seat::A));
}
