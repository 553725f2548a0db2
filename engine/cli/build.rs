//! Lists the files of `bots/` and `docs/` for `src/commands/embedded.rs`, which puts them into the program. A crate that embeds
//! folders would bring regular expressions for its filter.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

/// The names, or the ends of the names, of the files of sample bots. Others are made by tools.
const OF_SAMPLES: [&str; 26] = [
    ".c",
    ".cpp",
    ".cs",
    ".gitignore",
    ".go",
    ".h",
    ".java",
    ".js",
    ".kt",
    ".lua",
    ".php",
    ".pl",
    ".py",
    ".rb",
    ".rs",
    ".scala",
    ".ts",
    "Cargo.lock",
    "Cargo.toml",
    "Makefile",
    "README.md",
    "bot.json",
    "go.mod",
    "package.json",
    "requirements.txt",
    "tsconfig.json",
];
/// The names, or the paths, that are left out: what tools make, and a sample that is part of the program.
const LEFT_OUT: [&str; 12] = [
    ".broadside-venv",
    "META-INF",
    "bin",
    "book",
    "build",
    "hunter",
    "node_modules",
    "obj",
    "target",
    "typescript/bot.js",
    "vendor",
    "venv",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Not that of the time when this program was built: the folder may have been moved since.
    let package = env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the folder of the package");
    let root = Path::new(&package).join("../..");
    let mut list = String::new();
    let is_sample = |path: &str| path.contains('/') && OF_SAMPLES.iter().any(|end| path.ends_with(end));
    add_list(&mut list, "SAMPLES: &[(&str, &[u8])]", "include_bytes", &root.join("bots"), is_sample);
    let is_page = |path: &str| path.ends_with(".md") && path != "SUMMARY.md";
    add_list(&mut list, "PAGES: &[(&str, &str)]", "include_str", &root.join("docs"), is_page);
    let out = env::var_os("OUT_DIR").expect("cargo names the folder");
    fs::write(Path::new(&out).join("embedded.rs"), list).expect("the folder of the build can be written to");
}

/// Adds a constant: the paths below `folder` of the files that are `wanted`, in order, and their content.
fn add_list(list: &mut String, constant: &str, include: &str, folder: &Path, wanted: impl Fn(&str) -> bool) {
    let folder = folder.canonicalize().expect("the sources are those of the repository");
    // Cargo looks at everything below it.
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut paths = Vec::new();
    find(&folder, "", &mut paths);
    paths.sort();
    writeln!(list, "pub(crate) const {constant} = &[").expect("memory can be written to");
    for path in paths.iter().filter(|path| wanted(path)) {
        let file = folder.join(path);
        writeln!(list, "    ({path:?}, {include}!({file:?})),").expect("memory can be written to");
    }
    list.push_str("];\n");
}

/// Finds the paths of the files in `folder`, which has the path `above` itself.
fn find(folder: &Path, above: &str, paths: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let entry = entry.expect("the folder can be read");
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = format!("{above}{name}");
        if LEFT_OUT.iter().any(|left| *left == name || *left == path) {
            continue;
        }
        match entry.file_type().expect("its kind is known") {
            kind if kind.is_dir() => find(&entry.path(), &format!("{path}/"), paths),
            kind if kind.is_file() => paths.push(path),
            _ => {}
        }
    }
}
