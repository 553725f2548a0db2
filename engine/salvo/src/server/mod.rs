//! The server: a lobby, a match, a pause for its result, and the lobby again. `gathering.rs` has the lobby.

mod gathering;

use crate::ServerError;
use crate::admin::{AdminAccess, AdminCommand, Administration, OpenedCommand, random_text};
use crate::attendance::Attendance;
use crate::broker::Broker;
use crate::cipher::Cipher;
use crate::embedded::EmbeddedBroker;
use crate::external::ExternalBroker;
use crate::inbox::{Inbox, IncomingMessage, NextMessage, Subject};
use crate::join_code::JoinCode;
use crate::journal::{Journal, ServerJournalLine};
use crate::lobby::{Lobby, LobbyEntry};
use crate::options::{Network, Options};
use crate::publisher::{MatchPublisher, Publisher};
use crate::record_writer::MatchRecordWriter;
use crate::remote_player::{MatchContext, RemotePlayer};
use crate::spectator::{ServerEvent, Spectator, SpectatorObserver};
use crate::teams::Teams;
use arena::record::{self, Header, MATCH_JSONL, Record, RecordedSeat};
use arena::{ArenaError, Limits, Observers, Player, Players, Sequence};
use platform::files::create_private_folder;
use platform::locks::lock;
use rules::salvo::body::GameState;
use rules::salvo::{Salvo, Topics};
use rules::{BySeat, Game, PlayerInfo};
use std::fs::DirBuilder;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A handle that ends a server from another thread.
#[derive(Debug, Clone)]
pub struct Stopper(Arc<Inbox>);

impl Stopper {
    /// Ends the server soon. A match continues when the server is started again in the same folder. Calling it again
    /// has no further effect.
    pub fn stop(&self) {
        self.0.close();
    }
}

/// A server with its broker. Dropping it disconnects all clients.
pub struct Server {
    options: Options,
    inbox: Arc<Inbox>,
    teams: Teams,
    publisher: Arc<Publisher>,
    /// The match in progress writes to it as well.
    journal: Arc<Mutex<Journal>>,
    administration: Arc<Administration>,
    /// A command that is carried out, and its answer, until it is in the journal.
    unanswered: Option<(OpenedCommand, String)>,
    lobby: Lobby,
    join_code: Arc<JoinCode>,
    /// The keys of the lobby, which most clients use for their shots as well.
    cipher: Cipher,
    /// The record of a match that has to be continued.
    unfinished: Option<PathBuf>,
    /// True if the administrator has ended that match, so that only the result is to be shown.
    is_ended: bool,
    address: Option<SocketAddr>,
    played: u32,
}

/// The most time that clients have to read the result of the last match.
const MAX_LAST_PAUSE: Duration = Duration::from_secs(2);

/// The end of a phase.
#[derive(Debug, PartialEq, Eq)]
enum PhaseEnd {
    Over,
    Stopped,
}

