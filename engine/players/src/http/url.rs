//! The URL of a bot.

use arena::ArenaError;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use percent_encoding::percent_decode_str;
use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;
use ureq_proto::http::Uri;
use ureq_proto::http::uri::{Authority, PathAndQuery, Scheme};

/// An `http://` or `https://` URL under which a bot may be reached.
///
/// A name and a password in it (`http://name:password@host/`) are sent as basic authentication. They are never shown,
/// nor is what follows a `?`, since either may be secret: [`fmt::Display`] and [`fmt::Debug`] leave them out.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BotUrl {
    /// Without name and password.
    pub(super) uri: Uri,
    /// The value of the header that tells who calls.
    pub(super) authorization: Option<String>,
    pub(super) origin: Origin,
}

/// The other end of a connection.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Origin {
    /// True for an encrypted connection.
    pub(super) is_https: bool,
    /// A name or an address, in lower case, without brackets.
    pub(super) host: String,
    /// The port.
    pub(super) port: u16,
}

impl Origin {
    /// The address, if the host is not a name.
    pub(super) fn ip(&self) -> Option<IpAddr> {
        self.host.parse().ok()
    }
}

/// A text that is not the URL of a bot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    /// The text is not a URL, for this reason.
    #[error("not a URL: {0}")]
    Malformed(String),
    /// The text begins with another scheme.
    #[error("a bot's URL begins with http:// or https://")]
    Scheme,
    /// The URL has no host.
    #[error("a bot's URL needs a host")]
    Host,
    /// The text names a place in a document.
    #[error("a bot's URL has no fragment (#…)")]
    Fragment,
    /// The host is the address with which a server listens on all networks.
    #[error("{host} is an address to listen on, and not that of a machine: write {instead}")]
    Unspecified {
        /// The host.
        host: String,
        /// The URL of the same server for those on its machine, without login and query.
        instead: String,
    },
}

impl BotUrl {
    /// The host: a name or an address, in lower case, without brackets.
    pub fn host(&self) -> &str {
        &self.origin.host
    }

    /// Checks that the host is not `0.0.0.0` or its like, which people take over from the address on which a server listens.
    ///
    /// # Errors
    /// [`UrlError::Unspecified`] with the URL to write in its place.
    pub fn check_host(&self) -> Result<(), UrlError> {
        let is_unspecified = self.origin.ip().is_some_and(|ip| ip.to_canonical().is_unspecified());
        if !is_unspecified {
            return Ok(());
        }
        let shown = self.to_string();
        let written = self.uri.host().unwrap_or_default();
        let instead = shown.replacen(written, "127.0.0.1", 1).trim_end_matches('/').to_owned();
        Err(UrlError::Unspecified { host: self.origin.host.clone(), instead })
    }
}

impl FromStr for BotUrl {
    type Err = UrlError;

    fn from_str(text: &str) -> Result<BotUrl, UrlError> {
        // `Uri` ignores a fragment.
        if text.contains('#') {
            return Err(UrlError::Fragment);
        }
        let has_scheme = ["http://", "https://"]
            .iter()
            .any(|scheme| text.get(..scheme.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(scheme)));
        if !has_scheme {
            return Err(UrlError::Scheme);
        }
        if !text.is_ascii() {
            return Err(UrlError::Malformed("letters outside ASCII must be encoded (%…, xn--…)".to_owned()));
        }
        let uri: Uri = text.parse().map_err(|e: ureq_proto::http::uri::InvalidUri| malformed(&e))?;
        let mut parts = uri.into_parts();
        let authority = parts.authority.take().ok_or(UrlError::Host)?;
        let host = authority.host().trim_matches(['[', ']']).to_ascii_lowercase();
        if host.is_empty() {
            return Err(UrlError::Host);
        }
        if authority.host().starts_with('[') && host.parse::<Ipv6Addr>().is_err() {
            return Err(UrlError::Malformed(format!("[{host}] is not an IPv6 address")));
        }
        let (credentials, place) = match authority.as_str().rsplit_once('@') {
            Some((credentials, place)) => (Some(credentials), place),
            None => (None, authority.as_str()),
        };
        let is_https = parts.scheme == Some(Scheme::HTTPS);
        let port = match (authority.port(), place.rsplit_once(':')) {
            (Some(port), _) => port.as_u16(),
            // `host:99999` and `host:`, but not the colons of `[::1]`.
            (None, Some((_, digits))) if !digits.ends_with(']') => {
                // Anything but a number may be the beginning of a password.
                let is_number = digits.bytes().all(|digit| digit.is_ascii_digit());
                let what = if is_number { format!("{digits:?}") } else { "what follows the colon".to_owned() };
                return Err(UrlError::Malformed(format!("{what} is not a port")));
            }
            (None, _) if is_https => 443,
            (None, _) => 80,
        };
        let authorization = credentials.map(basic);
        parts.authority = Some(place.parse::<Authority>().map_err(|e| malformed(&e))?);
        let uri = Uri::from_parts(parts).map_err(|e| malformed(&e))?;
        Ok(BotUrl { uri, authorization, origin: Origin { is_https, host, port } })
    }
}

