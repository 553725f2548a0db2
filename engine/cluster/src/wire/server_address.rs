//! The address of a NATS server, and the login.

use crate::error::ClusterError;
use async_nats::{ConnectOptions, ServerAddr};
use percent_encoding::percent_decode_str;
use rules::input_text;
use std::borrow::Cow;
use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::str::FromStr;

/// A NATS server and the way to log in there.
#[derive(Clone)]
pub struct ServerAddress {
    address: ServerAddr,
    /// The login.
    pub login: Login,
}

/// Files to log in at a NATS server, besides a name and a password in its address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Login {
    /// A file with credentials (a JWT and the seed of an nkey).
    pub credentials: Option<PathBuf>,
    /// A file with the seed of an nkey.
    pub nkey: Option<PathBuf>,
    /// A file with certificates of those who may have signed that of the server; `None` for those of the system.
    pub authority: Option<PathBuf>,
    /// The files with the own certificate and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

impl FromStr for ServerAddress {
    type Err = ClusterError;

    /// Reads `nats://HOST`, with a port, a name and a password if there are some: `nats://NAME:PASSWORD@HOST:4222`. A name without
    /// a password is a token. Characters that URLs have another use for are written as `%` with two digits. `tls://` asks for an
    /// encrypted connection; without a scheme it is `nats://`.
    fn from_str(text: &str) -> Result<ServerAddress, ClusterError> {
        let wrong = |why: String| {
            let hidden = text.rsplit_once('@').map_or(text, |(_, host)| host);
            ClusterError::Address(rules::printable(hidden), why)
        };
        let address = text.parse::<ServerAddr>().map_err(|error| wrong(error.to_string()))?;
        if address.clone().into_inner().scheme().starts_with("ws") {
            return Err(wrong("WebSockets are not supported".to_owned()));
        }
        if address.host().is_empty() {
            return Err(wrong("there is no host in it".to_owned()));
        }
        Ok(ServerAddress { address, login: Login::default() })
    }
}

impl fmt::Display for ServerAddress {
    /// The address without a login.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.address.tls_required() { "tls" } else { "nats" };
        write!(f, "{scheme}://{}:{}", self.address.host(), self.address.port())
    }
}

impl fmt::Debug for ServerAddress {
    /// As [`fmt::Display`]: a password is not shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl ServerAddress {
    /// This server, with the login of `known` if that is the same address, for all that this one leaves open: a login (a name in
    /// the address, credentials, an nkey), the authority, and the certificate.
    ///
    /// ```
    /// use cluster::ServerAddress;
    ///
    /// let known: ServerAddress = "nats://ann:secret@10.0.0.1".parse()?;
    /// let named: ServerAddress = "nats://10.0.0.1:4222".parse()?;
    /// assert!(!named.has_login() && named.with_login_of(&known).has_login());
    /// // A password goes to no other server, and not over a connection that is less safe.
    /// let other: ServerAddress = "nats://10.0.0.2".parse()?;
    /// assert!(!other.with_login_of(&known).has_login());
    /// let safe: ServerAddress = "tls://ann:secret@10.0.0.1".parse()?;
    /// let unsafe_one: ServerAddress = "nats://10.0.0.1".parse()?;
    /// assert!(!unsafe_one.with_login_of(&safe).has_login() && !safe.without_login().has_login());
    /// # Ok::<(), cluster::ClusterError>(())
    /// ```
    #[must_use]
    pub fn with_login_of(self, known: &ServerAddress) -> ServerAddress {
        // As it is shown: scheme, host and port.
        if self.to_string() != known.to_string() {
            return self;
        }
        let from = if self.has_login() { &self } else { known };
        let (own, theirs) = (&self.login, &known.login);
        let login = Login {
            credentials: from.login.credentials.clone(),
            nkey: from.login.nkey.clone(),
            authority: own.authority.as_ref().or(theirs.authority.as_ref()).cloned(),
            certificate: own.certificate.as_ref().or(theirs.certificate.as_ref()).cloned(),
        };
        ServerAddress { address: from.address.clone(), login }
    }

