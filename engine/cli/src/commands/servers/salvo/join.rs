//! `broadside salvo join`: takes part in a match.

use super::broker::{broker, topics};
use super::event_text::event_text;
use super::person::Person;
use crate::args::{SalvoJoinArgs, StrategyArg};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{show, signals};
use rules::salvo::{Order, View};
use rules::{BySeat, printable};
use runner::fresh_seed;
use salvo::client::{ClientError, ClientEvent, Lines, Strategy, Team, play};
use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// The environment variable with the secret of a team.
const SECRET: &str = "BROADSIDE_SALVO_SECRET";

/// Plays one match, and prints the winner.
///
/// # Errors
/// [`Failure::Usage`] if the server refuses the team, and errors of the connection.
pub(super) fn join(args: &SalvoJoinArgs) -> Result<Exit, Failure> {
    let own = std::env::var(SECRET).ok();
    let has_own = own.is_some();
    let secret = own.unwrap_or_else(|| format!("{:016x}", fresh_seed()));
    let team = Team {
        name: args.name.clone(),
        secret,
        join_code: args.join_code.clone(),
        broker: broker(&args.broker, None)?,
        topics: topics(args.topic_prefix.as_deref())?,
    };
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let interrupt = signals::interrupt()?;
    let strategy: Box<dyn Strategy> = match args.with {
        StrategyArg::BuiltIn(player) => Box::new(BuiltInStrategy(player.salvo_strategy(seed))),
        StrategyArg::Person => Box::new(Person::new(seed, interrupt.clone())),
    };
    let joined = Arc::new(AtomicBool::new(false));
    let mut strategy = NotingStrategy { inner: strategy, name: team.name.clone(), joined: Arc::clone(&joined) };
    // Nothing needs cleaning up: the match goes on without this client, as the server provides for.
    thread::spawn(move || {
        interrupt.wait();
        show::say(&match (joined.load(Ordering::Relaxed), has_own) {
            (false, _) => "Left before the team had joined".to_owned(),
            (true, true) => "Left; run the same command to rejoin".to_owned(),
            (true, false) => format!("Left for good: to be able to rejoin, set {SECRET} before you join"),
        });
        std::process::exit(Exit::Interrupted as i32);
    });
    let lines = (args.with == StrategyArg::Person)
        .then(|| Box::new(io::BufReader::new(io::stdin()).lines().map_while(Result::ok)) as Lines);
    match play(&team, &mut strategy, lines) {
        Ok(result) => {
            let winner = result.winner.map_or("nobody".to_owned(), |name| {
                if name == team.name { format!("{name} (this one)") } else { printable(&name) }
            });
            show::print(&format!("Winner: {}\n", show::printable(&winner)))?;
            Ok(Exit::Success)
        }
        Err(ClientError::Refused { name, what }) => Err(Failure::Usage {
            what: format!("the server refuses {name}: {what}"),
            hint: format!(
                "choose another name, or set {SECRET} to the secret with which this name was first used; --join-code has the \
                 code of a server that wants one"
            ),
        }),
        Err(error) => Err(error.into()),
    }
}

/// A strategy that notes that the team is among the players.
struct NotingStrategy {
    inner: Box<dyn Strategy>,
    name: String,
    joined: Arc<AtomicBool>,
}

impl Strategy for NotingStrategy {
    fn order(&mut self, view: &View, names: &BySeat<String>) -> Option<Order> {
        self.inner.order(view, names)
    }

    fn hear(&mut self, event: &ClientEvent<'_>, view: &View, names: &BySeat<String>) {
        if let ClientEvent::Players(names) = event
            && names.iter().any(|(_, name)| *name == self.name)
        {
            self.joined.store(true, Ordering::Relaxed);
        }
        self.inner.hear(event, view, names);
    }
}

/// A built-in bot.
struct BuiltInStrategy(Box<dyn FnMut(&View) -> Order>);

impl Strategy for BuiltInStrategy {
    fn order(&mut self, view: &View, _: &BySeat<String>) -> Option<Order> {
        Some((self.0)(view))
    }

    fn hear(&mut self, event: &ClientEvent<'_>, _: &View, _: &BySeat<String>) {
        if let Some(text) = event_text(event) {
            show::say(&text);
        }
    }
}
