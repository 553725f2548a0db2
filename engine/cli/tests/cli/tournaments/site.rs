//! A tournament as a folder of pages that opens from the disk.

use crate::browser::{Chromium, Tab};
use crate::tournaments::pairings::Event;
use predicates::prelude::*;
use predicates::str::contains;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

const RANDOM: &str = "builtin:random";

/// A knockout of four bots, all of whose records were kept.
fn knockout() -> Event {
    let event = Event::new(&[]);
    let flags = ["tournament", "-s", "1", "--seed", "5", "--dir", "out", "--format", "knockout", "-g", "2"];
    let odd = format!("<b>odd & \"quoted\" 名={RANDOM}");
    event.run(&[&flags[..], &["--keep", "all", "-b", RANDOM, "Hunter=builtin:hunter", RANDOM, &odd]].concat()).code(0);
    event
}

fn pages(event: &Event, folder: &str) -> Vec<PathBuf> {
    let found = fs::read_dir(event.folder.path().join(folder)).unwrap();
    let mut found: Vec<PathBuf> = found.map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

#[test]
fn a_site_opens_from_the_disk_and_leads_from_the_bracket_to_a_match_and_back() {
    let event = knockout();
    event.run(&["standings", "out", "--site", "site"]).code(0).stdout("site/index.html\n").stderr("");
    let index = fs::read_to_string(event.folder.path().join("site/index.html")).unwrap();
    assert!(index.contains("&#60;b&#62;odd &#38;") && !index.contains("<b>odd"), "names are texts");
    let address = format!("file://{}/site/index.html", event.folder.path().display());
    let ready = "document.readyState === 'complete' && 'ready' in document.body.dataset";
    let at = |tab: &Tab<'_>, page: &str, search: &str| {
        tab.arrive(&format!("location.pathname.includes({page:?}) && location.search === {search:?} && {ready}"));
        tab.until("document.documentElement.scrollWidth <= innerWidth");
    };
    Chromium::run(|chromium| {
        for (size, search) in [((1280, 800), ""), ((390, 844), ""), ((1280, 800), "?spoilers=0")] {
            let tab = chromium.open(&format!("{address}{search}"));
            tab.resize(size.0, size.1);
            tab.assert_accessible_in_both_themes();
            if search.is_empty() {
                tab.reach(".standings th:nth-child(4) button");
                tab.press("Enter");
                tab.until("document.querySelector('.standings th:nth-child(4)').ariaSort === 'descending'");
            }
            tab.reach(".meeting .games a");
            tab.press("Enter");
            at(&tab, "/site/matches/", search);
            assert!(tab.value::<bool>("document.querySelector('.board') !== null"), "the match is on the page");
            let colour: String = tab.value("getComputedStyle(document.querySelector('.board')).display");
            assert_eq!(colour, "grid", "the style is there");
            tab.assert_accessible_in_both_themes();
            // To the first match, to the one behind it, to the list of all, and to the front page.
            let turn_page = |link: &str| {
                let before: String = tab.value("location.pathname");
                tab.click(link);
                tab.arrive(&format!("location.pathname !== {before:?} && {ready}"));
            };
            while tab.value::<bool>("document.querySelector('a[rel=prev]') !== null") {
                turn_page("a[rel=prev]");
            }
            turn_page("a[rel=next]");
            tab.reach(".site-links a");
            tab.press("Enter");
            at(&tab, "/site/index.html", search);
            tab.reach("#matches ~ .hint a");
            tab.press("Enter");
            at(&tab, "/site/matches.html", search);
            tab.assert_accessible_in_both_themes();
            let made: String = tab.value("document.querySelector('#about').innerText");
            assert!(made.contains("site made 20"), "{made}");
            if search.is_empty() {
                let heads: Vec<String> =
                    tab.value("[...document.querySelectorAll('thead th')].map((head) => head.innerText)");
                assert_eq!(heads, ["match", "round", "game", "winner", "length", "margin", "faults"]);
                let cells: Vec<[String; 2]> = tab.value(
                    "[...document.querySelectorAll('tbody tr')].map((row) => [4, 5].map((at) => row.cells[at].innerText))",
                );
                for [length, margin] in cells {
                    assert!(length.ends_with(" rounds"), "{length}");
                    let numbers = margin.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok());
                    let numbers: Vec<u32> = numbers.collect();
                    assert_eq!(numbers[0], numbers[1].abs_diff(numbers[2]), "{margin}");
                }
            }
            let links = "document.querySelectorAll('th.match a').length";
            assert_eq!(tab.value::<usize>(links), pages(&event, "site/matches").len());
            tab.reach("th.match a");
            tab.press("Enter");
            at(&tab, "/site/matches/", search);
            tab.assert_calm();
            assert!(tab.requests().iter().all(|address| address.starts_with("file://")), "{:?}", tab.requests());
        }
    });
}

