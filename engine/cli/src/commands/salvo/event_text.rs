//! Events of a match as lines for people.

use salvo::client::Heard;

/// The line that tells a person of this event; `None` where there is nothing to tell.
pub(super) fn event_text(news: &Heard<'_>) -> Option<String> {
    Some(match news {
        Heard::State(state) => format!("The game: {state}"),
        Heard::Players(names) => {
            format!("Players: {}", names.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", "))
        }
        Heard::Turn(name) => format!("{name} fires"),
        Heard::Hits(hits) => format!("  hits: {hits}"),
        Heard::Hit(at) => format!("  a shot at {at} here"),
        Heard::Sunk(name, ship) => format!("  the {ship} of {name} is sunk"),
        Heard::Defeated(name) => format!("  {name} has no ships left"),
        Heard::Error(error) => format!("  the server says: {error}"),
        Heard::Line(_) | Heard::NoMoreLines => return None,
    })
}
