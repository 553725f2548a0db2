//! Steers a team through a match: what it sends, and when.

use super::state::ClientState;
use super::{ClientError, ClientEvent, MatchResult, SessionInput, Strategy, Team};
use crate::cipher::Cipher;
use log::{debug, warn};
use rules::salvo::body::{GameState, PlayerError, Refused, Request, Signed};
use rules::salvo::{Fleet, Order, Placement, ShipKind, ShipTopic, Topic, body, random_fleet};
use rules::{BySeat, Random, Seat};
use rumqttc::QoS;
use std::sync::mpsc::Receiver;

/// How many mistakes of a strategy are made good in a salvo.
const PATIENCE: u8 = 5;
/// How many ships are put elsewhere because the server does not want them where they are.
const MOVES: u8 = 50;
/// How often another place is looked for.
const DRAWS: u32 = 1000;

/// Steers a team through a match.
///
/// What the broker has kept comes in any order when a connection begins, so nothing is done at once: each message changes what is
/// known, and then [`ClientSession::act`] does what is due.
pub(super) struct ClientSession<'a> {
    team: &'a Team,
    strategy: &'a mut dyn Strategy,
    client: rumqttc::Client,
    cipher: Cipher,
    state: ClientState,
    game_state: Option<GameState>,
    /// The latest list of teams.
    listed: Vec<String>,
    /// Whose salvo begins, if that is not yet on the table.
    current: Option<String>,
    /// Whether the state was told since the connection was made. What is kept on other topics may come before.
    is_informed: bool,
    /// Whether the server was asked to take part, in this lobby and by this connection.
    asked: bool,
    /// Whether the fleet was sent, in this lobby and by this connection.
    placed: bool,
    winner: Option<String>,
    /// How many more mistakes are made good in this salvo.
    patience: u8,
    /// How many more ships are put elsewhere.
    moves: u8,
    random: Random,
}

