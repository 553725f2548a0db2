//! Access: the passwords, log-ins and rate limits of teams and of the administrator.

use crate::matches::host::MatchHost;
use crate::state::moderators::ADMINISTRATOR;
use crate::state::name::{BotId, BotName};
use crate::state::registered_bot::RegisteredBot;
use crate::state::request_error::{RequestError, RequestResult};
use crate::teams::actor::Actor;
use crate::teams::csrf::CsrfTokens;
use crate::teams::password::{Passwords, Secret};
use crate::teams::session::Sessions;
use crate::teams::throttle::Throttle;
use connections::network;
use players::http::AllowedHosts;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// The most log-ins of the administrator.
const ADMIN_LOG_INS: usize = 64;
/// The most log-ins of one team.
const TEAM_LOG_INS: usize = 16;
/// The most bots that are tested at the same time.
const PROBES: usize = 2;

/// The address of the client.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClientAddress {
    pub(crate) ip: IpAddr,
    /// True if the address is that of a proxy, which passed the request on for another client.
    pub(crate) is_proxied: bool,
}

impl ClientAddress {
    /// The network of the client, which rate limits count.
    pub(crate) fn network(self) -> IpAddr {
        network(self.ip)
    }
}

/// The checks of teams and of the administrator, and the state that they need.
#[derive(Debug)]
pub(crate) struct Access {
    pub(crate) host: Arc<MatchHost>,
    pub(crate) passwords: Passwords,
    admin: Secret,
    /// The code that a registration needs, if it needs one.
    join_code: Option<Secret>,
    /// Those of the administrator, and of moderators by their numbers.
    pub(crate) admin_sessions: Sessions<Option<u32>>,
    pub(crate) team_sessions: Sessions<BotId>,
    pub(crate) csrf_tokens: CsrfTokens,
    pub(crate) throttles: Throttles,
    /// The hosts that every team may test.
    pub(crate) test_hosts: AllowedHosts,
    /// True if a proxy or tunnel passes requests on.
    pub(crate) has_proxy: bool,
    /// Permits for testing a bot.
    pub(crate) probes: Arc<Semaphore>,
}

/// The rate limits of one network, and of one bot.
#[derive(Debug)]
pub(crate) struct Throttles {
    /// Registrations that are not refused. Generous, because a whole room of teams may share one address.
    pub(crate) register: Throttle<IpAddr>,
    /// New URLs of a bot.
    pub(crate) set_url: Throttle<BotId>,
    /// Wrong passwords of the administrator and wrong codes for joining.
    secrets: Throttle<IpAddr>,
    /// Wrong passwords of bots.
    passwords: Throttle<IpAddr>,
    /// Wrong passwords of a bot, from wherever they come.
    guesses: Throttle<BotId>,
    /// Tests of a bot.
    pub(crate) test: Throttle<BotId>,
    pub(crate) house_match: Throttle<IpAddr>,
    /// Versions of a bot that are handed in.
    pub(crate) submit: Throttle<BotId>,
    /// Games that a team asks for.
    pub(crate) ask: Throttle<BotId>,
}

impl Access {
    pub(crate) fn new(
        host: Arc<MatchHost>,
        admin: Secret,
        join_code: Option<&str>,
        test_hosts: Option<AllowedHosts>,
        has_proxy: bool,
    ) -> Access {
        Access {
            host,
            passwords: Passwords::new(),
            admin,
            join_code: join_code.map(|code| Secret::new(code.trim())),
            admin_sessions: Sessions::new(ADMIN_LOG_INS),
            team_sessions: Sessions::new(TEAM_LOG_INS),
            csrf_tokens: CsrfTokens::new(),
            throttles: Throttles {
                register: Throttle::new(40, Duration::from_secs(3)),
                set_url: Throttle::new(40, Duration::from_secs(2)),
                secrets: Throttle::new(10, Duration::from_secs(5)),
                passwords: Throttle::new(40, Duration::from_secs(2)),
                guesses: Throttle::new(20, Duration::from_secs(5)),
                test: Throttle::new(20, Duration::from_secs(3)),
                house_match: Throttle::new(20, Duration::from_secs(10)),
                submit: Throttle::new(20, Duration::from_secs(30)),
                ask: Throttle::new(10, Duration::from_secs(300)),
            },
            test_hosts: test_hosts.unwrap_or_else(AllowedHosts::none),
            has_proxy,
            probes: Arc::new(Semaphore::new(PROBES)),
        }
    }

