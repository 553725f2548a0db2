//! The things that a broker has where a client looks for a server in vain.

use rules::salvo::Topics;
use std::collections::BTreeSet;

/// The most topics, and the most prefixes, that are kept.
const MAX_FOUND: usize = 8;
/// The end of the topic with the state of a game.
const STATE: &str = "/game/state";

/// Retained messages that a broker has instead of the state of the game: of other games, or left by a server that has gone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FoundInstead {
    /// The prefixes under which there are other games; empty for a game without prefix.
    pub prefixes: BTreeSet<String>,
    /// Topics below the client's own prefix.
    pub topics: BTreeSet<String>,
}

impl FoundInstead {
    /// The filters by which a client finds out what there is.
    pub(super) fn filters(topics: &Topics) -> [String; 4] {
        [STATE.to_owned(), format!("/+{STATE}"), topics.below_root("/game/#"), topics.below_root("/players/+")]
    }

    /// Takes in a message.
    pub(super) fn hear(&mut self, topics: &Topics, name: &str, text: &str) {
        let prefix = name.strip_suffix(STATE).map(|prefix| prefix.trim_start_matches('/'));
        let is_own = name.starts_with(&topics.below_root("/game/")) || name.starts_with(&topics.below_root("/player"));
        let (list, found) = match prefix {
            _ if text.is_empty() => return,
            _ if is_own => (&mut self.topics, name),
            Some(prefix) if !prefix.contains('/') => (&mut self.prefixes, prefix),
            _ => return,
        };
        if list.len() < MAX_FOUND {
            list.insert(found.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_games_and_left_messages_are_told_apart() {
        let found = |topics: &Topics| {
            let mut found = FoundInstead::default();
            for (name, text) in [
                ("/game/state", "lobby"),
                ("/monday/game/state", "over"),
                ("/monday/game/winner", "A"),
                ("/monday/players/list", "[]"),
                ("/tuesday/game/state", "turn"),
                ("/wednesday/game/state", ""),
                ("/a/b/game/state", "turn"),
                ("/house/light", "on"),
            ] {
                found.hear(topics, name, text);
            }
            let list = |set: BTreeSet<String>| set.into_iter().collect::<Vec<_>>();
            (list(found.prefixes), list(found.topics))
        };
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let (prefixes, topics) = found(&Topics::below("monday").unwrap());
        assert_eq!(prefixes, owned(&["", "tuesday"]));
        assert_eq!(topics, owned(&["/monday/game/state", "/monday/game/winner", "/monday/players/list"]));
        let (prefixes, topics) = found(&Topics::default());
        assert_eq!((prefixes, topics), (owned(&["monday", "tuesday"]), owned(&["/game/state"])));
        let mut many = FoundInstead::default();
        (0..100).for_each(|n| many.hear(&Topics::default(), &format!("/{n}/game/state"), "lobby"));
        assert_eq!(many.prefixes.len(), MAX_FOUND);
    }
}
