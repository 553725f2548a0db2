//! Contests as docs/hosting.md has them run: behind nginx with TLS, and from a copy of the server's folder.

use crate::proxy::Nginx;
use crate::server::contest::{Entry, PLAYS, archive, with_contest};
use crate::server::{ADMIN, Arena, Site};
use base64::Engine;
use rules::RngExt;
use serde_json::json;
use serve::{ServeOptions, TournamentServer};
use std::fs;
use std::path::Path;
use std::process::Command;
use test_tools::required;

/// The site of nginx in the documentation.
const SITE: &str = include_str!("../../../../../docs/hosting/nginx.conf");

#[test]
fn the_site_of_the_documentation_takes_archives_with_tls_and_keeps_figures_from_strangers() {
    let (Some(mut nginx), Some(curl)) = (Nginx::new(), required("curl")) else { return };
    let folder = tempfile::tempdir().unwrap();
    let options = ServeOptions {
        public_hosts: vec!["arena.example".to_owned()],
        ..with_contest(&folder.path().join("arena"), &json!({}))
    };
    let server = TournamentServer::start(options).unwrap();
    let mut ann = Entry::register(Site(server.address), "Ann");

    let made = rcgen::generate_simple_self_signed(["arena.example".to_owned()]).unwrap();
    let [certificate, key] = ["certificate.pem", "key.pem"].map(|name| folder.path().join(name));
    fs::write(&certificate, pem("CERTIFICATE", made.cert.der())).unwrap();
    fs::write(&key, pem("PRIVATE KEY", made.signing_key.serialized_der())).unwrap();
    // The part with TLS. Ports and paths are those of the test.
    let (_, site) = SITE.rsplit_once("server {").unwrap();
    let site = format!("server {{{site}")
        .replace("listen 443 ssl", &format!("listen {} ssl", nginx.address()))
        .replace("    listen [::]:443 ssl;\n", "")
        .replace("/etc/letsencrypt/live/arena.example/fullchain.pem", certificate.to_str().unwrap())
        .replace("/etc/letsencrypt/live/arena.example/privkey.pem", key.to_str().unwrap())
        .replace("127.0.0.1:3000", &server.address.to_string());
    nginx.start_with("", &site);
    let ask = |path: &str, arguments: &[&str]| {
        let mut command = Command::new(&curl);
        let port = nginx.address().port();
        command.args(["--silent", "--show-error", "--max-time", "300", "--write-out", " %{http_code}", "--cacert"]);
        command.arg(&certificate).arg("--resolve").arg(format!("arena.example:{port}:127.0.0.1"));
        let asked = command.args(arguments).arg(format!("https://arena.example:{port}{path}")).output().unwrap();
        let text = String::from_utf8(asked.stdout).unwrap();
        let (body, status) = text.rsplit_once(' ').unwrap_or_else(|| panic!("{:?}", asked.stderr));
        (status.to_owned(), body.to_owned())
    };
    let (status, page) = ask("/c/autumn", &[]);
    assert!(status == "200" && page.contains("--to https://arena.example"), "{page}");
    assert_eq!(ask("/metrics", &[]).0, "403");

    // Much more than nginx takes by itself, and as little compressible as a program.
    let mut random = rules::random(1);
    let noise: String = (0..3 << 20).map(|_| char::from(random.random_range(b' '..b'~'))).collect();
    let packed = folder.path().join("bot.tar.gz");
    fs::write(&packed, archive(&[("bot.sh", PLAYS), ("noise", &noise)])).unwrap();
    let token = format!("Authorization: Bearer {}", ann.token);
    let data = format!("@{}", packed.display());
    let arguments = ["--header", &token, "--header", "Content-Type: application/gzip", "--data-binary", &data];
    let (status, answer) = ask("/api/contests/autumn/bots/Ann/versions", &arguments);
    assert_eq!(status, "201", "{answer}");
    assert_eq!(ann.verdict(1)["state"], "accepted");
}

