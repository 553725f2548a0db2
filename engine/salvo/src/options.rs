//! The options of a server, and its broker.

use crate::external::BrokerAddress;
use rules::salvo::Settings;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// The options of a server.
#[derive(Debug, Clone)]
pub struct Options {
    /// The folder of the journal and the records. It is created if it is missing.
    pub folder: PathBuf,
    /// The level that all topics are below; `None` for the topics of the published text.
    pub prefix: Option<String>,
    /// The time that teams have to place their ships, counted from the latest request to take part.
    pub place: Duration,
    /// The time limit of a salvo.
    pub turn: Duration,
    /// The time between the end of a match and the next lobby.
    pub lobby_after: Duration,
    /// The number of ready teams with which a match begins at once, 2 to 16; `None` for 16.
    pub players: Option<u8>,
    /// The number of matches after which the server ends; `None` for no end.
    pub matches: Option<u32>,
    /// The seed of the first match, to which the number of matches before is added; `None` for a random one each.
    pub seed: Option<u64>,
    /// The settings of all matches.
    pub settings: Settings,
}

/// The broker between clients and server.
#[derive(Debug, Clone)]
pub enum Network {
    /// An embedded broker that listens at this address; port 0 takes any free port.
    Embedded(SocketAddr),
    /// An external broker.
    External(BrokerAddress),
}