impl Server {
    /// Opens the folder and connects to the broker.
    ///
    /// # Errors
    /// - [`ServerError::Prefix`], [`ServerError::Settings`]: the options cannot be used; change them.
    /// - [`ServerError::Journal`]: a line of the journal is invalid; repair it or choose another folder.
    /// - [`ServerError::Listen`], [`ServerError::Broker`]: the broker cannot start or be reached.
    /// - [`ServerError::Arena`]: another program keeps a journal in the folder, or the disk failed.
    pub fn open(options: Options, network: Network) -> Result<Server, ServerError> {
        let topics = options.prefix.as_deref().map_or(Ok(Topics::default()), Topics::below)?;
        Salvo::start(&options.settings, 2, 0)?;
        create_private_folder(&options.folder).map_err(|e| ArenaError::disk("make the folder", &options.folder, e))?;
        let (journal, found) = Journal::open(&options.folder)?;
        let teams = Teams::default();
        for entry in &found.lobby.entries {
            // All names in a journal differ, so none can be taken.
            let _ = teams.restore(&entry.team);
        }
        let inbox = Arc::new(Inbox::default());
        let secret = random_text()?;
        let join_code = Arc::new(JoinCode::new(options.join_code.clone()));
        let (broker, address, place): (Box<dyn Broker>, _, _) = match network {
            Network::Embedded(address) => {
                let failed = |source| ServerError::Listen { address, source };
                let (teams, inbox, code) = (teams.clone(), Arc::clone(&inbox), Arc::clone(&join_code));
                let embedded = EmbeddedBroker::start(address, topics.clone(), teams, inbox, secret.clone(), code);
                let embedded = embedded.map_err(failed)?;
                let address = embedded.address;
                // The administrator's client on this machine.
                let host =
                    if address.ip().is_unspecified() { "127.0.0.1".to_owned() } else { address.ip().to_string() };
                (Box::new(embedded), Some(address), (host, address.port()))
            }
            Network::External(broker) => {
                let failed = |source| ServerError::Broker { broker: broker.to_string(), source };
                let external = ExternalBroker::connect(&broker, topics.clone(), Arc::clone(&inbox)).map_err(failed)?;
                (Box::new(external), None, (broker.host, broker.port))
            }
        };
        AdminAccess::create(&options.folder, place, options.prefix.clone(), secret.clone())?;
        let publisher = Arc::new(Publisher::new(topics, broker));
        let administration = Arc::new(Administration::new(secret, Arc::clone(&publisher)));
        let journal = Arc::new(Mutex::new(journal));
        let unfinished = found.record.map(|record| options.folder.join(record));
        Ok(Server {
            options,
            inbox,
            teams,
            publisher,
            journal,
            administration,
            unanswered: None,
            lobby: found.lobby,
            join_code,
            cipher: Cipher::default(),
            unfinished,
            is_ended: found.is_ended,
            address,
            played: 0,
        })
    }

    /// The address of the embedded broker; `None` with an external one.
    pub fn address(&self) -> Option<SocketAddr> {
        self.address
    }

