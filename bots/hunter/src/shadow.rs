//! Which cells the opponent's shield may cover.
//!
//! The marks of caught shots vanish with the shield, so while there are any the shield is up, or was a round ago.

use crate::Sight;
use rules::Point;

/// The chance of every cell to lie under the shield that caught shots at `sight.shield_hits`; all 0 if there is none.
/// Every centre and every radius up to `max_radius` that the marks allow counts the same.
pub fn shadow(sight: &Sight, max_radius: u32) -> Vec<f64> {
    let mut covered = vec![0.0; sight.grid.len()];
    if sight.shield_hits.is_empty() {
        return covered;
    }
    let points: Vec<Point> = sight.grid.points().collect();
    let marks: Vec<Point> = sight.shield_hits.iter().map(|cell| points[cell]).collect();
    let mut shields = 0.0;
    for radius in 1..=max_radius {
        for &centre in &points {
            if marks.iter().all(|&mark| covers(centre, radius, mark)) {
                shields += 1.0;
                for (count, &point) in covered.iter_mut().zip(&points) {
                    *count += f64::from(u8::from(covers(centre, radius, point)));
                }
            }
        }
    }
    covered.into_iter().map(|count| if shields > 0.0 { count / shields } else { 0.0 }).collect()
}

/// True if a shield around `centre` covers `point`.
pub(crate) fn covers(centre: Point, radius: u32, point: Point) -> bool {
    centre.x.abs_diff(point.x) <= radius && centre.y.abs_diff(point.y) <= radius
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cells;
    use rules::Grid;

    fn shadow_of(marks: &[Point], max_radius: u32) -> impl Fn(i32, i32) -> f64 + use<> {
        let grid = Grid::new(14, 14);
        let sight = Sight { shield_hits: Cells::at(grid, marks.iter().copied()), ..Sight::blank(grid) };
        let shadow = shadow(&sight, max_radius);
        move |x, y| shadow[grid.index(Point::new(x, y)).unwrap()]
    }

    #[test]
    fn without_marks_there_is_no_shadow() {
        let shadow = shadow_of(&[], 3);
        assert_eq!(shadow(5, 5), 0.0);
    }

    #[test]
    fn the_shadow_is_darkest_at_the_mark_and_ends_where_no_shield_reaches() {
        let shadow = shadow_of(&[Point::new(5, 5)], 3);
        assert_eq!(shadow(5, 5), 1.0);
        assert!(shadow(6, 5) > shadow(8, 5) && shadow(8, 5) > shadow(11, 5));
        assert!(shadow(11, 5) > 0.0);
        assert_eq!(shadow(12, 5), 0.0);
    }

    #[test]
    fn marks_far_apart_show_where_the_shield_lies() {
        let shadow = shadow_of(&[Point::new(2, 2), Point::new(8, 8)], 3);
        for (x, y, chance) in [(2, 8, 1.0), (5, 5, 1.0), (1, 2, 0.0), (9, 9, 0.0)] {
            assert_eq!(shadow(x, y), chance, "({x}, {y})");
        }
    }

    #[test]
    fn marks_that_no_shield_explains_throw_no_shadow() {
        assert_eq!(shadow_of(&[Point::new(0, 0), Point::new(13, 13)], 3)(0, 0), 0.0);
    }
}
