//! Telling the user what failed, and what to do about it.

use crate::args::games_over_http;
use crate::exit::Exit;
use crate::settings::SettingsError;
use crate::show::{clean, say, with_causes};
use arena::record::RecordError;
use arena::{ArenaError, JournalError};
use players::ManifestError;
use players::process::{LaunchError, SandboxError};
use salvo::ServerError;
use salvo::client::ClientError;
use serve::ServeError;
use std::path::PathBuf;
use web::LiveError;

/// Everything that ends the program without a result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The command line makes no sense.
    #[error("{what}")]
    Usage {
        /// What is wrong.
        what: String,
        /// What to do.
        hint: String,
    },
    /// The user's settings make no sense.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// There is no usable bot in a folder.
    #[error("bot {}: {source}", folder.display())]
    Manifest {
        /// The folder as it was given.
        folder: PathBuf,
        /// What is wrong.
        #[source]
        source: ManifestError,
    },
    /// A bot cannot be started.
    #[error("bot {}: {source}", folder.display())]
    Launch {
        /// The folder as it was given.
        folder: PathBuf,
        /// What is wrong.
        #[source]
        source: LaunchError,
    },
    /// The sandbox that was asked for is not to be had.
    #[error("no strict sandbox")]
    Sandbox(#[source] SandboxError),
    /// There is no live view.
    #[error(transparent)]
    Live(#[from] LiveError),
    /// There is no tournament server.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// There is no server of Salvo.
    #[error(transparent)]
    Salvo(#[from] ServerError),
    /// There is no game of Salvo for a client.
    #[error(transparent)]
    SalvoClient(#[from] ClientError),
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] ArenaError),
}

impl Failure {
    fn exit(&self) -> Exit {
        match self {
            Failure::Usage { .. } | Failure::Settings(_) => Exit::Usage,
            Failure::Manifest { .. } | Failure::Launch { .. } => Exit::BadBot,
            Failure::Engine(ArenaError::Interrupted) => Exit::Interrupted,
            Failure::Engine(ArenaError::Record { .. } | ArenaError::Journal { .. }) => Exit::BadRecord,
            Failure::Serve(ServeError::NoPassword { .. } | ServeError::Settings(_)) => Exit::Usage,
            Failure::Serve(ServeError::Locked { .. } | ServeError::Journal { .. }) => Exit::BadRecord,
            Failure::Serve(_) => Exit::EngineError,
            Failure::Salvo(ServerError::Prefix(_) | ServerError::Settings(_)) => Exit::Usage,
            Failure::Salvo(ServerError::Busy { .. } | ServerError::Journal { .. }) => Exit::BadRecord,
            Failure::Salvo(ServerError::Arena(ArenaError::Record { .. })) => Exit::BadRecord,
            Failure::Salvo(_) | Failure::SalvoClient(_) => Exit::EngineError,
            Failure::Sandbox(_) | Failure::Live(_) | Failure::Engine(_) => Exit::EngineError,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Failure::Usage { hint, .. } => Some(hint.clone()),
            Failure::Settings(source) => Some(source.hint()),
            Failure::Manifest { source: source @ ManifestError::NoManifest(_), .. } => Some(format!(
                "{}; if it is a service, start it and name its URL, with {}",
                source.hint(),
                games_over_http()
            )),
            Failure::Manifest { source, .. } => Some(source.hint()),
            Failure::Launch { source, .. } => Some(source.hint()),
            Failure::Sandbox(_) => Some(
                "play with --sandbox on, which does what the kernel can; docs/sandbox.md tells what is needed"
                    .to_owned(),
            ),
            Failure::Live(_) => Some("--live without a number takes any port that is free".to_owned()),
            Failure::Serve(source) => hint_for_serve(source),
            Failure::Salvo(source) => hint_for_salvo(source),
            Failure::SalvoClient(_) => {
                Some("the broker is that of `broadside salvo serve`, or the one that it was given".to_owned())
            }
            Failure::Engine(ArenaError::Journal { source, .. }) => hint_for_journal(source),
            Failure::Engine(ArenaError::Record { source, .. }) => hint_for_record(source),
            Failure::Engine(ArenaError::Disk { doing: "read" | "look through", .. }) => None,
            Failure::Engine(ArenaError::Disk { .. }) => {
                Some("check that the folder can be written to and that there is space left".to_owned())
            }
            Failure::Engine(_) => None,
        }
    }
}

fn hint_for_serve(error: &ServeError) -> Option<String> {
    let hint = match error {
        ServeError::NoPassword { .. } => "set the variable BROADSIDE_ADMIN_PASSWORD, or listen on 127.0.0.1",
        ServeError::Locked { .. } => "end the other server first, or name another --dir",
        ServeError::Journal { .. } => "the file was changed or damaged after it was written; or name another --dir",
        ServeError::Address { .. } => "name another one with --listen; port 0 takes any that is free",
        ServeError::Index { .. } => "the database can be removed: it is made again of the journal",
        ServeError::Begin(_) | ServeError::Settings(_) | ServeError::Engine(_) => return None,
    };
    Some(hint.to_owned())
}

fn hint_for_salvo(error: &ServerError) -> Option<String> {
    let hint = match error {
        ServerError::Busy { .. } => "end the other server first, or name another --dir",
        ServerError::Journal { .. } | ServerError::Arena(ArenaError::Record { .. }) => {
            "the file was changed or damaged after it was written; name another --dir to begin anew"
        }
        ServerError::Listen { .. } => "name another address with --listen; port 0 takes any that is free",
        ServerError::Broker { .. } => {
            "see that it runs, and that --user and BROADSIDE_BROKER_PASSWORD are right; without --broker the server brings \
             a broker of its own"
        }
        ServerError::Arena(ArenaError::Disk { .. }) => {
            "check that the folder can be written to and that there is space left"
        }
        ServerError::Prefix(_) | ServerError::Settings(_) | ServerError::Arena(_) => return None,
    };
    Some(hint.to_owned())
}

fn hint_for_journal(error: &JournalError) -> Option<String> {
    let hint = match error {
        JournalError::Locked(_) => "wait for its end, or name another --dir",
        JournalError::Foreign(_) => "a journal is called games.jsonl and lies in the folder of its tournament",
        JournalError::Newer { .. } => "a newer broadside wrote it, and can read it",
        JournalError::Line { .. } => "the file was changed or damaged after it was written",
        JournalError::TooLong(_) => return None,
    };
    Some(hint.to_owned())
}

fn hint_for_record(error: &RecordError) -> Option<String> {
    let hint = match error {
        RecordError::NoRecord(_) => {
            "a record is called match.jsonl or match.jsonl.zst and lies in the folder of its match"
        }
        RecordError::OtherGame { .. } => {
            "only matches of the Entelect Challenge 2017 have such a folder; broadside replay shows those of all games"
        }
        RecordError::Newer { .. } => "a newer broadside wrote it, and can read it",
        RecordError::Line { .. } => "the file was changed or damaged after it was written",
        _ => return None,
    };
    Some(hint.to_owned())
}

/// Writes the message to standard error.
pub(crate) fn report(failure: &Failure) -> Exit {
    let text = with_causes(failure);
    say(&format!("broadside: {}", clean(&text)));
    if let Some(hint) = failure.hint() {
        say(&format!("  hint: {}", clean(&hint)));
    }
    failure.exit()
}
