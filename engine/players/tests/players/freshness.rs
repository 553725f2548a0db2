//! Programs of bots compared with their sources.

use crate::builds::bot;
use arena::Interrupt;
use fake_bot::BotFolder;
use players::process::{Build, BuildLock, Freshness};
use players::{Manifest, Tools, content_hash};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// The file in which the engine notes what it built a bot of.
const STAMP: &str = ".broadside-build";
const MAKEFILE: &str = "bot: main.c\n\tcp main.c bot\n";

/// A bot whose program is a copy of its only source, which is made by `make`.
fn made() -> (BotFolder, Manifest) {
    bot("C", "bot", &[("main.c", "first"), ("Makefile", MAKEFILE)])
}

fn build(manifest: &Manifest) {
    Build::of(manifest, &Tools::on_path())
        .unwrap()
        .unwrap()
        .run(None, &Interrupt::new().unwrap(), &mut |_| ())
        .unwrap();
}

fn is_changed(manifest: &Manifest, file: &str) -> bool {
    Freshness::of(manifest) == Freshness::Changed { file: file.to_owned(), packages: false }
}

/// Gives the file a time so many seconds before now.
fn age(path: &Path, seconds: u64) {
    File::open(path).unwrap().set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
}

#[test]
fn a_program_that_the_engine_built_is_current_until_a_source_changes() {
    if test_tools::required("make").is_none() {
        return;
    }
    let (folder, manifest) = made();
    assert_eq!(Freshness::of(&manifest), Freshness::Current, "there is no program");
    build(&manifest);
    assert_eq!(Freshness::of(&manifest), Freshness::Current);
    let source = folder.path().join("main.c");
    fs::write(&source, "second").unwrap();
    // As a copy of an earlier version may be: make would not look at it.
    age(&source, 1000);
    assert!(is_changed(&manifest, "main.c"));
    build(&manifest);
    assert_eq!(Freshness::of(&manifest), Freshness::Current);
    assert_eq!(fs::read(folder.path().join("bot")).unwrap(), b"second");
    // The time alone is nothing.
    File::open(&source).unwrap().set_modified(SystemTime::now()).unwrap();
    assert_eq!(Freshness::of(&manifest), Freshness::Current);
}

#[test]
fn new_and_removed_sources_count_but_not_what_others_leave() {
    if test_tools::required("make").is_none() {
        return;
    }
    let (folder, manifest) = made();
    let write = |name: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "new").unwrap();
    };
    build(&manifest);
    for name in ["obj/x.c", "build/x.c", ".vscode/x.c", ".main.c.swp", "README.md", "bot.log", "notes.dat", "main.o"] {
        write(name);
    }
    for name in ["night/games.jsonl", "night/x.c", "replays/one/match.jsonl", "replays/one/faults/x.c"] {
        write(name);
    }
    fs::write(folder.path().join("bot.json"), "{}").unwrap();
    assert_eq!(Freshness::of(&manifest), Freshness::Current);
    write("sub/more.c");
    assert!(is_changed(&manifest, "sub/more.c"));
    build(&manifest);
    fs::remove_file(folder.path().join("sub/more.c")).unwrap();
    assert!(is_changed(&manifest, "sub/more.c"));
    build(&manifest);
    // It was there when the program was made, which may have it in it.
    fs::write(folder.path().join("notes.dat"), "changed").unwrap();
    assert!(is_changed(&manifest, "notes.dat"));
}

#[test]
fn a_source_that_changes_while_it_is_compiled_counts_but_not_what_the_build_makes() {
    if test_tools::required("make").is_none() {
        return;
    }
    let files = [("main.c", "first"), ("Makefile", "bot:\n\tcp main.c bot\n\techo changed >main.c\n\techo >made.c\n")];
    let (_folder, manifest) = bot("C", "bot", &files);
    build(&manifest);
    assert!(is_changed(&manifest, "main.c"));
}

#[test]
fn a_program_that_somebody_else_built_is_as_old_as_its_file() {
    if test_tools::required("make").is_none() {
        return;
    }
    let (folder, manifest) = made();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("bot"), "made by hand").unwrap();
    for name in ["main.c", "Makefile"] {
        age(&path(name), 100);
    }
    fs::write(path("notes.dat"), "newer").unwrap();
    assert_eq!(Freshness::of(&manifest), Freshness::Current);
    age(&path("bot"), 200);
    age(&path("Makefile"), 150);
    assert_eq!(Freshness::of(&manifest), Freshness::Older { file: "main.c".to_owned() });
    // The same holds for one that the engine built before.
    build(&manifest);
    fs::write(path("bot"), "made by hand again").unwrap();
    assert_eq!(Freshness::of(&manifest), Freshness::Current);
    age(&path("bot"), 100);
    fs::write(path("main.c"), "changed").unwrap();
    assert_eq!(Freshness::of(&manifest), Freshness::Older { file: "main.c".to_owned() });
}

