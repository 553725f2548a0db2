//! Teams that act only on command.

use crate::fixture::{OwnedEvent, RawClient, RunningServer, fleet, secret};
use rules::Point;
use rules::salvo::body;
use salvo::{BrokerAddress, Cipher};

pub(crate) const A: &str = "Henkiebunch";
pub(crate) const B: &str = "Deep Water";

/// A team that acts only on command.
pub(crate) struct ScriptedTeam {
    pub(crate) name: &'static str,
    pub(crate) client: RawClient,
    pub(crate) cipher: Cipher,
}

impl ScriptedTeam {
    pub(crate) fn come(name: &'static str, broker: &BrokerAddress) -> ScriptedTeam {
        let login = Some((name.to_owned(), secret(name)));
        let client = RawClient::come(name, &BrokerAddress { login, ..broker.clone() }, |_| {});
        for path in ["/game/#", "/players/list", &format!("/players/{name}/hit"), &format!("/players/{name}/error")] {
            assert!(client.subscribes(path), "{path}");
        }
        ScriptedTeam { name, client, cipher: Cipher::default() }
    }

    /// A team whose request to take part was accepted.
    pub(crate) fn joined(name: &'static str, broker: &BrokerAddress, server: &RunningServer) -> ScriptedTeam {
        let team = ScriptedTeam::come(name, broker);
        team.asks();
        server.wait_for(|told| matches!(told, OwnedEvent::Joined(_)));
        team
    }

    pub(crate) fn asks(&self) {
        let request = body::Request { name: self.name.to_owned(), secret: secret(self.name), code: None };
        self.client.says("/game/request_participation", body::request(&request));
    }

    pub(crate) fn joins_and_places(&mut self) {
        self.asks();
        for ship in fleet() {
            let sealed = self.cipher.seal(&body::placement(ship), &secret(self.name));
            self.client.says(&format!("/players/{}/ships/{}/place", self.name, ship.ship), sealed);
        }
    }

    pub(crate) fn shot(&mut self, at: Point) -> String {
        self.shot_with(at, at, &secret(self.name))
    }

    pub(crate) fn shot_with(&mut self, at: Point, signed: Point, secret: &str) -> String {
        let signature = self.cipher.seal(&body::cell(signed), secret);
        body::signed(&body::Signed { body: serde_json::from_str(&body::cell(at)).unwrap(), signature })
    }

    pub(crate) fn fires(&self, target: &str, message: &str) {
        self.client.says(&format!("/players/{target}/fire"), message);
    }

    /// The next error that the server reports to the team.
    pub(crate) fn error(&self) -> String {
        let topic = format!("/players/{}/error", self.name);
        self.client.hears_until(|heard, _| heard == topic).pop().unwrap().1
    }

    pub(crate) fn waits_for(&self, topic: &str) -> String {
        self.client.hears_until(|heard, _| heard == topic).pop().unwrap().1
    }
}

/// Two teams in a match, the current player first.
pub(crate) fn facing(broker: &BrokerAddress) -> (ScriptedTeam, ScriptedTeam) {
    let mut teams = [A, B].map(|name| ScriptedTeam::come(name, broker));
    teams.iter_mut().for_each(ScriptedTeam::joins_and_places);
    let current = teams.each_ref().map(|team| team.waits_for("/game/current"));
    assert_eq!(current[0], current[1]);
    let [a, b] = teams;
    if current[0] == A { (a, b) } else { (b, a) }
}
