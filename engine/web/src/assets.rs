//! The files of which pages are made.

use crate::site::{MATCH_CSS, MATCH_JS, MatchLinks, SharedParts};
use askama::Template;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

/// The signs with which boards are drawn.
pub const SIGNS: &str = include_str!("../assets/signs.svg");
const STYLE: [&str; 7] = [
    include_str!("../assets/colours.css"),
    include_str!("../assets/elements.css"),
    include_str!("../assets/page.css"),
    include_str!("../assets/board.css"),
    include_str!("../assets/page/site.css"),
    include_str!("../assets/page/analysis.css"),
    include_str!("../assets/page/notes.css"),
];

const REPORT_STYLE: [&str; 5] = [
    include_str!("../assets/colours.css"),
    include_str!("../assets/elements.css"),
    include_str!("../assets/page.css"),
    include_str!("../assets/report/report.css"),
    include_str!("../assets/report/rounds.css"),
];
const REPORT_SCRIPT: [&str; 2] = [include_str!("../assets/spoilers.js"), include_str!("../assets/report/sort.js")];

/// The modules of the script, each after those that it needs while it is loaded.
const SCRIPT: [&str; 19] = [
    include_str!("../assets/elements.js"),
    include_str!("../assets/match.js"),
    include_str!("../assets/text.js"),
    include_str!("../assets/board.js"),
    include_str!("../assets/graph.js"),
    include_str!("../assets/heat.js"),
    include_str!("../assets/page/charts.js"),
    include_str!("../assets/page/timeline.js"),
    include_str!("../assets/page/log.js"),
    include_str!("../assets/playback.js"),
    include_str!("../assets/stream.js"),
    include_str!("../assets/page/page.js"),
    include_str!("../assets/page/address.js"),
    include_str!("../assets/page/controls.js"),
    include_str!("../assets/page/notes.js"),
    include_str!("../assets/page/win.js"),
    include_str!("../assets/page/chances.js"),
    include_str!("../assets/page/main.js"),
    include_str!("../assets/spoilers.js"),
];

/// The style and the script that the page of a table has in addition.
const TABLE_STYLE: &str = include_str!("../assets/table/table.css");
const TABLE_SCRIPT: [&str; 2] = [include_str!("../assets/table/tally.js"), include_str!("../assets/table/main.js")];

const PERSON_STYLE: [&str; 5] = [
    include_str!("../assets/colours.css"),
    include_str!("../assets/elements.css"),
    include_str!("../assets/page.css"),
    include_str!("../assets/board.css"),
    include_str!("../assets/person/person.css"),
];
const PERSON_SCRIPT: [&str; 8] = [
    include_str!("../assets/elements.js"),
    include_str!("../assets/match.js"),
    include_str!("../assets/text.js"),
    include_str!("../assets/board.js"),
    include_str!("../assets/stream.js"),
    include_str!("../assets/person/grid.js"),
    include_str!("../assets/person/fleet.js"),
    include_str!("../assets/person/main.js"),
];

/// The modules that pages of other servers load, by their file names.
#[cfg(feature = "servers")]
pub const SCRIPTS: [(&str, &str); 9] = [
    ("board.js", include_str!("../assets/board.js")),
    ("elements.js", include_str!("../assets/elements.js")),
    ("graph.js", include_str!("../assets/graph.js")),
    ("heat.js", include_str!("../assets/heat.js")),
    ("match.js", include_str!("../assets/match.js")),
    ("playback.js", include_str!("../assets/playback.js")),
    ("spoilers.js", include_str!("../assets/spoilers.js")),
    ("stream.js", include_str!("../assets/stream.js")),
    ("text.js", include_str!("../assets/text.js")),
];
/// The styles that pages of other servers load, by their file names.
#[cfg(feature = "servers")]
pub const STYLES: [(&str, &str); 3] = [
    ("board.css", include_str!("../assets/board.css")),
    ("colours.css", include_str!("../assets/colours.css")),
    ("elements.css", include_str!("../assets/elements.css")),
];

/// The connections of a page: none.
pub(crate) const NO_CONNECTION: &str = "'none'";
/// The connections of a page: those to its own server.
pub(crate) const TO_SERVER: &str = "'self'";

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    policy: String,
    style: String,
    signs: &'static str,
    data: &'a str,
    script: String,
    site: Option<PartOfSite<'a>>,
}

/// The parts of a page that only a page of a site has.
struct PartOfSite<'a> {
    links: &'a MatchLinks,
    /// The addresses of the script and the style.
    script: String,
    style: String,
}

#[derive(Template)]
#[template(path = "person.html")]
struct PersonPage {
    style: String,
    signs: &'static str,
    script: String,
}

/// The page of a person who plays, and its policy for a header.
pub(crate) fn person_page() -> (String, String) {
    let (style, script) = (PERSON_STYLE.concat(), joined(&[&PERSON_SCRIPT]));
    let own = format!("script-src {}; connect-src {TO_SERVER}; frame-ancestors 'none'; ", hash(&script));
    let policy = policy(&style, &own);
    (PersonPage { style, signs: SIGNS, script }.render().expect("writing into a String cannot fail"), policy)
}

/// The page with this JSON inside, which must not be able to end a script element, and with these connections.
pub(crate) fn page(json: &str, connect: &str) -> String {
    let (style, script) = match_parts();
    whole_page(json, connect, style, script)
}

/// The style and the script of the page of a match.
pub(crate) fn match_parts() -> (String, String) {
    (STYLE.concat(), joined(&[&SCRIPT]))
}

