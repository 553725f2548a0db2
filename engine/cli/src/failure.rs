//! The errors of the program: message, hint and exit code.

use crate::args::Args;
#[cfg(feature = "full")]
use crate::commands::servers::ServerFailure;
use crate::exit::Exit;
use crate::game_flags::games_over_http;
use crate::settings::SettingsError;
use crate::show::findings::wrapped;
use crate::show::text::output::printable_output;
use crate::show::{STANDARD_OUTPUT, printable, say, with_causes};
use arena::record::RecordError;
use arena::{ArenaError, JournalError};
#[cfg(feature = "full")]
use bridge::BridgeError;
use clap::CommandFactory;
#[cfg(feature = "full")]
use grading::{GradingError, SubmittedError};
use platform::terminal;
use players::http::{BotUrl, NEVER_CALLED, UrlError};
use players::process::SandboxError;
use players::{BuiltIn, ManifestError};
use rule_files::RulesFileError;
use rules::{GameKind, Reach};
use runner::{BotChange, RunnerError, split_name};
use std::io::{self, ErrorKind, IsTerminal};
use std::path::Path;
#[cfg(feature = "full")]
use web::LiveError;

/// An error that ends the program without a result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The command line is wrong.
    #[error("{what}")]
    Usage {
        /// The mistake.
        what: String,
        /// The advice to the user.
        hint: String,
    },
    /// A journal, a record or a folder of matches that is to be read is not there.
    #[error("{what}")]
    Missing {
        /// The thing, and where it was looked for.
        what: String,
        /// The advice to the user.
        hint: &'static str,
    },
    /// The user's settings are wrong.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A file of rules is wrong.
    #[error(transparent)]
    Rules(#[from] RulesFileError),
    /// A match or a tournament cannot be set up.
    #[error(transparent)]
    Runner(RunnerError),
    /// The live view cannot be started.
    #[cfg(feature = "full")]
    #[error(transparent)]
    Live(#[from] LiveError),
    /// The bridge cannot be opened.
    #[cfg(feature = "full")]
    #[error(transparent)]
    Bridge(#[from] BridgeError),
    /// A server or a client of one cannot run.
    #[cfg(feature = "full")]
    #[error(transparent)]
    Server(ServerFailure),
    /// The program was built without this command or flag.
    #[cfg(not(feature = "full"))]
    #[error("this program was built without `broadside {command}`")]
    NotBuilt {
        /// The command, with the flag.
        command: &'static str,
    },
    /// The program may use no more processor time.
    #[error("all processor time that the shell allows this program is used up (ulimit -t)")]
    OutOfTime,
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] ArenaError),
}

#[cfg(feature = "full")]
impl From<GradingError> for Failure {
    fn from(error: GradingError) -> Failure {
        match error {
            GradingError::Runner(error) => error.into(),
            GradingError::Rules(error) => error.into(),
            GradingError::Plan { .. } => Failure::Usage {
                what: error.to_string(),
                hint: "broadside docs grading has all keys of a plan, and an example".to_owned(),
            },
            GradingError::Submitted(SubmittedError::Disk(error)) => error.into(),
            GradingError::Submitted(error) => Failure::Usage { what: error.to_string(), hint: error.hint().to_owned() },
            GradingError::Unreadable { .. } => {
                Failure::Usage { what: with_causes(&error), hint: "check the path, and that it may be read".to_owned() }
            }
        }
    }
}

impl From<RunnerError> for Failure {
    fn from(error: RunnerError) -> Failure {
        match error {
            RunnerError::Arena(error) => Failure::Engine(error),
            error => Failure::Runner(error),
        }
    }
}

