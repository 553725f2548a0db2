//! Bots behind https.

use super::server::{Server, Visit, good, request};
use super::{AMPLE, answer, ask, asked, bot, client, is_late, unreachable, unreadable};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use players::http::{AllowedHosts, Client};
use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, Stream};
use std::io::Write;
use std::sync::Arc;

/// A server with a certificate of its own making, and the certificate.
fn encrypted(
    name: &str,
    serve: impl Fn(&mut Stream<'_, ServerConnection, std::net::TcpStream>) + Send + Sync + 'static,
) -> (Server, String) {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed([name.to_owned()]).unwrap();
    let config = config(&cert, &signing_key);
    let server = Server::new(move |visit: &mut Visit| {
        let mut tls = ServerConnection::new(Arc::clone(&config)).unwrap();
        serve(&mut Stream::new(&mut tls, &mut visit.stream));
    });
    let body = BASE64_STANDARD.encode(cert.der());
    (server, format!("-----BEGIN CERTIFICATE-----\n{body}\n-----END CERTIFICATE-----\n"))
}

fn config(cert: &rcgen::Certificate, key: &KeyPair) -> Arc<ServerConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    Arc::new(config.with_no_client_auth().with_single_cert(vec![cert.der().clone()], key).unwrap())
}

fn trusting(certificate: &str) -> Arc<Client> {
    Arc::new(Client::new(AllowedHosts::default()).trusting(certificate.as_bytes()).unwrap())
}

fn url(server: &Server) -> String {
    format!("https://{}", server.address)
}

#[test]
fn a_certificate_that_nobody_vouches_for_is_refused() {
    let (server, _) = encrypted("127.0.0.1", |tls| {
        request(tls);
    });
    let why = unreachable(asked(&url(&server)));
    let told = "TLS: invalid peer certificate: UnknownIssuer; it must be one that browsers trust";
    assert_eq!(why, format!("{}/move: {told}", url(&server)));
}

#[test]
fn a_certificate_for_another_host_is_refused() {
    let (server, certificate) = encrypted("bot.example", |tls| {
        request(tls);
    });
    let why = unreachable(ask(&mut bot(&trusting(&certificate), &url(&server), AMPLE)).unwrap());
    assert!(why.contains("TLS: invalid peer certificate") && why.contains("bot.example"), "{why}");
}

#[test]
fn authorities_can_be_added_and_connections_are_used_again() {
    let (server, certificate) = encrypted("127.0.0.1", |tls| {
        while request(tls).is_some() {
            tls.write_all(good(&"long ".repeat(10_000)).as_bytes()).unwrap();
        }
    });
    let client = trusting(&certificate);
    let mut bot = bot(&client, &url(&server), AMPLE);
    for _ in 0..3 {
        assert_eq!(answer(ask(&mut bot).unwrap()).len(), 50_000);
    }
    assert_eq!(server.connections(), 1);
}

#[test]
fn an_encrypted_connection_that_the_bot_closed_while_it_was_idle_is_no_fault() {
    for says_goodbye in [true, false] {
        let (server, certificate) = encrypted("127.0.0.1", move |tls| {
            request(tls);
            tls.write_all(good("1").as_bytes()).unwrap();
            if says_goodbye {
                tls.conn.send_close_notify();
                tls.flush().unwrap();
            }
        });
        let mut bot = bot(&trusting(&certificate), &url(&server), AMPLE);
        for asked in 1..=3 {
            assert_eq!(answer(ask(&mut bot).unwrap()), "1");
            assert_eq!(server.connections(), asked);
        }
    }
}

#[test]
fn an_answer_that_ends_with_the_connection_must_end_properly() {
    for says_goodbye in [true, false] {
        let (server, certificate) = encrypted("127.0.0.1", move |tls| {
            request(tls);
            tls.write_all(b"HTTP/1.0 200 OK\r\n\r\n3,4").unwrap();
            if says_goodbye {
                tls.conn.send_close_notify();
                tls.flush().unwrap();
            }
        });
        let delivery = ask(&mut bot(&trusting(&certificate), &url(&server), AMPLE)).unwrap();
        if says_goodbye {
            assert_eq!(answer(delivery), "3,4");
        } else {
            let why = unreachable(delivery);
            assert!(why.ends_with("closed the connection in mid-answer"), "{why}");
        }
    }
}

#[test]
fn a_server_that_does_not_encrypt_is_unreachable() {
    let server = Server::new(|visit| {
        visit.say(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        visit.hears();
    });
    let why = unreachable(asked(&url(&server)));
    assert_eq!(why, format!("{}/move: TLS: it answered something else; does it speak https?", url(&server)));
    let why = unreachable(asked(&url(&Server::new(|_| {}))));
    let gone = ["TLS: closed the connection; does it", "TLS: connection reset; does it"];
    assert!(gone.iter().any(|gone| why.contains(gone)) && why.ends_with(" speak https?"), "{why}");
}

#[test]
fn a_server_that_complains_in_its_own_way_does_speak_https() {
    let server = Server::new(|visit| {
        // handshake_failure
        visit.say(&[0x15, 3, 3, 0, 2, 2, 40]);
        visit.hears();
    });
    let why = unreachable(asked(&url(&server)));
    assert!(why.contains("TLS: received fatal alert") && !why.contains("speak https"), "{why}");
}

#[test]
fn a_server_that_encrypts_where_it_is_not_asked_to_is_told_by_its_answer() {
    let (server, _) = encrypted("127.0.0.1", |tls| {
        request(tls);
    });
    let told = "not HTTP, but TLS; is it https:// where it listens?";
    assert_eq!(unreadable(asked(&server.url())), told);
    // unexpected_message, of an old version
    assert_eq!(unreadable(asked(&Server::once([0x15, 3, 1, 0, 2, 2, 10]).url())), told);
}

#[test]
fn a_server_that_does_not_agree_on_encryption_is_late() {
    is_late(&client("private"), &url(&Server::new(|visit| visit.hang())));
}

#[test]
fn what_is_no_certificate_is_refused() {
    for text in ["", "nonsense", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
        let error = Client::new(AllowedHosts::default()).trusting(text.as_bytes()).unwrap_err();
        assert!(error.to_string().starts_with("not certificates in PEM format: "), "{error}");
    }
}
