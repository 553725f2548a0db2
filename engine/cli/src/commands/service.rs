//! Bots that are called over HTTP, and built-in players beside them.

use super::contestant::{Who, built_in};
use crate::failure::Failure;
use arena::record::{LimitsLine, RecordedSeat};
use arena::{Limits, Player};
use players::http::{BotUrl, UrlError};
use players::{BuiltIn, HttpPlayerFactory, OverHttp};
use rules::PlayerInfo;
use rules::{BySeat, GameKind, Seat};
use std::path::Path;
use std::time::Duration;

/// One who is to play a game over HTTP.
pub(crate) struct Service {
    /// Who it is.
    pub(crate) details: PlayerInfo,
    /// What it is.
    pub(crate) who: Who<Called>,
}

/// A bot that is called over HTTP.
pub(crate) struct Called {
    /// Where it is.
    pub(crate) url: BotUrl,
    /// Whether it was given a name, and is not only called as its URL is.
    is_named: bool,
}

/// Those who were named, if all of them may be called.
pub(crate) fn services<G: OverHttp>(named: &[String], caller: &HttpPlayerFactory<G>) -> Result<Vec<Service>, Failure> {
    named.iter().map(|named| service(named, caller)).collect()
}

/// The one who was named, if it may be called.
pub(crate) fn service<G: OverHttp>(named: &str, caller: &HttpPlayerFactory<G>) -> Result<Service, Failure> {
    if let Some(which) = named.strip_prefix(BuiltIn::PREFIX) {
        return Ok(Service { details: PlayerInfo::named(named), who: Who::BuiltIn(built_in(which)?) });
    }
    let (name, url) = named_url(named);
    let url: BotUrl = url.parse().map_err(|error| no_url(G::KIND, named, &error))?;
    if let Some(why) = caller.refusal(&url)? {
        return Err(Failure::Usage {
            what: format!("{url} may not be called: {why}"),
            hint: "--allow-hosts names the hosts that may be: --allow-hosts private,my-bot.example.org".to_owned(),
        });
    }
    Ok(Service { details: details(name, &url), who: Who::Bot(Called { url, is_named: name.is_some() }) })
}

/// `NAME=URL` as both. There may be a `=` in a URL, too, but not before its scheme; where the scheme was forgotten, not
/// before its path or port.
fn named_url(named: &str) -> (Option<&str>, &str) {
    match named.split_once('=') {
        Some((name, url)) if is_name(name, url) => (Some(name), url),
        _ => (None, named),
    }
}

/// Whether this is a name before a `=`, and not the beginning of a URL.
fn is_name(before: &str, behind: &str) -> bool {
    let begins_url = if behind.contains("://") { before.contains("://") } else { before.contains(['/', '?', ':']) };
    !before.is_empty() && !begins_url
}

/// The URL that was named where no bot has one, as it may be shown: also without its scheme, if there is a port.
pub(super) fn url_in(named: &str) -> Option<String> {
    let (_, url) = named_url(named);
    let host = url.split(['/', '?']).next().unwrap_or_default();
    let has_port = || host.contains(':') && format!("http://{url}").parse::<BotUrl>().is_ok();
    (url.contains("://") || has_port()).then(|| without_secrets(url))
}

fn no_url(game: GameKind, named: &str, error: &UrlError) -> Failure {
    let (name, url) = named_url(named);
    let prefix = name.map(|name| format!("{name}=")).unwrap_or_default();
    let with_scheme = format!("http://{url}").parse::<BotUrl>();
    let hint = match (error, with_scheme) {
        (UrlError::Scheme, _) if url.is_empty() && name.is_some() => {
            format!("its URL belongs behind the =, as in {prefix}http://localhost:4000")
        }
        (UrlError::Scheme, _) if url.starts_with('=') => "there is no name before the =; leave it out, too".to_owned(),
        (UrlError::Scheme, _) if Path::new(url).is_dir() => {
            "bots of this game are services: start the bot, and name the URL that it listens at".to_owned()
        }
        (UrlError::Scheme, Ok(url)) => format!("name it as {prefix}{}", url.to_string().trim_end_matches('/')),
        _ => "a URL is like http://localhost:4000; builtin:random and builtin:hunter are there always".to_owned(),
    };
    let what = format!("{prefix}{} is no bot of {}: {error}", without_secrets(url), game.title());
    Failure::Usage { what, hint }
}

