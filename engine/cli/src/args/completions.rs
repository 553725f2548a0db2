//! The commands that write files for the installed program: completions for shells, and man pages.

use clap_complete::Shell;
use std::path::PathBuf;

/// The arguments of `broadside completions`.
#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// Shell to complete in
    pub(crate) shell: Shell,
}

pub(super) const COMPLETIONS_HELP: &str = "\
Prints a script that the shell reads when it starts. Packages install it. For a program that you built, write it where \
your shell looks; zsh looks in the folders of fpath, which ~/.zshrc sets before it calls compinit.

Examples:
  broadside completions bash \\
    > ~/.local/share/bash-completion/completions/broadside
  broadside completions zsh > ~/.zfunc/_broadside
  broadside completions fish > ~/.config/fish/completions/broadside.fish
  broadside completions elvish >> ~/.config/elvish/rc.elv
  broadside completions powershell >> $PROFILE";

/// The arguments of `broadside man`.
#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// Folder for the pages; one that exists keeps its other files
    pub(crate) folder: PathBuf,
}
