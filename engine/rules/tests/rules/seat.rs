//! Seats: their letters, their number, and their seeds.

use rules::{BySeat, Seat, seat_seed};

#[test]
fn there_are_not_more_values_than_seats() {
    let read = |count: usize| serde_json::from_str::<BySeat<u8>>(&format!("{:?}", vec![0; count]));
    assert_eq!(read(16).unwrap().len(), 16);
    assert!(read(17).unwrap_err().to_string().contains("17 seats; no game has more than 16"));
}

#[test]
fn only_seats_there_are_can_be_read() {
    assert_eq!(serde_json::from_str::<Seat>(r#""P""#).map(Seat::letter).ok(), Some('P'));
    assert_eq!(serde_json::to_string(&Seat::B).unwrap(), r#""B""#);
    for other in ["Q", "a", "@", "\u{3b1}"] {
        let error = serde_json::from_str::<Seat>(&format!("{other:?}")).unwrap_err().to_string();
        assert!(error.contains("they go from A to P"), "{error}");
    }
}

#[test]
fn the_seeds_of_the_seats_differ_and_never_change() {
    let seeds = [seat_seed(7, Seat::A), seat_seed(7, Seat::B), seat_seed(8, Seat::A)];
    assert_eq!(seeds, [14095323943061994099, 16046041343225761205, 5565730000310580210]);
}
