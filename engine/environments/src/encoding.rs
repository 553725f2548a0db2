//! The encoding of a game: from actions to orders, and from what a seat may know to numbers.

use crate::{Layout, Ship, ShipAt};
use players::WithBuiltIns;
use rules::battleship::Touching;
use rules::{Grid, Point, Random, Seat};

/// A game with an encoding of its orders and views as numbers.
///
/// What an observation holds depends on the view of the seat alone, and on the ships that it has placed itself: a policy
/// cannot see more than a bot.
pub trait Encoded: WithBuiltIns {
    /// The cells of one board.
    fn grid(settings: &Self::Settings) -> Grid;

    /// The ships of a fleet, in the order in which agents place them.
    fn ships(settings: &Self::Settings) -> Vec<Ship>;

    /// The way in which ships of a fleet may touch.
    fn touching(_: &Self::Settings) -> Touching {
        Touching::Allowed
    }

    /// The names of the kinds of orders that have a cell, without those that place ships.
    fn kinds(settings: &Self::Settings, seats: u8) -> Vec<String>;

    /// The names of the planes of an observation.
    fn planes(settings: &Self::Settings, seats: u8) -> Vec<String>;

    /// The names of the scalars of an observation that the game adds to [`COMMON_SCALARS`].
    fn scalars(settings: &Self::Settings, seats: u8) -> Vec<String>;

    /// True while fleets are placed.
    fn is_placing(&self) -> bool;

    /// True while the seat is in the game: in games of many players some leave it before the others.
    fn is_in(&self, _seat: Seat) -> bool {
        true
    }

    /// The order of a kind at a cell, in a match of so many seats.
    fn order(settings: &Self::Settings, seats: u8, seat: Seat, kind: usize, cell: Point) -> Self::Order;

    /// The order of several actions of one move, none of which places ships. Only games whose moves have several shots join them.
    fn joined(orders: Vec<Self::Order>) -> Option<Self::Order> {
        orders.into_iter().last()
    }

    /// The kinds and cells of an order that places no ships, one for each action of the move; `None` for other orders.
    fn aims_of(settings: &Self::Settings, seats: u8, seat: Seat, order: &Self::Order) -> Option<Vec<(usize, Point)>>;

    /// True if a move is complete with these kinds and cells of actions, of which there is at least one.
    fn is_whole(_view: &Self::View, _aims: &[(usize, Point)]) -> bool {
        true
    }

    /// As [`Encoded::is_whole`], of the present view of a seat.
    fn is_whole_at(&self, _seat: Seat, _aims: &[(usize, Point)]) -> bool {
        true
    }

    /// The order that places these ships, given in the order of [`Encoded::ships`]. Fewer ships give an order that the rules refuse.
    fn placing(settings: &Self::Settings, ships: &[ShipAt]) -> Self::Order;

    /// The ships that an order places, in the order of [`Encoded::ships`]; `None` if it places none, or not these ships.
    fn placed(settings: &Self::Settings, order: &Self::Order) -> Option<Vec<ShipAt>>;

    /// The order that places a fleet at random.
    fn placing_at_random(settings: &Self::Settings, random: &mut Random) -> Self::Order;

    /// The share of all that can be hit which the seat has hit, as far as it is told: 0 to 1. [`Reward::Hits`](crate::Reward) is made of it.
    fn progress(&self, seat: Seat) -> f32;

    /// Writes the planes and the scalars of the game's own, and allows the orders of the seat's view that the rules would obey, of all kinds
    /// that place no ships. `own` are the ships that the seat has placed. Planes and mask are 0 before.
    fn encode(view: &Self::View, own: &[ShipAt], sight: Sight<'_>);

    /// As [`Encoded::encode`], of the present view of a seat.
    fn encode_at(&self, seat: Seat, own: &[ShipAt], sight: Sight<'_>) {
        Self::encode(&self.view(seat), own, sight);
    }
}

/// The scalars that all games have: whether ships are placed now, the share of the fleet that is placed, and whether the
/// seat must act. Each is 0 to 1.
pub const COMMON_SCALARS: [&str; 3] = ["placing", "ships placed", "to act"];

/// The most that a scalar is; what would be more is cut off. Most are shares of a whole, 0 to 1, but energy and shield charges are hoarded.
pub const MOST_SCALAR: f32 = 20.0;

/// The orders that a mask allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MaskKind {
    /// All that the rules would obey, as far as the seat can know.
    Legal,
    /// Those of them that can change anything, as far as the seat can know: no shot at a cell where there is nothing left to hit.
    #[default]
    Useful,
}

/// The place to which an observation is written.
#[derive(Debug)]
pub struct Sight<'a> {
    /// The meaning of all numbers.
    pub layout: &'a Layout,
    /// One plane after the other, each with a value for every cell.
    pub planes: &'a mut [u8],
    /// The scalars of the game's own.
    pub scalars: &'a mut [f32],
    /// A 1 for each action that is allowed.
    pub mask: &'a mut [i8],
    /// The orders that the mask allows.
    pub mask_kind: MaskKind,
    /// The kinds and cells of the actions that the seat has taken in this move, which is not complete.
    pub aims: &'a [(usize, Point)],
}

