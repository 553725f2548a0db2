//! Events of a match as lines for people.

use salvo::client::ClientEvent;

/// The line that tells a person of this event; `None` where there is nothing to tell.
pub(super) fn event_text(event: &ClientEvent<'_>) -> Option<String> {
    Some(match event {
        ClientEvent::NoBroker { broker, why } => {
            format!("Waiting for the broker at {broker}, trying every second: {why}")
        }
        ClientEvent::NoServer(broker) => format!("Connected to {broker}; waiting for a Salvo server there"),
        ClientEvent::State(state) => format!("The game: {state}"),
        ClientEvent::Players(names) => {
            format!("Players: {}", names.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", "))
        }
        ClientEvent::Turn(name) => format!("{name} fires"),
        ClientEvent::Hits(hits) => format!("  hits: {hits}"),
        ClientEvent::Hit(at) => format!("  a shot at {at} here"),
        ClientEvent::Sunk(name, ship) => format!("  the {ship} of {name} is sunk"),
        ClientEvent::Defeated(name) => format!("  {name} has no ships left"),
        ClientEvent::Error(error) => format!("  the server says: {error}"),
        ClientEvent::Line(_) | ClientEvent::NoMoreLines => return None,
    })
}
