//! broadside.toml: the user's settings for this machine.

use arena::open_input;
use players::process::Language;
use players::{Tools, is_executable};
use rules::input_text;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::{env, io};
use toml::Spanned;

/// The name of the file.
const NAME: &str = "broadside.toml";

/// The errors of the settings file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingsError {
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The file is not TOML, or has an unknown key or a wrong value.
    #[error("{}, line {line}: {why}", path.display())]
    Broken {
        /// The path of the file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The mistake.
        why: String,
        /// The advice to the user.
        hint: String,
    },
}

impl SettingsError {
    /// The advice to the user.
    pub(crate) fn hint(&self) -> String {
        match self {
            SettingsError::Unreadable { .. } => {
                "check the path (of --settings or BROADSIDE_SETTINGS), that it is a file, and its permissions"
                    .to_owned()
            }
            SettingsError::Broken { hint, .. } => hint.clone(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SettingsFile {
    #[serde(default)]
    tools: BTreeMap<Spanned<String>, Spanned<String>>,
    cluster: Option<ClusterSettings>,
}

/// The NATS server of the user's cluster, with the login there.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClusterSettings {
    /// Its address, as on the command line.
    pub(crate) server: String,
    /// The keys of heads for which workers play, with commas between them.
    #[serde(default)]
    pub(crate) head: String,
    /// The keys of the workers whose results count, with commas between them; those of all if there is none.
    #[serde(default)]
    pub(crate) workers: String,
    /// The files to log in with. Relative paths begin in the folder of the settings.
    pub(crate) creds: Option<PathBuf>,
    pub(crate) nkey: Option<PathBuf>,
    pub(crate) ca: Option<PathBuf>,
    pub(crate) cert: Option<PathBuf>,
    pub(crate) key: Option<PathBuf>,
}

/// The user's settings for this machine.
#[derive(Debug)]
pub(crate) struct Settings {
    /// The tools that they name, and those on the PATH.
    pub(crate) tools: Tools,
    /// The cluster that they name.
    #[cfg_attr(not(feature = "full"), expect(dead_code, reason = "only full programs have clusters"))]
    pub(crate) cluster: Option<ClusterSettings>,
}

/// The environment variable with the path of the settings file.
const VARIABLE: &str = "BROADSIDE_SETTINGS";

/// The tools of the [user's settings](user).
///
/// # Errors
/// As for [`user`].
pub(crate) fn tools(named: Option<&Path>) -> Result<Tools, SettingsError> {
    user(named).map(|settings| settings.tools)
}

/// The user's settings. They are in the file `named`, else in that of the variable `BROADSIDE_SETTINGS`, else in the user's folder for settings if that has one.
///
/// A file in the working directory does not count: it names programs that are started without a sandbox, and whoever made
/// the folder (a bot that plays there, the author of a submission) may have made the file.
///
/// # Errors
/// [`SettingsError`] if the file cannot be read or understood, or was named and does not exist; its hint tells what to
/// change.
pub(crate) fn user(named: Option<&Path>) -> Result<Settings, SettingsError> {
    let variable = env::var_os(VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
    let named = named.map(Path::to_owned).or(variable);
    let usual = user_settings();
    let is_read = |path: &Path| named.iter().chain(&usual).any(|read| same_file(read, path));
    if Path::new(NAME).exists() && !is_read(Path::new(NAME)) {
        // Some commands read the settings twice.
        static TOLD: Once = Once::new();
        TOLD.call_once(|| {
            let free = usual.as_deref().filter(|path| !path.exists());
            let user = free.map(|path| format!("move it to {}, or ", path.display())).unwrap_or_default();
            log::warn!("{NAME} in the working directory is not read; if it is yours, {user}name it with --settings");
        });
    }
    match named.or_else(|| usual.filter(|path| path.exists())) {
        Some(path) => read(&path, Tools::on_path()),
        None => Ok(Settings { tools: Tools::on_path(), cluster: None }),
    }
}

/// True if both paths lead to the same file.
pub(crate) fn same_file(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// `broadside/broadside.toml` in `$XDG_CONFIG_HOME`, else in `~/.config`.
fn user_settings() -> Option<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")))?;
    Some(folder.join("broadside").join(NAME))
}

fn read(path: &Path, tools: Tools) -> Result<Settings, SettingsError> {
    let unreadable = |source| SettingsError::Unreadable { path: path.to_owned(), source };
    let mut bytes = Vec::new();
    open_input(path).and_then(|mut file| file.read_to_end(&mut bytes)).map_err(unreadable)?;
    let text = input_text(&bytes).map_err(|error| unreadable(io::Error::new(io::ErrorKind::InvalidData, error)))?;
    let full = std::path::absolute(path).map_err(unreadable)?;
    parse(&full, text, tools)
}

/// Reads the `text` of the file at `path`, which is absolute.
fn parse(path: &Path, text: &str, mut tools: Tools) -> Result<Settings, SettingsError> {
    let broken = |start: usize, why: String, hint: &str| SettingsError::Broken {
        path: path.to_owned(),
        line: text.as_bytes()[..start.min(text.len())].iter().filter(|byte| **byte == b'\n').count() + 1,
        why,
        hint: hint.to_owned(),
    };
    let file: SettingsFile = toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        broken(
            start,
            error.message().to_owned(),
            "expected [tools] with lines such as node = \"/opt/node/bin/node\", or [cluster] with server = \"nats://HOST\"",
        )
    })?;
    let known = Language::tools();
    for (name, place) in file.tools {
        let key = name.get_ref();
        if !known.contains(key.as_str()) {
            let names = known.iter().copied().collect::<Vec<_>>().join(", ");
            return Err(broken(name.span().start, format!("unknown tool {key}"), &format!("the tools are {names}")));
        }
        let found = find(path, place.get_ref(), &tools).ok_or_else(|| {
            let why = format!("{key} = {:?}: there is no such program", place.get_ref());
            broken(place.span().start, why, "correct the path, or remove the line to find the program on the PATH")
        })?;
        tools.place(key, found);
    }
    if let Some(ClusterSettings { cert, key, .. }) = &file.cluster
        && cert.is_some() != key.is_some()
    {
        let start = text.find("[cluster]").unwrap_or_default();
        let why = "[cluster] has one of cert and key without the other".to_owned();
        return Err(broken(start, why, "name both: the certificate, and its key"));
    }
    let from_here = |place: PathBuf| path.parent().unwrap_or(Path::new("/")).join(place);
    let cluster = file.cluster.map(|ClusterSettings { server, head, workers, creds, nkey, ca, cert, key }| {
        let [creds, nkey, ca, cert, key] = [creds, nkey, ca, cert, key].map(|place| place.map(from_here));
        ClusterSettings { server, head, workers, creds, nkey, ca, cert, key }
    });
    Ok(Settings { tools, cluster })
}

/// Finds a program: a name without `/` on the PATH, a path relative to the folder of the file.
fn find(file: &Path, place: &str, tools: &Tools) -> Option<PathBuf> {
    if !place.contains('/') {
        return tools.find(place);
    }
    let path = file.parent().unwrap_or(Path::new("/")).join(place);
    is_executable(&path).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Settings, SettingsError> {
        parse(Path::new("/etc/broadside.toml"), text, Tools::in_folders(["/bin".into()]))
    }

    fn said(text: &str) -> String {
        parsed(text).unwrap_err().to_string()
    }

    #[test]
    fn a_tool_may_be_a_path_or_a_name() {
        let tools = parsed("[tools]\nnode = '/bin/sh'\njava = '../bin/sh'\nlua = 'sh'\n").unwrap().tools;
        assert_eq!(tools.find("node").unwrap(), Path::new("/bin/sh"));
        assert_eq!(tools.find("java").unwrap(), Path::new("/etc/../bin/sh"));
        assert_eq!(tools.find("lua").unwrap(), Path::new("/bin/sh"));
        assert_eq!(tools.find("sh").unwrap(), Path::new("/bin/sh"));
        assert!(parsed("").is_ok());
    }

    #[test]
    fn a_cluster_has_an_address_and_files_beside_the_settings() {
        let cluster = |text: &str| parsed(text).map(|settings| settings.cluster.unwrap());
        let found = cluster("[cluster]\nserver = 'nats://host'\ncreds = 'head.creds'\nca = '/ca.pem'\n").unwrap();
        assert_eq!(found.server, "nats://host");
        assert_eq!((found.creds.unwrap(), found.ca.unwrap()), ("/etc/head.creds".into(), "/ca.pem".into()));
        assert!(cluster("[cluster]\nca = 'x'").unwrap_err().to_string().contains("missing field `server`"));
        let unknown = cluster("[cluster]\nserver = 'h'\npassword = 'x'").unwrap_err().to_string();
        assert!(unknown.contains("unknown field `password`"), "{unknown}");
        let half = cluster("[cluster]\nserver = 'h'\ncert = 'x'").unwrap_err().to_string();
        assert!(half.contains("line 1: [cluster] has one of cert and key"), "{half}");
    }

    #[test]
    fn what_is_wrong_is_said_with_file_and_line() {
        assert!(said("\n[tools\n").starts_with("/etc/broadside.toml, line 2: "));
        assert_eq!(
            said("[tools]\n\nnode = \"/no/such\"").lines().next().unwrap(),
            "/etc/broadside.toml, line 3: node = \"/no/such\": there is no such program"
        );
        assert_eq!(said("[tools]\npyhton3 = '/bin/sh'"), "/etc/broadside.toml, line 2: unknown tool pyhton3");
        let unknown = said("a = 1\n");
        assert!(unknown.contains("line 1") && unknown.contains("unknown field `a`"), "{unknown}");
        assert!(said("[tools]\nnode = 1").contains("line 2: "));
        assert!(parsed("[tools]\nnod = 'x'").unwrap_err().hint().contains("node"));
    }
}