    /// The administrator, or the moderator of this name, if the password is right. After too many wrong ones, the next ones of the
    /// same network take longer, but for the right one of the administrator.
    pub(crate) async fn admit(&self, from: ClientAddress, name: &str, password: &str) -> RequestResult<Actor> {
        let name = name.trim();
        if name.is_empty() || name.eq_ignore_ascii_case(ADMINISTRATOR) {
            if self.admin.is(password) {
                return Ok(Actor::administrator());
            }
            let wrong = RequestError::unauthorized("the administrator's password is wrong");
            return Err(self.refuse_secret(from, wrong).await);
        }
        let known = BotName::registered(name).ok();
        let known = known.and_then(|name| self.host.store.look(|state| state.moderators.named(&name).cloned()));
        if let Some(moderator) = known {
            self.throttles.secrets.slow_down(from.network()).await;
            if self.passwords.is_right(from.network(), password.to_owned(), moderator.password.clone()).await? {
                return Ok(Actor::moderator(&moderator));
            }
            self.throttles.secrets.count(from.network())?;
            return Err(RequestError::unauthorized("the password of the moderator is wrong"));
        }
        let wrong = RequestError::unauthorized("there is no moderator of this name");
        Err(self.refuse_secret(from, wrong).await)
    }

    /// The administrator or moderator with this log-in. That of a moderator ends when the moderator is removed or gets another
    /// password.
    pub(crate) fn actor(&self, token: &str) -> Option<Actor> {
        match self.admin_sessions.holder(token, Instant::now())? {
            None => Some(Actor::administrator()),
            Some(number) => self.host.store.look(|state| state.moderators.numbered(number).map(Actor::moderator)),
        }
    }

    /// Begins the log-in of an administrator or moderator. Returns its token.
    pub(crate) fn begin_log_in(&self, actor: &Actor) -> String {
        self.admin_sessions.begin(actor.moderator, Instant::now())
    }

    /// Counts a wrong secret, and gives the error to answer with.
    async fn refuse_secret(&self, from: ClientAddress, why: RequestError) -> RequestError {
        self.throttles.secrets.slow_down(from.network()).await;
        self.throttles.secrets.count(from.network()).err().unwrap_or(why)
    }

    /// The bot with this name, if the password is right. After too many wrong ones, those for the same bot or of the same network
    /// take longer, since each takes processor time.
    pub(crate) async fn authenticate(
        &self,
        from: ClientAddress,
        name: &str,
        password: String,
    ) -> RequestResult<RegisteredBot> {
        let Throttles { guesses, passwords, .. } = &self.throttles;
        let Some(entry) = self.named(name) else {
            passwords.count(from.network())?;
            return Err(RequestError::missing("there is no bot of this name"));
        };
        tokio::join!(guesses.slow_down(entry.id), passwords.slow_down(from.network()));
        if self.passwords.is_right(from.network(), password, entry.password.clone()).await? {
            return Ok(entry);
        }
        passwords.count(from.network()).and(guesses.count(entry.id))?;
        Err(RequestError::forbidden("the password is wrong"))
    }

    /// True if a registration needs a code.
    pub(crate) fn needs_code(&self) -> bool {
        self.join_code.is_some()
    }

    /// Checks the code of a registration. After too many wrong ones, the next wrong ones of the same network take longer.
    pub(crate) async fn check_code(&self, from: ClientAddress, code: &str) -> RequestResult<()> {
        match &self.join_code {
            Some(right) if !right.is(code.trim()) => {
                let wrong = "the code for joining is wrong; the organiser has it";
                Err(self.refuse_secret(from, RequestError::forbidden(wrong)).await)
            }
            _ => Ok(()),
        }
    }

    /// Checks the code of a contest, as that of a registration.
    pub(crate) async fn check_contest_code(&self, from: ClientAddress, right: &str, given: &str) -> RequestResult<()> {
        if Secret::new(right.trim()).is(given.trim()) {
            return Ok(());
        }
        let wrong = match given.trim() {
            "" => "this contest has a code, which a team gives with its first version; the organiser has it",
            _ => "the code of the contest is wrong; the organiser has it",
        };
        Err(self.refuse_secret(from, RequestError::forbidden(wrong)).await)
    }

    /// The bot with this name, in upper or lower case.
    pub(crate) fn named(&self, name: &str) -> Option<RegisteredBot> {
        let name = BotName::registered(name).ok()?;
        self.host.store.look(|state| state.named(&name).cloned())
    }
}
