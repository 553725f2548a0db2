//! The blocks of a page that are not commands: read by the parser of what they show, or compared with it.

use super::page::{Block, Note, top};
use super::shell::Shell;
use crate::screens::schemas::Schema;
use players::Manifest;
use rules::entelect_2017::Entelect2017;
use rules::{Game, Listed, Part};
use serde_json::{Deserializer, Value};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Fails unless the block is what it says. Commands are run in the shell, files are written to its folder.
///
/// # Errors
/// The difference, or the reason why the block is not tested.
pub fn hold(block: &Block, shell: &mut Shell) -> Result<(), String> {
    match (&*block.language, &block.note) {
        ("sh" | "text", Some(Note::NotRun(reason))) if !reason.is_empty() => return Ok(()),
        ("sh", None) => return shell.run(&block.text),
        ("json", note) => {
            let values = values(&elided(&block.text))?;
            if let Some(Note::Schema(name)) = note {
                let schema = Schema::read(name);
                values.iter().for_each(|value| schema.assert_fits(value));
            }
        }
        ("toml", _) => drop(block.text.parse::<toml::Table>().map_err(|e| e.to_string())?),
        ("yaml", _) => passes("ruby", &["-ryaml", "-e", "YAML.parse_file(ARGV[0]) or abort 'empty'"], &block.text)?,
        ("php", _) => passes("php", &["-l"], &block.text)?,
        ("python", _) => passes("python3", &["-m", "py_compile"], &block.text)?,
        ("text", Some(_)) | ("mermaid", Some(Note::TestedBy(_))) => {}
        ("text", None) => return Err("say by a comment what this text is".to_owned()),
        (language, note) => return Err(format!("no test knows blocks of {language:?} with {note:?}")),
    }
    match &block.note {
        Some(Note::Output) => is_in(&masked(&block.text), &masked(&shell.output_of_me())),
        Some(Note::File(name)) => is_file(name, &block.text, shell),
        Some(Note::PartOf(path)) => is_part_of(&block.text, &top().join(path)),
        Some(Note::TestedBy(name)) => is_test(name),
        Some(Note::Schema(_) | Note::NotRun(_)) | None => Ok(()),
    }
}

/// Checks a file by a program of this machine.
fn passes(tool: &str, arguments: &[&str], text: &str) -> Result<(), String> {
    let Some(program) = test_tools::required(tool) else { return Ok(()) };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("block");
    fs::write(&file, text).unwrap();
    let done = Command::new(program).args(arguments).arg(file).output().unwrap();
    let told = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
    if done.status.success() { Ok(()) } else { Err(told.into_owned()) }
}

/// Writes the file, and reads it as the engine does.
fn is_file(name: &str, text: &str, shell: &mut Shell) -> Result<(), String> {
    // Readers have the tools that the page names.
    let text = &text.replace("/opt/python/bin/python3", "/bin/sh").replace("/opt/python-2.7.18/bin/python2", "/bin/sh");
    let path = shell.work().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    match path.file_name().unwrap().to_str().unwrap() {
        "bot.json" => Manifest::parse(path.parent().unwrap(), text).map(drop).map_err(|e| e.to_string()),
        file @ ("place.txt" | "command.txt") => {
            let game = Entelect2017::start(&Default::default(), 2, 1).unwrap();
            let name = if file == "place.txt" { "place.txt" } else { "command.txt" };
            let read = game.read(&[Part { name, bytes: text.as_bytes().to_vec() }]);
            read.map(drop).map_err(|fault| fault.to_string())
        }
        "broadside.toml" => shell.run(&format!("broadside languages --settings {name}")),
        _ => Ok(()),
    }
}

/// Checks that a file has this text, apart from white space, or these JSON values.
fn is_part_of(text: &str, file: &Path) -> Result<(), String> {
    let whole = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let dense = |text: &str| text.split_whitespace().collect::<String>();
    if dense(&whole).contains(&dense(text)) {
        return Ok(());
    }
    let (parts, wholes) = (values(&elided(text))?, values(&whole)?);
    match parts.iter().find(|part| !wholes.iter().any(|whole| has(whole, part))) {
        None => Ok(()),
        Some(part) => Err(format!("{} does not have {part}", file.display())),
    }
}

const ANYTHING: &str = "anything";
const REST: &str = ",...]";

/// JSON in which texts stand for what is left out.
fn elided(text: &str) -> String {
    let quoted = |what: &str| format!("\"{what}\"");
    let text = text.replace("{...}", &quoted(ANYTHING)).replace("[...]", &quoted(ANYTHING));
    text.replace(REST, &format!(",{}]", quoted(REST)))
}

fn values(text: &str) -> Result<Vec<Value>, String> {
    Deserializer::from_str(text).into_iter().collect::<Result<_, _>>().map_err(|e| e.to_string())
}

/// True if the value is this part, or has it in it.
fn has(whole: &Value, part: &Value) -> bool {
    is(whole, part)
        || match whole {
            Value::Object(fields) => fields.values().any(|value| has(value, part)),
            Value::Array(values) => values.iter().any(|value| has(value, part)),
            _ => false,
        }
}

fn is(value: &Value, shown: &Value) -> bool {
    match (value, shown) {
        (_, Value::String(text)) if text == ANYTHING => true,
        (Value::Object(fields), Value::Object(shown)) => {
            fields.len() == shown.len()
                && shown.iter().all(|(name, shown)| fields.get(name).is_some_and(|v| is(v, shown)))
        }
        (Value::Array(values), Value::Array(shown)) => {
            let is_shortened = shown.last().is_some_and(|last| last == REST);
            let shown = &shown[..shown.len() - usize::from(is_shortened)];
            (values.len() == shown.len() || is_shortened && values.len() > shown.len())
                && values.iter().zip(shown).all(|(value, shown)| is(value, shown))
        }
        _ => value == shown,
    }
}

/// The lines with a 0 for each number, which is another one each time.
pub fn masked(text: &str) -> String {
    let mut masked = String::new();
    for c in text.chars() {
        match c.is_ascii_digit() {
            true if masked.ends_with('0') => {}
            true => masked.push('0'),
            false => masked.push(c),
        }
    }
    masked.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn is_in(lines: &str, output: &str) -> Result<(), String> {
    if format!("\n{output}").contains(&format!("\n{lines}")) {
        return Ok(());
    }
    Err(format!("the output is not\n{lines}but\n{output}"))
}

/// Checks that there is a test of this name.
fn is_test(name: &str) -> Result<(), String> {
    let sources = walkdir::WalkDir::new(top().join("engine")).into_iter().filter_entry(|entry| {
        // Sources only: builds are large.
        entry.file_name() != "target" && entry.file_name() != "corpus"
    });
    let mut sources =
        sources.map(|entry| entry.unwrap().into_path()).filter(|path| path.extension().is_some_and(|e| e == "rs"));
    let is_here = |path: PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        text.contains(&format!("#[test]\nfn {name}()")) || text.contains(&format!("    #[test]\n    fn {name}()"))
    };
    if sources.any(is_here) { Ok(()) } else { Err(format!("there is no test {name}")) }
}