impl Failure {
    /// The exit code.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Failure::Usage { .. } | Failure::Settings(_) | Failure::Rules(_) => Exit::Usage,
            Failure::Missing { .. } => Exit::BadRecord,
            Failure::Runner(RunnerError::Manifest { .. } | RunnerError::Launch { .. }) => Exit::BadBot,
            Failure::Runner(RunnerError::OutsideFolder(_) | RunnerError::NotCopied { .. }) => Exit::BadBot,
            Failure::Runner(RunnerError::Sandbox(_)) => Exit::EngineError,
            Failure::Runner(_) => Exit::Usage,
            Failure::Engine(ArenaError::Interrupted) => Exit::Interrupted,
            Failure::Engine(ArenaError::Record { .. } | ArenaError::Journal { .. }) => Exit::BadRecord,
            Failure::Engine(_) => Exit::EngineError,
            #[cfg(feature = "full")]
            Failure::Live(_) | Failure::Bridge(_) => Exit::EngineError,
            Failure::OutOfTime => Exit::EngineError,
            #[cfg(feature = "full")]
            Failure::Server(source) => source.exit(),
            #[cfg(not(feature = "full"))]
            Failure::NotBuilt { .. } => Exit::EngineError,
        }
    }

    /// The advice to the user; `None` where the message says everything.
    pub(crate) fn hint(&self) -> Option<String> {
        let hint = match self {
            Failure::Usage { hint, .. } => hint,
            Failure::Missing { hint, .. } => *hint,
            Failure::Settings(source) => return Some(source.hint()),
            Failure::Rules(source) => return Some(source.hint()),
            Failure::Runner(source) => return hint_for_runner(source),
            #[cfg(feature = "full")]
            Failure::Bridge(_) => "name another address with --listen; port 0 takes any free port",
            #[cfg(feature = "full")]
            Failure::Live(_) => "use --live or --web without a number to take any free port",
            #[cfg(feature = "full")]
            Failure::Server(source) => return source.hint(),
            #[cfg(not(feature = "full"))]
            Failure::NotBuilt { .. } => FULL,
            Failure::Engine(ArenaError::Journal { source, .. }) => match source {
                JournalError::Locked(_) => "wait until that program has ended, or stop it, or name another folder",
                JournalError::Foreign(_) => "a journal is the file games.jsonl in the folder of its tournament",
                JournalError::Newer { .. } => NEWER,
                JournalError::Line { .. } => DAMAGED,
                JournalError::TooLong { .. } => return None,
            },
            Failure::Engine(ArenaError::Record { source, .. }) => match source {
                RecordError::NoRecord(_) => {
                    "a record is the file match.jsonl or match.jsonl.zst in the folder of its match"
                }
                RecordError::OtherGame { .. } => {
                    "only matches of the Entelect Challenge 2017 have such a folder; broadside replay shows matches of all \
                     games"
                }
                RecordError::Newer { .. } => NEWER,
                RecordError::Line { .. } => DAMAGED,
                _ => return None,
            },
            // A bot redirects to https.
            Failure::Engine(ArenaError::Network { source, .. }) if source.kind() == ErrorKind::Unsupported => FULL,
            Failure::OutOfTime => {
                "ulimit -t shows the limit in seconds; start the program from a shell with a higher one, or none"
            }
            Failure::Engine(ArenaError::Disk { source, .. }) if source.kind() == ErrorKind::FileTooLarge => {
                "the shell limits the size of files: ulimit -f shows the limit; start the program from a shell with a higher \
                 one, or none"
            }
            Failure::Engine(ArenaError::Disk { doing: "read" | "look through", .. }) => return None,
            Failure::Engine(ArenaError::Disk { path, .. }) if path == Path::new(STANDARD_OUTPUT) => {
                "check that there is space left where it leads to; the result is above"
            }
            Failure::Engine(ArenaError::Disk { .. }) => {
                "check that the folder can be written to and that there is space left"
            }
            Failure::Engine(_) => return None,
        };
        Some(hint.to_owned())
    }
}

const FULL: &str =
    "in a checkout, `cargo build --release --features full` builds it with everything; released archives have it";
const NEWER: &str = "a newer version of broadside wrote it: use that version";
const DAMAGED: &str = "the file was changed or damaged after it was written";