impl<'a> ClientSession<'a> {
    pub(super) fn new(
        team: &'a Team,
        strategy: &'a mut dyn Strategy,
        client: rumqttc::Client,
        seed: u64,
    ) -> ClientSession<'a> {
        ClientSession {
            team,
            strategy,
            client,
            cipher: Cipher::new(),
            state: ClientState::new(&team.name),
            game_state: None,
            listed: Vec::new(),
            current: None,
            is_informed: false,
            asked: false,
            placed: false,
            winner: None,
            patience: PATIENCE,
            moves: MOVES,
            random: rules::random(seed),
        }
    }

    pub(super) fn run(&mut self, heard: &Receiver<SessionInput>) -> Result<MatchResult, ClientError> {
        for input in heard {
            match input {
                SessionInput::Connected => self.connected(),
                SessionInput::Message { topic, text } => {
                    if let Some(ended) = self.hear(&topic, &text)? {
                        return Ok(ended);
                    }
                    self.act();
                }
                SessionInput::Line(line) => {
                    self.strategy.hear(&line.as_deref().map_or(ClientEvent::NoMoreLines, ClientEvent::Line));
                    self.fire();
                }
                SessionInput::Lost { what } => warn!("no connection to {}: {what}", self.team.broker),
                SessionInput::Ended(error) => return Err(error),
            }
        }
        Err(ClientError::Broker { broker: self.team.broker.to_string(), what: "the connection is closed".to_owned() })
    }

    /// Tells the broker that the team leaves; false if too much waits to be sent.
    pub(super) fn leave(&self) -> bool {
        self.client.try_disconnect().is_ok()
    }

    fn connected(&mut self) {
        // What was sent last may be lost.
        (self.is_informed, self.asked, self.placed) = (false, false, false);
        let player = self.team.name.as_str();
        let own = ["hit", "error", "ships/+/error"].map(|what| format!("/players/{player}/{what}"));
        let public = ["/game/current", "/game/hits", "/game/winner", "/game/refused", "/players/list", "/game/state"];
        let news = ["/players/+/ships/+/sunk", "/players/+/defeated"];
        for path in own.iter().map(String::as_str).chain(news).chain(public) {
            if let Err(error) = self.client.try_subscribe(self.team.topics.below_root(path), QoS::ExactlyOnce) {
                warn!("{path}: {error}");
            }
        }
    }

    fn send(&self, topic: &Topic<'_>, text: String) {
        let name = self.team.topics.name(topic);
        if let Err(error) = self.client.try_publish(&name, QoS::ExactlyOnce, false, text) {
            warn!("{name}: {error}");
        }
    }

    /// Hears a message; the match is over when it gives something.
    fn hear(&mut self, topic: &str, text: &str) -> Result<Option<MatchResult>, ClientError> {
        debug!("{topic} {text}");
        let Some(topic) = self.team.topics.parse(topic) else { return Ok(None) };
        // What was kept of an earlier game is taken back by an empty message.
        if text.is_empty() {
            return Ok(None);
        }
        match topic {
            Topic::State => return Ok(self.state(text)),
            Topic::List => self.players(text),
            // One that was kept of an earlier game means nothing in the lobby.
            Topic::Current if self.game_state != Some(GameState::Lobby) => self.current = Some(text.to_owned()),
            Topic::Hits => {
                let hits = text.trim().parse().unwrap_or_default();
                self.state.hits(hits);
                self.strategy.hear(&ClientEvent::Hits(hits));
            }
            Topic::Winner => self.winner = Some(text.to_owned()),
            Topic::Refused => self.refused(text)?,
            Topic::Hit { .. } => {
                if let Ok(at) = body::read_shot(text.as_bytes()) {
                    self.state.received(at);
                    self.strategy.hear(&ClientEvent::Hit(at));
                }
            }
            Topic::Ship { player, ship, what: ShipTopic::Sunk } if self.state.sunk(player, ship) => {
                self.strategy.hear(&ClientEvent::Sunk(player, ship));
            }
            Topic::Defeated { player } if self.state.defeated(player) => {
                self.strategy.hear(&ClientEvent::Defeated(player));
            }
            Topic::Error { .. } => self.wrong_shot(text),
            Topic::Ship { ship, what: ShipTopic::Error, .. } => self.wrong_place(ship, text),
            _ => {}
        }
        Ok(None)
    }

    fn state(&mut self, text: &str) -> Option<MatchResult> {
        let named = [GameState::Lobby, GameState::Turn, GameState::Over];
        let state = named.into_iter().find(|state| state.name() == text)?;
        let before = self.game_state.replace(state);
        self.is_informed = true;
        if before != Some(state) {
            self.strategy.hear(&ClientEvent::State(text));
        }
        match state {
            GameState::Lobby if before != Some(state) => {
                // All that was kept of an earlier game goes.
                (self.current, self.winner, self.asked, self.placed) = (None, None, false, false);
                self.moves = MOVES;
                self.state = ClientState::new(&self.team.name);
                self.state.players(&self.listed);
            }
            // Only who was in the match may say how it ended; others wait for the next.
            GameState::Over if before.is_some() && self.state.takes_part => {
                return Some(MatchResult { winner: self.winner.clone() });
            }
            _ => {}
        }
        None
    }

    fn players(&mut self, text: &str) {
        let Ok(names) = serde_json::from_str::<Vec<String>>(text) else { return };
        if names.len() > usize::from(Seat::MAX) {
            return;
        }
        let was_in = self.state.takes_part;
        if self.state.players(&names) {
            self.strategy.hear(&ClientEvent::Players(&self.state.names));
        }
        self.listed = names;
        if was_in && !self.state.takes_part {
            // Its ships were not there in time; it asks again.
            (self.asked, self.placed) = (false, false);
        }
    }

    /// Does what is due by what is known.
    fn act(&mut self) {
        if !self.is_informed {
            return;
        }
        match self.game_state {
            Some(GameState::Lobby) if !self.state.takes_part && !self.asked => {
                let Team { name, secret, .. } = self.team;
                let request = Request { name: name.clone(), secret: secret.clone() };
                self.asked = true;
                self.send(&Topic::Request, body::request(&request));
            }
            Some(GameState::Lobby) if self.state.takes_part && !self.placed => self.place(),
            Some(GameState::Turn) if !self.state.names.is_empty() => {
                if let Some(name) = self.current.take() {
                    self.strategy.hear(&ClientEvent::Turn(&name));
                    self.patience = PATIENCE;
                    self.state.turn(&name);
                    self.fire();
                }
            }
            _ => {}
        }
    }

    /// Sends the fleet, also again: the server may not have all of it.
    fn place(&mut self) {
        if self.state.view.fleet.is_empty() {
            let Some(Order::Place(fleet)) = self.strategy.order(&self.state.view, &self.state.names) else { return };
            self.state.view.fleet = fleet;
        }
        self.placed = true;
        for ship in self.state.view.fleet.clone() {
            self.send_ship(ship);
        }
    }

    fn send_ship(&mut self, ship: Placement) {
        let sealed = self.cipher.seal(&body::placement(ship), &self.team.secret);
        self.send(&Topic::Ship { player: &self.team.name, ship: ship.ship, what: ShipTopic::Place }, sealed);
    }

    fn refused(&self, text: &str) -> Result<(), ClientError> {
        let Ok(Refused { name, error }) = body::read_refused(text.as_bytes()) else { return Ok(()) };
        if name == self.team.name && self.game_state == Some(GameState::Lobby) && !self.state.takes_part {
            return Err(ClientError::Refused { name, what: error });
        }
        Ok(())
    }

    /// A shot of the salvo was dropped, if it is still ours: there is one more to be fired.
    fn wrong_shot(&mut self, text: &str) {
        self.strategy.hear(&ClientEvent::Error(text));
        let is_about_a_shot = matches!(body::read_player_error(text), PlayerError::Other(_));
        if is_about_a_shot && self.patience > 0 && self.state.take_back() {
            self.patience -= 1;
            self.fire();
        }
    }

    /// A ship cannot lie where it was put, perhaps because of one that was placed before the team came again: it is put elsewhere.
    fn wrong_place(&mut self, ship: ShipKind, text: &str) {
        self.strategy.hear(&ClientEvent::Error(text));
        if self.moves == 0 || self.game_state != Some(GameState::Lobby) {
            return;
        }
        self.moves -= 1;
        let mut others = Fleet::default();
        for other in self.state.view.fleet.iter().filter(|other| other.ship != ship) {
            // What is wrong with it is told at its own topic.
            let _ = others.place(*other);
        }
        let drawn = (0..DRAWS).find_map(|_| {
            let drawn = random_fleet(&mut self.random).into_iter().find(|drawn| drawn.ship == ship)?;
            others.check(drawn).is_ok().then_some(drawn)
        });
        let Some(elsewhere) = drawn else { return };
        self.state.view.fleet.retain(|other| other.ship != ship);
        self.state.view.fleet.push(elsewhere);
        self.send_ship(elsewhere);
    }

    /// Fires what is left of the salvo, if it is ours, for as long as the strategy knows where.
    fn fire(&mut self) {
        while self.state.has_shots() {
            let order = self.strategy.order(&self.state.view, &self.state.names);
            let Some(Order::Fire { target, at }) = order else { return };
            let Some(name) = name_of(&self.state.names, target) else { return };
            let cell = body::cell(at);
            let signature = self.cipher.seal(&cell, &self.team.secret);
            let value = serde_json::from_str(&cell).expect("a cell is JSON");
            self.send(&Topic::Fire { target: name }, body::signed(&Signed { body: value, signature }));
            self.state.fired(target, at);
        }
    }
}

fn name_of(names: &BySeat<String>, seat: Seat) -> Option<&str> {
    names.iter().find(|(other, _)| *other == seat).map(|(_, name)| name.as_str())
}
