//! Takes part in a match.

use super::person::Person;
use super::{broker, topics};
use crate::args::{Decider, SalvoJoinArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{show, signals};
use players::BuiltIn;
use rules::salvo::{Order, View};
use rules::{BySeat, printable};
use runner::fresh_seed;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use salvo::client::{ClientError, ClientEvent, Lines, Strategy, Team, play};
use std::io::{self, BufRead};
use std::thread;

/// Where the secret of a team is found.
const SECRET: &str = "BROADSIDE_SALVO_SECRET";

/// Plays one match.
pub(super) fn join(args: &SalvoJoinArgs) -> Result<Exit, Failure> {
    let own = std::env::var(SECRET).ok();
    let left = match own {
        Some(_) => "Left; the same command comes back".to_owned(),
        None => format!("Left for good: only who has set {SECRET} can come back"),
    };
    let secret = own.unwrap_or_else(|| format!("{:016x}", fresh_seed()));
    let team = Team {
        name: args.name.clone(),
        secret,
        broker: broker(&args.broker, None)?,
        topics: topics(args.topic_prefix.as_deref())?,
    };
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let mut strategy: Box<dyn Strategy> = match args.with {
        Decider::Hunter => Box::new(Bot(BuiltIn::Hunter.salvo_strategy(seed))),
        Decider::Random => Box::new(Bot(BuiltIn::Random.salvo_strategy(seed))),
        Decider::Person => Box::new(Person::new(seed)),
    };
    let interrupt = signals::interrupt()?;
    // Nothing is to be tidied up: the match goes on without us, and the server knows what to do then.
    thread::spawn(move || {
        while let Err(Errno::INTR) = poll(&mut [PollFd::new(&interrupt, PollFlags::IN)], None) {}
        show::say(&left);
        std::process::exit(Exit::Interrupted as i32);
    });
    let lines = (args.with == Decider::Person)
        .then(|| Box::new(io::BufReader::new(io::stdin()).lines().map_while(Result::ok)) as Lines);
    match play(&team, &mut *strategy, lines) {
        Ok(result) => {
            let winner = result.winner.map_or("nobody".to_owned(), |name| {
                if name == team.name { format!("{name} (this one)") } else { printable(&name) }
            });
            show::print(&format!("Winner: {winner}\n"))?;
            Ok(Exit::Played)
        }
        Err(ClientError::Refused { name, what }) => Err(Failure::Usage {
            what: format!("the server does not take {name}: {what}"),
            hint: format!("take another name, or the secret that this one was first used with ({SECRET})"),
        }),
        Err(error) => Err(error.into()),
    }
}

/// A bot of ours.
struct Bot(Box<dyn FnMut(&View) -> Order>);

impl Strategy for Bot {
    fn order(&mut self, view: &View, _: &BySeat<String>) -> Option<Order> {
        Some((self.0)(view))
    }

    fn hear(&mut self, event: &ClientEvent<'_>) {
        if let Some(text) = told(event) {
            show::say(&text);
        }
    }
}

/// The line that shows an event; `None` if it is not shown.
pub(super) fn told(event: &ClientEvent<'_>) -> Option<String> {
    let text = match event {
        ClientEvent::NoBroker { broker, why } => {
            format!("Waiting for the broker at {broker}, trying every second: {why}")
        }
        ClientEvent::NoServer { broker } => format!("Connected to {broker}; waiting for a Salvo server there"),
        ClientEvent::State(state) => format!("The game: {state}"),
        ClientEvent::Players(names) => {
            format!("Players: {}", names.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", "))
        }
        ClientEvent::Turn(name) => format!("{name} fires"),
        ClientEvent::Hits(hits) => format!("  hits: {hits}"),
        ClientEvent::Hit(at) => format!("  a shot at {at} here"),
        ClientEvent::Sunk(name, ship) => format!("  the {ship} of {name} is sunk"),
        ClientEvent::Defeated(name) => format!("  {name} has no ships left"),
        ClientEvent::Error(error) => format!("  the server says: {error}"),
        ClientEvent::Line(_) | ClientEvent::NoMoreLines => return None,
    };
    Some(printable(&text))
}
