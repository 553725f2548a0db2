//! Bots of every language, built from a tiny project and run.

use arena::Interrupt;
use arena::folder::MatchFolder;
use fake_bot::BotFolder;
use players::process::{
    Build, BuildError, BuildSandbox, Language, Launch, LaunchError, PerRound, Sandbox, Tool, log_excerpt,
};
use players::{Manifest, Tools, Transport};
use rules::{FolderMessage, Part, Seat};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// A bot's folder with these files in it.
pub fn bot(language: &str, run_file: &str, files: &[(&str, &str)]) -> (BotFolder, Manifest) {
    bot_in(language, "", run_file, files)
}

/// The same with its project in this folder.
fn bot_in(language: &str, project: &str, run_file: &str, files: &[(&str, &str)]) -> (BotFolder, Manifest) {
    let manifest = serde_json::json!({ "BotType": language, "ProjectLocation": project, "RunFile": run_file });
    let folder = BotFolder::with_manifest(&manifest.to_string(), "");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let manifest = Manifest::read(folder.path()).unwrap();
    (folder, manifest)
}

/// Makes a shell script.
fn script(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    // By another process: a file that this one has open for writing cannot be executed, also not if it is closed at once, as long
    // as a child that another test starts right now has it.
    let write = "printf '%s\\n' '#!/bin/sh' \"$1\" > \"$2\" && chmod +x \"$2\"";
    assert!(Command::new("sh").args(["-c", write, "sh", text]).arg(path).status().unwrap().success());
}

/// Builds the bot and runs it as the engine would, without a sandbox and in one: it has to print the two arguments behind its
/// name.
fn builds_and_runs(language: &str, run_file: &str, files: &[(&str, &str)]) {
    builds_and_runs_in(language, "", run_file, files);
}

/// The same without a sandbox only, for compilers that take long. In one, the bots of `bots/` are built by them (`samples.rs` of the
/// program's tests).
fn builds_and_runs_outside(language: &str, run_file: &str, files: &[(&str, &str)]) {
    build_and_run(language, "", run_file, files, None);
}

fn builds_and_runs_in(language: &str, project: &str, run_file: &str, files: &[(&str, &str)]) {
    build_and_run(language, project, run_file, files, None);
    if let Some(sandbox) = sandbox() {
        build_and_run(language, project, run_file, files, Some(&sandbox));
    }
}

/// A sandbox for builds; `None` where there is none.
fn sandbox() -> Option<BuildSandbox> {
    let sandbox = BuildSandbox::new(Sandbox::start().unwrap(), false);
    sandbox.map_err(|error| test_tools::not_allowed(&format!("builds in a sandbox: {error}"))).ok()
}

fn build_and_run(
    language: &str,
    project: &str,
    run_file: &str,
    files: &[(&str, &str)],
    sandbox: Option<&BuildSandbox>,
) {
    let (folder, manifest) = bot_in(language, project, run_file, files);
    let tools = Tools::on_path();
    let build = match Build::of(&manifest, &tools) {
        Err(BuildError::NoTool { programs, .. }) => return test_tools::missing(&programs),
        other => other.unwrap().expect("there is something to build"),
    };
    let mut commands = Vec::new();
    if let Err(error) = build.run(sandbox, &Interrupt::new().unwrap(), &mut |command| commands.push(command.to_owned()))
    {
        let said = match &error {
            BuildError::Failed { log, .. } => log_excerpt(log).unwrap().join("\n"),
            _ => String::new(),
        };
        panic!("{language}, in a sandbox: {}: {error}\n{said}", sandbox.is_some());
    }
    assert!(!commands.is_empty());
    let launch = match Launch::of(&manifest, &tools) {
        Ok(launch) => launch,
        Err(LaunchError::NoInterpreter { programs, .. }) => return test_tools::missing(&programs),
        Err(error) => panic!("{language}: {error}"),
    };
    let place = tempfile::tempdir().unwrap();
    let match_folder = Arc::new(MatchFolder::create(place.path()).unwrap());
    let round = match_folder.path().join("a round");
    let mut bot = PerRound::new(launch, match_folder, None, true, Interrupt::new().unwrap());
    let message = FolderMessage { folder: "a round".into(), line: String::new(), files: Vec::new(), answers: &[] };
    let run = bot.exchange(Seat::A, &message).unwrap().run.unwrap();
    let [said, errors] = [run.stdout, run.stderr].map(|output| String::from_utf8(output.bytes).unwrap());
    assert_eq!(said.trim(), format!("A {}", round.display()), "{language}: {errors}");
    drop(folder);
}

