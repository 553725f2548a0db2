//! Builds in the sandbox that need packages, each from a registry on loopback that the test makes and the user's settings name:
//! as the user who runs the tests, and as an ordinary one if that is root.

use crate::http_server::{Server, request};
use crate::zoo::cage;
use predicates::prelude::*;
use predicates::str::contains;
use sha2::{Digest, Sha256};
use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;
use walkdir::WalkDir;

/// The number of an ordinary user, and the beginning of a command that runs as this user.
const NOBODY: u32 = 65534;
const AS_NOBODY: [&str; 3] = ["--reuid=65534", "--regid=65534", "--clear-groups"];

/// A package `words` in a registry, a bot that asks for it, and the settings by which its user reaches the registry.
struct Case {
    /// The tool, and the arguments with which it ends with status 0 if a user has it.
    tool: (&'static str, &'static [&'static str]),
    /// The files of the registry by their paths. `ADDRESS` in them is replaced by the address of the registry.
    registry: Vec<(String, Vec<u8>)>,
    language: &'static str,
    run_file: &'static str,
    /// The files of the bot. `LOOK` in them is replaced by [`LOOK`].
    bot: &'static [(&'static str, &'static str)],
    /// The settings in the user's home, with a name and a password, and with a token.
    settings: &'static [(&'static str, &'static str)],
    /// The file of the package that the build brings, or one that it makes with it: the end of its path.
    brought: &'static str,
}

/// A command of the shell, run in the bot's folder by each build, that writes down what the build has of its user: the variables,
/// and the lines with a secret in its own home and in that of the user. The secret of all settings is `hunter2`.
const LOOK: &str = "(env; grep -ars hunter[2] ~ ..) >seen; true";

/// A server of these files, and the requests that it got.
fn serve(files: Vec<(String, Vec<u8>)>) -> (Server, Arc<Mutex<Vec<String>>>) {
    let requests = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&requests);
    let server = Server::new(move |visit| {
        let address = visit.stream.local_addr().unwrap().to_string();
        while let Some(request) = request(&mut visit.stream) {
            let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
            heard.lock().unwrap().push(request);
            let found = files.iter().find(|(name, _)| *name == path);
            let body = found.map(|(_, body)| match std::str::from_utf8(body) {
                Ok(text) => text.replace("ADDRESS", &address).into_bytes(),
                Err(_) => body.clone(),
            });
            let (status, body) = body.map_or(("404 Not Found", Vec::new()), |body| ("200 OK", body));
            let kind = if body.starts_with(b"<") { "text/html" } else { "application/octet-stream" };
            let head = format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n", body.len());
            if !visit.say(&[head.as_bytes(), &body].concat()) {
                return;
            }
        }
    });
    (server, requests)
}

/// Writes files into a folder, with the address of a registry and [`LOOK`] in them.
fn write(folder: &Path, files: &[(&str, &str)], address: &str) {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text.replace("ADDRESS", address).replace("LOOK", LOOK)).unwrap();
    }
}

/// What a tool makes of these files.
fn made(tool: &Path, arguments: &[&str], files: &[(&str, &str)], result: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), files, "");
    let ran = Command::new(tool).args(arguments).current_dir(folder.path()).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    fs::read(folder.path().join(result)).unwrap()
}

/// The program as this user, in its home, without any setting of whoever runs the tests.
fn program(user: Option<u32>, home: &Path) -> assert_cmd::Command {
    let mut command = match user {
        None => assert_cmd::Command::cargo_bin("broadside").unwrap(),
        Some(_) => {
            let mut command = assert_cmd::Command::new("setpriv");
            command.args(AS_NOBODY).arg(home.join("broadside"));
            command
        }
    };
    // Programs and toolchains are found as by the tests, but by nothing else of their environment.
    let variable = |name: &str| std::env::var_os(name);
    let toolchains = variable("RUSTUP_HOME")
        .unwrap_or_else(|| Path::new(&variable("HOME").unwrap_or_default()).join(".rustup").into_os_string());
    command.current_dir(home).env_clear().env("HOME", home).env("TMPDIR", home).env("RUSTUP_HOME", toolchains);
    for name in ["PATH", "PYENV_ROOT", "RUSTUP_TOOLCHAIN"] {
        command.envs(variable(name).map(|value| (name, value)));
    }
    // Java takes the home from the list of users.
    command.env("JAVA_TOOL_OPTIONS", format!("-Duser.home=\"{}\"", home.display()));
    command
}

