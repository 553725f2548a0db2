//! The files a page is made of.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

const PAGE: &str = include_str!("../assets/page.html");
const STYLE: [&str; 3] =
    [include_str!("../assets/colours.css"), include_str!("../assets/page.css"), include_str!("../assets/board.css")];

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
    let mut page = String::with_capacity(PAGE.len() + style.len() + script.len() + json.len() + policy.len());
    let mut rest = PAGE;
    // In one pass, so that nothing is looked for in what was put in.
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").expect("page.html closes what it opens");
        page.push_str(before);
        page.push_str(match name {
            "policy" => &policy,
            "style" => &style,
            "match" => json,
            "script" => &script,
            other => unreachable!("page.html asks for {other}"),
        });
        rest = after;
    }
    page.push_str(rest);
    page
}

/// What the browser lets the page do: to run this script, to use this style, and no more. The script cannot turn text
/// into elements or code either.
fn policy(style: &str, script: &str, reach: Reach) -> String {
    let hash = |text: &str| format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)));
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
        for (text, end) in [(SCRIPT.concat(), "</script"), (SCRIPT.concat(), "<!--"), (STYLE.concat(), "</style")] {
            assert!(!text.to_ascii_lowercase().contains(end), "{end}");
        }
    }
}
