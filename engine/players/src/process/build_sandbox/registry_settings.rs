//! The settings of this user by which build tools reach registries, except secrets: addresses of registries, mirrors and proxies,
//! without names and passwords, and files of certificates.
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

/// The form of a value that is passed on. A setting whose value has another form is left out.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// An address, with or without a scheme.
    Address,
    /// Addresses with these characters between them.
    Addresses(&'static [char]),
    /// Numbers, words, paths, or patterns of hosts, in which no name or password is written.
    Words,
}

/// Variables that are passed on, in small letters. The settings in pip's, npm's and Go's own files have the same names.
const VARIABLES: [(&str, Form); 26] = [
    ("all_proxy", Form::Address),
    ("cargo_http_proxy", Form::Address),
    ("cargo_net_retry", Form::Words),
    ("goinsecure", Form::Words),
    ("gonoproxy", Form::Words),
    ("gonosumdb", Form::Words),
    ("goprivate", Form::Words),
    ("goproxy", Form::Addresses(&[',', '|'])),
    ("gosumdb", Form::Words),
    ("http_proxy", Form::Address),
    ("https_proxy", Form::Address),
    ("no_proxy", Form::Words),
    ("npm_config_fetch_retries", Form::Words),
    ("npm_config_https_proxy", Form::Address),
    ("npm_config_noproxy", Form::Words),
    ("npm_config_proxy", Form::Address),
    ("npm_config_registry", Form::Address),
    ("npm_config_strict_ssl", Form::Words),
    ("pip_default_timeout", Form::Words),
    ("pip_extra_index_url", Form::Addresses(&[' ', '\t', '\n'])),
    ("pip_index_url", Form::Address),
    ("pip_proxy", Form::Address),
    ("pip_retries", Form::Words),
    ("pip_timeout", Form::Words),
    ("pip_trusted_host", Form::Words),
    ("ssl_cert_dir", Form::Words),
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
/// The beginning of the names of Bundler's mirrors. The rest of such a name is an address.
const BUNDLE_MIRROR: &str = "bundle_mirror__";
/// The beginning and the end of the names of npm's registries for one scope.
const NPM_SCOPE: [&str; 2] = ["npm_config_@", ":registry"];
/// Keys of Cargo's settings that are passed on, by table: those of each source and registry, and those of the table itself. A
/// build cannot read the folder of a source.
const CARGO_NAMED: [(&str, &[&str]); 2] =
    [("registries", &["index", "protocol"]), ("source", &["branch", "git", "registry", "replace-with", "rev", "tag"])];
const CARGO_PLAIN: [(&str, &[&str]); 3] = [
    ("http", &["check-revoke", "multiplexing", "proxy", "timeout"]),
    ("net", &["git-fetch-with-cli", "retry"]),
    ("registry", &["default"]),
];
/// Keys of Cargo's settings with an address.
const CARGO_ADDRESSES: [&str; 4] = ["git", "index", "proxy", "registry"];
/// Lists in Maven's settings, what they are lists of, and the elements of each that are passed on.
const MAVEN: [(&str, &str, &[&str]); 2] = [
    ("mirrors", "mirror", &["id", "url", "mirrorOf", "blocked"]),
    ("proxies", "proxy", &["id", "active", "protocol", "host", "port", "nonProxyHosts"]),
];
/// Elements of Maven's settings with an address.
const MAVEN_ADDRESSES: [&str; 2] = ["host", "url"];
/// The largest file of settings or certificates that is read, in bytes.
const MOST: u64 = 16 << 20;

/// The settings of this user by which build tools reach registries.
#[derive(Debug, Clone, Default)]
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
            let text = text(&file).unwrap_or_default();
            lines(&text).for_each(|(key, value)| settings.add_of_file(prefix, key, &value));
        }
        let cargo = named("CARGO_HOME", home.join(".cargo"));
        if let Ok(table) = cargo_file(&cargo).parse::<Table>() {
            settings.cargo = cargo_settings(&table);
            let cainfo = table.get("http").and_then(|http| http.get("cainfo")).and_then(Value::as_str);
            cainfo.into_iter().for_each(|cainfo| settings.add_of_file("CARGO_HTTP_", "cainfo", cainfo));
        }
        settings.maven = maven_settings(&text(&home.join(".m2/settings.xml")).unwrap_or_default());
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
        if !self.variables.keys().any(|known| known.eq_ignore_ascii_case(&name)) {
            self.add(&name, value);
        }
    }

    fn add(&mut self, name: &str, value: &str) {
        if is_one_of(&CERTIFICATES, name) {
            // The build could read what lies beside the certificates.
            let found = text(Path::new(value)).unwrap_or_default();
            if !Path::new(value).is_absolute() || found.is_empty() || found.contains("PRIVATE KEY") {
                log::warn!("builds get no {name}: {value} is not the absolute path of a file with certificates alone");
            } else {
                self.variables.insert(name.to_owned(), value.to_owned());
            }
        } else if let Some(form) = form_of(name)
            && let Some(value) = passed_on(form, name, value)
        {
            self.variables.insert(name.to_owned(), value);
        }
    }
}

