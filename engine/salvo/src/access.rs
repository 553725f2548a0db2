//! The access rules of the embedded broker, derived from the [`Readers`] of each topic; `acl.rs` derives those of a Mosquitto.

use crate::admin::command_topic;
use rules::printable_prefix;
use rules::salvo::{Readers, ShipKind, Topics};

/// The most characters of a topic in a message to a client.
pub(crate) const MAX_SHOWN: usize = 100;

/// True for the topics that clients write.
pub(crate) fn may_publish(topics: &Topics, name: &str) -> bool {
    topics.parse(name).is_some_and(|topic| topic.readers() == Readers::Server)
}

/// The answer to a client that wants to subscribe to a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access<'a> {
    Granted,
    /// The filter matches private topics of this player only, and the client has not said yet who it is.
    Waits(&'a str),
    Refused,
}

/// The access of a client to `filter`; `team` is the name of the client's team, if it is known. A filter that could match a
/// private topic of another player is refused as a whole, `#` too. Filters that match topics for the server are granted,
/// because the embedded broker routes no message of those.
pub(crate) fn subscription<'a>(topics: &Topics, team: Option<&str>, filter: &'a str) -> Access<'a> {
    let filter = unshared(filter);
    let private = topics.filters(Readers::Player("+"));
    if !private.iter().any(|private| overlap(filter, private)) {
        return Access::Granted;
    }
    match (topics.owner(filter), team) {
        (Some(owner), Some(team)) if owner == team => Access::Granted,
        (Some(owner), None) => Access::Waits(owner),
        _ => Access::Refused,
    }
}

/// A filter without `$share/GROUP/`.
fn unshared(filter: &str) -> &str {
    match filter.strip_prefix("$share/") {
        Some(shared) => shared.split_once('/').map_or("", |(_, filter)| filter),
        None => filter,
    }
}

/// The reason why a message on this topic has no effect, in words for its sender.
pub(crate) fn why_no_message(topics: &Topics, name: &str) -> String {
    let shown = printable_prefix(name, MAX_SHOWN);
    match topics.parse(name) {
        _ if name == command_topic(topics) => format!("{shown}: only the administrator writes this topic"),
        Some(_) => format!("{shown}: only the server writes this topic"),
        None => format!("{shown}: there is no such topic"),
    }
}

/// The reason why a placement of this ship has no effect.
pub(crate) fn no_ship(named: &str) -> String {
    let ships = ShipKind::ALL.map(ShipKind::name).join(", ");
    format!("there is no ship {:?}; the ships are {ships}", printable_prefix(named, MAX_SHOWN))
}

/// The reason why nothing arrives by a filter that looks like one for the game's topics; `None` if something may arrive, or the
/// filter is for something else.
pub(crate) fn why_no_subscription(topics: &Topics, filter: &str, access: Access<'_>) -> Option<String> {
    let shown = || printable_prefix(filter, MAX_SHOWN);
    if access == Access::Refused {
        return Some(format!(
            "{}: the subscription is refused, it could match what only another team may read",
            shown()
        ));
    }
    let filter = unshared(filter);
    let is_of_game =
        ["/game/", "/player/", "/players/"].iter().any(|path| filter.starts_with(&topics.below_root(path)));
    let all = [Readers::Everyone, Readers::Player("+")].into_iter().flat_map(|readers| topics.filters(readers));
    let matches_some = all.into_iter().any(|known| overlap(filter, &known));
    (is_of_game && !matches_some).then(|| format!("{}: no message can arrive there, there is no such topic", shown()))
}

