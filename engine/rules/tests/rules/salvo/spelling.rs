//! Topics of ships, in the spellings of clients, and the owners of filters.

use rules::salvo::{ShipKind, ShipTopic, Topic, Topics};

#[test]
fn ships_are_understood_in_every_spelling() {
    for root in ["", "/monday"] {
        let topics = if root.is_empty() { Topics::default() } else { Topics::below("monday").unwrap() };
        let place = |ship: &str| format!("{root}/players/Deep Water/ships/{ship}/place");
        for spelled in ["Patrol boat", "patrol_boat", "Patrol-Boat", "PATROLBOAT"] {
            let name = place(spelled);
            let wanted = Topic::Ship { player: "Deep Water", ship: ShipKind::PatrolBoat, what: ShipTopic::Place };
            assert_eq!(topics.parse(&name), Some(wanted));
            assert_eq!(topics.ship_spelling(&name), Some(spelled));
            assert_eq!(topics.with_ship(&topics.name(&wanted), spelled), name);
            assert_eq!(topics.place_of_no_ship(&name), None);
        }
        assert_eq!(topics.ship_spelling(&place("patrolboat")), None);
        assert_eq!(topics.place_of_no_ship(&place("raft")), Some(("Deep Water", "raft")));
        for other in ["/players/a/ships/raft/sunk", "/players/a/hit", "/a/b/c/raft/place", "/game/state"] {
            assert_eq!(topics.place_of_no_ship(&format!("{root}{other}")), None, "{other}");
        }
        // Only the names of ships are lenient.
        for other in ["/players/a/ships/carrier/Place", "/players/a/Ships/carrier/place", "/Game/state"] {
            assert_eq!(topics.parse(&format!("{root}{other}")), None, "{other}");
        }
    }
}

#[test]
fn the_owner_of_a_filter_is_named_in_it() {
    let topics = Topics::below("monday").unwrap();
    for filter in ["/monday/players/A/hit", "/monday/players/A/#", "/monday/players/A/ships/+/error"] {
        assert_eq!(topics.owner(filter), Some("A"), "{filter}");
    }
    let others =
        ["/players/A/hit", "/monday/players/+/hit", "/monday/players/#", "/monday/#", "#", "/monday/players/A"];
    for filter in others {
        assert_eq!(topics.owner(filter), None, "{filter}");
    }
}

#[test]
fn topics_with_long_names_of_players_and_ships_are_strangers() {
    let topics = Topics::below("monday").unwrap();
    let place = |player: usize, ship: &str| {
        format!("/monday/players/{}/ships/{ship}/{}", "p".repeat(player), ShipTopic::Place.name())
    };
    let long = format!("carrier{}", "-".repeat(60_000));
    for (ship, is_ship) in [("Carrier", true), ("raft", false)] {
        let (known, unknown) = (place(100, ship), place(101, ship));
        assert_eq!((topics.parse(&known).is_some(), topics.place_of_no_ship(&known).is_some()), (is_ship, !is_ship));
        assert_eq!((topics.parse(&unknown), topics.place_of_no_ship(&unknown)), (None, None));
    }
    for ship in [long, "r".repeat(33)] {
        let name = place(1, &ship);
        assert_eq!((topics.parse(&name), topics.place_of_no_ship(&name)), (None, None));
        assert_eq!(topics.ship_spelling(&name), None);
    }
    assert!(topics.place_of_no_ship(&place(1, &"r".repeat(32))).is_some());
}
