//! Removing players who do nothing, cannot place their ships or give up. The original crashes instead of ending the match.

use crate::table::{Table, USUAL, fire, nothing, pass, place, shield, silence};
use rules::entelect_2017::{Event, KillOff, MapSize, Phase, Ship};
use rules::{Answers, Ending, Fault, Game, Seat, Seats};

/// B does nothing in this many rounds while A passes.
fn b_silent(table: &mut Table, rounds: u32) {
    for _ in 0..rounds {
        table.round(pass(), silence());
    }
}

fn both_silent(table: &mut Table, rounds: u32) {
    for _ in 0..rounds {
        table.round(silence(), nothing());
    }
}

/// Plays the round in which nobody is asked.
fn kill_off_round(table: &mut Table) {
    assert_eq!((table.game.awaited(), table.game.outcome()), (Seats::NONE, None));
    table.events = table.game.advance(Answers::none()).into_iter().map(|told| told.event).collect();
}

fn killed_off(seats: &[Seat], why: KillOff) -> Ending {
    Ending::KilledOff { seats: seats.iter().map(|&seat| (seat, why.to_string())).collect() }
}

/// Player Rules 4: after 20 do-nothings the player is killed. Player Rules 5 say "more than 20"; it is 20, as in the original.
#[test]
fn twenty_do_nothings_in_a_row_end_the_match() {
    for size in MapSize::ALL {
        let mut table = Table::set(size);
        table.round(pass(), fire(0, 0));
        b_silent(&mut table, 19);
        assert_eq!(table.game.awaited(), Seats::first(2));
        b_silent(&mut table, 1);
        kill_off_round(&mut table);
        let outcome = table.outcome();
        assert_eq!((outcome.winner, outcome.ranking), (Some(Seat::A), vec![Seat::A, Seat::B]));
        assert_eq!((outcome.points[Seat::A], outcome.points[Seat::B]), (100, 0), "B's 10 points are lost");
        assert_eq!(outcome.ending, killed_off(&[Seat::B], KillOff::DoNothings));
        assert_eq!(outcome.turns, 23, "round 0, the shot, twenty rounds, and the one without players");
    }
}

/// Player Rules 4: it is the same for either seat.
#[test]
fn player_a_is_killed_off_like_player_b() {
    let mut table = Table::small();
    for _ in 0..20 {
        table.round(silence(), pass());
    }
    kill_off_round(&mut table);
    assert!(table.a().killed && !table.b().killed);
    assert_eq!(table.outcome().winner, Some(Seat::B));
    assert_eq!(table.b().points, 100);
}

/// Player Rules 2 ("they will be destroyed"): all ships and all their cells are destroyed for all to see.
#[test]
fn who_is_killed_off_loses_every_ship() {
    let mut table = Table::small();
    b_silent(&mut table, 20);
    kill_off_round(&mut table);
    assert_eq!(table.b().board.ships_remaining(), 0);
    assert_eq!(table.game.view(Seat::A).opponent.destroyed, [true; 5]);
    let view = table.game.view(Seat::A);
    assert_eq!(view.opponent.cells.iter().filter(|cell| cell.damaged).count(), 17);
    assert!(!view.opponent.alive);
    assert_eq!(table.a().shots_hit, 0, "nobody shot them");
    assert_eq!(
        table.events,
        [Event::KilledOff { seat: Seat::B, why: KillOff::DoNothings }, Event::Killed { seat: Seat::B }]
    );
}

/// Player Rules 2: a shield does not save the ships. In the original it does.
#[test]
fn a_shield_does_not_save_a_fleet_from_the_kill_off() {
    let mut table = Table::set(MapSize::Large);
    table.wait_for_round(7 * 21 + 1).round(pass(), shield(3, 3));
    b_silent(&mut table, 20);
    assert!(table.b().shield.active && table.b_cell(0, 0).shielded);
    kill_off_round(&mut table);
    assert!(table.b_cell(0, 0).hit && table.b_cell(4, 2).hit);
    assert_eq!(table.b().board.ships_remaining(), 0);
    assert_eq!(table.outcome().winner, Some(Seat::A));
}

