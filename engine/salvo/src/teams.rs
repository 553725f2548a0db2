//! The owners of names: the secret of each team, and the connections that have proved to know it.

use platform::locks::lock;
use rules::salvo::Topics;
use rules::{TeamNameError, check_team_name, look_alike, printable};
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use subtle::ConstantTimeEq;

/// The most bytes of a secret.
const MAX_SECRET_BYTES: usize = 1024;
/// The most characters of a name, which has to fit on screens.
const MAX_NAME_CHARACTERS: usize = 32;

/// A secret of a team.
#[derive(Clone)]
pub(crate) struct Secret(String);

impl Secret {
    /// The text, for encryption.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Secret) -> bool {
        is_same(&self.0, &other.0)
    }
}

/// Compares two secrets. The time of the comparison does not tell where they differ.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// A name with the secret that proves it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Credentials {
    pub(crate) name: String,
    pub(crate) secret: Secret,
}

/// The reason why a team cannot have a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TeamError {
    #[error(
        "a name has 1 to {MAX_NAME_CHARACTERS} letters, without / + # $ and control characters, and no blanks at its ends"
    )]
    Name,
    #[error(transparent)]
    Letters(#[from] TeamNameError),
    #[error("the name looks like that of another team; choose another one")]
    LooksTaken,
    #[error("a secret has 1 to {MAX_SECRET_BYTES} bytes")]
    Secret,
    #[error("the name is taken, and the secret is another one")]
    Taken,
    #[error(
        "a client of a team has this client identifier; log in with the name and secret of that team, or use a fresh identifier"
    )]
    Identifier,
    #[error("the team has {MAX_CONNECTIONS} connections already")]
    Connections,
}

impl Credentials {
    /// Checks a name and a secret. The name may be an old one: [`Teams`] check the letters of new names.
    pub(crate) fn new(name: &str, secret: &str) -> Result<Credentials, TeamError> {
        let is_short = name.chars().count() <= MAX_NAME_CHARACTERS;
        if !is_short || name.trim() != name || Topics::check_level(name).is_err() || printable(name) != name {
            return Err(TeamError::Name);
        }
        if secret.is_empty() || secret.len() > MAX_SECRET_BYTES {
            return Err(TeamError::Secret);
        }
        Ok(Credentials { name: name.to_owned(), secret: Secret(secret.to_owned()) })
    }
}

/// Checks the name of a team.
///
/// # Errors
/// If it is not 1 to 32 characters that topics and screens can have; the error says which they are.
pub fn check_name(name: &str) -> Result<(), impl std::error::Error + use<>> {
    Credentials::new(name, "any").and_then(|_| Ok(check_team_name(name)?))
}

/// The names that are in use. Clones share them: the broker asks for the team of a connection, the server for the teams
/// that take part.
///
/// A name belongs to the secret that it was first used with, while a team of this name takes part or a connection is
/// open that has proved to know the secret.
#[derive(Debug, Clone, Default)]
pub(crate) struct Teams(Arc<Mutex<Claims>>);

#[derive(Debug, Default)]
struct Claims {
    /// The claims by the name in lower case.
    names: HashMap<String, Claim>,
    /// The key of the name, by the identifier of a connection without user name that has proved to know the secret.
    anonymous: HashMap<String, String>,
}

#[derive(Debug)]
struct Claim {
    credentials: Credentials,
    takes_part: bool,
    /// The number of connections that have proved to know the secret.
    connections: u32,
    /// The number of connections so far, open and closed.
    logins: u64,
    /// The time of the latest end of a connection.
    disconnected: Option<Instant>,
    /// The time of the latest login whose connection is not open yet.
    pending: Option<Instant>,
    /// The latest identifiers of the team's clients, oldest first.
    identifiers: VecDeque<Identifier>,
}

/// The connection of a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    /// The broker does not tell connections.
    Unknown,
    /// A client of the team is connected.
    Connected,
    /// The last client has been gone since then.
    Gone(Instant),
    /// No client has come since the server was started.
    NotYet,
}

