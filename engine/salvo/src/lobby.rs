//! The lobby: teams request to take part, and place their ships.

use crate::access::no_ship;
use crate::cipher::{Cipher, CipherError, Envelope};
use crate::inbox::{IncomingMessage, Subject};
use crate::publisher::{Publisher, RefusalRate};
use crate::spectator::TeamStatus;
use crate::teams::{Credentials, Teams};
use rules::Seat;
use rules::salvo::{Fleet, Placement, Refusal, ShipKind, body};
use std::fmt::Display;

/// A team in the lobby.
#[derive(Debug, Clone)]
pub(crate) struct LobbyEntry {
    pub(crate) team: Credentials,
    pub(crate) fleet: Fleet,
    /// The answers of the current second to places that anyone may have sent.
    pub(crate) answered: RefusalRate,
}

/// The teams of the lobby, in the order of their requests.
#[derive(Debug, Default)]
pub(crate) struct Lobby {
    pub(crate) entries: Vec<LobbyEntry>,
    /// The names of the teams with complete fleets, in the order of their completion.
    pub(crate) ready: Vec<String>,
}

/// A change of the lobby.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LobbyChange {
    /// A team takes part.
    Joined(Credentials),
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

    /// Reads a message of a client. The sender learns of a mistake at once; a change takes effect by [`Lobby::change`],
    /// after it was written to the journal.
    pub(crate) fn read(
        &mut self,
        message: &IncomingMessage,
        teams: &Teams,
        publisher: &Publisher,
        cipher: &mut Cipher,
    ) -> Option<LobbyChange> {
        match &message.subject {
            Subject::Request => self.read_request(message, teams, publisher),
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
            Subject::Fire { .. } => {
                if let Some(from) = &message.from {
                    publisher.complain(from, &"the game has not begun");
                }
                None
            }
        }
    }

    fn read_request(&self, message: &IncomingMessage, teams: &Teams, publisher: &Publisher) -> Option<LobbyChange> {
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
            Ok(credentials) => Some(LobbyChange::Joined(credentials)),
            Err(error) => refuse(&request.name, &error),
        }
    }

    /// Applies a change from [`Lobby::read`] or from the journal.
    pub(crate) fn change(&mut self, change: &LobbyChange) {
        match change {
            LobbyChange::Joined(team) => self.entries.push(LobbyEntry {
                team: team.clone(),
                fleet: Fleet::default(),
                answered: RefusalRate::default(),
            }),
            LobbyChange::Placed { name, ship } => {
                let Some(entry) = self.find_mut(name) else { return };
                // [`Lobby::read`] has checked the place.
                let placed = entry.fleet.place(*ship).is_ok();
                if placed && entry.fleet.is_complete() && !self.ready.contains(name) {
                    self.ready.push(name.clone());
                }
            }
        }
    }

    /// Removes the teams with incomplete fleets, and gives their names.
    pub(crate) fn remove_unready(&mut self) -> Vec<String> {
        let (ready, late): (_, Vec<LobbyEntry>) =
            std::mem::take(&mut self.entries).into_iter().partition(|entry: &LobbyEntry| entry.fleet.is_complete());
        self.entries = ready;
        late.into_iter().map(|entry| entry.team.name).collect()
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
    use rules::salvo::Topics;
    use std::sync::{Arc, Mutex};

    /// A broker that counts the messages.
    struct Count(Arc<Mutex<usize>>);

    impl Broker for Count {
        fn publish(&self, _: String, _: Vec<u8>, _: bool) {
            *self.0.lock().unwrap() += 1;
        }
    }

    #[test]
    fn unknown_senders_cannot_flood_a_team_with_answers() {
        let count = Arc::default();
        let publisher = Publisher::new(Topics::default(), Box::new(Count(Arc::clone(&count))));
        let (mut lobby, mut cipher) = (Lobby::default(), Cipher::default());
        for name in ["A", "B"] {
            lobby.change(&LobbyChange::Joined(Credentials::new(name, "x").unwrap()));
        }
        let mut sends = |subject: &Subject, from: Option<&str>, times: usize| {
            let before = *count.lock().unwrap();
            for _ in 0..times {
                let message = IncomingMessage::read(subject.clone(), b"garbage", from.map(str::to_owned)).unwrap();
                assert_eq!(lobby.read(&message, &Teams::default(), &publisher, &mut cipher), None);
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
