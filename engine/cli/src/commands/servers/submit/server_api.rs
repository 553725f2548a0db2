//! The API of a server with contests, over HTTP. No redirect is followed: a token is for one server.

use super::Sent;
use super::error::SubmitError;
use super::kept_tokens::Token;
use super::version::VersionAnswer;
use crate::failure::Failure;
use crate::show::printable;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use rules::{printable_line, printable_prefix};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::time::Duration;
use ureq::http::{Response, Uri};
use ureq::{Agent, Body};

/// The time for a connection.
const CONNECT: Duration = Duration::from_secs(10);
/// The time for a request and its answer.
const REQUEST: Duration = Duration::from_secs(30);
/// The time for an archive and the answer.
const UPLOAD: Duration = Duration::from_secs(120);
/// The most bytes of an answer.
const MOST: u64 = 16 << 20;
/// The longest text of a server that is shown, in characters.
const LONGEST: usize = 400;
/// The characters of a part of a path that are written as they are not.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A contest on a server.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Contest {
    /// The name in URLs.
    pub(super) name: String,
    /// The name for people.
    #[serde(default)]
    pub(super) title: String,
}

impl Contest {
    /// Both names.
    pub(super) fn title_and_name(&self) -> String {
        let name = printable(&self.name);
        if self.title.is_empty() { name } else { format!("{} ({name})", printable_prefix(&self.title, LONGEST)) }
    }
}

/// A bot in a contest.
#[derive(Debug)]
pub(super) struct Entry {
    /// The name of the contest in URLs.
    pub(super) contest: String,
    /// The name of the bot.
    pub(super) bot: String,
}

/// A server with contests.
pub(super) struct Server {
    /// Without a slash at the end.
    url: String,
    agent: Agent,
}

/// The answer to a request.
struct Answer {
    url: String,
    status: u16,
    /// The place that a redirect names.
    location: Option<String>,
    body: Vec<u8>,
}

#[derive(Deserialize)]
struct Problem {
    error: String,
}

#[derive(Deserialize)]
struct LoggedIn {
    token: String,
}

impl Server {
    /// The server at this URL. Nothing is asked yet.
    ///
    /// # Errors
    /// [`Failure::Usage`] if it is no URL of a server.
    pub(super) fn at(url: &str) -> Result<Server, Failure> {
        let url = server_url(url).map_err(|hint| Failure::Usage {
            // What is before an @ may be secret.
            what: format!("{} is not the URL of a server", url.rsplit('@').next().unwrap_or_default()),
            hint: format!("{hint}, as in --to https://arena.example"),
        })?;
        let agent = Agent::config_builder()
            .user_agent(concat!("broadside/", env!("CARGO_PKG_VERSION")))
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_resolve(Some(CONNECT))
            .timeout_connect(Some(CONNECT))
            .timeout_global(Some(REQUEST))
            .build()
            .new_agent();
        Ok(Server { url, agent })
    }

    /// The URL.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// The contests.
    ///
    /// # Errors
    /// The server does not answer, or refuses.
    pub(super) fn contests(&self) -> Result<Vec<Contest>, SubmitError> {
        let url = format!("{}/api/contests", self.url);
        self.answer(&url, self.agent.get(&url).call())?.succeeded()?.json()
    }

    /// The token of a bot for its password. An older token of the bot ends.
    ///
    /// # Errors
    /// As [`Server::contests`]; the password is wrong, or there is no such bot.
    pub(super) fn log_in(&self, bot: &str, password: &str) -> Result<Token, SubmitError> {
        let url = format!("{}/api/bots/token", self.url);
        let body = json!({ "name": bot, "password": password }).to_string();
        let asked = self.agent.post(&url).header("Content-Type", "application/json").send(body);
        let answer = self.answer(&url, asked)?;
        let (url, bot) = (self.url.clone(), bot.to_owned());
        match answer.status {
            401 | 403 => Err(SubmitError::Password { url, bot }),
            // Also of a server without this part of the API, whose words tell nothing of a bot.
            404 if answer.problem().is_some() => Err(SubmitError::NoBot { url, bot }),
            _ => {
                let answer = answer.succeeded()?;
                let LoggedIn { token } = answer.json()?;
                Token::of(&token).ok_or_else(|| answer.unreadable("its token has characters that no token has"))
            }
        }
    }

    /// Hands in an archive or a web service as a new version, with the code of the contest if there is one.
    ///
    /// # Errors
    /// As [`Server::contests`]; [`SubmitError::Token`] if the server does not take the token.
    pub(super) fn hand_in(
        &self,
        entry: &Entry,
        token: &Token,
        sent: &Sent,
        code: Option<&str>,
        activate: bool,
    ) -> Result<VersionAnswer, SubmitError> {
        let url = format!("{}?activate={activate}", self.versions(entry));
        let request = self.agent.post(&url).config().timeout_global(Some(UPLOAD)).build();
        let mut request = request.header("Authorization", token.authorization());
        if let Some(code) = code {
            request = request.header("X-Contest-Code", code);
        }
        let asked = match sent {
            // A server that refuses says so before it gets the archive; afterwards, its answer might be lost with the connection.
            Sent::Folder(archive) => request
                .header("Content-Type", "application/gzip")
                .header("Expect", "100-continue")
                .send(&archive.bytes[..]),
            Sent::Service(service) => {
                request.header("Content-Type", "application/json").send(json!({ "url": service }).to_string())
            }
        };
        self.answer(&url, asked)?.known(self, entry)?.version()
    }

    /// A version.
    ///
    /// # Errors
    /// As [`Server::hand_in`].
    pub(super) fn version(&self, entry: &Entry, token: &Token, number: u64) -> Result<VersionAnswer, SubmitError> {
        let url = format!("{}/{number}", self.versions(entry));
        self.asked_with(token, &url)?.known(self, entry)?.version()
    }