    /// This server without any login.
    #[must_use]
    pub fn without_login(&self) -> ServerAddress {
        let mut url = self.address.clone().into_inner();
        // An address with a host can have a name or none.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        let address = ServerAddr::from_url(url).unwrap_or_else(|_| self.address.clone());
        ServerAddress { address, login: Login::default() }
    }

    /// True if a name is in the address, or a file with credentials or an nkey is named.
    pub fn has_login(&self) -> bool {
        self.address.username().is_some() || self.login.credentials.is_some() || self.login.nkey.is_some()
    }

    /// The name of the login, if it is one with a name.
    pub(crate) fn user(&self) -> Option<String> {
        self.address.password().and(self.address.username()).map(decoded)
    }

    /// The address to connect to. The login is in the [options](ServerAddress::options): the client would send it as it is in the URL.
    pub(crate) fn address(&self) -> ServerAddr {
        self.without_login().address
    }

    /// Options to connect with, with this login.
    pub(crate) async fn options(&self) -> Result<ConnectOptions, ClusterError> {
        let wrong = |path: &PathBuf, why: String| ClusterError::Login(path.clone(), why);
        let mut options = ConnectOptions::new();
        options = match (self.address.username().map(decoded), self.address.password().map(decoded)) {
            (Some(user), Some(password)) => options.user_and_password(user, password),
            (Some(token), None) => options.token(token),
            (None, _) => options,
        };
        if let Some(path) = &self.login.credentials {
            options = options.credentials_file(path).await.map_err(|e| wrong(path, e.to_string()))?;
        }
        if let Some(path) = &self.login.nkey {
            let seed = fs::read(path).map_err(|e| wrong(path, e.to_string()))?;
            let seed = input_text(&seed).map_err(|e| wrong(path, e.to_string()))?;
            options = options.nkey(seed.trim().to_owned());
        }
        if let Some(path) = &self.login.authority {
            options = options.add_root_certificates(path.clone());
        }
        if let Some((certificate, key)) = &self.login.certificate {
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        Ok(options.require_tls(self.address.tls_required()))
    }
}

/// A part of a URL with the characters that `%` and two hexadecimal digits stand for. What cannot be read so stays.
fn decoded(part: &str) -> String {
    percent_decode_str(part).decode_utf8().map_or_else(|_| part.to_owned(), Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_login_fills_what_is_left_open() {
        let path = |name: &str| Some(PathBuf::from(name));
        let mut known: ServerAddress = "nats://ann:secret@host".parse().unwrap();
        known.login.authority = path("ca.pem");
        let mut named = known.without_login();
        named.login.credentials = path("a.creds");
        let full = named.with_login_of(&known);
        assert_eq!(full.address.username(), None, "the file is another login");
        assert_eq!(full.login, Login { credentials: path("a.creds"), authority: path("ca.pem"), ..Login::default() });
        let mut named = known.without_login();
        named.login.authority = path("other.pem");
        let full = named.with_login_of(&known);
        assert_eq!((full.address.username(), full.login.authority), (Some("ann"), path("other.pem")));
    }

    #[test]
    fn a_part_of_an_address_is_decoded() {
        assert_eq!(decoded("a%3Db%2fc%25"), "a=b/c%");
        for same in ["%", "%2", "%+1", "%zz", "%ff", "ä"] {
            assert_eq!(decoded(same), same);
        }
    }

    #[test]
    fn an_address_is_shown_without_its_password() {
        let shown = |text: &str| text.parse::<ServerAddress>().unwrap().to_string();
        assert_eq!(shown("nats://ann:secret@10.0.0.7"), "nats://10.0.0.7:4222");
        assert_eq!(shown("tls://host:7422"), "tls://host:7422");
        assert_eq!(shown("host"), "nats://host:4222");
        for wrong in ["http://ann:secret@host", "nats://", "nats://ann:secret@host:port"] {
            let error = wrong.parse::<ServerAddress>().unwrap_err().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
