//! The server: lobby, match, a while to look at the result, and the lobby again.

use crate::ServerError;
use crate::broker::Broker;
use crate::cipher::Cipher;
use crate::embedded::EmbeddedBroker;
use crate::external::{BrokerAddress, ExternalBroker};
use crate::inbox::{Inbox, IncomingMessage, NextMessage};
use crate::journal::Journal;
use crate::lobby::{Lobby, LobbyChange};
use crate::publisher::{MatchPublisher, Publisher};
use crate::record_writer::MatchRecordWriter;
use crate::remote_player::{MatchContext, RemotePlayer};
use crate::spectator::{ServerEvent, Spectator, SpectatorObserver};
use crate::teams::Teams;
use arena::record::{self, Header, MATCH_JSONL, Record, RecordedSeat};
use arena::{ArenaError, Limits, Observers, Player, Players, Sequence};
use rules::salvo::body::GameState;
use rules::salvo::{Messages, Salvo, Settings, Topics};
use rules::{BySeat, Game, GameKind, Outcome};
use std::fs::DirBuilder;
use std::net::SocketAddr;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How a server is to be run.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where its journal and its records are.
    pub folder: PathBuf,
    /// What all topics are below of; `None` for those of the published text.
    pub prefix: Option<String>,
    /// How long teams have for their ships, counted from when the last one came.
    pub place: Duration,
    /// How long a salvo may take.
    pub turn: Duration,
    /// How long a result stands before the lobby opens again.
    pub lobby_after: Duration,
    /// Begin as soon as so many teams have placed their ships.
    pub players: Option<u8>,
    /// End after so many matches.
    pub matches: Option<u32>,
    /// What the randomness of the first match is derived from; `None` for a new one.
    pub seed: Option<u64>,
    /// What is agreed before a match.
    pub settings: Settings,
}

/// How clients and server reach each other.
#[derive(Debug, Clone)]
pub enum Network {
    /// By a broker of our own at this address.
    Embedded(SocketAddr),
    /// By somebody else's.
    External(BrokerAddress),
}

/// Ends a server from another thread.
#[derive(Debug, Clone)]
pub struct Stopper(Arc<Inbox>);

impl Stopper {
    /// Nothing more is done. A match goes on when the server is started again.
    pub fn stop(&self) {
        self.0.close();
    }
}

/// A server at work.
pub struct Server {
    options: Options,
    inbox: Arc<Inbox>,
    teams: Teams,
    publisher: Arc<Publisher>,
    journal: Journal,
    lobby: Lobby,
    /// The match that is to go on.
    unfinished: Option<PathBuf>,
    address: Option<SocketAddr>,
    played: u32,
}

/// How long clients have to read the result of the last match.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// What became of a phase.
#[derive(Debug, PartialEq, Eq)]
enum PhaseEnd {
    Over,
    Stopped,
}

