//! Events of a match as lines for people.

use rules::counted;
use salvo::client::{ClientEvent, FoundInstead, MAX_ATTEMPTS};

/// The line that tells a person of this event; `None` where there is nothing to tell.
pub(super) fn event_text(event: &ClientEvent<'_>) -> Option<String> {
    Some(match event {
        ClientEvent::NoBroker { broker, why } => {
            format!(
                "Waiting for the broker at {broker}, trying every second: {why}\n  hint: start `broadside salvo serve`, or name \
                 the broker that it uses with --broker; {MAX_ATTEMPTS} failed attempts end this"
            )
        }
        ClientEvent::NoServer { broker, topic, found } => {
            format!(
                "Connected to {broker}; waiting for a Salvo server: none has published {topic} there; {}",
                instead(found)
            )
        }
        ClientEvent::State(state) => format!("The game: {state}"),
        ClientEvent::Players(names) => {
            format!("Players: {}", names.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", "))
        }
        ClientEvent::Turn(name) => format!("{name} fires"),
        ClientEvent::Hits { player: Some(player), hits } => {
            format!("  {player} has {}", counted(*hits, "hit"))
        }
        ClientEvent::Hits { player: None, hits } => format!("  hits: {hits}"),
        ClientEvent::Hit(at) => format!("  a shot at {at} here"),
        ClientEvent::Sunk(name, ship) => format!("  the {ship} of {name} is sunk"),
        ClientEvent::Defeated(name) => format!("  {name} has no ships left"),
        ClientEvent::Error(error) => format!("  the server says: {error}"),
        ClientEvent::Line(_) | ClientEvent::NoMoreLines => return None,
    })
}

/// The things that the broker has instead of the game.
fn instead(found: &FoundInstead) -> String {
    let FoundInstead { prefixes, topics } = found;
    let games = prefixes.iter().map(|prefix| match prefix.as_str() {
        "" => "a game without --topic-prefix".to_owned(),
        prefix => format!("a game with --topic-prefix {prefix}"),
    });
    let left = topics.iter().map(|topic| format!("a message of an earlier server at {topic}"));
    let all: Vec<String> = games.chain(left).collect();
    if all.is_empty() { "there is no other game either".to_owned() } else { format!("there is {}", all.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_broker_has_instead_is_told() {
        let found = |prefixes: &[&str], topics: &[&str]| {
            let set = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
            instead(&FoundInstead { prefixes: set(prefixes), topics: set(topics) })
        };
        assert_eq!(found(&[], &[]), "there is no other game either");
        let told = "there is a game without --topic-prefix, a game with --topic-prefix monday, a message of an earlier server \
                    at /game/winner";
        assert_eq!(found(&["", "monday"], &["/game/winner"]), told);
    }
}
