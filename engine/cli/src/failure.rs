//! Telling the user what failed, and what to do about it.

use crate::exit::Exit;
use crate::game_flags::{games_over_http, is_over_http};
use crate::settings::SettingsError;
use crate::show::{printable, say, with_causes};
use arena::ArenaError;
use arena::record::RecordError;
use players::http::{BotUrl, UrlError};
use players::{BuiltIn, ManifestError};
use runner::{RunnerError, split_name};
use salvo::ServerError;
use salvo::client::ClientError;
use serve::ServeError;
use std::path::Path;
use tournament::{JournalError, TournamentError};
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
    /// A match or a tournament cannot be set up.
    #[error(transparent)]
    Runner(RunnerError),
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
    /// The journal of a tournament cannot be used.
    #[error(transparent)]
    Tournament(TournamentError),
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] ArenaError),
}

impl From<RunnerError> for Failure {
    fn from(error: RunnerError) -> Failure {
        match error {
            RunnerError::Arena(error) => Failure::Engine(error),
            RunnerError::Tournament(error) => error.into(),
            error => Failure::Runner(error),
        }
    }
}

impl From<TournamentError> for Failure {
    fn from(error: TournamentError) -> Failure {
        match error {
            TournamentError::Arena(error) => Failure::Engine(error),
            error @ TournamentError::Journal { .. } => Failure::Tournament(error),
        }
    }
}

impl Failure {
    fn exit(&self) -> Exit {
        match self {
            Failure::Usage { .. } | Failure::Settings(_) => Exit::Usage,
            Failure::Runner(RunnerError::Manifest { .. } | RunnerError::Launch { .. }) => Exit::BadBot,
            Failure::Runner(RunnerError::Sandbox(_)) => Exit::EngineError,
            Failure::Runner(_) => Exit::Usage,
            Failure::Engine(ArenaError::Interrupted) => Exit::Interrupted,
            Failure::Engine(ArenaError::Record { .. }) => Exit::BadRecord,
            Failure::Tournament(_) => Exit::BadRecord,
            Failure::Serve(ServeError::NoPassword { .. } | ServeError::Settings(_)) => Exit::Usage,
            Failure::Serve(ServeError::Locked { .. } | ServeError::Journal { .. }) => Exit::BadRecord,
            Failure::Serve(_) => Exit::EngineError,
            Failure::Salvo(ServerError::Prefix(_) | ServerError::Settings(_)) => Exit::Usage,
            Failure::Salvo(ServerError::Busy { .. } | ServerError::Journal { .. }) => Exit::BadRecord,
            Failure::Salvo(ServerError::Arena(ArenaError::Record { .. })) => Exit::BadRecord,
            Failure::Salvo(_) | Failure::SalvoClient(_) => Exit::EngineError,
            Failure::Live(_) | Failure::Engine(_) => Exit::EngineError,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Failure::Usage { hint, .. } => Some(hint.clone()),
            Failure::Settings(source) => Some(source.hint()),
            Failure::Runner(source) => hint_for_runner(source),
            Failure::Live(_) => Some("--live without a number takes any port that is free".to_owned()),
            Failure::Serve(source) => hint_for_serve(source),
            Failure::Salvo(source) => hint_for_salvo(source),
            Failure::SalvoClient(_) => {
                Some("the broker is that of `broadside salvo serve`, or the one that it was given".to_owned())
            }
            Failure::Tournament(TournamentError::Journal { source, .. }) => hint_for_journal(source),
            Failure::Tournament(_) => None,
            Failure::Engine(ArenaError::Record { source, .. }) => hint_for_record(source),
            Failure::Engine(ArenaError::Disk { doing: "read" | "look through", .. }) => None,
            Failure::Engine(ArenaError::Disk { .. }) => {
                Some("check that the folder can be written to and that there is space left".to_owned())
            }
            Failure::Engine(_) => None,
        }
    }
}

