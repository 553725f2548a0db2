//! The sandbox of builds: what a project asks to be run can write to the bot's folder and to a cache, and nowhere else.

mod registry_settings;

use super::build::BuildCommand;
use super::output::LineListener;
use super::run::{RunRequest, run_heard};
use super::{Sandbox, SandboxError};
use arena::folder::remove_folder;
use arena::{ArenaError, Interrupt, Limits, RunReport};
use platform::files::identity;
use platform::sandbox::{MAX_PROCESSES, SandboxPolicy, toolchains};
use registry_settings::RegistrySettings;
use sha2::{Digest, Sha256};
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The time limit of each command of a build.
pub(super) const LIMIT: Duration = Duration::from_secs(600);
/// A cache that no build has used for so long is removed.
const MAX_AGE: Duration = Duration::from_secs(30 * 24 * 3600);

/// The sandbox of builds. It needs namespaces: a build may have child processes, which only they hold together, and
/// changes permissions and times of files, which only they keep from other files.
#[derive(Debug, Clone)]
pub struct BuildSandbox {
    sandbox: Sandbox,
    network: bool,
    settings: RegistrySettings,
}

impl BuildSandbox {
    /// A sandbox for builds, which may use networks if `network` is true.
    ///
    /// # Errors
    /// [`SandboxError::Lacking`] if the kernel lacks something of it.
    pub fn new(sandbox: Sandbox, network: bool) -> Result<BuildSandbox, SandboxError> {
        let mut lacking = sandbox.abilities().lacking();
        if !sandbox.abilities().namespaces {
            lacking.push("namespaces, which builds need");
        }
        if lacking.is_empty() {
            Ok(BuildSandbox { sandbox, network, settings: RegistrySettings::of_user() })
        } else {
            Err(SandboxError::Lacking(lacking))
        }
    }

    /// True if builds may use networks.
    pub(super) fn has_network(&self) -> bool {
        self.network
    }

    /// The rules for the build of the bot in `folder` with these programs.
    pub(super) fn prepare(&self, folder: &Path, programs: &[PathBuf]) -> Result<PreparedBuild<'_>, SandboxError> {
        let name = cache_of(folder);
        let refused = |why| SandboxError::NotSetUp { bot: folder.to_owned(), why };
        let caches = caches().ok_or_else(|| {
            refused(
                "there is no folder for the caches of builds: set HOME or XDG_CACHE_HOME to an absolute path"
                    .to_owned(),
            )
        })?;
        let cache = caches.join(name);
        let failed = |e: std::io::Error| refused(format!("cannot make the folder {}: {e}", cache.display()));
        fs::create_dir_all(&cache).map_err(failed)?;
        let cache = cache.canonicalize().map_err(failed)?;
        // So that it is young.
        fs::File::open(&cache).and_then(|folder| folder.set_modified(SystemTime::now())).map_err(failed)?;
        remove_old(&caches);
        self.settings.write(&cache).map_err(failed)?;
        let certificates: Vec<PathBuf> = self.settings.certificates().collect();
        let policy = self.sandbox.confine_build(folder, programs, &certificates, &cache, self.network)?;
        Ok(PreparedBuild { policy, cache, sandbox: self })
    }
}

/// The name of the cache of the bot in a folder. Each bot has a cache of its own: what one leaves there runs in the builds that use it.
/// The same path may be another bot later.
fn cache_of(folder: &Path) -> String {
    let meta = fs::metadata(folder).ok();
    let identity = meta.map(|meta| {
        let identity = identity(&meta);
        (identity.device, identity.number, meta.created().ok())
    });
    let name = Sha256::digest(format!("{} {identity:?}", folder.display()));
    arena::hex(&name[..8])
}

/// The folder for what builds of the bot in this folder fetch; `None` if the user has no home.
pub fn build_cache(folder: &Path) -> Option<PathBuf> {
    Some(caches()?.join(cache_of(folder)))
}

