//! The encoding of the Entelect Challenge 2017.

use crate::encoding::{Encoded, Sight, bit, named, share};
use crate::{MaskKind, Ship, ShipAt};
use rules::entelect_2017::files::wire::StateFile;
use rules::entelect_2017::{
    Board, Entelect2017, MapSize, OpponentCell, Order, POINTS_HIT, POINTS_KILL, POINTS_SINK, Phase, Placement,
    PlayerState, Settings, Shield, Ship as Kind, ShipPlacement, View, Weapon,
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

/// The knowledge of a seat apart from the cells: from its view, from the state itself, or from a state.json.
struct Known<'a> {
    size: MapSize,
    phase: Phase,
    round: u32,
    /// The ships that an agent has placed so far, which the state has only when all are placed.
    fleet: &'a [ShipAt],
    energy: u32,
    points: u32,
    shield: Shield,
    destroyed: [bool; 5],
    opponent_points: u32,
    opponent_destroyed: [bool; 5],
}

impl<'a> Known<'a> {
    /// The knowledge of a player who knows these points of the opponent, and which of its ships are destroyed.
    fn of(
        own: &PlayerState,
        (size, phase, round): (MapSize, Phase, u32),
        fleet: &'a [ShipAt],
        (opponent_points, opponent_destroyed): (u32, [bool; 5]),
    ) -> Known<'a> {
        Known {
            size,
            phase,
            round,
            fleet,
            energy: own.energy,
            points: own.points,
            shield: own.shield.clone(),
            destroyed: destroyed(own),
            opponent_points,
            opponent_destroyed,
        }
    }

    /// Writes scalars and mask. The planes of cells are written before.
    fn write(&self, sight: &mut Sight<'_>) {
        let Known { size, shield, .. } = self;
        if self.phase == Phase::One {
            sight.ships(0, self.fleet);
        }
        let is_afloat = |ship: Kind| !self.destroyed[ship as usize];
        let can_fire =
            Weapon::ALL.map(|weapon| weapon.ship().is_none_or(is_afloat) && self.energy >= weapon.energy(*size));
        let can_shield = !shield.active && shield.charges > 0;
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
        // A file may be of any round.
        let idle = self.round.saturating_sub(shield.round_last_used);
        let numbers = [
            share(self.round, size.last_round()),
            self.energy as f32 / (14 * size.energy()) as f32,
            share(self.points, MOST_POINTS),
            share(self.opponent_points, MOST_POINTS),
            bit(shield.active),
            shield.charges as f32 / 4.0,
            share(shield.radius, shield.max_radius),
            bit(!shield.active) * (idle % 7) as f32 / 7.0,
        ];
        let afloat = self.destroyed.map(|destroyed| bit(!destroyed));
        let opponent_afloat = self.opponent_destroyed.map(|destroyed| bit(!destroyed));
        sight.write_scalars(numbers.into_iter().chain(afloat).chain(opponent_afloat).chain(can_fire.map(bit)));
    }
}

fn destroyed(player: &PlayerState) -> [bool; 5] {
    Kind::ALL.map(|ship| player.board.ship(ship).destroyed)
}

