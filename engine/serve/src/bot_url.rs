//! Where bots are.

use players::http::{self, UrlError};
use serde::{Deserialize, Serialize};

/// The address of a bot: what `/placement` and `/move` are added to.
///
/// It may have a secret in its query (`?code=…`), so it is shown to its owner and the administrator only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BotUrl {
    text: String,
    target: http::BotUrl,
}

/// Why a text is no address of a bot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BotUrlError {
    /// There is nothing.
    #[error("a URL is needed, such as http://192.168.0.7:4000")]
    Empty,
    /// It is too long.
    #[error("a URL has at most {most} letters", most = BotUrl::MOST)]
    TooLong,
    /// It cannot be called.
    #[error(transparent)]
    Wrong(#[from] UrlError),
}

impl BotUrl {
    /// The most letters a URL may have.
    pub const MOST: usize = 300;

    /// Such an address.
    pub fn new(text: &str) -> Result<BotUrl, BotUrlError> {
        let text = text.trim();
        match text {
            "" => Err(BotUrlError::Empty),
            _ if text.len() > BotUrl::MOST => Err(BotUrlError::TooLong),
            _ => Ok(BotUrl { text: text.to_owned(), target: text.parse()? }),
        }
    }

    /// The address as it was given.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The address as messages show it: without what may be secret, and without a slash at its end.
    pub(super) fn shown(&self) -> String {
        self.target.to_string().trim_end_matches('/').to_owned()
    }

    /// The address as it is called.
    pub(super) fn target(&self) -> http::BotUrl {
        self.target.clone()
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
        url.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_s_own_addresses_are_addresses() {
        for text in ["http://localhost:4000", "https://your-api.azurewebsites.net/api", "http://[::1]:8080/a?code=x"] {
            assert_eq!(BotUrl::new(&format!(" {text} ")).unwrap().as_str(), text);
        }
    }

    #[test]
    fn what_nobody_should_call_is_no_address() {
        assert_eq!(BotUrl::new(" "), Err(BotUrlError::Empty));
        assert_eq!(BotUrl::new(&format!("http://{}", "x".repeat(300))), Err(BotUrlError::TooLong));
        for text in ["localhost:4000", "file:///etc/passwd", "javascript:alert(1)", "http://host:99999", "http://"] {
            assert!(matches!(BotUrl::new(text), Err(BotUrlError::Wrong(_))), "{text}");
        }
    }
}