    /// The log of a version from this byte on.
    ///
    /// # Errors
    /// As [`Server::hand_in`].
    pub(super) fn log(&self, entry: &Entry, token: &Token, number: u64, from: u64) -> Result<Vec<u8>, SubmitError> {
        let url = format!("{}/{number}/log?from={from}", self.versions(entry));
        Ok(self.asked_with(token, &url)?.known(self, entry)?.body)
    }

    fn versions(&self, entry: &Entry) -> String {
        let [contest, bot] = [&entry.contest, &entry.bot].map(|name| utf8_percent_encode(name, ENCODED));
        format!("{}/api/contests/{contest}/bots/{bot}/versions", self.url)
    }

    fn asked_with(&self, token: &Token, url: &str) -> Result<Answer, SubmitError> {
        self.answer(url, self.agent.get(url).header("Authorization", token.authorization()).call())
    }

    fn answer(&self, url: &str, asked: Result<Response<Body>, ureq::Error>) -> Result<Answer, SubmitError> {
        let failed = |error: ureq::Error| SubmitError::NoAnswer {
            url: self.url.clone(),
            why: match error {
                ureq::Error::Io(error) => error.to_string(),
                ureq::Error::Timeout(_) => "it takes too long".to_owned(),
                ureq::Error::HostNotFound => "there is no such host".to_owned(),
                error => error.to_string(),
            },
        };
        let mut response = asked.map_err(failed)?;
        let status = response.status().as_u16();
        let location = response.headers().get("location").and_then(|to| to.to_str().ok()).map(str::to_owned);
        let body = response.body_mut().with_config().limit(MOST).read_to_vec().map_err(failed)?;
        Ok(Answer { url: url.to_owned(), status, location, body })
    }
}

impl Answer {
    /// The words of the server about what is wrong.
    fn problem(&self) -> Option<String> {
        serde_json::from_slice::<Problem>(&self.body).ok().map(|problem| printable_prefix(&problem.error, LONGEST))
    }

    /// This answer, if it is one to a request with a token that was fulfilled.
    fn known(self, server: &Server, entry: &Entry) -> Result<Answer, SubmitError> {
        match self.status {
            401 => Err(SubmitError::Token { url: server.url.clone(), bot: entry.bot.clone() }),
            _ => self.succeeded(),
        }
    }

    /// This answer, if it is one to a request that was fulfilled.
    fn succeeded(self) -> Result<Answer, SubmitError> {
        if (200..300).contains(&self.status) {
            return Ok(self);
        }
        let words = match (&self.location, self.problem()) {
            (Some(to), _) if self.status < 400 => format!("it leads to {}", printable_prefix(to, LONGEST)),
            (_, Some(words)) => words,
            (_, None) if self.body.is_empty() => "no words".to_owned(),
            (_, None) => printable_line(&self.body, LONGEST),
        };
        Err(SubmitError::Status { url: self.url, status: self.status, words })
    }

    fn json<T: DeserializeOwned>(&self) -> Result<T, SubmitError> {
        serde_json::from_slice(&self.body).map_err(|error| self.unreadable(&rules::json_mistake(&error)))
    }

    fn version(&self) -> Result<VersionAnswer, SubmitError> {
        let json: Value = self.json()?;
        Ok(VersionAnswer { version: self.json()?, json })
    }

    fn unreadable(&self, why: &str) -> SubmitError {
        SubmitError::Unreadable { url: self.url.clone(), why: why.to_owned() }
    }
}

/// The URL of a server as it is kept, or the reason why this is none.
fn server_url(text: &str) -> Result<String, &'static str> {
    let uri: Uri = text.parse().map_err(|_| "write it with http:// or https:// before the name of the host")?;
    let (Some(scheme @ ("http" | "https")), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
        return Err("write it with http:// or https:// before the name of the host");
    };
    if authority.as_str().contains('@') {
        return Err("leave the name and the password away: the command asks for them");
    }
    if text.contains(['?', '#']) {
        return Err("leave away what begins with ? or #");
    }
    let host = authority.as_str().to_ascii_lowercase();
    Ok(format!("{scheme}://{host}{}", uri.path().trim_end_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_kept_in_one_form() {
        let url = |text: &str| server_url(text).unwrap_or_else(|why| why.to_owned());
        assert_eq!(url("http://localhost:3000"), "http://localhost:3000");
        assert_eq!(url("HTTPS://Arena.Example/"), "https://arena.example");
        assert_eq!(url("https://example.org/Arena/"), "https://example.org/Arena");
        assert_eq!(url("http://[::1]:3000/"), "http://[::1]:3000");
        for text in ["localhost:3000", "arena.example", "ftp://arena.example", "http://", "/api", "a b", ""] {
            assert!(url(text).starts_with("write it with http://"), "{text}");
        }
        assert!(url("https://me:secret@arena.example").starts_with("leave the name and the password away"));
        assert!(url("https://arena.example/?a=b").starts_with("leave away what begins"));
        assert!(url("https://arena.example/#a").starts_with("leave away what begins"));
    }

    #[test]
    fn names_are_encoded_in_paths() {
        let server = Server::at("http://localhost:3000/").unwrap();
        let entry = Entry { contest: "autumn-26".to_owned(), bot: "Deep Water/ä?".to_owned() };
        assert_eq!(
            server.versions(&entry),
            "http://localhost:3000/api/contests/autumn-26/bots/Deep%20Water%2F%C3%A4%3F/versions"
        );
    }

    #[test]
    fn a_password_in_a_url_is_not_shown() {
        let refused = Server::at("https://me:secret@arena.example").err().unwrap();
        assert!(!refused.to_string().contains("secret") && refused.hint().is_some());
    }
}
