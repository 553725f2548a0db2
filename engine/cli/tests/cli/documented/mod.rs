//! The README, CONTRIBUTING.md and the pages of `docs/`: every code block is run, read or compared with what it shows, every link leads
//! somewhere, and every command in the text is one that the program knows.
//!
//! A page is a script. Its `sh` blocks are run in one empty folder, in order. HTML comments before a block, which neither GitHub
//! nor mdBook shows, say how a block is tested: see [`page::Note`] and [`page::What::SetUp`].

mod blocks;
mod changes;
mod commands;
mod crates;
mod exit_codes;
mod links;
mod of_matches;
mod page;
mod shell;

use page::{Page, What};
use shell::Shell;
use std::sync::Mutex;
use std::thread;

/// The page of all commands is made from the help texts, which `reference.rs` compares.
const MADE: &str = "docs/reference/commands.md";

/// The programs in the commands of pages, and those for which bots on pages are written.
const TOOLS: [&str; 6] = ["bash", "curl", "jq", "lua5.4", "php", "python3"];

#[test]
fn every_code_block_is_run_or_read_or_compared() {
    if TOOLS.iter().any(|tool| test_tools::required(tool).is_none()) {
        return;
    }
    let pages = Mutex::new(Page::all());
    let failures = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(page) = { pages.lock().unwrap().pop() } {
                    if let Err(why) = follow(&page) {
                        failures.lock().unwrap().push(why);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Does what the page says.
fn follow(page: &Page) -> Result<(), String> {
    if page.path == MADE {
        return Ok(());
    }
    let mut shell = Shell::new();
    for part in page.parts()? {
        let done = match &part.what {
            What::Block(block) => blocks::hold(block, &mut shell),
            What::SetUp(commands) => shell.run(commands),
        };
        done.map_err(|why| format!("{}:{}: {why}", page.path, part.line))?;
    }
    Ok(())
}

#[test]
fn a_block_that_nothing_tests_is_a_failure() {
    let followed = |text: &str| follow(&Page { path: "page.md".to_owned(), text: text.to_owned() });
    assert_eq!(followed("<!-- a remark -->\n\n```sh\ntrue\n```\n"), Ok(()));
    let fails = |text: &str, why: &str| {
        let told = followed(text).unwrap_err();
        assert!(told.starts_with("page.md:") && told.contains(why), "{told}");
    };
    fails("```\na\n```\n", "no test knows blocks of \"\"");
    fails("```text\na\n```\n", "say by a comment");
    fails("```klingon\na\n```\n", "no test knows");
    fails("<!-- not run: no time -->\nA word.\n", "no block follows");
    fails("```sh\ntrue\nfalse\n```\n", "false");
    fails("```sh\necho one\n```\n<!-- output -->\n```text\ntwo\n```\n", "the output is not");
    fails("```json\n{\"a\"}\n```\n", "page.md:1");
    fails("<!-- tested by: nobody_at_all -->\n```text\na\n```\n", "there is no test");
    fails("<!-- part of: replays/salvo.jsonl -->\n```json\n{\"turns\":-1}\n```\n", "does not have");
    fails("<!-- file: place.txt -->\n```text\nCarrier 0 0 up\n```\n", "place.txt");
}