const C: &str = "#include <stdio.h>\nint main(int n, char **a) { printf(\"%s %s\\n\", a[1], a[2]); return n - 3; }\n";
const CMAKE: &str = "cmake_minimum_required(VERSION 3.5)\nproject(bot C CXX)\n";

#[test]
fn c_and_c_plus_plus_are_built_by_cmake_by_make_or_by_the_compiler_alone() {
    for (language, file, compiler) in [("C", "bot.c", "cc"), ("C++", "bot.cpp", "c++")] {
        if test_tools::required(compiler).is_none() {
            continue;
        }
        builds_and_runs(language, "out/bot", &[(file, C)]);
        let cmake = format!("{CMAKE}add_executable(bot {file})\n");
        builds_and_runs(language, "build/bot", &[(file, C), ("CMakeLists.txt", &cmake)]);
        let make = format!("made: {file}\n\tcc -o made {file}\n");
        builds_and_runs(language, "made", &[(file, C), ("Makefile", &make)]);
    }
}

#[test]
fn go_is_built_with_a_module_and_without() {
    let source = "package main\nimport (\"fmt\"; \"os\")\nfunc main() { fmt.Println(os.Args[1], os.Args[2]) }\n";
    builds_and_runs("Golang", "bin/bot", &[("main.go", source)]);
    builds_and_runs("go", "bot", &[("main.go", source), ("go.mod", "module bot\n\ngo 1.16\n")]);
}

#[test]
fn go_is_built_in_a_workspace_as_the_original_did() {
    let main = "package main\nimport (\"fmt\"; \"os\"; \"boat/words\")\nfunc main() { fmt.Println(words.Join(os.Args[1:])) }\n";
    let words =
        "package words\nimport \"strings\"\nfunc Join(all []string) string { return strings.Join(all, \" \") }\n";
    let files = [("src/boat/main.go", main), ("src/boat/words/words.go", words)];
    for project in ["boat", "src/boat"] {
        builds_and_runs_in("Golang", project, "bin\\boat", &files);
    }
}

#[test]
fn a_program_of_cargo_may_be_named_as_on_windows() {
    let manifest = "[package]\nname = \"bot\"\nedition = \"2024\"\n[workspace]\n";
    let source = "fn main() { let a: Vec<_> = std::env::args().collect(); println!(\"{} {}\", a[1], a[2]) }";
    // As it was built on Windows, and kept beside the source.
    let files = [("Cargo.toml", manifest), ("src/main.rs", source), ("target/release/bot.exe", "MZ")];
    builds_and_runs("Rust", "target\\release\\bot.exe", &files);
}

#[test]
fn c_sharp_with_a_list_of_packages_is_built_without_nuget() {
    let files = [("Play.cs", PLAY), ("Bot.csproj", C_SHARP_PROJECT), ("packages.config", "<packages></packages>")];
    builds_and_runs("CSharp", "bin\\Release\\Bot.exe", &files);
}

#[test]
fn the_end_of_a_log_has_no_colours() {
    let log = tempfile::NamedTempFile::new().unwrap();
    fs::write(log.path(), "[\x1b[1;31mERROR\x1b[m] no\x1b[0;1m pom\x1b[\n\x1b(done\n").unwrap();
    assert_eq!(log_excerpt(log.path()).unwrap(), ["[ERROR] no pom", "done"]);
}

