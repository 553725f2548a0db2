//! Sandboxes, of which there are none.

use super::missing;
use crate::files::Folder;
use crate::process::CommandLine;
use crate::sandbox::{Abilities, Allowance, SandboxError};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A bot's own view of files and processes.
#[derive(Debug)]
pub enum Namespaces {}

impl Namespaces {
    /// True while the namespaces are there.
    pub fn is_alive(&self) -> bool {
        match *self {}
    }
}

/// A sandbox.
#[derive(Debug, Clone)]
pub enum Sandbox {}

impl Sandbox {
    /// Makes a sandbox.
    ///
    /// # Errors
    /// Always.
    pub fn start() -> Result<Sandbox, SandboxError> {
        missing("bots cannot be held in a sandbox", "sandbox.rs").map_err(SandboxError::NoHelper)
    }

    /// The same sandbox without namespaces.
    #[must_use]
    pub fn without_namespaces(self) -> Sandbox {
        self
    }

    /// The features of this kernel.
    pub fn abilities(&self) -> Abilities {
        match *self {}
    }

    /// The rules for a bot.
    ///
    /// # Errors
    /// None.
    pub fn confine(
        &self,
        _folder: &Path,
        _tool: Option<&Path>,
        _rounds: Option<&Path>,
        _closed: &[PathBuf],
        _allowance: Allowance,
        _kill: Option<Duration>,
    ) -> Result<(SandboxPolicy, Option<Folder>), SandboxError> {
        match *self {}
    }

    /// The rules for a build.
    ///
    /// # Errors
    /// None.
    pub fn confine_build(
        &self,
        _folder: &Path,
        _programs: &[PathBuf],
        _files: &[PathBuf],
        _cache: &Path,
        _network: bool,
    ) -> Result<SandboxPolicy, SandboxError> {
        match *self {}
    }
}

/// The rules of one bot.
#[derive(Debug, Clone)]
pub enum SandboxPolicy {}

impl SandboxPolicy {
    /// The memory that a run may use, in bytes.
    pub fn memory(&self) -> u64 {
        match *self {}
    }

    /// The same rules for a program that forks into the runs of the bot.
    #[must_use]
    pub fn for_warm_starts(&self) -> Option<SandboxPolicy> {
        match *self {}
    }

    /// The same rules for a bot that stays.
    #[must_use]
    pub fn for_staying(self) -> SandboxPolicy {
        match self {}
    }

    /// The beginning of a command that runs a program by these rules.
    pub fn command(&self, _folder: &Path, _temporary: &Path, _others: &[PathBuf], _program: &Path) -> CommandLine {
        match *self {}
    }
}
