//! The files a page is made of.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

const PAGE: &str = include_str!("../assets/page.html");
/// The signs that boards are drawn with.
pub const SIGNS: &str = include_str!("../assets/signs.svg");
const REPORT: &str = include_str!("../assets/report.html");
const STYLE: [&str; 4] = [
    include_str!("../assets/colours.css"),
    include_str!("../assets/elements.css"),
    include_str!("../assets/page.css"),
    include_str!("../assets/board.css"),
];

const REPORT_STYLE: [&str; 4] = [
    include_str!("../assets/colours.css"),
    include_str!("../assets/elements.css"),
    include_str!("../assets/page.css"),
    include_str!("../assets/report.css"),
];

/// The parts of the script, each after those it needs while it is loaded. They share one scope.
const SCRIPT: [&str; 14] = [
    include_str!("../assets/elements.js"),
    include_str!("../assets/match.js"),
    include_str!("../assets/words.js"),
    include_str!("../assets/board.js"),
    include_str!("../assets/charts.js"),
    include_str!("../assets/timeline.js"),
    include_str!("../assets/log.js"),
    include_str!("../assets/playback.js"),
    include_str!("../assets/live.js"),
    include_str!("../assets/page.js"),
    include_str!("../assets/showing.js"),
    include_str!("../assets/address.js"),
    include_str!("../assets/controls.js"),
    include_str!("../assets/begin.js"),
];

/// What a page may connect to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Reach {
    /// Nothing at all.
    Nothing,
    /// The server it came from.
    Server,
}

/// The page with this JSON inside.
pub(crate) fn page(json: &str, reach: Reach) -> String {
    let style = STYLE.concat();
    let script = SCRIPT.concat();
    let policy = policy(&style, &script, reach);
    fill(PAGE, |name| match name {
        "policy" => &policy,
        "style" => &style,
        "signs" => SIGNS,
        "match" => json,
        "script" => &script,
        other => unreachable!("page.html asks for {other}"),
    })
}

/// The report with this title, which is escaped already, and this body. It has no script, and may load nothing.
pub(crate) fn report(title: &str, body: &str) -> String {
    let style = REPORT_STYLE.concat();
    let policy = format!(
        "default-src 'none'; style-src {}; img-src data:; base-uri 'none'; form-action 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
        hash(&style)
    );
    fill(REPORT, |name| match name {
        "policy" => &policy,
        "style" => &style,
        "title" => title,
        "body" => body,
        other => unreachable!("report.html asks for {other}"),
    })
}

/// A page with its parts put in. In one pass, so that nothing is looked for in what was put in.
fn fill<'a>(page: &'a str, part: impl Fn(&str) -> &'a str) -> String {
    let mut filled = String::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").expect("a page closes what it opens");
        filled.push_str(before);
        filled.push_str(part(name));
        rest = after;
    }
    filled.push_str(rest);
    filled
}

fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// What the browser lets the page do: to run this script, to use this style, and no more. The script cannot turn text
/// into elements or code either.
fn policy(style: &str, script: &str, reach: Reach) -> String {
    let connect = match reach {
        Reach::Nothing => "'none'",
        Reach::Server => "'self'",
    };
    format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; connect-src {connect}; base-uri 'none'; \
         form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        hash(script),
        hash(style)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_and_the_style_cannot_end_their_elements() {
        let parts = [
            (SCRIPT.concat(), "</script"),
            (SCRIPT.concat(), "<!--"),
            (STYLE.concat(), "</style"),
            (REPORT_STYLE.concat(), "</style"),
        ];
        for (text, end) in parts {
            assert!(!text.to_ascii_lowercase().contains(end), "{end}");
        }
    }
}
