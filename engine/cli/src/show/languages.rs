//! The list of languages, in three forms.

use super::names::{cut, padded};
use super::printable;
use crate::commands::Found;
use std::time::Duration;
use unicode_width::UnicodeWidthStr;

/// How wide a version may be in the table, in columns.
const WIDEST: usize = 48;

/// For programs.
pub(crate) fn json(found: &[Found]) -> String {
    let mut text = serde_json::to_string_pretty(found).expect("texts and numbers can always be written");
    text.push('\n');
    text
}

/// For people: in columns, with the times if they were `measured`.
pub(crate) fn table(found: &[Found], measured: bool) -> String {
    let mut rows = vec![row(["language", "run or built by", "version", "start-up", "extra time"].map(str::to_owned))];
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
        row([found.language.to_owned(), tool, version, milliseconds(found.start_up), milliseconds(found.extra)])
    }));
    let columns = if measured { 5 } else { 3 };
    let width = |column: usize| rows.iter().map(|row: &Vec<String>| row[column].width()).max().unwrap_or_default();
    let widths: Vec<_> = (0..columns).map(width).collect();
    let lines = rows.iter().map(|row| {
        let cells: Vec<_> = row.iter().zip(&widths).map(|(cell, width)| padded(cell, *width)).collect();
        format!("{}\n", cells.join("  ").trim_end())
    });
    lines.collect()
}

/// For docs/languages.md.
pub(crate) fn markdown(found: &[Found]) -> String {
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

fn row(cells: [String; 5]) -> Vec<String> {
    cells.into()
}

fn milliseconds(time: Option<Duration>) -> String {
    time.map_or_else(|| "-".to_owned(), |time| format!("{} ms", time.as_millis()))
}
