//! Rounds: one command each, and what happens in which order.

use crate::table::{Table, cells_of, fire, nothing, pass, shield, shoot, silence};
use rules::entelect_2017::{Entelect2017, Event, MapSize, Settings, Ship, Weapon};
use rules::{Fault, Game, GameKind, Grid, Seat, Seats, SetupError};

/// Map Generation 1, 2 and 3.
#[test]
fn maps_have_seven_ten_or_fourteen_cells_a_side() {
    for (size, side) in [(MapSize::Small, 7), (MapSize::Medium, 10), (MapSize::Large, 14)] {
        let table = Table::new(size);
        assert_eq!(table.a().board.grid(), Grid::new(side, side));
        assert_eq!(table.b().board.cells().len(), usize::from(side) * usize::from(side));
    }
}

/// The command line of the published text: medium is the size when none is given.
#[test]
fn the_usual_size_is_medium() {
    assert_eq!(Settings::default().size, MapSize::Medium);
}

/// The published text knows two players only.
#[test]
fn the_game_is_for_two() {
    for given in [0, 1, 3, 16, 255] {
        let error = Entelect2017::start(&Settings::default(), given, 0).unwrap_err();
        assert_eq!(error, SetupError::WrongSeats { kind: GameKind::Entelect2017, wanted: "two", given });
    }
}

/// Simplified rules 1, Player Rules 1: one command a round, any more is rejected.
#[test]
fn a_second_command_in_a_round_is_rejected() {
    let mut game = Table::small().game;
    game.advance([(Seat::A, fire(0, 0)), (Seat::A, fire(1, 0)), (Seat::B, pass())].into_iter().collect());
    assert_eq!(game.player(Seat::A).shots_fired, 1);
    assert!(game.player(Seat::B).board.cells().next().unwrap().hit);
    let mut game = Table::small().game;
    game.advance([(Seat::A, pass()), (Seat::B, fire(0, 0)), (Seat::B, fire(1, 0))].into_iter().collect());
    assert!(game.player(Seat::A).board.cells().next().unwrap().hit);
}

/// Player Rules 1: both players are asked in every round.
#[test]
fn both_players_are_asked_in_each_round() {
    let mut table = Table::new(MapSize::Small);
    assert_eq!(table.game.awaited(), Seats::first(2));
    table.place_both();
    assert_eq!(table.game.awaited(), Seats::first(2));
}

/// Simplified rules 3, Player Rules 4: Do Nothing.
#[test]
fn doing_nothing_changes_nothing_but_the_clock() {
    let mut table = Table::small();
    let boards = (table.a().board.clone(), table.b().board.clone());
    table.round(nothing(), nothing());
    assert_eq!((&table.a().board, &table.b().board), (&boards.0, &boards.1));
    assert_eq!((table.game.round(), table.a().energy), (2, 4));
}

/// Player Rules 5: a player that malfunctions or takes too long does nothing.
#[test]
fn every_fault_is_a_do_nothing() {
    let second = std::time::Duration::from_secs(1);
    for fault in [
        Fault::NothingWritten,
        Fault::timed_out(second, second),
        Fault::Crashed { how: "exit status 1".to_owned() },
        Fault::unreadable("a joke"),
    ] {
        let mut table = Table::small();
        table.round(Err(fault.clone()), pass());
        assert_eq!(table.events[0], Event::DidNothing { seat: Seat::A, fault: Some(Box::new(fault)) });
        assert_eq!(table.a().do_nothings, 1);
        assert!(table.a().last_command.successful);
    }
}

/// Player Rules 1: a missing answer is a command not given.
#[test]
fn a_missing_answer_is_nothing_written() {
    let mut game = Table::small().game;
    let told = game.advance([(Seat::B, pass())].into_iter().collect());
    assert_eq!(told[0].event, Event::DidNothing { seat: Seat::A, fault: Some(Box::new(Fault::NothingWritten)) });
}

/// Game Engine Rules 7: energy is added after the commands, so it cannot be spent in the round that brings it.
#[test]
fn energy_comes_after_the_commands() {
    let mut table = Table::small();
    table.wait(6).round(shoot(Weapon::DoubleShotHorizontal, 5, 5), pass());
    assert_eq!((table.a().shots_fired, table.a().energy), (0, 16));
}

/// Game Engine Rules 7: players are killed at the very end, so the dying one still gets its energy and its shot.
#[test]
fn players_are_killed_after_all_commands_and_the_energy() {
    let mut table = Table::small();
    for ship in [Ship::Submarine, Ship::Battleship, Ship::Carrier, Ship::Cruiser] {
        table.a_sinks(ship);
    }
    table.round(fire(1, 0), pass());
    let before = table.b().energy;
    table.round(fire(1, 1), fire(0, 0));
    assert!(table.b().killed);
    assert_eq!((table.b().shots_hit, table.b().energy), (1, before - 1 + 2));
}

/// Release notes 1.2.2: shields go down before any command and are charged after all of them.
#[test]
fn shields_go_down_before_the_commands_and_charge_after_them() {
    let mut table = Table::small();
    table.wait_for_round(7).round(pass(), shield(1, 1));
    assert!(!table.b().shield.active, "the charge of round 7 came too late for its command");
    table.round(pass(), shield(1, 1)).round(fire(1, 1), pass());
    assert!(table.b_cell(1, 1).hit, "the only charge was used up before the shot of round 9");
}

/// The published text is silent; in the original A's command comes first, which only a shield changes.
#[test]
fn a_acts_before_b() {
    let mut table = Table::small();
    table.round(fire(0, 0), fire(0, 0));
    let fired: Vec<Seat> = table
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Fired { seat, .. } => Some(*seat),
            _ => None,
        })
        .collect();
    assert_eq!(fired, [Seat::A, Seat::B]);
}

/// Game Engine Rules 1: the second phase goes on until a fleet is destroyed.
#[test]
fn the_match_ends_with_the_round_in_which_a_fleet_is_destroyed() {
    let mut table = Table::small();
    let cells: Vec<_> = Ship::ALL.into_iter().flat_map(cells_of).collect();
    for point in &cells {
        assert!(!table.is_over());
        table.round(pass(), fire(point.x, point.y));
    }
    assert!(table.is_over());
    assert_eq!(table.outcome().turns, 18);
    assert!(table.game.awaited().is_empty());
    let end = table.game.clone();
    table.round(fire(0, 0), silence());
    assert_eq!((&table.game, table.events.len()), (&end, 0), "nothing happens after the end");
}