/// True if the tool works for this user.
fn is_there(user: Option<u32>, (program, arguments): (&str, &[&str])) -> bool {
    let mut command = match user {
        None => Command::new(program),
        Some(_) => {
            let mut command = Command::new("setpriv");
            // Found by a process of that user: not all folders of the PATH are open to it.
            command.args(AS_NOBODY).args(["sh", "-c", "exec \"$0\" \"$@\"", program]);
            command
        }
    };
    let works = command.args(arguments).current_dir("/").output().is_ok_and(|ran| ran.status.success());
    if !works {
        test_tools::not_allowed(&format!("an ordinary user to use {program}"));
    }
    works
}

fn builds(case: &Case) {
    if !cage::has_sandbox() {
        return test_tools::not_allowed("a strict sandbox");
    }
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0 && test_tools::required("setpriv").is_some();
    let users = [None].into_iter().chain(is_root.then_some(Some(NOBODY)));
    for user in users {
        if is_there(user, case.tool) {
            builds_as(case, user);
        }
    }
}

fn builds_as(case: &Case, user: Option<u32>) {
    let (server, requests) = serve(case.registry.clone());
    let home: TempDir = tempfile::Builder::new().prefix("a home ").tempdir().unwrap();
    let (home, bot) = (home.path(), home.path().join("bot"));
    write(home, case.settings, &server.address.to_string());
    write(&bot, case.bot, &server.address.to_string());
    let manifest = serde_json::json!({ "BotType": case.language, "RunFile": case.run_file });
    fs::write(bot.join("bot.json"), manifest.to_string()).unwrap();
    if let Some(user) = user {
        fs::copy(assert_cmd::cargo::cargo_bin!("broadside"), home.join("broadside")).unwrap();
        let entries = WalkDir::new(home).into_iter().map(Result::unwrap);
        entries.for_each(|entry| chown(entry.path(), Some(user), Some(user)).unwrap());
    }
    let brought = || -> Vec<PathBuf> {
        let paths = WalkDir::new(&bot).into_iter().flatten().map(walkdir::DirEntry::into_path);
        paths.filter(|path| path.ends_with(case.brought)).collect()
    };
    // Without a network it says how to have one, and leaves nothing half-made.
    let mut check = program(user, home);
    check.args(["check", "bot", "-s", "1", "-f", "--calibration", "off", "--sandbox", "strict"]);
    check.assert().code(3).stderr(contains("--build-network opens networks"));
    assert!(requests.lock().unwrap().is_empty() && brought().is_empty() && !bot.join(".broadside-venv").exists());
    // Each build takes seconds of a processor. The sandbox of builds is the same at the levels on and strict.
    let levels = if user.is_none() { &["on", "off"][..] } else { &["strict"] };
    for &level in levels {
        let mut check = program(user, home);
        check.args(["check", "bot", "-s", "1", "-f", "--calibration", "off", "--build-network", "--sandbox", level]);
        let done = check.output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        // The bot places no ships.
        assert!(done.status.code() == Some(4) && said.contains("Built "), "{}, {user:?}: {said}", case.language);
        assert_eq!(brought().len(), 1, "{said}");
        let seen = String::from_utf8_lossy(&fs::read(bot.join("seen")).unwrap()).into_owned();
        fs::remove_file(bot.join("seen")).unwrap();
        assert!(seen.contains("HOME="), "{seen}");
        // Only without a sandbox a build has the secrets of its user.
        assert_eq!(seen.contains("hunter2"), level == "off", "{}, {level}, {user:?}: {seen}", case.language);
        let requests = requests.lock().unwrap();
        assert!(!requests.is_empty(), "{said}");
        let has_sent = requests.iter().any(|request| request.to_lowercase().contains("authorization:"));
        assert!(level == "off" || !has_sent, "secrets do not reach a build: {requests:?}");
    }
    if user.is_some() {
        return;
    }
    // A registry that is gone is no reason to open networks that are open already.
    drop(server);
    let _ = fs::remove_dir_all(home.join(".cache"));
    ["node_modules", "target", ".broadside-venv"].iter().for_each(|made| drop(fs::remove_dir_all(bot.join(made))));
    let mut check = program(user, home);
    check.args(["check", "bot", "-s", "1", "-f", "--build-network", "--sandbox", "strict"]);
    check.env("npm_config_fetch_retries", "0").env("PIP_RETRIES", "0").env("CARGO_NET_RETRY", "0");
    check.assert().code(3).stderr(contains("hint: ").and(contains("--build-network").not()));
    assert!(!bot.join(".broadside-venv").exists());
}