/// Writes what a state.json says, as [`Encoded::encode`] writes the view that it was made of. `fleet` are the ships that were placed so far
/// in phase 1. Nothing is written if the file lacks a map, or its maps are not of the layout's size.
///
/// # Errors
/// The reason, in words.
pub fn encode_state_file(state: &StateFile, fleet: &[ShipAt], mut sight: Sight<'_>) -> Result<(), String> {
    let size = MapSize::ALL.into_iter().find(|size| size.grid() == sight.layout.grid);
    let size = size.filter(|size| u32::from(size.side()) == state.map_dimension);
    let size = size.ok_or_else(|| format!("the maps of state.json have {} x {0} cells", state.map_dimension))?;
    let own = state.player_map.as_ref().ok_or("state.json has no PlayerMap")?;
    let opponent = state.opponent_map.as_ref().ok_or("state.json has no OpponentMap")?;
    for cell in &own.cells {
        let flags = [cell.occupied, cell.hit, cell.shielded, cell.shield_hit];
        for (plane, flag) in flags.into_iter().enumerate() {
            sight.set(plane, Point::new(cell.x, cell.y), |_| u8::from(flag));
        }
    }
    for cell in &opponent.cells {
        for (nth, flag) in [cell.damaged, cell.missed, cell.shield_hit].into_iter().enumerate() {
            sight.set(OPPONENT_HIT + nth, Point::new(cell.x, cell.y), |_| u8::from(flag));
        }
    }
    let sunk = |ships: &mut dyn Iterator<Item = (&str, bool)>| {
        let sunk: Vec<(&str, bool)> = ships.collect();
        Kind::ALL.map(|ship| sunk.iter().any(|(name, destroyed)| *name == ship.name() && *destroyed))
    };
    let shield = &own.owner.shield;
    let known = Known {
        size,
        phase: if state.phase == 1 { Phase::One } else { Phase::Two },
        round: state.round,
        fleet,
        energy: own.owner.energy,
        points: own.owner.points,
        shield: Shield {
            centre: Point::default(),
            active: shield.active,
            charges: shield.current_charges,
            radius: shield.current_radius,
            max_radius: shield.max_radius,
            round_last_used: shield.round_last_used,
        },
        destroyed: sunk(&mut own.owner.ships.iter().map(|ship| (ship.ship_type.as_str(), ship.destroyed))),
        opponent_points: opponent.points,
        opponent_destroyed: sunk(&mut opponent.ships.iter().map(|ship| (ship.ship_type.as_str(), ship.destroyed))),
    };
    known.write(&mut sight);
    Ok(())
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
    fn grid(settings: &Settings) -> Grid {
        settings.size.grid()
    }

    fn ships(_: &Settings) -> Vec<Ship> {
        Kind::ALL.into_iter().map(|ship| Ship::straight(ship.name(), ship.length())).collect()
    }

    fn kinds(_: &Settings, _: u8) -> Vec<String> {
        Weapon::ALL.into_iter().map(|weapon| weapon.name().to_owned()).chain(["shield".to_owned()]).collect()
    }

    fn planes(_: &Settings, _: u8) -> Vec<String> {
        named(&PLANES)
    }

    fn scalars(_: &Settings, _: u8) -> Vec<String> {
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

    fn order(_: &Settings, _: u8, _: Seat, kind: usize, centre: Point) -> Order {
        Weapon::ALL.get(kind).map_or(Order::Shield { centre }, |&weapon| Order::Fire { weapon, centre })
    }

    fn aims_of(_: &Settings, _: u8, _: Seat, order: &Order) -> Option<Vec<(usize, Point)>> {
        match *order {
            Order::Fire { weapon, centre } => Some(vec![(weapon as usize, centre)]),
            Order::Shield { centre } => Some(vec![(SHIELD, centre)]),
            Order::DoNothing | Order::Place(_) => None,
        }
    }

    fn placing(_: &Settings, ships: &[ShipAt]) -> Order {
        let placed = |nth: usize| match ships.get(nth) {
            Some(at) => ShipPlacement { ship: Kind::ALL[nth], start: at.start, direction: at.direction() },
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
        write_own(view.own.board.cell_bits(), &mut sight);
        let (moment, opponent) = ((view.size, view.phase, view.round), &view.opponent);
        Known::of(&view.own, moment, fleet, (opponent.points, opponent.destroyed)).write(&mut sight);
    }

    /// Without a view in between: matches by the thousand are encoded in every round.
    fn encode_at(&self, seat: Seat, fleet: &[ShipAt], mut sight: Sight<'_>) {
        let opponent = self.player(seat.opponent());
        // A shot tells whether there is a ship.
        const SHOT: u8 = Board::OCCUPIED | Board::HIT;
        write_flag(&mut sight, 0, opponent, |cell| cell & SHOT == SHOT);
        write_flag(&mut sight, 1, opponent, |cell| cell & SHOT == Board::HIT);
        write_flag(&mut sight, 2, opponent, |cell| cell & Board::SHIELD_HIT != 0);
        let own = self.player(seat);
        write_own(own.board.cell_bits(), &mut sight);
        let moment = (self.size(), self.phase(), self.round());
        Known::of(own, moment, fleet, (opponent.points, destroyed(opponent))).write(&mut sight);
    }
}

fn write_own(cells: &[u8], sight: &mut Sight<'_>) {
    const FLAGS: [u8; 4] = [Board::OCCUPIED, Board::HIT, Board::SHIELDED, Board::SHIELD_HIT];
    for (plane, flag) in FLAGS.into_iter().enumerate() {
        for (value, cell) in sight.plane(plane).iter_mut().zip(cells) {
            *value = u8::from(cell & flag != 0);
        }
    }
}

fn write_flag(sight: &mut Sight<'_>, nth: usize, opponent: &PlayerState, flag: impl Fn(u8) -> bool) {
    for (value, cell) in sight.plane(OPPONENT_HIT + nth).iter_mut().zip(opponent.board.cell_bits()) {
        *value = u8::from(flag(*cell));
    }
}
