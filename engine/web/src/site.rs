//! The site of a tournament: one folder of pages that link to each other and need no server.
//!
//! `index.html` is the report, `matches.html` has all matches, and the folder `matches` has a page for each of them, all with the same
//! script and style in two files. Whoever writes the folder makes one page at a time, so a large tournament needs little memory.

use crate::assets;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use tournament::Fixture;

/// The name of the front page in the folder of a site.
pub const INDEX_HTML: &str = "index.html";
/// The name of the page of all matches in the folder of a site.
pub const MATCHES_HTML: &str = "matches.html";
/// The folder of the pages of matches in the folder of a site.
pub const MATCHES: &str = "matches";
/// The name of the script of all pages of matches in the folder of a site.
pub(crate) const MATCH_JS: &str = "broadside-match.js";
/// The name of the style of all pages of matches in the folder of a site.
pub(crate) const MATCH_CSS: &str = "broadside-match.css";
/// The text near the beginning of every front page of a site, by which it is known again.
pub const SITE_MARK: &str = "<meta name=\"generator\" content=\"broadside standings --site\">";

/// The matches of a tournament that have a page in the folder of its site. Each takes a few bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MatchPages {
    numbers: BTreeMap<(usize, usize), BTreeSet<u32>>,
    count: u64,
}

impl MatchPages {
    /// Adds a game that has a page.
    pub fn add(&mut self, fixture: Fixture) {
        let numbers = self.numbers.entry((fixture.first, fixture.second)).or_default();
        self.count += u64::from(numbers.insert(fixture.number));
    }

    /// The number of pages.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// True if no match has a page.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Tells whether a game has a page.
    pub fn has(&self, fixture: Fixture) -> bool {
        self.numbers.get(&(fixture.first, fixture.second)).is_some_and(|numbers| numbers.contains(&fixture.number))
    }

    /// The numbers of the games of two entrants that have a page, in their order.
    pub(crate) fn numbers(&self, first: usize, second: usize) -> impl Iterator<Item = u32> {
        self.numbers.get(&(first, second)).into_iter().flatten().copied()
    }

    /// The name of the page of a game in the folder `matches`.
    pub fn name(Fixture { first, second, number }: Fixture) -> String {
        format!("{first}-{second}-{number:05}.html")
    }

    /// The address of the page of a game, relative to the front page.
    pub(crate) fn address(fixture: Fixture) -> String {
        format!("{MATCHES}/{}", MatchPages::name(fixture))
    }
}

/// The script and the style that the pages of all matches of a site share, in files beside the front page.
#[derive(Debug, Clone)]
pub struct SharedParts {
    script: String,
    style: String,
    /// The version of both in an address, so that a browser does not mix files of two versions.
    pub(crate) version: String,
}

impl Default for SharedParts {
    fn default() -> SharedParts {
        SharedParts::new()
    }
}

impl SharedParts {
    /// The parts of this version of the program.
    pub fn new() -> SharedParts {
        let (style, module) = assets::match_parts();
        // As strict and with names of its own, as a module is.
        let script = format!("'use strict';\n{{\n{module}}}\n");
        let version = arena::hex(&Sha256::digest(format!("{style}{script}"))[..4]);
        SharedParts { script, style, version }
    }

    /// The names of the files in the folder of a site, and their texts.
    pub fn files(&self) -> [(&'static str, &str); 2] {
        [(MATCH_JS, &self.script), (MATCH_CSS, &self.style)]
    }
}

/// The links on the page of a match to other pages of its site. Texts may come from strangers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MatchLinks {
    /// The title of the tournament.
    pub tournament: String,
    /// The name of the match in the tournament, e.g. `semi-final, game 3`.
    pub label: String,
    /// The name of the page of the match before, if there is one.
    pub previous: Option<String>,
    /// The name of the page of the next match, if there is one.
    pub next: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_match_is_one_page_however_often_it_is_added() {
        let mut pages = MatchPages::default();
        let game = |number| Fixture { first: 1, second: 12, number };
        [3, 0, 3].into_iter().for_each(|number| pages.add(game(number)));
        assert_eq!((pages.len(), pages.numbers(1, 12).collect()), (2, vec![0, 3]));
        assert!(pages.has(game(3)) && !pages.has(game(1)) && pages.numbers(0, 1).next().is_none());
        assert_eq!(MatchPages::address(game(3)), "matches/1-12-00003.html");
    }
}
