//! The layers of the source: which modules may use which others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The layers, the lowest first. A file uses those below it and its own.
const LAYERS: [&str; 5] = ["state", "matches", "teams", "http", "pages"];
type Uses = BTreeMap<String, BTreeSet<String>>;

#[test]
fn layers_use_those_below_them_only() {
    let uses = uses();
    assert!(uses.values().flatten().count() > 100, "the imports are found: {uses:?}");
    let layer = |module: &str| LAYERS.iter().position(|layer| module.starts_with(&format!("{layer}::")));
    for (module, used) in &uses {
        for other in used {
            assert!(layer(other) <= layer(module), "{module} uses {other}");
        }
    }
}

#[test]
fn no_module_needs_itself() {
    let example =
        [("a", "b"), ("b", "c"), ("c", "a")].map(|(module, used)| (module.to_owned(), [used.to_owned()].into()));
    assert_eq!(way_back("b", "b", &example.into(), &mut BTreeSet::new()), Some(vec!["b", "c", "a"]));
    let uses = uses();
    for module in uses.keys() {
        assert_eq!(way_back(module, module, &uses, &mut BTreeSet::new()), None);
    }
}

/// A way by which the module `from` needs `to`.
fn way_back<'a>(from: &'a str, to: &str, uses: &'a Uses, seen: &mut BTreeSet<&'a str>) -> Option<Vec<&'a str>> {
    for next in uses.get(from)? {
        if next == to {
            return Some(vec![from]);
        }
        if seen.insert(next)
            && let Some(mut way) = way_back(next, to, uses, seen)
        {
            way.insert(0, from);
            return Some(way);
        }
    }
    None
}

/// The modules in `src` with those that they name by `crate::`, without tests and comments. Modules of a layer are named so, too.
fn uses() -> Uses {
    let mut texts = BTreeMap::new();
    for layer in LAYERS {
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(layer), layer, &mut texts);
    }
    let modules: BTreeSet<String> = texts.keys().cloned().collect();
    let of_text = |text: &String| named(text).into_iter().filter_map(|path| module_of(&path, &modules)).collect();
    texts.iter().map(|(module, text)| (module.clone(), of_text(text))).collect()
}

fn read(folder: &Path, path: &str, texts: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let module = format!("{path}::{name}");
        if file.is_dir() {
            read(&file, &module, texts);
        } else if name != "mod" && name != "tests" {
            let text = fs::read_to_string(&file).unwrap();
            let (code, _) = text.split_once("\n#[cfg(test)]").unwrap_or((&text, ""));
            let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            let code: String = lines.collect::<Vec<_>>().join("\n");
            assert!(!code.contains("super::"), "{module} names a module by `super`, which this test does not follow");
            texts.insert(module, code);
        }
    }
}

/// The paths behind `crate::` in a text, with one path for each name in braces.
fn named(text: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for rest in text.split("crate::").skip(1) {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(rest.len());
        let (path, behind) = rest.split_at(end);
        match behind.strip_prefix('{').and_then(|names| names.split_once('}')) {
            Some((names, _)) => paths.extend(names.split(',').map(|name| format!("{path}{}", name.trim()))),
            None => paths.push(path.to_owned()),
        }
    }
    paths
}

/// The module that a path leads to or into.
fn module_of(path: &str, modules: &BTreeSet<String>) -> Option<String> {
    modules.iter().filter(|module| path == *module || path.starts_with(&format!("{module}::"))).max().cloned()
}
