//! A round, as named stages in their order (Game Engine Rules 7; release notes 1.2.2 for the shields).

use super::kill_off::{self, DO_NOTHINGS_WARNING};
use super::{
    Board, Entelect2017, Event, EventLog, Impact, ImpactResult, Impacts, Order, POINTS_HIT, POINTS_KILL, POINTS_SINK,
    Phase, Refusal, Weapon, placing,
};
use crate::{AnswerRef, Fault, Point, Seat};

/// The orders of a round.
pub(super) type Orders<'a> = [(Seat, &'a Order); 2];

/// Plays the coming round and counts it.
pub(super) fn play<'a>(game: &mut Entelect2017, answer: impl Fn(Seat) -> AnswerRef<'a, Order>, events: &mut EventLog) {
    if kill_off::seats_due(game).is_empty() {
        let orders = take_orders(game, answer(Seat::A), answer(Seat::B), events);
        match game.phase {
            Phase::One => placing::play(game, &orders, events),
            Phase::Two => battle(game, &orders, events),
        }
    } else {
        kill_off_stage(game, events);
        kill_stage(game, events);
    }
    game.round += 1;
}

/// A round of phase 2.
fn battle(game: &mut Entelect2017, orders: &Orders<'_>, events: &mut EventLog) {
    shield_expiry_stage(game, events);
    let is_sunk = command_stage(game, orders, events);
    if is_sunk {
        sinking_stage(game, events);
    }
    energy_stage(game);
    shield_charge_stage(game, events);
    if is_sunk {
        kill_stage(game, events);
    }
}

/// The orders in the sequence they are carried out: A's, then B's; but if exactly one is a shield, that one first.
/// Counts what is nothing: 20 of them in a row and the player is removed.
fn take_orders<'a>(
    game: &mut Entelect2017,
    a: AnswerRef<'a, Order>,
    b: AnswerRef<'a, Order>,
    events: &mut EventLog,
) -> Orders<'a> {
    let (a, b) = (take_order(game, Seat::A, a, events), take_order(game, Seat::B, b, events));
    let is_shield = |order: &Order| matches!(order, Order::Shield { .. });
    if is_shield(b) && !is_shield(a) { [(Seat::B, b), (Seat::A, a)] } else { [(Seat::A, a), (Seat::B, b)] }
}

fn take_order<'a>(
    game: &mut Entelect2017,
    seat: Seat,
    answer: AnswerRef<'a, Order>,
    events: &mut EventLog,
) -> &'a Order {
    let player = &mut game.players[seat];
    let (order, fault) = match answer {
        Ok(order) => (order, None),
        Err(fault) => (&Order::DoNothing, Some(fault)),
    };
    player.gave_up = matches!(fault, Some(Fault::GaveUp));
    if matches!(order, Order::DoNothing) {
        player.do_nothings += 1;
        events.push(Event::DidNothing { seat, fault: fault.cloned().map(Box::new) });
        if player.do_nothings >= DO_NOTHINGS_WARNING {
            events.push(Event::WarnedIdle { seat, count: player.do_nothings });
        }
    } else {
        player.do_nothings = 0;
    }
    order
}

fn shield_expiry_stage(game: &mut Entelect2017, events: &mut EventLog) {
    for (seat, player) in game.players.iter_mut() {
        if player.shield.count_down(game.round) {
            let was_hit = player.board.drop_shield();
            events.push(Event::ShieldExpired { seat, was_hit });
        }
    }
}

/// Carries the orders out; true if a ship was shot through.
fn command_stage(game: &mut Entelect2017, orders: &Orders<'_>, events: &mut EventLog) -> bool {
    let mut completes = false;
    for &(seat, order) in orders {
        let verdict = check(game, seat, order);
        game.players[seat].last_command.note(order, verdict.is_ok());
        match (verdict, order) {
            (Err(why), _) => events.push(Event::Refused { seat, order: order.kind(), why }),
            (Ok(()), Order::Fire { weapon, centre }) => {
                let (impacts, has_completed) = fire(game, seat, *weapon, *centre);
                completes |= has_completed;
                events.push(Event::Fired { seat, weapon: *weapon, centre: *centre, impacts });
            }
            (Ok(()), Order::Shield { centre }) => events.push(raise_shield(game, seat, *centre)),
            (Ok(()), Order::DoNothing | Order::Place(_)) => {}
        }
    }
    completes
}

/// Checks that a phase 2 order would be obeyed. The checks come in the original's sequence, which decides the message.
pub(super) fn check(game: &Entelect2017, seat: Seat, order: &Order) -> Result<(), Refusal> {
    let player = &game.players[seat];
    match order {
        Order::DoNothing => Ok(()),
        Order::Place(_) => Err(Refusal::TooLateToPlace),
        Order::Shield { .. } if player.shield.active => Err(Refusal::ShieldActive),
        Order::Shield { .. } if player.shield.charges == 0 => Err(Refusal::ShieldUncharged),
        Order::Shield { .. } => Ok(()),
        Order::Fire { weapon, centre } => {
            if weapon.ship().is_some_and(|ship| player.board.ship(ship).destroyed) {
                return Err(Refusal::ShipDestroyed(*weapon));
            }
            if player.energy < weapon.energy(game.size) {
                return Err(Refusal::InsufficientEnergy);
            }
            let opponent = &game.players[seat.opponent()].board;
            if weapon.needs_target_on_board() && !opponent.grid().contains(aim(opponent, *weapon, *centre)) {
                return Err(Refusal::OutOfBounds);
            }
            Ok(())
        }
    }
}

