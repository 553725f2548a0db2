//! Laplacian systems of many bots with few pairings: conjugate gradients, preconditioned by an incomplete Cholesky
//! decomposition without fill-in (Meijerink and van der Vorst, Mathematics of Computation 31, 1977).

use std::collections::BTreeSet;

/// The number of right-hand sides that are solved at the same time. One pass over the matrix serves all of them.
pub(crate) const LANES: usize = 8;
/// The relative error, in the norm of the preconditioner, at which a solution is accepted.
const TOLERANCE: f64 = 1e-8;

/// The values of one bot in all lanes.
type Lanes = [f64; LANES];

/// A sparse Laplacian with its preconditioner. Rows are in the order of elimination, not in the order of bots.
#[derive(Debug)]
pub(crate) struct SparseLaplacian {
    /// The row of each bot.
    row_of: Vec<usize>,
    diagonal: Vec<f64>,
    /// The elements beside the diagonal, without their sign.
    beside: Rows,
    /// The incomplete factor below its diagonal.
    lower: Rows,
    /// The inverse of the factor's diagonal.
    inverse_pivots: Vec<f64>,
}

/// The elements of a sparse matrix by rows, each row in the order of its columns.
#[derive(Debug)]
struct Rows {
    starts: Vec<usize>,
    elements: Vec<(u32, f64)>,
}

impl Rows {
    fn new(rows: Vec<Vec<(u32, f64)>>) -> Rows {
        let ends = rows.iter().scan(0, |end, row| {
            *end += row.len();
            Some(*end)
        });
        let starts = std::iter::once(0).chain(ends).collect();
        Rows { starts, elements: rows.into_iter().flatten().collect() }
    }

    fn row(&self, at: usize) -> &[(u32, f64)] {
        &self.elements[self.starts[at]..self.starts[at + 1]]
    }
}

impl SparseLaplacian {
    /// The Laplacian of so many bots, with the weights of their pairings. No weight is negative, and no pairing is named
    /// twice.
    pub(crate) fn of(bots: usize, pairings: &[(usize, usize, f64)]) -> SparseLaplacian {
        let (row_of, is_last) = elimination_order(bots, pairings);
        let mut diagonal = vec![0.0; bots];
        let mut rows = vec![Vec::new(); bots];
        for &(first, second, weight) in pairings {
            for (row, column) in [(row_of[first], row_of[second]), (row_of[second], row_of[first])] {
                diagonal[row] += weight;
                rows[row].push((column as u32, weight));
            }
        }
        rows.iter_mut().for_each(|row| row.sort_unstable_by_key(|(column, _)| *column));
        let (lower, inverse_pivots) = incomplete_cholesky(&diagonal, &rows, &is_last);
        SparseLaplacian { row_of, diagonal, beside: Rows::new(rows), lower, inverse_pivots }
    }

    /// The solutions for up to [`LANES`] right-hand sides. The elements of each group of linked bots must add up to 0 in
    /// each of them. Only differences within a group are meaningful in a solution.
    pub(crate) fn solve(&self, rights: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let bots = self.row_of.len();
        let mut residual = vec![[0.0; LANES]; bots];
        for (lane, right) in rights.iter().enumerate() {
            self.row_of.iter().zip(right).for_each(|(row, value)| residual[*row][lane] = *value);
        }
        let solution = self.conjugate_gradients(residual);
        let of_lane = |lane: usize| self.row_of.iter().map(|row| solution[*row][lane]).collect();
        (0..rights.len()).map(of_lane).collect()
    }

    fn conjugate_gradients(&self, mut residual: Vec<Lanes>) -> Vec<Lanes> {
        let bots = residual.len();
        let mut solution = vec![[0.0; LANES]; bots];
        let mut direction = vec![[0.0; LANES]; bots];
        let (mut product, mut improved) = (direction.clone(), direction.clone());
        let (mut last, mut goal) = ([0.0; LANES], None);
        // Without rounding, as many steps as bots are always enough.
        for _ in 0..2 * bots {
            improved.copy_from_slice(&residual);
            self.precondition(&mut improved);
            let now = dot(&residual, &improved);
            let goal = goal.get_or_insert(now.map(|first| first * TOLERANCE * TOLERANCE));
            if now.iter().zip(&*goal).all(|(now, goal)| now <= goal) {
                break;
            }
            let keep = ratio(now, last);
            for (direction, improved) in direction.iter_mut().zip(&improved) {
                (0..LANES).for_each(|lane| direction[lane] = improved[lane] + keep[lane] * direction[lane]);
            }
            self.multiply(&direction, &mut product);
            let length = ratio(now, dot(&direction, &product));
            for row in 0..bots {
                for lane in 0..LANES {
                    solution[row][lane] += length[lane] * direction[row][lane];
                    residual[row][lane] -= length[lane] * product[row][lane];
                }
            }
            last = now;
        }
        solution
    }

    fn multiply(&self, vector: &[Lanes], product: &mut [Lanes]) {
        for (row, product) in product.iter_mut().enumerate() {
            let mut sum = vector[row].map(|value| self.diagonal[row] * value);
            for &(column, weight) in self.beside.row(row) {
                subtract(&mut sum, weight, &vector[column as usize]);
            }
            *product = sum;
        }
    }

