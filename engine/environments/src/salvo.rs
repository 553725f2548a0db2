//! The encoding of Salvo. Opponents are numbered from the seat on: opponent 1 sits in the next seat, and A follows the last one.

use crate::encoding::{Encoded, Sight, bit, share};
use crate::{Ship, ShipAt};
use rules::salvo::{BOARD, Order, Orientation, OwnShot, Placement, Salvo, Settings, ShipKind, View, random_fleet};
use rules::{Grid, Point, Random, Seat};

/// The planes about the seat's own board.
const OWN_PLANES: [&str; 2] = ["own ship", "shots received"];
const OWN_SHIP: usize = 0;
const RECEIVED: usize = 1;

/// The planes about the board of each opponent.
const OPPONENT_PLANES: [&str; 4] = ["own shots", "hits of the salvo", "shots of the salvo", "sunk here"];
const SHOTS: usize = 0;
const SALVO_HITS: usize = 1;
const SALVO_SHOTS: usize = 2;
const SUNK: usize = 3;

/// The number of a plane about an opponent, who is counted from 0.
fn plane(opponent: usize, which: usize) -> usize {
    OWN_PLANES.len() + opponent * OPPONENT_PLANES.len() + which
}

/// The seat of an opponent, who is counted from 0.
fn seat_of(seats: usize, seat: Seat, opponent: usize) -> Option<Seat> {
    Seat::new(((seat.index() + 1 + opponent) % seats) as u8)
}

/// The number of an opponent, counted from 0.
fn opponent(seats: usize, seat: Seat, other: Seat) -> usize {
    (other.index() + seats - seat.index() - 1) % seats
}

impl Encoded for Salvo {
    fn grid(_: &Settings) -> Grid {
        BOARD
    }

    fn ships(_: &Settings) -> Vec<Ship> {
        ShipKind::ALL.into_iter().map(|kind| Ship::straight(kind.name(), kind.length())).collect()
    }

    fn kinds(_: &Settings, seats: u8) -> Vec<String> {
        (1..seats).map(|number| format!("fire at opponent {number}")).collect()
    }

    fn planes(_: &Settings, seats: u8) -> Vec<String> {
        let own = OWN_PLANES.into_iter().map(str::to_owned);
        own.chain((1..seats).flat_map(|number| OPPONENT_PLANES.map(|name| format!("opponent {number}: {name}"))))
            .collect()
    }

    fn scalars(_: &Settings, seats: u8) -> Vec<String> {
        let mut names: Vec<String> = ["round", "own shots left", "last salvo's hits"].map(str::to_owned).to_vec();
        for player in 0..seats {
            let who = if player == 0 { "own".to_owned() } else { format!("opponent {player}:") };
            names.push(if player == 0 { "in the game".to_owned() } else { format!("{who} in the game") });
            names.extend(ShipKind::ALL.map(|ship| format!("{who} {ship} afloat")));
        }
        names
    }

    fn is_placing(&self) -> bool {
        Salvo::is_placing(self)
    }

    fn is_in(&self, seat: Seat) -> bool {
        self.player(seat).is_in()
    }

    fn order(_: &Settings, seats: u8, seat: Seat, kind: usize, at: Point) -> Order {
        let target = seat_of(usize::from(seats), seat, kind).unwrap_or(seat);
        Order::Fire { target, at }
    }

    fn aims_of(_: &Settings, seats: u8, seat: Seat, order: &Order) -> Option<Vec<(usize, Point)>> {
        match *order {
            Order::Fire { target, at } if target != seat && target.index() < usize::from(seats) => {
                Some(vec![(opponent(usize::from(seats), seat, target), at)])
            }
            Order::Fire { .. } | Order::Place(_) => None,
        }
    }

    fn placing(_: &Settings, ships: &[ShipAt]) -> Order {
        let placement = |(ship, at): (ShipKind, &ShipAt)| Placement {
            ship,
            at: at.start,
            orientation: Orientation::of(at.direction()),
        };
        Order::Place(ShipKind::ALL.into_iter().zip(ships).map(placement).collect())
    }

    fn placed(_: &Settings, order: &Order) -> Option<Vec<ShipAt>> {
        let Order::Place(ships) = order else { return None };
        let at = |kind: ShipKind| {
            let placed = ships.iter().find(|placed| placed.ship == kind)?;
            Some(ShipAt::straight(placed.at, placed.orientation.direction()))
        };
        ShipKind::ALL.into_iter().map(at).collect()
    }

    fn placing_at_random(_: &Settings, random: &mut Random) -> Order {
        Order::Place(random_fleet(random))
    }

    /// The hits of salvos that are over, in parts of the ships of all opponents.
    fn progress(&self, seat: Seat) -> f32 {
        let opponents = self.stats().len() as u32 - 1;
        share(self.player(seat).stats.hits, rules::salvo::CELLS * opponents)
    }

    fn encode(view: &View, own: &[ShipAt], mut sight: Sight<'_>) {
        let seats = view.players.len();
        sight.ships(OWN_SHIP, own);
        for shot in &view.received {
            sight.count(RECEIVED, shot.at);
        }
        let mut write = |shots: &[OwnShot], told: Option<u8>| {
            for shot in shots {
                let other = opponent(seats, view.seat, shot.target);
                sight.count(plane(other, SHOTS), shot.at);
                if let Some(hits) = told {
                    sight.set(plane(other, SALVO_HITS), shot.at, |_| hits);
                    sight.set(plane(other, SALVO_SHOTS), shot.at, |_| shots.len() as u8);
                }
                if shot.sank.is_some() {
                    sight.set(plane(other, SUNK), shot.at, |_| 1);
                }
            }
        };
        for salvo in &view.own_salvos {
            write(&salvo.shots, Some(salvo.hits));
        }
        write(&view.own_shots, None);
        let of_own = view.salvo.filter(|salvo| salvo.seat == view.seat);
        if of_own.is_some() {
            for other in 0..seats - 1 {
                if seat_of(seats, view.seat, other).is_some_and(|other| view.players[other].is_in) {
                    sight.allow_where_zero(other, plane(other, SHOTS));
                }
            }
        }
        let players = (0..seats).filter_map(|after| Seat::new(((view.seat.index() + after) % seats) as u8));
        let of_players = players.flat_map(|seat| {
            let player = &view.players[seat];
            [bit(player.is_in)].into_iter().chain(ShipKind::ALL.map(|ship| bit(player.afloat.contains(&ship))))
        });
        let last = view.last.filter(|salvo| salvo.seat == view.seat).map_or(0, |salvo| salvo.hits);
        let numbers =
            [share(view.round, 100), share(of_own.map_or(0, |salvo| salvo.left.into()), 5), share(last.into(), 5)];
        sight.write_scalars(numbers.into_iter().chain(of_players));
    }
}
