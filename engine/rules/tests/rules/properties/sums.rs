//! Points, energy and counters add up.

use super::answers::{any_match, play};
use super::cases;
use proptest::prelude::*;
use rules::entelect_2017::{
    Entelect2017, Event, ImpactResult, POINTS_HIT, POINTS_KILL, POINTS_SINK, Phase, PlayerState, Weapon,
};
use rules::{Game, Seat};

/// What a player must have, counted from the events alone.
#[derive(Debug, Default, PartialEq, Eq)]
struct Account {
    points: u32,
    energy: u32,
    shots_fired: u32,
    shots_hit: u32,
}

impl Account {
    fn of(player: &PlayerState) -> Account {
        Account {
            points: player.points(),
            energy: player.energy(),
            shots_fired: player.shots_fired(),
            shots_hit: player.shots_hit(),
        }
    }
}

fn book(accounts: &mut [Account; 2], before: &Entelect2017, events: &[&Event]) {
    for event in events {
        match event {
            Event::Fired { seat, weapon, impacts, .. } => {
                let account = &mut accounts[seat.index()];
                account.shots_fired += 1;
                account.energy -= weapon.energy(before.size());
                for impact in impacts {
                    if let ImpactResult::Hit { completes } = impact.result {
                        account.shots_hit += 1;
                        account.points += POINTS_HIT;
                        account.points += if completes && *weapon != Weapon::SeekerMissile { POINTS_SINK } else { 0 };
                    }
                }
            }
            Event::KilledOff { seat, .. } => accounts[seat.index()].points = 0,
            Event::Killed { seat } => accounts[seat.opponent().index()].points += POINTS_KILL,
            _ => {}
        }
    }
    if before.phase() == Phase::Two && !before.awaited().is_empty() {
        for account in accounts {
            account.energy += before.size().energy();
        }
    }
}

fn damaged(player: &PlayerState) -> u32 {
    player.board().cells().iter().filter(|cell| cell.occupied && cell.hit).count() as u32
}

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn points_energy_and_counters_add_up((size, rounds) in any_match()) {
        let mut accounts = [Account::default(), Account::default()];
        for account in &mut accounts {
            account.energy = size.energy();
        }
        play(size, rounds, |before, after, told| {
            let events: Vec<&Event> = told.iter().map(|told| &told.event).collect();
            book(&mut accounts, before, &events);
            for seat in [Seat::A, Seat::B] {
                assert_eq!(Account::of(after.player(seat)), accounts[seat.index()]);
                let removed = events.iter().any(|event| matches!(event, Event::KilledOff { seat: whose, .. } if *whose == seat.opponent()));
                if !removed {
                    assert_eq!(after.player(seat).shots_hit(), damaged(after.player(seat.opponent())));
                }
            }
        });
    }

    #[test]
    fn ships_are_destroyed_exactly_when_all_their_cells_are_hit((size, rounds) in any_match()) {
        play(size, rounds, |_, after, _| {
            for seat in [Seat::A, Seat::B] {
                let board = after.player(seat).board();
                for ship in rules::entelect_2017::Ship::ALL {
                    let state = board.ship(ship);
                    let shot_through = state.is_placed()
                        && state.cells().iter().all(|point| board.cell(point.unwrap()).unwrap().hit);
                    assert!(state.is_destroyed() == shot_through || after.phase() == Phase::One);
                }
                assert_eq!(after.player(seat).is_killed(), board.ships_remaining() == 0);
            }
        });
    }

    #[test]
    fn a_shield_protects_as_it_was_raised((size, rounds) in any_match()) {
        play(size, rounds, |_, after, _| {
            for seat in [Seat::A, Seat::B] {
                let (board, shield) = (after.player(seat).board(), after.player(seat).shield());
                assert!(shield.radius() <= shield.max_radius());
                assert!(!shield.is_active() || shield.charges() > 0);
                for (point, cell) in board.grid().points().zip(board.cells()) {
                    let away = |a: i32, b: i32| (i64::from(a) - i64::from(b)).unsigned_abs();
                    let near = away(point.x, shield.centre().x).max(away(point.y, shield.centre().y));
                    assert_eq!(cell.shielded, shield.is_active() && near <= u64::from(shield.radius()));
                    assert!(!cell.shield_hit || cell.shielded);
                }
            }
        });
    }
}