/// The form of the value of a variable; `None` for one that is not passed on.
fn form_of(name: &str) -> Option<Form> {
    let name = name.to_ascii_lowercase();
    if let Some(mirrored) = name.strip_prefix(BUNDLE_MIRROR) {
        let is_plain = address(mirrored).is_some_and(|address| address == mirrored);
        if !is_plain {
            log::warn!("builds get no mirror of Bundler whose variable has more than an address in its name");
        }
        return is_plain.then_some(Form::Address);
    }
    let [start, end] = NPM_SCOPE;
    if name.strip_prefix(start).and_then(|name| name.strip_suffix(end)).is_some_and(is_words) {
        return Some(Form::Address);
    }
    VARIABLES.iter().find(|(known, _)| *known == name).map(|(_, form)| *form)
}

/// The value of the setting `name` as a build gets it; `None`, and a warning, if it does not have this form.
fn passed_on(form: Form, name: &str, value: &str) -> Option<String> {
    let value = value.trim();
    let clean = match form {
        // An empty value says that there is no proxy.
        _ if value.is_empty() => Some(String::new()),
        Form::Address => address(value),
        Form::Addresses(between) => value.split_inclusive(between).map(|one| address_in_list(one, between)).collect(),
        Form::Words => is_words(value).then(|| value.to_owned()),
    };
    if clean.is_none() {
        // The value may have a password in it.
        log::warn!(
            "builds get no {name}: its value does not have the form that builds are given (docs/sandbox.md, Registries)"
        );
    }
    clean
}

/// One address of a list, with the separator behind it.
fn address_in_list(one: &str, between: &[char]) -> Option<String> {
    let bare = one.trim_end_matches(between);
    // Without a scheme, what stands before `@` may be the end of a password that has the separator in it.
    let is_whole = bare.contains("://") || !bare.contains('@');
    let clean = if bare.is_empty() { Some(String::new()) } else { address(bare).filter(|_| is_whole) };
    Some(clean? + &one[bare.len()..])
}

/// The address `[SCHEME://]HOST[:PORT][/PATH]` without the name and the password before its host; `None` if it has another form.
fn address(text: &str) -> Option<String> {
    let is_of = |text: &str, others: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || others.contains(c));
    let (scheme, rest) = text.split_at(text.find("://").map_or(0, |at| at + 3));
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let place = authority.rsplit_once('@').map_or(authority, |(_, place)| place);
    let (host, port) = place.rsplit_once(':').filter(|(_, port)| !port.contains(']')).unwrap_or((place, ""));
    let is_host = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(number) => is_of(number, ":."),
        None => !host.is_empty() && is_of(host, "._-"),
    };
    let is_port = port.bytes().all(|byte| byte.is_ascii_digit());
    // A path with `@` may be the end of a password with a slash in it.
    let is_plain = is_of(scheme.trim_end_matches("://"), "+.-") && is_host && is_port && is_of(path, "/._~+%:=-");
    is_plain.then(|| format!("{scheme}{place}{path}"))
}

/// True if no name or password is written in the text: they stand before `@`.
fn is_words(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || " \t\n,|.:/_-+=~%*?![]".contains(c))
}

fn is_one_of(names: &[&str], name: &str) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// The text of a file of settings; `None` if it cannot be read.
fn text(path: &Path) -> Option<String> {
    let is_small = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() <= MOST);
    if is_small { fs::read_to_string(path).ok() } else { None }
}

