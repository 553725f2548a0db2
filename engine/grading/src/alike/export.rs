//! The sources of a class, in folders for JPlag and Dolos.
//!
//! JPlag reads a folder with one folder for each submission, and another with the code that all were given (`-bc`)
//! (docs/1.-How-to-Use-JPlag.md). Dolos compares single files, which info.csv lists with who handed them in; one of them may be the
//! code that all were given (docs/docs/adding-metadata.md, lib/src/lib/dataset.ts). Both read one language at a time.

use super::language::CodeLanguage;
use super::sources::sources_of;
use arena::ArenaError;
use chrono::{DateTime, FixedOffset};
use platform::files::open_private;
use rules::csv_field;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The longest name of a submission, in characters.
const MOST_OF_NAME: usize = 80;

/// The bot of a student, whose sources are exported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFolder {
    /// The student.
    pub student: String,
    /// A name that tells others nothing.
    pub pseudonym: String,
    /// The bot's folder.
    pub folder: PathBuf,
    /// The time at which it was handed in.
    pub submitted: Option<DateTime<FixedOffset>>,
    /// A label, such as the course of studies: Dolos gives those with the same one the same colour. Empty for none.
    pub label: String,
}

/// The result of an export.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exported {
    /// The number of submissions by language, each of which has a folder of its own.
    pub languages: BTreeMap<String, usize>,
    /// Students whose sources were not exported, with the reasons.
    pub left_out: Vec<(String, String)>,
    /// The file that tells whose pseudonym is which, beside the folder.
    pub key: Option<PathBuf>,
}

/// Something that was exported for Dolos.
struct DolosRow {
    file: String,
    name: String,
    label: String,
    created: Option<DateTime<FixedOffset>>,
    is_given: bool,
}

/// Exports the sources of bots to the new folder `to`, with a folder for each language: `submissions/NAME/` for JPlag, `dolos/` with
/// info.csv, and `base/` with those files of `starters` (by paths such as `python/bot.py`) that are in the language. What builds make,
/// and folders such as `vendor`, are left out. With `as_pseudonyms`, names are pseudonyms, and `TO-key.csv` beside the folder tells the
/// students.
///
/// # Errors
/// There is something at `to` or at the place of the key, or the disk fails.
pub fn export_sources(
    bots: &[SourceFolder],
    starters: &[(&str, &[u8])],
    as_pseudonyms: bool,
    to: &Path,
) -> Result<Exported, ArenaError> {
    fs::create_dir(to).map_err(|e| ArenaError::disk("make the folder", to, e))?;
    let mut exported = Exported::default();
    if as_pseudonyms {
        exported.key = Some(write_key(bots, to)?);
    }
    let (mut names, mut rows) = (BTreeSet::new(), BTreeMap::<&str, Vec<DolosRow>>::new());
    for bot in bots {
        let sources = match sources_of(&bot.folder) {
            Ok(sources) => sources,
            Err(why) => {
                exported.left_out.push((bot.student.clone(), why));
                continue;
            }
        };
        let shown = if as_pseudonyms { &bot.pseudonym } else { &bot.student };
        let name = file_name(shown, &mut names);
        let language = sources.language;
        let folder = to.join(language.name);
        if !rows.contains_key(language.name) {
            rows.insert(language.name, write_given(starters, language, &folder)?);
        }
        for (path, bytes) in &sources.files {
            write(&folder.join("submissions").join(&name).join(path), bytes)?;
        }
        let files = sources.files.iter().map(|(path, bytes)| (path.as_path(), bytes.as_slice()));
        rows.entry(language.name).or_default().push(DolosRow {
            file: write_joined(files, language, &folder, &name)?,
            name: shown.clone(),
            label: bot.label.clone(),
            created: bot.submitted,
            is_given: false,
        });
        *exported.languages.entry(language.name.to_owned()).or_default() += 1;
    }
    for (language, rows) in &rows {
        write(&to.join(language).join("dolos/info.csv"), info_csv(rows).as_bytes())?;
    }
    Ok(exported)
}

