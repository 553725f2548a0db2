//! Servers and clients in threads, with strategies that know the places of all ships, so that games are short.

use rules::salvo::{Order, Orientation, Placement, ShipKind, Topics, View};
use rules::{BySeat, Outcome, Point, Seat};
use rumqttc::{Client, Event, MqttOptions, NetworkOptions, Packet, QoS, SubscribeReasonCode};
use salvo::client::{self, ClientError, MatchResult, Strategy, Team, play};
use salvo::{Absence, BrokerAddress, Network, Options, Server, ServerError, ServerEvent, Spectator, Stopper};
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tempfile::TempDir;

/// The most time that a test waits for an event.
pub(crate) const PATIENCE: Duration = Duration::from_secs(600);

/// An event of a server, as tests keep it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OwnedEvent {
    Lobby,
    Joined(String),
    Ready(String),
    Late(String),
    Ended,
    Begun { turns: u32, record: PathBuf },
    Over(Box<Outcome>, Vec<String>),
}

struct EventSender(Sender<OwnedEvent>);

impl Spectator for EventSender {
    fn hear(&mut self, event: &ServerEvent<'_>) {
        let told = match event {
            ServerEvent::Lobby { .. } => OwnedEvent::Lobby,
            ServerEvent::Joined(name) => OwnedEvent::Joined((*name).to_owned()),
            ServerEvent::Ready(name) => OwnedEvent::Ready((*name).to_owned()),
            ServerEvent::Removed { name, .. } => OwnedEvent::Late((*name).to_owned()),
            ServerEvent::Ended => OwnedEvent::Ended,
            ServerEvent::Begun { turns, record, .. } => {
                OwnedEvent::Begun { turns: *turns, record: record.to_path_buf() }
            }
            ServerEvent::Over { outcome, names } => {
                OwnedEvent::Over(Box::new((*outcome).clone()), names.iter().map(|(_, name)| name.clone()).collect())
            }
        };
        // The test may have ended.
        let _ = self.0.send(told);
    }
}

/// A server in a thread.
pub(crate) struct RunningServer {
    pub(crate) address: SocketAddr,
    stopper: Stopper,
    told: Receiver<OwnedEvent>,
    thread: Option<JoinHandle<Result<(), ServerError>>>,
    /// The folder of the server, if it was made for it.
    folder: Option<TempDir>,
}

impl RunningServer {
    /// A server for one match of two with a broker of its own, and the broker's address.
    pub(crate) fn for_two() -> (RunningServer, BrokerAddress) {
        let folder = tempfile::tempdir().unwrap();
        let mut server = RunningServer::start(options(&folder, 2));
        server.folder = Some(folder);
        let broker = broker(server.address);
        (server, broker)
    }

    /// The same by a Mosquitto that knows these `teams`; `None`, which skips the test, if none is installed.
    pub(crate) fn for_two_by_mosquitto(teams: &[&str]) -> Option<(Mosquitto, RunningServer)> {
        let mosquitto = Mosquitto::start(teams)?;
        let folder = tempfile::tempdir().unwrap();
        let mut server = RunningServer::through(options(&folder, 2), mosquitto.network());
        server.folder = Some(folder);
        Some((mosquitto, server))
    }

    pub(crate) fn start(options: Options) -> RunningServer {
        RunningServer::through(options, Network::Embedded("127.0.0.1:0".parse().unwrap()))
    }

    pub(crate) fn through(options: Options, network: Network) -> RunningServer {
        let mut server = Server::open(options, network).unwrap();
        let address = server.address().unwrap_or_else(|| "127.0.0.1:1".parse().unwrap());
        let stopper = server.stopper();
        let (ear, told) = channel();
        let thread = thread::spawn(move || server.run(&mut EventSender(ear)));
        RunningServer { address, stopper, told, thread: Some(thread), folder: None }
    }

    /// Waits for an event.
    pub(crate) fn wait_for(&self, what: impl Fn(&OwnedEvent) -> bool) -> OwnedEvent {
        loop {
            let told = self.told.recv_timeout(PATIENCE).expect("the server tells it in time");
            if what(&told) {
                return told;
            }
        }
    }

    pub(crate) fn stop(mut self) {
        self.stopper.stop();
        self.thread.take().unwrap().join().unwrap().unwrap();
    }

