//! The command that hands in a bot to a contest.

use clap::builder::NonEmptyStringValueParser;
use std::path::PathBuf;

/// The arguments of `broadside submit`.
#[derive(Debug, clap::Args)]
pub(crate) struct SubmitArgs {
    /// Folder of the bot
    #[arg(required_unless_present = "url")]
    pub(crate) folder: Option<PathBuf>,

    /// Hand in the web service at this URL instead of a folder, to a contest that takes URLs
    #[arg(long, value_name = "URL", value_parser = NonEmptyStringValueParser::new(), conflicts_with = "folder")]
    pub(crate) url: Option<String>,

    /// Hand in to the server at this URL
    #[arg(long, value_name = "URL", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) to: String,

    /// Hand in to the contest of this name [default: the only one on the server]
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) contest: Option<String>,

    /// Hand in for the bot of this name on the server [default: the one that was handed in from here before]
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) bot: Option<String>,

    /// The code of the contest, which some ask for with the first version
    #[arg(long, value_name = "CODE", value_parser = code)]
    pub(crate) code: Option<String>,

    /// Wait for the verdict, and show the log of the build meanwhile
    #[arg(long)]
    pub(crate) wait: bool,

    /// Let the version before play on, also once the new one is accepted
    #[arg(long)]
    pub(crate) no_activate: bool,

    /// Send without asking
    #[arg(long)]
    pub(crate) yes: bool,

    /// Print the version as JSON, in one line
    #[arg(long)]
    pub(crate) json: bool,
}

/// A code that can be sent.
fn code(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("a code has at least one character".to_owned()),
        code if code.chars().any(char::is_control) => Err("a code is one line of text".to_owned()),
        code => Ok(code.to_owned()),
    }
}

pub(super) const SUBMIT_HELP: &str = "\
Packs the folder, tells what it is going to send, and asks. With --url it sends the URL of a web service instead. Left out are the files of git, Mercurial and Subversion, \
node_modules, __pycache__, target beside a Cargo.toml, environments of Python (.venv) and files of macOS (.DS_Store). A packed folder \
has at most 20 MB; links in it lead to files in it. The server builds the bot and tries it; its verdict is that the version is \
accepted or rejected.

The first time, the command asks for the bot's name on the server and its password. In place of the password it keeps a token, in \
broadside/submit.json in $XDG_STATE_HOME or ~/.local/state. The variable BROADSIDE_TOKEN holds a token for a machine that has none. Ctrl-C \
ends the command and takes back nothing.

Examples:
  broadside submit my-bot --to https://arena.example
  broadside submit my-bot --to https://arena.example --wait
  broadside submit my-bot --to http://localhost:3000 --contest autumn \\
    --bot 'Deep Water'                     one of several contests and bots
  broadside submit --url https://bot.example/fire --code anchor \\
    --to https://arena.example
                                           a web service, and the code
  BROADSIDE_TOKEN=... broadside submit my-bot --to https://arena.example \\
    --bot 'Deep Water' --yes --wait --json
                                           from a script

Exit status:
  0    the version was handed in; with --wait, it is accepted
  1    the server does not answer, or fails
  2    wrong usage, or the server refuses the password or the version
  3    there is no bot in the folder, or it has files that cannot be packed
  4    the version is rejected
  130  stopped by Ctrl-C or a signal; a version that was handed in stays";
