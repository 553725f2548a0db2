//! Which cells the opponent's shield may cover.

use crate::Sight;
use rules::Point;

/// The chance of every cell to lie under a shield that caught shots at `sight.shield_hits`. All places and sizes that
/// the shield can have count the same.
pub fn shadow(sight: &Sight, max_radius: u32) -> Vec<f64> {
    let mut covered = vec![0.0; sight.grid.len()];
    if sight.shield_hits.is_empty() {
        return covered;
    }
    let points: Vec<Point> = sight.grid.points().collect();
    let mut shields = 0.0;
    for radius in 1..=max_radius as i32 {
        let near = |a: Point, b: Point| (a.x - b.x).abs() <= radius && (a.y - b.y).abs() <= radius;
        for &centre in &points {
            if sight.shield_hits.iter().all(|cell| near(points[cell], centre)) {
                shields += 1.0;
                for (chance, &point) in covered.iter_mut().zip(&points) {
                    *chance += f64::from(u8::from(near(point, centre)));
                }
            }
        }
    }
    for chance in &mut covered {
        *chance /= f64::max(shields, 1.0);
    }
    covered
}
