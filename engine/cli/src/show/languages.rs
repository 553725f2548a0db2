//! The list of languages as a table, as JSON and as Markdown.

use super::findings::wrapped;
use super::printable;
use crate::show::text::names::{cut, padded, without_middle};
use platform::terminal;
use players::process::MissingTool;
use std::path::PathBuf;
use std::time::Duration;
use unicode_width::UnicodeWidthStr;

/// The most columns of a program in the table.
const WIDEST: usize = 34;
/// The least columns of a version.
const NARROWEST: usize = 8;

/// One language on this machine.
#[derive(Debug, serde::Serialize)]
pub(crate) struct LanguageStatus {
    /// The name in bot.json.
    pub(crate) language: &'static str,
    /// The name that people type.
    pub(crate) name: String,
    /// True if `broadside new` has a starter.
    pub(crate) starter: bool,
    /// The number in bot.json.
    pub(crate) number: Option<u64>,
    /// Other names in bot.json.
    pub(crate) aliases: &'static [&'static str],
    /// True if the language is ready: bots can be built and run.
    pub(crate) found: bool,
    /// The program that runs them; for bots that run by themselves, the one that builds them.
    pub(crate) tool: Option<PathBuf>,
    /// The version that the program prints.
    pub(crate) version: Option<String>,
    /// The tools that are not there or do not work.
    #[serde(serialize_with = "in_words")]
    pub(crate) missing: Vec<MissingTool>,
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

/// Each with the first of its names, what is wrong, what to install, and the Debian packages that have it.
fn in_words<S: serde::Serializer>(missing: &[MissingTool], out: S) -> Result<S::Ok, S::Error> {
    out.collect_seq(missing.iter().map(|missing| {
        let tool = missing.tool;
        serde_json::json!({
            "tool": tool.programs[0],
            "why": missing.broken.as_ref().map(|(_, why)| why),
            "install": tool.install(),
            "packages": tool.packages,
        })
    }))
}

/// The list in columns, with the times if they were `measured`, in the width of the terminal, or 80 columns elsewhere. Below
/// it stands what to install for the languages that are missing.
pub(crate) fn table(found: &[LanguageStatus], measured: bool) -> String {
    let most = terminal::size().map_or(80, |size| size.columns);
    let mut rows = vec![["language", "new", "run or built by", "start-up", "extra time", "version"].map(str::to_owned)];
    rows.extend(found.iter().map(|found| {
        let tool = match &found.tool {
            Some(path) => without_middle(&printable(&path.display().to_string()), WIDEST),
            None if found.found => "(runs by itself)".to_owned(),
            None => "(not found)".to_owned(),
        };
        let starter = if found.starter { "yes" } else { "-" }.to_owned();
        let version = printable(found.version.as_deref().unwrap_or_default());
        [found.name.clone(), starter, tool, milliseconds(found.start_up), milliseconds(found.extra), version]
    }));
    let columns: &[usize] = if measured { &[0, 1, 2, 3, 4] } else { &[0, 1, 2] };
    let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or_default();
    let widths: Vec<(usize, usize)> = columns.iter().map(|&column| (column, width(column))).collect();
    let before: usize = widths.iter().map(|(_, width)| width + 2).sum();
    let room = most.saturating_sub(before).max(NARROWEST);
    let mut text: String = rows
        .iter()
        .map(|row| {
            let cells: String = widths.iter().map(|(column, width)| padded(&row[*column], width + 2)).collect();
            format!("{}\n", format!("{cells}{}", cut(&row[5], room)).trim_end())
        })
        .collect();
    for (found, missing) in found.iter().flat_map(|found| found.missing.iter().map(move |missing| (found, missing))) {
        let lines = wrapped(&format!("{} lacks ", found.name), &format!("{missing}: {}", missing.tool.install()), most);
        text.extend(lines.into_iter().map(|line| format!("{line}\n")));
    }
    text.push_str("broadside new LANGUAGE FOLDER creates a bot where the column new says yes\n");
    text
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
