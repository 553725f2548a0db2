//! The modules of a crate: which ones use which others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Checks the layers of a crate: folders in its `src`, each with those that its modules may use besides their own. Modules are
/// named by `crate::`; those below a file of the same name belong to it. Tests and comments do not count.
///
/// # Panics
/// A module uses one of another layer, needs itself by way of others, or names one by `super`.
pub fn assert_layers(crate_folder: &str, layers: &[(&str, &[&str])]) {
    let mut modules = BTreeMap::new();
    for (layer, _) in layers {
        read(&Path::new(crate_folder).join("src").join(layer), layer, None, &mut modules);
    }
    let names: BTreeSet<&str> = modules.keys().map(String::as_str).collect();
    let used = |text: &String| named(text).iter().filter_map(|path| module_of(path, &names)).collect();
    let uses: BTreeMap<&str, BTreeSet<&str>> =
        modules.iter().map(|(module, text)| (module.as_str(), used(text))).collect();
    for (layer, below) in layers {
        let own = uses.iter().filter(|(module, _)| layer_of(module) == *layer);
        let mut imports = 0;
        for (module, others) in own {
            for other in others {
                let other_layer = layer_of(other);
                assert!(other_layer == *layer || below.contains(&other_layer), "{module} uses {other}");
                imports += 1;
            }
        }
        assert!(imports > 0, "no module of {layer} imports another one");
    }
    for module in uses.keys() {
        let ring = way(module, module, &uses, &mut BTreeSet::new());
        assert_eq!(ring, None, "{module} needs itself");
    }
}

fn layer_of(module: &str) -> &str {
    module.split_once("::").map_or(module, |(layer, _)| layer)
}

/// A way by which a module needs another one.
fn way<'a>(
    from: &'a str,
    to: &str,
    uses: &BTreeMap<&'a str, BTreeSet<&'a str>>,
    seen: &mut BTreeSet<&'a str>,
) -> Option<Vec<&'a str>> {
    for next in uses.get(from)?.iter().copied().filter(|next| *next != from) {
        if next == to {
            return Some(vec![from]);
        }
        if seen.insert(next)
            && let Some(mut way) = way(next, to, uses, seen)
        {
            way.insert(0, from);
            return Some(way);
        }
    }
    None
}

/// Reads the code in a folder. With `owner`, it belongs to that module.
fn read(folder: &Path, path: &str, owner: Option<&str>, modules: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("the folder of a layer can be read") {
        let file = entry.expect("it can be read").path();
        let name = file.file_stem().and_then(|stem| stem.to_str()).expect("a file of source has a name");
        let module = format!("{path}::{name}");
        if file.is_dir() {
            let owner = owner.or_else(|| file.with_extension("rs").is_file().then_some(module.as_str()));
            read(&file, &module, owner, modules);
        } else if file.extension().is_some_and(|extension| extension == "rs") && !["mod", "tests"].contains(&name) {
            let text = fs::read_to_string(&file).expect("a file of source can be read");
            let code = without_tests_and_comments(&text);
            let module = owner.unwrap_or(&module);
            assert!(
                owner.is_some() || !code.contains("super::"),
                "{module} names a module by `super`, which cannot be followed"
            );
            modules.entry(module.to_owned()).or_default().push_str(&code);
        }
    }
}

fn without_tests_and_comments(text: &str) -> String {
    let (code, _) = text.split_once("\n#[cfg(test)]").unwrap_or((text, ""));
    code.lines().filter(|line| !line.trim_start().starts_with("//")).flat_map(|line| [line, "\n"]).collect()
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
fn module_of<'a>(path: &str, modules: &BTreeSet<&'a str>) -> Option<&'a str> {
    let leads_into =
        |module: &str| path.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    modules.iter().copied().filter(|module| leads_into(module)).max_by_key(|module| module.len())
}
