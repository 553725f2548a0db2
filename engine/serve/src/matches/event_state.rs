//! The log of the server's events, and the event `state` with which it begins for a client.

use crate::state::journal_line::now;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use web::{CurrentEvent, EventLog, EventScope};

/// The log of the server's events, in which a client that begins gets the event `state`.
pub(crate) fn events() -> EventLog {
    EventLog::new().with_beginning(state)
}

/// The event `state`: the topics, and the matches that are being played with their turns so far.
fn state(current: &[CurrentEvent<'_>]) -> (&'static str, String) {
    let mut json = format!("{{\"now\":\"{}\",", now());
    let mut matches = BTreeMap::<u64, (&str, Vec<&str>)>::new();
    for (kind, scope, data) in current {
        match scope {
            EventScope::Latest(_) => drop(write!(json, "\"{kind}\":{data},")),
            EventScope::Part(id) if *kind == "match-begun" => drop(matches.insert(*id, (data, Vec::new()))),
            EventScope::Part(id) => matches.entry(*id).or_insert(("null", Vec::new())).1.push(data),
            EventScope::End(_) => {}
        }
    }
    let matches: Vec<String> = matches
        .into_values()
        .map(|(begun, turns)| format!("{{\"begun\":{begun},\"turns\":[{}]}}", turns.join(",")))
        .collect();
    ("state", format!("{json}\"matches\":[{}]}}", matches.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_state_has_the_latest_topics_and_the_matches_that_are_being_played() {
        let log = events();
        let state = |log: &EventLog| -> serde_json::Value {
            let current = log.current_data();
            let scope = |kind: &str| if kind == "tournament" { EventScope::TOPIC } else { EventScope::Part(7) };
            let current: Vec<CurrentEvent<'_>> =
                current.iter().map(|(kind, data)| (*kind, scope(kind), &**data)).collect();
            serde_json::from_str(&super::state(&current).1).unwrap()
        };
        log.publish("tournament", EventScope::TOPIC, r#"{"number":1}"#);
        log.publish("tournament", EventScope::TOPIC, r#"{"number":2}"#);
        log.publish("match-begun", EventScope::Part(7), r#"{"match":7}"#);
        log.publish("turn", EventScope::Part(7), r#"{"turn":0}"#);
        log.publish("turn", EventScope::Part(7), r#"{"turn":1}"#);
        let told = state(&log);
        assert_eq!(told["tournament"], json!({"number": 2}));
        assert_eq!(told["matches"], json!([{"begun": {"match": 7}, "turns": [{"turn": 0}, {"turn": 1}]}]));
        log.publish("match-over", EventScope::End(7), r#"{"match":7}"#);
        assert_eq!(state(&log)["matches"], json!([]));
    }
}
