//! Runs a game server.

use super::{broker, topics};
use crate::args::SalvoServeArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{show, signals};
use rules::salvo::Settings;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use salvo::{Network, News, Options, Server, Spectator};
use std::thread;

/// Where the password for a broker is found.
const PASSWORD: &str = "BROADSIDE_BROKER_PASSWORD";

/// Serves until somebody asks to stop, or enough matches were played.
pub(super) fn serve(args: &SalvoServeArgs) -> Result<Exit, Failure> {
    topics(args.topic_prefix.as_deref())?;
    let interrupt = signals::interrupt()?;
    let network = match &args.broker {
        None => Network::Embedded(args.listen),
        Some(url) => {
            let password = || std::env::var(PASSWORD).unwrap_or_default();
            Network::Outside(broker(url, args.user.clone().map(|user| (user, password())))?)
        }
    };
    let options = Options {
        folder: args.dir.clone(),
        prefix: args.topic_prefix.clone(),
        place: args.place_seconds,
        turn: args.turn_seconds,
        lobby_after: args.lobby_after,
        players: args.players,
        matches: args.matches,
        seed: args.seed,
        settings: Settings { rounds_without_sinking: args.max_rounds },
    };
    let mut server = Server::open(options, network)?;
    match (server.address(), &args.broker) {
        (Some(address), _) => show::say(&format!("Clients connect to mqtt://{address}")),
        (None, Some(url)) => show::say(&format!("Connected to {url}")),
        (None, None) => {}
    }
    let stopper = server.stopper();
    let stop = interrupt.clone();
    thread::spawn(move || {
        while let Err(Errno::INTR) = poll(&mut [PollFd::new(&stop, PollFlags::IN)], None) {}
        stopper.stop();
    });
    server.run(&mut Told)?;
    if interrupt.is_raised() {
        show::say("Stopped; the same command goes on with what is in the folder");
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Played)
}

/// Says what happens.
struct Told;

impl Spectator for Told {
    fn hear(&mut self, news: &News<'_>) {
        let text = match news {
            News::Lobby { teams: 0 } => "The lobby is open".to_owned(),
            News::Lobby { teams } => format!("The lobby is open, with {teams} of before"),
            News::Joined { name } => format!("{name} takes part"),
            News::Ready { name } => format!("{name} has placed all ships"),
            News::Late { name } => format!("{name} is out: its ships were not placed in time"),
            News::Begun { record, turns: 0, names } => {
                let names: Vec<&str> = names.iter().map(|(_, name)| name.as_str()).collect();
                format!("The match begins: {}; record {}", names.join(", "), record.display())
            }
            News::Begun { record, turns, .. } => {
                format!("The match goes on after {turns} turns; record {}", record.display())
            }
            News::Over { outcome, names } => {
                let why = outcome.ending.told(|seat| names[seat].clone());
                match outcome.winner {
                    Some(winner) => format!("{} wins: {why}", names[winner]),
                    None => format!("Nobody wins: {why}"),
                }
            }
        };
        show::say(&text);
    }
}