/// Ours: nothing else happens in the round of the kill-off, no energy and no shield clock; but it is counted.
#[test]
fn nothing_else_happens_in_the_round_of_a_kill_off() {
    let mut table = Table::set(MapSize::Large);
    table.wait_for_round(36);
    b_silent(&mut table, 18);
    table.round(shield(3, 3), silence()).round(pass(), silence());
    let (round, energy, clock) = (table.game.round(), table.a().energy, table.a().shield.clone());
    assert!(clock.active);
    kill_off_round(&mut table);
    assert_eq!((table.game.round(), table.a().energy, &table.a().shield), (round + 1, energy, &clock));
}

/// Ours: orders given in that round all the same are not looked at.
#[test]
fn orders_in_the_round_of_a_kill_off_are_not_looked_at() {
    let mut table = Table::small();
    b_silent(&mut table, 20);
    table.round(fire(0, 0), fire(0, 0));
    assert_eq!((table.a().shots_fired, table.b().shots_fired), (0, 0));
    assert!(table.is_over());
}

/// Ours: both at once, each with the 100 points of the other's death; then the ranking goes on as ever.
#[test]
fn both_may_be_killed_off_in_the_same_round() {
    let mut table = Table::small();
    both_silent(&mut table, 20);
    kill_off_round(&mut table);
    let outcome = table.outcome();
    assert_eq!(outcome.ending, killed_off(&[Seat::A, Seat::B], KillOff::DoNothings));
    assert_eq!((outcome.points[Seat::A], outcome.points[Seat::B]), (100, 100));
    assert_eq!(outcome.ranking, [Seat::A, Seat::B], "a full tie");
    let mut table = Table::small();
    table.round(fire(6, 6), fire(0, 0));
    both_silent(&mut table, 20);
    kill_off_round(&mut table);
    assert_eq!(table.outcome().ranking, [Seat::B, Seat::A], "B landed the first shot");
    let mut table = Table::new(MapSize::Small);
    table.round(silence(), place(USUAL)).place_both();
    table.round(pass(), pass());
    both_silent(&mut table, 20);
    kill_off_round(&mut table);
    assert_eq!(table.outcome().ranking, [Seat::B, Seat::A], "A failed once to place its ships");
}

/// Player Rules 5 ("in a row"): any other command starts the count again, in the original even a refused one.
#[test]
fn any_other_command_starts_the_count_again() {
    for other in [fire(0, 0), pass(), shield(0, 0), place(USUAL)] {
        let mut table = Table::small();
        b_silent(&mut table, 19);
        table.round(pass(), other);
        assert_eq!(table.b().do_nothings, 0);
        b_silent(&mut table, 19);
        assert_eq!(table.game.awaited(), Seats::first(2));
        b_silent(&mut table, 1);
        assert_eq!(table.game.awaited(), Seats::NONE);
    }
}

/// The original: do-nothings of phase 1 count, too.
#[test]
fn do_nothings_of_the_first_phase_count() {
    let mut table = Table::new(MapSize::Small);
    for _ in 0..3 {
        table.round(place(USUAL), silence());
    }
    assert_eq!(table.b().do_nothings, 3);
    table.place_both();
    assert_eq!(table.b().do_nothings, 0);
}

/// The original: from the tenth on the player is warned.
#[test]
fn a_player_is_warned_from_the_tenth_do_nothing_on() {
    let mut table = Table::small();
    b_silent(&mut table, 9);
    assert!(!table.events.iter().any(|event| matches!(event, Event::WarnedIdle { .. })));
    b_silent(&mut table, 1);
    assert!(table.events.contains(&Event::WarnedIdle { seat: Seat::B, count: 10 }));
}