/// What was to be a URL, without name, password and query: it ends up in the logs of build servers.
fn without_secrets(named: &str) -> String {
    let (scheme, place) = named.split_once("://").map_or(("", named), |(scheme, place)| (scheme, place));
    // A password may have any sign in it where nobody has encoded it, so everything before the last @ may be one.
    let bare = place.rsplit_once('@').map_or(place, |(_, bare)| bare);
    let shown = bare.split_once('?').map_or(bare, |(shown, _)| shown);
    if scheme.is_empty() && !named.contains("://") { shown.to_owned() } else { format!("{scheme}://{shown}") }
}

/// Without a name, a bot is called as its URL is, without what may be secret in it.
fn details(name: Option<&str>, url: &BotUrl) -> PlayerInfo {
    let shown = url.to_string();
    let place = shown.split_once("://").map_or(shown.as_str(), |(_, place)| place);
    let name = name.unwrap_or_else(|| place.trim_end_matches('/'));
    PlayerInfo { author: None, nick_name: Some(name.to_owned()), email: None, bot_type: "HTTP".to_owned() }
}

impl Service {
    /// What a record says of it, where answers may take so long.
    pub(crate) fn sitter(&self, limit: Option<Duration>) -> RecordedSeat {
        RecordedSeat { details: self.details.clone(), content: None, limits: self.who.limits(limit) }
    }

    /// The name that its opponent may be told.
    pub(crate) fn told(&self) -> Option<String> {
        self.who.told_as(self.details.name())
    }
}

impl Who<Called> {
    /// The name that its opponent may be told, where it is called so: none that tells where it can be called.
    pub(crate) fn told_as(&self, name: &str) -> Option<String> {
        match self {
            Who::Bot(Called { is_named: false, .. }) => None,
            Who::Bot(_) | Who::BuiltIn(_) => Some(name.to_owned()),
        }
    }

    /// What a record says of how long it may take.
    pub(crate) fn limits(&self, limit: Option<Duration>) -> Option<LimitsLine> {
        match self {
            Who::BuiltIn(_) => None,
            Who::Bot(_) => limit.map(|limit| Limits::exactly(limit, limit).into()),
        }
    }

    /// The player that it is in `seat`, of those whose opponents are told these names.
    pub(crate) fn player<G: OverHttp>(
        &self,
        caller: &HttpPlayerFactory<G>,
        seat: Seat,
        seed: u64,
        names: &BySeat<Option<String>>,
    ) -> Box<dyn Player<G>> {
        match self {
            Who::BuiltIn(which) => which.player(rules::seat_seed(seed, seat)),
            Who::Bot(bot) => caller.player(&bot.url, seat, seed, names),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(named: &str) -> String {
        let (name, url) = named_url(named);
        details(name, &url.parse().unwrap()).name().to_owned()
    }

    #[test]
    fn a_bot_is_called_as_its_url_without_secrets() {
        assert_eq!(name("http://localhost:4000"), "localhost:4000");
        assert_eq!(name("https://me:secret@host.example/api/?code=secret"), "host.example/api");
        assert_eq!(name("Hunter=http://host/?to=http://other"), "Hunter");
        assert_eq!(name("http://host/?to=http://other"), "host");
    }

    #[test]
    fn a_name_is_told_from_a_url_also_where_its_scheme_was_forgotten() {
        assert_eq!(named_url("Hunter=localhost:4000"), (Some("Hunter"), "localhost:4000"));
        assert_eq!(named_url("Hunter="), (Some("Hunter"), ""));
        for url in ["host/?key=1", "host:80?a=b", "=http://host", "=", ""] {
            assert_eq!(named_url(url), (None, url));
        }
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
    fn a_url_that_is_none_is_shown_without_what_may_be_secret_in_it() {
        let named = ["http://me:secret@host:99999/a?key=secret", "me:secret@host", "localhost:4000/a", "http://"];
        assert_eq!(named.map(without_secrets), ["http://host:99999/a", "host", "localhost:4000/a", "http://"]);
        let careless = ["http://me:se?cret@host", "http://me:se/cret@host", "http:/me:secret@host"];
        assert_eq!(careless.map(without_secrets), ["http://host", "http://host", "host"]);
    }

    #[test]
    fn what_is_no_url_is_told_with_what_to_do() {
        let hint = |named: &str| {
            let error = named_url(named).1.parse::<BotUrl>().unwrap_err();
            let Failure::Usage { what, hint } = no_url(GameKind::SeaBattle, named, &error) else { panic!() };
            assert!(what.contains(" is no bot of Sea Battle: ") && !what.contains("secret"), "{what}");
            hint
        };
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
