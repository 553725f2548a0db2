//! The names of the MQTT topics. What is written there is in [`body`](super::body).

use super::{ShipKind, Statistic};

/// The names of the topics of one game.
///
/// In the text they begin at the root: `/game/state`. Several games on one broker have a prefix each: `/NAME/game/state`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Topics {
    /// Empty, or `/NAME`.
    pub(super) root: String,
}

/// The level below the prefix that names a player: `/players/PLAYER/…`. The first one is empty.
pub(super) const PLAYER_LEVEL: usize = 2;
/// The level below the prefix that names a ship: `/players/PLAYER/ships/SHIP/…`. The first one is empty.
pub(super) const SHIP_LEVEL: usize = 4;

/// Text that cannot be a level of a topic.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} cannot be part of a topic: 1 to {most} bytes are allowed, without / + # $ and control characters", most = Topics::LONGEST_LEVEL)]
pub struct BadLevel(String);

/// A topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic<'a> {
    /// `/game/state`: what the game is doing, retained.
    State,
    /// `/game/request_participation`: who wants to play, for the server only.
    Request,
    /// `/game/current`: whose salvo it is, retained.
    Current,
    /// `/game/hits`: the total of a salvo that is over.
    Hits,
    /// `/game/winner`: who has won.
    Winner,
    /// `/game/stats/NAME`: something about all players, at the end.
    Stats(Statistic),
    /// `/players/count`: how many players there are.
    Count,
    /// `/players/list`: their names.
    List,
    /// `/game/refused`: why somebody cannot take part, who has no topic for it.
    Refused,
    /// `/players/PLAYER/ships/SHIP/…`: of a ship of a player.
    Ship {
        /// The player.
        player: &'a str,
        /// The ship.
        ship: ShipKind,
        /// The kind of topic.
        what: ShipTopic,
    },
    /// `/players/PLAYER/fire`: shots at this player, for the server only.
    Fire {
        /// The target.
        target: &'a str,
    },
    /// `/players/PLAYER/hit`: where a shot at this player fell, for this player only.
    Hit {
        /// The target.
        target: &'a str,
    },
    /// `/players/PLAYER/error`: what was wrong with a message of this player.
    Error {
        /// The sender of the message.
        player: &'a str,
    },
    /// `/player/PLAYER/defeated`: whether a player was defeated, retained.
    Defeated {
        /// The player.
        player: &'a str,
    },
}

/// The kinds of topics of a ship.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShipTopic {
    /// The place where the ship is to lie, encrypted, for the server only.
    Place,
    /// True or false: the server's verdict about the latest place.
    Approved,
    /// The mistake in the latest place.
    Error,
    /// True once the ship is sunk, retained.
    Sunk,
}

impl ShipTopic {
    /// All kinds.
    pub const ALL: [ShipTopic; 4] = [ShipTopic::Place, ShipTopic::Approved, ShipTopic::Error, ShipTopic::Sunk];

    /// The last level of the topic.
    pub fn name(self) -> &'static str {
        match self {
            ShipTopic::Place => "place",
            ShipTopic::Approved => "approved",
            ShipTopic::Error => "error",
            ShipTopic::Sunk => "sunk",
        }
    }
}

/// The readers of a topic: the one definition of secrecy, from which brokers' access rules are derived. Clients write what
/// the server reads; the server writes everything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers<'a> {
    /// Every client, also one that plays for nobody.
    Everyone,
    /// The clients of this player.
    Player(&'a str),
    /// The server alone.
    Server,
}

impl<'a> Topic<'a> {
    /// The readers of the topic. Requests and places hold secrets; shots are for the server because they tell where a ship
    /// may be, and errors for one player because they may name cells.
    pub fn readers(&self) -> Readers<'a> {
        match *self {
            Topic::State
            | Topic::Current
            | Topic::Hits
            | Topic::Winner
            | Topic::Refused
            | Topic::Stats(_)
            | Topic::Count
            | Topic::List
            | Topic::Ship { what: ShipTopic::Approved | ShipTopic::Sunk, .. }
            | Topic::Defeated { .. } => Readers::Everyone,
            Topic::Hit { target: player }
            | Topic::Error { player }
            | Topic::Ship { player, what: ShipTopic::Error, .. } => Readers::Player(player),
            Topic::Request | Topic::Fire { .. } | Topic::Ship { what: ShipTopic::Place, .. } => Readers::Server,
        }
    }

    /// One topic of every kind, with these values in its name.
    fn of_every_kind(player: &'a str, ship: ShipKind, statistic: Statistic) -> impl Iterator<Item = Topic<'a>> {
        /// A list that compiles only if each kind of topic is in it.
        macro_rules! list {
            ($([$($topic:tt)+])+) => {{
                #[allow(unused_variables, reason = "each topic is a pattern here, and an expression below")]
                let _complete = |topic: Topic<'_>| match topic { $($($topic)+ => {})+ };
                [$($($topic)+),+]
            }};
        }
        list![
            [Topic::State][Topic::Request][Topic::Current][Topic::Hits][Topic::Winner][Topic::Refused]
                [Topic::Stats(statistic)][Topic::Count][Topic::List]
                [Topic::Ship { player, ship, what: ShipTopic::Place }][Topic::Fire { target: player }]
                [Topic::Ship { player, ship, what: ShipTopic::Approved }]
                [Topic::Ship { player, ship, what: ShipTopic::Sunk }][Topic::Defeated { player }]
                [Topic::Hit { target: player }][Topic::Error { player }]
                [Topic::Ship { player, ship, what: ShipTopic::Error }]
        ]
        .into_iter()
    }
}

