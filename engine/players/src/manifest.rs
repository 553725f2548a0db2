//! bot.json: who a bot is and how it is run (published text, "Your Bot").

use crate::process::Language;
use arena::open_regular;
use rules::entelect_2017::files::decode;
use rules::{PlayerInfo, json_hint, json_mistake, printable_prefix};
use serde_json::{Map, Value};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The contents of a bot.json (files of 2017, "Your Bot"; `Stay` is an addition, see docs/protocols/entelect-2017.md).
///
/// ```
/// use players::Manifest;
/// use std::path::Path;
///
/// let text = r#"{"NickName": "Kraken", "BotType": "Python3", "ProjectLocation": "", "RunFile": "bot.py"}"#;
/// let manifest = Manifest::parse(Path::new("/bots/kraken"), text)?;
/// assert_eq!(manifest.run_path(), Path::new("/bots/kraken/bot.py"));
/// assert_eq!(manifest.details.name(), "Kraken");
/// # Ok::<(), players::ManifestError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Manifest {
    /// The bot's folder; absolute.
    pub folder: PathBuf,
    /// The description of the bot.
    pub details: PlayerInfo,
    /// The language of the bot.
    pub language: &'static Language,
    /// The path of the project, relative to the bot's folder; empty for that folder itself, also if bot.json names none.
    pub project: PathBuf,
    /// The path of the program or script that is run, relative to the bot's folder.
    pub run_file: PathBuf,
    /// The further arguments of the program.
    pub run_args: Vec<String>,
    /// True if the program is started once a match and stays, which 2017 did not know; false to start it for every turn.
    pub stay: bool,
}

/// A folder that has no bot to run.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// The folder is missing.
    #[error("there is no folder {}", .0.display())]
    NoFolder(PathBuf),
    /// The folder has no bot.json.
    #[error("there is no bot.json in {}", .0.display())]
    NoManifest(PathBuf),
    /// The folder has a file that may be meant.
    #[error("there is no bot.json in {}, but {name}", folder.display())]
    OtherName {
        /// The folder.
        folder: PathBuf,
        /// The name of the file.
        name: String,
    },
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The file is not a JSON object.
    #[error("{} is broken: {why}", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// The mistake and its place.
        why: String,
        /// Advice for the user.
        hint: &'static str,
    },
    /// The value of a key cannot be used.
    #[error("{} is broken: {why}", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// The key and the mistake.
        why: String,
        /// Advice for the user.
        hint: &'static str,
    },
    /// A name in the file is longer than names may be.
    #[error("{}: {key} has more than {MOST_OF_NAME} characters", path.display())]
    LongName {
        /// The file.
        path: PathBuf,
        /// The key of the name.
        key: String,
    },
    /// BotType names no language.
    #[error("{}: unknown BotType {given}", path.display())]
    UnknownType {
        /// The file.
        path: PathBuf,
        /// The value of BotType, made printable.
        given: String,
    },
}

impl ManifestError {
    /// Advice for the user.
    pub fn hint(&self) -> String {
        match self {
            ManifestError::NoFolder(_) => {
                "name the path of a folder that has a bot.json; `broadside new` makes one, with a bot that plays"
                    .to_owned()
            }
            ManifestError::NoManifest(_) => {
                r#"write one: {"NickName": "…", "BotType": "Python3", "RunFile": "bot.py"}"#.to_owned()
            }
            ManifestError::OtherName { folder, name } => {
                let [from, to] = [name, "bot.json"].map(|name| crate::shell_word(folder.join(name)));
                format!("rename it: mv {from} {to}")
            }
            ManifestError::Unreadable { .. } => "check its permissions".to_owned(),
            ManifestError::Broken { hint, .. } | ManifestError::Value { hint, .. } => (*hint).to_owned(),
            ManifestError::LongName { key, .. } => format!("shorten {key}: it is written in every file of a match"),
            ManifestError::UnknownType { .. } => format!("it is one of {}", Language::names().join(", ")),
        }
    }
}

impl Manifest {
    /// Reads `folder`/bot.json.
    ///
    /// # Errors
    /// [`ManifestError`] for a missing folder or file, one that cannot be read, and the errors of [`Manifest::parse`];
    /// [`ManifestError::hint`] tells the user what to do.
    pub fn read(folder: &Path) -> Result<Manifest, ManifestError> {
        if !folder.is_dir() {
            return Err(ManifestError::NoFolder(folder.to_owned()));
        }
        let unreadable = |path: &Path, source| ManifestError::Unreadable { path: path.to_owned(), source };
        let folder = fs::canonicalize(folder).map_err(|e| unreadable(folder, e))?;
        let path = folder.join("bot.json");
        let bytes = read(&path).map_err(|e| match e.kind() {
            io::ErrorKind::NotFound => match other_name(&folder) {
                Some(name) => ManifestError::OtherName { folder: folder.clone(), name },
                None => ManifestError::NoManifest(folder.clone()),
            },
            _ => unreadable(&path, e),
        })?;
        Manifest::parse(&folder, &decode(&bytes))
    }

