//! `broadside new`: creates the folder of a new bot from a sample: a program, a web service or a client over MQTT.

mod readme;
mod samples;
mod starter;

use super::embedded::SAMPLES;
use super::fresh_folder::fresh_folder;
use crate::args::NewArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{settings, show, signals};
use arena::ArenaError;
use platform::files::make_executable;
use players::process::{Language, Purpose, ToolCheck};
use players::{Tools, shell_word};
use readme::own_name;
use samples::BotJson;
use starter::Starter;
use std::fs;
use std::path::Path;

/// The lines that a Cargo.toml lacks in a sample that is a member of this repository's workspace. With them the folder may lie in
/// that of another workspace.
const OWN_WORKSPACE: &str = "\n# A workspace of its own: this folder can be copied anywhere.\n[workspace]\n";

/// Creates the folder, and prints the next steps, and first what this machine lacks for them.
///
/// # Errors
/// [`Failure::Usage`] for an unknown language or a folder that is not empty, and errors of the disk.
pub(crate) fn new(args: &NewArgs) -> Result<Exit, Failure> {
    let named = Starter::named(&args.language);
    let starter = match &args.rules {
        Some(rules) => {
            rule_files::find(rules)?;
            Starter::of_battleship(&args.language).or(named.filter(Starter::is_of_battleship))
        }
        None => named,
    };
    let Some(starter) = starter else {
        let (of, all) = match args.rules {
            Some(_) => (" of Battleship", Starter::all_of_battleship()),
            None => ("", format!("{}; for all languages see broadside languages", Starter::all())),
        };
        return Err(Failure::Usage {
            what: format!("there is no sample bot{of} in {}", args.language),
            hint: format!("samples exist in {all}"),
        });
    };
    let (folder, sample) = (&args.folder, starter.sample());
    let interrupt = signals::interrupt()?;
    fresh_folder(folder)?;
    // The folder must exist before the README is adapted: links are resolved from it.
    fs::create_dir_all(folder).map_err(|e| ArenaError::disk("make", folder, e))?;
    let name = args.name.clone().or_else(|| own_name(folder)).unwrap_or_else(|| sample.to_owned());
    let prefix = format!("{sample}/");
    for (path, bytes) in SAMPLES {
        if let Some(file) = path.strip_prefix(&prefix) {
            write(&folder.join(file), &adapted(file, bytes, sample, args, &name))?;
        }
    }
    // What is wrong with the settings is told when they are needed.
    let tools = settings::tools(None).unwrap_or_else(|_| Tools::on_path());
    let check = ToolCheck::new(tools, interrupt);
    // The folder is complete, so an error of the check is no reason to fail.
    let missing =
        starter.language().and_then(|language| check.missing(language, Purpose::Build).ok()).unwrap_or_default();
    show::tell(&starter.told(&name, folder, &missing, args.rules.as_deref()));
    Ok(Exit::Success)
}

/// True if [`new`] has a starter in this language.
pub(super) fn has_starter(language: &Language) -> bool {
    Starter::is_for(language)
}

/// A file of the sample with the changes for the new folder.
fn adapted(file: &str, bytes: &[u8], sample_name: &str, args: &NewArgs, name: &str) -> Vec<u8> {
    match file {
        "bot.json" => {
            let mut manifest: BotJson = serde_json::from_slice(bytes).expect("a test reads them all");
            manifest.author = String::new();
            manifest.nick_name = name.to_owned();
            manifest.stay &= !args.per_round;
            let mut text = serde_json::to_vec_pretty(&manifest).expect("texts can be written");
            text.push(b'\n');
            text
        }
        "README.md" => {
            let rules = shell_word(args.rules.as_deref().unwrap_or("classic"));
            let text = String::from_utf8_lossy(bytes).replace("--rules classic", &format!("--rules {rules}"));
            readme::adapted(&text, sample_name, &args.folder).into_bytes()
        }
        "Cargo.toml" => {
            let mut text = String::from_utf8_lossy(bytes).into_owned();
            if !text.contains("[workspace]") {
                text += OWN_WORKSPACE;
            }
            text.into_bytes()
        }
        _ => bytes.to_vec(),
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), ArenaError> {
    let failed = |e| ArenaError::disk("write", path, e);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(failed)?;
    }
    fs::write(path, bytes).map_err(failed)?;
    if bytes.starts_with(b"#!") {
        make_executable(path).map_err(failed)?;
    }
    Ok(())
}
