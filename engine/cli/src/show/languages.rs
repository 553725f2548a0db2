//! The list of languages as a table, as JSON and as Markdown.

use super::json::escaped;
use super::names::{cut, padded};
use super::printable;
use std::path::PathBuf;
use std::time::Duration;
use unicode_width::UnicodeWidthStr;

/// The most columns of a version in the table.
const WIDEST: usize = 48;

/// One language on this machine.
#[derive(Debug, serde::Serialize)]
pub(crate) struct LanguageStatus {
    /// The name in bot.json.
    pub(crate) language: &'static str,
    /// The number in bot.json.
    pub(crate) number: Option<u64>,
    /// Other names in bot.json.
    pub(crate) aliases: &'static [&'static str],
    /// True if bots can be run; for bots that run by themselves, if they can be built.
    pub(crate) found: bool,
    /// The program that runs or builds them.
    pub(crate) tool: Option<PathBuf>,
    /// The version that the program prints.
    pub(crate) version: Option<String>,
    /// The packages to install if the program is missing.
    pub(crate) install: Option<&'static str>,
    /// The time of a tiny bot, in milliseconds; `None` if it was not measured or the language has no such bot.
    #[serde(serialize_with = "in_milliseconds", rename = "start_up_ms")]
    pub(crate) start_up: Option<Duration>,
    /// The time that bots get in addition to their limit, in milliseconds.
    #[serde(serialize_with = "in_milliseconds", rename = "extra_ms")]
    pub(crate) extra: Option<Duration>,
}

fn in_milliseconds<S: serde::Serializer>(time: &Option<Duration>, out: S) -> Result<S::Ok, S::Error> {
    serde::Serialize::serialize(&time.map(|time| time.as_millis() as u64), out)
}

/// The list as JSON, for programs.
pub(crate) fn json(found: &[LanguageStatus]) -> String {
    let json = serde_json::to_string_pretty(found).expect("texts and numbers can always be written");
    format!("{}\n", escaped(&json))
}

/// The list in columns, with the times if they were `measured`.
pub(crate) fn table(found: &[LanguageStatus], measured: bool) -> String {
    let mut rows = vec![["language", "run or built by", "version", "start-up", "extra time"].map(str::to_owned)];
    rows.extend(found.iter().map(|found| {
        let tool = match (&found.tool, found.install) {
            (Some(path), _) => printable(&path.display().to_string()),
            (None, None) => "(runs by itself)".to_owned(),
            (None, Some(_)) => "(not found)".to_owned(),
        };
        let version = match found.install {
            Some(install) => format!("install {install}"),
            None => cut(&printable(found.version.as_deref().unwrap_or_default()), WIDEST),
        };
        [found.language.to_owned(), tool, version, milliseconds(found.start_up), milliseconds(found.extra)]
    }));
    let columns = if measured { 5 } else { 3 };
    let width = |column: usize| rows.iter().map(|row: &[String; 5]| row[column].width()).max().unwrap_or_default();
    let widths: Vec<_> = (0..columns).map(width).collect();
    let lines = rows.iter().map(|row| {
        let cells: Vec<_> = row.iter().zip(&widths).map(|(cell, width)| padded(cell, *width)).collect();
        format!("{}\n", cells.join("  ").trim_end())
    });
    lines.collect()
}

/// The table of docs/languages.md.
pub(crate) fn markdown(found: &[LanguageStatus]) -> String {
    let mut text =
        "| language | tool and version tried | start-up | extra time granted |\n| --- | --- | --- | --- |\n".to_owned();
    for found in found {
        let program = found.tool.as_ref().and_then(|path| path.file_name()).map(|name| name.to_string_lossy());
        let tried = match (program, &found.version) {
            (Some(program), Some(version)) => {
                format!("`{}`: {}", printable(&program), printable(version).replace('|', "\\|"))
            }
            (Some(program), None) => format!("`{}`", printable(&program)),
            (None, _) if found.found => "runs by itself".to_owned(),
            (None, _) => "not tried".to_owned(),
        };
        let [start_up, extra] = [found.start_up, found.extra].map(milliseconds);
        text.push_str(&format!("| {} | {tried} | {start_up} | {extra} |\n", found.language));
    }
    text
}

fn milliseconds(time: Option<Duration>) -> String {
    time.map_or_else(|| "-".to_owned(), |time| format!("{} ms", time.as_millis()))
}
