//! Shapes of ships.

use rules::battleship::{Rules, WrongChoice};
use rules::{Point, Shape};
use serde_json::json;
use std::sync::Arc;

/// The shape that is drawn in these rows.
fn shape(rows: &[&str], mirror: bool) -> Result<Arc<Shape>, WrongChoice> {
    let file = json!({"mirror": mirror, "fleet": [{"name": "ship", "shape": rows}]});
    Rules::new(serde_json::from_value(file).unwrap()).map(|rules| Arc::clone(&rules.ships()[0].shape))
}

fn ways(rows: &[&str], mirror: bool) -> usize {
    shape(rows, mirror).unwrap().ways().len()
}

#[test]
fn a_shape_lies_in_all_ways_that_differ() {
    assert_eq!((ways(&["#"], true), ways(&["###"], true), ways(&["##", "##"], true)), (1, 2, 1));
    assert_eq!((ways(&["##.", ".##"], false), ways(&["##.", ".##"], true)), (2, 4));
    assert_eq!((ways(&["#..", "###"], false), ways(&["#..", "###"], true)), (4, 8));
}

#[test]
fn cells_anywhere_are_known_as_the_shape() {
    let shape = shape(&["#.#", "###"], false).unwrap();
    let cells = [(7, 3), (8, 3), (8, 4), (8, 5), (7, 5)].map(|(x, y)| Point::new(x, y));
    assert_eq!(shape.place_of(&cells).map(|(start, _)| start), Some(Point::new(7, 3)));
    assert!(shape.place_of(&cells[..4]).is_none() && shape.place_of(&[cells[0]; 5]).is_none());
}

#[test]
fn a_shape_in_two_parts_is_told_from_one() {
    let is_one = |rows: &[&str]| shape(rows, false).is_ok();
    assert!(is_one(&["#.#", "###"]) && !is_one(&["#.#"]) && !is_one(&["#.", ".#"]));
}