/// The same page with links to other pages of a site, whose files it loads from the server or from the disk.
pub(crate) fn page_of_site(json: &str, links: &MatchLinks, shared: &SharedParts) -> String {
    let address = |name: &str| format!("../{name}?{}", shared.version);
    let site = PartOfSite { links, script: address(MATCH_JS), style: address(MATCH_CSS) };
    let policy = policy_with("'self' file:", "script-src 'self' file:; connect-src 'none'; ");
    let (style, script) = Default::default();
    let page = Page { policy, style, signs: SIGNS, data: json, script, site: Some(site) };
    page.render().expect("writing into a String cannot fail")
}

/// The same page for a table at which matches are shown that all may follow.
pub(crate) fn table_page(json: &str, connect: &str) -> String {
    let style = STYLE.concat() + TABLE_STYLE;
    whole_page(json, connect, style, joined(&[&SCRIPT, &TABLE_SCRIPT]))
}

fn whole_page(json: &str, connect: &str, style: String, script: String) -> String {
    let policy = policy(&style, &format!("script-src {}; connect-src {connect}; ", hash(&script)));
    let page = Page { policy, style, signs: SIGNS, data: json, script, site: None };
    page.render().expect("writing into a String cannot fail")
}

/// The style and the script of a page, and the policy of a page that has only these and opens no connection.
#[derive(Debug, Clone)]
pub struct PageParts {
    /// The text of the style element.
    pub style: String,
    /// The text of the script element; empty for a page without a script.
    pub script: String,
    /// The content of the `Content-Security-Policy`.
    pub policy: String,
}

impl PageParts {
    /// The parts of a page that looks like a report, with more style. Its script sorts the tables of the class `sortable`; a page without
    /// any has none.
    pub fn like_report(more_style: &str, has_sortable_tables: bool) -> PageParts {
        let script = if has_sortable_tables { joined(&[&REPORT_SCRIPT[1..]]) } else { String::new() };
        PageParts::new(REPORT_STYLE.concat() + more_style, script)
    }

    /// The parts of the report itself.
    pub(crate) fn of_report() -> PageParts {
        PageParts::new(REPORT_STYLE.concat(), joined(&[&REPORT_SCRIPT]))
    }

    fn new(style: String, script: String) -> PageParts {
        let scripts = if script.is_empty() { String::new() } else { format!("script-src {}; ", hash(&script)) };
        PageParts { policy: policy(&style, &scripts), style, script }
    }
}

/// Modules as one script without imports and exports, whose names are all different. Comments that fill lines are left out: they,
/// and the types in them, would make up a quarter of a page.
fn joined(parts: &[&[&str]]) -> String {
    let mut script = String::new();
    let mut is_comment = false;
    for line in parts.iter().copied().flatten().flat_map(|part| part.lines()) {
        let text = line.trim();
        is_comment |= text.starts_with("/*") && text.find("*/").is_none_or(|end| end + 2 == text.len());
        if !is_comment && !text.is_empty() && !text.starts_with("//") && !line.starts_with("import ") {
            script.push_str(line.strip_prefix("export ").unwrap_or(line));
            script.push('\n');
        }
        is_comment &= !text.ends_with("*/");
    }
    script
}

fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// The content security policy of a page: this style, what `more` allows, and nothing else. A script cannot turn text into
/// elements or code.
fn policy(style: &str, more: &str) -> String {
    policy_with(&hash(style), more)
}

/// The same policy with these sources of styles.
fn policy_with(styles: &str, more: &str) -> String {
    format!(
        "default-src 'none'; {more}style-src {styles}; img-src data:; base-uri 'none'; form-action 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_become_one_script_without_comments_that_fill_lines() {
        let parts = [
            "// One.\n\nlet one; // one\n  /** Two.\n   * @type {T} */\n",
            "import { one } from './one.js';\n/** @type {T} */\nexport let two = /** @type {T} */ (one);\n",
        ];
        assert_eq!(joined(&[&parts]), "let one; // one\nlet two = /** @type {T} */ (one);\n");
        for scripts in [[&SCRIPT[..], &TABLE_SCRIPT].concat(), PERSON_SCRIPT.to_vec(), REPORT_SCRIPT.to_vec()] {
            let all = scripts.concat();
            // No text goes over lines, where it could look like a comment; imports are whole lines.
            assert!(all.lines().all(|line| line.matches('`').count() % 2 == 0));
            assert!(all.lines().all(|line| !line.starts_with("import ") || line.ends_with("';")));
            // Parts of one script have no names in common.
            let words = ["const", "let", "function", "class", "async"];
            let script = joined(&[&scripts]);
            let declared = script.lines().filter(|line| words.contains(&line.split(' ').next().unwrap_or_default()));
            let ends = |c: char| !(c.is_alphanumeric() || c == '_' || c == '$');
            let mut names: Vec<&str> = declared
                .filter_map(|line| line.split(ends).find(|word| !words.contains(word)))
                .filter(|name| !name.is_empty())
                .collect();
            names.sort_unstable();
            assert!(names.len() > 2 && names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
        }
    }

    #[test]
    fn the_script_and_the_style_cannot_end_their_elements() {
        let parts = [
            (SCRIPT.concat(), "</script"),
            (SCRIPT.concat(), "<!--"),
            (STYLE.concat() + TABLE_STYLE, "</style"),
            (TABLE_SCRIPT.concat(), "</script"),
            (TABLE_SCRIPT.concat(), "<!--"),
            (REPORT_SCRIPT.concat(), "</script"),
            (REPORT_SCRIPT.concat(), "<!--"),
            (REPORT_STYLE.concat(), "</style"),
            (PERSON_SCRIPT.concat(), "</script"),
            (PERSON_SCRIPT.concat(), "<!--"),
            (PERSON_STYLE.concat(), "</style"),
        ];
        for (text, end) in parts {
            assert!(!text.to_ascii_lowercase().contains(end), "{end}");
        }
    }
}
