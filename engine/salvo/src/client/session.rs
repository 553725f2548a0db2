//! The session of a client: decides from what is known which message is due, and sends it.

use super::found::FoundInstead;
use super::state::ClientState;
use super::{ClientError, ClientEvent, MatchResult, SessionInput, Strategy, Team};
use crate::cipher::Cipher;
use log::{debug, warn};
use rules::salvo::body::{GameState, PlayerError, Refused, Request, Signed};
use rules::salvo::{Fleet, Order, Placement, Readers, ShipKind, ShipTopic, Topic, body, random_fleet};
use rules::{Random, Seat, printable};
use rumqttc::QoS;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The most shots of a salvo that are fired again because the server did not count them.
const MAX_RETRIES: u8 = 5;
/// The most ships of a lobby that are placed elsewhere because the server refused their place.
const MAX_MOVES: u8 = 50;
/// The most random places that are tried for such a ship.
const MAX_DRAWS: u32 = 1000;
/// The time without a broker after which the strategy is told, and without a server after which the client looks for other
/// messages at the broker.
const SILENCE: Duration = Duration::from_secs(1);
/// The time that the client looks for other messages before the strategy is told that there is no server.
const SEARCH: Duration = Duration::from_secs(4);

/// A team's part in a match.
///
/// Retained messages arrive in any order after a connection begins. So no message is answered directly: each one changes what
/// is known, and then [`ClientSession::act`] sends what is due.
pub(super) struct ClientSession<'a> {
    team: &'a Team,
    strategy: &'a mut dyn Strategy,
    client: rumqttc::Client,
    cipher: Cipher,
    state: ClientState,
    game_state: Option<GameState>,
    /// The latest list of teams.
    listed: Vec<String>,
    /// The player whose salvo begins, until [`ClientSession::act`] has begun it.
    current: Option<String>,
    is_connected: bool,
    /// True once this connection has brought the state of the game: other retained messages may come before it.
    is_informed: bool,
    /// True once this connection has asked to take part, in the current lobby.
    has_asked: bool,
    /// True once this connection has sent the fleet, in the current lobby.
    has_placed: bool,
    /// The time to tell the strategy that broker or server are missing; `None` if they are there, or it was told.
    silent_until: Option<Instant>,
    /// The messages at the broker while there is no server.
    found: FoundInstead,
    /// True while the client is subscribed to look for other messages.
    is_looking: bool,
    winner: Option<String>,
    /// The number of shots of this salvo that may still be fired again.
    retries: u8,
    /// The number of ships that may still be placed elsewhere.
    moves: u8,
    random: Random,
}

impl<'a> ClientSession<'a> {
    pub(super) fn new(team: &'a Team, strategy: &'a mut dyn Strategy, client: rumqttc::Client, seed: u64) -> Self {
        ClientSession {
            team,
            strategy,
            client,
            cipher: Cipher::default(),
            state: ClientState::new(&team.name),
            game_state: None,
            listed: Vec::new(),
            current: None,
            is_connected: false,
            is_informed: false,
            has_asked: false,
            has_placed: false,
            silent_until: Some(Instant::now() + SILENCE),
            found: FoundInstead::default(),
            is_looking: false,
            winner: None,
            retries: MAX_RETRIES,
            moves: MAX_MOVES,
            random: rules::random(seed),
        }
    }

    /// Plays until the match is over or the connection ends.
    pub(super) fn run(&mut self, inputs: &Receiver<SessionInput>) -> Result<MatchResult, ClientError> {
        loop {
            let input = match self.silent_until {
                None => inputs.recv().map_err(RecvTimeoutError::from),
                Some(until) => inputs.recv_timeout(until.saturating_duration_since(Instant::now())),
            };
            match input {
                Ok(SessionInput::Connected) => self.connected(),
                Ok(SessionInput::Message { topic, text }) => {
                    if let Some(result) = self.hear(&topic, &text)? {
                        return Ok(result);
                    }
                    self.act();
                }
                Ok(SessionInput::Line(line)) => {
                    self.tell(&line.as_deref().map_or(ClientEvent::NoMoreLines, ClientEvent::Line));
                    self.act();
                    self.fire();
                }
                Ok(SessionInput::Lost(why)) => {
                    debug!("no connection to {}: {why}", self.team.broker);
                    if std::mem::take(&mut self.is_connected) || self.silent_until.is_some() {
                        self.tell_missing(&why);
                    }
                }
                Ok(SessionInput::Ended(error)) => return Err(error),
                Err(RecvTimeoutError::Timeout) if self.is_connected && !self.is_looking => self.look_for_others(),
                Err(RecvTimeoutError::Timeout) => self.tell_missing("no answer yet"),
                Err(RecvTimeoutError::Disconnected) => {
                    let (broker, what) = (self.team.broker.to_string(), "the connection is closed".to_owned());
                    return Err(ClientError::Broker { broker, what });
                }
            }
        }
    }