/// True if some topic matches both filters.
fn overlap(one: &str, other: &str) -> bool {
    let (mut one, mut other) = (one.split('/'), other.split('/'));
    loop {
        match (one.next(), other.next()) {
            (Some("#"), _) | (_, Some("#")) | (None, None) => return true,
            (Some(a), Some(b)) if a == b || a == "+" || b == "+" => {}
            // `a/#` matches `a` as well, which ends one level earlier.
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// True if `outer`, which has no `#`, matches every topic that `inner` matches.
    fn includes(outer: &str, inner: &str) -> bool {
        let (mut outer, mut inner) = (outer.split('/'), inner.split('/'));
        loop {
            match (outer.next(), inner.next()) {
                (None, None) => return true,
                (Some("+"), Some(level)) if level != "#" => {}
                (Some(a), Some(b)) if a == b => {}
                _ => return false,
            }
        }
    }

    fn subscribes(team: Option<&str>, filter: &str) -> bool {
        subscription(&Topics::default(), team, filter) == Access::Granted
    }

    #[test]
    fn everyone_reads_what_is_told_to_everyone() {
        let public = [
            ("the game", &["/game/state", "/game/#", "/game/stats/+"][..]),
            ("the players", &["/players/list", "/players/+/ships/+/sunk", "/player/#", "/player/+/defeated"]),
            ("the broker", &["$SYS/#"]),
        ];
        for (of, filters) in public {
            for filter in filters {
                assert!(subscribes(None, filter) && subscribes(Some("Henkiebunch"), filter), "{filter} of {of}");
            }
        }
    }

    #[test]
    fn nobody_listens_through_wildcards() {
        let private = [
            ("everything", &["#", "/#", "+/#", "+/+/+/+"][..]),
            ("hits", &["/players/#", "/players/+/hit", "/players/Others/#", "/+/Others/hit"]),
            ("ships", &["/players/Others/ships/#", "/players/+/ships/carrier/+"]),
            ("a shared subscription", &["$share/spies/#", "$share/spies//players/+/hit"]),
        ];
        for (of, filters) in private {
            for filter in filters {
                assert!(!subscribes(Some("Henkiebunch"), filter) && !subscribes(None, filter), "{filter}: {of}");
            }
        }
    }

    #[test]
    fn a_client_that_has_not_said_who_it_is_waits_for_the_topics_of_one_player_only() {
        let access = |team, filter| subscription(&Topics::default(), team, filter);
        for filter in [
            "/players/A/hit",
            "/players/A/error",
            "/players/A/ships/Patrol boat/error",
            "/players/A/ships/+/error",
            "/players/A/#",
        ] {
            assert_eq!(access(None, filter), Access::Waits("A"), "{filter}");
            assert_eq!(
                (access(Some("A"), filter), access(Some("B"), filter)),
                (Access::Granted, Access::Refused),
                "{filter}"
            );
        }
        for filter in ["#", "/players/#", "/players/+/hit", "/+/A/hit", "+/players/A/hit", "/players/A+/#"] {
            assert_eq!(access(None, filter), Access::Refused, "{filter}");
        }
    }

    #[test]
    fn what_has_no_effect_is_explained() {
        let topics = Topics::below("monday").unwrap();
        assert_eq!(
            why_no_message(&topics, "/monday/game/state"),
            "/monday/game/state: only the server writes this topic"
        );
        assert_eq!(why_no_message(&topics, "/game/state"), "/game/state: there is no such topic");
        let told = no_ship("raft\u{1b}");
        assert!(told.starts_with("there is no ship \"raft\u{fffd}\"; the ships are carrier, battleship, "), "{told}");
        let why = |filter| why_no_subscription(&topics, filter, subscription(&topics, Some("A"), filter));
        for filter in ["/monday/game/states", "/monday/players/A/hits", "/monday/player/A/hit/#x"] {
            assert!(why(filter).unwrap().contains("no such topic"), "{filter}");
        }
        assert!(why("/monday/players/B/hit").unwrap().contains("refused"));
        for filter in
            ["/monday/game/#", "/monday/players/A/hit", "/monday/players/+/ships/CARRIER/sunk", "/tuesday/x", "$SYS/#"]
        {
            assert_eq!(why(filter), None, "{filter}");
        }
    }

    #[test]
    fn topics_below_another_prefix_are_not_ours() {
        let topics = Topics::below("monday").unwrap();
        assert_eq!(subscription(&topics, None, "/tuesday/#"), Access::Granted);
        assert_eq!(subscription(&topics, None, "/monday/players/+/hit"), Access::Refused);
        assert_eq!(subscription(&topics, Some("A"), "/monday/players/A/hit"), Access::Granted);
    }

    /// Each name of a topic of this player in `docs/protocols/salvo.md`, with the text on its writers and readers.
    fn published(player: &str) -> Vec<(String, &'static str, &'static str)> {
        let rows = include_str!("../../../docs/protocols/salvo.md").lines().filter(|line| line.starts_with("| `/"));
        let cells = rows.map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
        let named = |cells: Vec<&'static str>| {
            let (names, writers, readers) =
                (cells[1].split('`').filter(|name| name.starts_with('/')), cells[2], cells[3]);
            names.map(move |name| (name, writers, readers)).collect::<Vec<_>>()
        };
        let filled = |(name, writers, readers): (&str, _, _)| {
            let name = name.replace("NAME", player).replace("TARGET", player);
            (name.replace("SHIP", "carrier").replace("STATISTIC", "shots"), writers, readers)
        };
        cells.flat_map(named).map(filled).collect()
    }

    /// True if Mosquitto grants this access by an access list.
    fn grants(list: &str, user: Option<&str>, access: &str, name: &str) -> bool {
        let rule = if user.is_some() { "pattern" } else { "topic" };
        let rules = list.lines().take_while(|line| !line.starts_with("user "));
        let mut filters = rules.filter_map(|line| line.strip_prefix(&format!("{rule} {access} ")));
        filters.any(|filter| includes(&filter.replace("%u", user.unwrap_or_default()), name))
    }

    #[test]
    fn access_is_as_published_for_every_topic_and_every_kind_of_client() {
        let topics = Topics::default();
        let list = crate::acl::access_list(&topics, "server");
        let published = published("Henkiebunch");
        let all = [Readers::Everyone, Readers::Player("Henkiebunch"), Readers::Server];
        let all: Vec<String> = all.into_iter().flat_map(|readers| topics.filters(readers)).collect();
        assert_eq!(all.len(), published.len(), "a row of the table or a topic is missing");
        for (name, writers, readers) in &published {
            assert!(all.iter().any(|filter| includes(filter, name)), "{name} is not a topic");
            for client in [None, Some("Henkiebunch"), Some("Others")] {
                let reads = match *readers {
                    "all" => true,
                    "server" => false,
                    "NAME" => client == Some("Henkiebunch"),
                    other => panic!("{name}: {other}"),
                };
                let writes = *writers != "server";
                // A message on a topic that clients write is never routed.
                let read = subscribes(client, name) && !may_publish(&topics, name);
                assert_eq!((read, may_publish(&topics, name)), (reads, writes), "embedded: {client:?} {name}");
                let granted = ["read", "write"].map(|access| grants(&list, client, access, name));
                assert_eq!(granted, [reads, writes], "Mosquitto: {client:?} {name}");
            }
        }
    }
}
