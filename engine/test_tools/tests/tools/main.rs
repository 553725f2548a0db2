//! The list of tools, and the search for them.
#![allow(clippy::unwrap_used, reason = "tests")]

mod layers;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use test_tools::{Machine, Search, Tool};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder with these scripts, and a machine that has only them.
fn machine(is_ci: bool, scripts: &[(&str, &str)]) -> (TempDir, Machine) {
    let folder = tempfile::tempdir().unwrap();
    for (name, script) in scripts {
        let path = folder.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let machine = Machine { folders: vec![folder.path().join("nothing"), folder.path().to_owned()], is_ci };
    (folder, machine)
}

#[test]
fn a_missing_tool_fails_under_ci_and_is_skipped_elsewhere_and_both_name_its_packages() {
    let (_folder, elsewhere) = machine(false, &[]);
    let ci = Machine { is_ci: true, ..elsewhere.clone() };
    let cases = [
        ("mosquitto_sub", "mosquitto-clients", "Debian package mosquitto-clients"),
        ("cc", "gcc libc6-dev", "Debian packages gcc libc6-dev"),
        ("nodejs", "nodejs", "Debian package nodejs"),
        ("python3:nacl", "python3-nacl", "Debian package python3-nacl"),
    ];
    for (name, packages, words) in cases {
        assert_eq!(ci.search(name), Search::Fail(format!("needs {name}: apt-get install -y {packages}")));
        assert_eq!(elsewhere.search(name), Search::Skip(format!("skipped: needs {name} ({words})")));
    }
}

#[test]
fn a_tool_is_found_under_each_of_its_names_and_only_if_it_may_be_executed() {
    for is_ci in [true, false] {
        let (folder, machine) = machine(is_ci, &[("gcc", ""), ("make", "")]);
        assert_eq!(machine.search("cc"), Search::Found(folder.path().join("gcc")));
        assert_eq!(machine.search("make"), Search::Found(folder.path().join("make")));
        fs::set_permissions(folder.path().join("make"), fs::Permissions::from_mode(0o644)).unwrap();
        assert!(!matches!(machine.search("make"), Search::Found(_)));
    }
}

#[test]
fn a_module_is_found_where_a_python_has_it() {
    let (folder, machine) = machine(true, &[("python3", "[ \"$1 $2\" = '-c import nacl' ]")]);
    assert_eq!(machine.search("python3:nacl"), Search::Found(folder.path().join("python3")));
    assert_eq!(
        machine.search("python3:ensurepip"),
        Search::Fail("needs python3:ensurepip: apt-get install -y python3-venv".to_owned())
    );
}

#[test]
fn a_package_of_npm_is_found_in_its_version_only() {
    let (folder, machine) = machine(true, &[]);
    let here = folder.path().join("lib/node_modules/axe-core");
    fs::create_dir_all(&here).unwrap();
    fs::create_dir(folder.path().join("bin")).unwrap();
    let machine = Machine { folders: vec![folder.path().join("bin")], ..machine };
    let axe = Tool::all().into_iter().find_map(|tool| tool.names[0].strip_prefix("npm:axe-core@")).unwrap();
    let name = format!("npm:axe-core@{axe}");
    let describe = |version: &str| {
        fs::write(here.join("package.json"), format!("{{\n  \"version\": \"{version}\"\n}}")).unwrap();
    };
    describe("1.0.0");
    let needed = format!("needs axe-core@{axe}: npm install --global axe-core@{axe}");
    assert_eq!(machine.search(&name), Search::Fail(needed));
    describe(axe);
    assert!(matches!(machine.search(&name), Search::Found(found) if found.ends_with("axe-core")));
}

#[test]
fn a_tool_that_the_list_does_not_have_fails_everywhere() {
    let (_folder, machine) = machine(false, &[("cobol", "")]);
    assert_eq!(machine.search("cobol"), Search::Fail("add cobol and its Debian package to .ci/tools".to_owned()));
}

#[test]
fn what_the_engine_did_not_find_is_missing_or_the_engine_is_wrong() {
    let (folder, elsewhere) = machine(false, &[("ruby", "")]);
    let ci = Machine { is_ci: true, ..elsewhere.clone() };
    let needs = |packages: &str| Search::Fail(format!("needs {packages}"));
    assert_eq!(
        ci.search_missing(&["dotnet", "msbuild", "xbuild"]),
        needs("xbuild: apt-get install -y mono-xbuild mono-mcs")
    );
    assert!(matches!(elsewhere.search_missing(&["dotnet", "msbuild", "xbuild"]), Search::Skip(_)));
    for machine in [&ci, &elsewhere] {
        let nowhere = "leaves out python2 or python2.7, which no Debian package has".to_owned();
        assert_eq!(machine.search_missing(&["python2", "python2.7"]), Search::Skip(nowhere));
        let there = format!("ruby is {}, which was not taken", folder.path().join("ruby").display());
        assert_eq!(machine.search_missing(&["ruby"]), Search::Fail(there));
    }
    let broken = "needs ruby, which does not work (it is old)";
    assert_eq!(ci.search_broken("ruby", "it is old"), Search::Fail(broken.to_owned()));
    assert_eq!(elsewhere.search_broken("ruby", "it is old"), Search::Skip(format!("skipped: {broken}")));
}

#[test]
fn each_name_is_one_tool_and_lines_are_sorted() {
    let tools = Tool::all();
    assert!(tools.len() > 20);
    assert!(tools.is_sorted_by_key(|tool| tool.names[0]), "{tools:?}");
    let names: Vec<_> = tools.iter().flat_map(|tool| &tool.names).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
}

/// The packages that `.ci/install-tools` asks for on a machine that has nothing but what the script itself is made of.
fn asked_for() -> BTreeSet<String> {
    let nothing = [("apt-cache", ""), ("apt", ""), ("dpkg", "exit 1"), ("dpkg-query", "exit 1")];
    let (folder, bare) = machine(true, &[&nothing[..], &[("apt-get", "echo \"apt-get $*\"")]].concat());
    for name in ["bash", "dirname", "grep", "head", "realpath", "sed", "sort", "tr"] {
        let program = Machine::here().folders.iter().map(|folder| folder.join(name)).find(|path| path.exists());
        std::os::unix::fs::symlink(program.unwrap(), folder.path().join(name)).unwrap();
    }
    let mut script = Command::new(folder.path().join("bash"));
    let output = script.arg(repository().join(".ci/install-tools")).env("PATH", &bare.folders[1]).output().unwrap();
    let [said, errors] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(!output.status.success() && errors.starts_with("still missing: "), "{said}{errors}");
    let install = said.lines().find_map(|line| line.strip_prefix("apt-get install ")).unwrap();
    install.split(' ').filter(|word| !word.starts_with('-')).map(str::to_owned).collect()
}

#[test]
fn every_package_that_a_test_or_a_sample_bot_needs_is_installed_before_the_tests() {
    let run = fs::read_to_string(repository().join(".ci/run")).unwrap();
    // After the tests have run without them.
    let lines = [".ci/bare cargo test --workspace ", "\n.ci/install-tools\n", "\ntimeout 45m cargo test --workspace "];
    let places = lines.map(|line| run.find(line).unwrap_or_else(|| panic!(".ci/run has no line {line:?}")));
    assert!(places.is_sorted(), "{places:?}");

    let samples = fs::read_to_string(repository().join("bots/PACKAGES")).unwrap();
    let samples = samples.lines().filter_map(|line| line.split('#').next()?.split_whitespace().next());
    // The script is a program of bash.
    let tools = Tool::all().into_iter().filter(|tool| tool.names != ["bash"]);
    let needed: BTreeSet<String> = tools.flat_map(|tool| tool.packages).chain(samples).map(str::to_owned).collect();
    assert!(needed.contains("ruby-bundler") && needed.contains("golang-go"));
    assert_eq!(asked_for(), needed);
}