impl Server {
    /// Opens the folder, and listens for clients.
    pub fn open(options: Options, network: Network) -> Result<Server, ServerError> {
        let topics = options.prefix.as_deref().map_or(Ok(Topics::default()), Topics::below)?;
        Salvo::start(&options.settings, 2, 0)?;
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&options.folder);
        made.map_err(|e| ArenaError::disk("make the folder", &options.folder, e))?;
        let (journal, found) = Journal::open(&options.folder)?;
        let teams = Teams::default();
        for entry in found.lobby.entries() {
            // They are from a journal of this server's, where all names are different.
            let _ = teams.join(&entry.team);
        }
        let inbox = Arc::new(Inbox::default());
        let (carrier, address): (Box<dyn Broker>, _) = match network {
            Network::Embedded(address) => {
                let failed = |source| ServerError::Listen { address, source };
                let embedded = EmbeddedBroker::start(address, topics.clone(), teams.clone(), Arc::clone(&inbox));
                let embedded = embedded.map_err(failed)?;
                let address = embedded.address();
                (Box::new(embedded), Some(address))
            }
            Network::External(broker) => {
                let failed = |source| ServerError::Broker { broker: broker.to_string(), source };
                let outside = ExternalBroker::connect(&broker, topics.clone(), Arc::clone(&inbox)).map_err(failed)?;
                (Box::new(outside), None)
            }
        };
        let publisher = Arc::new(Publisher::new(topics, carrier));
        let unfinished = found.record.map(|record| options.folder.join(record));
        Ok(Server { options, inbox, teams, publisher, journal, lobby: found.lobby, unfinished, address, played: 0 })
    }

    /// Where its own broker listens.
    pub fn address(&self) -> Option<SocketAddr> {
        self.address
    }

    /// Something that ends it.
    pub fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.inbox))
    }

    /// Keeps matches going until it is stopped, or so many were played as the options say.
    pub fn run(&mut self, spectator: &mut dyn Spectator) -> Result<(), ServerError> {
        while self.options.matches.is_none_or(|matches| self.played < matches) {
            let phase = match self.unfinished.take() {
                Some(record) => self.go_on(&record, spectator)?,
                None => match self.gather(spectator)? {
                    PhaseEnd::Over => self.begin(spectator)?,
                    PhaseEnd::Stopped => PhaseEnd::Stopped,
                },
            };
            if phase == PhaseEnd::Stopped || self.rest()? == PhaseEnd::Stopped {
                break;
            }
            self.played += 1;
        }
        Ok(())
    }

    /// The lobby, until a match can begin.
    fn gather(&mut self, spectator: &mut dyn Spectator) -> Result<PhaseEnd, ServerError> {
        self.publisher.state(GameState::Lobby);
        self.publisher.teams(self.lobby.names());
        let present = self.lobby.names().count();
        spectator.hear(&ServerEvent::Lobby { teams: present });
        spectator.wait(&self.lobby.waiting());
        let mut cipher = Cipher::new();
        let mut until = (present > 0).then(|| Instant::now() + self.options.place);
        loop {
            let enough = self.options.players.map_or(usize::from(*Salvo::SEATS.end()), usize::from);
            if self.lobby.ready() >= enough.max(2) {
                self.send_out_the_late(spectator, "the match begins without you: not all of your ships were placed")?;
                return Ok(PhaseEnd::Over);
            }
            match self.inbox.take(None, until) {
                NextMessage::Message(message) => {
                    if let Some(LobbyChange::Joined(_)) = self.receive(&message, &mut cipher, spectator)? {
                        until = Some(Instant::now() + self.options.place);
                    }
                }
                NextMessage::TimeUp => {
                    self.send_out_the_late(spectator, "not all ships were placed in time; ask again to take part")?;
                    if self.lobby.ready() >= 2 {
                        return Ok(PhaseEnd::Over);
                    }
                    // One alone waits for the next to come.
                    until = None;
                }
                NextMessage::Closed => return Ok(PhaseEnd::Stopped),
            }
        }
    }

    /// Takes in a message of the lobby. Its change is in the journal before anybody is told.
    fn receive(
        &mut self,
        message: &IncomingMessage,
        cipher: &mut Cipher,
        spectator: &mut dyn Spectator,
    ) -> Result<Option<LobbyChange>, ServerError> {
        let change = self.lobby.read(message, &self.teams, &self.publisher, cipher);
        let Some(change) = change else { return Ok(None) };
        self.journal.changed(&change)?;
        let ready = self.lobby.ready();
        self.lobby.change(&change);
        match &change {
            LobbyChange::Joined(team) => {
                self.publisher.teams(self.lobby.names());
                spectator.hear(&ServerEvent::Joined { name: &team.name });
            }
            LobbyChange::Placed { name, ship } => {
                self.publisher.placed(name, ship.ship, Ok(()));
                if self.lobby.ready() > ready {
                    spectator.hear(&ServerEvent::Ready { name });
                }
            }
        }
        spectator.wait(&self.lobby.waiting());
        Ok(Some(change))
    }

    fn send_out_the_late(&mut self, spectator: &mut dyn Spectator, why: &str) -> Result<(), ServerError> {
        let late = self.lobby.remove_unready();
        if late.is_empty() {
            return Ok(());
        }
        self.journal.late()?;
        for name in &late {
            self.publisher.complain(name, &why);
            self.teams.part(name);
            spectator.hear(&ServerEvent::Late { name });
        }
        self.publisher.teams(self.lobby.names());
        spectator.wait(&self.lobby.waiting());
        Ok(())
    }

    /// Who plays, in the order in which they were ready: that is the order of their seats.
    fn names(&self) -> BySeat<String> {
        self.lobby.fleets().map(|entry| entry.team.name.clone()).collect()
    }

    /// Begins a match of all who are ready, and plays it.
    fn begin(&mut self, spectator: &mut dyn Spectator) -> Result<PhaseEnd, ServerError> {
        let names = self.names();
        let seed = match self.options.seed {
            Some(seed) => seed.wrapping_add(u64::from(self.played)),
            None => fresh_seed()?,
        };
        let header = self.header(&names, seed);
        let folder = fresh_folder(&self.options.folder)?;
        let path = self.options.folder.join(&folder).join(MATCH_JSONL);
        let mut record_writer = MatchRecordWriter::begin(&path, &header)?;
        self.journal.begun(&folder.join(MATCH_JSONL))?;
        let game = Salvo::start(&self.options.settings, names.len() as u8, seed)?;
        spectator.hear(&ServerEvent::Begun { record: &path, turns: 0, names: &names });
        let mut players = self.remote_players(&names);
        let mut match_publisher = MatchPublisher::new(&self.publisher, &names, 0);
        spectator.begin(&header, &game)?;
        let mut observer = SpectatorObserver(&mut *spectator);
        let mut observers = Observers::new();
        observers.add(&mut record_writer);
        observers.add(&mut match_publisher);
        observers.add(&mut observer);
        let played = arena::play(game, &mut players, Sequence::InTurn, &mut observers);
        self.ended(played, &names, spectator)
    }

    /// Goes on with a match in whose middle the server was stopped.
    fn go_on(&mut self, path: &Path, spectator: &mut dyn Spectator) -> Result<PhaseEnd, ServerError> {
        let names = self.names();
        self.publisher.teams(self.lobby.names());
        let record = Arc::new(Record::read(path)?);
        let known = record.len() as u32;
        let mut record_writer = match record.end() {
            Some(_) => None,
            None => Some(MatchRecordWriter::go_on(path, record.header(), known)),
        };
        spectator.hear(&ServerEvent::Begun { record: path, turns: known, names: &names });
        let mut match_publisher = MatchPublisher::new(&self.publisher, &names, known);
        spectator.begin(record.header(), &record::first(&record)?)?;
        let mut observer = SpectatorObserver(&mut *spectator);
        let mut observers = Observers::new();
        if let Some(record_writer) = &mut record_writer {
            observers.add(record_writer);
        }
        observers.add(&mut match_publisher);
        observers.add(&mut observer);
        let dialect = Messages::by_letters(names.len() as u8);
        let played = record::go_on(&record, &dialect, self.remote_players(&names), &mut observers);
        self.ended(played, &names, spectator)
    }

    fn ended(
        &self,
        played: Result<Outcome, ArenaError>,
        names: &BySeat<String>,
        spectator: &mut dyn Spectator,
    ) -> Result<PhaseEnd, ServerError> {
        match played {
            Ok(outcome) => {
                spectator.hear(&ServerEvent::Over { outcome: &outcome, names });
                Ok(PhaseEnd::Over)
            }
            Err(ArenaError::Interrupted) => Ok(PhaseEnd::Stopped),
            Err(error) => Err(error.into()),
        }
    }

    /// A result stands for a while; then all has to begin anew.
    fn rest(&mut self) -> Result<PhaseEnd, ServerError> {
        self.journal.over()?;
        let is_last = self.options.matches.is_some_and(|matches| self.played + 1 >= matches);
        let stands = if is_last { self.options.lobby_after.min(LAST_WORDS) } else { self.options.lobby_after };
        let until = Instant::now() + stands;
        loop {
            match self.inbox.take(None, Some(until)) {
                NextMessage::Message(message) => {
                    if let Some(from) = &message.from {
                        self.publisher.complain(from, &"the game is over; wait for the lobby");
                    }
                }
                NextMessage::TimeUp => break,
                NextMessage::Closed => return Ok(PhaseEnd::Stopped),
            }
        }
        if is_last {
            // Nothing follows that it could be taken for.
            return Ok(PhaseEnd::Over);
        }
        self.publisher.forget();
        for name in std::mem::take(&mut self.lobby).names() {
            self.teams.part(name);
        }
        Ok(PhaseEnd::Over)
    }

    fn remote_players(&self, names: &BySeat<String>) -> Players<Salvo> {
        let context = Arc::new(MatchContext {
            inbox: Arc::clone(&self.inbox),
            publisher: Arc::clone(&self.publisher),
            names: names.clone(),
            limit: self.options.turn,
            cipher: Mutex::default(),
            used: Mutex::default(),
        });
        let remote_player = |entry: &crate::lobby::LobbyEntry| -> Box<dyn Player<Salvo>> {
            Box::new(RemotePlayer::new(&context, entry.team.clone(), entry.fleet.ships().to_vec()))
        };
        self.lobby.fleets().map(remote_player).collect()
    }

    fn header(&self, names: &BySeat<String>, seed: u64) -> Header {
        let sitter = |name: &String| RecordedSeat {
            details: rules::PlayerInfo::named(name),
            content: None,
            limits: Some(Limits::exactly(self.options.turn, self.options.turn).into()),
        };
        Header {
            game: GameKind::Salvo,
            settings: serde_json::to_value(self.options.settings).expect("a number is JSON"),
            seed,
            seats: names.map(sitter),
            sequence: Some(Sequence::InTurn),
            sandbox: None,
            engine: concat!("broadside ", env!("CARGO_PKG_VERSION")).to_owned(),
            started: record::Clock::Running.stamp(),
        }
    }
}

