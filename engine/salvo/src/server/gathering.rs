//! The time in which the lobby is open.

use super::{PhaseEnd, Server};
use crate::ServerError;
use crate::admin::AdminCommand;
use crate::inbox::{IncomingMessage, NextMessage, Subject};
use crate::journal::ServerJournalLine;
use crate::lobby::LobbyChange;
use crate::spectator::{ServerEvent, Spectator};
use crate::teams::key;
use platform::locks::lock;
use rules::Game;
use rules::salvo::Salvo;
use rules::salvo::body::GameState;
use std::time::Instant;

impl Server {
    /// Keeps the lobby open until a match can begin.
    pub(super) fn gather(&mut self, spectator: &mut dyn Spectator) -> Result<PhaseEnd, ServerError> {
        self.publisher.state(GameState::Lobby);
        self.publisher.teams(self.lobby.names());
        let present = self.lobby.names().count();
        spectator.hear(&ServerEvent::Lobby { teams: present });
        spectator.wait(&self.lobby.waiting());
        loop {
            let enough = self.options.players.map_or(usize::from(*Salvo::SEATS.end()), usize::from);
            if self.lobby.ready.len() >= enough.max(2) {
                return self.close_lobby(spectator);
            }
            match self.inbox.take(None, self.lobby.deadline(self.options.place)) {
                NextMessage::Message(message) if message.subject == Subject::Admin => {
                    if self.obey_in_lobby(&message, spectator)? {
                        return self.close_lobby(spectator);
                    }
                }
                NextMessage::Message(message) => drop(self.receive(&message, spectator)?),
                NextMessage::TimeUp if self.lobby.ready.len() >= 2 => return self.close_lobby(spectator),
                NextMessage::TimeUp => {
                    let late = self.lobby.unready(Instant::now().checked_sub(self.options.place));
                    self.remove(&late, spectator, "not all ships were placed in time; ask again to take part")?;
                }
                NextMessage::Closed => return Ok(PhaseEnd::Stopped),
            }
        }
    }

    /// Carries out a command of the administrator in the lobby; true if the match has to begin.
    fn obey_in_lobby(&mut self, message: &IncomingMessage, spectator: &mut dyn Spectator) -> Result<bool, ServerError> {
        let Some(opened) = self.administration.read(message) else { return Ok(false) };
        let ready = self.lobby.ready.len();
        let result = match &opened.command {
            AdminCommand::Kick { team } => {
                let present = self.lobby.names().find(|name| key(name) == key(team)).map(str::to_owned);
                let name = present.as_ref().unwrap_or(team);
                lock(&self.journal).write(&ServerJournalLine::Kicked { name: name.clone() })?;
                self.lobby.kick(name, true);
                if present.is_some() {
                    self.say_removed(name, spectator, "the administrator has removed you from the game");
                    Ok(format!("{name} is removed, and kept out until the next lobby"))
                } else {
                    Ok(format!("there is no team {name:?} in the lobby; the name is kept out until the next lobby"))
                }
            }
            AdminCommand::Start if ready >= 2 => {
                self.unanswered = Some((opened, format!("a match of {ready} teams begins")));
                return Ok(true);
            }
            AdminCommand::Start => {
                Err(format!("a match needs two teams that have placed their ships; there are {ready}"))
            }
            AdminCommand::Open => Err("the lobby is open already".to_owned()),
            AdminCommand::End => Err("no match is being played".to_owned()),
        };
        self.administration.answer(opened, result);
        Ok(false)
    }

    /// Takes in a message of the lobby. A change is in the journal before anybody is told.
    pub(super) fn receive(
        &mut self,
        message: &IncomingMessage,
        spectator: &mut dyn Spectator,
    ) -> Result<Option<LobbyChange>, ServerError> {
        let Server { lobby, options, join_code, teams, publisher, cipher, .. } = self;
        let change = lobby.read(message, options, join_code, teams, publisher, cipher);
        let Some(change) = change else { return Ok(None) };
        lock(&self.journal).changed(&change)?;
        let ready = self.lobby.ready.len();
        self.lobby.change(&change);
        match &change {
            LobbyChange::Joined { team, .. } => {
                self.publisher.teams(self.lobby.names());
                spectator.hear(&ServerEvent::Joined(&team.name));
            }
            LobbyChange::Placed { name, ship } => {
                let spelling = match &message.subject {
                    Subject::Place { spelling, .. } => spelling.as_deref(),
                    _ => None,
                };
                self.publisher.placed(name, ship.ship, spelling, Ok(()));
                if self.lobby.ready.len() > ready {
                    spectator.hear(&ServerEvent::Ready(name));
                }
            }
        }
        spectator.wait(&self.lobby.waiting());
        Ok(Some(change))
    }

    /// Lets the match begin, without the teams with incomplete fleets.
    fn close_lobby(&mut self, spectator: &mut dyn Spectator) -> Result<PhaseEnd, ServerError> {
        let late = self.lobby.unready(Some(Instant::now()));
        self.remove(&late, spectator, "the match begins without you: not all of your ships were placed")?;
        Ok(PhaseEnd::Over)
    }

    /// Removes the teams of these names from the lobby.
    fn remove(&mut self, names: &[String], spectator: &mut dyn Spectator, why: &str) -> Result<(), ServerError> {
        for name in names {
            lock(&self.journal).write(&ServerJournalLine::Removed { name: name.clone() })?;
            self.lobby.remove(name);
            self.say_removed(name, spectator, why);
        }
        Ok(())
    }

    /// Tells everyone that a team was removed from the lobby.
    fn say_removed(&self, name: &str, spectator: &mut dyn Spectator, why: &str) {
        self.publisher.complain(name, &why);
        self.teams.leave(name);
        spectator.hear(&ServerEvent::Removed { name, why });
        self.publisher.teams(self.lobby.names());
        spectator.wait(&self.lobby.waiting());
    }
}
