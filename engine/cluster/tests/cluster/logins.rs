//! Logins by certificates and nkeys, on a real NATS server.

use crate::nats_server::NatsServer;
use arena::Interrupt;
use async_nats::{ConnectOptions, Event};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use cluster::{ClusterError, Login, SecretKey, ServerAddress, Survey, configuration};
use nkeys::KeyPair as Nkey;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use std::fs;
use std::path::Path;

/// A file in the PEM format.
fn pem(kind: &str, bytes: &[u8]) -> String {
    let text = BASE64_STANDARD.encode(bytes);
    let lines: Vec<&str> = text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
    format!("-----BEGIN {kind}-----\n{}\n-----END {kind}-----\n", lines.join("\n"))
}

/// An authority, and the files of its certificate and of two others that it has signed.
fn write_certificates(folder: &Path) {
    let write = |name: &str, kind: &str, bytes: &[u8]| fs::write(folder.join(name), pem(kind, bytes)).unwrap();
    let mut of_authority = CertificateParams::new(Vec::new()).unwrap();
    of_authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    write("ca.pem", "CERTIFICATE", of_authority.self_signed(&key).unwrap().der());
    let authority = Issuer::new(of_authority, key);
    for name in ["server", "client"] {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
        write(&format!("{name}.pem"), "CERTIFICATE", params.signed_by(&key, &authority).unwrap().der());
        write(&format!("{name}-key.pem"), "PRIVATE KEY", &key.serialize_der());
    }
}

#[test]
fn certificates_and_nkeys_log_in_and_others_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    write_certificates(folder.path());
    let [known, unknown] = [(); 2].map(|()| Nkey::new_user());
    fs::write(at("known.nkey"), known.seed().unwrap()).unwrap();
    fs::write(at("unknown.nkey"), unknown.seed().unwrap()).unwrap();
    let file = |name: &str| at(name).display().to_string();
    let configuration = format!(
        "tls: {{ cert_file: \"{}\", key_file: \"{}\", ca_file: \"{}\", verify: true }}\n\
         authorization: {{ users: [ {{ nkey: {} }} ] }}\n",
        file("server.pem"),
        file("server-key.pem"),
        file("ca.pem"),
        known.public_key()
    );
    let Some(server) = NatsServer::configured(&configuration) else { return };
    let whole = Login {
        nkey: Some(at("known.nkey")),
        authority: Some(at("ca.pem")),
        certificate: Some((at("client.pem"), at("client-key.pem"))),
        ..Login::default()
    };
    let asked = |login: Login| {
        let mut to: ServerAddress = format!("tls://127.0.0.1:{}", server.port()).parse().unwrap();
        to.login = login;
        Survey::take(&to, &Interrupt::new().unwrap())
    };
    assert_eq!(asked(whole.clone()).unwrap().workers, []);
    let refused = asked(Login { nkey: Some(at("unknown.nkey")), ..whole.clone() }).unwrap_err();
    assert!(matches!(refused, ClusterError::Connect { is_refused: true, .. }), "{refused}");
    for incomplete in [
        Login { certificate: None, ..whole.clone() },
        Login { authority: None, ..whole.clone() },
        Login { nkey: None, ..whole.clone() },
    ] {
        assert!(matches!(asked(incomplete).unwrap_err(), ClusterError::Connect { .. }));
    }
    let missing = asked(Login { nkey: Some(at("no-such-file")), ..whole }).unwrap_err();
    assert!(matches!(missing, ClusterError::Login(..)), "{missing}");
}

#[test]
fn names_passwords_and_tokens_in_addresses_are_decoded() {
    let survey = |server: &NatsServer, login: &str| {
        Survey::take(&server.url_for(login).parse().unwrap(), &Interrupt::new().unwrap())
    };
    let configured = |authorization: &str| NatsServer::configured(&format!("authorization: {{ {authorization} }}\n"));
    let Some(server) = configured("user: \"a@b\", password: \"a=b/c%\"") else { return };
    // As a parser of URLs writes it, and with all of it encoded.
    for login in ["a%40b:a=b%2Fc%25@", "a%40b:a%3Db%2Fc%25@"] {
        assert_eq!(survey(&server, login).unwrap().workers, []);
    }
    assert!(matches!(survey(&server, "a%40b:wrong@"), Err(ClusterError::Connect { is_refused: true, .. })));
    let Some(server) = configured("token: \"x=y/z\"") else { return };
    assert_eq!(survey(&server, "x=y%2Fz@").unwrap().workers, []);
    assert!(matches!(survey(&server, ""), Err(ClusterError::Connect { is_refused: true, .. })));
}

/// The password of a login in a configuration.
pub(crate) fn password_of<'a>(configuration: &'a str, login: &str) -> &'a str {
    let (_, after) = configuration.split_once(&format!("user: \"{login}\", password: \"")).unwrap();
    after.split_once('"').unwrap().0
}

#[test]
fn a_worker_can_neither_send_jobs_nor_read_what_is_for_others() {
    let (key, workers) = (SecretKey::drawn().public(), ["one", "two"].map(str::to_owned));
    let text = configuration(&key, &workers);
    let passwords = ["head", "one", "two"].map(|login| password_of(&text, login));
    assert!(passwords.iter().all(|password| password.len() == 32) && passwords[1] != passwords[2]);
    assert!(!configuration(&key, &workers).contains(passwords[0]), "they are drawn");
    let Some(server) = NatsServer::configured(&text) else { return };
    let url = server.url_for(&format!("head:{}@", passwords[0]));
    let survey = || Survey::take(&url.parse().unwrap(), &Interrupt::new().unwrap()).unwrap();
    survey();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
        let options = ConnectOptions::with_user_and_password("one".to_owned(), passwords[1].to_owned());
        let options = options.custom_inbox_prefix("_INBOX.worker.one").event_callback(move |event| {
            let tell = tell.clone();
            async move {
                if let Event::ServerError(error) = event {
                    let _ = tell.send(error.to_string().to_lowercase());
                }
            }
        });
        let client = options.connect(format!("127.0.0.1:{}", server.port())).await.unwrap();
        for subject in [
            "broadside.heads",
            "broadside.ask",
            "broadside.workers.drain",
            "broadside.workers.any",
            "broadside.run.any",
            "$JS.API.INFO",
            "$JS.API.STREAM.CREATE.mine",
            "$SYS.REQ.USER.INFO",
            "_INBOX.head.any",
            "_INBOX.worker.one.any",
            "_INBOX.worker.two.any",
        ] {
            client.publish(subject, "{}".into()).await.unwrap();
            let refused = told.recv().await.unwrap();
            assert!(refused.contains(&format!("publish to \"{}\"", subject.to_lowercase())), "{refused}");
        }
        for subject in
            ["_INBOX.worker.two.>", "_INBOX.head.>", "_INBOX.>", "broadside.run.>", "broadside.workers.states", ">"]
        {
            let _subscribed = client.subscribe(subject).await.unwrap();
            let refused = told.recv().await.unwrap();
            assert!(refused.contains(&format!("subscription to \"{}\"", subject.to_lowercase())), "{refused}");
        }
    });
    assert!(survey().queues.is_empty());
}
