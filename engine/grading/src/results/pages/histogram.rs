//! The distribution of points, drawn.

use crate::results::text::figures;

/// The most columns.
const MOST_COLUMNS: f64 = 16.0;

/// The columns of a histogram.
pub(super) struct Histogram {
    pub(super) columns: Vec<Column>,
}

/// The students whose points lie in a range.
pub(super) struct Column {
    /// The least points.
    pub(super) least: String,
    pub(super) spoken: String,
    pub(super) students: usize,
    /// The left edge and the width in percent of the picture.
    pub(super) left: f64,
    pub(super) width: f64,
    /// The height in percent of the highest.
    pub(super) height: f64,
}

impl Histogram {
    /// The histogram of these points, of which there are at most `most`. The last column begins with the last full step.
    pub(super) fn new(points: impl Iterator<Item = f64>, most: f64) -> Histogram {
        let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0];
        let step = steps.into_iter().find(|step| most / step < MOST_COLUMNS).unwrap_or(most / MOST_COLUMNS * 2.0);
        let last = (most / step).floor().max(0.0) as usize;
        let mut counts = vec![0; last + 1];
        // Points such as 0.1 + 0.2 may lie a little below the edge on which they are.
        points.for_each(|points| counts[(((points + 1e-9) / step).max(0.0) as usize).min(last)] += 1);
        let highest = counts.iter().copied().max().unwrap_or_default().max(1);
        let width = 100.0 / counts.len() as f64;
        let column = |(number, students): (usize, usize)| {
            let least = number as f64 * step;
            let range = if number == last { "at least" } else { "from" };
            let end = if number == last { String::new() } else { format!(" to less than {}", figures(least + step)) };
            Column {
                spoken: format!("{students} with {range} {}{end}", figures(least)),
                least: figures(least),
                students,
                left: number as f64 * width,
                width,
                height: students as f64 / highest as f64 * 100.0,
            }
        };
        Histogram { columns: counts.into_iter().enumerate().map(column).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_student_is_in_a_column_and_the_last_has_the_rest() {
        for (points, most, counts) in [
            (&[0.0, 0.5, 3.0, 0.1 + 0.2][..], 3.0, &[3, 0, 0, 1][..]),
            (&[4.0, 100.0, 99.0], 100.0, &[1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]),
            (&[-1.0, 7.0], 0.0, &[2]),
            (&[], 1.5, &[0, 0]),
        ] {
            let found = Histogram::new(points.iter().copied(), most);
            assert_eq!(found.columns.iter().map(|column| column.students).collect::<Vec<_>>(), counts, "{most}");
        }
    }
}
