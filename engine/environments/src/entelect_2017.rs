//! The encoding of the Entelect Challenge 2017.

use crate::encoding::{Encoded, Sight, bit, named, share};
use crate::{MaskKind, Ship, ShipAt};
use rules::entelect_2017::{
    Board, Entelect2017, MapSize, OpponentCell, Order, POINTS_HIT, POINTS_KILL, POINTS_SINK, Phase, Placement,
    PlayerState, Settings, Ship as Kind, ShipPlacement, View, Weapon,
};
use rules::{Direction, Grid, Point, Random, Seat};

/// The planes of an observation, in their order.
const PLANES: [&str; 7] = [
    "own ship",
    "own cell hit",
    "own shield",
    "own shield hit",
    "opponent hit",
    "opponent missed",
    "opponent shield hit",
];
const OPPONENT_HIT: usize = 4;

/// The number of the kind of order that raises the shield, after the weapons.
const SHIELD: usize = Weapon::ALL.len();

/// The most points: 17 hits, 5 ships, and the opponent's death.
const MOST_POINTS: u32 = CELLS * POINTS_HIT + 5 * POINTS_SINK + POINTS_KILL;

/// The hits that sink a fleet.
const CELLS: u32 = 17;

/// The knowledge of a seat, from its view or from the state itself.
struct Known<'a> {
    size: MapSize,
    phase: Phase,
    round: u32,
    own: &'a PlayerState,
    /// The ships that an agent has placed so far, which the state has only when all are placed.
    fleet: &'a [ShipAt],
    opponent_points: u32,
    opponent_destroyed: [bool; 5],
}

impl Known<'_> {
    fn write(&self, sight: &mut Sight<'_>) {
        let Known { own, size, .. } = self;
        write_own(&own.board, sight);
        if self.phase == Phase::One {
            sight.ships(0, self.fleet);
        }
        let can_fire = Weapon::ALL.map(|weapon| {
            weapon.ship().is_none_or(|ship| !own.board.ship(ship).destroyed) && own.energy >= weapon.energy(*size)
        });
        let can_shield = !own.shield.active && own.shield.charges > 0;
        if self.phase == Phase::Two {
            sight.mask[0] = i8::from(sight.mask_kind == MaskKind::Legal);
            for (kind, weapon) in Weapon::ALL.into_iter().enumerate().filter(|(kind, _)| can_fire[*kind]) {
                match weapon {
                    Weapon::SingleShot => sight.allow_where_zero(kind, OPPONENT_HIT),
                    _ => sight.allow_all(kind),
                }
            }
            if sight.mask_kind == MaskKind::Useful && can_fire[0] {
                // A shot into the water can be repeated, but finds nothing.
                forbid_misses(sight);
            }
            if can_shield {
                sight.allow_all(SHIELD);
            }
        }
        let idle = self.round - own.shield.round_last_used;
        let numbers = [
            share(self.round, size.last_round()),
            own.energy as f32 / (14 * size.energy()) as f32,
            share(own.points, MOST_POINTS),
            share(self.opponent_points, MOST_POINTS),
            bit(own.shield.active),
            own.shield.charges as f32 / 4.0,
            share(own.shield.radius, own.shield.max_radius),
            bit(!own.shield.active) * (idle % 7) as f32 / 7.0,
        ];
        let afloat = Kind::ALL.map(|ship| bit(!own.board.ship(ship).destroyed));
        let opponent_afloat = self.opponent_destroyed.map(|destroyed| bit(!destroyed));
        sight.write_scalars(numbers.into_iter().chain(afloat).chain(opponent_afloat).chain(can_fire.map(bit)));
    }
}

fn write_own(board: &Board, sight: &mut Sight<'_>) {
    for plane in 0..4 {
        let flag = 1 << plane;
        for (value, cell) in sight.plane(plane).iter_mut().zip(board.cell_bits()) {
            *value = u8::from(cell & flag != 0);
        }
    }
}

/// Takes single shots at cells in which a shot fell into the water out of the mask.
fn forbid_misses(sight: &mut Sight<'_>) {
    let cells = sight.layout.grid.len();
    let missed = &sight.planes[(OPPONENT_HIT + 1) * cells..][..cells];
    for (mask, missed) in sight.layout.of_kind(0, sight.mask).iter_mut().zip(missed) {
        *mask &= i8::from(*missed == 0);
    }
}

impl Encoded for Entelect2017 {
    const SHIPS_LIE_APART: bool = false;

    fn grid(settings: &Settings) -> Grid {
        settings.size.grid()
    }

    fn ships(_: &Settings) -> Vec<Ship> {
        Kind::ALL.into_iter().map(|ship| Ship { name: ship.name().to_owned(), length: ship.length() }).collect()
    }

