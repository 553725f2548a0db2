//! A page, with its code blocks and the comments that say how a block is tested.

use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// The folder of the repository.
pub fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A page in Markdown.
pub struct Page {
    /// Its path in the repository.
    pub path: String,
    pub text: String,
}

impl Page {
    /// The README, the page for contributors, the pages of `docs/`, and the README of `replays/`, which has commands as well.
    pub fn all() -> Vec<Page> {
        let docs = WalkDir::new(top().join("docs")).sort_by_file_name().into_iter().filter_entry(|entry| {
            // The site that mdBook has built.
            entry.path() != top().join("docs/book")
        });
        let docs =
            docs.map(|entry| entry.unwrap().into_path()).filter(|path| path.extension().is_some_and(|e| e == "md"));
        let docs = docs.map(|path| path.strip_prefix(top()).unwrap().to_str().unwrap().to_owned());
        let paths = ["README.md", "CONTRIBUTING.md", "replays/README.md"].map(str::to_owned).into_iter().chain(docs);
        paths.map(|path| Page { text: fs::read_to_string(top().join(&path)).unwrap(), path }).collect()
    }

    /// Its blocks and commands, in order.
    ///
    /// # Errors
    /// A block without an end, and a comment about a block where no block follows, with the number of the line.
    pub fn parts(&self) -> Result<Vec<Part>, String> {
        let mut parts = Vec::new();
        let mut note: Option<(usize, Note)> = None;
        let mut lines = self.text.lines().enumerate().map(|(at, line)| (at + 1, line));
        while let Some((at, line)) = lines.next() {
            let indent = line.len() - line.trim_start().len();
            if let Some(language) = line.trim_start().strip_prefix("```") {
                let mut text = String::new();
                loop {
                    let (_, line) = lines.next().ok_or(format!("{}:{at}: the block has no end", self.path))?;
                    if line.trim() == "```" {
                        break;
                    }
                    text.push_str(line.get(indent..).unwrap_or_default());
                    text.push('\n');
                }
                let note = note.take().map(|(_, note)| note);
                parts.push(Part { line: at, what: What::Block(Block { language: language.to_owned(), text, note }) });
                continue;
            }
            if let Some((at, _)) = note.take_if(|_| !line.trim().is_empty()) {
                return Err(format!("{}:{at}: no block follows this comment", self.path));
            }
            let Some(comment) = line.trim().strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")) else {
                continue;
            };
            if let Some(commands) = comment.strip_prefix("set up: ") {
                parts.push(Part { line: at, what: What::SetUp(commands.to_owned()) });
            } else {
                note = Note::read(comment).map(|note| (at, note));
            }
        }
        match note {
            Some((at, _)) => Err(format!("{}:{at}: no block follows this comment", self.path)),
            None => Ok(parts),
        }
    }
}

/// A part of a page that is tested.
pub struct Part {
    /// The number of its first line.
    pub line: usize,
    pub what: What,
}

pub enum What {
    Block(Block),
    /// `<!-- set up: COMMANDS -->`: shell commands for what readers have or do by hand at this place.
    SetUp(String),
}

/// A fenced code block.
pub struct Block {
    /// The word behind the fence; may be empty.
    pub language: String,
    /// The lines without the indentation of the fence.
    pub text: String,
    /// The comment before it.
    pub note: Option<Note>,
}

/// A comment before a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// `<!-- not run: REASON -->`
    NotRun(String),
    /// `<!-- output -->`: lines that the commands before have printed; numbers may differ.
    Output,
    /// `<!-- file: NAME -->`: written to the folder in which the page's commands run, and read as Broadside reads such a file.
    File(String),
    /// `<!-- part of: PATH -->`: stands in this file of the repository. `[...]`, `{...}` and `,...]` stand for anything.
    PartOf(String),
    /// `<!-- schema: FILE -->`: JSON that holds to this schema of `docs/`.
    Schema(String),
    /// `<!-- tested by: NAME -->`: another test reads the page.
    TestedBy(String),
}

impl Note {
    /// `None` for a comment that is not about a block.
    fn read(comment: &str) -> Option<Note> {
        if comment == "output" {
            return Some(Note::Output);
        }
        let (key, value) = comment.split_once(": ")?;
        let make = match key {
            "not run" => Note::NotRun,
            "file" => Note::File,
            "part of" => Note::PartOf,
            "schema" => Note::Schema,
            "tested by" => Note::TestedBy,
            _ => return None,
        };
        Some(make(value.to_owned()))
    }
}