fn malformed(error: &dyn fmt::Display) -> UrlError {
    UrlError::Malformed(error.to_string())
}

/// The value of the header that tells who calls. Name and password may be percent-encoded.
fn basic(credentials: &str) -> String {
    let (name, password) = credentials.split_once(':').unwrap_or((credentials, ""));
    let plain: Vec<u8> = percent_decode_str(name).chain(*b":").chain(percent_decode_str(password)).collect();
    format!("Basic {}", BASE64_STANDARD.encode(plain))
}

impl BotUrl {
    /// The URL of `path` below this one: `http://host/api/?key=1` becomes `http://host/api/move?key=1`. Without a path it
    /// is this URL itself.
    ///
    /// # Errors
    /// [`ArenaError::Network`] when `path` has characters that a URL cannot have: the dialect is wrong.
    pub(super) fn below(&self, path: Option<&str>) -> Result<BotUrl, ArenaError> {
        let Some(path) = path else { return Ok(self.clone()) };
        let mut place = format!("{}/{path}", self.uri.path().trim_end_matches('/'));
        if let Some(query) = self.uri.query() {
            place = format!("{place}?{query}");
        }
        let mut parts = self.uri.clone().into_parts();
        let failed = |source| ArenaError::Network { doing: "make a URL", address: self.to_string(), source };
        parts.path_and_query = Some(PathAndQuery::try_from(place).map_err(|e| failed(io::Error::other(e)))?);
        let uri = Uri::from_parts(parts).map_err(|e| failed(io::Error::other(e)))?;
        Ok(BotUrl { uri, ..self.clone() })
    }

    /// The place that a redirect of this URL names: a whole URL, or a path. `None` if it is on another host, or no such place.
    pub(super) fn on_the_same_host(&self, place: &str) -> Option<BotUrl> {
        let url: BotUrl = if place.starts_with('/') && !place.starts_with("//") {
            let mut parts = self.uri.clone().into_parts();
            parts.path_and_query = Some(PathAndQuery::try_from(place).ok()?);
            BotUrl { uri: Uri::from_parts(parts).ok()?, ..self.clone() }
        } else {
            place.parse().ok()?
        };
        // Nobody is told without encryption what was meant to be encrypted.
        let is_same = url.origin.host == self.origin.host && (url.origin.is_https || !self.origin.is_https);
        // At another port, somebody else may listen, who is not told who calls.
        let usual = [(false, 80), (true, 443)];
        let ports = [&self.origin, &url.origin].map(|origin| (origin.is_https, origin.port));
        let is_told = self.origin == url.origin || ports == usual;
        let authorization = if is_told { self.authorization.clone() } else { url.authorization.clone() };
        is_same.then(|| BotUrl { authorization, ..url })
    }

    /// True if this program can call the URL: `https://` needs the feature `https`.
    pub fn is_supported(&self) -> bool {
        cfg!(feature = "https") || !self.origin.is_https
    }

    /// True if both lead to the same host and port as they are written; a server may have several names.
    pub fn shares_server(&self, other: &BotUrl) -> bool {
        self.origin == other.origin
    }
}

impl fmt::Display for BotUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.origin.is_https { "https" } else { "http" };
        let authority = self.uri.authority().map_or("", Authority::as_str);
        write!(f, "{scheme}://{authority}{}", self.uri.path())
    }
}

