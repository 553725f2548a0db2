//! A server with a contest, and bots that are handed in.

use super::{Arena, Events, PASSWORD, Site, options};
use flate2::Compression;
use flate2::write::GzEncoder;
use runner::SandboxLevel;
use serde_json::{Value, json};
use serve::{ContestName, ContestSettings, ServeOptions, TournamentServer};
use std::path::Path;

/// A bot that fires row by row.
pub(crate) const PLAYS: &str = r#"#!/bin/sh
case $2 in
*"Phase 1"*) printf '%s\n' 'Carrier 0 0 east' 'Battleship 0 1 east' 'Cruiser 0 2 east' 'Submarine 0 3 east' 'Destroyer 0 4 east' >"$2/place.txt" ;;
*) round=${2##*Round } && round=${round%%/*} && echo "1,$((round % 10)),$((round / 10 % 10))" >"$2/command.txt" ;;
esac
"#;

/// The archive of a folder with these files, and a bot.json if it has none of its own.
pub(crate) fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let manifest = json!({"Author": "Ann", "Email": "", "NickName": "N", "BotType": "Executable", "ProjectLocation": "",
        "RunFile": "bot.sh"});
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    let manifest = manifest.to_string();
    let has_own = files.iter().any(|(name, _)| *name == "bot.json");
    let usual = Some(("bot.json", manifest.as_str())).filter(|_| !has_own);
    for (name, text) in files.iter().copied().chain(usual) {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        // As it is, also if it leads out of the folder.
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        builder.append(&header, text.as_bytes()).unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap()
}

/// A server with the contest `autumn`, in which the fleets are small.
pub(crate) fn with_contest(folder: &Path, change: &Value) -> ServeOptions {
    let mut settings = json!({"title": "Autumn", "game": "entelect-2017", "settings": {"size": "small"},
        "baselines": ["builtin:random"], "games": 4});
    for (key, value) in change.as_object().unwrap() {
        settings[key] = value.clone();
    }
    let settings: ContestSettings = serde_json::from_value(settings).unwrap();
    let contests = vec![(ContestName::try_from("autumn".to_owned()).unwrap(), settings)];
    ServeOptions { contests, sandbox: SandboxLevel::On, ..options(folder) }
}

/// A server that takes bots, and has the contests that are in its folder.
pub(crate) fn for_contests(folder: &Path) -> ServeOptions {
    ServeOptions { sandbox: SandboxLevel::On, ..options(folder) }
}

impl Arena {
    /// Starts a server that takes bots, and has no contest yet.
    pub(crate) fn for_contests() -> Arena {
        let folder = tempfile::tempdir().unwrap();
        let server = TournamentServer::start(for_contests(folder.path())).unwrap();
        let site = Site(server.address);
        Arena { folder, server: Some(server), site }
    }

    /// Ends a server that takes bots, and starts another one in the same folder.
    pub(crate) fn restart_with_contests(&mut self) {
        self.server = None;
        let server = TournamentServer::start(for_contests(self.folder.path())).unwrap();
        self.site = Site(server.address);
        self.server = Some(server);
    }

    /// Starts a server with a contest.
    pub(crate) fn with_contest(change: &Value) -> Arena {
        let folder = tempfile::tempdir().unwrap();
        let server = TournamentServer::start(with_contest(folder.path(), change)).unwrap();
        let site = Site(server.address);
        Arena { folder, server: Some(server), site }
    }
}

/// A team in the contest `autumn`.
pub(crate) struct Entry {
    site: Site,
    pub(crate) name: String,
    pub(crate) token: String,
    events: Events,
}

impl Entry {
    pub(crate) fn register(site: Site, name: &str) -> Entry {
        site.register(name);
        let given = site.post("/api/bots/token", &json!({"name": name, "password": PASSWORD}));
        assert_eq!(given.status, 200, "{given:?}");
        let token = given.json()["token"].as_str().unwrap().to_owned();
        Entry { site, name: name.to_owned(), token, events: site.events_at("/api/contests/autumn/events") }
    }

    /// The same team on another server, which has its journal.
    pub(crate) fn on(self, site: Site) -> Entry {
        Entry { site, events: site.events_at("/api/contests/autumn/events"), ..self }
    }

    /// Asks for something below the bot's versions, with the token.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &[u8]) -> super::site::Answer {
        let token = format!("Bearer {}", self.token);
        let headers = [("Authorization", token.as_str()), ("Content-Type", "application/gzip")];
        self.site.ask_bytes(method, &format!("/api/contests/autumn/bots/{}/versions{path}", self.name), &headers, body)
    }

    /// Asks for something below the bot, with the token and this body.
    pub(crate) fn api(&self, method: &str, path: &str, body: &Value) -> super::site::Answer {
        let token = format!("Bearer {}", self.token);
        let headers = [("Authorization", token.as_str()), ("Content-Type", "application/json")];
        let path = format!("/api/contests/autumn/bots/{}{path}", self.name);
        self.site.ask(method, &path, &headers, &body.to_string())
    }

    /// Waits until a tournament is over.
    pub(crate) fn ends(&mut self, number: u64) {
        self.events.until("tournament", |told| told["number"] == number && told["isOver"] == true);
    }

    /// Waits until marks have changed.
    pub(crate) fn is_marked(&mut self) {
        self.events.until("marks", |_| true);
    }

    /// Hands a version in, and waits for its verdict.
    pub(crate) fn submit(&mut self, files: &[(&str, &str)]) -> Value {
        let handed_in = self.ask("POST", "", &archive(files));
        assert_eq!(handed_in.status, 201, "{handed_in:?}");
        self.verdict(handed_in.json()["version"].as_u64().unwrap())
    }

    /// Hands a web service in.
    pub(crate) fn hand_in_url(&self, url: &str) -> super::site::Answer {
        self.api("POST", "/versions", &json!({"url": url}))
    }

    /// Hands a web service in, and waits for its verdict.
    pub(crate) fn submit_url(&mut self, url: &str) -> Value {
        let handed_in = self.hand_in_url(url);
        assert_eq!(handed_in.status, 201, "{handed_in:?}");
        self.verdict(handed_in.json()["version"].as_u64().unwrap())
    }

    /// Waits for the verdict on a version that was handed in.
    pub(crate) fn verdict(&mut self, version: u64) -> Value {
        let name = self.name.clone();
        let waits = |queue: &Value| {
            let is_it = |waiting: &Value| waiting["name"] == name.as_str() && waiting["version"] == version;
            queue.as_array().unwrap().iter().any(is_it)
        };
        self.events.until("queue", waits);
        self.events.until("queue", |queue| !waits(queue));
        self.ask("GET", &format!("/{version}"), b"").json()
    }

    /// Waits until this entrant plays on.
    pub(crate) fn comes_back(&mut self, entrant: &str) {
        self.events.until("entrant", |told| told["name"] == entrant);
    }

    /// Waits until this entrant is parked.
    pub(crate) fn is_parked(&mut self, entrant: &str) {
        self.events.until("parked", |told| told["name"] == entrant);
    }

    /// Waits until this entrant has played so many games.
    pub(crate) fn plays(&mut self, entrant: &str, games: u32) -> Value {
        for _ in 1..games {
            self.events.until("game", |game| game["names"].as_array().unwrap().iter().any(|name| name == entrant));
        }
        let played = |game: &Value| game["names"].as_array().unwrap().iter().any(|name| name == entrant);
        self.events.until("game", played).data
    }
}
