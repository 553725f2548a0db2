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
    /// The time that a team has to place its ships, counted from its request to take part, and the time from the latest complete
    /// fleet to the beginning of a match.
    pub place: Duration,
    /// The time limit of a salvo.
    pub turn: Duration,
    /// The consequences of lost salvos.
    pub absence: Absence,
    /// The most teams of one IPv4 address or one /64 network of IPv6. An external broker does not tell addresses.
    pub teams_per_address: u8,
    /// The code that requests to take part must have; `None` for none.
    pub join_code: Option<String>,
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

#[cfg(test)]
impl Options {
    /// Options for a server that does nothing by itself.
    pub(crate) fn of_tests(folder: &std::path::Path) -> Options {
        Options {
            folder: folder.to_owned(),
            prefix: None,
            place: Duration::MAX,
            turn: Duration::MAX,
            absence: Absence::default(),
            teams_per_address: 16,
            join_code: None,
            lobby_after: Duration::ZERO,
            players: None,
            matches: None,
            seed: None,
            settings: Settings::default(),
        }
    }
}

/// The consequences of lost salvos, which are those without a shot. They hold while another team is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Absence {
    /// The number of lost salvos in a row after which a team is passed over until it is back, and the number of turns whose time may
    /// run out in salvos that a team does not fire whole before it has less time for a shot; `None` for never.
    pub pass_after: Option<u32>,
    /// The number of lost salvos in a row, with those that were passed over, after which a team is out; `None` for never.
    pub forfeit_after: Option<u32>,
    /// The time that a team without a connection has to come back, of the time limit of its salvo. An external broker does
    /// not tell connections.
    pub grace: Duration,
}

impl Default for Absence {
    /// Passed over after 2, out after 100, and 5 s to come back.
    fn default() -> Absence {
        Absence { pass_after: Some(2), forfeit_after: Some(100), grace: Duration::from_secs(5) }
    }
}

/// The broker between clients and server.
#[derive(Debug, Clone)]
pub enum Network {
    /// An embedded broker that listens at this address; port 0 takes any free port.
    Embedded(SocketAddr),
    /// An external broker.
    External(BrokerAddress),
}
