//! Bots of games over HTTP: web services, the way they are named, and programs.

use crate::{Program, RunnerError};
use players::http::{BotUrl, UrlError};
use rules::GameKind;

/// A bot of a game over HTTP.
#[derive(Debug, Clone)]
pub enum HttpBot {
    /// A web service.
    Service(Service),
    /// A program that answers the same requests line by line ([`Lines`](players::process::Lines)).
    Program(Box<Program>),
}

impl HttpBot {
    /// The program in a folder, asked by lines.
    pub(crate) fn program(program: Program) -> HttpBot {
        HttpBot::Program(Box::new(Program { launch: program.launch.by_lines(), ..program }))
    }

    /// The web service, if it is one.
    pub fn as_service(&self) -> Option<&Service> {
        match self {
            HttpBot::Service(service) => Some(service),
            HttpBot::Program(_) => None,
        }
    }

    /// The program, if it is one.
    pub fn as_program(&self) -> Option<&Program> {
        match self {
            HttpBot::Service(_) => None,
            HttpBot::Program(program) => Some(program),
        }
    }
}

/// A bot that is called over HTTP.
#[derive(Debug, Clone)]
pub struct Service {
    /// The URL.
    pub url: BotUrl,
    /// True if the bot was given a name. Without one its opponent is not told the URL as a name: it could call it.
    pub is_named: bool,
    /// The name of the dialect in which the bot is asked; `None` for the dialect of the match.
    pub dialect: Option<String>,
}

/// `URL` or `NAME=URL`, each also with `,dialect=DIALECT`, and the name that the bot has: without `NAME=`, the URL without
/// login and query.
pub(crate) fn parse(named: &str, game: GameKind) -> Result<(Service, String), RunnerError> {
    let (named, dialect) = split_dialect(named);
    let (name, url) = split_name(named);
    let parsed = url.parse().and_then(|parsed: BotUrl| parsed.check_host().map(|()| parsed));
    let url = parsed.map_err(|source: UrlError| {
        let shown = format!("{}{}", name.map(|name| format!("{name}=")).unwrap_or_default(), without_secrets(url));
        RunnerError::NotAUrl { named: named.to_owned(), shown, game, source }
    })?;
    let shown = url.to_string();
    if !url.is_supported() {
        return Err(RunnerError::WithoutHttps(shown));
    }
    let place = shown.split_once("://").map_or(shown.as_str(), |(_, place)| place);
    let name_shown = name.unwrap_or_else(|| place.trim_end_matches('/')).to_owned();
    Ok((Service { url, is_named: name.is_some(), dialect: dialect.map(str::to_owned) }, name_shown))
}

/// The dialect behind a URL, as in `http://localhost:4000,dialect=json`. Without a comma before it, `dialect=` belongs to the
/// URL.
fn split_dialect(named: &str) -> (&str, Option<&str>) {
    match named.rsplit_once(",dialect=") {
        Some((rest, dialect)) => (rest, Some(dialect)),
        None => (named, None),
    }
}

/// `NAME=URL` as both. A URL may contain a `=`, too, but not before its scheme; without a scheme, not before its path or
/// port.
pub fn split_name(named: &str) -> (Option<&str>, &str) {
    match named.split_once('=') {
        Some((name, url)) if is_name(name, url) => (Some(name), url),
        _ => (None, named),
    }
}

fn is_name(before: &str, behind: &str) -> bool {
    let begins_url = if behind.contains("://") { before.contains("://") } else { before.contains(['/', '?', ':']) };
    !before.is_empty() && !begins_url
}

/// The URL in a text that should name a folder, without login and query. A text without a scheme is a URL if it has a
/// port.
pub(crate) fn url_in(named: &str) -> Option<String> {
    let (_, url) = split_name(named);
    let host = url.split(['/', '?']).next().unwrap_or_default();
    let has_port = || host.contains(':') && format!("http://{url}").parse::<BotUrl>().is_ok();
    (url.contains("://") || has_port()).then(|| without_secrets(url))
}

/// A text that should be a URL, without login and query: it may end up in public logs.
fn without_secrets(named: &str) -> String {
    let (scheme, place) = named.split_once("://").map_or(("", named), |(scheme, place)| (scheme, place));
    // An unencoded password may contain any character, so everything before the last @ may be one.
    let bare = place.rsplit_once('@').map_or(place, |(_, bare)| bare);
    let shown = bare.split_once('?').map_or(bare, |(shown, _)| shown);
    if scheme.is_empty() && !named.contains("://") { shown.to_owned() } else { format!("{scheme}://{shown}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(named: &str) -> String {
        parse(named, GameKind::SeaBattle).unwrap().1
    }

    #[test]
    fn a_bot_is_called_as_its_url_without_secrets() {
        assert_eq!(name("http://localhost:4000"), "localhost:4000");
        assert_eq!(name("https://me:secret@host.example/api/?code=secret"), "host.example/api");
        assert_eq!(name("Hunter=http://host/?to=http://other"), "Hunter");
        assert_eq!(name("http://host/?to=http://other"), "host");
    }

    #[test]
    fn a_name_is_told_from_a_url_also_without_a_scheme() {
        assert_eq!(split_name("Hunter=localhost:4000"), (Some("Hunter"), "localhost:4000"));
        assert_eq!(split_name("Hunter="), (Some("Hunter"), ""));
        for url in ["host/?key=1", "host:80?a=b", "=http://host", "=", ""] {
            assert_eq!(split_name(url), (None, url));
        }
    }

    #[test]
    fn a_bot_may_have_a_dialect_of_its_own() {
        let parsed = |named: &str| {
            let (bot, name) = parse(named, GameKind::BotsArena).unwrap();
            (bot.url.to_string(), name, bot.dialect.unwrap_or_default())
        };
        let told = |url: &str, name: &str, dialect: &str| (url.to_owned(), name.to_owned(), dialect.to_owned());
        assert_eq!(parsed("Old=http://host/bot,dialect=json"), told("http://host/bot", "Old", "json"));
        assert_eq!(parsed("http://host,dialect=form"), told("http://host/", "host", "form"));
        assert_eq!(parsed("http://host/a,b?c=d,e"), told("http://host/a,b", "host/a,b", ""));
        assert_eq!(parsed("http://host/?dialect=json"), told("http://host/", "host", ""));
    }

    #[test]
    fn a_url_is_noticed_where_a_folder_should_be() {
        let noticed = |named: &str| url_in(named).unwrap_or_default();
        assert_eq!(noticed("http://me:secret@host:4000/api?key=secret"), "http://host:4000/api");
        assert_eq!(noticed("Hunter=http://host:99999"), "http://host:99999");
        assert_eq!(noticed("localhost:4000"), "localhost:4000");
        for folder in ["my-bot", "bots/my bot", "C:\\bots\\mine", "bots/a:b", "a=b"] {
            assert_eq!(url_in(folder), None, "{folder}");
        }
    }

    #[test]
    fn a_wrong_url_is_shown_without_secrets() {
        let named = ["http://me:secret@host:99999/a?key=secret", "me:secret@host", "localhost:4000/a", "http://"];
        assert_eq!(named.map(without_secrets), ["http://host:99999/a", "host", "localhost:4000/a", "http://"]);
        let careless = ["http://me:se?cret@host", "http://me:se/cret@host", "http:/me:secret@host"];
        assert_eq!(careless.map(without_secrets), ["http://host", "http://host", "host"]);
    }
}