#[test]
fn the_excerpt_of_a_log_begins_at_the_first_error() {
    let excerpt = |lines: &[String]| {
        let log = tempfile::NamedTempFile::new().unwrap();
        fs::write(log.path(), lines.join("\n")).unwrap();
        log_excerpt(log.path()).unwrap()
    };
    let notes = |count: usize| (1..=count).map(|at| format!("note {at}")).collect::<Vec<_>>();
    let with =
        |first: &str, after: usize| [vec!["$ gcc error.c -Werror".to_owned(), first.to_owned()], notes(after)].concat();
    for error in ["bot.c:3:1: error: no `;`", "error[E0425]: x", "[ERROR] x", "-- Error: x", "bot.c:1: fatal error: x"]
    {
        let shown = excerpt(&with(error, 22));
        assert_eq!((shown[0].as_str(), shown[19].as_str(), shown.len()), (error, "note 19", 20));
    }
    let shown = excerpt(&with("bot.c:3:1: error: no `;`", 5));
    assert_eq!(shown.len(), 7, "all of a short log");
    for none in ["cc -c src/error.c", "0 errors", "an undefined reference"] {
        let shown = excerpt(&with(none, 22));
        assert_eq!((shown[0].as_str(), shown.len()), ("note 3", 20), "{none}");
    }
}

#[test]
fn the_hint_of_a_failed_build_names_the_sandbox_only_if_it_may_be_the_cause() {
    if test_tools::required("make").is_none() {
        return;
    }
    let Some(sandbox) = sandbox() else { return };
    let failed = |said: &str| {
        let (_folder, manifest) = bot("C", "bot", &[("Makefile", &format!("all:\n\t@echo '{said}' >&2; exit 3\n"))]);
        let error = Build::of(&manifest, &Tools::on_path())
            .unwrap()
            .unwrap()
            .run(Some(&sandbox), &Interrupt::new().unwrap(), &mut |_| ())
            .unwrap_err();
        let BuildError::Failed { log, .. } = &error else { panic!("{error}") };
        fs::remove_file(log).unwrap();
        error.hint()
    };
    assert!(!failed("bot.c: error: expected `;`").contains("network"));
    for said in ["Could not resolve host: index.crates.io", "open /home/me/x: Permission denied"] {
        assert!(failed(said).contains("--build-network"), "{said}");
    }
}