impl Sight<'_> {
    /// A plane to be written.
    pub fn plane(&mut self, number: usize) -> &mut [u8] {
        let cells = self.layout.grid.len();
        &mut self.planes[number * cells..][..cells]
    }

    /// Adds 1 to a cell of a plane.
    pub(crate) fn count(&mut self, plane: usize, cell: Point) {
        self.set(plane, cell, |value| value.saturating_add(1));
    }

    /// Changes a cell of a plane; cells off the board are passed over.
    pub(crate) fn set(&mut self, plane: usize, cell: Point, change: impl FnOnce(u8) -> u8) {
        if let Some(index) = self.layout.grid.index(cell) {
            let value = &mut self.plane(plane)[index];
            *value = change(*value);
        }
    }

    /// Marks the cells of the ships that were placed in a plane.
    pub(crate) fn ships(&mut self, plane: usize, own: &[ShipAt]) {
        let layout = self.layout;
        for (at, ship) in own.iter().zip(&layout.ships) {
            at.cells(ship).for_each(|cell| self.set(plane, cell, |_| 1));
        }
    }

    /// Allows an order of a kind at every cell.
    pub(crate) fn allow_all(&mut self, kind: usize) {
        self.layout.of_kind(kind, self.mask).fill(1);
    }

    /// Allows an order of a kind at the cells that have 0 in a plane, or at all if the mask is of all legal orders.
    pub(crate) fn allow_where_zero(&mut self, kind: usize, plane: usize) {
        let cells = self.layout.grid.len();
        let every = self.mask_kind == MaskKind::Legal;
        let plane = &self.planes[plane * cells..][..cells];
        for (mask, value) in self.layout.of_kind(kind, self.mask).iter_mut().zip(plane) {
            *mask = i8::from(every | (*value == 0));
        }
    }

    /// Writes the scalars in turn.
    pub(crate) fn write_scalars(&mut self, values: impl IntoIterator<Item = f32>) {
        for (scalar, value) in self.scalars.iter_mut().zip(values) {
            *scalar = value.min(MOST_SCALAR);
        }
    }
}

/// A seat of which an observation is written, apart from what its game shows it.
#[derive(Debug, Clone, Copy)]
pub struct ObservedSeat<'a> {
    /// The meaning of all numbers.
    pub layout: &'a Layout,
    /// The ships that the seat has placed so far.
    pub fleet: &'a [ShipAt],
    /// True while fleets are placed.
    pub is_placing: bool,
    /// True if the seat is to act.
    pub acts: bool,
    /// The orders that the mask allows. If none is useful, all that are legal are allowed.
    pub mask_kind: MaskKind,
    /// The kinds and cells of the actions that the seat has taken in this move, which is not complete.
    pub aims: &'a [(usize, Point)],
}

impl ObservedSeat<'_> {
    /// Writes an observation: the scalars of all games, what `encode` writes, and the places of the next ship. `encode` may be called twice;
    /// planes and mask are 0 before each call. At least one action is allowed afterwards: a seat that is not to act has action 0 only.
    ///
    /// # Panics
    /// A slice is not as long as [`ActionMatch::buffers`](crate::ActionMatch::buffers) makes it.
    pub fn write(self, planes: &mut [u8], scalars: &mut [f32], mask: &mut [i8], mut encode: impl FnMut(Sight<'_>)) {
        let ObservedSeat { layout, fleet, is_placing, acts, mask_kind, aims } = self;
        let (common, own) = scalars.split_at_mut(COMMON_SCALARS.len());
        common.copy_from_slice(&[bit(is_placing), share(fleet.len() as u32, layout.ships.len() as u32), bit(acts)]);
        planes.fill(0);
        mask.fill(0);
        encode(Sight { layout, planes, scalars: own, mask, mask_kind, aims });
        if !acts {
            mask.fill(0);
        } else if is_placing && layout.agents_place {
            mask.fill(0);
            layout.allow_places(fleet, mask);
        } else if mask_kind == MaskKind::Useful && !mask.contains(&1) {
            planes.fill(0);
            encode(Sight { layout, planes, scalars: own, mask, mask_kind: MaskKind::Legal, aims });
        }
        if !mask.contains(&1) {
            mask[0] = 1;
        }
    }
}

/// A share of a whole.
pub(crate) fn share(part: u32, whole: u32) -> f32 {
    part as f32 / whole.max(1) as f32
}

/// 1 for true, 0 for false.
pub(crate) fn bit(value: bool) -> f32 {
    f32::from(u8::from(value))
}

/// Names as the layout has them.
pub(crate) fn named(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}
