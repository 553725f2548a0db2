//! The settings of this user by which build tools reach registries, as far as they are no secrets: addresses of registries,
//! mirrors and proxies, without names and passwords, and files of certificates.
//!
//! A build in the sandbox has a home of its own, in which no tool finds the user's settings, and it runs code of strangers. So it
//! gets a copy of what is listed here, and nothing else: no token, no password, no key.

use platform::files::Folder;
use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Variables that are passed on, in small letters. The settings in pip's, npm's and Go's own files have the same names.
const VARIABLES: [&str; 23] = [
    "all_proxy",
    "cargo_http_proxy",
    "goinsecure",
    "gonoproxy",
    "gonosumdb",
    "goprivate",
    "goproxy",
    "gosumdb",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "npm_config_https_proxy",
    "npm_config_noproxy",
    "npm_config_proxy",
    "npm_config_registry",
    "npm_config_strict_ssl",
    "pip_default_timeout",
    "pip_extra_index_url",
    "pip_index_url",
    "pip_proxy",
    "pip_timeout",
    "pip_trusted_host",
    "ssl_cert_dir",
];
/// Variables that name a file of certificates, which the build may read.
const CERTIFICATES: [&str; 9] = [
    "bundle_ssl_ca_cert",
    "cargo_http_cainfo",
    "composer_cafile",
    "curl_ca_bundle",
    "node_extra_ca_certs",
    "npm_config_cafile",
    "pip_cert",
    "requests_ca_bundle",
    "ssl_cert_file",
];
/// Beginnings of names: mirrors of Bundler, and registries of one scope of npm.
const FAMILIES: [&str; 2] = ["bundle_mirror__", "npm_config_@"];
/// Keys of Cargo's settings that are passed on, by table: those of each source and registry, and those of the table itself.
const CARGO_NAMED: [(&str, &[&str]); 2] = [
    ("registries", &["index", "protocol"]),
    ("source", &["branch", "directory", "git", "local-registry", "registry", "replace-with", "rev", "tag"]),
];
const CARGO_PLAIN: [(&str, &[&str]); 3] = [
    ("http", &["check-revoke", "multiplexing", "proxy", "timeout"]),
    ("net", &["git-fetch-with-cli", "retry"]),
    ("registry", &["default"]),
];
/// Elements of Maven's settings that are passed on.
const MAVEN: [&str; 2] = ["mirrors", "proxies"];
/// The largest file of settings or certificates that is read, in bytes.
const MOST: u64 = 16 << 20;

/// The settings of this user by which build tools reach registries.
#[derive(Debug, Default)]
pub(super) struct RegistrySettings {
    variables: BTreeMap<String, String>,
    /// Cargo's settings, as TOML.
    cargo: String,
    /// Maven's settings, as XML.
    maven: String,
}

