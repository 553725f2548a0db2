//! Pictures of the server's pages: `cargo run -p serve --example server_screenshots -- FOLDER [PART OF A NAME]`.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a tool for those who work on the pages")]

#[path = "../../web/tests/web/browser.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod browser;
#[path = "../tests/serve/server/mod.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod server;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use browser::{Chromium, Tab};
use players::http::AllowedHosts;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use serve::{ServeOptions, SettingsChange, TournamentServer};
use server::{ADMIN, Arena, PASSWORD, Site, TestBot, options};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The teams of an evening.
const TEAMS: [&str; 30] = [
    "Kraken",
    "Deep Water",
    "Sea Wolf",
    "Boaty McBoatface",
    "Torpedo",
    "Nautilus",
    "Red October",
    "Black Pearl",
    "Jolly Roger",
    "Ahab",
    "Leviathan",
    "Moby Dick",
    "The Flying Dutchman",
    "Poseidon",
    "Trident",
    "Calypso",
    "Barnacle",
    "Periscope",
    "Sonar",
    "Davy Jones",
    "Low Tide",
    "Mayday",
    "Bermuda",
    "Cutlass",
    "Seahorse",
    "Anchor",
    "Corsair",
    "Driftwood",
    "Man Overboard",
    "Last Mate",
];
/// Name, width and height of a window.
const SIZES: [(&str, u32, u32); 3] = [("large", 1920, 1080), ("middle", 1280, 800), ("phone", 390, 844)];

fn main() {
    let mut arguments = std::env::args_os().skip(1);
    let folder = PathBuf::from(arguments.next().expect("a folder for the pictures"));
    let wanted = arguments.next().map(|part| part.into_string().unwrap()).unwrap_or_default();
    std::fs::create_dir_all(&folder).unwrap();
    let settings = SettingsChange { limit: Some(60_000), pace: Some(0), ..SettingsChange::default() };
    let data = tempfile::tempdir().unwrap();
    let server = TournamentServer::start(ServeOptions {
        settings: SettingsChange { pause_match: Some(0), pause_tournament: Some(0), ..settings },
        contests: Vec::new(),
        sandbox: runner::SandboxLevel::Strict,
        others: None,
        public_hosts: vec!["arena.example".to_owned()],
        test_hosts: Some(AllowedHosts::private()),
        ..options(data.path())
    });
    let server = server.unwrap();
    let arena = Arena { folder: data, site: Site(server.address), server: Some(server) };
    let sample = SampleBot::start();
    Chromium::run(|chromium| {
        let site = format!("http://{}", arena.site.0);
        let pictures = Pictures { chromium, site: &site, folder: &folder, wanted: &wanted };
        pictures.take("empty", "/");
        for name in &TEAMS[..14] {
            arena.site.register(name);
        }
        for name in &TEAMS[..9] {
            arena.site.set_url(name, &sample.url);
        }
        arena.site.post("/api/bots/test", &json!({"name": TEAMS[0], "password": PASSWORD}));
        pictures.take("start", "/view");
        pictures.take("lobby-before", "/");
        for name in &TEAMS[14..] {
            arena.site.register(name);
        }
        for name in &TEAMS[9..] {
            arena.site.set_url(name, &sample.url);
        }
        arena.site.set_url(TEAMS[29], &TestBot::nobody());
        let mut events = arena.site.events(None);
        arena.site.admin("POST", "tournament/start");
        events.until("match-begun", |begun| begun["nth"].as_u64() >= Some(150));
        events.until("turn", |turn| turn["turn"].as_u64() >= Some(58));
        // The bot stops in the middle of its match, so that the pictures show the same moment.
        sample.signal(Signal::STOP);
        for (name, path) in [("live", "/view"), ("overlay", "/overlay"), ("lobby", "/"), ("bot", "/bots/Kraken")] {
            pictures.take(name, path);
        }
        pictures.log_in();
        pictures.take("admin", "/admin");
        pictures.take("own-lobby", "/");
        sample.signal(Signal::CONT);
        let headers = [("X-Admin-Password", ADMIN), ("Content-Type", "application/json")];
        let plan = json!({"entrants": 4, "bestOf": 3}).to_string();
        assert_eq!(arena.site.ask("POST", "/api/admin/final", &headers, &plan).status, 200);
        let begun = events.until("match-begun", |begun| begun["final"]["game"] == 2).data;
        events.until("turn", |turn| turn["match"] == begun["match"] && turn["turn"].as_u64() >= Some(58));
        sample.signal(Signal::STOP);
        pictures.take("final", "/final");
        sample.signal(Signal::CONT);
    });
}

/// The sample bot of the repository. It plays for all teams.
struct SampleBot {
    bot: Child,
    url: String,
}

impl SampleBot {
    fn start() -> SampleBot {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bots/sea-battle-python/bot.py");
        let mut bot =
            Command::new("python3").args([file, "0"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(bot.stdout.take().unwrap()).read_line(&mut line).unwrap();
        SampleBot { bot, url: line.trim().strip_prefix("listening on ").unwrap().to_owned() }
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.bot), signal).unwrap();
    }
}

impl Drop for SampleBot {
    fn drop(&mut self) {
        self.bot.kill().unwrap();
        self.bot.wait().unwrap();
    }
}

struct Pictures<'a> {
    chromium: &'a Chromium,
    site: &'a str,
    folder: &'a Path,
    /// A part of the names of the pictures to take.
    wanted: &'a str,
}

impl Pictures<'_> {
    /// Takes a page in all sizes, light and dark.
    fn take(&self, name: &str, path: &str) {
        if !name.contains(self.wanted) {
            return;
        }
        for (size, width, height) in SIZES {
            let height = if name == "overlay" { width * 360 / 1920 } else { height };
            for scheme in ["light", "dark"] {
                let tab = self.chromium.open(&format!("{}{path}", self.site));
                tab.prefers(&[("prefers-color-scheme", scheme), ("prefers-reduced-motion", "reduce")]);
                tab.resize(width, height);
                let has_no_match =
                    "!document.querySelector('#match') || document.querySelector('#joining:not([hidden])')";
                tab.until(&format!("{has_no_match} || document.body.dataset.moment >= 58"));
                let picture = tab.command("Page.captureScreenshot", json!({}));
                let picture = BASE64_STANDARD.decode(picture["data"].as_str().unwrap()).unwrap();
                std::fs::write(self.folder.join(format!("{name}-{size}-{scheme}.png")), picture).unwrap();
                // A browser opens six connections to a server, and a screen keeps two while a match is played.
                tab.command("Page.close", json!({}));
            }
        }
    }

    /// Logs in as administrator and as a team.
    fn log_in(&self) {
        let admin = self.chromium.open(&format!("{}/admin", self.site));
        fill(&admin, "#password", ADMIN);
        admin.arrive("document.querySelector('#tournaments-title') !== null");
        let lobby = self.chromium.open(&format!("{}/", self.site));
        if lobby.value::<bool>("document.querySelector('#enter') === null") {
            return;
        }
        let _: Value = lobby.value("document.querySelector('#enter').open = true");
        lobby.reach("#team-name");
        lobby.write(TEAMS[0]);
        fill(&lobby, "#team-password", PASSWORD);
        lobby.arrive("document.querySelector('#enter') === null && 'ready' in document.body.dataset");
    }
}

/// Types into a field, and sends its form.
fn fill(tab: &Tab<'_>, field: &str, text: &str) {
    tab.reach(field);
    tab.write(&format!("{text}\r"));
}
