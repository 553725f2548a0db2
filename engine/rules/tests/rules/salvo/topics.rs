//! Topics: their names, and who reads them.

use rules::salvo::{Readers, ShipKind, ShipTopic, Statistic, Topic, Topics};

fn all() -> Vec<(Topic<'static>, &'static str)> {
    let player = "Henkiebunch";
    let ship = |what| Topic::Ship { player, ship: ShipKind::PatrolBoat, what };
    vec![
        (Topic::State, "/game/state"),
        (Topic::Request, "/game/request_participation"),
        (Topic::Current, "/game/current"),
        (Topic::Hits, "/game/hits"),
        (Topic::Winner, "/game/winner"),
        (Topic::Stats(Statistic::Accuracy), "/game/stats/accuracy"),
        (Topic::Count, "/players/count"),
        (Topic::List, "/players/list"),
        (Topic::Refused, "/game/refused"),
        (ship(ShipTopic::Place), "/players/Henkiebunch/ships/patrolboat/place"),
        (ship(ShipTopic::Approved), "/players/Henkiebunch/ships/patrolboat/approved"),
        (ship(ShipTopic::Error), "/players/Henkiebunch/ships/patrolboat/error"),
        (ship(ShipTopic::Sunk), "/players/Henkiebunch/ships/patrolboat/sunk"),
        (Topic::Fire { target: player }, "/players/Henkiebunch/fire"),
        (Topic::Hit { target: player }, "/players/Henkiebunch/hit"),
        (Topic::Error { player }, "/players/Henkiebunch/error"),
        (Topic::Defeated { player }, "/players/Henkiebunch/defeated"),
    ]
}

#[test]
fn topics_are_those_of_the_text_and_are_found_again() {
    for (topic, name) in all() {
        assert_eq!(Topics::default().name(&topic), name);
        assert_eq!(Topics::default().parse(name), Some(topic));
    }
}

#[test]
fn with_a_prefix_all_topics_are_below_it() {
    let topics = Topics::below("monday").unwrap();
    for (topic, name) in all() {
        let below = format!("/monday{name}");
        assert_eq!(topics.name(&topic), below);
        assert_eq!(topics.parse(&below), Some(topic));
        assert_eq!((topics.parse(name), Topics::default().parse(&below)), (None, None));
    }
    assert_eq!(topics.parse("/mondays/game/state"), None);
}

#[test]
fn sinkings_and_defeats_have_both_names() {
    for (topic, name) in all() {
        let other = name.replacen("players", "player", 1);
        let has_two = matches!(name.rsplit('/').next(), Some("sunk" | "defeated"));
        let names = Topics::default().names(&topic);
        assert!(topic == Topic::Request || names == if has_two { vec![name, &other] } else { vec![name] });
        if name.starts_with("/players") {
            assert_eq!(Topics::default().parse(&other), has_two.then_some(topic));
        }
    }
}

#[test]
fn every_topic_has_one_kind_of_reader() {
    let topics = Topics::below("monday").unwrap();
    let [everyone, player, server] =
        [Readers::Everyone, Readers::Player("Henkiebunch"), Readers::Server].map(|readers| topics.filters(readers));
    assert_eq!((everyone.len(), player.len(), server.len()), (13, 3, 4));
    let is_below = |filter: &str, name: &str| {
        let levels = filter.split('/').zip(name.split('/')).all(|(one, other)| one == "+" || one == other);
        levels && filter.matches('/').count() == name.matches('/').count()
    };
    for (_, name) in all() {
        let name = format!("/monday{name}");
        let readers = [&everyone, &player, &server].map(|filters| filters.iter().any(|filter| is_below(filter, &name)));
        assert_eq!(readers.into_iter().filter(|reads| *reads).count(), 1, "{name}");
    }
    assert!(player.contains(&"/monday/players/Henkiebunch/ships/+/error".to_owned()));
    assert!(everyone.contains(&"/monday/game/stats/+".to_owned()));
    assert!(everyone.contains(&"/monday/player/+/ships/+/sunk".to_owned()));
    assert!(server.contains(&"/monday/game/request".to_owned()));
}

#[test]
fn the_original_s_request_is_understood_and_strangers_are_not() {
    assert_eq!(Topics::default().parse("/game/request"), Some(Topic::Request));
    assert_eq!(Topics::default().names(&Topic::Request), ["/game/request_participation", "/game/request"]);
    for name in
        ["", "/", "game/state", "/game/state/", "//game/state", "/game/stats/secrets", "/players/a/ships/raft/place"]
    {
        assert_eq!(Topics::default().parse(name), None, "{name}");
    }
}

#[test]
fn names_that_would_change_a_topic_are_refused() {
    for name in ["Henkiebunch", "a b", "ärger", "players", "x$"] {
        assert_eq!(Topics::check_level(name), Ok(()));
    }
    let long = "x".repeat(101);
    for name in ["", "a/b", "+", "a#", "$SYS", "a\nb", "a\0", long.as_str()] {
        assert!(Topics::check_level(name).is_err() && Topics::below(name).is_err(), "{name:?}");
    }
}