impl RegistrySettings {
    /// The settings in the environment, in the files of this user and in those of the system. Of two, the first counts.
    pub(super) fn of_user() -> RegistrySettings {
        let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = variable("HOME").unwrap_or_default();
        let config = variable("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"));
        let named = |name: &str, usual: PathBuf| variable(name).unwrap_or(usual);
        let files = [
            (named("PIP_CONFIG_FILE", config.join("pip/pip.conf")), "PIP_"),
            (home.join(".pip/pip.conf"), "PIP_"),
            ("/etc/pip.conf".into(), "PIP_"),
            (named("NPM_CONFIG_USERCONFIG", home.join(".npmrc")), "npm_config_"),
            ("/etc/npmrc".into(), "npm_config_"),
            (named("GOENV", config.join("go/env")), ""),
        ];
        let mut settings = RegistrySettings::default();
        env::vars_os().for_each(|(name, value)| {
            if let (Ok(name), Ok(value)) = (name.into_string(), value.into_string()) {
                settings.add(&name, &value);
            }
        });
        for (file, prefix) in files {
            lines(&text(&file)).for_each(|(key, value)| settings.add_of_file(prefix, key, &value));
        }
        let cargo = named("CARGO_HOME", home.join(".cargo"));
        for name in ["config", "config.toml"] {
            if let Ok(table) = text(&cargo.join(name)).parse::<Table>() {
                settings.cargo = cargo_settings(&table);
                let cainfo = table.get("http").and_then(|http| http.get("cainfo")).and_then(Value::as_str);
                cainfo.into_iter().for_each(|cainfo| settings.add_of_file("CARGO_HTTP_", "cainfo", cainfo));
            }
        }
        settings.maven = maven_settings(&text(&home.join(".m2/settings.xml")));
        settings
    }

    /// The environment variables of the build.
    pub(super) fn variables(&self) -> impl Iterator<Item = (&str, &str)> {
        self.variables.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The files of certificates, which the build has to read.
    pub(super) fn certificates(&self) -> impl Iterator<Item = PathBuf> {
        let named = self.variables.iter().filter(|(name, _)| is_one_of(&CERTIFICATES, name));
        named.map(|(_, path)| PathBuf::from(path))
    }

    /// Writes the files among the settings into the home of a build. Earlier builds may have put anything there, such as links.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub(super) fn write(&self, home: &Path) -> io::Result<()> {
        let home = Folder::open(home)?;
        for (folder, name, text) in [(".cargo", "config.toml", &self.cargo), (".m2", "settings.xml", &self.maven)] {
            let (folder, _) = home.step_into(Path::new(folder))?;
            folder.remove(name)?;
            if !text.is_empty() {
                folder.create(name)?.write_all(text.as_bytes())?;
            }
        }
        Ok(())
    }

    /// Adds a setting of a file of pip, npm or Go, unless the environment or an earlier file has it.
    fn add_of_file(&mut self, prefix: &str, key: &str, value: &str) {
        // `@scope:registry` is a key of npm.
        let key = if key.starts_with('@') { key.to_owned() } else { key.replace('-', "_") };
        let key = if prefix == "PIP_" { key.to_ascii_uppercase() } else { key };
        let name = format!("{prefix}{key}");
        // A value with `${` stands for a variable that the build does not have.
        if !value.contains("${") && !self.variables.keys().any(|known| known.eq_ignore_ascii_case(&name)) {
            self.add(&name, value);
        }
    }

    fn add(&mut self, name: &str, value: &str) {
        let is_family = FAMILIES.iter().any(|family| name.to_ascii_lowercase().starts_with(family));
        if is_one_of(&CERTIFICATES, name) {
            // The build could read what lies beside the certificates.
            let found = text(Path::new(value));
            if !Path::new(value).is_absolute() || found.is_empty() || found.contains("PRIVATE KEY") {
                log::warn!("builds get no {name}: {value} is not the absolute path of a file with certificates alone");
                return;
            }
        } else if !is_family && !is_one_of(&VARIABLES, name) {
            return;
        }
        self.variables.insert(name.to_owned(), without_secrets(value));
    }
}

fn is_one_of(names: &[&str], name: &str) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// The text of a file of settings; empty if it cannot be read.
fn text(path: &Path) -> String {
    let is_small = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() <= MOST);
    if is_small { fs::read_to_string(path).unwrap_or_default() } else { String::new() }
}

/// The keys and values of lines such as `key = value`. Lines that begin with a blank continue the one before.
fn lines(text: &str) -> impl Iterator<Item = (&str, String)> {
    let mut found: Vec<(&str, String)> = Vec::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with(['#', ';'])) {
        if let (true, Some((_, value))) = (line.starts_with([' ', '\t']), found.last_mut()) {
            *value = format!("{value} {}", line.trim()).trim().to_owned();
        } else if let Some((key, value)) = line.split_once('=') {
            found.push((key.trim(), value.trim().trim_matches('"').to_owned()));
        }
    }
    found.into_iter()
}

/// The text with no name, password or query in its addresses.
fn without_secrets(text: &str) -> String {
    let is_end = |c: char| c.is_whitespace() || ",|<>\"".contains(c);
    let clean = |word: &str| {
        let (scheme, rest) = word.split_at(word.find("://").map_or(0, |at| at + 3));
        let (address, end) = rest.split_at(rest.trim_end_matches(is_end).len());
        let address = if scheme.is_empty() { address } else { address.split(['?', '#']).next().unwrap_or_default() };
        let host_ends = address.find('/').unwrap_or(address.len());
        // Proxies may be written without a scheme.
        let host_begins = address[..host_ends].rfind('@').map_or(0, |at| at + 1);
        format!("{scheme}{}{end}", &address[host_begins..])
    };
    text.split_inclusive(is_end).map(clean).collect()
}