/// Bytes in the form in which nginx reads certificates and keys.
fn pem(kind: &str, bytes: &[u8]) -> String {
    let text = base64::prelude::BASE64_STANDARD.encode(bytes);
    let lines: Vec<&str> = text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
    format!("-----BEGIN {kind}-----\n{}\n-----END {kind}-----\n", lines.join("\n"))
}

/// Copies a folder.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => copy(&entry.path(), &to),
            _ => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

#[test]
fn a_copy_of_a_running_server_is_a_server() {
    let arena = Arena::with_contest(&json!({}));
    let mut ann = Entry::register(arena.site, "Ann");
    ann.submit(&[("bot.sh", PLAYS)]);
    ann.plays("Ann v1", 4);
    let (from, backup) = (arena.folder.path().join("contests/autumn"), tempfile::tempdir().unwrap());
    let to = backup.path().join("contests/autumn");
    // In the order of the documentation, and something happens between any two steps.
    fs::create_dir_all(&to).unwrap();
    fs::copy(from.join("games.jsonl"), to.join("games.jsonl")).unwrap();
    for part in ["records", "tournaments"] {
        copy(&from.join(part), &to.join(part));
    }
    ann.submit(&[("bot.sh", &[PLAYS, "# newer\n"].concat())]);
    fs::copy(arena.folder.path().join("arena.jsonl"), backup.path().join("arena.jsonl")).unwrap();
    Entry::register(arena.site, "Bob").submit(&[("bot.sh", &[PLAYS, "# another\n"].concat())]);
    for part in ["archives", "versions"] {
        copy(&from.join(part), &to.join(part));
    }
    let server = TournamentServer::start(with_contest(backup.path(), &json!({}))).unwrap();
    let site = Site(server.address);
    let mut again = ann.on(site);
    let versions = again.ask("GET", "", b"").json();
    assert_eq!(versions.as_array().unwrap().len(), 2, "{versions}");
    assert_eq!((&versions[0]["isActive"], &versions[0]["state"]), (&json!(true), &json!("accepted")), "{versions}");
    let games = versions[1]["wins"].as_u64().unwrap() + versions[1]["losses"].as_u64().unwrap();
    assert!(games >= 3, "{versions}");
    assert_eq!(site.get("/api/bots").json().as_array().unwrap().len(), 1, "Bob came later");
    again.submit(&[("bot.sh", &[PLAYS, "# newest\n"].concat())]);
    again.plays("Ann v3", 2);
}

#[test]
fn a_contest_is_exported_as_tables() {
    let arena = Arena::with_contest(&json!({"games": 4}));
    let site = arena.site;
    let mut ann = Entry::register(site, "Ann");
    ann.submit(&[("bot.sh", "#!/bin/sh\nexit 3\n")]);
    ann.submit(&[("bot.sh", PLAYS)]);
    ann.plays("Ann v2", 4);
    let rows = |path: &str| {
        let answer = site.ask("GET", path, &[("X-Admin-Password", ADMIN)], "");
        assert_eq!((answer.status, answer.header("content-type")), (200, "text/csv; charset=utf-8"), "{answer:?}");
        answer.body.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let ladder = rows("/api/contests/autumn/ladder.csv");
    assert_eq!(ladder.len(), 3, "{ladder:?}");
    assert!(ladder.iter().any(|row| row.contains(",Ann,2,Executable,")), "{ladder:?}");
    let games = rows("/api/contests/autumn/games.csv");
    assert!(games.len() >= 5 && games[1..].iter().all(|row| row.contains(",Ann v2,")), "{games:?}");
    let columns: Vec<usize> = games.iter().map(|row| row.split(',').count()).collect();
    assert!(columns.iter().all(|count| *count == 9), "{games:?}");
    let path = "/api/admin/contests/autumn/submissions.csv";
    let submissions = rows(path);
    assert!(submissions[1].starts_with("Ann,1,") && submissions[1].contains(",rejected,"), "{submissions:?}");
    assert!(submissions[2].starts_with("Ann,2,") && submissions[2].contains(",accepted,,true,Executable,Ann,"));
    assert_eq!(site.get(path).status, 401);
}