fn hint_for_runner(error: &RunnerError) -> Option<String> {
    Some(match error {
        RunnerError::NoSuchBuiltIn(_) => format!("there are {}", built_ins()),
        RunnerError::UrlForFolder { .. } => {
            format!("name the game, if its bots are services: {}", games_over_http())
        }
        RunnerError::NotAUrl { named, source, .. } => hint_for_url(named, source),
        RunnerError::HostNotAllowed { .. } => {
            "--allow-hosts names the hosts that may be: --allow-hosts private,my-bot.example.org".to_owned()
        }
        RunnerError::OnlyBuiltIns { game, .. } => {
            format!("broadside {} serve lets them play; builtin:random and builtin:hunter play here", game.name())
        }
        RunnerError::Pattern(_) => "quote the pattern, or name the folders".to_owned(),
        RunnerError::WrongNumber { game, .. } => {
            let bots = if is_over_http(*game) { "http://localhost:4000" } else { "builtin:hunter builtin:random" };
            format!("broadside play --game {} -b {bots} builtin:random", game.name())
        }
        RunnerError::TooFewEntrants(_) => {
            "broadside tournament -b BOT BOT …; builtin:random and builtin:hunter are there always".to_owned()
        }
        RunnerError::Settings(_) => "change what is agreed before the match: see broadside play --help".to_owned(),
        RunnerError::Manifest { source: source @ ManifestError::NoManifest(_), .. } => {
            format!("{}; if it is a service, start it and name its URL, with {}", source.hint(), games_over_http())
        }
        RunnerError::Manifest { source, .. } => source.hint(),
        RunnerError::Launch { source, .. } => source.hint(),
        RunnerError::Sandbox(_) => {
            "play with --sandbox on, which does what the kernel can; docs/sandbox.md tells what is needed".to_owned()
        }
        RunnerError::OtherTournament { .. } => "name another --dir, or the settings of this one".to_owned(),
        RunnerError::OtherEntrant { .. } => {
            "name another --dir for a new tournament, or the same bots and more for this one".to_owned()
        }
        RunnerError::Tournament(_) | RunnerError::Arena(_) => return None,
    })
}

fn built_ins() -> String {
    BuiltIn::ALL.map(|one| format!("{}{}", BuiltIn::PREFIX, one.name())).join(" and ")
}

fn hint_for_url(named: &str, error: &UrlError) -> String {
    let (name, url) = split_name(named);
    let prefix = name.map(|name| format!("{name}=")).unwrap_or_default();
    let with_scheme = format!("http://{url}").parse::<BotUrl>();
    match (error, with_scheme) {
        (UrlError::Scheme, _) if url.is_empty() && name.is_some() => {
            format!("its URL belongs behind the =, as in {prefix}http://localhost:4000")
        }
        (UrlError::Scheme, _) if url.starts_with('=') => "there is no name before the =; leave it out, too".to_owned(),
        (UrlError::Scheme, _) if Path::new(url).is_dir() => {
            "bots of this game are services: start the bot, and name the URL that it listens at".to_owned()
        }
        (UrlError::Scheme, Ok(url)) => format!("name it as {prefix}{}", url.to_string().trim_end_matches('/')),
        _ => "a URL is like http://localhost:4000; builtin:random and builtin:hunter are there always".to_owned(),
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
        JournalError::Locked => "wait for its end, or name another --dir",
        JournalError::NoJournal(_) => "a journal is called games.jsonl and lies in the folder of its tournament",
        JournalError::Newer(_) => "a newer broadside wrote it, and can read it",
        JournalError::Line { .. } => "the file was changed or damaged after it was written",
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
    say(&format!("broadside: {}", printable(&text)));
    if let Some(hint) = failure.hint() {
        say(&format!("  hint: {}", printable(&hint)));
    }
    failure.exit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_url_is_told_with_what_to_do() {
        let hint = |named: &str| hint_for_url(named, &split_name(named).1.parse::<BotUrl>().unwrap_err());
        assert_eq!(hint("localhost:4000"), "name it as http://localhost:4000");
        assert!(hint("src").contains("start the bot"));
        assert_eq!(hint("me:secret@host"), "name it as http://host");
        assert!(hint("http://").contains("http://localhost:4000"));
        assert_eq!(hint("Me=localhost:4000"), "name it as Me=http://localhost:4000");
        assert_eq!(hint("Me="), "its URL belongs behind the =, as in Me=http://localhost:4000");
        assert!(hint("Me=src").contains("start the bot"));
        assert!(hint("=http://localhost:4000").contains("no name before the ="));
    }
}