/// Removes what builds in this folder have fetched: none will use it again. What cannot be removed now goes when it is old.
pub fn remove_build_cache(folder: &Path) {
    if let Some(cache) = build_cache(folder)
        && let Err(error) = remove_folder(&cache)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        log::warn!("the cache of the builds in {} cannot be removed: {error}", folder.display());
    }
}

/// The folder with the caches of all bots; `None` if the user has no home. In a temporary folder others could make it first.
fn caches() -> Option<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(folder.join("broadside/builds"))
}

/// Removes the caches that no build has used for [`MAX_AGE`].
fn remove_old(caches: &Path) {
    for cache in fs::read_dir(caches).into_iter().flatten().flatten() {
        let age = cache.metadata().and_then(|meta| meta.modified()).ok().and_then(|used| used.elapsed().ok());
        if age.is_some_and(|age| age > MAX_AGE)
            && let Err(error) = remove_folder(&cache.path())
        {
            // The build can go on. The warning is for whoever looks after the disk.
            log::warn!("the old cache {} cannot be removed: {error}", cache.path().display());
        }
    }
}

/// The rules of one build.
#[derive(Debug)]
pub(super) struct PreparedBuild<'a> {
    policy: SandboxPolicy,
    cache: PathBuf,
    sandbox: &'a BuildSandbox,
}

impl PreparedBuild<'_> {
    /// Runs a command to its end, and ends what it left behind.
    pub(super) fn run(
        &self,
        command: &BuildCommand,
        search_path: &OsStr,
        interrupt: &Interrupt,
        listener: Option<&LineListener>,
    ) -> Result<RunReport, ArenaError> {
        let mut line = self.policy.command(&command.folder, Path::new("/tmp"), &[], &command.program);
        line = line.with_variables(self.sandbox.settings.variables());
        line = command.variables.iter().fold(line, |line, (name, value)| line.env(name, value));
        line = line.args(command.arguments()).env("HOME", &self.cache).env("TMPDIR", "/tmp").env("PATH", search_path);
        // Java takes the home from the list of users. Maven divides its variable at blanks, and Java its own but within quotes.
        let cache = self.cache.display().to_string();
        line = match cache.contains(char::is_whitespace) {
            true => line.env("JAVA_TOOL_OPTIONS", format!("-Duser.home=\"{cache}\"")),
            false => line.env("MAVEN_OPTS", format!("-Duser.home={cache}")),
        };
        if let Some(toolchains) = toolchains() {
            line = line.env("RUSTUP_HOME", toolchains);
        }
        if !self.sandbox.network {
            // So that tools say at once what is missing, and do not try again and again.
            for (name, value) in OFFLINE {
                line = line.env(name, value);
            }
        }
        let memory = Some(self.policy.memory());
        let request =
            RunRequest { memory, processes: Some(MAX_PROCESSES), ..RunRequest::of(line, command.to_string()) };
        run_heard(request, Some(Limits::exactly(LIMIT, LIMIT)), interrupt, listener)
    }
}

/// Variables for tools without a network.
const OFFLINE: [(&str, &str); 4] = [
    ("CARGO_NET_OFFLINE", "true"),
    ("npm_config_fetch_retries", "0"),
    ("npm_config_offline", "true"),
    ("PIP_RETRIES", "0"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caches_that_no_build_uses_are_removed() {
        let caches = tempfile::tempdir().unwrap();
        let made = |name: &str, age: Duration| {
            let folder = caches.path().join(name);
            fs::create_dir_all(folder.join("deep")).unwrap();
            fs::File::open(&folder).unwrap().set_modified(SystemTime::now() - age).unwrap();
            folder
        };
        let (old, young) = (made("old", 2 * MAX_AGE), made("young", MAX_AGE / 2));
        remove_old(caches.path());
        assert!(!old.exists() && young.join("deep").exists());
    }
}