#[test]
fn bots_without_sources_and_scripts_are_never_built_again() {
    let newer = |language: &str, run_file: &str, file: &str| {
        let (folder, manifest) = bot(language, run_file, &[(run_file, ""), (file, "")]);
        age(&folder.path().join(run_file), 1000);
        Freshness::of(&manifest)
    };
    assert_eq!(newer("Java", "bot.jar", "notes.txt"), Freshness::Current);
    assert_eq!(newer("Executable", "bot", "main.c"), Freshness::Current);
    assert_eq!(newer("Python3", "bot.py", "helper.py"), Freshness::Current);
    assert_eq!(newer("JavaScript", "bot.js", "package.json"), Freshness::Current);
    assert_eq!(newer("TypeScript", "bot.ts", "helper.ts"), Freshness::Current, "node runs it as it is");
    assert_eq!(newer("C", "bot", "main.c"), Freshness::Older { file: "main.c".to_owned() });
}

#[test]
fn packages_are_installed_again_only_if_others_are_named() {
    let package = r#"{"dependencies": {"x": "1"}, "scripts": {"build": "x"}}"#;
    let (folder, manifest) = bot("TypeScript", "bot.js", &[("bot.ts", ""), ("package.json", package)]);
    let tools = tempfile::tempdir().unwrap();
    symlink("/bin/true", tools.path().join("npm")).unwrap();
    let tools = Tools::in_folders([tools.path().to_owned()]);
    fs::write(folder.path().join("bot.js"), "").unwrap();
    let commands = |freshness: &Freshness| {
        let mut commands = Vec::new();
        let build = Build::of_changed(&manifest, &tools, freshness).unwrap().unwrap();
        build.run(None, &Interrupt::new().unwrap(), &mut |command| commands.push(command.to_owned())).unwrap();
        commands
    };
    assert_eq!(commands(&Freshness::Older { file: "bot.ts".to_owned() }), ["npm install", "npm run build"]);
    fs::write(folder.path().join("bot.ts"), "changed").unwrap();
    let changed = Freshness::of(&manifest);
    assert_eq!(changed, Freshness::Changed { file: "bot.ts".to_owned(), packages: false });
    assert_eq!(commands(&changed), ["npm run build"]);
    fs::write(folder.path().join("package.json"), package.replace('1', "2")).unwrap();
    let changed = Freshness::of(&manifest);
    assert_eq!(changed, Freshness::Changed { file: "package.json".to_owned(), packages: true });
    assert_eq!(commands(&changed), ["npm install", "npm run build"]);
}

#[test]
fn the_note_of_a_build_is_no_part_of_the_bot_and_follows_no_link() {
    if test_tools::required("make").is_none() {
        return;
    }
    let (folder, manifest) = made();
    build(&manifest);
    let path = folder.path().join(STAMP);
    let noted = content_hash(&manifest.folder, &manifest.run_path());
    fs::remove_file(&path).unwrap();
    assert_eq!(content_hash(&manifest.folder, &manifest.run_path()), noted);
    let prey = tempfile::NamedTempFile::new().unwrap();
    symlink(prey.path(), &path).unwrap();
    build(&manifest);
    assert!(fs::read(prey.path()).unwrap().is_empty() && path.symlink_metadata().unwrap().is_file());
    // What cannot be written, or read, tells nothing: then the times of files count.
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    build(&manifest);
    assert_eq!(Freshness::of(&manifest), Freshness::Current);
}

/// A folder that came from somebody else: what the engine notes must not tell of the files of whoever plays with it, nor keep it waiting.
#[test]
fn links_that_lead_out_of_a_bot_are_neither_read_nor_waited_for() {
    if test_tools::required("make").is_none() {
        return;
    }
    let (folder, manifest) = made();
    let secret = tempfile::NamedTempFile::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    symlink(secret.path(), at("secret.c")).unwrap();
    symlink(secret.path().parent().unwrap(), at("folder")).unwrap();
    symlink("/proc/kmsg", at("endless.c")).unwrap();
    (0..100).for_each(|number| symlink("/proc/kallsyms", at(&format!("long{number}.c"))).unwrap());
    symlink("main.c", at("alias.c")).unwrap();
    mknodat(CWD, at("fifo.c"), FileType::Fifo, Mode::RWXU, 0).unwrap();
    let noted = ["one", "two"].map(|text| {
        fs::write(secret.path(), text).unwrap();
        let content = content_hash(&manifest.folder, &manifest.run_path());
        build(&manifest);
        assert_eq!(Freshness::of(&manifest), Freshness::Current, "the time of the secret is not looked at");
        (fs::read_to_string(at(STAMP)).unwrap(), content.unwrap().len())
    });
    assert_eq!(noted[0], noted[1]);
    assert!(["main.c", "alias.c"].iter().all(|name| noted[0].0.contains(name)), "{}", noted[0].0);
    assert!(["secret", "endless", "long", "fifo"].iter().all(|name| !noted[0].0.contains(name)), "{}", noted[0].0);
    // A program that is a link to somebody else's file, newer than its source, leaves no stamp.
    fs::remove_file(at("bot")).unwrap();
    symlink(secret.path(), at("bot")).unwrap();
    fs::remove_file(at(STAMP)).unwrap();
    build(&manifest);
    assert!(!at(STAMP).exists());
    let program = content_hash(&manifest.folder, &manifest.run_path());
    fs::write(secret.path(), "three").unwrap();
    assert_eq!(content_hash(&manifest.folder, &manifest.run_path()), program);
}

#[test]
fn one_program_builds_a_bot_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let first = BuildLock::of(folder.path(), || panic!("nobody else has it")).unwrap();
    let mut waited = false;
    let _second = BuildLock::of(folder.path(), || {
        waited = true;
        drop(first);
    });
    assert!(waited);
}