#[test]
fn the_pages_of_matches_share_their_script_and_their_style() {
    let event = knockout();
    event.run(&["standings", "out", "--site", "site"]).code(0);
    let record = pages(&event, "out/records").remove(0).display().to_string();
    event.run(&["replay", &record, "--html", "alone.html"]).code(0);
    let read = |page: &str| fs::read_to_string(event.folder.path().join(page)).unwrap();
    let (script, style, alone) =
        (read("site/broadside-match.js"), read("site/broadside-match.css"), read("alone.html"));
    assert!(alone.contains("<style>") && alone.contains("class BoardView"), "a page alone has all that it needs");
    for page in pages(&event, "site/matches") {
        let text = fs::read_to_string(&page).unwrap();
        assert!(!text.contains("<style>") && !text.contains("class BoardView"), "{}", page.display());
        for file in ["broadside-match.js", "broadside-match.css"] {
            assert_eq!(text.matches(&format!("=\"../{file}?")).count(), 1, "{}", page.display());
        }
    }
    let text = read(pages(&event, "site/matches")[0].to_str().unwrap());
    let all = text.len() + script.len() + style.len();
    assert!(all.abs_diff(alone.len()) < 2000, "the rest is the match itself: {all}, {}", alone.len());
}

#[test]
fn missing_and_damaged_records_are_told_and_the_rest_is_written() {
    let event = knockout();
    let records = pages(&event, "out/records");
    fs::remove_file(&records[0]).unwrap();
    let half = fs::read(&records[1]).unwrap();
    fs::write(&records[1], &half[half.len() / 2..]).unwrap();
    let told = contains("no page: ").and(contains("2 records are missing or damaged; the rest is written"));
    event.run(&["standings", "out", "--site", "site"]).code(5).stdout("site/index.html\n").stderr(told);
    assert_eq!(pages(&event, "site/matches").len(), records.len() - 2);
    let read = |page: &str| fs::read_to_string(event.folder.path().join("site").join(page)).unwrap();
    assert!(read("index.html").contains("2 records are missing or damaged"));
    assert_eq!(read("matches.html").matches("no page").count(), 2);
    // No link leads to a page that is not there.
    for page in pages(&event, "site/matches") {
        let text = fs::read_to_string(&page).unwrap();
        let links = ["prev", "next"].map(|rel| text.split(&format!("rel=\"{rel}\" href=\"")).nth(1));
        for link in links.into_iter().flatten().filter_map(|rest| rest.split('"').next()) {
            assert!(page.with_file_name(link).is_file(), "{link}");
        }
        assert!(links.iter().any(Option::is_some) || records.len() == 3, "{}", page.display());
    }
    // A journal cannot make the program read other files.
    let journal = event.folder.path().join("out/games.jsonl");
    let text = fs::read_to_string(&journal).unwrap().replace("records/", "../records/");
    fs::write(&journal, text).unwrap();
    event.run(&["standings", "out", "--site", "other"]).code(5).stderr(contains("not in the folder of the tournament"));
}

#[test]
fn a_folder_keeps_its_other_files_and_pages_of_others_are_not_replaced() {
    let event = knockout();
    let site = event.folder.path().join("site");
    fs::create_dir_all(site.join("matches")).unwrap();
    for name in ["notes.txt", "matches/mine.html"] {
        fs::write(site.join(name), "mine").unwrap();
    }
    for _ in 0..2 {
        event.run(&["standings", "out", "--site", "site"]).code(0);
    }
    for name in ["notes.txt", "matches/mine.html"] {
        assert_eq!(fs::read_to_string(site.join(name)).unwrap(), "mine");
    }
    fs::write(site.join("index.html"), "mine").unwrap();
    let told = contains("exists and is not a page of a tournament").and(contains("hint: name a folder of its own"));
    event.run(&["standings", "out", "--site", "site"]).code(2).stderr(told);
    assert_eq!(fs::read_to_string(site.join("index.html")).unwrap(), "mine");
    event.run(&["standings", "out", "--site", "x", "--format", "html"]).code(2);
}

#[test]
fn a_folder_that_cannot_be_written_is_told() {
    let event = knockout();
    let closed = event.folder.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).unwrap();
    let is_root = fs::write(closed.join("probe"), "").is_ok();
    fs::write(event.folder.path().join("file"), "").unwrap();
    if !is_root {
        event.run(&["standings", "out", "--site", "closed"]).code(1).stderr(contains("closed/matches"));
    }
    event.run(&["standings", "out", "--site", "file"]).code(1).stderr(contains("folder without links at file: "));
}