#[derive(Debug)]
struct Identifier {
    text: String,
    /// The number of connections: two for a moment, when a client reconnects.
    connections: u32,
}

/// The longest time from a login to its connection.
const LOGIN_TIMEOUT: Duration = Duration::from_secs(60);

/// The most connections of a team. Those of 16 teams fit into the limit of one address.
const MAX_CONNECTIONS: u32 = 8;

/// The most identifiers that are remembered for a team.
const MAX_IDENTIFIERS: usize = 16;

/// The key of a name: upper and lower case are the same name.
pub(crate) fn key(name: &str) -> String {
    name.to_lowercase()
}

impl Claims {
    /// The claim of a name, which may be a new one.
    fn claim(&mut self, credentials: &Credentials) -> Result<&mut Claim, TeamError> {
        if !self.names.contains_key(&key(&credentials.name)) {
            check_team_name(&credentials.name)?;
            if self.names.values().any(|claim| look_alike(&claim.credentials.name, &credentials.name)) {
                return Err(TeamError::LooksTaken);
            }
        }
        self.claim_unchecked(credentials)
    }

    /// As [`Claims::claim`], but a new name may have any letters.
    fn claim_unchecked(&mut self, credentials: &Credentials) -> Result<&mut Claim, TeamError> {
        let claim = self.names.entry(key(&credentials.name)).or_insert_with(|| Claim {
            credentials: credentials.clone(),
            takes_part: false,
            connections: 0,
            logins: 0,
            disconnected: None,
            pending: None,
            identifiers: VecDeque::new(),
        });
        if claim.credentials == *credentials { Ok(claim) } else { Err(TeamError::Taken) }
    }

    /// True if no other team uses the identifier: a client of another team could disconnect that client, or receive the
    /// messages of its session. With a clean start there is no session, so a client without user name may reconnect.
    fn may_use(&self, identifier: &str, name: Option<&str>, is_clean: bool) -> bool {
        let name = name.map(key);
        let mut others = self.names.iter().filter(|(other, _)| Some(*other) != name.as_ref());
        let is_taken = |known: &Identifier| known.text == identifier && (known.connections > 0 || !is_clean);
        !others.any(|(_, claim)| claim.identifiers.iter().any(is_taken))
    }

    fn release(&mut self, key: &str) {
        if self.names.get(key).is_some_and(Claim::is_over) {
            self.names.remove(key);
        }
    }
}

impl Claim {
    /// Counts a connection under this identifier.
    fn connected(&mut self, identifier: &str) {
        self.connections += 1;
        self.logins += 1;
        self.pending = None;
        let known = self.identifiers.iter().position(|known| known.text == identifier);
        let known = known.and_then(|at| self.identifiers.remove(at));
        let mut known = known.unwrap_or_else(|| Identifier { text: identifier.to_owned(), connections: 0 });
        known.connections += 1;
        self.identifiers.push_back(known);
        if self.identifiers.len() > MAX_IDENTIFIERS {
            self.identifiers.pop_front();
        }
    }

    /// Counts the end of a connection under this identifier.
    fn disconnected(&mut self, identifier: &str) {
        self.connections = self.connections.saturating_sub(1);
        self.disconnected = Some(Instant::now());
        if let Some(known) = self.identifiers.iter_mut().find(|known| known.text == identifier) {
            known.connections = known.connections.saturating_sub(1);
        }
    }

    /// True if a client with this identifier is connected, which a new login replaces.
    fn is_connected(&self, identifier: &str) -> bool {
        self.identifiers.iter().any(|known| known.text == identifier && known.connections > 0)
    }

    /// True if no team and no connection uses the name any more.
    fn is_over(&self) -> bool {
        let is_awaited = self.pending.is_some_and(|since| since.elapsed() < LOGIN_TIMEOUT);
        !self.takes_part && self.connections == 0 && !is_awaited
    }
}