/// The text of the file of settings in Cargo's folder; empty if there is none. Of two, Cargo takes the one without an ending.
fn cargo_file(folder: &Path) -> String {
    ["config", "config.toml"].iter().find_map(|name| text(&folder.join(name))).unwrap_or_default()
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

/// The part of Cargo's settings that is passed on, as TOML.
fn cargo_settings(table: &Table) -> String {
    let inner = |name: &str| table.get(name).and_then(Value::as_table);
    let mut text = String::new();
    let mut add = |path: &[&str], table: &Table, keys: &[&str]| {
        for (key, value) in table.iter().filter(|(key, _)| keys.contains(&key.as_str())) {
            let is_address = CARGO_ADDRESSES.contains(&key.as_str());
            let form = if is_address { Form::Address } else { Form::Words };
            let value = match value {
                // Texts of JSON are texts of TOML.
                Value::String(value) => passed_on(form, &format!("{key} of Cargo's settings"), value)
                    .map(|value| serde_json::Value::from(value).to_string()),
                Value::Integer(value) => Some(value.to_string()),
                Value::Boolean(value) => Some(value.to_string()),
                _ => None,
            };
            let names =
                path.iter().copied().chain([key.as_str()]).map(|name| serde_json::Value::from(name).to_string());
            if let Some(value) = value {
                let _ = writeln!(text, "{} = {value}", names.collect::<Vec<_>>().join("."));
            }
        }
    };
    for (name, keys) in CARGO_PLAIN {
        inner(name).into_iter().for_each(|table| add(&[name], table, keys));
    }
    let no_sources = Table::new();
    let sources = inner("source").unwrap_or(&no_sources);
    for (name, keys) in CARGO_NAMED {
        for (one, table) in inner(name).into_iter().flatten().filter_map(|(one, table)| Some((one, table.as_table()?)))
        {
            let next = table.get("replace-with").and_then(Value::as_str);
            let leads_on = next.is_none_or(|next| is_reachable(sources, next, sources.len()));
            let keys: Vec<&str> = keys.iter().copied().filter(|key| *key != "replace-with" || leads_on).collect();
            if passed_on(Form::Words, &format!("{name} of Cargo's settings"), one).is_some() {
                add(&[name, one], table, &keys);
            }
        }
    }
    text
}

/// True if a build can reach the source `name` of Cargo, or the one that takes its place, in at most so many steps: it is not a
/// folder.
fn is_reachable(sources: &Table, name: &str, steps: usize) -> bool {
    let Some(source) = sources.get(name) else { return true };
    let next = source.get("replace-with").and_then(Value::as_str);
    let has_address = ["git", "registry"].iter().any(|key| source.get(key).is_some());
    has_address || next.is_some_and(|next| steps > 0 && is_reachable(sources, next, steps - 1))
}

/// The part of Maven's settings that is passed on, as XML; empty if there is nothing.
fn maven_settings(text: &str) -> String {
    // Comments have no end in them.
    let mut parts = text.split("<!--");
    let first = parts.next().unwrap_or_default().to_owned();
    let text = parts.filter_map(|part| part.split_once("-->")).fold(first, |text, (_, rest)| text + rest);
    let lists = MAVEN.iter().filter_map(|(list, one, names)| {
        let (mut rest, _) = element(&text, list)?;
        let mut kept = String::new();
        while let Some((inner, after)) = element(rest, one) {
            rest = after;
            let elements = names.iter().filter_map(|name| {
                let (value, _) = element(inner, name)?;
                let form = if MAVEN_ADDRESSES.contains(name) { Form::Address } else { Form::Words };
                let value = passed_on(form, &format!("{one} of Maven's settings"), value);
                Some(value.map(|value| format!("<{name}>{value}</{name}>")))
            });
            // Without one of its elements it would be another mirror or proxy.
            if let Some(elements) = elements.collect::<Option<String>>() {
                kept += &format!("<{one}>{elements}</{one}>");
            }
        }
        (!kept.is_empty()).then(|| format!("<{list}>{kept}</{list}>"))
    });
    let kept: String = lists.collect();
    if kept.is_empty() { kept } else { format!("<settings>{kept}</settings>\n") }
}

/// The content of the first element of this name in a text of XML, and the text behind it.
fn element<'a>(text: &'a str, name: &str) -> Option<(&'a str, &'a str)> {
    let (_, rest) = around_tag(text, &format!("<{name}"))?;
    around_tag(rest, &format!("</{name}"))
}