/// Writes the code that all were given, as far as it is in the language. Gives its row for Dolos, if there is any.
fn write_given(
    starters: &[(&str, &[u8])],
    language: &CodeLanguage,
    folder: &Path,
) -> Result<Vec<DolosRow>, ArenaError> {
    let given = starters.iter().map(|(path, bytes)| (Path::new(*path), *bytes));
    let given: Vec<_> = given.filter(|(path, _)| language.has(path)).collect();
    for (path, bytes) in &given {
        write(&folder.join("base").join(path), bytes)?;
    }
    if given.is_empty() {
        return Ok(Vec::new());
    }
    let file = write_joined(given.into_iter(), language, folder, "_given")?;
    Ok(vec![DolosRow { file, name: String::new(), label: String::new(), created: None, is_given: true }])
}

/// Writes files as one for Dolos, each after a comment with its path. Gives the name of the file.
fn write_joined<'a>(
    files: impl Iterator<Item = (&'a Path, &'a [u8])>,
    language: &CodeLanguage,
    folder: &Path,
    name: &str,
) -> Result<String, ArenaError> {
    let mut joined = Vec::new();
    for (path, bytes) in files {
        let path = rules::printable_line(path.to_string_lossy().as_bytes(), MOST_OF_NAME);
        joined.extend(format!("{} {path}\n", language.comment).bytes());
        joined.extend(bytes);
        joined.push(b'\n');
    }
    let file = format!("{name}.{}", language.endings[0]);
    write(&folder.join("dolos").join(&file), &joined)?;
    Ok(file)
}

/// The table of Dolos. Times are in it only if all are known: Dolos takes a missing one for a wrong one.
fn info_csv(rows: &[DolosRow]) -> String {
    let has_times = rows.iter().all(|row| row.is_given || row.created.is_some());
    let mut csv = format!("filename,full_name,label,ignored{}\n", if has_times { ",created_at" } else { "" });
    for row in rows {
        let ignored = if row.is_given { "true" } else { "" };
        let mut fields = vec![row.file.clone(), row.name.clone(), row.label.clone(), ignored.to_owned()];
        if has_times {
            fields.push(row.created.map(|time| time.format("%Y-%m-%d %H:%M:%S %z").to_string()).unwrap_or_default());
        }
        csv += &fields.iter().map(|field| csv_field(field)).collect::<Vec<_>>().join(",");
        csv.push('\n');
    }
    csv
}

/// Writes the file that tells whose pseudonym is which, for the present user only.
fn write_key(bots: &[SourceFolder], to: &Path) -> Result<PathBuf, ArenaError> {
    let mut name = to.file_name().unwrap_or_default().to_owned();
    name.push("-key.csv");
    let path = to.with_file_name(name);
    let mut csv = "pseudonym,student\n".to_owned();
    for bot in bots {
        csv += &format!("{},{}\n", csv_field(&bot.pseudonym), csv_field(&bot.student));
    }
    let written = open_private(fs::OpenOptions::new().write(true).create_new(true), &path)
        .and_then(|mut file| file.write_all(csv.as_bytes()));
    written.map_err(|e| ArenaError::disk("write", &path, e))?;
    Ok(path)
}

/// A name for files and folders on all systems, different from those before in more than the case of letters.
fn file_name(name: &str, taken: &mut BTreeSet<String>) -> String {
    let plain: String =
        name.chars().map(|c| if c.is_alphanumeric() || " -.(),@".contains(c) { c } else { '_' }).collect();
    let plain = plain.trim_start_matches(|c: char| !c.is_alphanumeric());
    let short: String = plain.chars().take(MOST_OF_NAME).collect();
    let short = Some(short.trim_end_matches([' ', '.'])).filter(|short| !short.is_empty()).unwrap_or("unnamed");
    let (mut found, mut next) = (short.to_owned(), 2);
    while !taken.insert(found.to_lowercase()) {
        found = format!("{short} {next}");
        next += 1;
    }
    found
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), ArenaError> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| fs::write(path, bytes)).map_err(|e| ArenaError::disk("write", path, e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_all_systems_and_differ() {
        let mut taken = BTreeSet::new();
        let names =
            ["Zoë Müller (7)", "zoë müller (7)", "../../etc", "=1+1", "-rf", "a/b", "...", "trailing. ", "\u{202e}x"];
        let names = names.map(|name| file_name(name, &mut taken));
        let expected = ["Zoë Müller (7)", "zoë müller (7) 2", "etc", "1_1", "rf", "a_b", "unnamed", "trailing", "x"];
        assert_eq!(names, expected);
        assert_eq!(file_name(&"ü".repeat(300), &mut taken).chars().count(), MOST_OF_NAME);
    }
}