/// What is passed on of Cargo's settings, as TOML.
fn cargo_settings(table: &Table) -> String {
    let inner = |name: &str| table.get(name).and_then(Value::as_table).into_iter().flatten();
    let mut text = String::new();
    let mut add = |path: &[&str], key: &str, value: &Value| {
        let value = match value {
            // Texts of JSON are texts of TOML.
            Value::String(value) => serde_json::Value::from(without_secrets(value)).to_string(),
            Value::Integer(value) => value.to_string(),
            Value::Boolean(value) => value.to_string(),
            _ => return,
        };
        let names = path.iter().chain([&key]).map(|name| serde_json::Value::from(*name).to_string());
        let _ = writeln!(text, "{} = {value}", names.collect::<Vec<_>>().join("."));
    };
    for (name, keys) in CARGO_PLAIN {
        inner(name).filter(|(key, _)| keys.contains(&key.as_str())).for_each(|(key, value)| add(&[name], key, value));
    }
    for (name, keys) in CARGO_NAMED {
        for (one, table) in inner(name).filter_map(|(one, table)| Some((one, table.as_table()?))) {
            let wanted = table.iter().filter(|(key, _)| keys.contains(&key.as_str()));
            wanted.for_each(|(key, value)| add(&[name, one], key, value));
        }
    }
    text
}

/// What is passed on of Maven's settings, as XML; empty if there is nothing.
fn maven_settings(text: &str) -> String {
    let text = without_elements(text, "<!--", "-->");
    let kept = MAVEN.iter().filter_map(|name| {
        let (_, rest) = text.split_once(&format!("<{name}>"))?;
        let (inner, _) = rest.split_once(&format!("</{name}>"))?;
        let inner = ["username", "password"].iter().fold(inner.to_owned(), |inner, secret| {
            without_elements(&inner, &format!("<{secret}>"), &format!("</{secret}>"))
        });
        Some(format!("<{name}>{}</{name}>", without_secrets(&inner)))
    });
    let kept: String = kept.collect();
    if kept.is_empty() { kept } else { format!("<settings>{kept}</settings>\n") }
}

