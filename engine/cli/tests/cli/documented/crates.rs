//! The graph of crates on the page about the architecture is that of Cargo.

use super::page::{Block, Page, What, top};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::process::Command;

/// The crates that each crate needs.
type Graph = BTreeMap<String, BTreeSet<String>>;

#[test]
fn the_drawn_graph_of_crates_is_that_of_cargo() {
    let drawn = arrows(&drawing());
    assert_eq!(drawn, without_shortcuts(&crates()), "the arrows of the graph, and those of Cargo");
}

/// The first drawing on the page.
fn drawing() -> Block {
    let page = Page::all().into_iter().find(|page| page.path == "docs/architecture.md").unwrap();
    let blocks = page.parts().unwrap().into_iter().filter_map(|part| match part.what {
        What::Block(block) => Some(block),
        What::SetUp(_) => None,
    });
    blocks.into_iter().find(|block| block.language == "mermaid").unwrap()
}

/// The arrows of a drawing, each on a line: `crate --> crate & crate`.
fn arrows(drawing: &Block) -> Graph {
    let lines = drawing.text.lines().filter_map(|line| line.trim().split_once(" --> "));
    lines.map(|(from, to)| (from.to_owned(), to.split(" & ").map(str::to_owned).collect())).collect()
}

/// The crates in `engine/`, but for those of tests, with those that each needs; each by the name of its folder.
fn crates() -> Graph {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(top());
    let metadata: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
    let engine = format!("{}/engine/", top().display());
    let folder = |package: &Value| {
        let folder = package["manifest_path"].as_str()?.strip_prefix(&engine)?.strip_suffix("/Cargo.toml")?;
        (!folder.contains('/') && folder != "test_tools").then(|| folder.to_owned())
    };
    let packages = metadata["packages"].as_array().unwrap();
    let folders: BTreeMap<&str, String> =
        packages.iter().filter_map(|package| Some((package["name"].as_str()?, folder(package)?))).collect();
    let needs = |package: &Value| {
        let needs = package["dependencies"].as_array().unwrap().iter().filter(|needed| needed["kind"].is_null());
        needs.filter_map(|needed| folders.get(needed["name"].as_str()?).cloned()).collect()
    };
    packages.iter().filter_map(|package| Some((folder(package)?, needs(package)))).collect()
}

/// The same graph without the arrows that lead where a longer way leads as well.
fn without_shortcuts(graph: &Graph) -> Graph {
    let is_direct = |from: &str, to: &str| {
        let others = graph[from].iter().filter(|other| *other != to);
        !others.into_iter().any(|other| leads(graph, other, to))
    };
    let direct = |(from, to): (&String, &BTreeSet<String>)| {
        (from.clone(), to.iter().filter(|to| is_direct(from, to)).cloned().collect::<BTreeSet<_>>())
    };
    graph.iter().map(direct).filter(|(_, to)| !to.is_empty()).collect()
}

fn leads(graph: &Graph, from: &str, to: &str) -> bool {
    from == to || graph[from].iter().any(|next| leads(graph, next, to))
}
