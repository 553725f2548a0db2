//! Kinds of ships.

use rules::sea_battle::{FLEET, HITS, ShipKind};

#[test]
fn a_fleet_has_20_cells_and_takes_23_hits() {
    assert_eq!(FLEET.map(|kind| u32::from(kind.length())).iter().sum::<u32>(), 20);
    assert_eq!(FLEET.map(|kind| u32::from(kind.length() * kind.strength())).iter().sum::<u32>(), HITS);
    assert_eq!(ShipKind::ALL.map(ShipKind::count), [1, 1, 1, 1, 2, 4]);
}

#[test]
fn kinds_have_names_and_letters_of_their_own() {
    for kind in ShipKind::ALL {
        assert_eq!(ShipKind::from_name(kind.name()), Some(kind));
        assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        assert_eq!(ShipKind::ALL.into_iter().filter(|other| other.letter() == kind.letter()).count(), 1);
    }
    assert_eq!(ShipKind::from_name("Fourdeck"), None);
}
