//! The server: lobby, match, a while to look at the result, and the lobby again.

use crate::ServerError;
use crate::carrier::Carrier;
use crate::cipher::Cipher;
use crate::embedded::Embedded;
use crate::gunner::{Deck, Gunner};
use crate::herald::{Announcer, Herald};
use crate::journal::Journal;
use crate::keeper::Keeper;
use crate::lobby::{Change, Lobby};
use crate::outside::{Broker, Outside};
use crate::postbox::{Post, Postbox};
use crate::spectator::{Guest, News, Spectator};
use crate::teams::Teams;
use arena::record::{self, Header, MATCH_JSONL, Record, RecordedSeat};
use arena::{ArenaError, Limits, Observers, Player, Players, Sequence};
use rules::salvo::body::GameState;
use rules::salvo::{Salvo, Settings, Topics};
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
    Outside(Broker),
}

/// Ends a server from another thread.
#[derive(Debug, Clone)]
pub struct Stopper(Arc<Postbox>);

impl Stopper {
    /// Nothing more is done. A match goes on when the server is started again.
    pub fn stop(&self) {
        self.0.close();
    }
}

/// A server at work.
pub struct Server {
    options: Options,
    postbox: Arc<Postbox>,
    teams: Teams,
    herald: Arc<Herald>,
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
enum Phase {
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
        for entrant in found.lobby.entrants() {
            // They are from a journal of this server's, where all names are different.
            let _ = teams.join(&entrant.team);
        }
        let postbox = Arc::new(Postbox::default());
        let (carrier, address): (Box<dyn Carrier>, _) = match network {
            Network::Embedded(address) => {
                let failed = |source| ServerError::Listen { address, source };
                let embedded = Embedded::start(address, topics.clone(), teams.clone(), Arc::clone(&postbox));
                let embedded = embedded.map_err(failed)?;
                let address = embedded.address();
                (Box::new(embedded), Some(address))
            }
            Network::Outside(broker) => {
                let failed = |source| ServerError::Broker { broker: broker.to_string(), source };
                let outside = Outside::connect(&broker, topics.clone(), Arc::clone(&postbox)).map_err(failed)?;
                (Box::new(outside), None)
            }
        };
        let herald = Arc::new(Herald::new(topics, carrier));
        let unfinished = found.record.map(|record| options.folder.join(record));
        Ok(Server { options, postbox, teams, herald, journal, lobby: found.lobby, unfinished, address, played: 0 })
    }

    /// Where its own broker listens.
    pub fn address(&self) -> Option<SocketAddr> {
        self.address
    }

