//! The lobby: teams request to take part, and place their ships.

use crate::access::no_ship;
use crate::cipher::{Cipher, CipherError, Envelope};
use crate::inbox::{IncomingMessage, Subject};
use crate::join_code::JoinCode;
use crate::options::Options;
use crate::publisher::{Publisher, RefusalRate};
use crate::spectator::TeamStatus;
use crate::teams::{Credentials, Teams, key};
use connections::network;
use rules::salvo::{Fleet, Placement, Refusal, ShipKind, body};
use rules::{Seat, counted, look_alike};
use std::collections::HashSet;
use std::fmt::Display;
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// A team in the lobby.
#[derive(Debug, Clone)]
pub(crate) struct LobbyEntry {
    pub(crate) team: Credentials,
    pub(crate) fleet: Fleet,
    /// The address of the request; `None` if it is not known.
    address: Option<IpAddr>,
    /// The time of the request.
    asked: Instant,
    /// The answers of the current second to places that anyone may have sent.
    pub(crate) answered: RefusalRate,
}

/// The teams of the lobby, in the order of their requests.
#[derive(Debug, Default)]
pub(crate) struct Lobby {
    pub(crate) entries: Vec<LobbyEntry>,
    /// The names of the teams with complete fleets, in the order of their completion.
    pub(crate) ready: Vec<String>,
    /// The time at which the latest fleet was complete.
    ready_since: Option<Instant>,
    /// The keys of the names of the teams that the administrator has removed.
    kicked: HashSet<String>,
}

/// A change of the lobby.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LobbyChange {
    /// A team takes part.
    Joined { team: Credentials, address: Option<IpAddr> },
    /// The team of this name has placed a ship.
    Placed { name: String, ship: Placement },
}

