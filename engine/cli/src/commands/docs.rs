//! `broadside docs`: the pages of `docs/`, from the program.

use super::embedded::PAGES;
use crate::args::DocsArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show;

/// A page: its path below `docs/` and its text.
struct Page {
    path: &'static str,
    text: String,
}

impl Page {
    /// Its name: the name of the file without its end.
    fn name(&self) -> &str {
        let file = self.path.rsplit('/').next().unwrap_or_default();
        file.strip_suffix(".md").unwrap_or(file)
    }

    /// Its first heading.
    fn title(&self) -> &str {
        self.text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default()
    }
}

/// Prints the page that fits the topic, or lists all pages.
///
/// # Errors
/// [`Failure::Usage`] if no page or several fit.
pub(crate) fn docs(args: &DocsArgs) -> Result<Exit, Failure> {
    let pages = pages();
    let Some(topic) = &args.topic else {
        show::print(&list(&pages))?;
        return Ok(Exit::Success);
    };
    match fitting(&pages, topic)[..] {
        [page] => show::print(&page.text)?,
        [] => {
            return Err(Failure::Usage {
                what: format!("there is no page about {topic}"),
                hint: format!("the pages are {}", names(pages.iter())),
            });
        }
        ref several => {
            return Err(Failure::Usage {
                what: format!("several pages are about {topic}"),
                hint: format!("name one of them: {}", names(several.iter().copied())),
            });
        }
    }
    Ok(Exit::Success)
}

fn pages() -> Vec<Page> {
    PAGES.iter().map(|(path, text)| Page { path, text: without_comments(text) }).collect()
}

/// The text without the lines that are comments of HTML, which are for tests and tools.
fn without_comments(text: &str) -> String {
    let is_comment = |line: &str| line.trim_start().starts_with("<!--") && line.trim_end().ends_with("-->");
    text.split_inclusive('\n').filter(|line| !is_comment(line)).collect()
}

/// The page with this name or path; else those whose name or title has the topic in it.
fn fitting<'a>(pages: &'a [Page], topic: &str) -> Vec<&'a Page> {
    let topic = topic.to_lowercase();
    let is_it = |page: &&Page| page.name() == topic || page.path == topic || page.path == format!("{topic}.md");
    if let Some(page) = pages.iter().find(is_it) {
        return vec![page];
    }
    let words = topic.replace(['-', '_'], " ");
    let has = |text: &str| text.to_lowercase().replace(['-', '_'], " ").contains(&words);
    pages.iter().filter(|page| has(page.name()) || has(page.title())).collect()
}

fn names<'a>(pages: impl Iterator<Item = &'a Page>) -> String {
    pages.map(Page::name).collect::<Vec<_>>().join(", ")
}

fn list(pages: &[Page]) -> String {
    let width = pages.iter().map(|page| page.name().len()).max().unwrap_or_default();
    pages.iter().map(|page| format!("{:width$}  {}\n", page.name(), page.title())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use players::BuiltIn;
    use std::collections::BTreeSet;

    #[test]
    fn pages_have_names_and_titles_of_their_own() {
        let pages = pages();
        assert!(pages.len() > 15 && pages.iter().all(|page| !page.title().is_empty()), "{}", list(&pages));
        let names: BTreeSet<&str> = pages.iter().map(Page::name).collect();
        assert_eq!(names.len(), pages.len(), "{}", list(&pages));
    }

    #[test]
    fn comments_are_not_printed() {
        assert!(pages().iter().all(|page| !page.text.contains("\n<!--")));
        assert_eq!(without_comments("a\n<!-- b -->\n  <!-- c -->\nd <!-- e -->"), "a\nd <!-- e -->");
    }

    #[test]
    fn a_topic_is_found_by_name_path_or_words_of_the_title() {
        let pages = pages();
        let found = |topic: &str| fitting(&pages, topic).iter().map(|page| page.path).collect::<Vec<_>>();
        assert_eq!(found("sea-battle"), ["protocols/sea-battle.md"]);
        assert_eq!(found("Sea Battle"), ["protocols/sea-battle.md"]);
        assert_eq!(found("protocols/salvo"), ["protocols/salvo.md"]);
        assert_eq!(found("2017"), ["protocols/entelect-2017.md", "rulings.md"]);
        assert_eq!(found("hackathon"), ["hackathon.md"]);
        assert_eq!(found("chess"), [""; 0]);
    }

    #[test]
    fn the_page_of_built_in_players_lists_all_of_them() {
        let pages = pages();
        let page = pages.iter().find(|page| page.path == "reference/built-in-players.md").unwrap();
        for player in BuiltIn::ALL.map(BuiltIn::name) {
            assert!(page.text.contains(&format!("\n| `builtin:{player}` | ")), "{player}");
            assert!(page.text.contains(&format!("\n| {player} | ")), "{player} is in the tables");
        }
    }

    /// What is not in the list of the site cannot be found there.
    #[test]
    fn the_site_has_every_page_and_no_other() {
        let summary = include_str!("../../../../docs/SUMMARY.md");
        let linked: BTreeSet<&str> =
            summary.lines().filter_map(|line| line.split_once("](")?.1.strip_suffix(')')).collect();
        let pages = pages();
        let paths: BTreeSet<&str> = pages.iter().map(|page| page.path).collect();
        assert_eq!(linked, paths);
    }
}