/// A package in the bot's folder, which pip builds by this program.
const LOOK_PACKAGE: &str = "import subprocess, zipfile\n\
    def build_wheel(folder, settings=None, metadata=None):\n    subprocess.run('LOOK', shell=True, cwd='..')\n    \
    with zipfile.ZipFile(folder + '/look-1-py3-none-any.whl', 'w') as wheel:\n        \
    wheel.writestr('look-1.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: look\\nVersion: 1\\n')\n        \
    wheel.writestr('look-1.dist-info/WHEEL', 'Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')\n        \
    wheel.writestr('look-1.dist-info/RECORD', '')\n    return 'look-1-py3-none-any.whl'\n";

#[test]
fn pip_installs_a_requirement_of_an_index_that_pips_settings_name() {
    let Some(python) = test_tools::required("python3:ensurepip") else { return };
    let zip = "import zipfile\n\
               with zipfile.ZipFile('words.whl', 'w') as wheel:\n    wheel.writestr('words.py', 'TEXT = 1\\n')\n    \
               wheel.writestr('words-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: words\\nVersion: 1.0\\n')\n    \
               wheel.writestr('words-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')\n    \
               wheel.writestr('words-1.0.dist-info/RECORD', '')\n";
    let wheel = made(&python, &["-c", zip], &[], "words.whl");
    let page = "<!DOCTYPE html><html><body><a href=\"/words-1.0-py3-none-any.whl\">words-1.0-py3-none-any.whl</a></body></html>";
    builds(&Case {
        tool: ("python3", &["-c", "import ensurepip"]),
        registry: vec![("/simple/words/".to_owned(), page.into()), ("/words-1.0-py3-none-any.whl".to_owned(), wheel)],
        language: "Python3",
        run_file: "bot.py",
        bot: &[
            ("bot.py", "import words\n"),
            ("requirements.txt", "words==1.0\n./look\n"),
            ("look/pyproject.toml", "[build-system]\nrequires = []\nbuild-backend = 'look'\nbackend-path = ['.']\n"),
            ("look/look.py", LOOK_PACKAGE),
        ],
        settings: &[(".config/pip/pip.conf", "[global]\nindex-url = http://me:hunter2@ADDRESS/simple\n")],
        brought: "site-packages/words.py",
    });
}

const NPM_PROJECT: &str = r#"{"dependencies": {"words": "1.0.0"}, "scripts": {"postinstall": "LOOK"}}"#;

