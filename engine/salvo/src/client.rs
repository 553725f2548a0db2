//! A client of Salvo: it takes part for one team, keeps together what the team may know, and asks a [`Captain`] what to do.

use crate::cipher::Cipher;
use crate::outside::Broker;
use log::{debug, warn};
use rules::salvo::body::{GameState, Refused, Request, Signed};
use rules::salvo::{
    Found, Known, Order, OwnSalvo, OwnShot, Placement, Received, SalvoResult, ShipKind, ShipTopic, Topic, Topics,
    UnderFire, View, body,
};
use rules::{BySeat, Point, Seat};
use rumqttc::{Connection, ConnectionError, Event, MqttOptions, NetworkOptions, Packet, QoS};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

/// How many messages may wait to be sent.
const UNSENT: usize = 100;
/// How long to wait before the next attempt to connect.
const AGAIN: Duration = Duration::from_secs(1);
/// How often a connection may fail in a row.
const ATTEMPTS: u32 = 60;

/// How many mistakes of a captain are made good in a salvo, or with a fleet.
const PATIENCE: u8 = 5;

/// Decides for a team.
pub trait Captain {
    /// What to do: place the fleet if [`View::salvo`] is `None`, else fire the next shot of the salvo.
    fn order(&mut self, view: &View, names: &BySeat<String>) -> Order;