/// The reason why a ship was not placed.
#[derive(Debug, thiserror::Error)]
enum PlacementError {
    #[error(transparent)]
    Cipher(#[from] CipherError),
    #[error(transparent)]
    Unreadable(#[from] body::Unreadable),
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl Lobby {
    /// The names of the teams, in the order of their requests.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.entries.iter().map(|entry| entry.team.name.as_str())
    }

    /// The teams for the spectator, in the order of their requests.
    pub(crate) fn waiting(&self) -> Vec<TeamStatus<'_>> {
        self.entries
            .iter()
            .map(|entry| TeamStatus { name: &entry.team.name, is_ready: entry.fleet.is_complete() })
            .collect()
    }

    /// The teams with complete fleets, in the order of their completion.
    pub(crate) fn fleets(&self) -> impl Iterator<Item = &LobbyEntry> {
        self.ready.iter().filter_map(|name| self.find(name))
    }

    fn find(&self, name: &str) -> Option<&LobbyEntry> {
        self.entries.iter().find(|entry| entry.team.name == name)
    }

    fn find_mut(&mut self, name: &str) -> Option<&mut LobbyEntry> {
        self.entries.iter_mut().find(|entry| entry.team.name == name)
    }

    /// The time at which something happens without a message: with two ready teams the match begins, `place` after the latest
    /// fleet was complete; before that, a team is removed whose request is so old. Requests do not move it: somebody could keep
    /// a match from beginning.
    pub(crate) fn deadline(&self, place: Duration) -> Option<Instant> {
        let unready = || self.entries.iter().filter(|entry| !entry.fleet.is_complete()).map(|entry| entry.asked).min();
        let since = if self.ready.len() >= 2 { self.ready_since } else { unready() };
        since?.checked_add(place)
    }

    /// The names of the teams with incomplete fleets that have asked at this time or before.
    pub(crate) fn unready(&self, asked: Option<Instant>) -> Vec<String> {
        let is_late = |entry: &&LobbyEntry| !entry.fleet.is_complete() && Some(entry.asked) <= asked;
        self.entries.iter().filter(is_late).map(|entry| entry.team.name.clone()).collect()
    }

    /// Reads a message of a client. The sender learns of a mistake at once; a change takes effect by [`Lobby::change`],
    /// after it was written to the journal.
    pub(crate) fn read(
        &mut self,
        message: &IncomingMessage,
        options: &Options,
        join_code: &JoinCode,
        teams: &Teams,
        publisher: &Publisher,
        cipher: &mut Cipher,
    ) -> Option<LobbyChange> {
        match &message.subject {
            Subject::Request => self.read_request(message, options, join_code, teams, publisher),
            Subject::Place { player, .. } | Subject::PlaceOfNoShip { player, .. }
                if message.from.as_ref().is_some_and(|from| from != player) =>
            {
                let from = message.from.as_deref().unwrap_or_default();
                publisher.complain(from, &format!("the ships of {player} are not yours"));
                None
            }
            Subject::Place { player, ship, spelling } => {
                let entry = self.find_mut(player)?;
                let error = match place(entry, *ship, &message.body, cipher) {
                    Ok(ship) => return Some(LobbyChange::Placed { name: player.clone(), ship }),
                    Err(error) => error,
                };
                let is_undecrypted = matches!(error, PlacementError::Cipher(_));
                let is_of_anyone = is_undecrypted && message.from.is_none();
                if is_of_anyone && !entry.answered.allows_one() {
                    return None;
                }
                if is_undecrypted {
                    publisher.complain(player, &format!("{ship}: {error}"));
                }
                // Anyone may have sent a message that cannot be decrypted, unless the broker knows the sender: then a ship
                // that the team has placed stays approved.
                let is_placed = entry.fleet.missing().all(|missing| missing != *ship);
                if !(is_of_anyone && is_placed) {
                    publisher.placed(player, *ship, spelling.as_deref(), Err(&error));
                }
                None
            }
            Subject::PlaceOfNoShip { player, named } => {
                let entry = self.find_mut(player)?;
                if message.from.is_some() || entry.answered.allows_one() {
                    publisher.complain(player, &no_ship(named));
                }
                None
            }
            Subject::Admin => None,
            Subject::Fire { .. } => {
                if let Some(from) = &message.from {
                    publisher.complain(from, &"the game has not begun");
                }
                None
            }
        }
    }

    fn read_request(
        &self,
        message: &IncomingMessage,
        options: &Options,
        join_code: &JoinCode,
        teams: &Teams,
        publisher: &Publisher,
    ) -> Option<LobbyChange> {
        let refuse = |name: &str, error: &dyn Display| {
            publisher.refuse(name, error);
            None
        };
        let request = match body::read_request(message.body.as_bytes()) {
            Ok(request) => request,
            Err(error) => return refuse("", &error),
        };
        if message.from.as_ref().is_some_and(|from| *from != request.name) {
            return refuse(&request.name, &"the name is not the one that you came to the broker with");
        }
        if self.is_kept_out(&request.name) {
            return refuse(&request.name, &"the administrator has removed this team from the game");
        }
        if !join_code.admits(request.code.as_deref(), message.address) {
            return refuse(&request.name, &"the join code is missing or wrong");
        }
        let credentials = Credentials::new(&request.name, &request.secret).and_then(|credentials| {
            teams.join(&credentials)?;
            Ok(credentials)
        });
        match credentials {
            // A team that takes part may repeat its request, for example after it lost its connection.
            Ok(credentials) if self.find(&credentials.name).is_some() => None,
            Ok(credentials) if self.entries.len() >= usize::from(Seat::MAX) => {
                teams.leave(&credentials.name);
                refuse(&credentials.name, &format!("there are {} teams already", Seat::MAX))
            }
            Ok(credentials) if self.of_address(message.address) >= usize::from(options.teams_per_address) => {
                teams.leave(&credentials.name);
                let most = counted(options.teams_per_address.into(), "team");
                refuse(&credentials.name, &format!("your address has {most} already"))
            }
            Ok(team) => Some(LobbyChange::Joined { team, address: message.address }),
            Err(error) => refuse(&request.name, &error),
        }
    }

    /// Applies a change from [`Lobby::read`] or from the journal.
    pub(crate) fn change(&mut self, change: &LobbyChange) {
        match change {
            LobbyChange::Joined { team, address } => self.entries.push(LobbyEntry {
                team: team.clone(),
                fleet: Fleet::default(),
                address: *address,
                asked: Instant::now(),
                answered: RefusalRate::default(),
            }),
            LobbyChange::Placed { name, ship } => {
                let Some(entry) = self.find_mut(name) else { return };
                // [`Lobby::read`] has checked the place.
                let placed = entry.fleet.place(*ship).is_ok();
                if placed && entry.fleet.is_complete() && !self.ready.contains(name) {
                    self.ready.push(name.clone());
                    self.ready_since = Some(Instant::now());
                }
            }
        }
    }

    /// The number of teams of this address; 0 for an unknown one.
    fn of_address(&self, address: Option<IpAddr>) -> usize {
        let same = |entry: &&LobbyEntry| address.is_some() && entry.address.map(network) == address.map(network);
        self.entries.iter().filter(same).count()
    }

    /// Keeps a team out, and removes it from the lobby if it `is_open`.
    pub(crate) fn kick(&mut self, name: &str, is_open: bool) {
        self.kicked.insert(key(name));
        if is_open {
            self.remove(name);
        }
    }

    /// True if the administrator has removed the team.
    pub(crate) fn is_kicked(&self, name: &str) -> bool {
        self.kicked.contains(&key(name))
    }

    /// True if no team may come in under this name: the administrator has removed one of it, or of a name that looks like it.
    fn is_kept_out(&self, name: &str) -> bool {
        self.kicked.iter().any(|kicked| look_alike(kicked, name))
    }

    /// Removes a team.
    pub(crate) fn remove(&mut self, name: &str) {
        self.entries.retain(|entry| entry.team.name != name);
        self.ready.retain(|ready| ready != name);
    }
}

/// The decrypted place of a ship, if it is valid beside the team's other ships.
fn place(entry: &LobbyEntry, ship: ShipKind, sealed: &str, cipher: &mut Cipher) -> Result<Placement, PlacementError> {
    let text = cipher.open(&Envelope::read(sealed)?, entry.team.secret.text())?;
    let placement = body::read_placement(ship, text.as_bytes())?;
    entry.fleet.check(placement)?;
    Ok(placement)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broker::Broker;
    use rules::Point;
    use rules::salvo::{Orientation, Topics};
    use std::path::Path;
    use std::sync::{Arc, Mutex};

    /// A broker that counts the messages.
    struct Count(Arc<Mutex<usize>>);

    impl Broker for Count {
        fn publish(&self, _: String, _: Vec<u8>, _: bool) {
            *self.0.lock().unwrap() += 1;
        }
    }

    #[test]
    fn only_complete_fleets_move_the_beginning_of_a_match() {
        const PLACE: Duration = Duration::from_secs(60);
        let mut lobby = Lobby::default();
        let joins = |lobby: &mut Lobby, name: &str| {
            lobby.change(&LobbyChange::Joined { team: Credentials::new(name, "x").unwrap(), address: None });
        };
        let places = |lobby: &mut Lobby, name: &str| {
            for (y, ship) in (0..).zip(ShipKind::ALL) {
                let ship = Placement { ship, at: Point::new(0, y), orientation: Orientation::Horizontal };
                lobby.change(&LobbyChange::Placed { name: name.to_owned(), ship });
            }
        };
        assert_eq!(lobby.deadline(PLACE), None);
        joins(&mut lobby, "A");
        let first = lobby.deadline(PLACE).unwrap();
        joins(&mut lobby, "Invented 1");
        assert_eq!(lobby.deadline(PLACE), Some(first), "that of A's ships");
        places(&mut lobby, "A");
        assert!(lobby.deadline(PLACE).unwrap() > first, "that of the other's");
        let now = Instant::now();
        joins(&mut lobby, "B");
        assert_eq!(lobby.unready(Some(now)), ["Invented 1"]);
        places(&mut lobby, "B");
        let begins = lobby.deadline(PLACE).unwrap();
        joins(&mut lobby, "Invented 2");
        assert_eq!(lobby.deadline(PLACE), Some(begins));
        joins(&mut lobby, "C");
        places(&mut lobby, "C");
        assert!(lobby.deadline(PLACE).unwrap() > begins);
        assert_eq!(lobby.unready(Some(Instant::now())), ["Invented 1", "Invented 2"]);
    }

    #[test]
    fn unknown_senders_cannot_flood_a_team_with_answers() {
        let count = Arc::default();
        let publisher = Publisher::new(Topics::default(), Box::new(Count(Arc::clone(&count))));
        let (mut lobby, mut cipher) = (Lobby::default(), Cipher::default());
        let options = Options::of_tests(Path::new(""));
        let code = JoinCode::new(None);
        for name in ["A", "B"] {
            let team = Credentials::new(name, "x").unwrap();
            lobby.change(&LobbyChange::Joined { team, address: None });
        }
        let mut sends = |subject: &Subject, from: Option<&str>, times: usize| {
            let before = *count.lock().unwrap();
            for _ in 0..times {
                let message = IncomingMessage::read(subject.clone(), b"garbage", from.map(str::to_owned)).unwrap();
                assert_eq!(lobby.read(&message, &options, &code, &Teams::default(), &publisher, &mut cipher), None);
            }
            *count.lock().unwrap() - before
        };
        let place = |player: &str| {
            let (player, spelling) = (player.to_owned(), Some("Carrier".to_owned()));
            Subject::Place { player, ship: ShipKind::Carrier, spelling }
        };
        let no_ship = |player: &str| Subject::PlaceOfNoShip { player: player.to_owned(), named: "raft".to_owned() };
        // More than two seconds for this would allow more answers.
        assert!(sends(&no_ship("A"), None, 1000) <= 60);
        assert!(sends(&place("B"), None, 1000) <= 60 * 5);
        assert_eq!(sends(&no_ship("A"), Some("A"), 100), 100, "a team learns of each of its own mistakes");
        assert_eq!(sends(&place("B"), Some("B"), 100), 500);
    }
}
