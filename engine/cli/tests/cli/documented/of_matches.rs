//! The excerpts in docs/protocols/entelect-2017.md from the folder of a match, compared with a match.

use super::blocks::masked;
use super::page::{Page, What};
use crate::table::Table;
use fake_bot::PLAYS;
use std::collections::BTreeSet;
use std::fs;

const PAGE: &str = "docs/protocols/entelect-2017.md";

/// The block whose text begins so.
fn block(begin: &str) -> String {
    let page = Page::all().into_iter().find(|page| page.path == PAGE).unwrap();
    let blocks = page.parts().unwrap().into_iter().filter_map(|part| match part.what {
        What::Block(block) => Some(block.text),
        What::SetUp(_) => None,
    });
    blocks.into_iter().find(|text| text.starts_with(begin)).unwrap()
}

#[test]
fn the_folder_on_the_page_is_that_of_a_match() {
    let table = Table::new();
    table.command().assert().code(0);
    let round = "Phase 1 - Round 0";
    let names = |folder: &str| {
        let entries = fs::read_dir(table.out().join(folder)).unwrap().map(|entry| entry.unwrap());
        entries.map(|entry| entry.file_name().into_string().unwrap()).collect::<BTreeSet<_>>()
    };
    let text = block("<folder of the match>/");
    let at = |indent: usize| {
        let lines = text.lines().map(|line| (line.len() - line.trim_start().len(), line.trim().trim_end_matches('/')));
        lines
            .filter(move |(own, name)| *own == indent && *name != "...")
            .map(|(_, name)| name.to_owned())
            .collect::<Vec<_>>()
    };
    let rounds = at(4);
    assert!(rounds.iter().all(|name| names("").contains(name)), "{rounds:?}");
    assert_eq!(at(8).into_iter().collect::<BTreeSet<_>>(), names(round));
    // A bot writes one of its two files.
    let mut inner: BTreeSet<String> = at(12).into_iter().collect();
    assert!(inner.remove("command.txt"));
    assert_eq!(inner, names(&format!("{round}/A")));
}

#[test]
fn the_log_on_the_page_is_that_of_a_match() {
    let script = format!(
        "{PLAYS}\nr6: write command.txt 1,99,99\nr7: moan a line written to standard error\nr7: say 31 cells left"
    );
    let table = Table::with([&script, PLAYS]);
    table.command().assert().code(0);
    let log = masked(&table.read("Phase 2 - Round 7/A/log.txt"));
    let known: BTreeSet<&str> = log.lines().collect();
    for line in masked(&block("21-05-2026")).lines() {
        // The paths are those of the page's author.
        let line = line.split(" /usr/bin/python0 ").next().unwrap();
        assert!(known.iter().any(|known| known.starts_with(line)), "{line}\n{log}");
    }
}
