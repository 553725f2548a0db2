//! Makes the folder of a new bot from a sample: that in its language, or a web service for one of the other games.

mod readme;

use super::fresh_folder::fresh_folder;
use crate::args::NewArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show;
use arena::ArenaError;
use players::process::Language;
use rules::GameKind;
use rust_embed::{EmbeddedFile, RustEmbed};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// The sample bots as they are in `bots/`, without what building them leaves.
#[derive(RustEmbed)]
#[folder = "../../bots/"]
#[include = "*/bot.json"]
#[include = "*/README.md"]
#[include = "*/.gitignore"]
#[include = "*/Makefile"]
#[include = "*/*.c"]
#[include = "*/*.cpp"]
#[include = "*/*.cs"]
#[include = "*/*.go"]
#[include = "*/go.mod"]
#[include = "*/*.java"]
#[include = "*/*.js"]
#[include = "*/*.kt"]
#[include = "*/*.lua"]
#[include = "*/package.json"]
#[include = "*/*.php"]
#[include = "*/*.pl"]
#[include = "*/*.py"]
#[include = "*/*.rb"]
#[include = "*/*.scala"]
#[include = "*/*.ts"]
#[include = "*/tsconfig.json"]
#[include = "rust/Cargo.toml"]
#[include = "rust/Cargo.lock"]
#[include = "rust/src/*.rs"]
#[include = "sea-battle-rust/Cargo.toml"]
#[include = "sea-battle-rust/src/*.rs"]
#[exclude = "typescript/*.js"]
struct Samples;

/// Samples that nobody should start from, though they are in a language that has a better one.
const NO_STARTERS: [&str; 2] = ["hunter", "random-python"];

/// What makes a sample a part of this repository's workspace, and what stands there in a new bot.
const MEMBER: &str = "[lints]\nworkspace = true\n";
const ON_ITS_OWN: &str = "# A workspace of its own: this folder can be copied anywhere.\n[workspace]\n";

/// The file that makes a folder a bot, in the order of the published text.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct BotJson {
    author: String,
    email: String,
    nick_name: String,
    bot_type: String,
    project_location: String,
    run_file: String,
    run_args: String,
}

