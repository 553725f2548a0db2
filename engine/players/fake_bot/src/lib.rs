//! A scripted bot for tests, and folders that make it a bot.
//!
//! The program `fake_bot KEY DIR` reads the file `script` in its current directory and does what it says, line by line.
//! A line may begin with `1:` or `2:` for a phase or `r7:` for a round and then counts only there. See [`Step`]. Without arguments
//! the program is asked by lines of JSON, as bots of Sea Battle and botsArena are.

mod act;
mod busy;
mod child;
mod fuzz;
mod lines;
mod machine;
mod round;
mod step;

pub use busy::{beside_busy_threads, last_processor};
pub use child::{AGAIN, as_child};
pub use round::Round;
pub use step::{Attack, Memory, Step, parse};

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;
use tempfile::TempDir;

/// The name of the script in the bot's folder.
pub const SCRIPT: &str = "script";

/// The name of the program in the bot's folder.
pub const PROGRAM: &str = "fake_bot";
/// The beginning of the line that tells what came of a step that was tried.
pub const CAME: &str = "it came to: ";

/// A script that plays: places its ships and fires at one cell after the other.
pub const PLAYS: &str = "1: place\n2: fire\n";

/// A script that plays a game whose bots are asked by lines.
pub const ANSWERS: &str = "answer\n";

/// A bot's folder, removed when dropped.
#[derive(Debug)]
pub struct BotFolder {
    folder: TempDir,
}

impl BotFolder {
    /// A bot called `name` that follows `script`.
    ///
    /// # Panics
    /// When the folder cannot be made: a test cannot go on without it.
    pub fn new(name: &str, script: &str) -> BotFolder {
        BotFolder::of(name, script, false)
    }

    /// The same, and it stays from the first turn to the last.
    ///
    /// # Panics
    /// When the folder cannot be made.
    pub fn staying(name: &str, script: &str) -> BotFolder {
        BotFolder::of(name, script, true)
    }

    fn of(name: &str, script: &str, stays: bool) -> BotFolder {
        let manifest = serde_json::json!({
            "Author": "A. Tester", "Email": "tester@example.com", "NickName": name, "BotType": "Rust",
            "ProjectLocation": "", "RunFile": PROGRAM, "RunArgs": "", "Stay": stays,
        });
        let folder = BotFolder::with_manifest(&manifest.to_string(), script);
        folder.bring_program();
        folder
    }

    /// Puts the `fake_bot` program into the folder, under [`PROGRAM`]: in a sandbox a bot's program must lie there.
    ///
    /// # Panics
    /// When it cannot be linked.
    pub fn bring_program(&self) {
        let to = self.path().join(PROGRAM);
        // A link, because a program that a test still writes cannot be executed (`ETXTBSY`): each process that another
        // test starts at that moment has it open, too.
        fs::hard_link(program_in_temporary_folder(), to).expect("a link can be made");
    }

    /// A bot with this text for a bot.json.
    ///
    /// # Panics
    /// When the folder cannot be made.
    pub fn with_manifest(manifest: &str, script: &str) -> BotFolder {
        let folder = tempfile::Builder::new().prefix("bot folder ").tempdir().expect("a temporary folder can be made");
        fs::write(folder.path().join("bot.json"), manifest).expect("a file can be written to it");
        fs::write(folder.path().join(SCRIPT), script).expect("a file can be written to it");
        BotFolder { folder }
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// The path of the `fake_bot` program: beside the test's own, or built where it is missing.
///
/// # Panics
/// When the program is missing and cannot be built.
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| built("fake_bot"))
}

/// The program of a package of this workspace, built in the way of the test that asks for it.
///
/// # Panics
/// When it cannot be built.
pub fn built(package: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own program");
    // target/debug/deps/test-0123 -> target/debug
    let folder = test.ancestors().nth(2).expect("tests lie in target/PROFILE/deps").to_owned();
    let built = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--package", package, "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .args(if folder.ends_with("release") { &["--release"][..] } else { &[] })
        .args(folder.parent().map(|target| ["--target-dir".as_ref(), target.as_os_str()]).into_iter().flatten())
        .status();
    let program = folder.join(package);
    assert!(built.is_ok_and(|status| status.success()) && program.is_file(), "{package} cannot be built");
    program
}

/// A copy of the program in the temporary folder, which all tests share: what a bad bot does to its program does not reach
/// that of the build, which may also be on another file system.
fn program_in_temporary_folder() -> &'static Path {
    static COPY: OnceLock<PathBuf> = OnceLock::new();
    COPY.get_or_init(|| {
        let program = program();
        let status = program.metadata().expect("the program was just built");
        let changed = status.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        let copy = std::env::temp_dir().join(format!("fake_bot-{}-{}", status.len(), changed.as_nanos()));
        if !copy.exists() {
            let half = tempfile::NamedTempFile::new().expect("a temporary file can be made").into_temp_path();
            fs::copy(program, &half).expect("the program can be copied");
            half.persist(&copy).expect("a file can be renamed");
        }
        copy
    })
}
