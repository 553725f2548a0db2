//! The README of a new bot: that of its sample with paths, links and commands changed for the new folder.

use players::shell_word;
use std::path::Path;

/// The folder in which the commands in a sample's README work, and that for the README of a new bot.
const FROM: (&str, &str) = ("from the top of the repository", "from the folder above this one");
/// The opponent in a sample's README, and one that every installation has.
const OPPONENT: (&str, &str) = ("bots/hunter", "builtin:hunter");
/// The advice to copy the folder, and the rest of the sentence, because the folder is a copy already.
const COPY: (&str, &str) = ("copy the folder, put your name", "put your name");

/// The README of this sample for a bot in `folder`.
pub(super) fn adapted(text: &str, sample: &str, folder: &Path) -> String {
    let own = own_name(folder).unwrap_or_else(|| sample.to_owned());
    let mut text = linked(text, folder);
    for (here, there) in [FROM, OPPONENT, COPY] {
        text = text.replace(here, there);
    }
    let commands = text.split_inclusive('\n').map(|line| match line.strip_prefix("    ") {
        Some(command) => format!("    {}", in_folder(command, &format!("bots/{sample}"), &own)),
        None => line.to_owned(),
    });
    commands.collect()
}

/// The name of a folder in its parent folder; `None` for the root.
pub(super) fn own_name(folder: &Path) -> Option<String> {
    let path = std::path::absolute(folder).ok()?;
    Some(path.file_name()?.to_string_lossy().into_owned())
}

/// A command in which paths in the sample's folder are replaced by paths in the bot's folder.
pub(super) fn in_folder(command: &str, sample: &str, own: &str) -> String {
    let own = own.trim_end_matches('/');
    let moved = |with_space: &str| {
        let path = with_space.trim_end();
        let rest = path.strip_prefix(sample).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        rest.map_or_else(
            || with_space.to_owned(),
            |rest| format!("{}{}", shell_word(format!("{own}{rest}")), &with_space[path.len()..]),
        )
    };
    command.split_inclusive(' ').map(moved).collect()
}

/// The text without links to files that do not exist, as seen from `folder`; instead of a link to a document it names the
/// command that prints it.
fn linked(text: &str, folder: &Path) -> String {
    let mut linked = String::new();
    let mut rest = text;
    while let Some([start, middle, end]) = first_link(rest) {
        let (text, target) = (&rest[start + 1..middle], &rest[middle + 2..end]);
        let path = target.split('#').next().unwrap_or_default();
        linked.push_str(&rest[..start]);
        if target.contains("://") || folder.join(path).exists() {
            linked.push_str(&rest[start..=end]);
        } else {
            // The program has the documents; other links have text that is enough.
            match topic(text) {
                Some(topic) => linked.push_str(&format!("`broadside docs {topic}`")),
                None => linked.push_str(text),
            }
        }
        rest = &rest[end + 1..];
    }
    linked + rest
}

/// The name of a document in `docs/` for `broadside docs`; `None` for other paths.
fn topic(path: &str) -> Option<&str> {
    path.strip_prefix("docs/")?.rsplit('/').next()?.strip_suffix(".md")
}

/// The first byte of the first link `[text](target)`, that of its `](`, and its last byte.
fn first_link(text: &str) -> Option<[usize; 3]> {
    let middle = text.find("](")?;
    Some([text[..middle].rfind('[')?, middle, middle + text[middle..].find(')')?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn commands_name_the_folder_of_the_bot_as_it_must_be_written() {
        let adapted = |text: &str, folder: &str| adapted(text, "c", Path::new(folder));
        let text =
            "from the top of the repository:\n\n    broadside -b bots/c bots/hunter\n    python3 bots/c/x.py 4000\n";
        let told = adapted(text, "/tmp/my-bot");
        assert!(told.starts_with("from the folder above this one:\n"));
        assert!(told.ends_with("\n    broadside -b my-bot builtin:hunter\n    python3 my-bot/x.py 4000\n"), "{told}");
        let told = adapted("    play bots/c\n    play bots/cpp\n", "/tmp/my bot/");
        assert_eq!(told, "    play 'my bot'\n    play bots/cpp\n");
    }

    #[test]
    fn only_links_to_what_is_there_stay_links() {
        let top = tempfile::tempdir().unwrap();
        let folder = top.path().join("bots/mine");
        fs::create_dir_all(&folder).unwrap();
        let text = "See [docs/a.md](../../docs/a.md), [b](../b), [web](https://host/) and [c](../c#top).";
        let bare = "See `broadside docs a`, b, [web](https://host/) and c.";
        assert_eq!(linked(text, &folder), bare);
        fs::create_dir_all(top.path().join("docs")).unwrap();
        fs::write(top.path().join("docs/a.md"), "").unwrap();
        fs::create_dir_all(top.path().join("bots/c")).unwrap();
        let some = "See [docs/a.md](../../docs/a.md), b, [web](https://host/) and [c](../c#top).";
        assert_eq!(linked(text, &folder), some);
        assert_eq!(linked("no [link] (here", &folder), "no [link] (here");
    }
}
