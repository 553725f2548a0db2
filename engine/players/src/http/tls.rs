//! Encryption: the trusted authorities, and the errors of a handshake in words.

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore};
use std::fmt;
use std::io::{self, ErrorKind};
use std::sync::{Arc, OnceLock};

/// The certificate authorities that a client trusts.
#[derive(Clone)]
pub(super) struct TrustStore {
    roots: RootCertStore,
    config: OnceLock<Arc<ClientConfig>>,
}

/// Certificates that cannot be trusted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not certificates in PEM format: {0}")]
pub struct CertificateError(String);

impl TrustStore {
    /// The authorities that Mozilla trusts.
    pub(super) fn of_mozilla() -> TrustStore {
        TrustStore { roots: RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() }, config: OnceLock::new() }
    }

    /// Adds authorities, in PEM format.
    pub(super) fn add(&mut self, authorities: &[u8]) -> Result<(), CertificateError> {
        let refused = |why: &dyn fmt::Display| CertificateError(why.to_string());
        let mut any = false;
        for certificate in CertificateDer::pem_slice_iter(authorities) {
            let certificate = certificate.map_err(|e| refused(&e))?;
            self.roots.add(certificate).map_err(|e| refused(&e))?;
            any = true;
        }
        if any { Ok(()) } else { Err(refused(&"there are none")) }
    }

    /// The beginning of an encrypted connection to a host, or the reason why there can be none.
    pub(super) fn connect(&self, host: &str) -> Result<ClientConnection, String> {
        let name = ServerName::try_from(host.to_owned()).map_err(|_| format!("{host:?} cannot have a certificate"))?;
        ClientConnection::new(self.config(), name).map_err(|e| format!("TLS: {e}"))
    }

    /// The settings for encrypted connections.
    fn config(&self) -> Arc<ClientConfig> {
        let config = self.config.get_or_init(|| {
            let provider = Arc::new(rustls::crypto::ring::default_provider());
            let config = ClientConfig::builder_with_provider(provider)
                .with_safe_default_protocol_versions()
                .expect("the provider has all versions")
                .with_root_certificates(self.roots.clone())
                .with_no_client_auth();
            Arc::new(config)
        });
        Arc::clone(config)
    }
}

/// The words for a failed handshake, before or after the bot has begun to encrypt: the error `why` with the bot's
/// probable mistake. Alerts and defects of good certificates explain themselves.
pub(super) fn problem(error: &io::Error, begun: bool) -> fn(why: &str) -> String {
    use rustls::CertificateError::{Other, UnknownIssuer};
    let gone = [ErrorKind::UnexpectedEof, ErrorKind::ConnectionReset, ErrorKind::BrokenPipe];
    match error.get_ref().and_then(|error| error.downcast_ref::<rustls::Error>()) {
        // An authority that is not an authority for itself is among the others.
        Some(rustls::Error::InvalidCertificate(UnknownIssuer | Other(_))) => {
            |why| format!("TLS: {why}; it must be one that browsers trust")
        }
        Some(rustls::Error::InvalidMessage(_)) if !begun => {
            |_| "TLS: it answered something else; does it speak https?".to_owned()
        }
        None if !begun && gone.contains(&error.kind()) => |why| format!("TLS: {why}; does it speak https?"),
        _ => |why| format!("TLS: {why}"),
    }
}
