//! Phase 1: placing the ships.

use crate::table::{Table, USUAL, all_placed, fire, nothing, pass, place, shield, silence};
use rules::entelect_2017::{MapSize, OrderKind, Phase, Refusal, Ship};
use rules::{Game, Point, Seat};

/// Simplified rules 2: in the first phase the ships are placed, and phase 2 follows when both fleets lie.
#[test]
fn phase_two_begins_when_both_fleets_lie_on_their_maps() {
    for size in MapSize::ALL {
        let mut table = Table::new(size);
        assert_eq!(table.game.phase(), Phase::One);
        table.place_both();
        assert_eq!(table.game.phase(), Phase::Two);
        assert!(all_placed(&table.a().board) && all_placed(&table.b().board));
    }
}

/// Game Engine Rules 3 and 4: a cell is empty until a ship occupies it.
#[test]
fn ships_occupy_the_cells_they_are_placed_on() {
    let table = Table::small();
    let occupied = table.a().board.cells().filter(|cell| cell.occupied).count();
    assert_eq!(occupied, 17);
    assert!(table.a_cell(3, 4).occupied && !table.a_cell(3, 5).occupied);
    assert_eq!(table.a().board.ship_at(Point::new(3, 4)), Some(Ship::Carrier));
}

/// Release notes 1.0.2 (3): ships may lie at the border in every direction.
#[test]
fn ships_grow_from_their_start_and_may_end_at_the_border() {
    let mut table = Table::new(MapSize::Small);
    let fleet = "Carrier 6 2 north\nBattleship 3 0 east\nCruiser 0 6 south\nSubmarine 4 6 west\nDestroyer 0 0 east";
    table.round(place(fleet), place(USUAL));
    assert_eq!(table.game.phase(), Phase::Two);
    let cells = |ship| table.a().board.ship(ship).cells().map(|p| p.unwrap()).collect::<Vec<_>>();
    assert_eq!(cells(Ship::Carrier), [2, 3, 4, 5, 6].map(|y| Point::new(6, y)));
    assert_eq!(cells(Ship::Battleship), [3, 4, 5, 6].map(|x| Point::new(x, 0)));
    assert_eq!(cells(Ship::Cruiser), [6, 5, 4].map(|y| Point::new(0, y)));
    assert_eq!(cells(Ship::Submarine), [4, 3, 2].map(|x| Point::new(x, 6)));
}

/// Player Rules 3: only the placement command counts in phase 1.
#[test]
fn any_other_command_in_phase_one_is_a_failed_placement() {
    for answer in [fire(0, 0), shield(3, 3), nothing(), silence()] {
        let mut table = Table::new(MapSize::Small);
        table.round(answer, place(USUAL));
        assert_eq!(table.refusal(Seat::A), Some(Refusal::NotPlaced));
        assert_eq!(table.a().failed_first_phase_commands, 1);
        assert_eq!((table.game.phase(), table.game.round()), (Phase::One, 1));
    }
}

/// Game Engine Rules 1: a placement that breaks the rules is an unsuccessful one.
#[test]
fn a_fleet_off_the_map_or_across_itself_fails() {
    for (fleet, why) in [
        (USUAL.replace("Cruiser 4 0", "Cruiser 4 5"), Refusal::PlacementOffBoard),
        (USUAL.replace("Submarine 0 0", "Submarine -1 0"), Refusal::PlacementOffBoard),
        (USUAL.replace("Destroyer 1 0", "Destroyer 1 6"), Refusal::PlacementBlocked),
        (USUAL.replace("Destroyer 1 0", "Destroyer 0 1"), Refusal::PlacementBlocked),
        (USUAL.replace("Destroyer 1 0", "Submarine 6 0"), Refusal::PlacementBlocked),
        (USUAL.replace("Cruiser 4 0", "Cruiser 2147483647 -2147483648"), Refusal::PlacementOffBoard),
    ] {
        let mut table = Table::new(MapSize::Small);
        table.round(place(&fleet), place(USUAL));
        assert_eq!(table.refusal(Seat::A), Some(why), "{fleet}");
        assert_eq!(table.a().failed_first_phase_commands, 1, "{fleet}");
    }
}

/// The original: after the first failure the other command is not looked at, so only one player is blamed.
#[test]
fn only_the_first_player_to_fail_is_blamed() {
    let mut table = Table::new(MapSize::Small);
    table.round(silence(), silence());
    assert_eq!((table.a().failed_first_phase_commands, table.b().failed_first_phase_commands), (1, 0));
    assert_eq!(table.a().last_command.issued, Some(OrderKind::DoNothing));
    assert_eq!(table.b().last_command.issued, None);
}

/// The original: a shield goes before the other command, also in phase 1, where its sender then is the first to fail.
#[test]
fn a_lone_shield_in_phase_one_fails_before_the_other_is_looked_at() {
    let mut table = Table::new(MapSize::Small);
    table.round(place(USUAL), shield(0, 0));
    assert_eq!((table.a().failed_first_phase_commands, table.b().failed_first_phase_commands), (0, 1));
    assert_eq!(table.a().last_command.issued, None);
    table.round(silence(), shield(0, 0));
    assert_eq!((table.a().failed_first_phase_commands, table.b().failed_first_phase_commands), (0, 2));
    table.round(shield(0, 0), shield(0, 0));
    assert_eq!((table.a().failed_first_phase_commands, table.b().failed_first_phase_commands), (1, 2));
}