    /// A handle that ends the server from another thread.
    pub fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.inbox))
    }

    /// Plays matches until the server is stopped or has played as many as the options say.
    ///
    /// # Errors
    /// [`ServerError::Arena`] if the disk fails, or the spectator returns an error. The match continues when the server
    /// is started again.
    pub fn run(&mut self, spectator: &mut dyn Spectator) -> Result<(), ServerError> {
        while self.options.matches.is_none_or(|matches| self.played < matches) {
            let record = match self.unfinished.take() {
                Some(record) => {
                    self.publisher.teams(self.lobby.names());
                    record
                }
                None if self.gather(spectator)? == PhaseEnd::Stopped => break,
                None => self.begin()?,
            };
            if self.play(&record, spectator)? == PhaseEnd::Stopped || self.rest()? == PhaseEnd::Stopped {
                break;
            }
            self.played += 1;
        }
        Ok(())
    }

    /// The names of the ready teams by their seats: they sit in the order in which they were ready.
    fn names(&self) -> BySeat<String> {
        self.lobby.fleets().map(|entry| entry.team.name.clone()).collect()
    }

    /// Makes a record without turns for a new match of all ready teams, and gives its path.
    fn begin(&mut self) -> Result<PathBuf, ServerError> {
        let names = self.names();
        let seed = match self.options.seed {
            Some(seed) => seed.wrapping_add(u64::from(self.played)),
            None => getrandom::u64().map_err(|e| ArenaError::process("get random bytes in", "the server", e))?,
        };
        let limits = Some(Limits::exactly(self.options.turn, self.options.turn).into());
        let recorded = |name: &String| RecordedSeat { limits, ..RecordedSeat::new(PlayerInfo::named(name)) };
        let header = Header::new::<Salvo>(&self.options.settings, seed, names.map(recorded), Sequence::InTurn);
        let record = fresh_folder(&self.options.folder)?.join(MATCH_JSONL);
        let path = self.options.folder.join(&record);
        MatchRecordWriter::begin(&path, &header)?;
        self.write(&ServerJournalLine::Begun { record })?;
        Ok(path)
    }

    /// Writes a line to the journal, and then answers the command that has led to it.
    fn write(&mut self, line: &ServerJournalLine) -> Result<(), ArenaError> {
        lock(&self.journal).write(line)?;
        if let Some((opened, answer)) = self.unanswered.take() {
            self.administration.answer(opened, Ok(answer));
        }
        Ok(())
    }

    /// Plays a match from where its record ends: from its first turn, or from where a stop of the server has interrupted
    /// the match.
    fn play(&mut self, path: &Path, spectator: &mut dyn Spectator) -> Result<PhaseEnd, ServerError> {
        if std::mem::take(&mut self.is_ended) {
            return Ok(self.end(spectator));
        }
        let names = self.names();
        let record = Arc::new(Record::read(path)?);
        let known = record.len() as u32;
        let mut record_writer = match record.end() {
            Some(_) => None,
            None => Some(MatchRecordWriter::go_on(path, record.header(), known)?),
        };
        spectator.hear(&ServerEvent::Begun { record: path, turns: known, names: &names });
        let context = Arc::new(self.match_context(&names));
        let players = self.remote_players(&context);
        let mut match_publisher = MatchPublisher::new(&self.publisher, &names, known);
        spectator.begin(record.header(), &record::initial_state(&record)?)?;
        let mut observer = SpectatorObserver(&mut *spectator);
        let mut observers = Observers::new();
        if let Some(record_writer) = &mut record_writer {
            observers.add(record_writer);
        }
        let mut attendance = &context.attendance;
        observers.add(&mut attendance);
        observers.add(&mut match_publisher);
        observers.add(&mut observer);
        match record::resume(&record, players, &mut observers) {
            Ok(outcome) => {
                spectator.hear(&ServerEvent::Over { outcome: &outcome, names: &names });
                Ok(PhaseEnd::Over)
            }
            Err(ArenaError::Interrupted) if context.is_ended.load(Ordering::Relaxed) => Ok(self.end(spectator)),
            Err(ArenaError::Interrupted) => Ok(PhaseEnd::Stopped),
            Err(error) => Err(error.into()),
        }
    }

    /// Tells everyone that the administrator has ended the match. Its record stays without an outcome.
    fn end(&self, spectator: &mut dyn Spectator) -> PhaseEnd {
        self.publisher.state(GameState::Over);
        spectator.hear(&ServerEvent::Ended);
        PhaseEnd::Over
    }

    /// Waits for the next lobby, then removes everything of the match. The journal keeps the match until then: a server that is
    /// started again meanwhile publishes its result again.
    fn rest(&mut self) -> Result<PhaseEnd, ServerError> {
        let is_last = self.options.matches.is_some_and(|matches| self.played + 1 >= matches);
        let stands = if is_last { self.options.lobby_after.min(MAX_LAST_PAUSE) } else { self.options.lobby_after };
        let until = Instant::now() + stands;
        loop {
            match self.inbox.take(None, Some(until)) {
                NextMessage::Message(message) if message.subject == Subject::Admin => {
                    if self.obey_after_match(&message) {
                        break;
                    }
                }
                NextMessage::Message(message) => {
                    if let Some(from) = &message.from {
                        self.publisher.complain(from, &"the game is over; wait for the lobby");
                    }
                }
                NextMessage::TimeUp => break,
                NextMessage::Closed => return Ok(PhaseEnd::Stopped),
            }
        }
        self.write(&ServerJournalLine::Over)?;
        if is_last {
            // No other game follows, so the retained messages stay.
            return Ok(PhaseEnd::Over);
        }
        self.publisher.forget();
        for name in std::mem::take(&mut self.lobby).names() {
            self.teams.leave(name);
        }
        Ok(PhaseEnd::Over)
    }

    /// Carries out a command of the administrator while a result is shown; true if the lobby has to open.
    fn obey_after_match(&mut self, message: &IncomingMessage) -> bool {
        let Some(opened) = self.administration.read(message) else { return false };
        if opened.command != AdminCommand::Open {
            self.administration.answer(opened, Err("the match is over; open the lobby first".to_owned()));
            return false;
        }
        self.unanswered = Some((opened, "the lobby opens".to_owned()));
        true
    }

    fn match_context(&mut self, names: &BySeat<String>) -> MatchContext {
        // Only the embedded broker tells connections, and it has an address.
        let teams = self.address.map(|_| self.teams.clone());
        let attendance = Attendance::new(self.options.absence, self.options.turn, names.clone(), teams);
        // The administrator may have removed them before a restart.
        names.iter().filter(|(_, name)| self.lobby.is_kicked(name)).for_each(|(seat, _)| attendance.kick(seat));
        MatchContext {
            inbox: Arc::clone(&self.inbox),
            publisher: Arc::clone(&self.publisher),
            names: names.clone(),
            attendance,
            administration: Arc::clone(&self.administration),
            journal: Arc::clone(&self.journal),
            is_ended: AtomicBool::new(false),
            cipher: Mutex::new(std::mem::take(&mut self.cipher)),
            used: Mutex::default(),
        }
    }

    fn remote_players(&self, context: &Arc<MatchContext>) -> Players<Salvo> {
        let remote_player = |entry: &LobbyEntry| -> Box<dyn Player<Salvo>> {
            Box::new(RemotePlayer::new(context, entry.team.clone(), entry.fleet.ships().to_vec()))
        };
        self.lobby.fleets().map(remote_player).collect()
    }
}

