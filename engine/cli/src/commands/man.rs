//! `broadside man`: writes the man pages of all commands.

use crate::args::ManArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use arena::ArenaError;
use chrono::{DateTime, Utc};
use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use std::path::Path;
use std::{env, fs, io};

/// The variable with the time of the sources in seconds since 1970, for builds that are repeated byte for byte.
const SOURCE_DATE: &str = "SOURCE_DATE_EPOCH";

/// The beginnings of the lines that define the apostrophe.
const PREAMBLE: [&str; 2] = [".ie \\n(.g ", ".el .ds Aq "];
/// The most bytes of a line of a page's source, where blanks allow it.
const LONGEST_LINE: usize = 79;

/// Writes one page for the program and one for each command: `broadside.1`, `broadside-play.1`, `broadside-salvo-join.1` …
///
/// # Errors
/// Errors of the disk.
pub(crate) fn man(args: &ManArgs) -> Result<Exit, Failure> {
    let folder = &args.folder;
    fs::create_dir_all(folder).map_err(|e| ArenaError::disk("make", folder, e))?;
    let mut command = crate::command().disable_help_subcommand(true);
    command.build();
    write_pages(&command, &source_date().format("%Y-%m-%d").to_string(), folder)?;
    Ok(Exit::Success)
}

/// The time of the sources, else the present.
fn source_date() -> DateTime<Utc> {
    let seconds = env::var(SOURCE_DATE).ok().and_then(|text| text.parse().ok());
    seconds.and_then(|seconds| DateTime::from_timestamp(seconds, 0)).unwrap_or_else(Utc::now)
}

fn write_pages(command: &Command, date: &str, folder: &Path) -> Result<(), ArenaError> {
    let (name, page) = page(command, date).map_err(|e| ArenaError::disk("write", folder, e))?;
    let path = folder.join(name);
    fs::write(&path, page).map_err(|e| ArenaError::disk("write", &path, e))?;
    command.get_subcommands().filter(|command| !command.is_hide_set()).try_for_each(|c| write_pages(c, date, folder))
}

/// The name of a page's file, and the page.
fn page(command: &Command, date: &str) -> io::Result<(String, Vec<u8>)> {
    let man = Man::new(command.clone());
    let name = man.get_filename();
    let title = command.get_display_name().unwrap_or_else(|| command.get_name()).to_uppercase();
    let man = man.title(title).date(date).source(arena::ENGINE).manual("Broadside");
    let notes = Notes::of(command);
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    synopsis(command).to_writer(&mut page)?;
    man.render_description_section(&mut page)?;
    notes.text.to_writer(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.get_subcommands().any(|command| !command.is_hide_set()) {
        man.render_subcommands_section(&mut page)?;
    }
    notes.sections.to_writer(&mut page)?;
    Ok((name, tidied(&String::from_utf8_lossy(&page)).into_bytes()))
}

/// The usage, which names the options only as `[OPTIONS]`: some commands have forty.
fn synopsis(command: &Command) -> Roff {
    let usage = command.clone().render_usage().to_string();
    let mut roff = Roff::new();
    roff.control("SH", ["SYNOPSIS"]).control("nf", []);
    for line in usage.trim_start_matches("Usage:").lines() {
        roff.text([bold(line.trim())]);
    }
    roff.control("fi", []);
    roff
}

/// The text that a command's help has behind the options.
struct Notes {
    /// Paragraphs that belong to the description.
    text: Roff,
    /// Parts with a heading of their own: examples, exit codes.
    sections: Roff,
}

impl Notes {
    fn of(command: &Command) -> Notes {
        let mut notes = Notes { text: Roff::new(), sections: Roff::new() };
        let help = command.get_after_long_help().or_else(|| command.get_after_help());
        let help = help.map(ToString::to_string).unwrap_or_default();
        let mut has_heading = false;
        for paragraph in help.split("\n\n").filter(|paragraph| !paragraph.is_empty()) {
            let (first, rest) = paragraph.split_once('\n').unwrap_or((paragraph, ""));
            if let Some(heading) = first.strip_suffix(':') {
                notes.sections.control("SH", [heading.to_uppercase().as_str()]);
                as_it_is(&mut notes.sections, rest);
                has_heading = true;
            } else if has_heading && first.starts_with(' ') {
                notes.sections.control("PP", []);
                as_it_is(&mut notes.sections, paragraph);
            } else {
                notes.text.control("PP", []);
                notes.text.text([roman(paragraph)]);
            }
        }
        notes
    }
}

/// Adds lines that are not to be joined.
fn as_it_is(roff: &mut Roff, lines: &str) {
    roff.control("nf", []);
    for line in lines.lines() {
        roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
    }
    roff.control("fi", []);
}

/// The page without the preamble that each section repeats and breaks that nothing follows, its text in short lines, as
/// `mandoc -T lint` asks.
fn tidied(page: &str) -> String {
    let mut tidy = String::new();
    let mut before = "";
    let mut is_filled = true;
    for line in page.lines() {
        let is_repeated = PREAMBLE.iter().any(|start| line.starts_with(start)) && tidy.contains(line);
        if is_repeated || (is_filled && line.is_empty()) || (line == ".br" && before == ".br") {
            continue;
        }
        is_filled = if line == ".fi" { true } else { is_filled && line != ".nf" };
        if is_filled && !line.starts_with('.') {
            wrapped(line, &mut tidy);
        } else {
            tidy.push_str(line);
        }
        tidy.push('\n');
        before = line;
    }
    tidy
}

/// Adds a line of filled text with breaks at blanks. No part begins with a character that makes it a request.
fn wrapped(line: &str, to: &mut String) {
    let mut length = 0;
    for word in line.split(' ') {
        let fits = length + 1 + word.len() <= LONGEST_LINE;
        if length > 0 {
            to.push(if fits || word.starts_with(['.', '\'']) || word.is_empty() { ' ' } else { '\n' });
        }
        length = if fits { length + 1 } else { 0 } + word.len();
        to.push_str(word);
    }
}