    /// Tells the broker that the team leaves; false if too many messages wait to be sent.
    pub(super) fn leave(&self) -> bool {
        self.client.try_disconnect().is_ok()
    }

    fn tell_missing(&mut self, why: &str) {
        self.silent_until = None;
        let Team { broker, topics, .. } = self.team;
        let topic = topics.name(&Topic::State);
        let event = match self.is_connected {
            true => ClientEvent::NoServer { broker, topic: &topic, found: &self.found },
            false => ClientEvent::NoBroker { broker, why },
        };
        self.strategy.hear(&event, &self.state.view, &self.state.names);
        self.stop_looking();
    }

    /// Subscribes to what the broker may have instead of the game.
    fn look_for_others(&mut self) {
        (self.is_looking, self.silent_until) = (true, Some(Instant::now() + SEARCH));
        for filter in FoundInstead::filters(&self.team.topics) {
            if let Err(error) = self.client.try_subscribe(&filter, QoS::AtMostOnce) {
                warn!("{filter}: {error}");
            }
        }
    }

    /// Ends the subscriptions of the search, except those of the game itself.
    fn stop_looking(&mut self) {
        if !std::mem::take(&mut self.is_looking) || !self.is_connected {
            return;
        }
        let state = self.team.topics.name(&Topic::State);
        for filter in FoundInstead::filters(&self.team.topics).into_iter().filter(|filter| *filter != state) {
            if let Err(error) = self.client.try_unsubscribe(&filter) {
                warn!("{filter}: {error}");
            }
        }
    }

    fn connected(&mut self) {
        (self.is_connected, self.silent_until) = (true, Some(Instant::now() + SILENCE));
        // The last messages of the connection before may be lost.
        (self.is_informed, self.has_asked, self.has_placed) = (false, false, false);
        (self.found, self.is_looking) = (FoundInstead::default(), false);
        let topics = &self.team.topics;
        let own = topics.filters(Readers::Player(&self.team.name));
        // The state comes last, because it lets the session act.
        let of_players = ["/players/+/ships/+/sunk", "/players/+/defeated"];
        let public = ["/game/current", "/game/hits", "/game/winner", "/game/refused", "/players/list", "/game/state"];
        let public = of_players.into_iter().chain(public).map(|path| topics.below_root(path));
        for filter in own.into_iter().chain(public) {
            if let Err(error) = self.client.try_subscribe(&filter, QoS::ExactlyOnce) {
                warn!("{filter}: {error}");
            }
        }
    }

    /// Tells the strategy of an event.
    fn tell(&mut self, event: &ClientEvent<'_>) {
        self.strategy.hear(event, &self.state.view, &self.state.names);
    }

    fn send(&self, topic: &Topic<'_>, text: String) {
        let name = self.team.topics.name(topic);
        if let Err(error) = self.client.try_publish(&name, QoS::ExactlyOnce, false, text) {
            warn!("{name}: {error}");
        }
    }

