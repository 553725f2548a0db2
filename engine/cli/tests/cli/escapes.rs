//! Ways out of the sandbox that lead through the files of a bot: nothing of a bot's folder runs outside of it, and a bot
//! cannot choose what the sandbox opens.

use crate::table::broadside;
use crate::zoo::cage;
use fake_bot::{BotFolder, PLAYS};
use predicates::prelude::*;
use predicates::str::contains;
use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use walkdir::WalkDir;

const OTHER: &str = "builtin:random";

/// A bot with this bot.json and no files besides it and a script.
fn bot(bot_type: &str, run_file: &Path) -> BotFolder {
    let manifest = serde_json::json!({ "BotType": bot_type, "ProjectLocation": "", "RunFile": run_file });
    BotFolder::with_manifest(&manifest.to_string(), PLAYS)
}

fn program(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// The commands that play bots, each in a folder of its own, with this level of the sandbox.
fn commands(level: &str, bot: &Path) -> Vec<(TempDir, assert_cmd::Command)> {
    let lines: [&[&str]; 3] = [
        &["-s", "1", "-l", "out", "-b", "BOT", OTHER],
        &["tournament", "-g", "2", "--dir", "out", "-b", "BOT", OTHER],
        &["check", "BOT"],
    ];
    let command = |line: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let mut command = broadside();
        let arguments = line.iter().map(|one| if *one == "BOT" { bot.into() } else { PathBuf::from(one) });
        command.current_dir(folder.path()).args(arguments).args(["--sandbox", level]);
        (folder, command)
    };
    lines.into_iter().map(command).collect()
}

/// True if a process with this command line runs.
fn is_running(line: &[&str]) -> bool {
    let line: String = line.iter().map(|word| format!("{word}\0")).collect();
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|process| process.path().join("cmdline"));
    processes.into_iter().any(|path| fs::read(path).is_ok_and(|found| found == line.as_bytes()))
}

fn has_strict_sandbox() -> bool {
    let has = cage::has_sandbox();
    if !has {
        test_tools::not_allowed("a strict sandbox");
    }
    has
}

/// True if this machine lets us play where namespaces are refused. If not, that part of the test is skipped.
fn can_refuse_namespaces() -> bool {
    let can = cage::can_refuse_namespaces();
    if !can {
        test_tools::not_allowed("a user without namespaces");
    }
    can
}

#[test]
fn an_interpreter_that_a_bot_brings_is_run_in_the_sandbox_only() {
    if test_tools::required("python3").is_none() || !has_strict_sandbox() {
        return;
    }
    for level in ["on", "strict"] {
        let target = tempfile::tempdir().unwrap();
        let stolen = target.path().join("stolen");
        let bot = bot("Python3", Path::new("bot.py"));
        fs::write(bot.path().join("bot.py"), "").unwrap();
        let script = format!("#!/bin/sh\necho it ran\necho free > '{}'\n", stolen.display());
        program(&bot.path().join(".broadside-venv/bin/python"), &script);
        for (nth, ((folder, mut command), code)) in commands(level, bot.path()).into_iter().zip([0, 0, 4]).enumerate() {
            command.assert().code(code);
            assert!(!stolen.exists(), "{command:?}");
            if nth == 0 {
                let log = fs::read_to_string(folder.path().join("out/Phase 1 - Round 0/A/log.txt")).unwrap();
                assert!(log.contains("it ran"), "{log}");
            }
        }
    }
}

