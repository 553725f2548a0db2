//! Which name belongs to whom: the secret of every team, and which connections have shown that they know it.

use rules::salvo::Topics;
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use subtle::ConstantTimeEq;

/// The most bytes that a secret may have.
const LONGEST_SECRET: usize = 1024;
/// The most letters that a name may have: it stands on screens.
const LONGEST_NAME: usize = 32;

/// A secret of a team. Two are compared in a time that does not tell where they differ.
#[derive(Clone)]
pub(crate) struct Secret(String);

impl Secret {
    /// The secret as text, to encrypt with.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Secret) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }
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

/// Why nobody can be called so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TeamError {
    /// The name cannot be part of a topic, or is too long.
    #[error(
        "a name has 1 to {LONGEST_NAME} letters, without / + # $ and control characters, and no blanks at its ends"
    )]
    Name,
    /// The secret is empty or too long.
    #[error("a secret has 1 to {LONGEST_SECRET} bytes")]
    Secret,
    /// Another secret is known for the name.
    #[error("the name is taken, and the secret is another one")]
    Taken,
    /// A client of another team is connected under the same identifier.
    #[error("another team uses this client identifier")]
    Identifier,
}

impl Credentials {
    /// Of a name and a secret that can be used.
    pub(crate) fn new(name: &str, secret: &str) -> Result<Credentials, TeamError> {
        let fits = name.chars().count() <= LONGEST_NAME && name.trim() == name && Topics::check_level(name).is_ok();
        // They would turn round the text beside them, or hide in it.
        let hides = |letter| matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
        let fits = fits && !name.contains(hides);
        if !fits {
            return Err(TeamError::Name);
        }
        if secret.is_empty() || secret.len() > LONGEST_SECRET {
            return Err(TeamError::Secret);
        }
        Ok(Credentials { name: name.to_owned(), secret: Secret(secret.to_owned()) })
    }
}

/// Whether a team can be called so.
pub fn check_name(name: &str) -> Result<(), impl std::error::Error + use<>> {
    Credentials::new(name, "any").map(drop)
}

/// The names that are taken. Clones share them: the broker asks who a connection is, the server who has joined.
///
/// A name belongs to the secret that it was first used with, for as long as a team of this name takes part or a connection
/// that has shown the secret lasts. Names that differ in letter case only are the same here.
#[derive(Debug, Clone, Default)]
pub(crate) struct Teams(Arc<Mutex<Claims>>);

#[derive(Debug, Default)]
struct Claims {
    /// By the name in lower case.
    names: HashMap<String, Claim>,
    /// The key of the name that a connection without user name has shown the secret of.
    strangers: HashMap<String, String>,
}

#[derive(Debug)]
struct Claim {
    credentials: Credentials,
    takes_part: bool,
    /// How many connections have shown the secret.
    connections: u32,
    /// When somebody with the secret came last whose connection is not there yet.
    pending: Option<Instant>,
    /// By which identifiers they came last, oldest first.
    identifiers: VecDeque<Identifier>,
}

#[derive(Debug)]
struct Identifier {
    text: String,
    /// How many connections it has: for a moment two, when a client comes again.
    connections: u32,
}

/// So long it may take until who has shown a secret is connected.
const PENDING: Duration = Duration::from_secs(60);

/// So many identifiers of clients are remembered for a team.
const IDENTIFIERS: usize = 16;

fn key(name: &str) -> String {
    name.to_lowercase()
}

impl Claims {
    /// The claim of this name, which may be a new one, if the name is written as it was first and the secret is right.
    fn claim(&mut self, credentials: &Credentials) -> Result<&mut Claim, TeamError> {
        let claim = self.names.entry(key(&credentials.name)).or_insert_with(|| Claim {
            credentials: credentials.clone(),
            takes_part: false,
            connections: 0,
            pending: None,
            identifiers: VecDeque::new(),
        });
        if claim.credentials == *credentials { Ok(claim) } else { Err(TeamError::Taken) }
    }