fn hint_for_runner(error: &RunnerError) -> Option<String> {
    Some(match error {
        RunnerError::NoSuchBuiltIn(name) => {
            let like = built_in_like(name).map(|like| format!("did you mean {like}? ")).unwrap_or_default();
            format!("{like}the built-in players are {}", BuiltIn::listed("and"))
        }
        RunnerError::UrlForFolder(..) => {
            format!("if the bot is a service, name its game: {}", games_over_http())
        }
        RunnerError::NoSuchDialect { known: [], .. } => "leave ,dialect= away: the game has one dialect".to_owned(),
        RunnerError::NoSuchDialect { known, .. } => format!("the dialects are {}", known.join(", ")),
        RunnerError::NotAUrl { named, source, .. } => hint_for_url(named, source),
        RunnerError::WithoutHttps(..) => FULL.to_owned(),
        RunnerError::HostNotAllowed(_, why) if why.ends_with(NEVER_CALLED) => {
            "name an address of one machine: link-local addresses, and those under which clouds tell secrets, are on no list"
                .to_owned()
        }
        RunnerError::HostNotAllowed(..) => "allow the host, as in --allow-hosts private,my-bot.example.org".to_owned(),
        RunnerError::OnlyBuiltIns(_, game) => {
            let all = BuiltIn::listed("and");
            format!("use broadside {} serve for other players; {all} play here", game.name())
        }
        RunnerError::NoProgram(_) => {
            "name a folder with a bot.json, as `broadside new sea-battle-python` makes one".to_owned()
        }
        RunnerError::NoSources(_) => "bring its sources, or a program that runs on this machine".to_owned(),
        RunnerError::Pattern(_) => "quote the pattern, or name the folders".to_owned(),
        RunnerError::WrongNumber(GameKind::Battleship, ..) => {
            "broadside play --rules russian -b my-bot builtin:random".to_owned()
        }
        RunnerError::WrongNumber(game, ..) => {
            let bots =
                if game.reach() == Reach::Http { "http://localhost:4000" } else { "builtin:hunter builtin:random" };
            format!("broadside play --game {} -b {bots} builtin:random", game.name())
        }
        RunnerError::TooFewEntrants(_) => {
            format!("name two or more: broadside tournament -b BOT BOT …; {} always exist", BuiltIn::listed("and"))
        }
        RunnerError::Settings(_) => "change the settings of the game: see broadside play --help".to_owned(),
        RunnerError::Manifest { folder, source: ManifestError::NoFolder(_) } if meant(folder).is_some() => {
            meant(folder).unwrap_or_default()
        }
        RunnerError::Manifest { source: source @ ManifestError::NoManifest(_), .. } => {
            format!("{}; if the bot is a service, start it and name its URL with {}", source.hint(), games_over_http())
        }
        RunnerError::Manifest { source, .. } => source.hint(),
        RunnerError::Launch { source, .. } => source.hint(),
        RunnerError::NotCopied { source, .. } if source.kind() == ErrorKind::FileTooLarge => {
            "each game of a tournament plays on a copy of the folder: move files that the bot does not need out of it, \
             and compress large ones that it needs"
                .to_owned()
        }
        RunnerError::NotCopied { .. } => {
            "each game of a tournament plays on a copy of the folder: let this user read all of it, or move what the bot \
             does not need out of it"
                .to_owned()
        }
        RunnerError::KnockoutHasBegun(_) => {
            "name another --dir for a new tournament; --replace NAME=FOLDER enters a bot in the place of one that is still in"
                .to_owned()
        }
        RunnerError::NotReplaced(..) => "broadside standings shows who takes part, and the bracket of a knockout".to_owned(),
        RunnerError::LinkInFolder(_) => "remove the link, or put what it leads to in its place".to_owned(),
        RunnerError::OutsideFolder(SandboxError::Closed { .. }) => {
            "let the bot be run by a program of the system, such as /usr/bin/env python3, or copy the interpreter into its \
             folder; with --sandbox off it may lie anywhere"
                .to_owned()
        }
        RunnerError::OutsideFolder(_) => {
            "copy the file into the bot's folder; with --sandbox off it may lie anywhere".to_owned()
        }
        RunnerError::Sandbox(_) => {
            "use --sandbox on, which does what the kernel supports; docs/sandbox.md lists what strict needs".to_owned()
        }
        RunnerError::OtherTournament(..) => "name another --dir, or use the settings of this tournament".to_owned(),
        RunnerError::OtherEntrant { change: BotChange::Changed, .. } => {
            "--allow-changed lets the changed bot play on; or name another --dir for a new tournament".to_owned()
        }
        RunnerError::OtherEntrant { change: BotChange::NotNamed, .. } => {
            "name another --dir for a new tournament, or the same bots, and more if you like, for this one".to_owned()
        }
        RunnerError::OtherEntrant { name, change: BotChange::Unusable(_), .. } => {
            format!("mend the bot, or let the others go on without it: --retire '{name}'")
        }
        RunnerError::NoSuchEntrant(..) => {
            "broadside standings shows the names; write --retire NAME, --replace NAME=FOLDER".to_owned()
        }
        RunnerError::Arena(_) => return None,
    })
}