impl Teams {
    /// Checks the login of a client, with a name and its secret or without; `is_clean` if it starts without an earlier
    /// session. The client may vanish before it is connected, and that is not reported.
    pub(crate) fn authenticate(
        &self,
        identifier: &str,
        is_clean: bool,
        credentials: Option<&Credentials>,
    ) -> Result<(), TeamError> {
        let mut claims = lock(&self.0);
        claims.names.retain(|_, claim| !claim.is_over());
        if !claims.may_use(identifier, credentials.map(|credentials| credentials.name.as_str()), is_clean) {
            return Err(TeamError::Identifier);
        }
        if let Some(credentials) = credentials {
            let claim = claims.claim(credentials)?;
            if claim.connections >= MAX_CONNECTIONS && !claim.is_connected(identifier) {
                return Err(TeamError::Connections);
            }
            claim.pending = Some(Instant::now());
        }
        Ok(())
    }

    /// Counts a new connection.
    pub(crate) fn connected(&self, identifier: &str, user: Option<&str>) {
        let mut claims = lock(&self.0);
        if let Some(claim) = user.and_then(|name| claims.names.get_mut(&key(name))) {
            claim.connected(identifier);
        }
    }

    /// Assigns a connection without user name to a team, once.
    pub(crate) fn identify(&self, identifier: &str, credentials: &Credentials) -> Result<(), TeamError> {
        let mut claims = lock(&self.0);
        if !claims.anonymous.contains_key(identifier) {
            let claim = claims.claim(credentials)?;
            if claim.connections >= MAX_CONNECTIONS {
                return Err(TeamError::Connections);
            }
            claim.connected(identifier);
            claims.anonymous.insert(identifier.to_owned(), key(&credentials.name));
        }
        Ok(())
    }

    /// Counts the end of a connection.
    pub(crate) fn disconnected(&self, identifier: &str, user: Option<&str>) {
        let mut claims = lock(&self.0);
        let Some(of) = user.map(key).or_else(|| claims.anonymous.remove(identifier)) else { return };
        if let Some(claim) = claims.names.get_mut(&of) {
            claim.disconnected(identifier);
        }
        claims.release(&of);
    }

    /// The team of a connection. The login has checked the user name.
    pub(crate) fn of(&self, identifier: &str, user: Option<&str>) -> Option<String> {
        let claims = lock(&self.0);
        let of = user.map(key).or_else(|| claims.anonymous.get(identifier).cloned())?;
        claims.names.get(&of).map(|claim| claim.credentials.name.clone())
    }

    /// True if the connection is one of a team that takes part.
    pub(crate) fn takes_part(&self, identifier: &str, user: Option<&str>) -> bool {
        let claims = lock(&self.0);
        let of = user.map(key).or_else(|| claims.anonymous.get(identifier).cloned());
        of.and_then(|of| claims.names.get(&of)).is_some_and(|claim| claim.takes_part)
    }

    /// The connection of the team of this name, and the number of its connections so far.
    pub(crate) fn presence(&self, name: &str) -> (Presence, u64) {
        let claims = lock(&self.0);
        let Some(claim) = claims.names.get(&key(name)) else { return (Presence::NotYet, 0) };
        let gone = || claim.disconnected.map_or(Presence::NotYet, Presence::Gone);
        (if claim.connections > 0 { Presence::Connected } else { gone() }, claim.logins)
    }

    /// Lets a team take part. Calling it again has no further effect.
    pub(crate) fn join(&self, credentials: &Credentials) -> Result<(), TeamError> {
        lock(&self.0).claim(credentials)?.takes_part = true;
        Ok(())
    }

    /// Lets a team take part again that the journal has: earlier versions checked names less.
    pub(crate) fn restore(&self, credentials: &Credentials) -> Result<(), TeamError> {
        lock(&self.0).claim_unchecked(credentials)?.takes_part = true;
        Ok(())
    }

