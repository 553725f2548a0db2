//! A tournament server in a temporary folder, bots for it, and a client.

mod bot;
#[allow(dead_code, reason = "the pictures use none of it")]
pub(crate) mod contest;
mod events;
pub(crate) mod site;

#[allow(unused_imports, reason = "the pictures use a part")]
pub(crate) use bot::{TestBot, Way};
pub(crate) use events::Events;
#[allow(unused_imports, reason = "the pictures use a part")]
pub(crate) use site::{Answer, Site};

use serve::{ServeError, ServeOptions, SettingsChange, TournamentServer};
use std::path::Path;
use std::time::Duration;

/// The administrator's password.
pub(crate) const ADMIN: &str = "open sesame";
/// The password of all bots.
pub(crate) const PASSWORD: &str = "hunter42";

/// Options for a server without pauses, on any free port.
pub(crate) fn options(folder: &Path) -> ServeOptions {
    let settings = SettingsChange { pause_match: Some(0), pause_tournament: Some(0), ..SettingsChange::default() };
    ServeOptions {
        address: "127.0.0.1:0".parse().unwrap(),
        folder: folder.to_owned(),
        password: Some(ADMIN.to_owned()),
        join_code: None,
        settings,
        start: false,
        engine: "broadside test".to_owned(),
        // All clients of a test have one address.
        connections_per_address: 512,
        client: players::http::Client::new(players::http::AllowedHosts::private()),
        request_time: Duration::from_secs(10),
        test_hosts: None,
        contests: Vec::new(),
        builds: 1,
        sandbox: runner::SandboxLevel::Strict,
        others: None,
        public_hosts: Vec::new(),
    }
}

/// A server with its folder.
pub(crate) struct Arena {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) server: Option<TournamentServer>,
    pub(crate) site: Site,
}

impl Arena {
    pub(crate) fn start() -> Arena {
        Arena::with(SettingsChange::default())
    }

    /// A server with some other settings.
    pub(crate) fn with(change: SettingsChange) -> Arena {
        let folder = tempfile::tempdir().unwrap();
        let mut options = options(folder.path());
        options.settings = SettingsChange {
            parallel: change.parallel,
            max_moves_each: change.max_moves_each,
            profile: change.profile,
            limit: change.limit,
            reveal_fleets: change.reveal_fleets,
            pause_match: change.pause_match.or(Some(0)),
            pause_tournament: change.pause_tournament.or(Some(0)),
            ..change
        };
        let server = TournamentServer::start(options).unwrap();
        let site = Site(server.address);
        Arena { folder, server: Some(server), site }
    }

    /// Ends the server and starts another one in the same folder.
    pub(crate) fn restart(&mut self) -> Result<(), ServeError> {
        self.server = None;
        let server = TournamentServer::start(options(self.folder.path()))?;
        self.site = Site(server.address);
        self.server = Some(server);
        Ok(())
    }

    /// Registers bots and sets their URLs.
    pub(crate) fn join(&self, bots: &[(&str, &TestBot)]) {
        for (name, bot) in bots {
            self.site.register(name);
            assert_eq!(self.site.set_url(name, &bot.url).status, 200);
        }
    }
}
