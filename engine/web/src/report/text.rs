//! Bots and addresses as the report writes them.

use crate::Escaped;
use tournament::Standing;

/// The longest name that is written out, in characters.
const LONGEST: usize = 100;

/// The class of a bot's colour.
pub(super) fn colour(bot: &Standing<'_>) -> String {
    format!("seat-{}", (bot.place - 1) % 16)
}

/// A bot's name, kept apart from the direction of the text around it, and cut where there is no room.
pub(super) fn name(bot: &Standing<'_>) -> String {
    let name = &bot.entrant.name;
    let name = match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.clone(),
    };
    format!("<span class=\"name\" title=\"{0}\"><bdi>{0}</bdi></span>", Escaped(&name))
}

/// A bot's place and name, as they stand at the beginning of a line.
pub(super) fn label(bot: &Standing<'_>) -> String {
    let (colour, place, name) = (colour(bot), bot.place, name(bot));
    format!("<span class=\"bot-name\"><span class=\"badge {colour}\">{place}</span>{name}</span>")
}

/// An address inside the folder of the page, for `href`; `None` if it may lead out of it.
pub(super) fn inside(path: &str) -> Option<String> {
    let part = |part: &str| {
        let mut written = String::new();
        for byte in part.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => written.push(char::from(byte)),
                other => written.push_str(&format!("%{other:02X}")),
            }
        }
        (!matches!(part, "" | "." | "..")).then_some(written)
    };
    Some(path.split('/').map(part).collect::<Option<Vec<_>>>()?.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_stay_in_the_folder() {
        assert_eq!(inside("records/0-1-00003.jsonl.zst").unwrap(), "records/0-1-00003.jsonl.zst");
        assert_eq!(inside("javascript:alert(1)").unwrap(), "javascript%3Aalert%281%29");
        for path in ["", "/etc/passwd", "../up", "a/../../b", "//host/x"] {
            assert_eq!(inside(path), None, "{path}");
        }
    }
}
