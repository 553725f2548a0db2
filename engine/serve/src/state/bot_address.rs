//! Addresses of bots.

use players::http::{self, UrlError};
use rules::sea_battle::{MOVE, PLACEMENT};
use serde::{Deserialize, Serialize};

/// The base URL of a bot: `/placement` and `/move` are added to its path.
///
/// The query may contain a secret (`?code=…`), so only the owner and the administrator see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BotAddress {
    text: String,
    /// The address as the HTTP client uses it.
    pub(crate) target: http::BotUrl,
}

/// The reason why a text is not the address of a bot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BotAddressError {
    /// The text is empty.
    #[error("a URL is needed, such as http://192.168.0.7:4000")]
    Empty,
    /// The text is longer than [`BotAddress::MOST`].
    #[error("a URL has at most {most} letters", most = BotAddress::MOST)]
    TooLong,
    /// The text is not a URL that can be called.
    #[error(transparent)]
    Wrong(#[from] UrlError),
}

impl BotAddress {
    /// The longest URL, in bytes.
    pub const MOST: usize = 300;

    /// An address, without the spaces around it.
    ///
    /// # Errors
    /// The text is empty, too long, or not an HTTP URL; the error says what to change.
    pub fn new(text: &str) -> Result<BotAddress, BotAddressError> {
        let text = text.trim();
        match text {
            "" => Err(BotAddressError::Empty),
            _ if text.len() > BotAddress::MOST => Err(BotAddressError::TooLong),
            _ => Ok(BotAddress { text: text.to_owned(), target: text.parse()? }),
        }
    }

    /// The endpoint that the path ends with, as if it were the URL of one: requests would go to `/move/placement`.
    pub(crate) fn endpoint(&self) -> Option<&'static str> {
        let path = self.text.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        [PLACEMENT, MOVE].into_iter().find(|name| path.rsplit('/').next() == Some(name))
    }

    /// The address as it was given.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl TryFrom<String> for BotAddress {
    type Error = BotAddressError;

    fn try_from(text: String) -> Result<BotAddress, BotAddressError> {
        BotAddress::new(&text)
    }
}

impl From<BotAddress> for String {
    fn from(url: BotAddress) -> String {
        url.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_s_own_addresses_are_addresses() {
        for text in ["http://localhost:4000", "https://your-api.azurewebsites.net/api", "http://[::1]:8080/a?code=x"] {
            assert_eq!(BotAddress::new(&format!(" {text} ")).unwrap().as_str(), text);
        }
    }

    #[test]
    fn what_nobody_should_call_is_no_address() {
        assert_eq!(BotAddress::new(" "), Err(BotAddressError::Empty));
        assert_eq!(BotAddress::new(&format!("http://{}", "x".repeat(300))), Err(BotAddressError::TooLong));
        for text in ["localhost:4000", "file:///etc/passwd", "javascript:alert(1)", "http://host:99999", "http://"] {
            assert!(matches!(BotAddress::new(text), Err(BotAddressError::Wrong(_))), "{text}");
        }
    }
}