#[test]
fn npm_installs_a_dependency_of_a_registry_that_npmrc_names() {
    let Some(npm) = test_tools::required("npm") else { return };
    let package = [("package.json", r#"{"name": "words", "version": "1.0.0"}"#), ("index.js", "module.exports = 1;\n")];
    let tarball = made(&npm, &["pack", "--offline"], &package, "words-1.0.0.tgz");
    let version = r#"{"name": "words", "version": "1.0.0", "dist": {"tarball": "http://ADDRESS/words-1.0.0.tgz"}}"#;
    let document =
        format!(r#"{{"name": "words", "dist-tags": {{"latest": "1.0.0"}}, "versions": {{"1.0.0": {version}}}}}"#);
    builds(&Case {
        tool: ("npm", &["--version"]),
        registry: vec![("/words".to_owned(), document.into()), ("/words-1.0.0.tgz".to_owned(), tarball)],
        language: "JavaScript",
        run_file: "bot.js",
        bot: &[("bot.js", "require('words');\n"), ("package.json", NPM_PROJECT)],
        settings: &[(".npmrc", "registry=http://ADDRESS/\n//ADDRESS/:_authToken=hunter2\n")],
        brought: "node_modules/words/index.js",
    });
}

#[test]
fn cargo_builds_with_a_crate_of_a_registry_that_its_settings_put_in_the_place_of_crates_io() {
    let manifest = "[package]\nname = \"words\"\nversion = \"1.0.0\"\nedition = \"2021\"\nlicense = \"MIT\"\ndescription = \"x\"\n[workspace]\n";
    let arguments = ["package", "--offline", "--no-verify", "--allow-dirty", "--target-dir", "target"];
    let files = [("Cargo.toml", manifest), ("src/lib.rs", "pub const TEXT: &str = \"\";\n")];
    let archive = made(Path::new(env!("CARGO")), &arguments, &files, "target/package/words-1.0.0.crate");
    let checksum: String = Sha256::digest(&archive).iter().map(|byte| format!("{byte:02x}")).collect();
    let line = format!(
        "{{\"name\": \"words\", \"vers\": \"1.0.0\", \"deps\": [], \"cksum\": \"{checksum}\", \"features\": {{}}, \"yanked\": false}}\n"
    );
    builds(&Case {
        tool: ("cargo", &["--version"]),
        registry: vec![
            ("/index/config.json".to_owned(), r#"{"dl": "http://ADDRESS/dl"}"#.into()),
            ("/index/wo/rd/words".to_owned(), line.into()),
            ("/dl/words/1.0.0/download".to_owned(), archive),
        ],
        language: "Rust",
        run_file: "target/release/bot",
        bot: &[
            (
                "Cargo.toml",
                "[package]\nname = \"bot\"\nedition = \"2021\"\n[dependencies]\nwords = \"1\"\n[workspace]\n",
            ),
            ("src/main.rs", "fn main() { print!(\"{}\", words::TEXT) }\n"),
            // Runs in each build: the file is not there.
            (
                "build.rs",
                "fn main() {\n    println!(\"cargo:rerun-if-changed=seen\");\n    \
                 std::process::Command::new(\"sh\").args([\"-c\", \"LOOK\"]).status().unwrap();\n}\n",
            ),
        ],
        settings: &[
            (
                ".cargo/config.toml",
                "[source.crates-io]\nreplace-with = \"near\"\n[source.near]\nregistry = \"sparse+http://ADDRESS/index/\"\n",
            ),
            (".cargo/credentials.toml", "[registry]\ntoken = \"hunter2\"\n"),
        ],
        brought: "target/release/bot",
    });
}

const MOJO: &str = "package take;\nimport java.nio.file.*;\nimport org.apache.maven.artifact.Artifact;\n\
    import org.apache.maven.plugin.*;\npublic class Take extends AbstractMojo {\n    java.util.Set<Artifact> jars;\n    \
    public void execute() throws MojoExecutionException {\n        try {\n            \
    new ProcessBuilder(\"sh\", \"-c\", \"LOOK\").start().waitFor();\n            Files.createDirectories(Paths.get(\"target\"));\n            \
    for (Artifact jar : jars) Files.copy(jar.getFile().toPath(), Paths.get(\"target/bot.jar\"), StandardCopyOption.REPLACE_EXISTING);\n        \
    } catch (java.io.IOException | InterruptedException e) {\n            throw new MojoExecutionException(e.toString(), e);\n        }\n    }\n}\n";
const MOJO_DESCRIPTION: &str = "<plugin><groupId>x</groupId><artifactId>take-maven-plugin</artifactId><version>1</version>\
    <goalPrefix>take</goalPrefix><mojos><mojo><goal>take</goal><phase>package</phase><requiresProject>true</requiresProject>\
    <requiresDependencyResolution>runtime</requiresDependencyResolution><implementation>take.Take</implementation>\
    <language>java</language><instantiationStrategy>per-lookup</instantiationStrategy><parameters><parameter><name>jars</name><type>java.util.Set</type></parameter></parameters>\
    <configuration><jars implementation=\"java.util.Set\" default-value=\"${project.artifacts}\"/></configuration></mojo></mojos></plugin>";
const POM: &str = "<project><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>bot</artifactId><version>1</version>\
    <packaging>pom</packaging><dependencies><dependency><groupId>x</groupId><artifactId>words</artifactId><version>1</version>\
    </dependency></dependencies><build><plugins><plugin><groupId>x</groupId><artifactId>take-maven-plugin</artifactId>\
    <version>1</version><executions><execution><goals><goal>take</goal></goals></execution></executions></plugin></plugins></build></project>";

const PLEXUS: &str = "/m2/org/codehaus/plexus/plexus-utils/1.1/plexus-utils-1.1";

/// The usual plugins are a hundred files: this build has one of its own, which takes the library as the program.
#[test]
fn maven_builds_with_a_library_and_a_plugin_of_a_mirror_that_its_settings_name() {
    let tools = ["mvn", "javac", "jar"].map(test_tools::required);
    let [Some(maven), Some(javac), Some(jar)] = tools else { return };
    let libraries = maven.canonicalize().unwrap().parent().unwrap().join("../lib/*");
    let build = format!(
        "'{}' -cp '{}' -d out Take.java && '{}' cf take.jar -C out .",
        javac.display(),
        libraries.display(),
        jar.display()
    );
    let files = [("Take.java", MOJO), ("out/META-INF/maven/plugin.xml", MOJO_DESCRIPTION)];
    let plugin = made(Path::new("/bin/sh"), &["-c", &build], &files, "take.jar");
    let library = made(&jar, &["cf", "words.jar", "words"], &[("words", "")], "words.jar");
    let pom = |name: &str, kind: &str| -> Vec<u8> {
        format!(
            "<project><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>{name}</artifactId>\
             <version>1</version><packaging>{kind}</packaging></project>"
        )
        .into()
    };
    let path = |name: &str, end: &str| format!("/m2/x/{name}/1/{name}-1.{end}");
    builds(&Case {
        tool: ("mvn", &["--version"]),
        registry: vec![
            (path("take-maven-plugin", "pom"), pom("take-maven-plugin", "maven-plugin")),
            (path("take-maven-plugin", "jar"), plugin),
            (path("words", "pom"), pom("words", "jar")),
            (path("words", "jar"), library.clone()),
            // Maven adds it to each plugin that does not name it.
            (format!("{PLEXUS}.pom"), pom("plexus-utils", "jar")),
            (format!("{PLEXUS}.jar"), library),
        ],
        language: "Java",
        run_file: "target/bot.jar",
        bot: &[("pom.xml", POM)],
        settings: &[(
            ".m2/settings.xml",
            "<settings><servers><server><id>near</id><username>me</username><password>hunter2</password></server></servers>\
             <mirrors><mirror><id>near</id><mirrorOf>*</mirrorOf><url>http://ADDRESS/m2</url></mirror></mirrors></settings>",
        )],
        brought: "target/bot.jar",
    });
}