    /// Reads the text of a bot.json in the (absolute) `folder`: keys in any letter case, unknown ones ignored,
    /// BotType as a name in any letter case or as the original's number, back slashes in paths.
    ///
    /// # Errors
    /// [`ManifestError::Broken`] if it is not a JSON object or lacks a key, [`ManifestError::Value`] with the key and the mistake in its
    /// value, [`ManifestError::LongName`] for a name of more than 1000 characters, or [`ManifestError::UnknownType`].
    pub fn parse(folder: &Path, text: &str) -> Result<Manifest, ManifestError> {
        let path = || folder.join("bot.json");
        const OBJECT: &str = "it must be a JSON object with BotType and RunFile";
        let broken = |why: String| ManifestError::Broken { path: path(), why, hint: OBJECT };
        let unusable = |why: String, hint| ManifestError::Value { path: path(), why, hint };
        let values: Map<String, Value> = serde_json::from_str(text).map_err(|error| {
            let hint = json_hint(text, &error).unwrap_or(OBJECT);
            ManifestError::Broken { path: path(), why: json_mistake(&error), hint }
        })?;
        let value = |key: &str| {
            let found = values.iter().rev().find(|(name, _)| name.eq_ignore_ascii_case(key));
            found.map(|(_, value)| value).filter(|value| !value.is_null())
        };
        let text = |key: &str| match value(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => {
                let other = printable_prefix(&other.to_string(), MOST_SHOWN);
                Err(unusable(format!("{key} must be a text, not {other}"), "write it between quotation marks"))
            }
        };
        let needed = |key: &str| text(key)?.ok_or_else(|| broken(format!("{key} is missing")));
        let name = |key: &str| match text(key)? {
            Some(long) if long.chars().nth(MOST_OF_NAME).is_some() => {
                Err(ManifestError::LongName { path: path(), key: key.to_owned() })
            }
            name => Ok(name),
        };
        let local_path = |text: String| PathBuf::from(text.replace('\\', "/"));

        let bot_type = value("BotType").ok_or_else(|| broken("BotType is missing".to_owned()))?;
        let language = match bot_type {
            Value::String(name) => Language::from_name(name),
            Value::Number(number) => number.as_u64().and_then(Language::from_number),
            _ => None,
        };
        let language = language.ok_or_else(|| ManifestError::UnknownType {
            path: path(),
            given: printable_prefix(&bot_type.to_string(), MOST_SHOWN),
        })?;
        let run_file = local_path(needed("RunFile")?);
        if run_file.as_os_str().is_empty() {
            return Err(unusable("RunFile is empty".to_owned(), "name the program or script that is run"));
        }
        let run_args = text("RunArgs")?.unwrap_or_default();
        if run_args.len() > MOST_OF_RUN_ARGS {
            let given = run_args.len();
            let why = format!(
                "RunArgs has {given} bytes, and may have {MOST_OF_RUN_ARGS}: Linux starts no program with a longer argument than 131071"
            );
            return Err(unusable(why, "put it into a file in the bot's folder, and let the bot read that"));
        }
        // The original took the bot's folder for it, too.
        let project = local_path(text("ProjectLocation")?.unwrap_or_default());
        let stay = match value("Stay") {
            None => false,
            Some(Value::Bool(stay)) => *stay,
            Some(other) => {
                let other = printable_prefix(&other.to_string(), MOST_SHOWN);
                let why = format!("Stay must be true or false, not {other}");
                return Err(unusable(why, "write true or false without quotation marks"));
            }
        };
        let has_nul = |path: &Path| path.as_os_str().as_encoded_bytes().contains(&0);
        if run_args.contains('\0') || has_nul(&run_file) || has_nul(&project) {
            let why = "a NUL can be in no argument and no path".to_owned();
            return Err(unusable(why, r"remove the \u0000 from RunFile, RunArgs and ProjectLocation"));
        }
        Ok(Manifest {
            folder: folder.to_owned(),
            details: PlayerInfo {
                author: name("Author")?,
                nick_name: name("NickName")?,
                email: name("Email")?,
                bot_type: language.name.to_owned(),
            },
            language,
            project,
            run_file,
            run_args: shlex::split(&run_args).ok_or_else(|| {
                let shown = printable_prefix(&run_args, MOST_SHOWN);
                let why = format!("RunArgs has a quote that is never closed: {shown}");
                unusable(why, r"close it, or write a backslash before it (two in JSON: \\)")
            })?,
            stay,
        })
    }

    /// The program or script that is run; absolute.
    pub fn run_path(&self) -> PathBuf {
        self.folder.join(&self.run_file)
    }

    /// The root of its project; absolute.
    pub fn project_path(&self) -> PathBuf {
        // Nothing joined would be a slash at the end.
        if self.project.as_os_str().is_empty() { self.folder.clone() } else { self.folder.join(&self.project) }
    }
}

/// The name of a file in the folder that is meant as its bot.json, if there is one: in other letter case, or with the ending that an
/// editor for texts adds.
fn other_name(folder: &Path) -> Option<String> {
    let names = fs::read_dir(folder).ok()?.flatten().filter_map(|file| file.file_name().into_string().ok());
    let is_meant = |name: &String| ["bot.json", "bot.json.txt"].contains(&name.to_ascii_lowercase().as_str());
    names.filter(is_meant).min()
}

/// The largest bot.json that is read, in bytes.
const CAP: u64 = 1024 * 1024;
/// The most characters of a name, which is in every file of a match.
const MOST_OF_NAME: usize = 1000;
/// The most bytes of RunArgs: those of a whole command line on the Windows of 2017. Linux refuses to start a program with more than
/// 131,071 bytes in one argument.
const MOST_OF_RUN_ARGS: usize = 32_767;
/// The most characters of a value that are shown to people.
const MOST_SHOWN: usize = 60;

/// The beginning of a regular file; anything else might never end.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.take(CAP).read_to_end(&mut bytes)?;
    Ok(bytes)
}