    /// Something was told.
    fn hear(&mut self, _news: &Heard<'_>) {}
}

/// What a client is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard<'a> {
    /// What the game is doing now.
    State(&'a str),
    /// Who takes part.
    Players(&'a BySeat<String>),
    /// Somebody's salvo begins.
    Turn(&'a str),
    /// A salvo is over; it hit so often.
    Hits(u32),
    /// A shot fell on the team's own board.
    Hit(Point),
    /// A ship was sunk.
    Sunk(&'a str, ShipKind),
    /// A player has no ships left.
    Defeated(&'a str),
    /// The server says what was wrong.
    Error(&'a str),
}

/// How a match ended for a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Who won; `None` if nobody did.
    pub winner: Option<String>,
}

/// Why a client cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The broker cannot be reached, or will not have the client.
    #[error("{broker}: {what}")]
    Broker {
        /// Where it is.
        broker: String,
        /// What was said.
        what: String,
    },
    /// The server will not have the team.
    #[error("the server refuses {name:?}: {what}")]
    Refused {
        /// The team.
        name: String,
        /// Why.
        what: String,
    },
}

/// Who takes part, and where.
#[derive(Debug, Clone)]
pub struct Team {
    /// The name of the team.
    pub name: String,
    /// What its messages are encrypted and signed with.
    pub secret: String,
    /// Where the broker is. Without a login, name and secret are it: so the broker knows who may read what.
    pub broker: Broker,
    /// What all topics are below of.
    pub topics: Topics,
}

/// Plays one match.
pub fn play(team: &Team, captain: &mut dyn Captain) -> Result<Ended, ClientError> {
    let mut fresh = [0; 8];
    let random = getrandom::fill(&mut fresh);
    random.map_err(|e| ClientError::Broker { broker: team.broker.to_string(), what: e.to_string() })?;
    let identifier = format!("salvo-{:016x}", u64::from_be_bytes(fresh));
    let mut options = MqttOptions::new(identifier, &team.broker.host, team.broker.port);
    options.set_keep_alive(Duration::from_secs(10));
    let login = team.broker.login.clone().unwrap_or_else(|| (team.name.clone(), team.secret.clone()));
    options.set_credentials(login.0, login.1);
    let (client, mut connection) = rumqttc::Client::new(options, UNSENT);
    let mut network = NetworkOptions::new();
    network.set_tcp_nodelay(true);
    connection.eventloop.set_network_options(network);
    let (tell, heard) = channel();
    // On a thread of its own, so that the broker gets its signs of life while a person thinks.
    let reader = thread::Builder::new().name("broker".to_owned()).spawn(move || listen(connection, &tell));
    let reader = reader.map_err(|e| ClientError::Broker { broker: team.broker.to_string(), what: e.to_string() })?;
    let cipher = Cipher::new();
    let table = Table::new(&team.name);
    let mut helm = Helm { team, captain, client, cipher, table, state: None, winner: None, patience: PATIENCE };
    let ended = helm.run(&heard);
    // The broker is told, and what was sent before arrives.
    drop(heard);
    let _ = helm.client.try_disconnect();
    let _ = reader.join();
    ended
}

/// What comes from the broker.
enum Incoming {
    Connected,
    Message { topic: String, text: String },
    Lost { what: String, refused: bool },
}

/// Passes on what comes from the broker, until nobody hears it and the connection ends.
fn listen(mut connection: Connection, tell: &Sender<Incoming>) {
    let mut failed = 0;
    let mut heard = true;
    for event in connection.iter() {
        let incoming = match event {
            Ok(Event::Incoming(Packet::ConnAck(_))) => {
                failed = 0;
                Incoming::Connected
            }
            Ok(Event::Incoming(Packet::Publish(message))) => {
                let text = String::from_utf8_lossy(&message.payload).into_owned();
                Incoming::Message { topic: message.topic, text }
            }
            Ok(_) => continue,
            Err(_) if !heard => break,
            Err(error) => {
                failed += 1;
                let refused = matches!(&error, ConnectionError::ConnectionRefused(_)) || failed >= ATTEMPTS;
                Incoming::Lost { what: error.to_string(), refused }
            }
        };
        let lost = match incoming {
            Incoming::Lost { refused, .. } => Some(refused),
            _ => None,
        };
        heard = heard && tell.send(incoming).is_ok();
        match lost {
            Some(true) => break,
            Some(false) if heard => thread::sleep(AGAIN),
            Some(false) => break,
            None => {}
        }
    }
}

/// Steers a team through a match.
struct Helm<'a> {
    team: &'a Team,
    captain: &'a mut dyn Captain,
    client: rumqttc::Client,
    cipher: Cipher,
    table: Table,
    state: Option<GameState>,
    winner: Option<String>,
    /// How many more mistakes are made good in this salvo, or with this fleet.
    patience: u8,
}

impl Helm<'_> {
    fn run(&mut self, heard: &Receiver<Incoming>) -> Result<Ended, ClientError> {
        let mut last = "the connection is closed".to_owned();
        for incoming in heard {
            match incoming {
                Incoming::Connected => self.subscribe(),
                Incoming::Message { topic, text } => {
                    if let Some(ended) = self.hear(&topic, &text)? {
                        return Ok(ended);
                    }
                }
                Incoming::Lost { what, refused: true } => last = what,
                Incoming::Lost { what, .. } => warn!("no connection to {}: {what}", self.team.broker),
            }
        }
        Err(ClientError::Broker { broker: self.team.broker.to_string(), what: last })
    }

    fn subscribe(&self) {
        let player = self.team.name.as_str();
        let of_ships = |what: &str| format!("/players/{player}/ships/+/{what}");
        let own = [format!("/players/{player}/hit"), format!("/players/{player}/error"), of_ships("error")];
        let public = ["/game/current", "/game/hits", "/game/winner", "/game/refused", "/players/list"];
        let news = ["/players/+/ships/+/sunk", "/players/+/defeated", &of_ships("approved")];
        // The state comes last: by then everything else that was kept is known.
        let paths = own.iter().map(String::as_str).chain(news).chain(public).chain(["/game/state"]);
        for path in paths {
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
    fn hear(&mut self, topic: &str, text: &str) -> Result<Option<Ended>, ClientError> {
        debug!("{topic} {text}");
        let Some(topic) = self.team.topics.parse(topic) else { return Ok(None) };
        // What was kept of an earlier game is taken back by an empty message.
        if text.is_empty() {
            return Ok(None);
        }
        match topic {
            Topic::State => return self.state(text),
            Topic::List => self.players(text),
            Topic::Current => self.turn(text),
            Topic::Hits => {
                let hits = text.trim().parse().unwrap_or_default();
                self.table.hits(hits);
                self.captain.hear(&Heard::Hits(hits));
            }
            Topic::Winner => self.winner = Some(text.to_owned()),
            Topic::Refused => self.refused(text)?,
            Topic::Hit { .. } => {
                if let Ok(at) = body::read_shot(text.as_bytes()) {
                    self.table.received(at);
                    self.captain.hear(&Heard::Hit(at));
                }
            }
            Topic::Ship { player, ship, what: ShipTopic::Sunk } if self.table.sunk(player, ship) => {
                self.captain.hear(&Heard::Sunk(player, ship));
            }
            Topic::Defeated { player } if self.table.defeated(player) => {
                self.captain.hear(&Heard::Defeated(player));
            }
            Topic::Error { .. } => self.wrong_shot(text),
            Topic::Ship { what: ShipTopic::Error, .. } => self.wrong_place(text),
            _ => {}
        }
        Ok(None)
    }

    fn state(&mut self, text: &str) -> Result<Option<Ended>, ClientError> {
        let named = [GameState::Lobby, GameState::Turn, GameState::Over];
        let state = named.into_iter().find(|state| state.name() == text);
        self.captain.hear(&Heard::State(text));
        match (self.state, state) {
            (_, Some(GameState::Lobby)) => {
                let Team { name, secret, .. } = self.team;
                let request = Request { name: name.clone(), secret: secret.clone() };
                self.send(&Topic::Request, body::request(&request));
            }
            // Only who has seen the match may say how it ended.
            (Some(_), Some(GameState::Over)) => return Ok(Some(Ended { winner: self.winner.clone() })),
            _ => {}
        }
        self.state = state.or(self.state);
        Ok(None)
    }

    fn players(&mut self, text: &str) {
        let Ok(names) = serde_json::from_str::<Vec<String>>(text) else { return };
        if names.len() > usize::from(Seat::MAX) || !self.table.players(names) {
            return;
        }
        self.captain.hear(&Heard::Players(&self.table.names));
        if self.state == Some(GameState::Lobby) && self.table.takes_part && self.table.view.fleet.is_empty() {
            self.place();
        }
    }

    fn place(&mut self) {
        let Order::Place(fleet) = self.captain.order(&self.table.view, &self.table.names) else { return };
        for ship in &fleet {
            let sealed = self.cipher.seal(&body::placement(*ship), &self.team.secret);
            self.send(&Topic::Ship { player: &self.team.name, ship: ship.ship, what: ShipTopic::Place }, sealed);
        }
        self.table.placed(fleet);
    }

    fn refused(&self, text: &str) -> Result<(), ClientError> {
        let Ok(Refused { name, error }) = body::read_refused(text.as_bytes()) else { return Ok(()) };
        if name == self.team.name && self.state == Some(GameState::Lobby) && !self.table.takes_part {
            return Err(ClientError::Refused { name, what: error });
        }
        Ok(())
    }

    fn turn(&mut self, name: &str) {
        self.captain.hear(&Heard::Turn(name));
        self.patience = PATIENCE;
        self.table.turn(name);
        self.fire();
    }

    /// A shot of the salvo was dropped, if it is still ours: there is one more to be fired.
    fn wrong_shot(&mut self, text: &str) {
        self.captain.hear(&Heard::Error(text));
        if self.patience > 0 && self.table.take_back() {
            self.patience -= 1;
            self.fire();
        }
    }

    fn wrong_place(&mut self, text: &str) {
        self.captain.hear(&Heard::Error(text));
        if self.patience > 0 && self.state == Some(GameState::Lobby) {
            self.patience -= 1;
            self.place();
        }
    }

    /// Fires what is left of the salvo, if it is ours.
    fn fire(&mut self) {
        while self.table.has_shots() {
            let order = self.captain.order(&self.table.view, &self.table.names);
            let Order::Fire { target, at } = order else { return };
            let Some((_, name)) = self.table.names.iter().find(|(seat, _)| *seat == target) else { return };
            let cell = body::cell(at);
            let signature = self.cipher.seal(&cell, &self.team.secret);
            let value = serde_json::from_str(&cell).expect("a cell is JSON");
            self.send(&Topic::Fire { target: name }, body::signed(&Signed { body: value, signature }));
            self.table.fired(target, at);
        }
    }
}

/// What a team may know, put together of what it was told.
#[derive(Debug)]
struct Table {
    /// The team's name.
    name: String,
    /// Whether it takes part.
    takes_part: bool,
    /// All players. The seats are those of the list, not those of the server.
    names: BySeat<String>,
    view: View,
}

impl Table {
    fn new(name: &str) -> Table {
        let view = View {
            seat: Seat::A,
            turn: 0,
            round: 0,
            salvo: None,
            last: None,
            players: Vec::new().into_iter().collect(),
            fleet: Vec::new(),
            received: Vec::new(),
            own_salvos: Vec::new(),
            own_shots: Vec::new(),
        };
        Table { name: name.to_owned(), takes_part: false, names: BySeat::default(), view }
    }

    fn seat(&self, name: &str) -> Option<Seat> {
        self.names.iter().find(|(_, known)| *known == name).map(|(seat, _)| seat)
    }

    /// Who takes part; false if that was known.
    fn players(&mut self, names: Vec<String>) -> bool {
        let names: BySeat<String> = names.into_iter().collect();
        if names == self.names {
            return false;
        }
        let fresh = || Known { is_in: true, afloat: ShipKind::ALL.to_vec() };
        let known = |name: &String| self.seat(name).map_or_else(fresh, |seat| self.view.players[seat].clone());
        self.view.players = names.map(known);
        self.names = names;
        self.takes_part = self.seat(&self.name).is_some();
        self.view.seat = self.seat(&self.name).unwrap_or(Seat::A);
        true
    }

    fn placed(&mut self, fleet: Vec<Placement>) {
        self.view.fleet = fleet;
    }

    /// A salvo begins.
    fn turn(&mut self, name: &str) {
        let shots = std::mem::take(&mut self.view.own_shots);
        if !shots.is_empty() {
            // Its result was missed.
            self.view.own_salvos.push(OwnSalvo { shots, hits: 0 });
        }
        self.view.turn += 1;
        self.view.salvo = self.seat(name).map(|seat| {
            let shots = self.view.players[seat].afloat.len() as u8;
            UnderFire { seat, shots, left: shots }
        });
    }

    fn is_ours(&self) -> bool {
        self.takes_part && self.view.salvo.is_some_and(|salvo| salvo.seat == self.view.seat)
    }

    fn has_shots(&self) -> bool {
        self.is_ours() && self.view.salvo.is_some_and(|salvo| salvo.left > 0)
    }

    fn fired(&mut self, target: Seat, at: Point) {
        self.view.own_shots.push(OwnShot { target, at, sank: None });
        self.view.turn += 1;
        if let Some(salvo) = &mut self.view.salvo {
            salvo.left -= 1;
        }
    }

    /// The last shot was none; false if there is nothing to take back.
    fn take_back(&mut self) -> bool {
        let taken = self.is_ours() && self.view.own_shots.pop().is_some();
        if let (true, Some(salvo)) = (taken, &mut self.view.salvo) {
            salvo.left += 1;
        }
        taken
    }

    /// The salvo is over.
    fn hits(&mut self, hits: u32) {
        let hits = hits.min(u32::from(u8::MAX)) as u8;
        let Some(salvo) = self.view.salvo.take() else { return };
        self.view.last = Some(SalvoResult { seat: salvo.seat, shots: salvo.shots, hits });
        if self.takes_part && salvo.seat == self.view.seat {
            let shots = std::mem::take(&mut self.view.own_shots);
            self.view.own_salvos.push(OwnSalvo { shots, hits });
        }
    }

    /// A shot fell on the team's board.
    fn received(&mut self, at: Point) {
        let Some(by) = self.view.salvo.map(|salvo| salvo.seat) else { return };
        let ship = self.view.fleet.iter().find(|ship| ship.covers(at));
        let found = match ship {
            None => Found::Water,
            Some(_) if self.view.received.iter().any(|shot| shot.at == at) => Found::Again,
            Some(_) => Found::Hit,
        };
        self.view.received.push(Received { by, at, found });
    }

    /// A ship was sunk; false if that was known.
    fn sunk(&mut self, player: &str, ship: ShipKind) -> bool {
        let Some(seat) = self.seat(player) else { return false };
        let afloat = &mut self.view.players[seat].afloat;
        let before = afloat.len();
        afloat.retain(|kind| *kind != ship);
        afloat.len() < before
    }

    /// A player is out; false if that was known.
    fn defeated(&mut self, player: &str) -> bool {
        let Some(seat) = self.seat(player) else { return false };
        std::mem::replace(&mut self.view.players[seat].is_in, false)
    }
}