/// Creates a folder for a record; gives its path relative to the folder of the server.
fn fresh_folder(server: &Path) -> Result<PathBuf, ArenaError> {
    let records = Path::new("records");
    let made = DirBuilder::new().recursive(true).create(server.join(records));
    made.map_err(|e| ArenaError::disk("make the folder", server.join(records), e))?;
    for number in 1.. {
        let folder = records.join(format!("{number:04}"));
        match DirBuilder::new().create(server.join(&folder)) {
            Ok(()) => return Ok(folder),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(ArenaError::disk("make the folder", server.join(&folder), e)),
        }
    }
    unreachable!("there are more numbers than folders")
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let options = Options::of_tests(folder.path());
        let mut server = Server::open(options, Network::Embedded("127.0.0.1:0".parse().unwrap())).unwrap();
        let told = Arc::default();
        let broker = JournalReader(folder.path().join(JOURNAL), Arc::clone(&told));
        server.publisher = Arc::new(Publisher::new(Topics::default(), Box::new(broker)));
        let mut cipher = Cipher::default();
        let ship = Placement { ship: ShipKind::Carrier, at: Point::new(3, 4), orientation: Orientation::Horizontal };
        let place = Subject::Place { player: "A".to_owned(), ship: ship.ship, spelling: None };
        let sealed = cipher.seal(&body::placement(ship), "x");
        for (subject, text) in [(Subject::Request, r#"{"name":"A","secret":"x"}"#), (place, &sealed)] {
            let message = IncomingMessage::read(subject, text.as_bytes(), Some("A".to_owned())).unwrap();
            assert!(server.receive(&message, &mut Nobody).unwrap().is_some());
        }
        let told = std::mem::take(&mut *told.lock().unwrap());
        let told: Vec<(&str, usize)> = told.iter().map(|(topic, lines)| (topic.as_str(), *lines)).collect();
        let joined = [("/players/count", 1), ("/players/list", 1)];
        assert_eq!(told, [joined.as_slice(), &[("/players/A/ships/carrier/approved", 2)]].concat());
    }
}
