//! draft
use crate::{Density, Sight, tune};
use rules::entelect_2017::files::wire::PlayerMap;
use rules::{Grid, Point, Random};

pub fn choose(grid: Grid, map: &PlayerMap, random: &mut Random) -> Option<Point> {
    let shield = &map.owner.shield;
    let least = tune(1);
    if shield.active || shield.current_charges == 0 || least == 0.0 || (shield.current_charges as f64) < least {
        return None;
    }
    let sight = Sight::of_own(grid, map);
    let density = Density::of(&sight, random);
    let radius = shield.current_radius as i32;
    let ships: Vec<(Point, f64)> = map
        .cells
        .iter()
        .filter(|c| c.occupied && !c.hit)
        .filter_map(|c| {
            let p = Point::new(c.x, c.y);
            Some((p, density.chance(grid.index(p)?)))
        })
        .collect();
    let total: f64 = ships.iter().map(|s| s.1).sum();
    let near = |a: Point, b: Point| (a.x - b.x).abs() <= radius && (a.y - b.y).abs() <= radius;
    let (value, centre, count) = grid
        .points()
        .map(|centre| {
            let inside = || ships.iter().filter(|s| near(s.0, centre));
            (inside().map(|s| s.1).sum::<f64>(), centre, inside().count())
        })
        .max_by(|a, b| a.0.total_cmp(&b.0))?;
    let all = count == ships.len() && tune(4) > 0.0 && shield.current_charges as f64 >= tune(4);
    (all || (value >= tune(2) && value >= total * tune(3))).then_some(centre)
}
