//! Makes the folder of a new bot from the sample in its language.

use super::fresh_folder::fresh_folder;
use crate::args::NewArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show;
use arena::ArenaError;
use players::process::Language;
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
#[exclude = "typescript/*.js"]
struct Samples;

/// Samples that nobody should start from, though they are in a language that has a better one.
const NO_STARTERS: [&str; 2] = ["hunter", "random-python"];

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

/// Makes it, and says what to do next.
pub(crate) fn new(args: &NewArgs) -> Result<Exit, Failure> {
    let samples = samples();
    let language = Language::from_name(&args.language);
    let sample = language.and_then(|language| samples.get(language.name));
    let Some((language, sample)) = language.zip(sample) else {
        let known = samples.keys().copied().collect::<Vec<_>>().join(", ");
        return Err(Failure::Usage {
            what: format!("there is no sample bot in {}", args.language),
            hint: format!("there are some in {known}; any other language plays, too: see broadside languages"),
        });
    };
    let folder = &args.folder;
    fresh_folder(folder)?;
    let name = args.name.clone().unwrap_or_else(|| {
        let path = std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
        path.file_name().map_or_else(|| sample.clone(), |name| name.to_string_lossy().into_owned())
    });
    let prefix = format!("{sample}/");
    for path in Samples::iter().filter(|path| path.starts_with(&prefix)) {
        let file = Samples::get(&path).expect("it was just listed");
        let bytes = adapted(&path[prefix.len()..], &file, sample, folder, &name)?;
        write(&folder.join(&path[prefix.len()..]), &bytes)?;
    }
    let shown = folder.display();
    show::say(&format!(
        "Made {name} in {shown}, a {} bot that plays. Its README.md says what to make better first.\nNext: broadside \
         check {shown}",
        language.name
    ));
    Ok(Exit::Played)
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
            text.replace(&format!("bots/{sample_name} "), &format!("{} ", folder.display())).into_bytes()
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