#[test]
fn an_interpreter_below_tmp_runs_a_bot_that_sees_nothing_else_of_tmp() {
    if test_tools::required("python3").is_none() || !has_strict_sandbox() {
        return;
    }
    let temporary = tempfile::tempdir_in("/tmp").unwrap();
    let environment = temporary.path().join("environment");
    let made = std::process::Command::new("python3").args(["-m", "venv", "--without-pip"]).arg(&environment).status();
    assert!(made.unwrap().success());
    let packages = WalkDir::new(&environment).into_iter().flatten().find(|entry| entry.file_name() == "site-packages");
    fs::write(packages.unwrap().path().join("package_of_mine.py"), "").unwrap();
    let secret = temporary.path().join("secret");
    fs::write(&secret, "").unwrap();
    let fleet =
        "Carrier 0 0 north\nBattleship 1 0 north\nCruiser 2 0 north\nSubmarine 3 0 north\nDestroyer 4 0 north\n";
    let script = format!(
        "import os, sys, package_of_mine\n\
         assert sys.prefix == {environment:?} and not os.path.exists({secret:?})\n\
         open(sys.argv[2] + '/place.txt', 'w').write({fleet:?})\n"
    );
    let bot = bot("Python3", Path::new("bot.py"));
    fs::write(bot.path().join("bot.py"), script).unwrap();
    let path = std::env::join_paths(
        [environment.join("bin")].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    for level in ["on", "strict"] {
        let (folder, mut command) = commands(level, bot.path()).swap_remove(0);
        command.env("PATH", path.as_ref().unwrap()).assert().success();
        let log = fs::read_to_string(folder.path().join("out/Phase 1 - Round 0/A/log.txt")).unwrap();
        assert!(!log.contains("Error") && !log.contains("sandbox"), "{log}");
        assert!(folder.path().join("out/Phase 2 - Round 1").is_dir());
    }
}

#[test]
fn a_bot_whose_program_is_outside_its_folder_does_not_play_in_a_sandbox() {
    if test_tools::required("python3").is_none() || !has_strict_sandbox() {
        return;
    }
    let elsewhere = tempfile::tempdir().unwrap();
    let real = elsewhere.path().join("prefix/bin/x");
    fs::create_dir_all(real.parent().unwrap()).unwrap();
    fs::copy(fake_bot::program(), &real).unwrap();
    let linked = |bot_type: &str, link: &str, run_file: &str, to: &Path| {
        let bot = bot(bot_type, Path::new(run_file));
        let link = bot.path().join(link);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        symlink(to, link).unwrap();
        bot
    };
    let absolute = bot("Rust", &real);
    let upwards = bot("Rust", &Path::new("../../../../../..").join(real.strip_prefix("/").unwrap()));
    let link = linked("Rust", "run", "run", &real);
    let linked_folder = linked("Rust", "sub", "sub/x", real.parent().unwrap());
    let script = linked("Python3", "bot.py", "bot.py", Path::new("/etc/passwd"));
    let interpreter = linked("Python3", ".broadside-venv/bin/python", "bot.py", &real);
    fs::write(interpreter.path().join("bot.py"), "").unwrap();
    for bot in [&absolute, &upwards, &link, &linked_folder, &script, &interpreter] {
        for level in ["on", "strict"] {
            for (_folder, mut command) in commands(level, bot.path()) {
                command
                    .assert()
                    .code(3)
                    .stderr(contains("broadside: the bot in ").and(contains("may not play in a sandbox")))
                    .stderr(contains("hint: "));
            }
        }
    }
    // A bot that is refused changes nothing: an earlier match stays where it is, and a tournament goes on without the bot.
    let folder = tempfile::tempdir().unwrap();
    let run = |first: &[&str], bots: &[&Path], code: i32| {
        let mut command = broadside();
        command.current_dir(folder.path()).args(first).args(["-s", "1", "--sandbox", "on", "-b"]).args(bots);
        command.assert().code(code);
    };
    let random = Path::new(OTHER);
    let (play, tournament) = (["-l", "out"], ["tournament", "--dir", "event", "-g", "2"]);
    run(&play, &[random, random], 0);
    let before = crate::table::tree(&folder.path().join("out"));
    run(&play, &[link.path(), random], 3);
    assert_eq!(crate::table::tree(&folder.path().join("out")), before);
    run(&tournament, &[random, random], 0);
    run(&["tournament", "--strict", "--dir", "event", "-g", "2"], &[random, random, link.path()], 3);
    run(&tournament, &[random, random, link.path()], 0);
    // The user may have it so.
    let mut command = broadside();
    command
        .current_dir(elsewhere.path())
        .args(["-s", "1", "--sandbox", "off", "-b"])
        .args([link.path(), absolute.path()]);
    command.assert().code(0);
}

#[test]
fn settings_in_the_working_directory_are_not_read() {
    if test_tools::required("python3").is_none() || !has_strict_sandbox() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let ran = folder.path().join("ran");
    program(&folder.path().join("python"), &format!("#!/bin/sh\necho ran > '{}'\n", ran.display()));
    let tools = "[tools]\npython3 = \"./python\"\nphp = \"./python\"\n";
    fs::write(folder.path().join("broadside.toml"), tools).unwrap();
    fs::write(folder.path().join("bot.py"), "").unwrap();
    fs::write(folder.path().join("bot.json"), r#"{"BotType": "Python3", "ProjectLocation": "", "RunFile": "bot.py"}"#)
        .unwrap();
    let mut command = broadside();
    command.current_dir(folder.path()).args(["--sandbox", "strict", "-s", "1", "-b", ".", OTHER]);
    command.assert().code(0).stderr(contains("broadside.toml in the working directory is not read"));
    assert!(!ran.exists());
    // The same file, named by the user.
    let mut command = broadside();
    command.current_dir(folder.path()).env("BROADSIDE_SETTINGS", "broadside.toml").arg("languages");
    command.assert().code(0).stderr("").stdout(contains("/./python"));
    let mut command = broadside();
    command.current_dir(folder.path()).args(["languages", "--settings", "broadside.toml"]);
    command.assert().code(0).stderr("").stdout(contains("/./python"));
    let mut command = broadside();
    command.current_dir(folder.path()).env("BROADSIDE_SETTINGS", "none.toml").arg("languages");
    command.assert().code(2).stderr(contains("none.toml"));
}

/// The engine for a match without time limits between the bots that are still to be named.
pub fn engine_without_limits(folder: &Path, sandbox: &str, refuses_namespaces: bool) -> std::process::Command {
    let mut command = if refuses_namespaces {
        cage::refusing_namespaces(r#"exec "$0" "$@""#)
    } else {
        std::process::Command::new("env")
    };
    command.arg(assert_cmd::cargo::cargo_bin!("broadside")).current_dir(folder).args(["-s", "1", "--nolimit"]);
    command.args(["--sandbox", sandbox, "-b"]).env("XDG_CONFIG_HOME", "/nowhere").env_remove("BROADSIDE_SETTINGS");
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
fn a_killed_engine_takes_its_bots_along() {
    if !has_strict_sandbox() {
        return;
    }
    for (nth, refuses_namespaces) in [false, true, false, true].into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        // Nobody else sleeps for so long.
        let seconds = format!("{}.{nth}", 1_000_000 + std::process::id());
        // The signal for the death of the engine belongs to the first thread, and a program that another one becomes has none.
        let script = if nth < 2 { format!("sleep {seconds}") } else { format!("behind sleep {seconds}") };
        let bot = BotFolder::new("Outlives", &script);
        if refuses_namespaces && !can_refuse_namespaces() {
            continue;
        }
        let mut engine = engine_without_limits(folder.path(), "strict", refuses_namespaces);
        let mut engine = engine.arg(bot.path()).arg(OTHER).spawn().unwrap();
        let line = ["/bin/sleep", seconds.as_str()];
        let is_there = || is_running(&line);
        while !is_there() {
            assert_eq!(engine.try_wait().unwrap(), None, "the engine runs");
            test_tools::pause();
        }
        engine.kill().unwrap();
        engine.wait().unwrap();
        let until = Instant::now() + Duration::from_secs(120);
        while is_there() {
            assert!(Instant::now() < until, "the bot outlives the engine; namespaces refused: {refuses_namespaces}");
            test_tools::pause();
        }
    }
}

/// A project whose build does everything that it has no business to do, and then makes a bot that plays.
#[test]
fn a_build_in_a_sandbox_reaches_the_bots_folder_only() {
    if test_tools::required("make").is_none() || test_tools::required("cc").is_none() || !has_strict_sandbox() {
        return;
    }
    let target = tempfile::tempdir().unwrap();
    let home = target.path().join("home");
    fs::create_dir_all(home.join(".ssh")).unwrap();
    fs::write(home.join(".ssh/id_rsa"), "a secret key").unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    // A name that is not a path, as of many services.
    let name = format!("broadside-{}", std::process::id());
    let local = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    local.set_nonblocking(true).unwrap();
    let seconds = format!("{}.5", 1_000_000 + std::process::id());
    let (free, port) = (target.path().display(), listener.local_addr().unwrap().port());
    let makefile = format!(
        "all:\n\t-echo free > '{free}/stolen'\n\t-ls /etc/ssl/private > key || rm key\n\t-chmod 0 '{free}/home/.ssh/id_rsa'\n\t-cp '{free}/home/.ssh/id_rsa' key\n\
         \t-cp $$HOME/../../../.ssh/id_rsa key\n\t-bash -c 'echo hi > /dev/tcp/127.0.0.1/{port}'\n\
         \t-setsid /bin/sleep {seconds} >/dev/null 2>&1 &\n\t-env > environment\n\
         \tprintf 'int main(){{return 0;}}' > x.c\n\tcc -o run x.c\n\t-cp /bin/true own; chmod 4755 own\n\t-chmod g+s .\n\
         \tcc -o open open.c\n\t-./open\n"
    );
    let open = "#include <fcntl.h>\n#include <string.h>\n#include <sys/mman.h>\n#include <sys/socket.h>\n#include <sys/stat.h>\n\
                #include <sys/un.h>\nint main() { struct sockaddr_un to = { AF_UNIX, \"\" }; strcpy(to.sun_path + 1, \"NAME\"); \
                int s = socket(AF_UNIX, SOCK_STREAM, 0); if (s >= 0) creat(\"socket\", 0600); \
                connect(s, (void *)&to, sizeof(sa_family_t) + 1 + strlen(\"NAME\")); \
                if (mmap(0, 4096, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) creat(\"shared\", 0600); \
                 open(\"a\", O_CREAT | O_WRONLY, 06755); \
                creat(\"b\", 04755); mknod(\"c\", S_IFREG | 04755, 0); return open(\"d\", O_CREAT | O_WRONLY, 0755) < 0; }\n";
    let open = open.replace("NAME", &name);
    for level in ["on", "strict"] {
        let bot = bot("C++", Path::new("run"));
        fs::write(bot.path().join("Makefile"), &makefile).unwrap();
        fs::write(bot.path().join("open.c"), &open).unwrap();
        for (nth, (_folder, mut command)) in commands(level, bot.path()).into_iter().enumerate() {
            let _ = fs::remove_file(bot.path().join("run"));
            command.env("HOME", &home).env("BUILD_SECRET", "hunter2").env_remove("XDG_CACHE_HOME");
            command.assert().code([0, 0, 4][nth]).stderr(contains("Built "));
            assert!(!target.path().join("stolen").exists() && !bot.path().join("key").exists(), "{command:?}");
            let key = fs::metadata(home.join(".ssh/id_rsa")).unwrap().permissions().mode() & 0o777;
            assert_ne!(key, 0, "{command:?}");
            assert!(listener.accept().is_err() && local.accept().is_err(), "{command:?}");
            assert!(bot.path().join("socket").exists(), "sockets of the build's own are allowed");
            assert!(bot.path().join("d").exists() && !bot.path().join("shared").exists(), "{command:?}");
            let modes = WalkDir::new(bot.path()).into_iter().map(|entry| entry.unwrap().metadata().unwrap().mode());
            assert_eq!(modes.map(|mode| mode & 0o6000).max(), Some(0), "{command:?}");
            let environment = fs::read_to_string(bot.path().join("environment")).unwrap();
            assert!(!environment.contains("hunter2") && environment.contains("PATH="), "{environment}");
            assert!(!is_running(&["/bin/sleep", &seconds]), "{command:?}");
        }
    }
}

/// A build that takes what it can get is ended, and the bot does not play.
#[test]
fn a_build_that_makes_processes_without_end_is_ended() {
    if test_tools::required("make").is_none() || !has_strict_sandbox() {
        return;
    }
    let bot = bot("C++", Path::new("run"));
    let makefile = "all:\n\tbash -c 'while :; do sleep 1000 & done'\n";
    fs::write(bot.path().join("Makefile"), makefile).unwrap();
    let (_folder, mut command) = commands("strict", bot.path()).remove(0);
    command.env("HOME", bot.path()).env_remove("XDG_CACHE_HOME");
    command.assert().code(3).stderr(contains("killed when it used too many processes"));
}

/// A line for each file and folder below a folder: path, permissions, owner, times of change, and a hash of the content.
fn tree_of(root: &Path) -> Vec<String> {
    // An ordinary user may not look into all folders.
    let entries = WalkDir::new(root).sort_by_file_name().into_iter().flatten();
    let line = |entry: walkdir::DirEntry| {
        let meta = entry.metadata().unwrap();
        let mut content = DefaultHasher::new();
        content.write(&fs::read(entry.path()).unwrap_or_default());
        // Other tests make links to the program that their bots share, which changes its status.
        let status = (meta.nlink() == 1).then(|| (meta.ctime(), meta.ctime_nsec()));
        let times = (meta.mtime(), meta.mtime_nsec(), status);
        format!("{} {:o} {} {times:?} {:x}", entry.path().display(), meta.mode(), meta.uid(), content.finish())
    };
    entries.map(line).collect()
}

/// The lines of trees that are not in both.
fn changed<'a>(before: &'a [Vec<String>], after: &'a [Vec<String>]) -> Vec<&'a String> {
    let of = |trees: &'a [Vec<String>]| trees.iter().flatten().collect::<BTreeSet<_>>();
    of(before).symmetric_difference(&of(after)).copied().collect()
}

/// A bot that fires, and then calls every system call with hostile arguments until its time is over. `BROADSIDE_FUZZ_MS` is
/// that time in each round, in milliseconds; `BROADSIDE_FUZZ_TREES` names folders that nobody else changes meanwhile, which are
/// compared too, as in a search path.
#[test]
fn no_system_call_changes_anything_outside_the_sandbox() {
    if !has_strict_sandbox() {
        return;
    }
    let time = std::env::var("BROADSIDE_FUZZ_MS").unwrap_or_else(|_| "40".to_owned());
    let trees = std::env::var_os("BROADSIDE_FUZZ_TREES").unwrap_or_else(|| "/etc".into());
    for refuses_namespaces in [false, true] {
        let outside = tempfile::Builder::new().prefix("outside").tempdir().unwrap();
        fs::write(outside.path().join("canary"), "alive").unwrap();
        fs::create_dir(outside.path().join("empty")).unwrap();
        let script = format!("1: place\n2: fire\n2: fuzz {time} {}", outside.path().display());
        let bots = [BotFolder::new("Fuzz", &script), BotFolder::new("Other", PLAYS)];
        let folder = tempfile::tempdir().unwrap();
        let mut command = match refuses_namespaces {
            true if !can_refuse_namespaces() => continue,
            true => cage::refusing_namespaces(r#"exec "$0" "$@""#),
            false => std::process::Command::new("env"),
        };
        command.arg(assert_cmd::cargo::cargo_bin!("broadside")).current_dir(folder.path());
        command.args(["-s", "1", "--sandbox", "strict", "--together", "--calibration", "2000", "-l", "out", "-b"]);
        command.args(bots.each_ref().map(BotFolder::path)).env("XDG_CONFIG_HOME", "/nowhere");
        let trees = || {
            let named = std::env::split_paths(&trees).chain([outside.path().to_owned(), bots[1].path().to_owned()]);
            named.map(|tree| tree_of(&tree)).collect::<Vec<_>>()
        };
        let before = trees();
        let output = command.env_remove("BROADSIDE_SETTINGS").output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(trees() == before, "namespaces refused: {refuses_namespaces}, {:?}", changed(&before, &trees()));
        let out = folder.path().join("out");
        let rounds = fs::read_dir(&out).unwrap().flatten().map(|entry| entry.path().join("B/log.txt"));
        let logs: Vec<String> = rounds.filter_map(|log| fs::read_to_string(log).ok()).collect();
        assert!(logs.len() > 20, "{said}");
        assert!(logs.iter().all(|log| !log.contains("No move") && !log.contains("Your bot ended")), "{logs:?}");
        broadside().arg("verify").arg(&out).assert().code(0);
    }
}

/// A project whose own "interpreter" is a link to a file of the user: the sandbox of the build must not open it.
#[test]
fn a_build_does_not_open_what_a_program_of_the_project_leads_to() {
    if test_tools::required("python3").is_none() || !has_strict_sandbox() {
        return;
    }
    let target = tempfile::tempdir().unwrap();
    let key = target.path().join("id_rsa");
    program(&key, "a secret key");
    let bot = bot("Python3", Path::new("bot.py"));
    fs::write(bot.path().join("bot.py"), "").unwrap();
    fs::write(bot.path().join("requirements.txt"), "").unwrap();
    // "python3 -m venv" finds this first.
    let steal =
        format!("open('began', 'w')\nopen('stolen', 'w').write(open({:?}).read())\n", key.display().to_string());
    fs::write(bot.path().join("venv.py"), steal).unwrap();
    fs::create_dir_all(bot.path().join(".broadside-venv/bin")).unwrap();
    symlink(&key, bot.path().join(".broadside-venv/bin/python")).unwrap();
    let mut command = broadside();
    command.current_dir(target.path()).args(["-s", "1", "-f", "--sandbox", "strict", "-b"]).arg(bot.path()).arg(OTHER);
    command.env("HOME", target.path()).env_remove("XDG_CACHE_HOME").assert().code(3);
    assert!(bot.path().join("began").exists());
    assert_eq!(fs::read_to_string(bot.path().join("stolen")).unwrap_or_default(), "");
}
