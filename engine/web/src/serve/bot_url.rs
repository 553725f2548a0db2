//! Where bots are.

use axum::http::Uri;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The address of a bot: what `/placement` and `/move` are added to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BotUrl(String);

/// Why a text is no address of a bot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BotUrlError {
    /// There is nothing.
    #[error("a URL is needed, such as http://192.168.0.7:4000")]
    Empty,
    /// It is too long.
    #[error("a URL has at most {} letters", BotUrl::MOST)]
    TooLong,
    /// It has no scheme that is called.
    #[error("a URL begins with http:// or https://")]
    Scheme,
    /// It cannot be read.
    #[error("this is no URL: {0}")]
    Unreadable(String),
    /// It has a name and password in it.
    #[error("a URL must not have a user name or password in it")]
    Credentials,
    /// It has more than a path.
    #[error("a URL ends with its path: /placement and /move are added to it")]
    Query,
}

impl BotUrl {
    /// The most letters a URL may have.
    pub const MOST: usize = 300;

    /// Such an address; the slash at its end makes no difference.
    pub fn new(text: &str) -> Result<BotUrl, BotUrlError> {
        let text = text.trim();
        match text {
            "" => return Err(BotUrlError::Empty),
            _ if text.len() > BotUrl::MOST => return Err(BotUrlError::TooLong),
            _ if text.contains(['?', '#']) => return Err(BotUrlError::Query),
            _ => {}
        }
        let has_scheme = |scheme: &str| text.get(..scheme.len()).is_some_and(|has| has.eq_ignore_ascii_case(scheme));
        if !has_scheme("http://") && !has_scheme("https://") {
            return Err(BotUrlError::Scheme);
        }
        let uri: Uri = text.parse().map_err(|e: axum::http::uri::InvalidUri| BotUrlError::Unreadable(e.to_string()))?;
        let authority = uri.authority().ok_or_else(|| BotUrlError::Unreadable("it names no host".to_owned()))?;
        if authority.as_str().contains('@') {
            return Err(BotUrlError::Credentials);
        }
        if authority.host().is_empty() {
            return Err(BotUrlError::Unreadable("it names no host".to_owned()));
        }
        if authority.port().is_some() && authority.port_u16().is_none_or(|port| port == 0) {
            return Err(BotUrlError::Unreadable("a port is a number from 1 to 65535".to_owned()));
        }
        Ok(BotUrl(text.trim_end_matches('/').to_owned()))
    }

    /// The address without a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for BotUrl {
    type Error = BotUrlError;

    fn try_from(text: String) -> Result<BotUrl, BotUrlError> {
        BotUrl::new(&text)
    }
}

impl From<BotUrl> for String {
    fn from(url: BotUrl) -> String {
        url.0
    }
}

impl fmt::Display for BotUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_s_own_addresses_are_addresses() {
        let read = |text| BotUrl::new(text).unwrap().as_str().to_owned();
        assert_eq!(read("http://localhost:4000"), "http://localhost:4000");
        assert_eq!(read(" http://localhost:4000/ "), "http://localhost:4000");
        assert_eq!(read("https://your-api.azurewebsites.net/api/"), "https://your-api.azurewebsites.net/api");
        assert_eq!(read("HTTP://[::1]:8080/a/b"), "HTTP://[::1]:8080/a/b");
    }

    #[test]
    fn what_nobody_should_call_is_no_address() {
        for (text, why) in [
            ("", BotUrlError::Empty),
            ("localhost:4000", BotUrlError::Scheme),
            ("file:///etc/passwd", BotUrlError::Scheme),
            ("javascript:alert(1)", BotUrlError::Scheme),
            ("http://ann:secret@host/", BotUrlError::Credentials),
            ("http://host/?a=1", BotUrlError::Query),
            ("http://host/#a", BotUrlError::Query),
        ] {
            assert_eq!(BotUrl::new(text), Err(why), "{text}");
        }
        assert_eq!(BotUrl::new(&format!("http://{}", "x".repeat(300))), Err(BotUrlError::TooLong));
        for text in ["http://", "http:///move", "http://a b", "http://host:99999", "http://host:0", "http://host\r\nX: y"] {
            assert!(matches!(BotUrl::new(text), Err(BotUrlError::Unreadable(_))), "{text:?}: {:?}", BotUrl::new(text));
        }
    }
}