    /// Waits until the server has played all of its matches. It ends a second after the last one; [`RunningServer::stop`] is
    /// quicker.
    pub(crate) fn finish(mut self) {
        self.thread.take().unwrap().join().unwrap().unwrap();
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        self.stopper.stop();
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// A time limit that no test waits for. On a busy machine, the derivation of a key alone has taken a minute, and a team that is late for
/// that reason would be removed, or lose its salvo, again and again.
pub(crate) const LONG: Duration = Duration::from_secs(3600);

/// The options of a server for one match of so many teams.
pub(crate) fn options(folder: &TempDir, players: u8) -> Options {
    Options {
        folder: folder.path().join("salvo"),
        prefix: None,
        place: LONG,
        turn: LONG,
        absence: Absence::default(),
        teams_per_address: 16,
        join_code: None,
        lobby_after: Duration::from_secs(1),
        players: Some(players),
        matches: Some(1),
        seed: Some(7),
        settings: rules::salvo::Settings::default(),
    }
}

pub(crate) fn broker(address: SocketAddr) -> BrokerAddress {
    BrokerAddress { host: address.ip().to_string(), port: address.port(), login: None }
}

pub(crate) fn team(name: &str, broker: BrokerAddress) -> Team {
    Team { name: name.to_owned(), secret: secret(name), join_code: None, broker, topics: Topics::default() }
}

/// The ships of all strategies: one below the other, at the left edge.
pub(crate) fn fleet() -> Vec<Placement> {
    let place = |(y, ship)| Placement { ship, at: Point::new(0, y), orientation: Orientation::Horizontal };
    (0..).zip(ShipKind::ALL).map(place).collect()
}

/// The cells of all ships.
pub(crate) fn cells() -> impl Iterator<Item = Point> {
    fleet().into_iter().flat_map(|ship| ship.cells().flatten().collect::<Vec<_>>())
}

/// Fires at the next player after its own seat who is still in the game, at the cells of the ships one after the other.
/// The cell with the fewest shots comes first, which repeats shots that were lost.
#[derive(Default)]
pub(crate) struct KnowingStrategy {
    fired: HashMap<(Seat, Point), u32>,
    has_placed: bool,
    pub(crate) hits: u32,
    pub(crate) errors: Vec<String>,
}

impl Strategy for KnowingStrategy {
    fn order(&mut self, view: &View, _: &BySeat<String>) -> Option<Order> {
        if view.salvo.is_none() {
            assert!(!std::mem::replace(&mut self.has_placed, true), "a fleet is decided once");
            return Some(Order::Place(fleet()));
        }
        let seats: Vec<Seat> = view.players.seats().collect();
        let mut after = seats.iter().cycle().skip(view.seat.index() + 1).copied();
        let target = after.find(|seat| view.players[*seat].is_in).unwrap();
        let at = cells().min_by_key(|at| self.fired.get(&(target, *at))).unwrap();
        *self.fired.entry((target, at)).or_default() += 1;
        Some(Order::Fire { target, at })
    }

    fn hear(&mut self, event: &client::ClientEvent<'_>, _: &View, _: &BySeat<String>) {
        match event {
            client::ClientEvent::Hits { hits, .. } => self.hits += hits,
            client::ClientEvent::Error(error) => self.errors.push((*error).to_owned()),
            _ => {}
        }
    }
}

/// A client in a thread.
pub(crate) struct RunningClient(JoinHandle<(Result<MatchResult, ClientError>, KnowingStrategy)>);

impl RunningClient {
    pub(crate) fn start(team: Team) -> RunningClient {
        RunningClient(thread::spawn(move || {
            let mut strategy = KnowingStrategy::default();
            (play(&team, &mut strategy, None), strategy)
        }))
    }

    pub(crate) fn ended(self) -> (Result<MatchResult, ClientError>, KnowingStrategy) {
        self.0.join().unwrap()
    }
}

/// Waits for the next match, and gives the path of its record.
pub(crate) fn record(server: &RunningServer) -> PathBuf {
    match server.wait_for(|told| matches!(told, OwnedEvent::Begun { .. })) {
        OwnedEvent::Begun { record, .. } => record,
        other => panic!("{other:?}"),
    }
}

/// Verifies the record, and gives its outcome.
pub(crate) fn verified(record: &Path) -> Outcome {
    let opened = match_folder::open(record).unwrap();
    match_folder::verify(&opened).unwrap().outcome.unwrap()
}

/// A running Mosquitto with the printed access list and a user for each team.
pub(crate) struct Mosquitto {
    child: Child,
    pub(crate) port: u16,
    _folder: TempDir,
}

impl Mosquitto {
    /// Starts a Mosquitto; `None`, which skips the test, if none is installed.
    pub(crate) fn start(teams: &[&str]) -> Option<Mosquitto> {
        test_tools::required("mosquitto")?;
        let passwords = test_tools::required("mosquitto_passwd")?;
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("acl"), salvo::access_list(&Topics::default(), SERVER)).unwrap();
        fs::write(path("passwords"), "").unwrap();
        let users = teams.iter().map(|team| (*team, secret(team))).chain([(SERVER, secret(SERVER))]);
        for (user, password) in users {
            let made = Command::new(&passwords).arg("-b").arg(path("passwords")).args([user, &password]).output();
            assert!(made.unwrap().status.success());
        }
        let [acl, passwords] = ["acl", "passwords"].map(|name| path(name).display().to_string());
        Some(Mosquitto::open(folder, &format!("acl_file {acl}\npassword_file {passwords}\nuser root\n")))
    }

    /// Starts a Mosquitto with these lines in its configuration, besides the necessary ones.
    pub(crate) fn open(folder: TempDir, config: &str) -> Mosquitto {
        // The port is free now. If another program takes it first, the test fails.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let path = folder.path().join("mosquitto.conf");
        fs::write(&path, format!("listener {port} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\n{config}"))
            .unwrap();
        Mosquitto { child: Mosquitto::run(&path), port, _folder: folder }
    }

    fn run(config: &Path) -> Child {
        let mut child = Command::new("mosquitto").arg("-c").arg(config).stderr(Stdio::piped()).spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap()).lines();
        assert!(log.any(|line| line.unwrap().contains(" running")), "Mosquitto tells that it runs");
        // Mosquitto would block if nobody read its log.
        thread::spawn(move || log.for_each(drop));
        child
    }