/// The same as far as the player can know: whether a seeker missile aimed off the board finds a ship is told by firing it.
pub(super) fn check_known(game: &Entelect2017, seat: Seat, order: &Order) -> Result<(), Refusal> {
    match (check(game, seat, order), order) {
        (Err(Refusal::OutOfBounds), Order::Fire { weapon: Weapon::SeekerMissile, centre })
            if seeker_points(*centre).any(|point| game.size.grid().contains(point)) =>
        {
            Ok(())
        }
        (verdict, _) => verdict,
    }
}

/// The points a seeker missile looks at, nearest first.
fn seeker_points(centre: Point) -> impl Iterator<Item = Point> {
    Weapon::SEEKER_SEARCH.into_iter().flatten().filter_map(move |&(dx, dy)| centre.offset(dx, dy))
}

/// The target of a shot: a seeker missile flies to the nearest ship cell that is neither hit nor shielded (release notes
/// 1.2.0; Shield Rules 13), everything else to its centre.
fn aim(opponent: &Board, weapon: Weapon, centre: Point) -> Point {
    if weapon != Weapon::SeekerMissile {
        return centre;
    }
    seeker_points(centre).find(|&point| opponent.is_seeker_target(point)).unwrap_or(centre)
}

/// Fires and pays. The whole price is due even if no cell lies on the board. Tells whether a ship was shot through.
fn fire(game: &mut Entelect2017, seat: Seat, weapon: Weapon, centre: Point) -> (Impacts, bool) {
    let round = game.round;
    let target = aim(&game.players[seat.opponent()].board, weapon, centre);
    let (mut impacts, mut has_completed) = (Impacts::none(), false);
    for point in weapon.cells(target) {
        let Some(result) = game.players[seat.opponent()].board.strike(point) else { continue };
        if let ImpactResult::Hit { completes } = result {
            has_completed |= completes;
            let player = &mut game.players[seat];
            player.shots_hit += 1;
            player.points += POINTS_HIT;
            if completes && weapon != Weapon::SeekerMissile {
                player.points += POINTS_SINK;
            }
            player.first_shot_landed.get_or_insert(round);
        }
        impacts.push(Impact { point, result });
    }
    let player = &mut game.players[seat];
    player.shots_fired += 1;
    player.energy -= weapon.energy(game.size);
    (impacts, has_completed)
}

/// Raises the shield: free of energy, around any point, for as many rounds as it has charges.
fn raise_shield(game: &mut Entelect2017, seat: Seat, centre: Point) -> Event {
    let player = &mut game.players[seat];
    let shield = &mut player.shield;
    shield.active = true;
    shield.centre = centre;
    shield.round_last_used = game.round;
    player.board.raise_shield(centre, shield.radius);
    Event::ShieldRaised { seat, centre, radius: shield.radius, charges: shield.charges }
}

/// A ship is sunk at the end of the round, so it may still fire in the round in which it is shot through.
fn sinking_stage(game: &mut Entelect2017, events: &mut EventLog) {
    for (seat, player) in game.players.iter_mut() {
        player.board.mark_destroyed().for_each(|ship| events.push(Event::Sunk { seat, ship }));
    }
}

fn energy_stage(game: &mut Entelect2017) {
    for (_, player) in game.players.iter_mut() {
        player.energy += game.size.energy();
    }
}

fn shield_charge_stage(game: &mut Entelect2017, events: &mut EventLog) {
    for (seat, player) in game.players.iter_mut() {
        if player.shield.charge(game.round) {
            events.push(Event::ShieldCharged { seat, charges: player.shield.charges });
        }
    }
}

/// Removes every player who is due, with all of its ships, shielded or not, and its points; nothing else happens in such
/// a round. The kill stage counts its death.
fn kill_off_stage(game: &mut Entelect2017, events: &mut EventLog) {
    for (seat, player) in game.players.iter_mut() {
        if let Some(why) = kill_off::due(player) {
            player.board.destroy_fleet();
            player.points = 0;
            player.killed_off = Some(why);
            events.push(Event::KilledOff { seat, why });
        }
    }
}

/// A player without ships is dead, and its opponent gets the points for it, even if dead as well.
fn kill_stage(game: &mut Entelect2017, events: &mut EventLog) {
    for seat in [Seat::A, Seat::B] {
        let player = &mut game.players[seat];
        if player.killed || player.board.ships_remaining() > 0 {
            continue;
        }
        player.killed = true;
        game.players[seat.opponent()].points += POINTS_KILL;
        events.push(Event::Killed { seat });
    }
}
