//! The access rules of the embedded broker, derived from the [`Readers`] of each topic; `acl.rs` derives those of a Mosquitto.

use rules::salvo::{Readers, Topics};

/// True for the topics that clients write.
pub(crate) fn may_publish(topics: &Topics, name: &str) -> bool {
    topics.parse(name).is_some_and(|topic| topic.readers() == Readers::Server)
}

/// True if a client may subscribe to `filter`; `team` is the name of the client's team, if it is known. A filter that could
/// match a private topic of another player is refused as a whole, `#` too. Filters that match topics for the server are
/// allowed, because the embedded broker routes no message of those.
pub(crate) fn may_subscribe(topics: &Topics, team: Option<&str>, filter: &str) -> bool {
    let filter = match filter.strip_prefix("$share/") {
        Some(shared) => shared.split_once('/').map_or("", |(_, filter)| filter),
        None => filter,
    };
    let own = team.map(|team| topics.filters(Readers::Player(team))).unwrap_or_default();
    let private = topics.filters(Readers::Player("+"));
    !private.iter().any(|private| overlap(filter, private)) || own.iter().any(|own| includes(own, filter))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn subscribes(team: Option<&str>, filter: &str) -> bool {
        may_subscribe(&Topics::default(), team, filter)
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
    fn topics_below_another_prefix_are_not_ours() {
        let topics = Topics::below("monday").unwrap();
        assert!(may_subscribe(&topics, None, "/tuesday/#"));
        assert!(!may_subscribe(&topics, None, "/monday/players/+/hit"));
        assert!(may_subscribe(&topics, Some("A"), "/monday/players/A/hit"));
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