/// The texts before and behind the first tag that begins so.
fn around_tag<'a>(text: &'a str, start: &str) -> Option<(&'a str, &'a str)> {
    text.match_indices(start).find_map(|(at, _)| {
        let (end, behind) = text[at + start.len()..].split_once('>')?;
        // Other names may begin like this one.
        (end.is_empty() || end.starts_with(char::is_whitespace)).then_some((&text[..at], behind))
    })
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
        for (name, value, left) in [
            ("PIP_INDEX_URL", "https://me:secret@host:1/simple/", "https://host:1/simple/"),
            ("GOPROXY", "https://a@b@one|http://two/,direct", "https://one|http://two/,direct"),
            ("HTTPS_PROXY", "http://proxy:3128", "http://proxy:3128"),
            ("HTTPS_PROXY", "", ""),
            ("http_proxy", "http://user:pa,ss@proxy:3128", "http://proxy:3128"),
            ("http_proxy", "user:pa|ss@[::1]:3128", "[::1]:3128"),
            ("no_proxy", "localhost, .example.com,10.0.0.0/8,::1", "localhost, .example.com,10.0.0.0/8,::1"),
            ("PIP_EXTRA_INDEX_URL", "http://u:p@a/simple  http://b", "http://a/simple  http://b"),
            (
                "GOSUMDB",
                "sum.golang.org+033de0ae+Ac4zctda/= https://host",
                "sum.golang.org+033de0ae+Ac4zctda/= https://host",
            ),
            ("SSL_CERT_DIR", "/etc/ssl/certs", "/etc/ssl/certs"),
            ("BUNDLE_MIRROR__ALL", "http://gems", "http://gems"),
            ("BUNDLE_MIRROR__HTTPS://RUBYGEMS__ORG/", "http://u:p@gems", "http://gems"),
            ("npm_config_@mine:registry", "http://u:p@gems", "http://gems"),
        ] {
            assert_eq!(passed(name, value).as_deref(), Some(left), "{name}={value}");
        }
        for (name, value) in [
            ("http_proxy", "http://user:pa#ss@proxy:3128"),
            ("http_proxy", "http://user:pa/ss@proxy:3128"),
            ("http_proxy", "http://user:12/ss@proxy:3128"),
            ("http_proxy", "http://user:12?ss@proxy:3128"),
            ("http_proxy", "user:p://ss@proxy"),
            ("http_proxy", "${PROXY}"),
            ("GOPROXY", "http://user:pa,ss@proxy:3128"),
            ("GOPROXY", "http://user:12|ss@proxy:3128"),
            ("PIP_EXTRA_INDEX_URL", "http://user:12 ss@host/simple"),
            ("PIP_INDEX_URL", "http://host/simple?token=x"),
            ("PIP_INDEX_URL", "file:///simple"),
            ("no_proxy", "http://me:secret@host"),
            ("npm_config_@mine:_authToken", "x"),
            ("npm_config_//host/:_authToken", "x"),
            ("BUNDLE_MIRROR__HTTPS://USER:PASS@HOST/", "http://gems"),
            ("NPM_TOKEN", "x"),
            ("PIP_CLIENT_CERT", "x"),
            ("CARGO_REGISTRY_TOKEN", "x"),
        ] {
            assert_eq!(passed(name, value), None, "{name}={value}");
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
                     [registries.mine]\nindex = 'http://mine'\ntoken = 'secret'\n[http]\ntimeout = 9\nproxy = 'u:p|q@x'\n[registry]\ntoken = 's'\n\
                     [source.'git+https://u:p@host']\ngit = 'https://host'\n";
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
                     <mirror><id>a</id><name>of U's</name><mirrorOf>*,!b</mirrorOf><url>\n https://u:p@host/m\n</url></mirror>\
                     <mirror><id>b</id><url>https://host/m?token=s</url></mirror></mirrors><proxies><proxy>\
                     <host xml:space='preserve'>h</host><port >1</port ><nonProxyHosts>a|*.b</nonProxyHosts>\
                     <username>u</username><password >s</password ><password xml:space=\"preserve\">s</password></proxy></proxies></settings>";
        let kept = "<settings><mirrors><mirror><id>a</id><url>https://host/m</url><mirrorOf>*,!b</mirrorOf></mirror></mirrors>\
                    <proxies><proxy><host>h</host><port>1</port><nonProxyHosts>a|*.b</nonProxyHosts></proxy></proxies></settings>\n";
        assert_eq!(maven_settings(maven), kept);
        assert_eq!(maven_settings("<settings></settings>"), "");
    }

    #[test]
    fn of_two_files_of_cargo_that_counts_which_cargo_takes() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(cargo_file(folder.path()), "");
        fs::write(folder.path().join("config.toml"), "new").unwrap();
        assert_eq!(cargo_file(folder.path()), "new");
        fs::write(folder.path().join("config"), "old").unwrap();
        assert_eq!(cargo_file(folder.path()), "old");
        fs::remove_file(folder.path().join("config.toml")).unwrap();
        assert_eq!(cargo_file(folder.path()), "old");
    }

    #[test]
    fn sources_of_cargo_in_folders_and_what_leads_to_them_are_left_out() {
        let cargo = "[source.crates-io]\nreplace-with = 'near'\n[source.near]\nreplace-with = 'vendored'\n\
                     [source.vendored]\ndirectory = '/x'\n[source.copy]\nlocal-registry = '/x'\n\
                     [source.far]\nregistry = 'http://far'\nreplace-with = 'copy'\n[source.other]\nreplace-with = 'far'\n\
                     [source.round]\nreplace-with = 'round'\n[source.mine]\nreplace-with = 'in-registries'\n";
        let kept = [
            "\"source\".\"far\".\"registry\" = \"http://far\"",
            "\"source\".\"mine\".\"replace-with\" = \"in-registries\"",
            "\"source\".\"other\".\"replace-with\" = \"far\"",
        ];
        assert_eq!(cargo_settings(&cargo.parse().unwrap()).lines().collect::<Vec<_>>(), kept);
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