    /// Divides by the incomplete factor and by its transpose.
    fn precondition(&self, vector: &mut [Lanes]) {
        for row in 0..vector.len() {
            let mut sum = vector[row];
            for &(column, factor) in self.lower.row(row) {
                subtract(&mut sum, factor, &vector[column as usize]);
            }
            vector[row] = sum.map(|value| value * self.inverse_pivots[row]);
        }
        for row in (0..vector.len()).rev() {
            let own = vector[row].map(|value| value * self.inverse_pivots[row]);
            vector[row] = own;
            for &(column, factor) in self.lower.row(row) {
                subtract(&mut vector[column as usize], factor, &own);
            }
        }
    }
}

/// The row of each bot, and for each row whether it is the last of its group. The bot with the fewest pairings left comes
/// next, so that the decomposition of a tree has no fill-in and is exact.
fn elimination_order(bots: usize, pairings: &[(usize, usize, f64)]) -> (Vec<usize>, Vec<bool>) {
    let mut opponents = vec![Vec::new(); bots];
    for &(first, second, _) in pairings {
        opponents[first].push(second);
        opponents[second].push(first);
    }
    let mut degrees: Vec<usize> = opponents.iter().map(Vec::len).collect();
    let mut left: BTreeSet<(usize, usize)> = degrees.iter().copied().zip(0..).collect();
    let mut row_of = vec![usize::MAX; bots];
    let mut order = Vec::with_capacity(bots);
    while let Some((_, bot)) = left.pop_first() {
        row_of[bot] = order.len();
        order.push(bot);
        for &opponent in opponents[bot].iter().filter(|opponent| row_of[**opponent] == usize::MAX) {
            left.remove(&(degrees[opponent], opponent));
            degrees[opponent] -= 1;
            left.insert((degrees[opponent], opponent));
        }
    }
    let is_last = last_of_groups(&order, &opponents);
    (row_of, is_last)
}

/// For each bot in `order` whether it is the last of all bots that it is linked with. A bot without opponents behind it is not
/// always: what stood between it and others may be gone.
fn last_of_groups(order: &[usize], opponents: &[Vec<usize>]) -> Vec<bool> {
    let mut seen = vec![false; order.len()];
    let mut is_last: Vec<bool> = order
        .iter()
        .rev()
        .map(|&bot| {
            let is_last = !seen[bot];
            let mut linked = vec![bot];
            while let Some(bot) = linked.pop() {
                if !std::mem::replace(&mut seen[bot], true) {
                    linked.extend(&opponents[bot]);
                }
            }
            is_last
        })
        .collect();
    is_last.reverse();
    is_last
}

/// The incomplete factor of a Laplacian below its diagonal, and the inverse of its diagonal. `rows` has the elements
/// beside the diagonal without their sign.
///
/// Each group is determined up to a constant; its last bot is fixed at 0, by a zero in place of the inverse.
fn incomplete_cholesky(diagonal: &[f64], rows: &[Vec<(u32, f64)>], is_last: &[bool]) -> (Rows, Vec<f64>) {
    let mut lower: Vec<Vec<(u32, f64)>> = Vec::with_capacity(rows.len());
    let mut inverse_pivots: Vec<f64> = Vec::with_capacity(rows.len());
    for (at, row) in rows.iter().enumerate() {
        let mut factors: Vec<(u32, f64)> = Vec::new();
        let mut pivot = diagonal[at];
        for &(column, weight) in row.iter().take_while(|(column, _)| (*column as usize) < at) {
            let known = sparse_dot(&factors, &lower[column as usize]);
            let factor = (-weight - known) * inverse_pivots[column as usize];
            pivot -= factor * factor;
            factors.push((column, factor));
        }
        inverse_pivots.push(if is_last[at] { 0.0 } else { pivot.max(1e-15 * diagonal[at]).sqrt().recip() });
        lower.push(factors);
    }
    (Rows::new(lower), inverse_pivots)
}

fn sparse_dot(one: &[(u32, f64)], other: &[(u32, f64)]) -> f64 {
    let (mut sum, mut rest) = (0.0, other);
    for &(column, value) in one {
        while let [(first, _), tail @ ..] = rest
            && *first < column
        {
            rest = tail;
        }
        if let [(first, factor), ..] = rest
            && *first == column
        {
            sum += value * factor;
        }
    }
    sum
}

fn subtract(sum: &mut Lanes, factor: f64, value: &Lanes) {
    (0..LANES).for_each(|lane| sum[lane] -= factor * value[lane]);
}

fn dot(one: &[Lanes], other: &[Lanes]) -> Lanes {
    let mut sum = [0.0; LANES];
    for (one, other) in one.iter().zip(other) {
        (0..LANES).for_each(|lane| sum[lane] += one[lane] * other[lane]);
    }
    sum
}

/// The quotients of all lanes; 0 in lanes that are finished.
fn ratio(above: Lanes, below: Lanes) -> Lanes {
    std::array::from_fn(|lane| if below[lane] > 0.0 { above[lane] / below[lane] } else { 0.0 })
}
