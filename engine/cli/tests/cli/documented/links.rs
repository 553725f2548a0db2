//! Links of all pages: to files that are there, and to headings in them.

use super::page::{Page, top};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut wrong = Vec::new();
    for page in pages() {
        for target in links(&page.text) {
            if let Err(why) = is_there(&page.path, &target) {
                wrong.push(format!("{}: {target}: {why}", page.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// All pages with links, also those of bots.
fn pages() -> Vec<Page> {
    let others = ["CHANGELOG.md", "SECURITY.md", "engine/rules/README.md", "sample-state/README.md"].map(str::to_owned);
    let bots = fs::read_dir(top().join("bots")).unwrap().map(|entry| entry.unwrap().file_name());
    let bots = bots.map(|bot| format!("bots/{}/README.md", bot.to_str().unwrap()));
    let others = others.into_iter().chain(bots).filter(|path| top().join(path).is_file());
    let others = others.map(|path| Page { text: fs::read_to_string(top().join(&path)).unwrap(), path });
    others.chain(Page::all()).collect()
}

/// The targets of links and images outside of code.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let text = prose(text);
    for (mark, end) in [("](", ')'), ("<img src=\"", '"')] {
        let targets = text.split(mark).skip(1).filter_map(|rest| rest.split(end).next());
        found.extend(targets.map(str::to_owned));
    }
    found
}

/// The text without code.
pub fn prose(text: &str) -> String {
    let outside = text.split("```").step_by(2).collect::<String>();
    outside.split('`').step_by(2).collect()
}

fn is_there(page: &str, target: &str) -> Result<(), String> {
    if target.contains("://") {
        return Ok(());
    }
    let (path, heading) = target.split_once('#').map_or((target, None), |(path, heading)| (path, Some(heading)));
    let own = top().join(page);
    let file = if path.is_empty() { own } else { own.parent().unwrap().join(path) };
    let file = file.canonicalize().map_err(|e| e.to_string())?;
    // The site has the files of docs/ only.
    if page.starts_with("docs/") && !file.starts_with(top().join("docs")) {
        return Err("is outside of docs/".to_owned());
    }
    match heading {
        Some(heading) if !headings(&file).iter().any(|known| known == heading) => Err("no such heading".to_owned()),
        _ => Ok(()),
    }
}

/// The names of the headings of a page in links, as GitHub and mdBook make them.
fn headings(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap();
    let mut seen = BTreeMap::new();
    let outside = text.split("```").step_by(2).collect::<String>();
    let titles = outside.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let name = |title: &str| {
        let kept = title.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
        let name = kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>().to_lowercase();
        let count = seen.entry(name.clone()).and_modify(|count| *count += 1).or_insert(0);
        if *count == 0 { name } else { format!("{name}-{count}") }
    };
    titles.map(name).collect()
}
