//! A state of knowledge: the fleets that fit all answers, without the cells that were hit.

use crate::fleets::{STRIDE, bits};

/// The kinds of telling that a ship sank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    /// Nothing: an answer is a hit or a miss.
    Nothing,
    /// A ship sank.
    Sunk,
    /// A ship of this length sank.
    Which,
}

/// The answers to a shot, as [`answer`] numbers them: 0 is a miss, 1 is a hit, larger numbers tell of a ship that sank.
pub(crate) type Answer = usize;

/// The fleets that fit what is known. What is still to be hit of a fleet is a mask for each of its ships. If nothing is told of
/// sinkings, fleets of which the same cells are left are one, and the masks are those of one of them. Two histories that leave the
/// same of the same fleets have the same state: what the shooter has still to fire depends on nothing else. Cells in no fleet are
/// water, and a shot there is wasted.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct State<const N: usize> {
    /// The rest of each fleet, and the weight of the fleets of which just that is left. Each once.
    pub(crate) fleets: Vec<([u64; N], f64)>,
}

/// The rules that matter for a state: the kind of telling, and for each mask of a fleet a number, which is the same for ships that
/// the shooter cannot tell apart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Telling<const N: usize> {
    pub(crate) told: Told,
    pub(crate) kinds: [u8; N],
}

impl<const N: usize> Telling<N> {
    /// The same for fleets between which no answer can tell: the cells of all ships, or the masks with those of one kind in order.
    fn apart(&self, ships: &[u64; N]) -> [u64; N] {
        let mut apart = *ships;
        if self.told == Told::Nothing {
            apart = [0; N];
            apart[0] = all(ships);
        }
        let mut at = 0;
        for equal in self.kinds.chunk_by(|a, b| a == b) {
            apart[at..at + equal.len()].sort_unstable();
            at += equal.len();
        }
        apart
    }

    /// Fires at `cell`: the answer, with `ships` changed to what is left. `None` if nothing is left, which ends the game.
    fn answer(&self, ships: &mut [u64; N], cell: u32) -> Option<Answer> {
        let Some(nth) = ships.iter().position(|ship| ship >> cell & 1 != 0) else { return Some(0) };
        ships[nth] &= !(1 << cell);
        let sank = ships[nth] == 0 && self.told != Told::Nothing;
        (all(ships) != 0).then_some(if sank { 2 + usize::from(self.kinds[nth]) } else { 1 })
    }

    /// The state of these fleets.
    pub(crate) fn state(&self, mut fleets: Vec<([u64; N], f64)>) -> State<N> {
        fleets.sort_unstable_by_key(|(ships, _)| (self.apart(ships), *ships));
        fleets.dedup_by(|next, kept| {
            let is_same = self.apart(&next.0) == self.apart(&kept.0);
            kept.1 += if is_same { next.1 } else { 0.0 };
            is_same
        });
        State { fleets }
    }

    /// The states after a shot at `cell`, by its answers. Fleets of which nothing is left are over, and in none of them.
    pub(crate) fn after(&self, state: &State<N>, cell: u32) -> Vec<(Answer, State<N>)> {
        let mut parts: Vec<Vec<([u64; N], f64)>> = vec![Vec::new(); 3 + N];
        for &(mut ships, weight) in &state.fleets {
            if let Some(answer) = self.answer(&mut ships, cell) {
                parts[answer].push((ships, weight));
            }
        }
        let parts = parts.into_iter().enumerate().filter(|(_, fleets)| !fleets.is_empty());
        // A miss takes fleets away and changes none.
        parts
            .map(|(answer, fleets)| (answer, if answer == 0 { State { fleets } } else { self.state(fleets) }))
            .collect()
    }

    /// The state after shots at all cells that are a part of every fleet, where nothing is told of sinkings. The module `solver`
    /// says why this is right.
    pub(crate) fn without_certain(&self, mut state: State<N>) -> State<N> {
        while self.told == Told::Nothing && !state.fleets.is_empty() {
            let certain = state.fleets.iter().fold(u64::MAX, |cells, (ships, _)| cells & all(ships));
            if certain == 0 {
                break;
            }
            state.fleets.iter_mut().for_each(|(ships, _)| ships.iter_mut().for_each(|ship| *ship &= !certain));
            state.fleets.retain(|(ships, _)| all(ships) != 0);
        }
        state
    }