    /// Nobody may put a team's client out by coming under its identifier, nor go on with what is kept for it. With a clean start
    /// nothing is kept: a client without a name that has lost its connection may come again so.
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
    /// There is a connection under this identifier.
    fn hold(&mut self, identifier: &str) {
        self.connections += 1;
        self.pending = None;
        let known = self.identifiers.iter().position(|known| known.text == identifier);
        let known = known.and_then(|at| self.identifiers.remove(at));
        let mut known = known.unwrap_or_else(|| Identifier { text: identifier.to_owned(), connections: 0 });
        known.connections += 1;
        self.identifiers.push_back(known);
        if self.identifiers.len() > IDENTIFIERS {
            self.identifiers.pop_front();
        }
    }

    /// A connection under this identifier is gone.
    fn let_go(&mut self, identifier: &str) {
        self.connections = self.connections.saturating_sub(1);
        if let Some(known) = self.identifiers.iter_mut().find(|known| known.text == identifier) {
            known.connections = known.connections.saturating_sub(1);
        }
    }

    /// Whether nobody has to do with it any more.
    fn is_over(&self) -> bool {
        let is_awaited = self.pending.is_some_and(|since| since.elapsed() < PENDING);
        !self.takes_part && self.connections == 0 && !is_awaited
    }
}

impl Teams {
    fn lock(&self) -> MutexGuard<'_, Claims> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A client wants to connect under an identifier, with a name and its secret or without; with a clean start, or to go on with
    /// what is kept for it. It may go away before it is connected, of which nobody would hear.
    pub(crate) fn arrive(
        &self,
        identifier: &str,
        is_clean: bool,
        credentials: Option<&Credentials>,
    ) -> Result<(), TeamError> {
        let mut claims = self.lock();
        claims.names.retain(|_, claim| !claim.is_over());
        if !claims.may_use(identifier, credentials.map(|credentials| credentials.name.as_str()), is_clean) {
            return Err(TeamError::Identifier);
        }
        if let Some(credentials) = credentials {
            claims.claim(credentials)?.pending = Some(Instant::now());
        }
        Ok(())
    }

    /// It is connected; if it came with a name, this.
    pub(crate) fn connected(&self, identifier: &str, user: Option<&str>) {
        let mut claims = self.lock();
        if let Some(claim) = user.and_then(|name| claims.names.get_mut(&key(name))) {
            claim.hold(identifier);
        }
    }

    /// A connection without user name shows later who it is, once.
    pub(crate) fn show(&self, identifier: &str, credentials: &Credentials) -> Result<(), TeamError> {
        let mut claims = self.lock();
        if !claims.strangers.contains_key(identifier) {
            claims.claim(credentials)?.hold(identifier);
            claims.strangers.insert(identifier.to_owned(), key(&credentials.name));
        }
        Ok(())
    }

    /// A connection, with a user name or without, is gone.
    pub(crate) fn leave(&self, identifier: &str, user: Option<&str>) {
        let mut claims = self.lock();
        let Some(of) = user.map(key).or_else(|| claims.strangers.remove(identifier)) else { return };
        if let Some(claim) = claims.names.get_mut(&of) {
            claim.let_go(identifier);
        }
        claims.release(&of);
    }

    /// The team that a connection has shown to be of. User names were looked at when it came.
    pub(crate) fn of(&self, identifier: &str, user: Option<&str>) -> Option<String> {
        let claims = self.lock();
        let of = user.map(key).or_else(|| claims.strangers.get(identifier).cloned())?;
        claims.names.get(&of).map(|claim| claim.credentials.name.clone())
    }

    /// A team takes part; again is no more than once.
    pub(crate) fn join(&self, credentials: &Credentials) -> Result<(), TeamError> {
        self.lock().claim(credentials)?.takes_part = true;
        Ok(())
    }

    /// A team takes part no more.
    pub(crate) fn part(&self, name: &str) {
        let (mut claims, of) = (self.lock(), key(name));
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

    /// A client with a name connects.
    fn comes(teams: &Teams, identifier: &str, team: &Credentials) -> Result<(), TeamError> {
        teams.arrive(identifier, false, Some(team))?;
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
            assert_eq!(teams.show("connection", &other), Err(TeamError::Taken));
            assert_eq!(comes(&teams, "connection", &other), Err(TeamError::Taken));
            assert_eq!(teams.of("connection", None), None);
        }
        teams.part("Deep Water");
        assert_eq!(teams.join(&team("deep water", "two")), Ok(()));
    }