/// A folder of a tournament that came from somewhere else, with traps where the site is to be written.
#[test]
fn a_site_in_a_received_folder_is_written_through_no_link_and_to_no_pipe() {
    let event = knockout();
    let at = |path: &str| event.folder.path().join(path);
    event.run(&["standings", "out", "--site", "site"]).code(0);
    let wanted: Vec<_> =
        pages(&event, "site/matches").iter().map(|page| page.file_name().unwrap().to_owned()).collect();
    fs::create_dir_all(at("out/site/matches")).unwrap();
    fs::create_dir(at("elsewhere")).unwrap();
    fs::write(at("elsewhere/mine"), "mine").unwrap();
    let page = |name: &std::ffi::OsStr| at("out/site/matches").join(name);
    mknodat(CWD, page(&wanted[0]), FileType::Fifo, Mode::RWXU, 0).unwrap();
    symlink(at("elsewhere/mine"), page(&wanted[1])).unwrap();
    event.run(&["standings", "out", "--site", "out/site"]).code(0);
    assert_eq!(fs::read_to_string(at("elsewhere/mine")).unwrap(), "mine");
    assert!(wanted.iter().all(|name| page(name).symlink_metadata().unwrap().is_file()));
    assert_eq!(pages(&event, "out/site/matches").len(), wanted.len(), "nothing is left beside the pages");
    // A page that is a pipe, or a link to a page of a tournament, is not the site's own.
    for trap in ["index.html", "matches.html"] {
        fs::remove_file(at("out/site").join(trap)).unwrap();
        mknodat(CWD, at("out/site").join(trap), FileType::Fifo, Mode::RWXU, 0).unwrap();
        event.run(&["standings", "out", "--site", "out/site"]).code(2).stderr(contains("not a page of a tournament"));
        fs::remove_file(at("out/site").join(trap)).unwrap();
        symlink(at("site/index.html"), at("out/site").join(trap)).unwrap();
        event.run(&["standings", "out", "--site", "out/site"]).code(2).stderr(contains("not a page of a tournament"));
        fs::remove_file(at("out/site").join(trap)).unwrap();
    }
    // The folder of the site, the one of its matches, and any on the way may be a link.
    fs::remove_dir_all(at("out/site")).unwrap();
    fs::create_dir(at("out/site")).unwrap();
    symlink(at("elsewhere"), at("out/site/matches")).unwrap();
    symlink(at("elsewhere"), at("out/link")).unwrap();
    for trap in
        ["out/site", "out/link", "out/link/deeper", "./out/../out/link/deeper", at("out/link/deeper").to_str().unwrap()]
    {
        event.run(&["standings", "out", "--site", trap]).code(1).stderr(contains("without links").and(contains(trap)));
    }
    let left = pages(&event, "elsewhere");
    assert_eq!(left, [at("elsewhere/mine")]);
    // A record that is a link to a match elsewhere is not shown.
    let record = pages(&event, "out/records").remove(0);
    fs::rename(&record, at("private.jsonl.zst")).unwrap();
    symlink(at("private.jsonl.zst"), &record).unwrap();
    let told = contains("no page: ").and(contains("it is not a file in the folder of the tournament"));
    event.run(&["standings", "out", "--site", "other"]).code(5).stderr(told);
    assert_eq!(pages(&event, "other/matches").len(), wanted.len() - 1);
}

#[test]
fn a_half_played_round_robin_says_in_every_form_that_it_is_provisional() {
    let event = Event::new(&[]);
    let bots = ["-b", RANDOM, "builtin:hunter", RANDOM];
    event.run(&[&["tournament", "-s", "1", "-g", "2", "--dir", "out"][..], &bots].concat()).code(0);
    let journal = event.folder.path().join("out/games.jsonl");
    let whole = fs::read_to_string(&journal).unwrap();
    let forms = |is_told: bool| {
        for form in ["table", "markdown", "json", "html"] {
            let word = if form == "json" { "\"provisional\": true" } else { "Provisional: by Elo" };
            let told = event.run(&["standings", "out", "--format", form]).code(0).get_output().stdout.clone();
            assert_eq!(String::from_utf8(told).unwrap().contains(word), is_told, "{form}");
        }
    };
    forms(false);
    // The header, three entrants, and five of six games.
    let cut: String = whole.split_inclusive('\n').take(9).collect();
    fs::write(&journal, cut).unwrap();
    forms(true);
}