    /// Ends the part of a team.
    pub(crate) fn leave(&self, name: &str) {
        let (mut claims, of) = (lock(&self.0), key(name));
        if let Some(claim) = claims.names.get_mut(&of) {
            claim.takes_part = false;
        }
        claims.release(&of);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn team(name: &str, secret: &str) -> Credentials {
        Credentials::new(name, secret).unwrap()
    }

    /// Connects a client with a name.
    fn comes(teams: &Teams, identifier: &str, team: &Credentials) -> Result<(), TeamError> {
        teams.authenticate(identifier, false, Some(team))?;
        teams.connected(identifier, Some(&team.name));
        Ok(())
    }

    #[test]
    fn a_name_belongs_to_its_first_secret() {
        let teams = Teams::default();
        assert_eq!(teams.join(&team("Deep Water", "one")), Ok(()));
        assert_eq!(teams.join(&team("Deep Water", "one")), Ok(()), "a client that comes again");
        for other in [team("Deep Water", "two"), team("deep water", "one")] {
            assert_eq!(teams.join(&other), Err(TeamError::Taken));
            assert_eq!(teams.identify("connection", &other), Err(TeamError::Taken));
            assert_eq!(comes(&teams, "connection", &other), Err(TeamError::Taken));
            assert_eq!(teams.of("connection", None), None);
        }
        teams.leave("Deep Water");
        assert_eq!(teams.join(&team("deep water", "two")), Ok(()));
    }

    #[test]
    fn connections_hold_their_name_until_the_last_is_gone() {
        let teams = Teams::default();
        comes(&teams, "user", &team("A", "one")).unwrap();
        teams.authenticate("anonymous", true, None).unwrap();
        teams.connected("anonymous", None);
        teams.identify("anonymous", &team("A", "one")).unwrap();
        assert_eq!(teams.of("user", Some("A")).as_deref(), Some("A"));
        assert_eq!(teams.of("anonymous", None).as_deref(), Some("A"));
        for (identifier, user) in [("anonymous", None), ("user", Some("A"))] {
            assert_eq!(teams.join(&team("A", "two")), Err(TeamError::Taken));
            teams.disconnected(identifier, user);
            assert_eq!(teams.of(identifier, None), None);
        }
        assert_eq!(teams.join(&team("A", "two")), Ok(()));
    }

    #[test]
    fn a_connection_is_of_one_team() {
        let teams = Teams::default();
        teams.identify("anonymous", &team("A", "one")).unwrap();
        teams.identify("anonymous", &team("B", "two")).unwrap();
        assert_eq!(teams.of("anonymous", None).as_deref(), Some("A"));
        assert_eq!(teams.join(&team("B", "other")), Ok(()), "it has claimed nothing else");
    }

    #[test]
    fn a_team_that_takes_part_keeps_its_name_without_connections() {
        let teams = Teams::default();
        teams.identify("a", &team("A", "one")).unwrap();
        teams.join(&team("A", "one")).unwrap();
        teams.disconnected("a", None);
        assert_eq!(teams.identify("b", &team("A", "two")), Err(TeamError::Taken));
        assert_eq!(teams.identify("b", &team("A", "one")), Ok(()));
        teams.disconnected("b", None);
        teams.leave("A");
        assert!(lock(&teams.0).names.is_empty() && lock(&teams.0).anonymous.is_empty());
    }

    #[test]
    fn who_shows_a_secret_and_is_never_connected_does_not_keep_the_name() {
        let teams = Teams::default();
        teams.authenticate("gone", false, Some(&team("A", "one"))).unwrap();
        assert_eq!(teams.join(&team("A", "two")), Err(TeamError::Taken), "it may be on its way");
        lock(&teams.0).names.get_mut("a").unwrap().pending = Instant::now().checked_sub(LOGIN_TIMEOUT);
        assert_eq!(comes(&teams, "other", &team("A", "two")), Ok(()));
        teams.disconnected("other", Some("A"));
        assert!(lock(&teams.0).names.is_empty());
    }

    #[test]
    fn nobody_comes_under_the_identifier_of_another_team_s_client() {
        let teams = Teams::default();
        let (a, b) = (team("A", "one"), team("B", "two"));
        comes(&teams, "client of A", &a).unwrap();
        assert_eq!(comes(&teams, "client of A", &b), Err(TeamError::Identifier));
        for is_clean in [false, true] {
            assert_eq!(teams.authenticate("client of A", is_clean, None), Err(TeamError::Identifier));
        }
        assert_eq!(comes(&teams, "client of A", &a), Ok(()), "it has lost its connection");
        teams.disconnected("client of A", Some("A"));
        assert_eq!(teams.of("client of A", Some("A")).as_deref(), Some("A"), "the first one ended after that");
        for n in 0..100 {
            comes(&teams, &format!("client {n}"), &a).unwrap();
            teams.disconnected(&format!("client {n}"), Some("A"));
        }
        assert_eq!(lock(&teams.0).names["a"].identifiers.len(), MAX_IDENTIFIERS);
    }

    #[test]
    fn a_team_has_a_few_connections() {
        let teams = Teams::default();
        let a = team("A", "one");
        (0..MAX_CONNECTIONS).for_each(|n| comes(&teams, &format!("client {n}"), &a).unwrap());
        assert_eq!(comes(&teams, "one more", &a), Err(TeamError::Connections));
        assert_eq!(teams.identify("anonymous", &a), Err(TeamError::Connections));
        assert_eq!(teams.authenticate("client 0", false, Some(&a)), Ok(()), "it replaces a connection");
        teams.disconnected("client 1", Some("A"));
        assert_eq!(comes(&teams, "one more", &a), Ok(()));
    }

    #[test]
    fn a_client_without_a_name_comes_again_under_its_identifier() {
        let teams = Teams::default();
        let a = team("A", "one");
        teams.identify("mine", &a).unwrap();
        teams.join(&a).unwrap();
        teams.disconnected("mine", None);
        assert_eq!(teams.authenticate("mine", false, None), Err(TeamError::Identifier), "what is kept is for A alone");
        assert_eq!(teams.authenticate("mine", true, None), Ok(()));
        assert_eq!(teams.identify("mine", &a), Ok(()));
    }

    #[test]
    fn no_team_has_a_name_that_looks_like_another_one() {
        let teams = Teams::default();
        teams.join(&team("APE", "one")).unwrap();
        for name in ["\u{430}\u{440}\u{435}", "\u{410}\u{420}\u{415}"] {
            assert_eq!(teams.join(&team(name, "two")), Err(TeamError::LooksTaken), "{name}");
            assert_eq!(comes(&teams, "connection", &team(name, "two")), Err(TeamError::LooksTaken), "{name}");
        }
        for name in ["\u{410}nn", "A\u{1d159}nn", "A\u{115f}nn"] {
            assert!(matches!(teams.join(&team(name, "two")), Err(TeamError::Letters(_))), "{name}");
            assert!(check_name(name).is_err());
            teams.restore(&team(name, "two")).unwrap();
            assert_eq!(comes(&teams, name, &team(name, "two")), Ok(()), "a journal may have it");
        }
    }

    #[test]
    fn names_and_secrets_have_bounds() {
        for name in ["", "a/b", "a+b", "#", "$SYS", " a", "a\n", "a\u{202e}b", "\u{ad}a", "a\u{e0041}", &"x".repeat(33)]
        {
            assert_eq!(Credentials::new(name, "secret"), Err(TeamError::Name), "{name}");
        }
        for secret in ["", &"x".repeat(1025)] {
            assert_eq!(Credentials::new("A", secret), Err(TeamError::Secret));
        }
        assert!(!format!("{:?}", team("A", "hidden")).contains("hidden"));
    }
}