    /// Kills the broker and starts a new one, which has forgotten everything.
    pub(crate) fn kill_and_start(&mut self) {
        self.kill();
        self.child = Mosquitto::run(&self._folder.path().join("mosquitto.conf"));
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// The address of the broker for a team.
    pub(crate) fn broker(&self) -> BrokerAddress {
        BrokerAddress { host: "127.0.0.1".to_owned(), port: self.port, login: None }
    }

    /// The address of the broker for the server.
    pub(crate) fn as_server(&self) -> BrokerAddress {
        BrokerAddress { login: Some((SERVER.to_owned(), secret(SERVER))), ..self.broker() }
    }

    pub(crate) fn network(&self) -> Network {
        Network::External(self.as_server())
    }
}

impl Drop for Mosquitto {
    fn drop(&mut self) {
        self.kill();
    }
}

const SERVER: &str = "the server";

pub(crate) fn secret(team: &str) -> String {
    format!("secret of {team}")
}

/// A client at the broker without a part in the game: it keeps all messages, and can send anything.
pub(crate) struct RawClient {
    pub(crate) client: Client,
    heard: Receiver<Traffic>,
    /// The messages that arrived while the test waited for something else.
    aside: RefCell<VecDeque<(String, String)>>,
}

/// An event of the connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Traffic {
    Connected,
    Subscribed(bool),
    Message(String, String),
    Gone(String),
}

impl RawClient {
    pub(crate) fn come(identifier: &str, broker: &BrokerAddress, change: impl FnOnce(&mut MqttOptions)) -> RawClient {
        let mut options = MqttOptions::new(identifier, &broker.host, broker.port);
        options.set_max_packet_size(1 << 20, 1 << 20);
        if let Some((user, password)) = &broker.login {
            options.set_credentials(user, password);
        }
        change(&mut options);
        let (client, mut connection) = Client::new(options, 10_000);
        let mut network = NetworkOptions::new();
        network.set_tcp_nodelay(true);
        connection.eventloop.set_network_options(network);
        let (tell, heard) = channel();
        thread::spawn(move || {
            for event in connection.iter() {
                let heard = match event {
                    Ok(Event::Incoming(Packet::ConnAck(_))) => Traffic::Connected,
                    Ok(Event::Incoming(Packet::SubAck(ack))) => Traffic::Subscribed(
                        ack.return_codes.iter().all(|code| matches!(code, SubscribeReasonCode::Success(_))),
                    ),
                    Ok(Event::Incoming(Packet::Publish(message))) => {
                        Traffic::Message(message.topic, String::from_utf8_lossy(&message.payload).into_owned())
                    }
                    Ok(_) => continue,
                    Err(error) => Traffic::Gone(error.to_string()),
                };
                let gone = matches!(heard, Traffic::Gone(_));
                if tell.send(heard).is_err() || gone {
                    break;
                }
            }
        });
        RawClient { client, heard, aside: RefCell::default() }
    }

    pub(crate) fn next(&self) -> Traffic {
        self.heard.recv_timeout(PATIENCE).expect("something is heard in time")
    }

    /// Closes the connection.
    pub(crate) fn leaves(self) {
        self.client.disconnect().unwrap();
        while !matches!(self.next(), Traffic::Gone(_)) {}
    }

    /// Subscribes; true if the broker grants it.
    pub(crate) fn subscribes(&self, filter: &str) -> bool {
        self.client.subscribe(filter, QoS::ExactlyOnce).unwrap();
        loop {
            match self.next() {
                Traffic::Subscribed(right) => return right,
                Traffic::Message(topic, text) => self.aside.borrow_mut().push_back((topic, text)),
                Traffic::Connected => {}
                Traffic::Gone(error) => panic!("{error}"),
            }
        }
    }

    pub(crate) fn says(&self, topic: &str, text: impl Into<Vec<u8>>) {
        self.client.publish(topic, QoS::ExactlyOnce, false, text).unwrap();
    }

    /// Waits for a message, and gives all messages up to it.
    pub(crate) fn hears_until(&self, what: impl Fn(&str, &str) -> bool) -> Vec<(String, String)> {
        let mut all = Vec::new();
        loop {
            let aside = self.aside.borrow_mut().pop_front();
            match aside.map_or_else(|| self.next(), |(topic, text)| Traffic::Message(topic, text)) {
                Traffic::Message(topic, text) => {
                    let found = what(&topic, &text);
                    all.push((topic, text));
                    if found {
                        return all;
                    }
                }
                Traffic::Gone(error) => panic!("{error}; heard {all:?}"),
                Traffic::Connected | Traffic::Subscribed(_) => {}
            }
        }
    }
}