/// Refuses the first of these flags, each with its command, that is given: the program was built without them.
///
/// # Errors
/// [`Failure::NotBuilt`] with that flag.
#[cfg(not(feature = "full"))]
pub(crate) fn refuse_what_is_not_built(flags: &[(&'static str, bool)]) -> Result<(), Failure> {
    let given = flags.iter().find(|(_, is_given)| *is_given);
    given.map_or(Ok(()), |(command, _)| Err(Failure::NotBuilt { command }))
}

/// The question after a name that is like that of a command.
pub(crate) fn did_you_mean(command: &str) -> String {
    format!("did you mean the command `broadside {command}`? `broadside -h` lists all commands")
}

/// The subcommand whose name is closest to this missing folder.
pub(crate) fn command_like(folder: &Path) -> Option<String> {
    let named = folder.to_str()?;
    let command = Args::command();
    let names = command.get_subcommands().map(|command| (strsim::osa_distance(named, command.get_name()), command));
    let (distance, command) = names.min_by_key(|(distance, _)| *distance)?;
    (distance <= most_mistakes(named)).then(|| command.get_name().to_owned())
}

/// The question whether a missing folder is meant as a command, a built-in player or another folder, if its name is close to one; the
/// folder for a file in it.
fn meant(folder: &Path) -> Option<String> {
    let other = || built_in_like(folder.to_str()?).or_else(|| bot_like(folder));
    command_like(folder).map(|command| did_you_mean(&command)).or_else(|| Some(format!("did you mean {}?", other()?)))
}

/// The folder of a bot whose name is close to that of this missing folder, or in which this file is.
fn bot_like(named: &Path) -> Option<String> {
    let is_bot = |folder: &Path| folder.join("bot.json").is_file();
    let parent = named.parent()?;
    let around = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    if named.is_file() {
        return is_bot(around).then(|| around.display().to_string());
    }
    let name = named.file_name()?.to_str()?;
    let names = around
        .read_dir()
        .ok()?
        .flatten()
        .filter(|entry| is_bot(&entry.path()))
        .filter_map(|entry| entry.file_name().into_string().ok());
    let (distance, like) = names.map(|like| (strsim::osa_distance(name, &like), like)).min()?;
    (distance <= most_mistakes(name)).then(|| parent.join(like).display().to_string())
}

/// The built-in player with this name, or one close to it.
fn built_in_like(named: &str) -> Option<String> {
    let names = BuiltIn::ALL.map(|one| (strsim::osa_distance(named, one.name()), one.name()));
    let (distance, name) = names.into_iter().min()?;
    (distance <= most_mistakes(named)).then(|| format!("{}{name}", BuiltIn::PREFIX))
}

/// One mistake in a short name, two in a long one.
pub(crate) fn most_mistakes(named: &str) -> usize {
    1 + usize::from(named.len() > 5)
}

fn hint_for_url(named: &str, error: &UrlError) -> String {
    let (name, url) = split_name(named);
    let prefix = name.map(|name| format!("{name}=")).unwrap_or_default();
    let with_scheme = format!("http://{url}").parse::<BotUrl>();
    if let Some(like) = built_in_like(url).or_else(|| bot_like(Path::new(url))) {
        return format!("did you mean {prefix}{like}?");
    }
    match (error, with_scheme) {
        (UrlError::Unspecified { instead, .. }, _) => {
            format!("{prefix}{instead} is the same server for this machine; for another machine, write its address")
        }
        (UrlError::Scheme, _) if url.is_empty() && name.is_some() => {
            format!("write its URL after the =, as in {prefix}http://localhost:4000")
        }
        (UrlError::Scheme, _) if url.starts_with('=') => {
            "there is no name before the =: add one, or remove the =".to_owned()
        }
        // A word without a dot or a port is more often a folder, or the name of a bot, than a host.
        (UrlError::Scheme, Ok(_)) if !url.contains(['.', ':', '/', '@']) && url != "localhost" => {
            format!(
                "name the folder of a bot, or start a service and name its URL, as in {prefix}http://localhost:4000"
            )
        }
        (UrlError::Scheme, Ok(url)) => format!("write {prefix}{}", url.to_string().trim_end_matches('/')),
        _ => {
            let all = BuiltIn::listed("and");
            format!("expected a folder, or a URL such as http://localhost:4000; {all} always exist")
        }
    }
}

/// Writes the message and the hint to standard error, and returns the exit code.
pub(crate) fn report(failure: &Failure) -> Exit {
    tell("broadside: ", failure);
    failure.exit()
}

/// Writes the message, with `before` in front of it, and the hint to standard error.
pub(crate) fn tell(before: &str, failure: &Failure) {
    let text = format!("{before}{}", printable_output(&with_causes(failure)));
    let hint = failure.hint().map(|hint| printable(&hint));
    if !io::stderr().is_terminal() {
        say(&text);
        hint.iter().for_each(|hint| say(&format!("  hint: {hint}")));
        return;
    }
    // A terminal would break words.
    let columns = terminal::size().map_or(80, |size| size.columns);
    let hint = hint.map(|hint| wrapped("  hint: ", &hint, columns));
    wrapped("", &text, columns).iter().chain(hint.iter().flatten()).for_each(|line| say(line));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_is_misspelt_is_known() {
        let like = |name: &str| command_like(Path::new(name));
        assert_eq!(like("vefiry").as_deref(), Some("verify"));
        assert_eq!(like("chekc").as_deref(), Some("check"));
        assert_eq!(like("languages").as_deref(), Some("languages"), "behind a flag it is no command");
        for folder in ["my-bot", "bot", "new-bot", "plays", "bots/new"] {
            assert_eq!(like(folder).filter(|name| name != "play"), None, "{folder}");
        }
    }

    #[test]
    fn a_wrong_url_is_told_with_what_to_do() {
        let hint = |named: &str| hint_for_url(named, &split_name(named).1.parse::<BotUrl>().unwrap_err());
        assert_eq!(hint("localhost:4000"), "write http://localhost:4000");
        assert_eq!(
            hint("my-bot"),
            "name the folder of a bot, or start a service and name its URL, as in http://localhost:4000"
        );
        assert!(hint("Me=my-bot").ends_with("as in Me=http://localhost:4000"));
        assert_eq!(hint("localhost"), "write http://localhost");
        assert_eq!(hint("bots.example/mine"), "write http://bots.example/mine");
        assert_eq!(hint("me:secret@host"), "write http://host");
        assert!(hint("http://").contains("http://localhost:4000"));
        assert_eq!(hint("Me=localhost:4000"), "write Me=http://localhost:4000");
        assert_eq!(hint("Me="), "write its URL after the =, as in Me=http://localhost:4000");
        assert!(hint("Me=other").starts_with("name the folder of a bot"));
        assert!(hint("=http://localhost:4000").contains("no name before the ="));
    }
}