    /// Takes in a message; gives the result of the match if it is over.
    fn hear(&mut self, topic: &str, text: &str) -> Result<Option<MatchResult>, ClientError> {
        debug!("{}", printable(&format!("{topic} {text}")));
        if !self.is_informed {
            self.found.hear(&self.team.topics, topic, text);
        }
        let Some(topic) = self.team.topics.parse(topic) else { return Ok(None) };
        // An empty message takes back the retained one of an earlier game.
        if text.is_empty() {
            return Ok(None);
        }
        match topic {
            Topic::State => return Ok(self.state(text)),
            Topic::List => self.players(text),
            // In the lobby this is a retained message of an earlier game. After a lost connection it may come before the state,
            // and a match may have begun meanwhile.
            Topic::Current if !self.is_informed || self.game_state != Some(GameState::Lobby) => {
                self.current = Some(text.to_owned());
            }
            Topic::Hits => {
                let hits = text.trim().parse().unwrap_or_default();
                let shooter = self.state.view.salvo.map(|salvo| self.state.names[salvo.seat].clone());
                self.state.hits(hits);
                self.tell(&ClientEvent::Hits { player: shooter.as_deref(), hits });
            }
            Topic::Winner => self.winner = Some(text.to_owned()),
            Topic::Refused => self.refused(text)?,
            Topic::Hit { .. } => {
                if let Ok(at) = body::read_shot(text.as_bytes()) {
                    self.state.received(at);
                    self.tell(&ClientEvent::Hit(at));
                }
            }
            Topic::Ship { player, ship, what: ShipTopic::Sunk } if self.state.sunk(player, ship) => {
                self.tell(&ClientEvent::Sunk(player, ship));
            }
            Topic::Defeated { player } if self.state.defeated(player) => {
                self.tell(&ClientEvent::Defeated(player));
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
        (self.is_informed, self.silent_until) = (true, None);
        self.stop_looking();
        if before != Some(state) {
            self.tell(&ClientEvent::State(text));
        }
        if state == GameState::Lobby {
            self.current = None;
        }
        match state {
            GameState::Lobby if before != Some(state) => {
                (self.winner, self.has_asked, self.has_placed) = (None, false, false);
                self.moves = MAX_MOVES;
                self.state = ClientState::new(&self.team.name);
                self.state.players(&self.listed);
            }
            // A client that was not in the match waits for the next one.
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
            let event = ClientEvent::Players(&self.state.names);
            self.strategy.hear(&event, &self.state.view, &self.state.names);
        }
        self.listed = names;
        if was_in && !self.state.takes_part {
            // The team was removed because its ships were late; it asks again.
            (self.has_asked, self.has_placed) = (false, false);
        }
    }

    /// Sends the message that is due, if any.
    fn act(&mut self) {
        if !self.is_informed {
            return;
        }
        match self.game_state {
            Some(GameState::Lobby) if !self.state.takes_part && !self.has_asked => {
                let Team { name, secret, join_code, .. } = self.team;
                let request = Request { name: name.clone(), secret: secret.clone(), code: join_code.clone() };
                self.has_asked = true;
                self.send(&Topic::Request, body::request(&request));
            }
            Some(GameState::Lobby) if self.state.takes_part && !self.has_placed => self.place(),
            Some(GameState::Turn) if !self.state.names.is_empty() => {
                if let Some(name) = self.current.take() {
                    self.tell(&ClientEvent::Turn(&name));
                    self.retries = MAX_RETRIES;
                    self.state.turn(&name);
                    self.fire();
                }
            }
            _ => {}
        }
    }

    /// Sends the fleet, after a lost connection again: the server may not have all of it.
    fn place(&mut self) {
        if self.state.view.fleet.is_empty() {
            let Some(Order::Place(fleet)) = self.strategy.order(&self.state.view, &self.state.names) else { return };
            self.state.view.fleet = fleet;
        }
        self.has_placed = true;
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

    /// Takes in an error at the player's own topic. If it is about a shot of the current salvo, another shot is fired.
    fn wrong_shot(&mut self, text: &str) {
        self.tell(&ClientEvent::Error(text));
        let is_about_a_shot = matches!(body::read_player_error(text), PlayerError::Other(_));
        if is_about_a_shot && self.retries > 0 && self.state.take_back() {
            self.retries -= 1;
            self.fire();
        }
    }

    /// Places a refused ship elsewhere. Its place may collide with a ship of an earlier connection.
    fn wrong_place(&mut self, ship: ShipKind, text: &str) {
        self.tell(&ClientEvent::Error(text));
        if self.moves == 0 || self.game_state != Some(GameState::Lobby) {
            return;
        }
        self.moves -= 1;
        let mut others = Fleet::default();
        for other in self.state.view.fleet.iter().filter(|other| other.ship != ship) {
            // A wrong place of another ship is reported at the topic of that ship.
            let _ = others.place(*other);
        }
        let drawn = (0..MAX_DRAWS).find_map(|_| {
            let drawn = random_fleet(&mut self.random).into_iter().find(|drawn| drawn.ship == ship)?;
            others.check(drawn).is_ok().then_some(drawn)
        });
        let Some(elsewhere) = drawn else { return };
        self.state.view.fleet.retain(|other| other.ship != ship);
        self.state.view.fleet.push(elsewhere);
        self.send_ship(elsewhere);
    }

    /// Fires the shots that are left, if the salvo is the team's own, until the strategy has no order.
    fn fire(&mut self) {
        while self.state.has_shots() {
            let order = self.strategy.order(&self.state.view, &self.state.names);
            let Some(Order::Fire { target, at }) = order else { return };
            let Some((_, name)) = self.state.names.iter().find(|(seat, _)| *seat == target) else { return };
            let cell = body::cell(at);
            let signature = self.cipher.seal(&cell, &self.team.secret);
            let value = serde_json::from_str(&cell).expect("a cell is JSON");
            self.send(&Topic::Fire { target: name }, body::signed(&Signed { body: value, signature }));
            self.state.fired(target, at);
        }
    }
}