    /// Something that ends it.
    pub fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.postbox))
    }

    /// Keeps matches going until it is stopped, or so many were played as the options say.
    pub fn run(&mut self, spectator: &mut dyn Spectator) -> Result<(), ServerError> {
        while self.options.matches.is_none_or(|matches| self.played < matches) {
            let phase = match self.unfinished.take() {
                Some(record) => self.go_on(&record, spectator)?,
                None => match self.gather(spectator)? {
                    Phase::Over => self.begin(spectator)?,
                    Phase::Stopped => Phase::Stopped,
                },
            };
            if phase == Phase::Stopped || self.rest()? == Phase::Stopped {
                break;
            }
            self.played += 1;
        }
        Ok(())
    }

    /// The lobby, until a match can begin.
    fn gather(&mut self, spectator: &mut dyn Spectator) -> Result<Phase, ServerError> {
        self.herald.state(GameState::Lobby);
        self.herald.teams(self.lobby.names());
        let present = self.lobby.names().count();
        spectator.hear(&News::Lobby { teams: present });
        spectator.wait(&self.lobby.waiting());
        let mut cipher = Cipher::new();
        let mut until = (present > 0).then(|| Instant::now() + self.options.place);
        loop {
            let enough = self.options.players.map_or(usize::from(*Salvo::SEATS.end()), usize::from);
            if self.lobby.ready() >= enough.max(2) {
                self.send_out_the_late(spectator, "the match begins without you: not all of your ships were placed")?;
                return Ok(Phase::Over);
            }
            match self.postbox.take(None, until) {
                Post::Letter(letter) => {
                    let Some(change) = self.lobby.read(&letter, &self.teams, &self.herald, &mut cipher) else {
                        continue;
                    };
                    self.journal.changed(&change)?;
                    let ready = self.lobby.ready();
                    self.lobby.change(&change);
                    match &change {
                        Change::Joined(team) => {
                            self.herald.teams(self.lobby.names());
                            until = Some(Instant::now() + self.options.place);
                            spectator.hear(&News::Joined { name: &team.name });
                        }
                        Change::Placed { name, .. } if self.lobby.ready() > ready => {
                            spectator.hear(&News::Ready { name });
                        }
                        Change::Placed { .. } => {}
                    }
                    spectator.wait(&self.lobby.waiting());
                }
                Post::TimeUp => {
                    self.send_out_the_late(spectator, "not all ships were placed in time; ask again to take part")?;
                    if self.lobby.ready() >= 2 {
                        return Ok(Phase::Over);
                    }
                    // One alone waits for the next to come.
                    until = None;
                }
                Post::Closed => return Ok(Phase::Stopped),
            }
        }
    }

    fn send_out_the_late(&mut self, spectator: &mut dyn Spectator, why: &str) -> Result<(), ServerError> {
        let late = self.lobby.remove_unready();
        if late.is_empty() {
            return Ok(());
        }
        self.journal.late()?;
        for name in &late {
            self.herald.complain(name, &why);
            self.teams.part(name);
            spectator.hear(&News::Late { name });
        }
        self.herald.teams(self.lobby.names());
        spectator.wait(&self.lobby.waiting());
        Ok(())
    }

    /// Who plays, in the order in which they were ready: that is the order of their seats.
    fn names(&self) -> BySeat<String> {
        self.lobby.fleets().map(|entrant| entrant.team.name.clone()).collect()
    }

    /// Begins a match of all who are ready, and plays it.
    fn begin(&mut self, spectator: &mut dyn Spectator) -> Result<Phase, ServerError> {
        let names = self.names();
        let seed = match self.options.seed {
            Some(seed) => seed.wrapping_add(u64::from(self.played)),
            None => fresh_seed()?,
        };
        let header = self.header(&names, seed);
        let folder = fresh_folder(&self.options.folder)?;
        let path = self.options.folder.join(&folder).join(MATCH_JSONL);
        let mut keeper = Keeper::begin(&path, &header)?;
        self.journal.begun(&folder.join(MATCH_JSONL))?;
        let game = Salvo::start(&self.options.settings, names.len() as u8, seed)?;
        spectator.hear(&News::Begun { record: &path, turns: 0, names: &names });
        let mut players = self.gunners(&names);
        let mut announcer = Announcer::new(&self.herald, &names, 0);
        spectator.begin(&header, &game)?;
        let mut guest = Guest(&mut *spectator);
        let mut observers = Observers::new();
        observers.add(&mut keeper);
        observers.add(&mut announcer);
        observers.add(&mut guest);
        let played = arena::play(game, &mut players, Sequence::InTurn, &mut observers);
        self.ended(played, &names, spectator)
    }

    /// Goes on with a match in whose middle the server was stopped.
    fn go_on(&mut self, path: &Path, spectator: &mut dyn Spectator) -> Result<Phase, ServerError> {
        let names = self.names();
        self.herald.teams(self.lobby.names());
        let record = Arc::new(Record::read(path)?);
        let known = record.len() as u32;
        let mut keeper = match record.end() {
            Some(_) => None,
            None => Some(Keeper::go_on(path, record.header(), known)),
        };
        spectator.hear(&News::Begun { record: path, turns: known, names: &names });
        let mut announcer = Announcer::new(&self.herald, &names, known);
        spectator.begin(record.header(), &record::first(&record)?)?;
        let mut guest = Guest(&mut *spectator);
        let mut observers = Observers::new();
        if let Some(keeper) = &mut keeper {
            observers.add(keeper);
        }
        observers.add(&mut announcer);
        observers.add(&mut guest);
        let played = record::go_on(&record, self.gunners(&names), &mut observers);
        self.ended(played, &names, spectator)
    }

    fn ended(
        &self,
        played: Result<Outcome, ArenaError>,
        names: &BySeat<String>,
        spectator: &mut dyn Spectator,
    ) -> Result<Phase, ServerError> {
        match played {
            Ok(outcome) => {
                spectator.hear(&News::Over { outcome: &outcome, names });
                Ok(Phase::Over)
            }
            Err(ArenaError::Interrupted) => Ok(Phase::Stopped),
            Err(error) => Err(error.into()),
        }
    }

    /// A result stands for a while; then all has to begin anew.
    fn rest(&mut self) -> Result<Phase, ServerError> {
        self.journal.over()?;
        let is_last = self.options.matches.is_some_and(|matches| self.played + 1 >= matches);
        let stands = if is_last { self.options.lobby_after.min(LAST_WORDS) } else { self.options.lobby_after };
        let until = Instant::now() + stands;
        loop {
            match self.postbox.take(None, Some(until)) {
                Post::Letter(letter) => {
                    if let Some(from) = &letter.from {
                        self.herald.complain(from, &"the game is over; wait for the lobby");
                    }
                }
                Post::TimeUp => break,
                Post::Closed => return Ok(Phase::Stopped),
            }
        }
        if is_last {
            // Nothing follows that it could be taken for.
            return Ok(Phase::Over);
        }
        self.herald.forget();
        for name in std::mem::take(&mut self.lobby).names() {
            self.teams.part(name);
        }
        Ok(Phase::Over)
    }

    fn gunners(&self, names: &BySeat<String>) -> Players<Salvo> {
        let deck = Arc::new(Deck {
            postbox: Arc::clone(&self.postbox),
            herald: Arc::clone(&self.herald),
            names: names.clone(),
            limit: self.options.turn,
            cipher: Mutex::default(),
            used: Mutex::default(),
        });
        let gunner = |entrant: &crate::lobby::Entrant| -> Box<dyn Player<Salvo>> {
            Box::new(Gunner::new(&deck, entrant.team.clone(), entrant.fleet.ships().to_vec()))
        };
        self.lobby.fleets().map(gunner).collect()
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