impl fmt::Debug for BotUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BotUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::{BotUrl, UrlError};

    fn url(text: &str) -> BotUrl {
        text.parse().unwrap()
    }

    fn refused(text: &str) -> UrlError {
        text.parse::<BotUrl>().unwrap_err()
    }

    #[test]
    fn addresses_are_appended_to_the_path_whatever_it_ends_with() {
        let below = |text: &str| url(text).below(Some("move")).unwrap().uri.to_string();
        assert_eq!(below("http://host"), "http://host/move");
        assert_eq!(below("http://host:8080/"), "http://host:8080/move");
        assert_eq!(below("https://host/api"), "https://host/api/move");
        assert_eq!(below("https://host/api/"), "https://host/api/move");
        assert_eq!(below("https://host/api?key=1"), "https://host/api/move?key=1");
        assert_eq!(url("https://host/api/?key=1").below(None).unwrap().uri, "https://host/api/?key=1");
        let error = url("http://host").below(Some("a b")).unwrap_err();
        assert_eq!(error.to_string(), "cannot make a URL to call http://host/");
    }

    #[test]
    fn a_url_has_an_origin_with_a_default_port() {
        let origin = |text: &str| {
            let origin = url(text).origin;
            (origin.is_https, origin.host, origin.port)
        };
        assert_eq!(origin("http://Host/x"), (false, "host".to_owned(), 80));
        assert_eq!(origin("HTTPS://host"), (true, "host".to_owned(), 443));
        assert_eq!(origin("http://[::1]:8080/"), (false, "::1".to_owned(), 8080));
        assert_eq!(origin("http://[::1]"), (false, "::1".to_owned(), 80));
    }

    #[test]
    fn the_address_on_which_a_server_listens_is_replaced_by_that_of_this_machine() {
        let said = |text: &str| url(text).check_host().err().map(|error| error.to_string()).unwrap_or_default();
        let zero = said("http://me:secret@0.0.0.0:4000/");
        assert_eq!(zero, "0.0.0.0 is an address to listen on, and not that of a machine: write http://127.0.0.1:4000");
        assert!(said("http://[::]:81/bot?key=1").ends_with("write http://127.0.0.1:81/bot"));
        for good in ["http://127.0.0.1", "http://0.0.0.0.example", "http://[::1]", "http://localhost/0.0.0.0"] {
            assert_eq!(said(good), "");
        }
    }

    #[test]
    fn passwords_and_queries_are_used_but_not_shown() {
        let url = url("http://me:s%40cret@host:81/bot?token=hidden");
        // me:s@cret
        assert_eq!(url.authorization.as_deref(), Some("Basic bWU6c0BjcmV0"));
        assert_eq!(url.uri, "http://host:81/bot?token=hidden");
        assert_eq!(url.to_string(), "http://host:81/bot");
        assert_eq!(format!("{url:?}"), "BotUrl(http://host:81/bot)");
    }

    #[test]
    fn a_redirect_tells_who_calls_to_the_same_server_only() {
        let from = url("http://me:secret@host/bot");
        let told =
            |place: &str| from.on_the_same_host(place).map(|to| (to.uri.to_string(), to.authorization.is_some()));
        let to = |text: &str, is_told| Some((text.to_owned(), is_told));
        assert_eq!(told("/new?x=1"), to("http://host/new?x=1", true));
        assert_eq!(told("http://HOST:80/new"), to("http://HOST:80/new", true));
        assert_eq!(told("https://host/new"), to("https://host/new", true));
        assert_eq!(told("http://host:8080/new"), to("http://host:8080/new", false));
        assert_eq!(told("https://host:8443/new"), to("https://host:8443/new", false));
        assert_eq!(told("http://other/new"), None);
        assert_eq!(url("https://host/").on_the_same_host("http://host/"), None);
    }

    #[test]
    fn what_is_no_url_of_a_bot_is_refused_with_the_reason() {
        for text in ["", "host", "//host/x", "ftp://host/", "file:///etc/passwd", "http:/host"] {
            assert_eq!(refused(text), UrlError::Scheme, "{text}");
        }
        assert_eq!(refused("http://host/#top"), UrlError::Fragment);
        let malformed = [
            ("no host", &["http://", "http:///path", "http://:80/", "http://user@/"][..]),
            ("the characters", &["http://ho st/", "http://hö/", "http://host/\u{7f}"]),
            ("the port", &["http://host:99999/", "http://host:x/"]),
            ("the address", &["http://[::1/", "http://[fe80::1%25eth0]/", "http://[host]/"]),
        ];
        for (why, texts) in malformed {
            for text in texts {
                assert!(matches!(refused(text), UrlError::Malformed(_) | UrlError::Host), "{text}: {why}");
            }
        }
    }
}