/// The original: the check comes at the start of a round, so the last round of all ends the match by itself.
#[test]
fn twenty_do_nothings_at_the_last_round_kill_nobody() {
    let mut table = Table::small();
    table.wait_for_round(35);
    b_silent(&mut table, 20);
    assert_eq!(table.outcome().ending, Ending::RoundLimit { rounds: 55 });
    assert!(!table.b().killed);
    let mut table = Table::small();
    table.wait_for_round(34);
    b_silent(&mut table, 20);
    kill_off_round(&mut table);
    assert_eq!((table.outcome().ending, table.outcome().turns), (killed_off(&[Seat::B], KillOff::DoNothings), 55));
}

/// Player Rules 2 and 3, Game Engine Rules 1: five failed placements, and the other player wins by default.
#[test]
fn five_failed_placements_end_the_match() {
    for size in MapSize::ALL {
        for (a, b, loser) in [(place(USUAL), silence(), Seat::B), (fire(0, 0), place(USUAL), Seat::A)] {
            let mut table = Table::new(size);
            for _ in 0..5 {
                assert_eq!(table.game.awaited(), Seats::first(2));
                table.round(a.clone(), b.clone());
            }
            kill_off_round(&mut table);
            let outcome = table.outcome();
            assert_eq!((outcome.winner, outcome.turns), (Some(loser.opponent()), 6));
            assert_eq!(outcome.ending, killed_off(&[loser], KillOff::FailedPlacements));
            assert_eq!((outcome.points[loser], outcome.points[loser.opponent()]), (0, 100));
            assert_eq!(table.game.phase(), Phase::One);
            assert_eq!(table.game.player(loser).board.ships_remaining(), 0);
            assert_eq!(table.game.player(loser.opponent()).board.ships_remaining(), 5);
        }
    }
}

/// Player Rules 2 call phase 1 five rounds long; the original counts five failures of one player, so it may last nine.
#[test]
fn the_first_phase_may_last_nine_rounds() {
    let mut table = Table::new(MapSize::Small);
    for _ in 0..4 {
        table.round(silence(), place(USUAL)).round(place(USUAL), silence());
    }
    assert_eq!((table.a().failed_first_phase_commands, table.b().failed_first_phase_commands), (4, 4));
    table.place_both();
    assert_eq!((table.game.phase(), table.game.round()), (Phase::Two, 9));
}

/// Against Player Rules 2 ("continues rounds" in the text): the failures need not be in a row, as in the original.
#[test]
fn failed_placements_need_not_be_in_a_row() {
    let mut table = Table::new(MapSize::Small);
    for _ in 0..4 {
        table.round(silence(), place(USUAL)).round(place(USUAL), silence());
    }
    table.round(silence(), place(USUAL));
    kill_off_round(&mut table);
    assert_eq!(table.outcome().winner, Some(Seat::B));
}

/// Ours: who gives up is killed off at the start of the next round, like after 20 do-nothings.
#[test]
fn who_gives_up_is_killed_off_in_the_next_round() {
    for mut table in [Table::new(MapSize::Small), Table::small()] {
        table.round(pass(), Err(Fault::GaveUp));
        kill_off_round(&mut table);
        let outcome = table.outcome();
        assert_eq!(outcome.winner, Some(Seat::A));
        assert_eq!(outcome.ending, killed_off(&[Seat::B], KillOff::GaveUp));
        assert_eq!((outcome.points[Seat::A], outcome.points[Seat::B]), (100, 0));
    }
}

/// Game Engine Rules 8: whoever loses the last ship in the round of its twentieth do-nothing has lost by that.
#[test]
fn a_fleet_sunk_in_the_round_of_the_twentieth_do_nothing_ends_the_match_at_once() {
    let mut table = Table::small();
    b_silent(&mut table, 3);
    for ship in Ship::ALL {
        for point in crate::table::cells_of(ship) {
            table.round(fire(point.x, point.y), silence());
        }
    }
    assert_eq!(table.b().do_nothings, 20);
    assert_eq!(table.outcome().ending, Ending::FleetSunk { seats: vec![Seat::B] });
    assert_eq!(table.a().points, 420);
}