/// The text without everything from each `start` to the next `end`; what has no end goes to the end of the text.
fn without_elements(text: &str, start: &str, end: &str) -> String {
    let mut parts = text.split(start);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.filter_map(|part| part.split_once(end)).fold(first, |text, (_, rest)| text + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(settings: &[(&str, &str)]) -> Vec<(String, String)> {
        let mut all = RegistrySettings::default();
        settings.iter().for_each(|(name, value)| all.add(name, value));
        all.variables.into_iter().collect()
    }

    #[test]
    fn addresses_are_passed_on_without_names_and_passwords_and_nothing_else_is() {
        let passed = |name: &str, value: &str| added(&[(name, value)]).pop().map(|(_, value)| value);
        assert_eq!(passed("PIP_INDEX_URL", "https://me:secret@host:1/simple/").unwrap(), "https://host:1/simple/");
        assert_eq!(
            passed("GOPROXY", "https://a@b@one|http://two/?t=1,direct").unwrap(),
            "https://one|http://two/,direct"
        );
        assert_eq!(passed("HTTPS_PROXY", "http://proxy:3128").unwrap(), "http://proxy:3128");
        assert_eq!(passed("no_proxy", "localhost").unwrap(), "localhost");
        assert!(passed("BUNDLE_MIRROR__ALL", "http://gems").is_some());
        for secret in ["NPM_TOKEN", "npm_config_//host/:_authToken", "PIP_CLIENT_CERT", "CARGO_REGISTRY_TOKEN"] {
            assert_eq!(passed(secret, "x"), None, "{secret}");
        }
    }

    #[test]
    fn files_of_pip_npm_and_go_are_read_like_their_tools_read_them() {
        let of = |prefix: &str, text: &str| {
            let mut settings = RegistrySettings::default();
            settings.add("PIP_TIMEOUT", "9");
            lines(text).for_each(|(key, value)| settings.add_of_file(prefix, key, &value));
            settings.variables.remove("PIP_TIMEOUT");
            settings.variables.into_iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
        };
        let pip = "[global]\n# a comment\nindex-url = https://u:p@host/simple\nextra-index-url =\n  http://a\n  http://b\ntimeout = 1\n";
        assert_eq!(of("PIP_", pip), ["PIP_EXTRA_INDEX_URL=http://a http://b", "PIP_INDEX_URL=https://host/simple"]);
        let npm = "registry=\"http://host/npm/\"\n@mine:registry=http://mine/\n//host/npm/:_authToken=secret\nproxy=${PROXY}\n";
        assert_eq!(
            of("npm_config_", npm),
            ["npm_config_@mine:registry=http://mine/", "npm_config_registry=http://host/npm/"]
        );
        assert_eq!(of("", "GOPROXY=http://host\nGOFLAGS=-x\n"), ["GOPROXY=http://host"]);
    }

    #[test]
    fn of_cargo_and_maven_only_mirrors_and_proxies_are_kept() {
        let cargo = "[build]\nrustc = '/x'\n[source.crates-io]\nreplace-with = 'near'\n[source.near]\nregistry = 'sparse+http://u:p@host/'\n\
                     [registries.mine]\nindex = 'http://mine'\ntoken = 'secret'\n[http]\ntimeout = 9\nproxy = 'u:p@x'\n[registry]\ntoken = 's'\n";
        let kept = cargo_settings(&cargo.parse().unwrap());
        assert_eq!(
            kept.lines().collect::<Vec<_>>(),
            [
                "\"http\".\"proxy\" = \"x\"",
                "\"http\".\"timeout\" = 9",
                "\"registries\".\"mine\".\"index\" = \"http://mine\"",
                "\"source\".\"crates-io\".\"replace-with\" = \"near\"",
                "\"source\".\"near\".\"registry\" = \"sparse+http://host/\"",
            ]
        );
        assert!(kept.parse::<Table>().is_ok());
        let maven = "<settings><servers><server><password>s</password></server></servers><!-- <mirrors>no</mirrors> --><mirrors>\
                     <mirror><id>a</id><url>https://u:p@host/m</url></mirror></mirrors><proxies><proxy><host>h</host>\
                     <username>u</username><password>s</password></proxy></proxies></settings>";
        let kept = "<settings><mirrors><mirror><id>a</id><url>https://host/m</url></mirror></mirrors>\
                    <proxies><proxy><host>h</host></proxy></proxies></settings>\n";
        assert_eq!(maven_settings(maven), kept);
        assert_eq!(maven_settings("<settings></settings>"), "");
    }

    #[test]
    fn a_file_of_certificates_is_named_if_it_has_no_key() {
        let folder = tempfile::tempdir().unwrap();
        let [certificates, keys] = ["certificates", "keys"].map(|name| folder.path().join(name));
        fs::write(&certificates, "-----BEGIN CERTIFICATE-----\n").unwrap();
        fs::write(&keys, "-----BEGIN CERTIFICATE-----\n-----BEGIN RSA PRIVATE KEY-----\n").unwrap();
        let mut settings = RegistrySettings::default();
        settings.add("SSL_CERT_FILE", certificates.to_str().unwrap());
        settings.add("PIP_CERT", keys.to_str().unwrap());
        settings.add("NODE_EXTRA_CA_CERTS", "certificates");
        assert_eq!(settings.certificates().collect::<Vec<_>>(), [certificates]);
        assert_eq!(settings.variables().count(), 1);
    }

    #[test]
    fn settings_replace_what_a_build_has_put_in_their_place() {
        let folder = tempfile::tempdir().unwrap();
        let [home, other] = ["home", "other"].map(|name| folder.path().join(name));
        fs::create_dir_all(&other).unwrap();
        fs::create_dir_all(home.join(".m2")).unwrap();
        fs::write(home.join(".m2/settings.xml"), "old").unwrap();
        platform::files::symlink(&other, &home.join(".cargo")).unwrap();
        RegistrySettings { cargo: "x = 1\n".to_owned(), ..RegistrySettings::default() }.write(&home).unwrap();
        assert_eq!(fs::read_to_string(home.join(".cargo/config.toml")).unwrap(), "x = 1\n");
        assert!(!home.join(".m2/settings.xml").exists() && fs::read_dir(other).unwrap().count() == 0);
    }
}