    #[test]
    fn connections_hold_their_name_until_the_last_is_gone() {
        let teams = Teams::default();
        comes(&teams, "user", &team("A", "one")).unwrap();
        teams.arrive("stranger", true, None).unwrap();
        teams.connected("stranger", None);
        teams.show("stranger", &team("A", "one")).unwrap();
        assert_eq!(teams.of("user", Some("A")).as_deref(), Some("A"));
        assert_eq!(teams.of("stranger", None).as_deref(), Some("A"));
        for (identifier, user) in [("stranger", None), ("user", Some("A"))] {
            assert_eq!(teams.join(&team("A", "two")), Err(TeamError::Taken));
            teams.leave(identifier, user);
            assert_eq!(teams.of(identifier, None), None);
        }
        assert_eq!(teams.join(&team("A", "two")), Ok(()));
    }

    #[test]
    fn a_connection_is_of_one_team() {
        let teams = Teams::default();
        teams.show("stranger", &team("A", "one")).unwrap();
        teams.show("stranger", &team("B", "two")).unwrap();
        assert_eq!(teams.of("stranger", None).as_deref(), Some("A"));
        assert_eq!(teams.join(&team("B", "other")), Ok(()), "it has claimed nothing else");
    }

    #[test]
    fn a_team_that_takes_part_keeps_its_name_without_connections() {
        let teams = Teams::default();
        teams.show("a", &team("A", "one")).unwrap();
        teams.join(&team("A", "one")).unwrap();
        teams.leave("a", None);
        assert_eq!(teams.show("b", &team("A", "two")), Err(TeamError::Taken));
        assert_eq!(teams.show("b", &team("A", "one")), Ok(()));
        teams.leave("b", None);
        teams.part("A");
        assert!(teams.lock().names.is_empty() && teams.lock().strangers.is_empty());
    }

    #[test]
    fn who_shows_a_secret_and_is_never_connected_does_not_keep_the_name() {
        let teams = Teams::default();
        teams.arrive("gone", false, Some(&team("A", "one"))).unwrap();
        assert_eq!(teams.join(&team("A", "two")), Err(TeamError::Taken), "it may be on its way");
        teams.lock().names.get_mut("a").unwrap().pending = Instant::now().checked_sub(PENDING);
        assert_eq!(comes(&teams, "other", &team("A", "two")), Ok(()));
        teams.leave("other", Some("A"));
        assert!(teams.lock().names.is_empty());
    }

    #[test]
    fn nobody_comes_under_the_identifier_of_another_team_s_client() {
        let teams = Teams::default();
        let (a, b) = (team("A", "one"), team("B", "two"));
        comes(&teams, "client of A", &a).unwrap();
        assert_eq!(comes(&teams, "client of A", &b), Err(TeamError::Identifier));
        for is_clean in [false, true] {
            assert_eq!(teams.arrive("client of A", is_clean, None), Err(TeamError::Identifier));
        }
        assert_eq!(comes(&teams, "client of A", &a), Ok(()), "it has lost its connection");
        teams.leave("client of A", Some("A"));
        assert_eq!(teams.of("client of A", Some("A")).as_deref(), Some("A"), "the first one ended after that");
        (0..100).for_each(|n| comes(&teams, &format!("client {n}"), &a).unwrap());
        assert_eq!(teams.lock().names["a"].identifiers.len(), IDENTIFIERS);
    }

    #[test]
    fn a_client_without_a_name_comes_again_under_its_identifier() {
        let teams = Teams::default();
        let a = team("A", "one");
        teams.show("mine", &a).unwrap();
        teams.join(&a).unwrap();
        teams.leave("mine", None);
        assert_eq!(teams.arrive("mine", false, None), Err(TeamError::Identifier), "what is kept is for A alone");
        assert_eq!(teams.arrive("mine", true, None), Ok(()));
        assert_eq!(teams.show("mine", &a), Ok(()));
    }

    #[test]
    fn names_and_secrets_have_bounds() {
        for name in ["", "a/b", "a+b", "#", "$SYS", " a", "a\n", "a\u{202e}b", "\u{feff}a", &"x".repeat(33)] {
            assert_eq!(Credentials::new(name, "secret"), Err(TeamError::Name), "{name}");
        }
        for secret in ["", &"x".repeat(1025)] {
            assert_eq!(Credentials::new("A", secret), Err(TeamError::Secret));
        }
        assert!(!format!("{:?}", team("A", "hidden")).contains("hidden"));
    }
}