    /// A number of 128 bits that is the same for states that are turned, mirrored or moved on the board, and in practice for no
    /// others.
    pub(crate) fn key(&self, state: &State<N>) -> u128 {
        let (mut cells, mut counts) = (0, [0_u64; 64]);
        for (ships, _) in &state.fleets {
            cells |= all(ships);
            bits(all(ships)).for_each(|cell| counts[cell] += 1);
        }
        // Only of the ways that look alike by the number of fleets in each cell all fleets are looked at.
        let looks: [(u64, u32); 8] = std::array::from_fn(|way| {
            let shift = corner(turned(cells, way as u32));
            let look = bits(cells).map(|cell| {
                let moved = turned(1 << cell, way as u32) >> shift;
                counts[cell].wrapping_mul(moved.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) | 1)
            });
            (look.fold(0, u64::wrapping_add), shift)
        });
        let least = looks.iter().map(|(look, _)| *look).min();
        let ways = (0..).zip(looks).filter(|(_, (look, _))| Some(*look) == least);
        ways.map(|(way, (_, shift))| self.key_in(state, way, shift)).min().unwrap_or(0)
    }

    fn key_in(&self, state: &State<N>, way: u32, shift: u32) -> u128 {
        let ship = |(ship, kind): (&u64, &u8)| match ship {
            0 => 0,
            ship => mixed(u128::from(turned(*ship, way) >> shift) | u128::from(*kind) << 64),
        };
        let of = |(ships, weight): &([u64; N], f64)| {
            let ships = match self.told {
                Told::Nothing => u128::from(turned(all(ships), way) >> shift),
                _ => ships.iter().zip(&self.kinds).map(ship).fold(0, u128::wrapping_add),
            };
            mixed(ships ^ u128::from(weight.to_bits()) << 64)
        };
        state.fleets.iter().map(of).fold(0, u128::wrapping_add)
    }
}

impl<const N: usize> State<N> {
    /// The weight of all fleets.
    pub(crate) fn weight(&self) -> f64 {
        self.fleets.iter().map(|(_, weight)| weight).sum()
    }
}

/// The cells of all ships of a fleet.
pub(crate) fn all(ships: &[u64]) -> u64 {
    ships.iter().fold(0, |cells, ship| cells | ship)
}

/// Bits of a number, mixed.
fn mixed(number: u128) -> u128 {
    let number = (number ^ number >> 59).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    (number ^ number >> 71).wrapping_mul(0xd134_2543_de82_ef95_2545_f491_4f6c_dd1d) ^ number >> 64
}

/// The cells as they lie after one of the eight ways to turn and mirror a square board of 8 x 8.
fn turned(cells: u64, way: u32) -> u64 {
    let cells = if way & 4 == 0 { cells } else { transposed(cells) };
    let cells = if way & 1 == 0 { cells } else { cells.swap_bytes() };
    if way & 2 == 0 { cells } else { cells.reverse_bits().swap_bytes() }
}

/// The cells with columns and rows exchanged, by exchanging squares of 4, 2 and 1 cells.
fn transposed(mut cells: u64) -> u64 {
    for (shift, mask) in [(28, 0x0000_0000_f0f0_f0f0), (14, 0x0000_cccc_0000_cccc), (7, 0x00aa_00aa_00aa_00aa)] {
        let moved = (cells ^ cells >> shift) & mask;
        cells ^= moved ^ moved << shift;
    }
    cells
}

/// The number of bits by which cells are moved to the first row and the first column.
fn corner(cells: u64) -> u32 {
    let columns = (0..STRIDE).fold(0, |columns, row| columns | cells >> (row * STRIDE) & 0xff);
    if cells == 0 { 0 } else { cells.trailing_zeros() / STRIDE * STRIDE + columns.trailing_zeros() }
}