/// The original: phase 1 is played again for both; the good fleet is taken off, but its cells stay in its list.
#[test]
fn a_good_fleet_is_taken_off_when_the_other_player_fails() {
    let mut table = Table::new(MapSize::Small);
    table.round(place(USUAL), silence());
    assert!(table.a().last_command.successful);
    assert_eq!((table.a().failed_first_phase_commands, table.b().failed_first_phase_commands), (0, 1));
    let submarine = table.a().board.ship(Ship::Submarine);
    assert!(!submarine.placed && !table.a_cell(0, 0).occupied);
    assert!(submarine.cells().eq([0, 1, 2].map(|y| Some(Point::new(0, y)))));
    assert!(table.b().board.ship(Ship::Submarine).cells().eq([None; 3]));
    assert_eq!(table.game.phase(), Phase::One);
}

/// The original: that all ships fit is known only when they are put down, except for the last of them. What was put
/// down before the failure stays in the lists of cells.
#[test]
fn a_last_ship_that_does_not_fit_keeps_all_others_from_being_put_down() {
    let lists = |fleet: String| {
        let mut table = Table::new(MapSize::Small);
        table.round(place(&fleet), place(USUAL));
        Ship::ALL.map(|ship| table.a().board.ship(ship).cells().flatten().count())
    };
    assert_eq!(lists(USUAL.replace("Cruiser 4 0", "Cruiser 4 5")), [0, 0, 0, 0, 0]);
    assert_eq!(lists(USUAL.replace("Destroyer 1 0", "Destroyer 1 6")), [3, 1, 0, 0, 0]);
}

/// The original: numbers of rounds never repeat, and a failed round brings neither energy nor a shield charge.
#[test]
fn rounds_are_counted_through_a_failed_phase_one() {
    let mut table = Table::new(MapSize::Small);
    for _ in 0..4 {
        table.round(silence(), place(USUAL));
    }
    assert_eq!((table.game.phase(), table.game.round(), table.a().energy), (Phase::One, 4, 2));
    table.place_both();
    assert_eq!((table.game.phase(), table.game.round(), table.a().energy), (Phase::Two, 5, 2));
}

/// Game Engine Rules 1: ships are placed in phase 1 only. The original rebuilds the fleet; here nothing changes.
#[test]
fn a_placement_in_phase_two_is_refused_and_changes_nothing() {
    let mut table = Table::small();
    table.round(fire(0, 0), fire(0, 0)).a_sinks(Ship::Destroyer);
    let before = (table.a().board.clone(), table.b().board.clone());
    table.round(pass(), place(&USUAL.replace('0', "6").replace("north", "south")));
    assert_eq!(table.refusal(Seat::B), Some(Refusal::TooLateToPlace));
    assert_eq!((&table.a().board, &table.b().board), (&before.0, &before.1));
    assert!(table.b().board.ship(Ship::Destroyer).destroyed);
    assert_eq!(table.b().last_command.issued, Some(OrderKind::Place));
    assert!(!table.b().last_command.successful);
}

/// Player Rules 4: so the player who tried it may still fire in the next round.
#[test]
fn a_placement_in_phase_two_does_not_disarm_the_player() {
    let mut table = Table::small();
    table.round(place(USUAL), place(&USUAL.replace("Cruiser 4 0", "Cruiser 9 9")));
    table.round(fire(0, 0), fire(0, 0));
    assert_eq!((table.a().shots_hit, table.b().shots_hit), (1, 1));
}

/// Game Engine Rules 1: what is a successful placement can be asked beforehand.
#[test]
fn check_tells_whether_a_fleet_would_be_taken() {
    let game = Table::new(MapSize::Small).game;
    let check = |fleet: &str| game.check(Seat::A, &place(fleet).unwrap());
    assert_eq!(check(USUAL), Ok(()));
    assert!(game.check(Seat::A, &fire(0, 0).unwrap()).is_err());
}

/// We: the reason names the first ship that is wrong.
#[test]
fn check_names_the_ship_that_is_wrong() {
    let game = Table::new(MapSize::Small).game;
    for (ship, instead, why) in [
        ("Cruiser 4 0", "Cruiser 4 5", "Cruiser 4 5 north: it has 3 cells and runs off the 7 x 7 map"),
        ("Submarine 0 0", "Submarine -1 0", "Submarine -1 0 north: it starts off the 7 x 7 map"),
        ("Destroyer 1 0", "Destroyer 1 6", "Destroyer 1 6 north: it has 2 cells and runs off the 7 x 7 map"),
        ("Destroyer 1 0", "Destroyer 0 1", "Destroyer 0 1 north: it crosses Submarine 0 0 north"),
        ("Destroyer 1 0", "Submarine 6 0", "Submarine 6 0 north: the Submarine is named twice"),
    ] {
        let refused = game.check(Seat::A, &place(&USUAL.replace(ship, instead)).unwrap()).unwrap_err();
        assert_eq!(refused.to_string(), why);
    }
}
