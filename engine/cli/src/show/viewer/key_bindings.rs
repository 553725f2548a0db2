//! The key bindings: the only list of keys, which the help shows.

use super::key::Key;
use super::timeline::Direction;
use rules::{Eye, HighlightKind, Seat};

/// A command to the viewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ViewerCommand {
    PlayOrPause,
    /// This many scenes forward, or back if negative.
    Step(isize),
    Start,
    End,
    Find(HighlightKind, Direction),
    AskForRound,
    Faster,
    Slower,
    NextEye,
    Eye(Eye),
    Density,
    Notes,
    Chances,
    Log,
    /// This many pages of boards forward, or back if negative.
    Page(isize),
    Help,
    Leave,
    DrawAnew,
}

/// A line of the help, and the keys that it is about.
pub(super) struct KeyBinding {
    /// The keys as the help shows them.
    pub(super) keys: &'static str,
    /// The commands of the keys in words.
    pub(super) what: &'static str,
    commands: &'static [(Key, ViewerCommand)],
}

const fn binding(keys: &'static str, what: &'static str, commands: &'static [(Key, ViewerCommand)]) -> KeyBinding {
    KeyBinding { keys, what, commands }
}

/// All keys, in the order of the help.
pub(super) const KEY_BINDINGS: [KeyBinding; 17] = {
    use Direction::{Back, Forward};
    use HighlightKind::{Hit, Sinking, Special};
    use Key::{BackTab, Char, Ctrl, Escape, Left, PageDown, PageUp, Right, Tab};
    use ViewerCommand::*;
    [
        binding("space", "play, pause", &[(Char(' '), PlayOrPause)]),
        binding(
            "← →  h l",
            "a round back, on",
            &[(Left, Step(-1)), (Right, Step(1)), (Char('h'), Step(-1)), (Char('l'), Step(1))],
        ),
        binding("PgUp PgDn", "ten rounds back, on", &[(PageUp, Step(-10)), (PageDown, Step(10))]),
        binding(
            "Home End  g G",
            "start, end",
            &[(Key::Home, Start), (Key::End, End), (Char('g'), Start), (Char('G'), End)],
        ),
        binding("n p", "next, previous hit", &[(Char('n'), Find(Hit, Forward)), (Char('p'), Find(Hit, Back))]),
        binding(
            "N P",
            "next, previous sinking",
            &[(Char('N'), Find(Sinking, Forward)), (Char('P'), Find(Sinking, Back))],
        ),
        binding(
            "s S",
            "next, previous special",
            &[(Char('s'), Find(Special, Forward)), (Char('S'), Find(Special, Back))],
        ),
        binding(": j", "ask for a round", &[(Char(':'), AskForRound), (Char('j'), AskForRound)]),
        binding(
            "+ -",
            "faster, slower",
            &[(Char('+'), Faster), (Char('='), Faster), (Char('-'), Slower), (Char('_'), Slower)],
        ),
        binding("e", "through other eyes", &[(Char('e'), NextEye)]),
        binding(
            "r a b",
            "eyes of referee, A, B",
            &[
                (Char('r'), Eye(self::Eye::Referee)),
                (Char('a'), Eye(self::Eye::Seat(Seat::A))),
                (Char('b'), Eye(self::Eye::Seat(Seat::B))),
            ],
        ),
        binding("d t c", "shots, notes, chances", &[(Char('d'), Density), (Char('t'), Notes), (Char('c'), Chances)]),
        binding("v", "log instead of boards", &[(Char('v'), Log)]),
        binding("Tab", "more boards", &[(Tab, Page(1)), (BackTab, Page(-1))]),
        binding("Ctrl-L", "draw anew", &[(Ctrl('l'), DrawAnew)]),
        binding("?", "these keys", &[(Char('?'), Help)]),
        binding("q Esc Ctrl-C", "leave", &[(Char('q'), Leave), (Escape, Leave), (Ctrl('c'), Leave)]),
    ]
};

/// The command of `key`; `None` if it is not bound.
pub(super) fn command(key: Key) -> Option<ViewerCommand> {
    KEY_BINDINGS
        .iter()
        .flat_map(|binding| binding.commands)
        .find(|(bound, _)| *bound == key)
        .map(|(_, command)| *command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_has_two_meanings() {
        let keys: Vec<Key> = KEY_BINDINGS.iter().flat_map(|binding| binding.commands).map(|(key, _)| *key).collect();
        for (nth, key) in keys.iter().enumerate() {
            assert!(!keys[..nth].contains(key), "{key:?}");
        }
    }

    #[test]
    fn the_help_names_the_letters_that_do_something() {
        for binding in &KEY_BINDINGS {
            let named = binding.keys.split_whitespace().filter(|word| word.len() == 1);
            for word in named {
                let key = Key::Char(word.chars().next().unwrap());
                assert!(binding.commands.iter().any(|(bound, _)| *bound == key), "{word}");
            }
        }
    }
}
