//! CSRF tokens. A form of another site has no valid token, so it is refused.

use crate::state::random::random_bytes;
use arena::hex;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// The tokens of this server. The token of a form follows from a cookie that only its browser has, and from a secret of
/// the server.
#[derive(Debug)]
pub(crate) struct CsrfTokens {
    secret: [u8; 32],
}

impl CsrfTokens {
    pub(crate) fn new() -> CsrfTokens {
        CsrfTokens { secret: random_bytes() }
    }

    /// The token for forms in the browser with this cookie.
    pub(crate) fn token_for(&self, cookie: &str) -> String {
        hex(&Sha256::new().chain_update(self.secret).chain_update(Sha256::digest(cookie)).finalize())
    }

    /// True if the token is the right one for the cookie. The comparison takes the same time for all tokens.
    pub(crate) fn is_valid(&self, cookie: &str, token: &str) -> bool {
        self.token_for(cookie).as_bytes().ct_eq(token.as_bytes()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_of_another_browser_or_server_is_not_ours() {
        let tokens = CsrfTokens::new();
        let token = tokens.token_for("cookie");
        assert!(tokens.is_valid("cookie", &token));
        assert!(
            !tokens.is_valid("other", &token)
                && !tokens.is_valid("cookie", "")
                && !CsrfTokens::new().is_valid("cookie", &token)
        );
    }
}