impl Topics {
    /// The most bytes that a level may have, so that no topic comes near the 65535 bytes of MQTT.
    pub const LONGEST_LEVEL: usize = 100;

    /// Topics below a prefix.
    ///
    /// # Errors
    /// [`BadLevel`] for a prefix that cannot be a level of a topic.
    pub fn below(prefix: &str) -> Result<Topics, BadLevel> {
        Topics::check_level(prefix)?;
        Ok(Topics { root: format!("/{prefix}") })
    }

    /// Checks that a name can be a level of a topic, as those of players have to be.
    ///
    /// # Errors
    /// [`BadLevel`] with the beginning of the name.
    pub fn check_level(name: &str) -> Result<(), BadLevel> {
        let is_right = !name.is_empty()
            && name.len() <= Topics::LONGEST_LEVEL
            && !name.starts_with('$')
            && !name.contains(|c: char| matches!(c, '/' | '+' | '#') || c.is_control());
        if is_right { Ok(()) } else { Err(BadLevel(name.chars().take(Topics::LONGEST_LEVEL).collect())) }
    }

    /// The name of a topic.
    pub fn name(&self, topic: &Topic<'_>) -> String {
        self.path(topic, "players", false)
    }

    /// Every name of a topic, [`Topics::name`] first: the text calls some `/player/…`, the original `/players/…`, and the
    /// original calls the request `/game/request`.
    pub fn names(&self, topic: &Topic<'_>) -> Vec<String> {
        self.paths(topic, false)
    }

    /// The MQTT filters that match the topics with these readers, under each of their names, and no others of the game. The
    /// name in [`Readers::Player`] may be a wildcard, too.
    pub fn filters(&self, readers: Readers<'_>) -> Vec<String> {
        let player = if let Readers::Player(name) = readers { name } else { "+" };
        let topics = Topic::of_every_kind(player, ShipKind::Carrier, Statistic::Shots);
        topics.filter(|topic| topic.readers() == readers).flat_map(|topic| self.paths(&topic, true)).collect()
    }

    /// The full name of a path such as `/players/+/fire` below the prefix.
    pub fn below_root(&self, path: &str) -> String {
        format!("{}{path}", self.root)
    }

    fn paths(&self, topic: &Topic<'_>, is_filter: bool) -> Vec<String> {
        let other = match topic {
            Topic::Request => Some(self.below_root("/game/request")),
            Topic::Defeated { .. } | Topic::Ship { what: ShipTopic::Sunk, .. } => {
                Some(self.path(topic, "player", is_filter))
            }
            _ => None,
        };
        [self.path(topic, "players", is_filter)].into_iter().chain(other).collect()
    }

    /// The name of a topic, or the filter for all ships and statistics.
    fn path(&self, topic: &Topic<'_>, players: &str, is_filter: bool) -> String {
        let level = |name: &'static str| if is_filter { "+" } else { name };
        self.below_root(&match topic {
            Topic::State => "/game/state".to_owned(),
            Topic::Request => "/game/request_participation".to_owned(),
            Topic::Current => "/game/current".to_owned(),
            Topic::Hits => "/game/hits".to_owned(),
            Topic::Winner => "/game/winner".to_owned(),
            Topic::Stats(statistic) => format!("/game/stats/{}", level(statistic.name())),
            Topic::Count => "/players/count".to_owned(),
            Topic::List => "/players/list".to_owned(),
            Topic::Refused => "/game/refused".to_owned(),
            Topic::Ship { player, ship, what } => {
                format!("/{players}/{player}/ships/{}/{}", level(ship.name()), what.name())
            }
            Topic::Fire { target } => format!("/{players}/{target}/fire"),
            Topic::Hit { target } => format!("/{players}/{target}/hit"),
            Topic::Error { player } => format!("/{players}/{player}/error"),
            Topic::Defeated { player } => format!("/{players}/{player}/defeated"),
        })
    }

    /// The topic that has this name among its [`Topics::names`]; `None` if there is none. The name of a ship may be spelled
    /// in any way that [`ShipKind::from_spelling`] understands; no level is longer than [`Topics::LONGEST_LEVEL`].
    pub fn parse<'a>(&self, name: &'a str) -> Option<Topic<'a>> {
        let levels: Vec<&str> = name.strip_prefix(&self.root)?.split('/').collect();
        if levels.iter().any(|level| level.len() > Topics::LONGEST_LEVEL) {
            return None;
        }
        let level = |at: usize| levels.get(at).copied().unwrap_or_default();
        // If a level names no ship or statistic, any one stands in: the names of its topics then differ from `name`.
        let spelled = ShipKind::from_spelling(level(SHIP_LEVEL)).filter(|_| level(SHIP_LEVEL - 1) == "ships");
        let statistic = Statistic::from_name(level(3)).unwrap_or(Statistic::Shots);
        let mut topics = Topic::of_every_kind(level(PLAYER_LEVEL), spelled.unwrap_or(ShipKind::Carrier), statistic);
        let usual = spelled.map_or_else(|| name.to_owned(), |ship| self.with_ship(name, ship.name()));
        topics.find(|topic| self.names(topic).contains(&usual))
    }

    /// The player whose topics alone this filter matches: `/players/PLAYER/` begins it, and PLAYER is not a wildcard.
    pub fn owner<'a>(&self, filter: &'a str) -> Option<&'a str> {
        let (player, _) = filter.strip_prefix(&self.root)?.strip_prefix("/players/")?.split_once('/')?;
        Topics::check_level(player).is_ok().then_some(player)
    }
}