    fn kinds(_: u8) -> Vec<String> {
        Weapon::ALL.into_iter().map(|weapon| weapon.name().to_owned()).chain(["shield".to_owned()]).collect()
    }

    fn planes(_: u8) -> Vec<String> {
        named(&PLANES)
    }

    fn scalars(_: u8) -> Vec<String> {
        let mut names = named(&[
            "round",
            "energy",
            "own points",
            "opponent's points",
            "shield active",
            "shield charges",
            "shield radius",
            "shield charging",
        ]);
        names.extend(Kind::ALL.map(|ship| format!("own {} afloat", ship.name())));
        names.extend(Kind::ALL.map(|ship| format!("opponent's {} afloat", ship.name())));
        names.extend(Weapon::ALL.map(|weapon| format!("{} ready", weapon.name())));
        names
    }

    fn is_placing(&self) -> bool {
        self.phase() == Phase::One
    }

    fn order(&self, _: Seat, kind: usize, centre: Point) -> Order {
        Weapon::ALL.get(kind).map_or(Order::Shield { centre }, |&weapon| Order::Fire { weapon, centre })
    }

    fn kind_of(_: u8, _: Seat, order: &Order) -> Option<(usize, Point)> {
        match *order {
            Order::Fire { weapon, centre } => Some((weapon as usize, centre)),
            Order::Shield { centre } => Some((SHIELD, centre)),
            Order::DoNothing | Order::Place(_) => None,
        }
    }

    fn placing(_: &Settings, ships: &[ShipAt]) -> Order {
        let placed = |nth: usize| match ships.get(nth) {
            Some(at) => ShipPlacement { ship: Kind::ALL[nth], start: at.start, direction: at.direction },
            // Named twice, or off the board.
            None => ShipPlacement { ship: Kind::ALL[0], start: Point::new(-1, -1), direction: Direction::North },
        };
        Placement::new(std::array::from_fn(placed)).into()
    }

    fn placed(_: &Settings, order: &Order) -> Option<Vec<ShipAt>> {
        let Order::Place(placement) = order else { return None };
        let at = |ship: Kind| {
            let placed = placement.ships.iter().find(|placed| placed.ship == ship)?;
            ShipAt::of_cells(rules::straight(placed.start, placed.direction, ship.length()).flatten())
        };
        Kind::ALL.into_iter().map(at).collect()
    }

    fn placing_at_random(settings: &Settings, random: &mut Random) -> Order {
        Placement::at_random(settings.size, random).map_or(Order::DoNothing, Order::from)
    }

    fn progress(&self, seat: Seat) -> f32 {
        share(self.player(seat).shots_hit, CELLS)
    }

    fn encode(view: &View, fleet: &[ShipAt], mut sight: Sight<'_>) {
        let flags: [fn(&OpponentCell) -> bool; 3] = [|cell| cell.damaged, |cell| cell.missed, |cell| cell.shield_hit];
        for (nth, flag) in flags.into_iter().enumerate() {
            for (value, cell) in sight.plane(OPPONENT_HIT + nth).iter_mut().zip(&view.opponent.cells) {
                *value = u8::from(flag(cell));
            }
        }
        let known = Known {
            size: view.size,
            phase: view.phase,
            round: view.round,
            own: &view.own,
            fleet,
            opponent_points: view.opponent.points,
            opponent_destroyed: view.opponent.destroyed,
        };
        known.write(&mut sight);
    }

    /// Without a view in between: matches by the thousand are encoded in every round.
    fn encode_at(&self, seat: Seat, fleet: &[ShipAt], mut sight: Sight<'_>) {
        let opponent = self.player(seat.opponent());
        // A shot tells whether there is a ship.
        const SHOT: u8 = Board::OCCUPIED | Board::HIT;
        write_flag(&mut sight, 0, opponent, |cell| cell & SHOT == SHOT);
        write_flag(&mut sight, 1, opponent, |cell| cell & SHOT == Board::HIT);
        write_flag(&mut sight, 2, opponent, |cell| cell & Board::SHIELD_HIT != 0);
        let known = Known {
            size: self.size(),
            phase: self.phase(),
            round: self.round(),
            own: self.player(seat),
            fleet,
            opponent_points: opponent.points,
            opponent_destroyed: Kind::ALL.map(|ship| opponent.board.ship(ship).destroyed),
        };
        known.write(&mut sight);
    }
}

fn write_flag(sight: &mut Sight<'_>, nth: usize, opponent: &PlayerState, flag: impl Fn(u8) -> bool) {
    for (value, cell) in sight.plane(OPPONENT_HIT + nth).iter_mut().zip(opponent.board.cell_bits()) {
        *value = u8::from(flag(*cell));
    }
}
