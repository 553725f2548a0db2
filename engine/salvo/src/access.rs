//! Who may read and write which topics: the rules that the broker of our own keeps, and that `broadside salvo acl` writes
//! down for another.

use rules::salvo::{ShipTopic, Topic, Topics};

/// What only the server reads, as the published text has it for secrets and placements. Shots belong to it, too: they tell
/// everyone where a ship may be.
pub(crate) fn is_for_server(topic: &Topic<'_>) -> bool {
    match topic {
        Topic::Request | Topic::Fire { .. } => true,
        Topic::Ship { what, .. } => *what == ShipTopic::Place,
        Topic::State
        | Topic::Current
        | Topic::Hits
        | Topic::Winner
        | Topic::Stats(_)
        | Topic::Count
        | Topic::List
        | Topic::Refused
        | Topic::Hit { .. }
        | Topic::Error { .. }
        | Topic::Defeated { .. } => false,
    }
}

/// The filters of the topics that one player alone reads: where shots fell, and what was wrong with a message, which may name
/// cells. With the player's name where this has it.
pub(crate) const OF_ONE_PLAYER: [&str; 3] = ["/players/%u/hit", "/players/%u/error", "/players/%u/ships/+/error"];

/// Whether a client may subscribe to `filter`. `team` is the player that the client is known to be.
///
/// What clients send for the server alone reaches no subscriber at all in the broker of our own, so filters that would match
/// it do no harm. But nobody may listen where another player alone is told something, and a filter that could match such a
/// topic is refused as a whole, `#` too.
pub(crate) fn may_subscribe(topics: &Topics, team: Option<&str>, filter: &str) -> bool {
    let filter = match filter.strip_prefix("$share/") {
        Some(shared) => shared.split_once('/').map_or("", |(_, filter)| filter),
        None => filter,
    };
    OF_ONE_PLAYER.iter().all(|private| {
        let of = |player: &str| topics.below_root(&private.replace("%u", player));
        !overlap(filter, &of("+")) || team.is_some_and(|team| includes(&of(team), filter))
    })
}

/// Whether there is a topic that both filters match.
fn overlap(one: &str, other: &str) -> bool {
    let (mut one, mut other) = (one.split('/'), other.split('/'));
    loop {
        match (one.next(), other.next()) {
            (Some("#"), _) | (_, Some("#")) | (None, None) => return true,
            (Some(a), Some(b)) if a == b || a == "+" || b == "+" => {}
            // `a/#` matches `a` as well, which ends one level earlier.
            (Some(_), None) | (None, Some(_)) | (Some(_), Some(_)) => return false,
        }
    }
}

/// Whether all topics that `inner` matches are matched by `outer`, which has no `#`.
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
        for filter in [
            "/game/state",
            "/game/#",
            "/game/stats/+",
            "/players/list",
            "/players/+/ships/+/sunk",
            "/player/#",
            "/player/+/defeated",
            "$SYS/#",
        ] {
            assert!(subscribes(None, filter) && subscribes(Some("Henkiebunch"), filter), "{filter}");
        }
    }

    #[test]
    fn a_player_reads_what_is_told_to_it_alone() {
        for filter in [
            "/players/Henkiebunch/hit",
            "/players/Henkiebunch/error",
            "/players/Henkiebunch/ships/carrier/error",
            "/players/Henkiebunch/ships/+/error",
        ] {
            assert!(subscribes(Some("Henkiebunch"), filter), "{filter}");
            assert!(!subscribes(Some("Others"), filter) && !subscribes(None, filter), "{filter}");
        }
    }

    #[test]
    fn nobody_listens_through_wildcards() {
        for filter in [
            "#",
            "/#",
            "+/#",
            "+/+/+/+",
            "/players/#",
            "/players/+/hit",
            "/players/Others/#",
            "/+/Others/hit",
            "/players/Others/ships/#",
            "/players/+/ships/carrier/+",
            "$share/spies/#",
            "$share/spies//players/+/hit",
        ] {
            assert!(!subscribes(Some("Henkiebunch"), filter) && !subscribes(None, filter), "{filter}");
        }
    }

    #[test]
    fn topics_below_another_prefix_are_not_ours() {
        let topics = Topics::below("monday").unwrap();
        assert!(may_subscribe(&topics, None, "/tuesday/#"));
        assert!(!may_subscribe(&topics, None, "/monday/players/+/hit"));
        assert!(may_subscribe(&topics, Some("A"), "/monday/players/A/hit"));
    }

    #[test]
    fn only_the_text_s_private_topics_are_for_the_server() {
        let ship = |what| Topic::Ship { player: "A", ship: rules::salvo::ShipKind::Carrier, what };
        let private = [Topic::Request, Topic::Fire { target: "A" }, ship(ShipTopic::Place)];
        assert!(private.iter().all(is_for_server));
        assert!(![Topic::State, Topic::Hit { target: "A" }, ship(ShipTopic::Sunk)].iter().any(is_for_server));
    }
}