#[test]
fn the_program_of_a_cargo_workspace_is_brought_into_the_bots_folder() {
    let workspace = tempfile::tempdir().unwrap();
    let bot = workspace.path().join("bots/mine");
    let files = [
        ("Cargo.toml", "[workspace]\nmembers = [\"bots/mine\"]\nresolver = \"3\"\n"),
        ("bots/mine/Cargo.toml", "[package]\nname = \"mine\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
        ("bots/mine/src/main.rs", "fn main() { println!(\"first\"); }"),
        ("bots/mine/bot.json", r#"{"BotType": "Rust", "ProjectLocation": "", "RunFile": "target/release/mine"}"#),
    ];
    for (name, text) in files {
        fs::create_dir_all(workspace.path().join(name).parent().unwrap()).unwrap();
        fs::write(workspace.path().join(name), text).unwrap();
    }
    let builds_and_says = |text: &str| {
        let manifest = Manifest::read(&bot).unwrap();
        Build::of(&manifest, &Tools::on_path())
            .unwrap()
            .unwrap()
            .run(None, &Interrupt::new().unwrap(), &mut |_| {})
            .unwrap();
        let said = Command::new(bot.join("target/release/mine")).output().unwrap();
        assert_eq!(String::from_utf8(said.stdout).unwrap().trim(), text);
    };
    builds_and_says("first");
    assert!(workspace.path().join("target/release/mine").is_file());
    // An older program is replaced. Cargo goes by the times of files, which the disk may not tell apart.
    fs::write(bot.join("src/main.rs"), "fn main() { println!(\"second\"); }").unwrap();
    let later = SystemTime::now() + Duration::from_secs(60);
    fs::File::options().write(true).open(bot.join("src/main.rs")).unwrap().set_modified(later).unwrap();
    builds_and_says("second");
}

#[test]
fn cargo_is_asked_for_the_folder_of_a_large_workspace_as_a_bot_is_started() {
    let manifest = "[package]\nname = \"mine\"\n";
    let (folder, manifest) = bot("Rust", "target/release/mine", &[("Cargo.toml", manifest), ("target/release/x", "")]);
    let target = tempfile::tempdir().unwrap();
    fs::create_dir_all(target.path().join("release")).unwrap();
    // The program is the mark by which a guardian knows the process.
    let cargo = "[ $1 = metadata ] || exit 0\n\
                 printf '{\"packages\":\"%0200000d\",\"target_directory\":\"%s\",\"version\":1}' 0 'TARGET'\n\
                 printf %s \"$BROADSIDE_RUN\" >'TARGET/release/mine'";
    let tools = tempfile::tempdir().unwrap();
    script(&tools.path().join("cargo"), &cargo.replace("TARGET", target.path().to_str().unwrap()));
    let build = Build::of(&manifest, &Tools::in_folders([tools.path().to_owned()])).unwrap().unwrap();
    build.run(None, &Interrupt::new().unwrap(), &mut |_| ()).unwrap();
    assert!(!fs::read(folder.path().join("target/release/mine")).unwrap().is_empty());
}

#[test]
fn rust_is_built_by_cargo() {
    let manifest = "[package]\nname = \"bot\"\nedition = \"2024\"\n[workspace]\n";
    let source = "fn main() { let a: Vec<_> = std::env::args().collect(); println!(\"{} {}\", a[1], a[2]) }";
    builds_and_runs("Rust", "target/release/bot", &[("Cargo.toml", manifest), ("src/main.rs", source)]);
}

const JAVA: &str = "package bots;\npublic class Play {\n  public static void main(String[] a) { System.out.println(Helper.join(a)); }\n}\n";
const JAVA_HELPER: &str =
    "package bots;\nclass Helper {\n  static String join(String[] a) { return a[0] + \" \" + a[1]; }\n}\n";

#[test]
fn java_is_built_by_javac_where_there_is_no_pom() {
    builds_and_runs_outside(
        "Java",
        "out/bot.jar",
        &[("src/bots/Play.java", JAVA), ("src/bots/Helper.java", JAVA_HELPER)],
    );
    let other = JAVA.replace("Play", "Other");
    let files = [("Play.java", JAVA), ("Other.java", &*other), ("Helper.java", JAVA_HELPER)];
    let (_folder, manifest) = bot("Java", "neither.jar", &files);
    if test_tools::required("javac").is_some() {
        let error = Build::of(&manifest, &Tools::on_path()).unwrap_err();
        assert!(matches!(error, BuildError::NoMainClass { .. }), "{error}");
        assert!(error.hint().contains("Neither"));
    }
}

#[test]
fn scala_is_built_to_a_jar_that_runs_by_itself() {
    let scala = "object Play {\n  def main(a: Array[String]): Unit = println(List(a(0), a(1)).mkString(\" \"))\n}\n";
    builds_and_runs_outside("Scala", "bot.jar", &[("Play.scala", scala)]);
}

#[test]
fn kotlin_is_built_to_a_jar_that_runs_by_itself() {
    builds_and_runs_outside(
        "Kotlin",
        "bot.jar",
        &[("Play.kt", "fun main(a: Array<String>) { println(a.joinToString(\" \")) }\n")],
    );
}

#[test]
fn c_sharp_is_built_by_mcs_where_there_is_no_project() {
    let play = "static class Play { static void Main(string[] a) { System.Console.WriteLine(Other.Join(a)); } }";
    let other = "static class Other { public static string Join(string[] a) { return string.Join(\" \", a); } }";
    builds_and_runs("C#", "bin/Debug/Bot.exe", &[("Play.cs", play), ("Sub/Other.cs", other)]);
}

const C_SHARP_PROJECT: &str = "<Project ToolsVersion=\"4.0\" DefaultTargets=\"Build\" xmlns=\"http://schemas.microsoft.com/developer/msbuild/2003\">\n\
        <PropertyGroup><OutputType>Exe</OutputType><AssemblyName>Bot</AssemblyName><RootNamespace>Bot</RootNamespace>\n\
        <OutputPath>bin\\$(Configuration)\\</OutputPath><TargetFrameworkVersion>v4.5</TargetFrameworkVersion></PropertyGroup>\n\
        <ItemGroup><Compile Include=\"Play.cs\" /></ItemGroup>\n\
        <Import Project=\"$(MSBuildToolsPath)\\Microsoft.CSharp.targets\" />\n</Project>\n";
const PLAY: &str =
    "static class Play { static void Main(string[] a) { System.Console.WriteLine(string.Join(\" \", a)); } }";

#[test]
fn c_sharp_is_built_by_its_project() {
    builds_and_runs("CSharp", "bin\\Debug\\Bot.exe", &[("Play.cs", PLAY), ("Bot.csproj", C_SHARP_PROJECT)]);
}

#[test]
fn typescript_is_built_by_its_script_or_by_tsc() {
    let source = "declare const process: any;\nconsole.log(process.argv.slice(2).join(' '));\n";
    builds_and_runs_outside("TypeScript", "out/bot.js", &[("bot.ts", source)]);
    let package = r#"{"name": "bot", "version": "1.0.0", "scripts": {"build": "cp bot.ts made.js"}}"#;
    let script = "console.log(process.argv.slice(2).join(' '));\n";
    if test_tools::required("npm").is_some() {
        builds_and_runs("TypeScript", "made.js", &[("bot.ts", script), ("package.json", package)]);
    }
}

#[test]
fn packages_of_javascript_are_installed_by_npm() {
    let package = r#"{"name": "bot", "version": "1.0.0", "dependencies": {"words": "file:words"}}"#;
    let words = r#"{"name": "words", "version": "1.0.0", "main": "words.js"}"#;
    let join = "module.exports = words => words.join(' ');\n";
    let source = "console.log(require('words')(process.argv.slice(2)));\n";
    let files =
        [("bot.js", source), ("package.json", package), ("words/package.json", words), ("words/words.js", join)];
    builds_and_runs("JavaScript", "bot.js", &files);
}

#[test]
fn packages_of_python_are_installed_into_a_folder_of_the_projects_own() {
    let source = "import sys\nassert '.broadside-venv' in sys.prefix\nprint(' '.join(sys.argv[1:]))\n";
    if test_tools::required("python3:ensurepip").is_some() {
        builds_and_runs("Python3", "bot.py", &[("bot.py", source), ("requirements.txt", "# none\n")]);
    }
}

#[test]
fn an_environment_that_pip_did_not_finish_is_removed_and_runs_no_bot() {
    if test_tools::required("python3:ensurepip").is_none() {
        return;
    }
    let files = [("bot.py", ""), ("requirements.txt", "./not-there\n")];
    let (folder, manifest) = bot("Python3", "bot.py", &files);
    let build =
        || Build::of(&manifest, &Tools::on_path()).unwrap().unwrap().run(None, &Interrupt::new().unwrap(), &mut |_| ());
    let [environment, mark] = [".broadside-venv", ".broadside-venv.unfinished"].map(|name| folder.path().join(name));
    let BuildError::Failed { log, .. } = build().unwrap_err() else { panic!("pip fails") };
    fs::remove_file(log).unwrap();
    assert!(!environment.exists() && !mark.exists());
    // As an engine leaves it that is killed meanwhile.
    fs::create_dir_all(environment.join("bin")).unwrap();
    fs::write(environment.join("half"), "").unwrap();
    symlink("/bin/true", environment.join("bin/python")).unwrap();
    let is_own = || Launch::of(&manifest, &Tools::on_path()).unwrap().program().ends_with(".broadside-venv/bin/python");
    assert!(is_own());
    fs::write(&mark, "").unwrap();
    assert!(!is_own());
    fs::write(folder.path().join("requirements.txt"), "# none\n").unwrap();
    build().unwrap();
    assert!(is_own() && !mark.exists() && !environment.join("half").exists());
    // A finished one stays, and runs the bot also while its packages are changed.
    fs::write(folder.path().join("requirements.txt"), "./not-there\n").unwrap();
    let build = Build::of(&manifest, &Tools::on_path()).unwrap().unwrap();
    let mut commands = 0;
    let failed = build.run(None, &Interrupt::new().unwrap(), &mut |_| {
        assert!(is_own());
        commands += 1;
    });
    let BuildError::Failed { log, .. } = failed.unwrap_err() else { panic!("pip fails") };
    fs::remove_file(log).unwrap();
    assert!(commands == 2 && is_own());
}

#[test]
fn packages_of_ruby_and_php_are_installed_where_their_tools_are_there() {
    let gems = [("Gemfile", "source 'https://rubygems.org'\n"), ("bot.rb", "puts ARGV.join(' ')\n")];
    // Bots in these languages are run without their packages, so that the engine takes no offence at a missing tool.
    if test_tools::required("bundle").is_some() {
        builds_and_runs("Ruby", "bot.rb", &gems);
    }
    let (_folder, manifest) = bot("Ruby", "bot.rb", &gems);
    let build = Build::of(&manifest, &Tools::in_folders([])).unwrap().unwrap();
    assert!(build.notes[0].contains("Gemfile names packages, which are not installed: there is no bundle"));
    assert!(build.run(None, &Interrupt::new().unwrap(), &mut |_| ()).is_ok(), "a script needs no more");
    if test_tools::required("composer").is_some() {
        let files = [("composer.json", "{}"), ("bot.php", "<?php echo $argv[1], ' ', $argv[2];")];
        builds_and_runs("PHP", "bot.php", &files);
    }
}

#[test]
fn a_build_that_fails_leaves_a_log_and_one_that_does_not_leaves_none() {
    if test_tools::required("make").is_none() {
        return;
    }
    let (_folder, manifest) = bot("C", "bot", &[("Makefile", "all:\n\t@seq 40; echo the end >&2; exit 3\n")]);
    let build = Build::of(&manifest, &Tools::on_path()).unwrap().unwrap();
    let error = build.run(None, &Interrupt::new().unwrap(), &mut |_| ()).unwrap_err();
    assert!(error.to_string().starts_with("make failed (ended with exit status 2)"), "{error}");
    let BuildError::Failed { log, .. } = &error else { panic!("{error}") };
    let lines = log_excerpt(log).unwrap();
    assert_eq!(lines.len(), 20);
    assert!(lines.contains(&"40".to_owned()) && lines.contains(&"the end".to_owned()), "{lines:?}");
    assert!(fs::read_to_string(log).unwrap().starts_with("$ make\n1\n2\n"));
    assert!(error.hint().contains(log.to_str().unwrap()));
    fs::remove_file(log).unwrap();
}

#[test]
fn a_build_that_leaves_no_run_file_is_an_error_that_names_it() {
    if test_tools::required("make").is_none() {
        return;
    }
    let (folder, manifest) = bot("C", "else/where", &[("Makefile", "all:\n\t@true\n")]);
    let error = Build::of(&manifest, &Tools::on_path())
        .unwrap()
        .unwrap()
        .run(None, &Interrupt::new().unwrap(), &mut |_| ())
        .unwrap_err();
    let run_file = folder.path().canonicalize().unwrap().join("else/where");
    assert!(error.to_string().contains(&format!("no RunFile {}", run_file.display())), "{error}");
}

#[test]
fn a_missing_tool_is_named_with_what_to_install() {
    let none = Tools::in_folders([]);
    let (_folder, manifest) = bot("C#", "bot.exe", &[("Bot.csproj", "")]);
    let error = Build::of(&manifest, &none).unwrap_err();
    assert!(error.to_string().starts_with("dotnet or msbuild or xbuild is needed to build the bot in"), "{error}");
    assert!(error.hint().contains("mono-xbuild") && error.hint().contains("broadside.toml"));
    let (_folder, manifest) = bot("Go", "bot", &[]);
    let error = Build::of(&manifest, &none).unwrap_err();
    assert!(error.to_string().contains("there is no go.mod or src/PACKAGE/*.go or *.go in"), "{error}");
}

#[test]
fn what_was_made_before_is_no_source_and_no_name_is_an_option() {
    let files = [("-Werror.c", C), ("build/old.c", "nonsense"), (".hidden/x.c", "nonsense")];
    builds_and_runs("C", "bot", &files);
}

#[test]
fn languages_have_names_aliases_and_the_numbers_of_the_original() {
    let called = |name: &str| Language::from_name(name).map(|language| language.name);
    for (alias, name) in [
        ("c++", "CPlusPlus"),
        ("CPP", "CPlusPlus"),
        ("C#", "CSharp"),
        ("f#", "FSharp"),
        ("go", "Golang"),
        ("Node", "JavaScript"),
        ("python", "Python3"),
        ("ts", "TypeScript"),
        ("kotlin", "Kotlin"),
        ("c", "C"),
        (" lua ", "Lua"),
        ("EXECUTABLE", "Executable"),
    ] {
        assert_eq!(called(alias), Some(name), "{alias}");
    }
    assert_eq!(called("cobol"), None);
    let mut seen = BTreeSet::new();
    for language in Language::all() {
        for name in language.aliases.iter().chain([&language.name]) {
            assert!(seen.insert(name.to_lowercase()), "{name} is one language only");
        }
    }
    let original = ["CSharp", "Java", "JavaScript", "CPlusPlus", "Python2", "Python3", "FSharp", "Golang", "Rust"];
    for (number, name) in original.into_iter().chain(["Julia", "Scala"]).enumerate() {
        assert_eq!(Language::from_number(number as u64).unwrap().name, name);
    }
    assert!(Language::from_number(11).is_none());
    assert_eq!(Language::all().len(), 18);
}

#[test]
fn every_language_is_on_the_page_about_languages_and_in_the_protocol() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let page = fs::read_to_string(docs.join("languages.md")).unwrap();
    let protocol = fs::read_to_string(docs.join("protocols/entelect-2017.md")).unwrap();
    for name in Language::names() {
        assert!(page.contains(&format!("\n| {name} | ")), "docs/languages.md lacks {name}");
        assert!(protocol.contains(&format!("`{name}` | ")), "the protocol lacks {name}");
    }
}

#[test]
fn packages_that_tests_ask_for_are_those_that_users_are_told_to_install() {
    let mut compared = 0;
    for tool in test_tools::Tool::all() {
        let told = Tool::all().iter().filter(|told| told.programs.iter().any(|name| tool.names.contains(name)));
        for told in told.filter(|told| !told.packages.is_empty()) {
            assert!(tool.packages.iter().any(|package| told.packages.contains(package)), "{tool:?}: {told:?}");
            compared += 1;
        }
    }
    assert!(compared > 15, "{compared}");
}

#[test]
fn tiny_bots_of_all_languages_that_are_installed_work() {
    let question = vec![Part { name: "state.json", bytes: b"{}".to_vec() }];
    let tools = Tools::on_path();
    let calibration = players::process::Calibration::new(question, tools.clone(), Interrupt::new().unwrap());
    let mut tried = BTreeSet::new();
    for language in Language::all() {
        for interpreter in language.interpreters() {
            if !tried.insert(interpreter.tool.programs[0]) {
                continue;
            }
            match Launch::by(interpreter, language, &tools, &std::env::temp_dir()) {
                Ok(launch) => {
                    let measured = calibration.start_up(&launch, &Ok).unwrap();
                    let compiler = if launch.program().ends_with("mono") { "mcs" } else { "true" };
                    let wanted = interpreter.tiny.is_some() && tools.find(compiler).is_some();
                    assert_eq!(measured.is_some(), wanted, "{}: {launch:?}", language.name);
                }
                Err(LaunchError::NoInterpreter { programs, .. }) => test_tools::missing(&programs),
                Err(error) => panic!("{}: {error}", language.name),
            }
        }
    }
}

#[test]
fn an_interpreter_behind_a_script_is_found_where_it_really_is() {
    let Some(real) = test_tools::required("python3") else { return };
    let asked = Command::new(real).args(["-c", "import sys; print(sys.executable)"]).output().unwrap();
    let real = String::from_utf8(asked.stdout).unwrap();
    let (folder, manifest) = bot("Python3", "bot.py", &[("bot.py", "")]);
    let shim = |text: &str| {
        script(&folder.path().join("shims/python3"), text);
        Launch::of(&manifest, &Tools::in_folders([folder.path().join("shims")]))
    };
    let launch = shim(&format!("exec '{}' \"$@\"", real.trim())).unwrap();
    assert_eq!(launch.program(), Path::new(real.trim()));
    let error = shim("echo no version is chosen >&2; exit 127").unwrap_err();
    assert!(error.to_string().contains("Python3 bots are run by python3 or python"), "{error}");
}
