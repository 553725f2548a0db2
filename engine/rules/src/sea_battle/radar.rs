//! Radar: what a look at nine cells shows.

use super::fleet_state::FleetState;
use super::{BOARD, Scan};
use crate::Point;

/// The cells that radar looks at around `centre`, row by row from the top, without those off the board.
pub(super) fn area(centre: Point) -> impl Iterator<Item = Point> {
    let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
    around.filter_map(move |(dx, dy)| centre.offset(dx, dy)).filter(|point| BOARD.contains(*point))
}

/// Looks at nine cells: all parts of ships but those of submarines are seen, whether they were hit or not.
pub(super) fn look(fleet: &FleetState, centre: Point) -> Scan {
    let seen = |point: &Point| fleet.part(*point).is_some_and(|(kind, _)| kind.is_seen_by_radar());
    Scan { centre, visible: area(centre).filter(seen).collect() }
}
