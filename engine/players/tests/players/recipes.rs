//! The commands that build each kind of project, with tools that only pretend.

use arena::Interrupt;
use fake_bot::BotFolder;
use players::process::Build;
use players::{Manifest, Tools};
use std::fs;
use std::os::unix::fs::symlink;
use tempfile::TempDir;

/// Tools that do nothing and succeed.
fn pretenders(names: &[&str]) -> (TempDir, Tools) {
    let folder = tempfile::tempdir().unwrap();
    for name in names {
        symlink("/bin/true", folder.path().join(name)).unwrap();
    }
    let tools = Tools::in_folders([folder.path().to_owned()]);
    (folder, tools)
}

/// The commands for a bot whose project has these files (empty unless a text follows after `=`), as `tools` allow.
/// The RunFile is there already, and the bot's folder stands in the commands as `~`.
fn commands(language: &str, run_file: &str, files: &str, tools: &[&str]) -> Vec<String> {
    let manifest = serde_json::json!({ "BotType": language, "ProjectLocation": "", "RunFile": run_file });
    let bot = BotFolder::with_manifest(&manifest.to_string(), "");
    for file in files.split(' ').chain([run_file]) {
        let (name, text) = file.split_once('=').unwrap_or((file, ""));
        let path = bot.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let (_folder, tools) = pretenders(tools);
    let manifest = Manifest::read(bot.path()).unwrap();
    let Some(build) = Build::of(&manifest, &tools).unwrap() else { return Vec::new() };
    let mut commands = Vec::new();
    build
        .run(None, &Interrupt::new().unwrap(), &mut |command| {
            commands.push(command.replace(manifest.folder.to_str().unwrap(), "~"));
        })
        .unwrap();
    commands
}

#[test]
fn maven_builds_what_has_a_pom() {
    for language in ["Java", "Scala", "Kotlin"] {
        assert_eq!(commands(language, "target/b.jar", "pom.xml src/B.java", &["mvn", "javac"]), ["mvn -q -B package"]);
    }
}

#[test]
fn dotnet_comes_before_msbuild_and_that_before_xbuild() {
    let build = |run_file: &str, tools: &[&str]| commands("CSharp", run_file, "B.csproj B.sln x.cs", tools);
    let all = ["dotnet", "msbuild", "xbuild", "mcs"];
    assert_eq!(build("bin/debug/B.exe", &all), ["dotnet build --configuration Debug --nologo ./B.sln"]);
    assert_eq!(build("bin/B.exe", &all[1..]), ["msbuild /p:Configuration=Release ./B.sln"]);
    let xbuild = "xbuild /p:Configuration=Release /p:NoCompilerStandardLib=false ./B.sln";
    assert_eq!(build("bin/B.exe", &all[2..]), [xbuild]);
    assert_eq!(commands("FSharp", "b.exe", "b.fs", &["fsharpc"]), ["fsharpc -O --out:~/b.exe ./b.fs"]);
}

#[test]
fn nuget_restores_each_list_of_packages_before_the_build() {
    let files = "B.sln One/packages.config Two/packages.config nuget.exe";
    let restore = |tool: &str, folder: &str| format!("{tool} restore ./{folder}/packages.config -SolutionDirectory .");
    for (tool, installed) in [("nuget", "nuget"), ("mono nuget.exe", "mono")] {
        let commands = commands("C#", "B.exe", files, &["msbuild", installed]);
        assert_eq!(commands[..2], [restore(tool, "One"), restore(tool, "Two")]);
        assert!(commands[2].starts_with("msbuild "));
    }
}

#[test]
fn a_build_goes_on_without_nuget() {
    let files = "B.sln packages.config";
    let commands = commands("C#", "B.exe", files, &["xbuild", "mono"]);
    assert_eq!(commands, ["xbuild /p:Configuration=Release /p:NoCompilerStandardLib=false ./B.sln"]);
}

#[test]
fn maven_makes_one_jar_of_everything_if_the_pom_names_the_plugin() {
    let files = "pom.xml=<artifactId>maven-assembly-plugin</artifactId>";
    let package = ["mvn -q -B package", "mvn -q -B package assembly:single"];
    assert_eq!(commands("Java", "target/b-jar-with-dependencies.jar", files, &["mvn"]), package);
}

#[test]
fn npm_installs_what_is_asked_for_as_it_is_locked() {
    let package = "package.json={\"dependencies\":{\"a\":\"1\"}}";
    assert_eq!(commands("JavaScript", "b.js", package, &["npm"]), ["npm install"]);
    assert_eq!(commands("JavaScript", "b.js", &format!("{package} package-lock.json"), &["npm"]), ["npm ci"]);
    assert_eq!(commands("JavaScript", "b.js", "package.json={\"dependencies\":{}}", &[]), [""; 0]);
    let script = "package.json={\"devDependencies\":{\"a\":\"1\"},\"scripts\":{\"build\":\"x\"}} b.ts";
    assert_eq!(commands("TypeScript", "b.js", script, &["npm", "tsc"]), ["npm install", "npm run build"]);
    let script = "package.json={\"scripts\":{\"build\":\"x\"}} b.ts";
    assert_eq!(commands("TypeScript", "b.js", script, &["tsc"]), ["tsc"]);
    assert_eq!(commands("TypeScript", "b.js", "tsconfig.json b.ts", &["npm", "tsc"]), ["tsc"]);
}

#[test]
fn packages_of_ruby_and_php_lie_in_the_project() {
    assert_eq!(
        commands("Ruby", "b.rb", "Gemfile", &["bundle"]),
        ["bundle config set --local path vendor", "bundle install"]
    );
    assert_eq!(commands("PHP", "b.php", "composer.json", &["composer"]), ["composer install --no-interaction"]);
}

#[test]
fn the_first_kind_of_project_counts() {
    let all = ["cmake", "make", "cc", "c++"];
    let cmake = ["cmake -S . -B build -DCMAKE_BUILD_TYPE=Release", "cmake --build build"];
    assert_eq!(commands("C", "b", "CMakeLists.txt Makefile b.c", &all), cmake);
    assert_eq!(commands("C++", "b", "Makefile b.cpp", &all), ["make"]);
    assert_eq!(commands("C++", "b", "b.cpp a.cc", &all), ["c++ -O2 -o ~/b ./b.cpp ./a.cc"]);
    assert_eq!(commands("Executable", "b", "Makefile", &all), [""; 0], "any program is built by whoever knows it");
}
