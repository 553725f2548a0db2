//! The messages in `sample-state/salvo`.

use rules::Point;
use rules::salvo::{Orientation, Placement, ShipKind, Topics, body};
use salvo::{Cipher, Envelope};
use std::fs;
use std::path::Path;

fn sample(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-state/salvo").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn opened(sealed: &str, secret: &str) -> String {
    Cipher::default().open(&Envelope::read(sealed).unwrap(), secret).unwrap()
}

#[test]
fn what_clients_send_is_read() {
    let request = body::read_request(sample("request.json").as_bytes()).unwrap();
    assert_eq!((request.name.as_str(), request.secret.as_str()), ("Henkiebunch", "cockadoodledoo"));

    let placed = opened(&sample("place.txt"), &request.secret);
    assert_eq!(placed, sample("place.json").trim_end());
    let carrier = Placement { ship: ShipKind::Carrier, at: Point::new(3, 4), orientation: Orientation::Horizontal };
    assert_eq!(body::read_placement(ShipKind::Carrier, placed.as_bytes()).unwrap(), carrier);

    for signed in ["fire.json", "signed.json"] {
        let signed = body::read_signed(sample(signed).as_bytes()).unwrap();
        assert!(signed.is_copied_in(&opened(&signed.signature, &request.secret)));
    }
    let shot = body::read_signed(sample("fire.json").as_bytes()).unwrap();
    assert_eq!(body::shot_in(&shot).unwrap(), Point::new(3, 4));
}

#[test]
fn what_the_server_sends_is_written_so() {
    assert_eq!(sample("hit.json").trim_end(), body::cell(Point::new(3, 4)));
    assert_eq!(sample("list.json").trim_end(), body::list(["Henkiebunch", "Deep Water"]));
    let refused = body::Refused {
        name: "henkiebunch".to_owned(),
        error: "the name is taken, and the secret is another one".to_owned(),
    };
    assert_eq!(sample("refused.json").trim_end(), body::refused(&refused));
    let shots = [("Henkiebunch", 17.0), ("Deep Water", 12.0)];
    assert_eq!(sample("stats-shots.json").trim_end(), body::by_player(shots));
}

#[test]
fn the_access_list_is_the_same_text_as_ever() {
    assert_eq!(salvo::access_list(&Topics::default(), "broadside"), include_str!("acl.txt"));
}