/// What a new bot is made from.
enum Starter {
    /// A program that the engine starts, and the folder of its sample.
    Program(&'static Language, String),
    /// A web service that the engine calls.
    WebService(&'static WebService),
}

/// A sample that is a web service.
struct WebService {
    /// Its folder.
    sample: &'static str,
    game: GameKind,
    /// What starts it, before the path of a file in its folder.
    start: &'static str,
    /// That file.
    file: &'static str,
}

const WEB_SERVICES: [WebService; 4] = [
    WebService { sample: "sea-battle-python", game: GameKind::SeaBattle, start: "python3", file: "bot.py" },
    WebService { sample: "sea-battle-node", game: GameKind::SeaBattle, start: "node", file: "bot.js" },
    WebService {
        sample: "sea-battle-rust",
        game: GameKind::SeaBattle,
        start: "cargo run --release --manifest-path",
        file: "Cargo.toml",
    },
    WebService { sample: "bots-arena-python", game: GameKind::BotsArena, start: "python3", file: "bot.py" },
];

impl Starter {
    /// By the name of a language, or of the sample itself if it is a web service.
    fn named(name: &str) -> Option<Starter> {
        if let Some(service) = WEB_SERVICES.iter().find(|service| service.sample == name) {
            return Some(Starter::WebService(service));
        }
        let language = Language::from_name(name)?;
        Some(Starter::Program(language, samples().remove(language.name)?))
    }

    fn sample(&self) -> &str {
        match self {
            Starter::Program(_, sample) => sample,
            Starter::WebService(service) => service.sample,
        }
    }

    /// What is there now, and how to go on with it.
    fn told(&self, name: &str, folder: &Path) -> String {
        let as_word = |path: &Path| readme::word(&path.to_string_lossy()).into_owned();
        let shown = as_word(folder);
        let (what, next) = match self {
            Starter::Program(language, _) => (format!("a {} bot", language.name), format!("broadside check {shown}")),
            Starter::WebService(WebService { game, start, file, .. }) => (
                format!("a web service for {}", game.title()),
                format!(
                    "{start} {}\nThen, in another terminal: broadside play --game {} -b http://127.0.0.1:4000 \
                     builtin:random",
                    as_word(&folder.join(file)),
                    game.name()
                ),
            ),
        };
        let folder = folder.display();
        format!(
            "Made {name} in {folder}, {what} that plays. Its README.md says what to make better first.\nNext: {next}"
        )
    }
}

/// Makes it, and says what to do next.
pub(crate) fn new(args: &NewArgs) -> Result<Exit, Failure> {
    let Some(starter) = Starter::named(&args.language) else {
        let known = samples().into_keys().collect::<Vec<_>>().join(", ");
        let services = WEB_SERVICES.map(|service| service.sample).join(", ");
        return Err(Failure::Usage {
            what: format!("there is no sample bot in {}", args.language),
            hint: format!(
                "there are some in {known}, and the web services {services}; any other language plays, too: see \
                 broadside languages"
            ),
        });
    };
    let (folder, sample) = (&args.folder, starter.sample());
    fresh_folder(folder)?;
    // Before the files, because where links lead can only be seen from there.
    fs::create_dir_all(folder).map_err(|e| ArenaError::disk("make", folder, e))?;
    let name = args.name.clone().or_else(|| own_name(folder)).unwrap_or_else(|| sample.to_owned());
    let prefix = format!("{sample}/");
    for path in Samples::iter().filter(|path| path.starts_with(&prefix)) {
        let file = Samples::get(&path).expect("it was just listed");
        let bytes = adapted(&path[prefix.len()..], &file, sample, folder, &name)?;
        write(&folder.join(&path[prefix.len()..]), &bytes)?;
    }
    show::say(&starter.told(&name, folder));
    Ok(Exit::Played)
}

/// What a folder is called in the one above it.
fn own_name(folder: &Path) -> Option<String> {
    let path = std::path::absolute(folder).ok()?;
    Some(path.file_name()?.to_string_lossy().into_owned())
}

/// The folder of the sample in each language, by the language's name.
fn samples() -> BTreeMap<&'static str, String> {
    let folders = Samples::iter().filter_map(|path| path.strip_suffix("/bot.json").map(str::to_owned));
    let starters = folders.filter(|folder| !NO_STARTERS.contains(&folder.as_str()));
    let with_language = starters.filter_map(|folder| {
        let file = Samples::get(&format!("{folder}/bot.json"))?;
        let manifest: BotJson = serde_json::from_slice(&file.data).ok()?;
        Some((Language::from_name(&manifest.bot_type)?.name, folder))
    });
    with_language.collect()
}

/// A file of the sample as it belongs into the new folder.
fn adapted(
    file: &str,
    sample: &EmbeddedFile,
    sample_name: &str,
    folder: &Path,
    name: &str,
) -> Result<Vec<u8>, Failure> {
    let bytes = sample.data.to_vec();
    Ok(match file {
        "bot.json" => {
            let mut manifest: BotJson = serde_json::from_slice(&bytes).expect("a test reads them all");
            manifest.author = String::new();
            manifest.nick_name = name.to_owned();
            let mut text = serde_json::to_vec_pretty(&manifest).expect("texts can be written");
            text.push(b'\n');
            text
        }
        "README.md" => {
            let text = String::from_utf8_lossy(&bytes);
            readme::adapted(&text, sample_name, folder).into_bytes()
        }
        "Cargo.toml" => {
            let text = String::from_utf8_lossy(&bytes);
            text.replace(MEMBER, ON_ITS_OWN).into_bytes()
        }
        _ => bytes,
    })
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), ArenaError> {
    let failed = |e| ArenaError::disk("write", path, e);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(failed)?;
    }
    fs::write(path, bytes).map_err(failed)?;
    if bytes.starts_with(b"#!") {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).map_err(failed)?;
    }
    Ok(())
}