fn fresh_seed() -> Result<u64, ServerError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|e| ArenaError::process("get random bytes in", "the server", e))?;
    Ok(u64::from_le_bytes(bytes))
}

/// A new folder for a record, relative to that of the server.
fn fresh_folder(server: &Path) -> Result<PathBuf, ArenaError> {
    for number in 1.. {
        let folder = Path::new("records").join(format!("{number:04}"));
        let path = server.join(&folder);
        match DirBuilder::new().recursive(false).create(&path) {
            Ok(()) => return Ok(folder),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                let made = DirBuilder::new().recursive(true).create(&path);
                return made.map(|()| folder).map_err(|e| ArenaError::disk("make the folder", &path, e));
            }
            Err(e) => return Err(ArenaError::disk("make the folder", &path, e)),
        }
    }
    unreachable!("there are more numbers than folders")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inbox::Subject;
    use crate::journal::JOURNAL;
    use rules::Point;
    use rules::salvo::{Orientation, Placement, ShipKind, body};

    /// A broker that counts the lines of the journal at each message.
    struct JournalReader(PathBuf, Arc<Mutex<Vec<(String, usize)>>>);

    impl Broker for JournalReader {
        fn publish(&self, topic: String, _: Vec<u8>, _: bool) {
            let lines = std::fs::read_to_string(&self.0).unwrap().lines().count();
            self.1.lock().unwrap().push((topic, lines));
        }
    }

    struct Nobody;

    impl Spectator for Nobody {
        fn hear(&mut self, _: &ServerEvent<'_>) {}
    }

    #[test]
    fn a_change_is_in_the_journal_before_anybody_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options {
            folder: folder.path().to_owned(),
            prefix: None,
            place: Duration::MAX,
            turn: Duration::MAX,
            lobby_after: Duration::ZERO,
            players: None,
            matches: None,
            seed: None,
            settings: Settings::default(),
        };
        let mut server = Server::open(options, Network::Embedded("127.0.0.1:0".parse().unwrap())).unwrap();
        let told = Arc::default();
        let broker = JournalReader(folder.path().join(JOURNAL), Arc::clone(&told));
        server.publisher = Arc::new(Publisher::new(Topics::default(), Box::new(broker)));
        let mut cipher = Cipher::new();
        let ship = Placement { ship: ShipKind::Carrier, at: Point::new(3, 4), orientation: Orientation::Horizontal };
        let place = Subject::Place { player: "A".to_owned(), ship: ship.ship };
        let sealed = cipher.seal(&body::placement(ship), "x");
        for (subject, text) in [(Subject::Request, r#"{"name":"A","secret":"x"}"#), (place, &sealed)] {
            let message = IncomingMessage::read(subject, text.as_bytes(), Some("A".to_owned())).unwrap();
            assert!(server.receive(&message, &mut cipher, &mut Nobody).unwrap().is_some());
        }
        let told = std::mem::take(&mut *told.lock().unwrap());
        let told: Vec<(&str, usize)> = told.iter().map(|(topic, lines)| (topic.as_str(), *lines)).collect();
        let joined = [("/players/count", 1), ("/players/list", 1)];
        assert_eq!(told, [joined.as_slice(), &[("/players/A/ships/carrier/approved", 2)]].concat());
    }
}
