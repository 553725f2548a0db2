//! The lobby: teams ask to take part and place their ships.

use crate::cipher::{Cipher, Envelope, Sealed};
use crate::herald::Herald;
use crate::postbox::{About, Letter};
use crate::spectator::Waiting;
use crate::teams::{Credentials, Teams};
use rules::Seat;
use rules::salvo::{Fleet, Placement, Refusal, ShipKind, body};

/// A team in the lobby.
#[derive(Debug, Clone)]
pub(crate) struct Entrant {
    pub(crate) team: Credentials,
    pub(crate) fleet: Fleet,
}

/// Those who want to take part, in the order in which they asked.
#[derive(Debug, Default)]
pub(crate) struct Lobby {
    entrants: Vec<Entrant>,
    /// The names of those whose fleets are complete, first to last.
    ready: Vec<String>,
}

/// What a letter has changed in the lobby.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Change {
    /// A team has come.
    Joined(Credentials),
    /// A team has placed a ship.
    Placed {
        /// Which team.
        name: String,
        /// Where the ship lies.
        ship: Placement,
    },
}

/// Why a ship was not placed.
#[derive(Debug, thiserror::Error)]
enum Misplaced {
    #[error("{0}")]
    Sealed(#[from] Sealed),
    #[error("{0}")]
    Unreadable(#[from] body::Unreadable),
    #[error("{0}")]
    Refused(#[from] Refusal),
}

impl Lobby {
    /// Those who take part, in the order in which they asked.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.entrants.iter().map(|entrant| entrant.team.name.as_str())
    }

    /// Those who take part, in the same order.
    pub(crate) fn entrants(&self) -> &[Entrant] {
        &self.entrants
    }

    /// The same, for who watches.
    pub(crate) fn waiting(&self) -> Vec<Waiting<'_>> {
        self.entrants
            .iter()
            .map(|entrant| Waiting { name: &entrant.team.name, is_ready: entrant.fleet.is_complete() })
            .collect()
    }

    /// How many have placed all of their ships.
    pub(crate) fn ready(&self) -> usize {
        self.ready.len()
    }

    /// Those who have placed all of their ships, in the order in which they were done with it.
    pub(crate) fn fleets(&self) -> impl Iterator<Item = &Entrant> {
        self.ready.iter().filter_map(|name| self.find(name))
    }

    fn find(&self, name: &str) -> Option<&Entrant> {
        self.entrants.iter().find(|entrant| entrant.team.name == name)
    }

    /// Looks at a letter, tells its sender what became of it, and gives what it changes.
    pub(crate) fn read(&self, letter: &Letter, teams: &Teams, herald: &Herald, cipher: &mut Cipher) -> Option<Change> {
        match &letter.about {
            About::Request => self.read_request(letter, teams, herald),
            About::Place { player, ship } => {
                let foreign = letter.from.as_ref().filter(|from| *from != player);
                if let Some(from) = foreign {
                    herald.complain(from, &format!("the ships of {player} are not yours"));
                    return None;
                }
                let entrant = self.find(player)?;
                match place(entrant, *ship, &letter.body, cipher) {
                    // It may be from anyone: what the team itself has placed is as good as before.
                    Err(error @ Misplaced::Sealed(_)) => {
                        herald.complain(player, &format!("{ship}: {error}"));
                        None
                    }
                    placed => {
                        herald.placed(player, *ship, placed.as_ref());
                        Some(Change::Placed { name: player.clone(), ship: placed.ok()? })
                    }
                }
            }
            About::Fire { .. } => {
                if let Some(from) = &letter.from {
                    herald.complain(from, &"the game has not begun");
                }
                None
            }
        }
    }

    fn read_request(&self, letter: &Letter, teams: &Teams, herald: &Herald) -> Option<Change> {
        let request = match body::read_request(letter.body.as_bytes()) {
            Ok(request) => request,
            Err(error) => {
                herald.refuse("", &error);
                return None;
            }
        };
        if letter.from.as_ref().is_some_and(|from| *from != request.name) {
            herald.refuse(&request.name, &"the name is not the one that you came to the broker with");
            return None;
        }
        let credentials = Credentials::new(&request.name, &request.secret).and_then(|credentials| {
            teams.join(&credentials)?;
            Ok(credentials)
        });
        match credentials {
            // Who takes part already may say so again, for example after its connection was lost.
            Ok(credentials) if self.find(&credentials.name).is_some() => None,
            Ok(credentials) if self.entrants.len() >= usize::from(Seat::MAX) => {
                teams.part(&credentials.name);
                herald.refuse(&credentials.name, &format!("there are {} teams already", Seat::MAX));
                None
            }
            Ok(credentials) => Some(Change::Joined(credentials)),
            Err(error) => {
                herald.refuse(&request.name, &error);
                None
            }
        }
    }

    /// Makes a change, as [`Lobby::read`] or the journal has it.
    pub(crate) fn change(&mut self, change: &Change) {
        match change {
            Change::Joined(team) => self.entrants.push(Entrant { team: team.clone(), fleet: Fleet::default() }),
            Change::Placed { name, ship } => {
                let Some(entrant) = self.entrants.iter_mut().find(|entrant| entrant.team.name == *name) else { return };
                // It was looked at before it became a change.
                let placed = entrant.fleet.place(*ship).is_ok();
                if placed && entrant.fleet.is_complete() && !self.ready.contains(name) {
                    self.ready.push(name.clone());
                }
            }
        }
    }

    /// Takes out those who have not placed all of their ships, and gives their names.
    pub(crate) fn remove_unready(&mut self) -> Vec<String> {
        let (ready, late): (_, Vec<Entrant>) =
            std::mem::take(&mut self.entrants).into_iter().partition(|entrant: &Entrant| entrant.fleet.is_complete());
        self.entrants = ready;
        late.into_iter().map(|entrant| entrant.team.name).collect()
    }
}

/// Where a ship is to lie, if that is right beside the team's other ships. A ship that was placed before may be moved.
fn place(entrant: &Entrant, ship: ShipKind, sealed: &str, cipher: &mut Cipher) -> Result<Placement, Misplaced> {
    let text = cipher.open(&Envelope::read(sealed)?, entrant.team.secret.text())?;
    let placement = body::read_placement(ship, text.as_bytes())?;
    entrant.fleet.check(placement)?;
    Ok(placement)
}
